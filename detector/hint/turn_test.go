package hint

import (
	"math/bits"
	"strings"
	"testing"

	"boardwatchd/detector/evidence"
	"boardwatchd/detector/offence"
	"boardwatchd/detector/play"
	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

// scanUS is the width of a window in these tests.
const scanUS = 250_000

// acted makes changes of "e2 -, +0.4 e4 P": a square, what it reads from then on, and the seconds since the act before,
// 1.0 where nothing is said.
func acted(tb testing.TB, home legal.Placement, acts string) (changes []evidence.Change, at legal.Placement, now int64) {
	tb.Helper()
	at, now = home, 10*secondUS
	for i, act := range strings.Split(acts, ",") {
		w := strings.Fields(act)
		wait := int64(secondUS)
		if d, ok := strings.CutPrefix(w[0], "+"); ok {
			var err error
			if wait, err = microseconds(d); err != nil {
				tb.Fatal(err)
			}
			w = w[1:]
		}
		now += wait
		sq, ok := legal.ParseSquare(w[0])
		is := legal.NoPiece
		if len(w) == 2 && w[1] != "-" {
			is = pieceOf(w[1])
		}
		if !ok || len(w) != 2 || w[1] != "-" && is == legal.NoPiece {
			tb.Fatalf("act %q", act)
		}
		changes = append(changes, evidence.Change{
			Square: sq, Was: at[sq], Is: is, Window: evidence.Window{Lo: now - scanUS, Hi: now}, Seq: evidence.Seq(i + 1),
		})
		at[sq] = is
	}
	return changes, at, now
}

func turnView(tb testing.TB, pos *legal.Position, acts string) offence.View {
	tb.Helper()
	home := pos.Placement()
	changes, at, now := acted(tb, home, acts)
	return offence.View{Pos: pos, Origin: home, At: at, Changes: changes, Now: now}
}

// hinted writes hints in a line: kind, proof and the squares.
func hinted(found []offence.Shape) string {
	var lines []string
	for _, s := range found {
		text := string(s.Kind) + " " + s.Proof.String()
		for set := s.Squares; set != 0; set &= set - 1 {
			text += " " + legal.Square(bits.TrailingZeros64(set)).String()
		}
		lines = append(lines, text)
	}
	return strings.Join(lines, "; ")
}

type hintCase struct {
	claim, fen, acts string
	want             string
}

func checkHints(t *testing.T, cases []hintCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.claim, func(t *testing.T) {
			pos := positionOf(t, c.fen)
			v := turnView(t, &pos, c.acts)
			m, ok := play.OnePly(&pos, &v.At)
			if !ok {
				t.Fatal("the acts end in no legal move")
			}
			found := InTurn(&v, m)
			if got := hinted(found); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			for _, s := range found {
				checkHint(t, &pos, m, s)
			}
		})
	}
}

// checkHint is what every hint promises.
func checkHint(tb testing.TB, pos *legal.Position, m legal.Move, s offence.Shape) {
	tb.Helper()
	most := rules.Hint
	switch s.Kind {
	case kinds.RookFirst:
		most = rules.Strong
	case kinds.PromoChanged:
		most = rules.Certain
	case kinds.TouchMove, kinds.ReleasedMoved, kinds.IllegalTwoHands:
	default:
		tb.Errorf("%s is no hint", s.Kind)
	}
	switch {
	case s.Proof < rules.Hint || s.Proof > most:
		tb.Errorf("%s has the proof %s", s.Kind, s.Proof)
	case s.Side != pos.Turn():
		tb.Errorf("%s by %s in %s's turn", s.Kind, s.Side, pos.Turn())
	case s.UCI != pos.UCI(m) || s.Permille <= 0 || s.Permille >= 1000:
		tb.Errorf("%+v", s)
	case s.Squares>>m.From()&1 == 0 || s.Squares>>m.To()&1 == 0:
		tb.Errorf("%s without the squares of the move", s.Kind)
	case s.MayBeCompleted || s.Stands || s.Answered:
		tb.Errorf("%s changes the position", s.Kind)
	}
}

func TestWhatIsNotTheTurnOfTheMoveGivesNoHint(t *testing.T) {
	pos := positionOf(t, startFEN)
	v := turnView(t, &pos, "e2 -, e2 P, d2 -, d4 P")
	m, _ := play.OnePly(&pos, &v.At)
	if len(InTurn(&v, m)) != 1 {
		t.Fatal("the turn itself gives no hint")
	}
	other, _ := pos.FindUCI("g1f3")
	if found := InTurn(&v, other); found != nil {
		t.Errorf("another move: %s", hinted(found))
	}
	begun := v
	begun.At[legal.E7] = legal.NoPiece
	if found := InTurn(&begun, m); found != nil {
		t.Errorf("with the reply begun: %s", hinted(found))
	}
	v.Changes = nil
	if found := InTurn(&v, m); found != nil {
		t.Errorf("without a history: %s", hinted(found))
	}
}

// A dump that had to correct the history shows what has happened, and not when.
func TestHealedHistoryGivesNoHint(t *testing.T) {
	for _, c := range []struct{ fen, acts string }{
		{startFEN, "e2 -, e2 P, d2 -, d4 P"},
		{startFEN, "e2 -, e3 P, +3 e3 -, e4 P"},
		{castleFEN, "h1 -, f1 R, e1 -, g1 K"},
		{castleFEN, "e1 -, h1 -, g1 K, f1 R"},
		{promoFEN, "a7 -, a8 Q, a8 -, a8 N"},
	} {
		pos := positionOf(t, c.fen)
		v := turnView(t, &pos, c.acts)
		m, _ := play.OnePly(&pos, &v.At)
		if len(InTurn(&v, m)) != 1 {
			t.Fatalf("%s: no hint to begin with", c.acts)
		}
		for i := range v.Changes {
			v.Changes[i].FromDump = true
			v.Changes[i].Window.Lo = 0
		}
		if found := InTurn(&v, m); found != nil {
			t.Errorf("%s: %s", c.acts, hinted(found))
		}
	}
}

// mirrored turns ranks and colours, so that Black plays what White played.
func mirrored(p legal.Placement) (r legal.Placement) {
	for sq, piece := range p {
		r[sq^56] = legal.PieceOf(piece.Side().Other(), piece.Kind())
	}
	return r
}

func mirroredPosition(tb testing.TB, pos *legal.Position) legal.Position {
	s := pos.Setup()
	s.Placement = mirrored(s.Placement)
	s.Turn = s.Turn.Other()
	s.Castling = s.Castling<<8 | s.Castling>>8
	if s.EnPassant != legal.NoSquare {
		s.EnPassant ^= 56
	}
	q, err := s.Position()
	if err != nil {
		tb.Fatalf("mirror of %s: %v", pos, err)
	}
	return q
}

// FuzzHints ends any history in a legal move. Whatever is said must keep the promises of a hint, be the same for both
// colours and at any time, and need an order of events that is known.
func FuzzHints(f *testing.F) {
	f.Add(uint8(0), []byte{12, 0, 90, 12, 1, 90, 11, 0, 90, 27, 1, 90}, uint8(5))
	f.Add(uint8(1), []byte{4, 0, 20, 7, 0, 20, 6, 3, 20, 5, 4, 20}, uint8(0))
	f.Add(uint8(2), []byte{48, 0, 90, 56, 5, 90, 56, 0, 90, 56, 2, 90}, uint8(1))
	f.Add(uint8(3), []byte{28, 0, 90, 35, 0, 90, 35, 1, 90, 35, 0, 90, 28, 1, 90, 35, 9, 90}, uint8(7))
	fens := []string{startFEN, castleFEN, promoFEN, scandiFEN, "1n6/P3k3/8/8/8/8/8/R3K2R w KQ - 0 1", "4k3/8/8/8/8/8/8/5KR1 w G - 0 1"}
	f.Fuzz(func(t *testing.T, which uint8, acts []byte, n uint8) {
		pos := positionOf(t, fens[int(which)%len(fens)])
		v := offence.View{Pos: &pos, Origin: pos.Placement(), Now: 1000 * secondUS}
		v.At = v.Origin
		now := int64(secondUS)
		put := func(sq legal.Square, p legal.Piece, wait int64) {
			now += wait
			if v.At[sq] != p {
				v.Changes = append(v.Changes, evidence.Change{Square: sq, Was: v.At[sq], Is: p, Window: evidence.Window{Lo: now - scanUS, Hi: now}, Seq: evidence.Seq(len(v.Changes))})
				v.At[sq] = p
			}
		}
		for i := 0; i+2 < len(acts) && i < 90; i += 3 {
			p := legal.Piece(acts[i+1] & 15)
			if p.Kind() > legal.King || p.Kind() == legal.NoKind {
				p = legal.NoPiece
			}
			put(legal.Square(acts[i]&63), p, int64(acts[i+2])*20_000)
		}
		var list legal.MoveList
		pos.Moves(&list)
		m := list.At(int(n) % list.Len())
		for sq, p := range play.PlacementAfter(v.Origin, m) {
			put(legal.Square(sq), p, 100_000)
		}
		found := InTurn(&v, m)
		for _, s := range found {
			checkHint(t, &pos, m, s)
		}
		want := hinted(found)

		other := mirroredPosition(t, &pos)
		w := offence.View{Pos: &other, Origin: mirrored(v.Origin), At: mirrored(v.At), Now: v.Now + 77}
		for _, c := range v.Changes {
			c.Square ^= 56
			c.Was, c.Is = legal.PieceOf(c.Was.Side().Other(), c.Was.Kind()), legal.PieceOf(c.Is.Side().Other(), c.Is.Kind())
			c.Window.Lo, c.Window.Hi = c.Window.Lo+77, c.Window.Hi+77
			w.Changes = append(w.Changes, c)
		}
		if m2, ok := play.OnePly(&other, &w.At); ok {
			turned := InTurn(&w, m2)
			for i := range turned {
				turned[i].Squares = bits.ReverseBytes64(turned[i].Squares)
			}
			if got := hinted(turned); got != want {
				t.Errorf("White %q, Black %q", want, got)
			}
		}

		for i := range v.Changes {
			v.Changes[i].Window = evidence.Window{Hi: now}
		}
		if found := InTurn(&v, m); found != nil {
			t.Errorf("without any order: %s", hinted(found))
		}
	})
}

// BenchmarkHints is a turn with a touch, asked once at its commit.
func BenchmarkHints(b *testing.B) {
	pos := middleGame(b)
	v := turnView(b, &pos, "d2 -, d2 N, f3 -, e5 N, e5 -, g5 N")
	m, ok := play.OnePly(&pos, &v.At)
	if !ok {
		b.Fatal("no move")
	}
	for b.Loop() {
		InTurn(&v, m)
	}
}
