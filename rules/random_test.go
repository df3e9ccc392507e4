package rules_test

import (
	"reflect"
	"testing"

	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/legal/legaltest"
)

// Bytes are turned into events: for all events in any order the docket answers and keeps its promises.

var randomKinds = []kinds.Kind{
	kinds.IllegalKnight, kinds.IllegalLeftInCheck, kinds.IllegalKingIntoCheck, kinds.IllegalKingCapture, kinds.IllegalNoMove,
	kinds.IllegalPromoIncomplete, kinds.IllegalCastleOutOfCheck, "illegal.ep_pawn_left", "illegal.castle_king_only", "illegal.promo_two",
	"illegal.two_hands", "suspect.two_hands_capture", "irreg.touch_move", "irreg.rook_first", "irreg.promo_piece_changed",
	"irreg.promo_wrong_colour", "irreg.out_of_turn", "irreg.double_move", "irreg.displaced", "irreg.press_before_done",
	"irreg.adjust_off_turn", "sensor.unreadable", "sensor.unknown", "clock.flag", "clock.both_flags", "setup.wrong_array",
	"setup.board_rotated", "end.checkmate", "end.stalemate", "end.dead", "end.fivefold", "end.move75", "end.result_signal",
	"draw.threefold_claimable", "draw.fifty", "draw.claim_incorrect", "nobody.knows", "",
}

var (
	randomReports = []string{
		"two-hands", "other-hand", "press-before-release", "foreign-press", "queen-brought", "clock-setting-wrong", "displaced",
		"colours-reversed", "found", "draw-offer", "assistant", "?",
	}
	randomClaims    = []string{"draw3", "draw50", "touch", "illegal", "two-hands", "flag", "?"}
	randomDecisions = []string{"confirm", "reject", "accident", "sensor", "undo", "later", "unseen", "?"}
	randomFlags     = []string{"appendix_d", "assistant", "no_touch", "position_start", "?"}
	randomFENs      = []string{
		startFEN, "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "8/P5k1/8/8/8/8/8/6K1 w - - 0 1", "4r1k1/7p/8/8/8/8/4B3/4K2R w - - 0 1",
		"8/8/4k3/8/8/3QK3/8/8 w - - 0 1", "6k1/5ppp/8/8/8/8/4RPPP/r5K1 b - - 3 9", "8/8/3kK3/8/8/8/8/R7 w - - 0 60",
	}
)

// A source turns bytes into choices; after the last byte it always chooses the first option.
type source struct{ bytes []byte }

func (s *source) of(n int) int {
	if len(s.bytes) == 0 {
		return 0
	}
	b := int(s.bytes[0])
	s.bytes = s.bytes[1:]
	return b % n
}

func pick[T any](s *source, list []T) T { return list[s.of(len(list))] }

func (s *source) side() legal.Side { return legal.Side(s.of(3)) }

// random is a game of random events.
type random struct {
	source
	positions []legal.Position
	pos       legal.Position
	ply       int
	seq       int64
	ids       []string
}

func (r *random) clocks() rules.Clocks {
	return rules.Clocks{White: r.of(256) * 20, Black: r.of(256) * 20, Known: r.of(8) > 0}
}

func (r *random) event() rules.Event {
	r.seq++
	switch r.of(24) {
	case 0:
		r.pos = pick(&r.source, r.positions)
		r.ply = 0
		return rules.Begun{Game: r.of(3), Position: r.pos, Clock: r.clocks()}
	case 1, 2, 3, 4, 5:
		return r.move()
	case 6, 7, 8, 9:
		return rules.Found{Case: r.found()}
	case 10:
		return rules.TakenBack{Ply: r.of(8)}
	case 11:
		return rules.Rebased{Ply: r.ply, Position: r.pos}
	case 12:
		return rules.Pressed{Side: r.side(), Judged: "ok", Gained: r.of(40) - 1, Clock: r.clocks()}
	case 13:
		return rules.Answered{Side: r.side()}
	case 14:
		return rules.TouchedPiece{Side: r.side()}
	case 15:
		return rules.PressedBack{Side: r.side(), Gained: r.of(40) - 1, Clock: r.clocks()}
	case 16:
		return rules.Restored{Ply: r.ply - r.of(3)}
	case 17:
		return rules.Stopped{Seq: r.seq, Turn: r.side(), Clock: r.clocks(), Promoting: r.of(4) == 0}
	case 18:
		if r.seq%3 == 0 {
			return rules.LeverMoved{Seq: r.seq, Turn: r.side(), Clock: r.clocks()}
		}
		return rules.Started{Seq: r.seq, Turn: r.side(), Clock: r.clocks()}
	case 19:
		return rules.ClockSet{From: r.clocks(), To: r.clocks()}
	case 20:
		return r.person()
	}
	return rules.Decision{Finding: r.id(), Do: pick(&r.source, randomDecisions)}
}

func (r *random) person() rules.Event {
	switch r.of(8) {
	case 0:
		return rules.Ended{Result: "1-0", By: "arbiter"}
	case 1:
		return rules.Reopened{Unsigned: r.of(2) == 0}
	case 2:
		if r.of(4) == 0 {
			return rules.Signed{}
		}
	case 3, 4:
		return rules.Report{Seq: r.seq, What: pick(&r.source, randomReports), Side: r.side(), Move: r.of(20), Note: "d2-d3", InProgress: r.seq%3 == 0}
	case 5:
		return rules.SetStrikes{White: r.of(5) - 1, Black: r.of(5) - 1}
	case 6:
		return rules.Flag{Name: pick(&r.source, randomFlags), On: r.of(2) == 0}
	}
	return rules.Claim{Seq: r.seq, What: pick(&r.source, randomClaims), Side: r.side()}
}

func (r *random) id() string {
	if len(r.ids) == 0 {
		return "?"
	}
	return pick(&r.source, r.ids)
}

func (r *random) move() rules.Event {
	var list legal.MoveList
	r.pos.Moves(&list)
	if list.Len() == 0 {
		return rules.Restored{}
	}
	m := rules.Moved{Seq: r.seq, Before: r.pos, Move: list.At(r.of(list.Len())), Clock: r.clocks()}
	r.ply++
	m.Ply = r.ply
	r.pos = r.pos.After(m.Move)
	return m
}

func (r *random) found() rules.Case {
	c := rules.Case{
		ID: r.id(), Kind: pick(&r.source, randomKinds), Game: r.of(3), Ply: r.ply + r.of(3) - 1, Side: r.side(), State: rules.State(1 + r.of(3)),
		Proof: rules.Proof(1 + r.of(4)), UCI: pick(&r.source, []string{"", "e2e4", "a7a8q", "e1g1", "x", "g8"}), Known: r.of(4) > 0,
		Stands: r.of(4) > 0, Completed: r.of(4) > 0, Answered: r.of(8) == 0, Clock: r.clocks(), Gained: r.of(40) - 1,
	}
	if r.of(3) > 0 || c.ID == "?" {
		c.ID = string('a'+rune(len(r.ids)%26)) + ":" + string(c.Kind)
		r.ids = append(r.ids, c.ID)
	}
	_, c.Kind = kinds.OfID(c.ID)
	if r.of(16) > 0 {
		c.Before, c.After = r.pos, pick(&r.source, r.positions)
		c.At = c.After.Placement()
	}
	for n := r.of(3); n > 0; n-- {
		sq := legal.Square(r.of(64))
		c.Touched = append(c.Touched, rules.Touch{Square: sq, Piece: r.pos.PieceAt(sq)})
	}
	return c
}

// tell sends a docket the events that the bytes encode, and checks after each event what must hold.
func tell(t testing.TB, p rules.Profile, bytes []byte) (said [][]rules.Entry) {
	r := &random{source: source{bytes}, pos: legal.StartPosition()}
	for _, fen := range randomFENs {
		r.positions = append(r.positions, legaltest.Position(t, fen))
	}
	d := rules.NewDocket(p)
	d.Hurry()
	now := map[string]rules.Entry{}
	for len(r.bytes) > 0 {
		e := r.event()
		before := d.Strikes()
		list := d.Step(e)
		said = append(said, list)
		for i := range list {
			check(t, &list[i])
			if old, ok := now[list[i].ID]; ok && reflect.DeepEqual(old, list[i]) {
				t.Fatalf("%T: %s was told again, unchanged", e, list[i].ID)
			}
			now[list[i].ID] = list[i]
		}
		if id := d.Stale(); id != "" {
			t.Fatalf("%T should have changed %s", e, id)
		}
		after := d.Strikes()
		switch e := e.(type) {
		case rules.Begun:
			now = map[string]rules.Entry{}
			for _, entry := range d.Entries() {
				now[entry.ID] = entry
			}
		case rules.SetStrikes:
		case rules.Decision:
			if e.Do != "confirm" && (after[1] > before[1] || after[2] > before[2]) {
				t.Fatalf("%s gave a strike", e.Do)
			}
			if after[1]+after[2] > before[1]+before[2]+1 {
				t.Fatal("one decision gave two strikes")
			}
		default:
			if after != before {
				t.Fatalf("%T changed the ledger from %v to %v", e, before, after)
			}
		}
		for _, entry := range d.Entries() {
			if old, ok := now[entry.ID]; !ok || !reflect.DeepEqual(old, entry) {
				t.Fatalf("%T: %s stands otherwise than it was told", e, entry.ID)
			}
		}
	}
	return said
}

func FuzzDocket(f *testing.F) {
	all := make([]rules.Profile, len(profiles))
	for i, name := range profiles {
		all[i] = profile(f, name)
	}
	for i := range 40 {
		f.Add(uint8(i), noise(uint32(i+1), 300))
	}
	f.Fuzz(func(t *testing.T, which uint8, bytes []byte) {
		if len(bytes) > 2000 {
			return
		}
		p := all[int(which)%len(all)]
		if a, b := tell(t, p, bytes), tell(t, p, bytes); !reflect.DeepEqual(a, b) {
			t.Fatal("the same events, and another answer")
		}
	})
}

// noise returns bytes that depend on the seed only.
func noise(seed uint32, n int) []byte {
	row := make([]byte, n)
	for i := range row {
		seed ^= seed << 13
		seed ^= seed >> 17
		seed ^= seed << 5
		row[i] = byte(seed >> 8)
	}
	return row
}

// undone: a decision and its undo restore the previous state, for every matter.
func TestUndoRestoresExactly(t *testing.T) {
	for _, name := range profiles {
		for i, kind := range randomKinds {
			if kind == "" {
				continue
			}
			g := begin(t, name, startFEN).play("e2e4", "e7e5")
			c := g.find(kind, legal.White, rules.Certain)
			c.Completed = i%3 > 0
			if len(g.step(rules.Found{Case: c})) == 0 && kind.Family() == kinds.Hand {
				continue // hands do not matter under this rule set
			}
			before := g.entry(c.ID)
			for _, do := range []string{"confirm", "reject", "accident", "sensor", "later", "unseen"} {
				g.decide(c.ID, do)
				g.decide(c.ID, "undo")
				if after := g.entry(c.ID); !reflect.DeepEqual(before, after) || g.d.Strikes() != [3]int{} {
					t.Fatalf("%s under %s, %s and undo:\n%+v\n%+v", kind, name, do, before, after)
				}
			}
		}
	}
}

func TestDocketIsBounded(t *testing.T) {
	g := begin(t, "fide-standard", startFEN)
	for range 2000 {
		g.d.Step(rules.Found{Case: g.find("irreg.adjust_off_turn", legal.NoSide, rules.Hint)})
	}
	if n := len(g.d.Entries()); n > 256 {
		t.Errorf("%d entries", n)
	}
}

func BenchmarkStep(b *testing.B) {
	b.Run("moves, nothing on the docket", func(b *testing.B) { steps(b, 0) })
	b.Run("moves, ten matters on the docket", func(b *testing.B) { steps(b, 10) })
}

func steps(b *testing.B, matters int) {
	g := begin(b, "fide-standard", startFEN)
	if matters > 0 {
		g.knight()
	}
	for range matters {
		g.step(rules.Found{Case: g.find("irreg.touch_move", legal.White, rules.Hint)})
	}
	m, _ := g.pos.FindUCI(g.pos.UCIMoves()[0])
	e := rules.Moved{Ply: g.ply + 1, Before: g.pos, Move: m, Clock: g.clock}
	b.ReportAllocs()
	for b.Loop() {
		g.d.Step(e)
	}
}
