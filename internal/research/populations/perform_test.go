package populations

import (
	"testing"

	"boardwatchd/detector/hands"
	"boardwatchd/rules/legal"
)

// What a card asks for is done: in that style, on those squares, and the board reads afterwards what should stand there.
func TestWhatIsAskedForIsDone(t *testing.T) {
	none := legal.NoSquare
	square := func(name string) legal.Square {
		sq, ok := legal.ParseSquare(name)
		if !ok {
			t.Fatal(name)
		}
		return sq
	}
	acts := map[hands.Kind]Act{
		hands.NoKind:  {From: square("a1"), To: square("a6"), Victim: none, RookFrom: none, RookTo: none, Mover: legal.WhiteRook, Put: legal.WhiteRook},
		hands.Capture: {From: square("a1"), To: square("a2"), Victim: square("a2"), RookFrom: none, RookTo: none, Mover: legal.WhiteRook, Taken: legal.BlackPawn, Put: legal.WhiteRook},
		hands.Castling: {
			From: square("e1"), To: square("g1"), Victim: none, RookFrom: square("h1"), RookTo: square("f1"), Mover: legal.WhiteKing,
			Put: legal.WhiteKing, Rook: legal.WhiteRook,
		},
		hands.Promotion: {From: square("a7"), To: square("a8"), Victim: none, RookFrom: none, RookTo: none, Mover: legal.WhitePawn, Put: legal.WhiteQueen},
	}
	for kind, act := range acts {
		for _, style := range StylesOf(kind) {
			t.Run(kind.String()+" "+style.String(), func(t *testing.T) {
				act := act
				act.Kind, act.Style = kind, style
				for _, family := range Families() {
					done(t, Sit(Options{Seed: 5, Family: family}), act)
				}
			})
		}
	}
	wide := acts[hands.Capture]
	wide.Kind, wide.Style, wide.To, wide.Victim = hands.Capture, Scoop, square("a8"), square("a8")
	table := legal.Placement{}
	if _, err := Sit(Options{}).Perform(wide, &table, 1_000_000); err == nil {
		t.Error("a hand spans seven squares")
	}
}

// done asks for an act forty times.
func done(t *testing.T, s *Session, act Act) {
	t.Helper()
	var last int64
	for n := range 40 {
		table := shape{from: act.From, victim: act.Victim, rookFrom: act.RookFrom, mover: act.Mover, taken: act.Taken, rook: act.Rook}.table()
		x, err := s.Perform(act, &table, int64(n+1)*20_000_000)
		if err != nil {
			t.Fatalf("%v: %v", s.options.Family, err)
		}
		if x.Style != act.Style || x.Two != act.Style.Two() {
			t.Fatalf("%v: asked for %v, done %v", x.Family, act.Style, x.Style)
		}
		for _, r := range x.Deed.Reports {
			if r.At < last {
				t.Fatalf("%v: time runs backwards at %+v", x.Family, r)
			}
			last = r.At
			table[r.Square] = r.Is
		}
		if table[act.To] != act.Put || table[act.From] != legal.NoPiece || act.Kind == hands.Castling && table[act.RookTo] != act.Rook {
			t.Fatalf("%v: the board reads %v", x.Family, table)
		}
	}
}

// Faster is faster: the same card, relaxed and in a hurry.
func TestHasteShows(t *testing.T) {
	act := Act{From: 0, To: 40, Victim: legal.NoSquare, RookFrom: legal.NoSquare, RookTo: legal.NoSquare, Mover: legal.WhiteRook, Put: legal.WhiteRook}
	mean := func(f Family, p Pace, haste float64) (us int64) {
		s := Sit(Options{Seed: 3, Family: f})
		act.Pace, act.Haste = p, haste
		for n := range 200 {
			table := legal.Placement{0: legal.WhiteRook}
			x, err := s.Perform(act, &table, int64(n+1)*20_000_000)
			if err != nil {
				t.Fatal(err)
			}
			us += x.DoneUS - x.LiftUS
		}
		return us / 200
	}
	for _, f := range Families() {
		if slow, fast, most := mean(f, Classical, 0), mean(f, Blitz, 1), mean(f, Blitz, 0.8); slow < 3*fast/2 || most > fast*95/100 {
			t.Errorf("%v: %d, %d, %d µs", f, slow, fast, most)
		}
	}
}

// What is put back is told as any other change, and in order.
func TestArrange(t *testing.T) {
	s := Sit(Options{Seed: 1})
	table := legal.Placement{8: legal.WhiteRook}
	reports := s.Arrange([]Change{{5_000_000, 8, legal.NoPiece}, {6_000_000, 0, legal.WhiteRook}}, &table)
	if len(reports) != 2 || !reports[0].Lift() || reports[1].Square != 0 || reports[1].Is != legal.WhiteRook || reports[0].At > reports[1].At {
		t.Errorf("%+v", reports)
	}
	if s.Arrange(nil, &table) != nil {
		t.Error("nothing was done, and something was told")
	}
}

func TestStylesHaveNames(t *testing.T) {
	for _, kind := range []hands.Kind{hands.NoKind, hands.Capture, hands.Castling, hands.Promotion} {
		for _, s := range StylesOf(kind) {
			if back, ok := StyleOf(s.String()); !ok || back != s {
				t.Errorf("%v is read as %v", s, back)
			}
		}
	}
	if _, ok := StyleOf("with the feet"); ok {
		t.Error("there is no such style")
	}
}
