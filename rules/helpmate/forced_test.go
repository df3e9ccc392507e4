package helpmate

import (
	"math/rand/v2"
	"testing"

	"boardwatchd/rules/legal"
	"boardwatchd/rules/legal/legaltest"
)

func TestForcedPlay(t *testing.T) {
	for _, q := range []struct {
		name, fen string
		ends      ForcedEnds
		plies     int
		ok        bool
	}{
		{"mate on the board", "2Q3k1/5ppp/3K4/8/8/7r/2R5/8 b - - 0 1", ForcedEnds{White: 1}, 0, true},
		{"one reply is not mate", "2Q3k1/5ppp/3K4/8/8/4r3/2R5/8 b - - 0 1", ForcedEnds{}, 0, false},
		{"forced captures end in stalemate", "8/p5pp/5ppk/6B1/6PK/5pP1/5P1P/8 b - - 0 1", ForcedEnds{Stalemate: 2}, 3, true},
		{"the last pawn must be taken", "5K1k/7P/8/8/8/8/8/8 b - - 0 1", ForcedEnds{Dead: 1}, 1, true},
		{"stalemate on the board", "7k/5K2/6Q1/8/8/8/8/8 b - - 0 1", ForcedEnds{Stalemate: 1}, 0, true},
		{"bare kings", "7k/5K2/8/8/8/8/8/8 b - - 0 1", ForcedEnds{Dead: 1}, 0, true},
		{"play is free", "8/8/4k3/8/8/3RK3/8/8 w - - 0 1", ForcedEnds{}, 0, false},
	} {
		t.Run(q.name, func(t *testing.T) {
			pos := legaltest.Position(t, q.fen)
			ends, line, ok := new(Solver).Forced(&pos, 1000)
			if ends != q.ends || len(line) != q.plies || ok != q.ok {
				t.Errorf("%s: %+v, %d half-moves, %v; want %+v, %d, %v", q.fen, ends, len(line), ok, q.ends, q.plies, q.ok)
			}
		})
	}
}

// fewMoves makes boards on which play is often forced: a king in the corner with few squares, pieces in contact.
func fewMoves(r *rand.Rand) (legal.Position, bool) {
	setup := legal.Setup{Turn: legal.White + legal.Side(r.IntN(2)), EnPassant: legal.NoSquare, FullMoves: 1}
	near := func() legal.Square { return legal.SquareOf(r.IntN(4), 5+r.IntN(3)) }
	setup.Placement[near()] = legal.WhiteKing
	at := near()
	if setup.Placement[at] != legal.NoPiece {
		return legal.Position{}, false
	}
	setup.Placement[at] = legal.BlackKing
	for range 2 + r.IntN(5) {
		at, kind := near(), [...]legal.Kind{legal.Pawn, legal.Pawn, legal.Pawn, legal.Knight, legal.Bishop, legal.Rook}[r.IntN(6)]
		if setup.Placement[at] == legal.NoPiece && (kind != legal.Pawn || at.Rank() < 7) {
			setup.Placement[at] = legal.PieceOf(legal.White+legal.Side(r.IntN(2)), kind)
		}
	}
	pos, err := setup.Position()
	return pos, err == nil
}

// Positions with the reason Forced are checked by complete enumeration: no mate by the asked side anywhere, and the
// line is legal and ends.
func TestForcedAgainstEnumeration(t *testing.T) {
	boards := 200_000
	if testing.Short() {
		boards = 100_000
	}
	r := rand.New(rand.NewPCG(2, 4))
	s := new(Solver)
	forced, deep := 0, 0
	for range boards {
		pos, ok := fewMoves(r)
		if r.IntN(2) == 0 {
			pos, ok = randomBoard(r, uint8(r.IntN(16))) // walls after captures
		}
		if !ok || pos.Outcome() != legal.Ongoing {
			continue
		}
		side := legal.White + legal.Side(r.IntN(2))
		if materialOf(&pos).barren(side) {
			continue
		}
		p := progress{pos: &pos, side: side, limit: 1000}
		a, ok := s.forceFurther(&p)
		if !ok || a.Verdict == Possible {
			continue
		}
		forced++
		if len(a.Line) > 1 {
			deep++
		}
		if a.Verdict != Never || a.Positions < 1 || a.Ends == (Ends{}) {
			t.Fatalf("%s: forced without evidence: %+v", pos.FEN(), a)
		}
		if mate, _ := reachable(pos, side, 2000); mate {
			t.Fatalf("WRONG: %s in %s: never, but all positions hold a mate", side, pos.FEN())
		}
		end := pos
		for _, m := range a.Line {
			if !end.IsLegal(m) {
				t.Fatalf("%s: the line %v is not legal", pos.FEN(), a.Line)
			}
			end = end.After(m)
		}
		if again := s.decide(&end, side, 0); again.Verdict != Never || len(again.Line) > 0 {
			t.Fatalf("%s: the line does not end where play ends: %s, %+v", pos.FEN(), end.FEN(), again)
		}
	}
	t.Logf("forced %d, of these with two half-moves and more %d", forced, deep)
	if forced < 40 || deep < 1 {
		t.Error("too few: the test proves nothing")
	}
}

// FuzzForced holds what is said about both sides against what Ask says about each.
func FuzzForced(f *testing.F) {
	for _, q := range questions {
		f.Add(q.fen, uint16(1000))
	}
	f.Fuzz(func(t *testing.T, fen string, limit uint16) {
		setup, err := legal.ParseFEN(fen)
		if err != nil {
			return
		}
		pos, err := setup.Standing()
		if err != nil {
			return
		}
		before := pos
		s := new(Solver)
		ends, line, ok := s.Forced(&pos, int(limit))
		if pos != before {
			t.Fatalf("the position asked about was changed: %s", before.FEN())
		}
		if !ok {
			return
		}
		end := pos
		for _, m := range line {
			if !end.IsLegal(m) {
				t.Fatalf("%s: %v is not legal", fen, line)
			}
			end = end.After(m)
		}
		for side, mates := range [...]int{legal.White: ends.White, legal.Black: ends.Black} {
			if a := s.Ask(&pos, legal.Side(side), 20000); side != int(legal.NoSide) && mates == 0 && a.Verdict == Possible {
				t.Fatalf("%s: %s never mates in forced play %+v, but %+v", fen, legal.Side(side), ends, a)
			}
		}
		if dead, _, _ := s.Dead(&pos, DeadLimit); dead && ends.White+ends.Black > 0 {
			t.Fatalf("%s: dead, and forced play mates: %+v", fen, ends)
		}
	})
}

// Forced reports whether play from the position is forced to come to an end: every line ends, within 16 half-moves, in
// mate by either side, stalemate, a position in which neither side can mate, or a draw by seventy-five moves. The line
// is the longest one. Not ok proves nothing; at most limit positions are looked at, and never more than 1,000. It is
// the question of the exceptions "directly or by forced moves" of the CAA's notes. The rulings ask for the answer Never
// instead; the tests hold the two against each other.
func (s *Solver) Forced(pos *legal.Position, limit int) (ends ForcedEnds, line []legal.Move, ok bool) {
	if pos == nil {
		return ForcedEnds{}, nil, false
	}
	b := widerBounds
	b.nodes = min(b.nodes, limit)
	f := s.follower()
	if !f.follow(pos, legal.NoSide, b, &s.walls) {
		return ForcedEnds{}, nil, false
	}
	return f.ends, f.longest(pos), true
}
