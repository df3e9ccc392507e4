package players

import (
	"cmp"
	"slices"
	"testing"

	"boardwatchd/clockproto"
	"boardwatchd/dgt"
	"boardwatchd/internal/emulator"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/legal/legaltest"
)

// sensed plays acts on bare coils.
func sensed(from legal.Placement, acts []emulator.Act) legal.Placement {
	slices.SortStableFunc(acts, func(a, b emulator.Act) int { return cmp.Compare(a.At, b.At) })
	for _, a := range acts {
		if a.Verb == emulator.Sense {
			from[a.Square] = a.Piece
		}
	}
	return from
}

func TestEachVerbLeavesItsTable(t *testing.T) {
	const start = "4k3/3pp3/8/4P3/8/2n5/1PP5/R3K2R"
	all := func(f func(h *Hands)) func(h *Hands) { return f }
	for _, row := range []struct {
		name   string
		do     func(h *Hands)
		people string // the actual pieces
		coils  string // the pieces detected by the coils, "" for the same
	}{
		{"lift and put elsewhere", all(func(h *Hands) { h.Lift(legal.B2); h.Put(legal.B4) }), "4k3/3pp3/8/4P3/1P6/2n5/2P5/R3K2R", ""},
		{"lift and drop", all(func(h *Hands) { h.Lift(legal.C3); h.Drop() }), "4k3/3pp3/8/4P3/8/8/1PP5/R3K2R", ""},
		{"hold a spare piece and put it", all(func(h *Hands) { h.Hold(legal.WhiteQueen); h.Put(legal.A8) }), "Q3k3/3pp3/8/4P3/8/2n5/1PP5/R3K2R", ""},
		{"put a piece by name, another is held", all(func(h *Hands) {
			h.Lift(legal.B2)
			h.Lift(legal.C3)
			h.PutPiece(legal.B3, legal.WhitePawn)
			h.Put(legal.C4)
		}),
			"4k3/3pp3/8/4P3/2n5/1P6/2P5/R3K2R", ""},
		{"the board cannot read a piece that is upside down", all(func(h *Hands) { h.Lift(legal.B2); h.PutUnreadable(legal.B3, legal.WhitePawn) }),
			"4k3/3pp3/8/4P3/8/1Pn5/2P5/R3K2R", "4k3/3pp3/8/4P3/8/2n5/2P5/R3K2R"},
		{"a fallen piece is there but not seen", all(func(h *Hands) { h.Knock(legal.C2) }), start, "4k3/3pp3/8/4P3/8/2n5/1P6/R3K2R"},
		{"a fallen piece is stood up", all(func(h *Hands) { h.Knock(legal.C2); h.Wait(second); h.Stand(legal.C2) }), start, ""},
		{"slide", all(func(h *Hands) { h.Slide(legal.A1, legal.A7) }), "4k3/R2pp3/8/4P3/8/2n5/1PP5/4K2R", ""},
		{"nudge", all(func(h *Hands) { h.Nudge(legal.C2, legal.D2) }), "4k3/3pp3/8/4P3/8/2n5/1P1P4/R3K2R", ""},
		{"restore", all(func(h *Hands) {
			was := h.Table()
			h.Lift(legal.E1)
			h.Knock(legal.B2)
			h.Slide(legal.A1, legal.C1)
			h.Arrange(was)
		}), start, ""},
		{"put nothing", all(func(h *Hands) { h.Put(legal.D4) }), start, ""},
		{"lift an empty square", all(func(h *Hands) { h.Lift(legal.D4); h.Put(legal.D5) }), start, ""},
	} {
		before := legaltest.Placement(t, start)
		h := NewHands(0, before, Blitz, 1)
		row.do(h)
		if want := legaltest.Placement(t, row.people); h.Table() != want {
			t.Errorf("%s: people see %s, want %s", row.name, h.Table(), want)
		}
		if row.coils == "" {
			row.coils = row.people
		}
		if got, want := sensed(before, h.Take()), legaltest.Placement(t, row.coils); got != want {
			t.Errorf("%s: the coils see %s, want %s", row.name, got, want)
		}
	}
}

// TestEveryWayOfMovingEndsInTheSamePosition performs moves in every style.
func TestEveryWayOfMovingEndsInTheSamePosition(t *testing.T) {
	everything := []Habits{AsRecorded, Tidy, Restless,
		{RookFirst: 1000}, {BothInAir: 1000}, {KingStops: 1000}, {Slide: 1000, VictimDrag: 1000},
		{VictimFirst: 1000, VictimDrag: 1000}, {PushOff: 1000}, {EnPassantPre: 1000},
		{PawnOffFirst: 1000}, {QueenFirst: 1000}, {DirectSwap: 1000}}
	for _, fen := range []string{
		"r3k2r/P2p1ppp/8/4pP2/3n4/2N5/PPP3pP/R3K2R w KQkq e6 0 1",
		"r3k2r/P2p1ppp/8/4pP2/3n4/2N5/PPP3pP/R3K2R b KQkq - 0 1",
		"1r2kr2/8/8/8/8/8/8/1R2KR2 w FBfb - 0 1",
		"rk5r/8/8/8/8/8/8/RK5R w HAha - 0 1",
		"5rk1/8/8/8/8/8/8/5RKR w F - 0 1",
		"2kr4/8/8/8/8/8/8/2KR4 w D - 0 1",
	} {
		setup, err := legal.ParseFEN(fen)
		if err != nil {
			t.Fatal(err)
		}
		pos, err := setup.Position()
		if err != nil {
			t.Fatalf("%s: %v", fen, err)
		}
		var list legal.MoveList
		pos.Moves(&list)
		for _, m := range list.Slice() {
			after := pos.After(m)
			for i, hab := range everything {
				for seed := range uint64(4) {
					h := NewHands(0, pos.Placement(), Blitz, seed)
					h.Move(transferOf(&pos, m), hab)
					if h.Table() != after.Placement() || len(h.held) != 0 {
						t.Fatalf("%s %s, habits %d: people see %s and hold %v", fen, pos.UCI(m), i, h.Table(), h.held)
					}
					if got := sensed(pos.Placement(), h.Take()); got != after.Placement() {
						t.Fatalf("%s %s, habits %d: the coils see %s", fen, pos.UCI(m), i, got)
					}
				}
			}
		}
	}
}

func TestAMoveReadFromTheTableIsTheLegalOne(t *testing.T) {
	setup, err := legal.ParseFEN("r3k2r/P2p1ppp/8/4pP2/3n4/2N5/PPP3pP/R3K2R w KQkq e6 0 1")
	if err != nil {
		t.Fatal(err)
	}
	pos, err := setup.Position()
	if err != nil {
		t.Fatal(err)
	}
	var list legal.MoveList
	pos.Moves(&list)
	standing := pos.Placement()
	for _, m := range list.Slice() {
		want := transferOf(&pos, m)
		if got := transferOn(&standing, m.From(), m.To(), want.Put); got != want {
			t.Errorf("%s: read as %+v, is %+v", pos.UCI(m), got, want)
		}
	}
}

func TestAnIllegalMoveCanBeMade(t *testing.T) {
	before := legaltest.Placement(t, "4k3/8/8/8/8/8/4P3/R3K3")
	h := NewHands(0, before, Blitz, 1)
	h.Move(transferOn(&before, legal.E1, legal.E2, legal.NoPiece), Tidy) // takes its own pawn
	if want := legaltest.Placement(t, "4k3/8/8/8/8/8/4K3/R7"); h.Table() != want {
		t.Errorf("people see %s", h.Table())
	}
}

func TestTheKingsShowTheResult(t *testing.T) {
	light := func(sq legal.Square) bool { return (sq.File()+sq.Rank())%2 == 1 }
	for result, want := range map[string]int{"1-0": 2, "0-1": 0, "1/2-1/2": 1} {
		for seed := range uint64(20) {
			for _, from := range []string{"4k3/8/8/3pP3/3Pp3/8/8/4K3", "8/8/8/3k4/8/3K4/8/8", "8/8/8/4K3/8/8/3k4/8"} {
				h := NewHands(0, legaltest.Placement(t, from), Blitz, seed)
				h.KingsToCentre(result)
				white, black := h.find(legal.WhiteKing), h.find(legal.BlackKing)
				n := 0
				for _, sq := range []legal.Square{white, black} {
					if sq.File() != 3 && sq.File() != 4 || sq.Rank() != 3 && sq.Rank() != 4 {
						t.Fatalf("%s from %s: a king on %s", result, from, sq)
					}
					if light(sq) {
						n++
					}
				}
				if n != want {
					t.Errorf("%s from %s: kings on %s and %s", result, from, white, black)
				}
				if got := sensed(legaltest.Placement(t, from), h.Take()); got != h.Table() {
					t.Errorf("%s from %s: the coils see %s", result, from, got)
				}
			}
		}
	}
}

func TestMovesAreReadFromText(t *testing.T) {
	for text, want := range map[string]int{
		"e4 e5 Nf3":                     3,
		"1.e4 e5 2.Nf3 *":               3,
		"1. e4! {a comment 1. d4} e5?!": 2,
		"1... e5 $1 (1... c5 2. Nf3)":   1,
		"e2e4\ne7e5\n1/2-1/2":           2,
		"5. exd6 e.p. Kxd6 6. exd6e.p.": 3,
		"":                              0,
		"{":                             0,
	} {
		if got := Moves(text); len(got) != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}

// TestAScriptIsPlayed writes the events at a table line by line, like the cases for arbiters.
func TestAScriptIsPlayed(t *testing.T) {
	start := legal.StartSetup(518).Placement
	h := NewHands(0, start, Blitz, 1)
	line := func(gapUS int64, do func()) {
		h.Now += gapUS
		do()
	}
	move := func(from, to legal.Square) func() {
		return func() {
			now := h.Table()
			h.Move(transferOn(&now, from, to, legal.NoPiece), Tidy)
		}
	}
	line(second, func() { h.Run(legal.White) })
	line(second, move(legal.E2, legal.E4))
	line(second, func() { h.Press(legal.White) })
	line(second, func() { h.Knock(legal.D7) })
	line(400_000, func() { h.Stand(legal.D7) })
	line(second, move(legal.E8, legal.E6)) // not a king's move
	line(second, func() { h.Press(legal.Black) })
	line(second, h.Pause)
	line(5*second, func() { h.Arrange(start) })
	line(second, func() { h.AddTime(legal.White, 120*second) })
	line(second, func() { h.Run(legal.Black) })

	e := emulator.New(emulator.Options{Script: h.Take(), Table: start, Clock: emulator.ClockOptions{Lag: emulator.LagNone}})
	e.Input(0, dgt.SetUpdateNice.AppendTo(nil))
	var d dgt.Decoder
	fields, presses, up := 0, 0, clockproto.Left
	e.Advance(30*second, func(_ int64, p []byte) {
		d.Feed(p)
		for f, ok := d.Next(); ok; f, ok = d.Next() {
			if f.ID == dgt.MsgField {
				fields++
			}
			face, ok := f.Clock()
			if !ok {
				continue
			}
			r, err := clockproto.ParseReading(face)
			if err != nil {
				t.Fatal(err)
			}
			if r.Up != up && r.Running {
				presses++
			}
			up = r.Up
		}
	})
	if got := e.Placement(); got != start {
		t.Errorf("in the end %s", got)
	}
	if fields != 2+2+2+4 {
		t.Errorf("%d updates, want 10", fields)
	}
	if presses != 3 { // White, Black, and the resumption on Black's side
		t.Errorf("the lever changed %d times", presses)
	}
}

// transferOn reads a move from the table alone, without a check that it is legal. Put is the piece that replaces a
// pawn.
func transferOn(table *legal.Placement, from, to legal.Square, put legal.Piece) Transfer {
	t := Transfer{From: from, To: to, Put: put, Victim: legal.NoSquare, RookFrom: legal.NoSquare, RookTo: legal.NoSquare}
	piece, there := table[from], table[to]
	rook := legal.PieceOf(piece.Side(), legal.Rook)
	inward, corner := 1, 0 // of the queen's wing
	if to.File() > from.File() {
		inward, corner = -1, 7
	}
	switch {
	case there != legal.NoPiece:
		t.Victim = to
	case piece.Kind() == legal.King && from.Rank() == to.Rank() && spanOf(from.File(), to.File()) == 2 &&
		table[legal.SquareOf(corner, from.Rank())] == rook:
		t.RookFrom, t.RookTo = legal.SquareOf(corner, from.Rank()), legal.SquareOf(to.File()+inward, from.Rank())
	case piece.Kind() == legal.Pawn && from.File() != to.File():
		beside := legal.SquareOf(to.File(), from.Rank())
		if table[beside] == legal.PieceOf(piece.Side().Other(), legal.Pawn) {
			t.Victim = beside
		}
	}
	return t
}
