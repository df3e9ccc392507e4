package rules_test

import (
	"strconv"
	"strings"
	"testing"

	"boardwatchd/internal/config"
	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/legal/legaltest"
	texts "boardwatchd/rules/words"
	"boardwatchd/rules/words/wordstest"
)

// profiles are all rule sets that come with the program.
var profiles = []string{
	"caa-2strike", "caa-3strike", "ffe-youth-rapid", "fide-blitz", "fide-blitz-supervised", "fide-rapid", "fide-rapid-supervised",
	"fide-standard", "rc-2017-draft", "uscf-blitz", "uscf-regular", "wbca-blitz",
}

func profile(t testing.TB, name string) rules.Profile {
	t.Helper()
	p, err := config.Profile(name)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// A game is a docket that receives events as the detector sends them.
type game struct {
	t       testing.TB
	d       *rules.Docket
	pos     legal.Position
	ply     int
	seq     int64
	clock   rules.Clocks
	differs []legal.Square // what moves say of the board
	gain    int
	last    string // the finding found last
	said    map[string]rules.Entry
	also    func(rules.Event, []rules.Entry) // receives every event and the answer; may be nil
}

// begin opens a game under a rule set at a position, each player with 50 minutes and an increment of 10 s.
func begin(t testing.TB, profileName, fen string) *game {
	t.Helper()
	return beginWith(t, rules.NewDocket(profile(t, profileName)), fen)
}

func beginWith(t testing.TB, d *rules.Docket, fen string) *game {
	t.Helper()
	g := &game{t: t, d: d, clock: rules.Clocks{White: 3000, Black: 3000, Known: true}, gain: 10, said: map[string]rules.Entry{}}
	g.pos = legaltest.Position(t, fen)
	g.ply = 2 * (g.pos.FullMoves() - 1)
	if g.pos.Turn() == legal.Black {
		g.ply++
	}
	g.step(rules.Begun{Game: 1, Position: g.pos, Clock: g.clock})
	return g
}

const startFEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

// step sends one event and checks conditions that hold for every answer.
func (g *game) step(e rules.Event) []rules.Entry {
	g.t.Helper()
	before := g.d.Strikes()
	list := g.d.Step(e)
	for _, entry := range list {
		check(g.t, &entry)
		g.said[entry.ID] = entry
	}
	switch e.(type) {
	case rules.Decision, rules.SetStrikes, rules.Begun:
	default:
		if g.d.Strikes() != before {
			g.t.Fatalf("%T changed the ledger", e)
		}
	}
	if g.also != nil {
		g.also(e, list)
	}
	return list
}

// check verifies conditions that hold for every entry.
func check(t testing.TB, e *rules.Entry) {
	t.Helper()
	said := []texts.Sentence{e.Reason, e.Ruling.Text}
	if !e.Ruling.Deadline.IsZero() {
		said = append(said, e.Ruling.Deadline)
	}
	if m := e.Ruling.Mate; m != nil {
		said = append(said, m.Text)
	}
	for _, s := range said {
		if wrong := wordstest.Faults(s); len(wrong) > 0 {
			t.Fatalf("%s says %+v: %s", e.ID, s, strings.Join(wrong, "; "))
		}
	}
	switch {
	case e.State == rules.Suspected && e.Alert == rules.Now:
		t.Fatalf("%s is suspected and told at once", e.ID)
	case e.Kind.Family() == kinds.Hand:
		if e.Alert != rules.Advise || e.Ruling.Kind == "illegal_move" || e.Ruling.Text.String() == "" {
			t.Fatalf("%s is told otherwise than as a quiet request: %+v", e.ID, e)
		}
	case e.State == rules.Withdrawn && e.Alert > rules.Log:
		t.Fatalf("%s is withdrawn and told", e.ID)
	case e.Ruling == nil || e.Ruling.Kind == "" || e.Ruling.Profile == "":
		t.Fatalf("%s has no ruling", e.ID)
	case e.Reason.String() == "" || e.Edition == "" || e.Articles == nil || e.Ruling.Text.String() == "":
		t.Fatalf("%s says nothing: %+v", e.ID, e)
	case strings.Contains(e.Reason.String()+e.Ruling.Text.String(), "{"):
		t.Fatalf("%s has a gap in its text: %s %s", e.ID, e.Reason, e.Ruling.Text.String())
	case e.Proof == rules.Hint && e.Ruling.Kind == "illegal_move":
		t.Fatalf("%s makes a strike of a hint", e.ID)
	}
}

// play plays a legal move and presses.
func (g *game) play(uci ...string) *game {
	g.t.Helper()
	for _, name := range uci {
		g.press(g.pos.Turn(), "ok")
		g.move(name)
	}
	return g
}

// move plays a legal move and does not press.
func (g *game) move(uci string) *game {
	g.t.Helper()
	m, ok := g.pos.FindUCI(uci)
	if !ok {
		g.t.Fatalf("%s is not legal in %s", uci, g.pos.FEN())
	}
	g.ply++
	g.seq++
	before := g.pos
	g.pos = before.After(m)
	g.step(rules.Moved{Seq: g.seq, Ply: g.ply, Before: before, Move: m, Clock: g.clock, Differs: g.differs})
	return g
}

func (g *game) press(s legal.Side, judged string) {
	g.credit(s)
	g.step(rules.Pressed{Side: s, Judged: judged, Gained: g.gain, Clock: g.clock})
}

func (g *game) credit(s legal.Side) {
	if s == legal.Black {
		g.clock.Black += g.gain
	} else {
		g.clock.White += g.gain
	}
}

// wrong makes an illegal move by the side to move and presses. Edit is the change on the board as squares and pieces,
// "f3 - d5 N"; touched are the squares in the order of touch.
func (g *game) wrong(kind kinds.Kind, uci, touched, edit string) *game {
	g.t.Helper()
	c := g.offence(kind, uci, touched, edit)
	g.press(c.Side, string(kind))
	c.Clock = g.clock
	c.State = rules.Suspected
	g.step(rules.Found{Case: c})
	c.State = rules.Confirmed
	g.step(rules.Found{Case: c})
	g.pos = c.After
	return g
}

func (g *game) offence(kind kinds.Kind, uci, touched, edit string) rules.Case {
	g.t.Helper()
	g.seq++
	g.ply++
	g.last = kinds.ID(g.seq, kind)
	c := rules.Case{
		ID: g.last, Kind: kind, Game: 1, Ply: g.ply, Side: g.pos.Turn(), Proof: rules.Certain, Permille: 990, UCI: uci, Known: true,
		Before: g.pos, Stands: true, Completed: true, Gained: g.gain,
	}
	for _, name := range strings.Fields(touched) {
		sq, _ := legal.ParseSquare(name)
		c.Touched = append(c.Touched, rules.Touch{Square: sq, Piece: g.pos.PieceAt(sq)})
	}
	s := g.pos.Setup()
	marks := strings.Fields(edit)
	for i := 0; i+1 < len(marks); i += 2 {
		sq, ok := legal.ParseSquare(marks[i])
		if !ok {
			g.t.Fatalf("no square: %s", marks[i])
		}
		s.Placement[sq] = pieceNamed(marks[i+1])
		c.Squares = append(c.Squares, sq)
	}
	s.Turn, s.EnPassant = s.Turn.Other(), legal.NoSquare
	if s.Turn == legal.White {
		s.FullMoves++
	}
	after, err := s.Standing()
	if err != nil {
		g.t.Fatalf("%s: %v", s.FEN(), err)
	}
	c.After, c.At = after, s.Placement
	return c
}

func pieceNamed(letter string) legal.Piece {
	if i := strings.Index("PNBRQK", letter); i >= 0 {
		return legal.PieceOf(legal.White, legal.Kind(i+1))
	}
	if i := strings.Index("pnbrqk", letter); i >= 0 {
		return legal.PieceOf(legal.Black, legal.Kind(i+1))
	}
	return legal.NoPiece
}

// knight makes the illegal move that most tests use: White's knight goes from f3 to d5.
func (g *game) knight() *game {
	g.t.Helper()
	return g.play("g1f3", "d7d6").wrong(kinds.IllegalKnight, "f3d5", "f3", "f3 - d5 N")
}

func (g *game) find(kind kinds.Kind, side legal.Side, proof rules.Proof) rules.Case {
	g.seq++
	g.last = kinds.ID(g.seq, kind)
	return rules.Case{
		ID: g.last, Kind: kind, Game: 1, Ply: g.ply, Side: side, State: rules.Confirmed, Proof: proof, Permille: 500, Known: true, Before: g.pos,
		At: g.pos.Placement(), Stands: true, After: g.pos, Gained: -1,
	}
}

func (g *game) stop(promoting bool) {
	g.seq++
	g.step(rules.Stopped{Seq: g.seq, Turn: g.pos.Turn(), Clock: g.clock, Promoting: promoting})
}

func (g *game) report(what string, side legal.Side, move int) {
	g.seq++
	g.step(rules.Report{Seq: g.seq, What: what, Side: side, Move: move})
}

func (g *game) decide(id, do string) { g.step(rules.Decision{Finding: id, Do: do}) }

// entry returns a finding in its present state.
func (g *game) entry(id string) rules.Entry {
	g.t.Helper()
	e, ok := g.said[id]
	if !ok {
		g.t.Fatalf("%s was never told", id)
	}
	return e
}

// first returns the entry that a phone would show, also in words; "none" if there is none.
func (g *game) first() (rules.Entry, string) {
	list := g.d.Entries()
	for i := range list {
		if said := g.said[list[i].ID]; said.Alert != list[i].Alert || said.State != list[i].State {
			g.t.Fatalf("%s stands in the docket otherwise than it was told", list[i].ID)
		}
	}
	e, ok := rules.Principal(list)
	if !ok {
		return e, "none"
	}
	if e.ID != list[0].ID {
		g.t.Fatalf("%s is shown first, and %s is the principal one", list[0].ID, e.ID)
	}
	return e, words(&e)
}

// words returns an entry in one line: kind, state, alert, ruling, position, bonus, take back, strikes, result.
func words(e *rules.Entry) string {
	r := e.Ruling
	list := []string{string(e.Kind), e.State.String(), e.Alert.String(), r.Kind}
	if r.Position != "" {
		list = append(list, r.Position)
	}
	for _, v := range []struct {
		name string
		by   [3]int
	}{{"+", r.Bonus}, {"-", r.TakeBack}, {"#", r.Strikes}} {
		if v.by != [3]int{} {
			list = append(list, v.name+strconv.Itoa(v.by[legal.White])+"/"+strconv.Itoa(v.by[legal.Black]))
		}
	}
	if r.Result != "" {
		list = append(list, r.Result)
	}
	return strings.Join(list, " ")
}

func (g *game) wants(want string) {
	g.t.Helper()
	if _, got := g.first(); got != want {
		g.t.Errorf("got  %s\nwant %s", got, want)
	}
}
