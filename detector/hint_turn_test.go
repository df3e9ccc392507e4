package detector

import (
	"fmt"
	"math/bits"
	"strings"
	"testing"

	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

// scanUS is the width of a window in these tests.
const scanUS = 250_000

// acted makes changes of "e2 -, +0.4 e4 P": a square, what it reads from then on, and the seconds since the act before,
// 1.0 where nothing is said.
func acted(tb testing.TB, home legal.Placement, acts string) (changes []change, at legal.Placement, now int64) {
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
		changes = append(changes, change{
			sq: sq, was: at[sq], is: is, win: Window{Lo: now - scanUS, Hi: now}, seq: Seq(i + 1),
		})
		at[sq] = is
	}
	return changes, at, now
}

func positionOf(tb testing.TB, fen string) legal.Position {
	tb.Helper()
	s, err := legal.ParseFEN(fen)
	if err != nil {
		tb.Fatal(err)
	}
	pos, err := s.Position()
	if err != nil {
		tb.Fatal(err)
	}
	return pos
}

func turnView(tb testing.TB, pos *legal.Position, acts string) view {
	tb.Helper()
	home := pos.Placement()
	changes, at, now := acted(tb, home, acts)
	return view{pos: pos, origin: home, at: at, changes: changes, now: now}
}

// hinted says hints in a line: kind, proof and the squares.
func hinted(found []shape) string {
	var lines []string
	for _, s := range found {
		text := string(s.kind) + " " + s.proof.String()
		for set := s.squares; set != 0; set &= set - 1 {
			text += " " + legal.Square(bits.TrailingZeros64(set)).String()
		}
		lines = append(lines, text)
	}
	return strings.Join(lines, "; ")
}

const (
	startFEN  = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
	scandiFEN = "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 2"
	castleFEN = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
	promoFEN  = "8/P5k1/8/8/8/8/8/6K1 w - - 0 1"
)

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
			m, ok := onePly(&pos, &v.at)
			if !ok {
				t.Fatal("the acts end in no legal move")
			}
			found := hints(&v, m)
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
func checkHint(tb testing.TB, pos *legal.Position, m legal.Move, s shape) {
	tb.Helper()
	most := rules.Hint
	switch s.kind {
	case kinds.RookFirst:
		most = rules.Strong
	case kinds.PromoChanged:
		most = rules.Certain
	case kinds.TouchMove, kinds.ReleasedMoved, kinds.IllegalTwoHands:
	default:
		tb.Errorf("%s is no hint", s.kind)
	}
	switch {
	case s.proof < rules.Hint || s.proof > most:
		tb.Errorf("%s is told as %s", s.kind, s.proof)
	case s.side != pos.Turn():
		tb.Errorf("%s by %s in %s's turn", s.kind, s.side, pos.Turn())
	case s.uci != pos.UCI(m) || s.permille <= 0 || s.permille >= 1000:
		tb.Errorf("%+v", s)
	case s.squares>>m.From()&1 == 0 || s.squares>>m.To()&1 == 0:
		tb.Errorf("%s without the squares of the move", s.kind)
	case s.open || s.stands || s.answered:
		tb.Errorf("%s changes the position", s.kind)
	}
}

func TestWhatIsNotTheTurnOfTheMoveGivesNoHint(t *testing.T) {
	pos := positionOf(t, startFEN)
	v := turnView(t, &pos, "e2 -, e2 P, d2 -, d4 P")
	m, _ := onePly(&pos, &v.at)
	if len(hints(&v, m)) != 1 {
		t.Fatal("the turn itself gives no hint")
	}
	other, _ := pos.FindUCI("g1f3")
	if found := hints(&v, other); found != nil {
		t.Errorf("another move: %s", hinted(found))
	}
	begun := v
	begun.at[legal.E7] = legal.NoPiece
	if found := hints(&begun, m); found != nil {
		t.Errorf("with the reply begun: %s", hinted(found))
	}
	v.changes = nil
	if found := hints(&v, m); found != nil {
		t.Errorf("without a history: %s", hinted(found))
	}
}

// A dump that had to heal the history says what has happened and not when.
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
		m, _ := onePly(&pos, &v.at)
		if len(hints(&v, m)) != 1 {
			t.Fatalf("%s: no hint to begin with", c.acts)
		}
		for i := range v.changes {
			v.changes[i].healed = true
			v.changes[i].win.Lo = 0
		}
		if found := hints(&v, m); found != nil {
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
		v := view{pos: &pos, origin: pos.Placement(), now: 1000 * secondUS}
		v.at = v.origin
		now := int64(secondUS)
		put := func(sq legal.Square, p legal.Piece, wait int64) {
			now += wait
			if v.at[sq] != p {
				v.changes = append(v.changes, change{sq: sq, was: v.at[sq], is: p, win: Window{now - scanUS, now}, seq: Seq(len(v.changes))})
				v.at[sq] = p
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
		for sq, p := range placementAfter(v.origin, m) {
			put(legal.Square(sq), p, 100_000)
		}
		found := hints(&v, m)
		for _, s := range found {
			checkHint(t, &pos, m, s)
		}
		want := hinted(found)

		other := mirroredPosition(t, &pos)
		w := view{pos: &other, origin: mirrored(v.origin), at: mirrored(v.at), now: v.now + 77}
		for _, c := range v.changes {
			c.sq ^= 56
			c.was, c.is = legal.PieceOf(c.was.Side().Other(), c.was.Kind()), legal.PieceOf(c.is.Side().Other(), c.is.Kind())
			c.win.Lo, c.win.Hi = c.win.Lo+77, c.win.Hi+77
			w.changes = append(w.changes, c)
		}
		if m2, ok := onePly(&other, &w.at); ok {
			turned := hints(&w, m2)
			for i := range turned {
				turned[i].squares = bits.ReverseBytes64(turned[i].squares)
			}
			if got := hinted(turned); got != want {
				t.Errorf("White %q, Black %q", want, got)
			}
		}

		for i := range v.changes {
			v.changes[i].win = Window{0, now}
		}
		if found := hints(&v, m); found != nil {
			t.Errorf("without any order: %s", hinted(found))
		}
	})
}

func ExampleTurnKind() {
	fmt.Println(MadeReply, TouchedOwn, PressedBack, PutBack, ClockStopped, ClockStarted, ClockEdited, RecordRebased)
	// Output: made_reply touched_own pressed_back put_back clock_stopped clock_started clock_edited record_rebased
}

// BenchmarkHints is a turn with a touch, asked once at its commit.
func BenchmarkHints(b *testing.B) {
	pos := middleGame(b)
	v := turnView(b, &pos, "d2 -, d2 N, f3 -, e5 N, e5 -, g5 N")
	m, ok := onePly(&pos, &v.at)
	if !ok {
		b.Fatal("no move")
	}
	for b.Loop() {
		hints(&v, m)
	}
}
