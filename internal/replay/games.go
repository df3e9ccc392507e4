package replay

import (
	"encoding/json"
	"slices"
	"strings"

	"boardwatchd/internal/people"
	"boardwatchd/internal/pgn"
	"boardwatchd/internal/record"
	"boardwatchd/internal/said"
	"boardwatchd/internal/watch"
	"boardwatchd/rules/legal"
)

// Games collects the machine's objects into games for PGN. The zero value is ready.
type Games struct {
	People *people.Book // gives the names for the ids in the journal; nil: the ids are shown

	// Called returns the common name of a board if the journal does not state the table; nil: the board's own name.
	Called             func(board string) string
	games              []*game
	event, round, date string
	white, black       string // the players, as last reported
	table              string // the table of the players
	told               int    // how often the players were reported
	adds               added
	setUp              string // the placement that a person has entered and from which no game has begun yet

	withdrawn map[string]bool // findings
}

// A game holds the objects about one game: the moves in their order, and the breaks between them. PGN is made only at
// the end, because a move may be reported again with another piece.
type game struct {
	number int
	start  legal.Setup
	tags   []pgn.Tag
	plies  []said.Any // moves, and the health objects after which the legal prefix ends
	result pgn.Result
	// The players and their table, from the journal; empty: not known.
	white, black, table string
	told                int // see Games
	people              *people.Book

	replaced *pgn.Result // the result before a person has entered another one after the game; nil: nobody has
	resultOf int         // the game before, whose result was entered while this one had no move; 0: none

	adds    added
	started *said.Seconds // the clock, by a press before the first move
}

// Opening reads the body of an opening record for event, round and date. The date is the wall clock's, which may have
// been wrong.
func (gs *Games) Opening(body []byte) {
	o, err := watch.ParseOpening(body)
	if err != nil {
		return
	}
	var conf struct {
		Event, Round string
		Periods      []period `json:"time_control"`
	}
	if len(o.Config) > 0 && json.Unmarshal(o.Config, &conf) == nil {
		gs.event, gs.round = conf.Event, conf.Round
	}
	gs.adds = addedByPress(conf.Periods)
	if len(o.Wall) >= len("2006-01-02") {
		gs.date = strings.ReplaceAll(o.Wall[:len("2006-01-02")], "-", ".")
	}
}

// Input handles an input record of the journal, before the machine's effects of it. The opening record gives the event,
// the round and the date; an instruction may name the players.
func (gs *Games) Input(r record.Record) {
	switch r.Kind {
	case record.Open:
		gs.Opening(r.Body)
	case record.Instruct:
		var i watch.Instruction
		switch err := json.Unmarshal(r.Body, &i); {
		case err != nil:
		case i.Do == watch.DoNames:
			gs.white, gs.black = string(i.White), string(i.Black)
			gs.table = i.Name
			gs.told++
		case i.Do == watch.DoPosition:
			gs.setUp = ""
			if watch.EnteredBy(r.Body) != "" { // else the game continues in the journal of another round
				gs.setUp, _, _ = strings.Cut(i.FEN, " ")
			}
		}
	}
}

// name gives a game the players reported last. It is called when a game begins, moves or ends, so that the names of
// the next round, reported while the pieces are still on the board, do not get into the last game.
func (gs *Games) name(g *game) {
	g.white, g.black, g.table, g.told = gs.white, gs.black, gs.table, gs.told
}

// playedPlies is the length from which a game without a result counts as played: after ten moves each not even a wrong
// start position makes it begin again in rapid chess (FIDE Laws A.5.1.2).
const playedPlies = 20

// forget drops the names when a new game begins after a game under them was played: the present players are unknown,
// and a wrong name is worse than none.
func (gs *Games) forget(start legal.Setup) {
	if !arrayed(&start.Placement) {
		return // joined in the middle: the same game, as far as is known
	}
	last := gs.lastBegun()
	if last == nil || last.result == pgn.Unknown && last.moves() < playedPlies {
		return
	}
	if last.white == gs.white && last.black == gs.black {
		gs.white, gs.black = "", ""
	}
}

// lastBegun is the last game that has a move or a result; nil: there is none. Pieces that were set up once more are no
// game.
func (gs *Games) lastBegun() *game {
	for _, g := range slices.Backward(gs.games) {
		if len(g.plies) > 0 || g.result != pgn.Unknown {
			return g
		}
	}
	return nil
}

// arrayed reports whether the two ranks of each side are full: a game begins, from any array.
func arrayed(p *legal.Placement) bool {
	for sq := range p {
		if home := sq < 16 || sq >= 48; home && p[sq] == legal.NoPiece {
			return false
		}
	}
	return true
}

// Said handles one object of contract section 3.
func (gs *Games) Said(body []byte) {
	var s said.Any
	if json.Unmarshal(body, &s) != nil {
		return
	}
	switch s.Type {
	case "game":
		gs.begin(s)
		return
	case "finding":
		if gs.withdrawn == nil {
			gs.withdrawn = map[string]bool{}
		}
		gs.withdrawn[s.ID] = s.State == "withdrawn"
		return
	}
	if len(gs.games) == 0 {
		return
	}
	if s.What == "filled" { // perhaps in an earlier game
		for _, g := range gs.games {
			if g.number == s.Game {
				g.fill(s)
			}
		}
		return
	}
	g := gs.games[len(gs.games)-1]
	switch s.Type {
	case "move":
		gs.name(g)
		g.move(s)
	case "press":
		if s.Judged == "ok_start" && g.moves() == 0 {
			g.started = &s.T
		}
	case "takeback":
		g.cut(s.Ply)
	case "result":
		if last := gs.lastBegun(); s.By == "arbiter" && len(g.plies) == 0 && last != nil && last != g && last.told == gs.told {
			last.endedLate(s)
			g.resultOf = last.number
			return
		}
		if s.State != "withdrawn" && s.State != "questioned" && g.result == pgn.Unknown {
			gs.name(g)
		}
		g.ended(s)
	case "health":
		if s.What == "record_broken" || s.What == "not_known" {
			g.plies = append(g.plies, s)
		}
	}
}

func (gs *Games) begin(s said.Any) {
	setup, err := legal.ParseFEN(s.FEN)
	if err != nil {
		return
	}
	if _, err := setup.Standing(); err != nil {
		return
	}
	board := s.Board
	if gs.Called != nil {
		board = gs.Called(board)
	}
	setup, pawns := usualArray(setup)
	g := &game{number: s.Game, start: setup, result: pgn.Unknown, adds: gs.adds, people: gs.People}
	for _, t := range [...]pgn.Tag{{Name: "Event", Value: gs.event}, {Name: "Date", Value: gs.date}, {Name: "Round", Value: gs.round}, {Name: "Board", Value: board}} {
		if t.Value != "" {
			g.tags = append(g.tags, t)
		}
	}
	if len(pawns) > 0 {
		g.tags = append(g.tags, pgn.Tag{Name: remark, Value: "a pawn was read on " + strings.Join(pawns, " and ") + " at the start: written as from the usual array"})
	}
	if placement, _, _ := strings.Cut(s.FEN, " "); gs.setUp != "" && placement == gs.setUp {
		gs.markEnteredStart(g)
	}
	gs.setUp = ""
	gs.forget(setup)
	gs.name(g)
	gs.games = append(gs.games, g)
}

// maxPawnsRead is the largest number of squares of the first ranks on which a pawn is read in a piece's place.
const maxPawnsRead = 2

// usualArray returns the usual array, and the squares, if a game begins from it but for a pawn in the place of a
// piece of the same side: a queen with the chip of a pawn. Players play with her as a queen, and no reader accepts
// the pawn.
func usualArray(s legal.Setup) (as legal.Setup, pawns []string) {
	usual := pgn.New().Start
	for sq := range s.Placement {
		is, want := s.Placement[sq], usual.Placement[sq]
		switch {
		case is == want:
		case is.Kind() == legal.Pawn && is.Side() == want.Side() && want.Kind() != legal.King:
			pawns = append(pawns, legal.Square(sq).String())
		default:
			return s, nil
		}
	}
	if len(pawns) == 0 || len(pawns) > maxPawnsRead || s.Turn != legal.White || s.Chess960 {
		return s, nil
	}
	return usual, pawns
}

// markEnteredStart marks a game that begins from a position that a person has entered, and an unfinished one before it
// that may continue there: adjourned, or set up again by the arbiter.
func (gs *Games) markEnteredStart(g *game) {
	g.tags = append(g.tags, pgn.Tag{Name: remark, Value: "begins from a position that a person has entered"})
	if n := len(gs.games); n > 0 && gs.games[n-1].result == pgn.Unknown && gs.games[n-1].moves() > 0 {
		last := gs.games[n-1]
		last.tags = append(last.tags, pgn.Tag{Name: remark, Value: "a person has entered another position: the next game goes on from there"})
	}
}

// move adds a move, or puts it in the place of the one with the same ply and all after that. A correction leaves later
// moves as they are.
func (g *game) move(s said.Any) {
	if s.Corrects {
		for i := range g.plies {
			if p := &g.plies[i]; p.Type == "move" && p.Ply == s.Ply {
				*p = s
			}
		}
		return
	}
	g.cut(s.Ply - 1)
	g.plies = append(g.plies, s)
}

// fill stores the plies that were filled in for the span that begins at a ply, or removes them.
func (g *game) fill(s said.Any) {
	for i := range g.plies {
		if p := &g.plies[i]; p.What == "not_known" && p.PlyFrom == s.PlyFrom {
			p.Moves, p.By = s.Moves, s.By
		}
	}
}

// cut goes back to a ply. A break after the last remaining move stays, unless it states a later ply itself.
func (g *game) cut(ply int) {
	for i := len(g.plies) - 1; i >= 0; i-- {
		switch p := &g.plies[i]; {
		case p.PlyFrom > ply:
			g.plies = slices.Delete(g.plies, i, i+1)
		case p.Type != "move":
		case p.Ply <= ply:
			return
		default:
			g.plies = g.plies[:i]
		}
	}
}

func (g *game) moves() (n int) {
	for i := range g.plies {
		if g.plies[i].Type == "move" {
			n++
		}
	}
	return n
}

func (g *game) ended(s said.Any) {
	g.result = pgn.Unknown
	if r, ok := pgn.ParseResult(s.Result); ok && s.State != "withdrawn" && s.State != "questioned" {
		g.result = r
	}
}

// endedLate takes a result that a person has entered when the pieces had been set up again after this game, and nobody
// had moved: players do that at once, and results are entered from the scoresheets. Taken back, it leaves what was
// shown at the board.
func (g *game) endedLate(s said.Any) {
	if g.replaced == nil {
		shown := g.result
		g.replaced = &shown
	}
	if g.ended(s); g.result == pgn.Unknown {
		g.result = *g.replaced
	}
}

// Leave leaves games out, by their numbers.
func (gs *Games) Leave(out func(game int) bool) {
	gs.games = slices.DeleteFunc(gs.games, func(g *game) bool { return out(g.number) })
}

// Played is a summary of one game.
type Played struct {
	Game         int
	White, Black string // "": not told
	Table        string // at which they were paired; "": not known
	// WhiteID and BlackID are the journal's ids in place of the names.
	WhiteID, BlackID string
	Result           string // as in PGN: "*" if none was reported
	EnteredLate      bool   // the result was entered when the pieces had been set up again
	ResultOf         int    // the game whose result was entered while this one had no move; 0: none
	Begins           bool   // from the array, and not in the middle of a game
	Plies            int
	PGN              string
}

// Played returns a summary of each game, in order.
func (gs *Games) Played() (list []Played) {
	for _, g := range gs.games {
		p := Played{
			Game: g.number, White: g.people.Said(g.white), Black: g.people.Said(g.black), WhiteID: g.white, BlackID: g.black, Table: g.table, Result: g.result.String(),
			EnteredLate: g.replaced != nil && g.result != *g.replaced, ResultOf: g.resultOf,
			Begins: arrayed(&g.start.Placement),
		}
		for i := range g.plies {
			if g.plies[i].Type == "move" {
				p.Plies = max(p.Plies, g.plies[i].Ply)
			}
		}
		var text []byte
		for _, part := range g.written(Parts, gs.withdrawn) {
			more, err := pgn.Append(text, part)
			if err != nil {
				break // the parts written so far stay
			}
			text = more
		}
		p.PGN = string(text)
		list = append(list, p)
	}
	return list
}
