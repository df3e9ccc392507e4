package offence

import (
	"reflect"
	"testing"

	"boardwatchd/detector/evidence"
	"boardwatchd/detector/play"
	"boardwatchd/rules/legal"
)

// A tape deals numbers from the bytes of a fuzz target, and goes on for ever.
type tape struct {
	data []byte
	at   int
	mix  uint32
}

func (tp *tape) upTo(n int) int {
	if n <= 1 {
		return 0
	}
	b := uint32(0)
	if len(tp.data) > 0 {
		b = uint32(tp.data[tp.at%len(tp.data)])
	}
	tp.at++
	tp.mix = tp.mix*1664525 + 1013904223 + b<<8 + b
	return int(tp.mix>>8) % n
}

// tapeStarts are positions in which special moves are near.
var tapeStarts = []string{
	"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
	"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
	"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
	"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
	"1r4k1/2P2pp1/7p/8/8/8/1p6/R1K5 w - - 0 1",
	"bnrbnkrq/pppppppp/8/8/8/8/PPPPPPPP/BNRBNKRQ w GCgc - 0 1",
	"5k2/8/8/3pP3/8/8/6r1/1R3K1R w HB d6 0 1",
}

// dealt returns a view of a game that went on for some plies; nothing has been moved in the turn yet.
func (tp *tape) dealt(t testing.TB) *View {
	line, ply := linePlayed(t, tapeStarts[tp.upTo(len(tapeStarts))])
	for range tp.upTo(12) {
		pos := line[len(line)-1]
		m, ok := tp.move(&pos)
		if !ok {
			break
		}
		after := pos.After(m)
		line, ply = append(line, after), ply+1
	}
	last := &line[len(line)-1]
	place := last.Placement()
	return &View{
		Pos: last, Line: line, Ply: ply, Origin: place, At: place, LateUS: lateReportUS, Bound: Bound{US: SlowestUS},
		Press: evidence.Window{Lo: pressedAtUS - 1_000_000, Hi: pressedAtUS}, Now: pressedAtUS, Final: tp.upTo(2) == 0,
	}
}

func (tp *tape) move(pos *legal.Position) (legal.Move, bool) {
	var l legal.MoveList
	pos.Moves(&l)
	if l.Len() == 0 {
		return 0, false
	}
	return l.At(tp.upTo(l.Len())), true
}

// report lets a square read something, some time after the report before it.
func (tp *tape) report(v *View, sq legal.Square, is legal.Piece) {
	if v.At[sq] == is {
		return
	}
	at := int64(pressedAtUS - 5_000_000)
	if n := len(v.Changes); n > 0 {
		at = v.Changes[n-1].Window.Hi
	}
	at += int64(tp.upTo(8)) * 100_000
	v.Changes = append(v.Changes, evidence.Change{Square: sq, Was: v.At[sq], Is: is, Window: evidence.Window{Lo: at - 250_000, Hi: at}, Seq: evidence.Seq(len(v.Changes) + 1)})
	v.At[sq] = is
}

// become reports the squares that lead to the pieces, in some order, with a wrong square now and then on the way.
func (tp *tape) become(v *View, pieces *legal.Placement) {
	var todo []legal.Square
	for set := play.Difference(&v.At, pieces); set != 0; set &= set - 1 {
		todo = append(todo, play.Lowest(set))
	}
	for len(todo) > 0 {
		i := tp.upTo(len(todo))
		sq := todo[i]
		todo = append(todo[:i], todo[i+1:]...)
		if is := pieces[sq]; is != legal.NoPiece && tp.upTo(4) == 0 {
			if over := legal.Square(tp.upTo(64)); v.At[over] == legal.NoPiece && pieces[over] == legal.NoPiece {
				tp.report(v, over, is)
				tp.report(v, over, legal.NoPiece)
			}
		}
		tp.report(v, sq, pieces[sq])
	}
}

// innocent adds an event that happens on boards and is no offence to a legal move.
func (tp *tape) innocent(v *View, m legal.Move) string {
	moved := play.Difference(&v.Base, &v.At)
	free := func(own, other bool) (pieces []legal.Square) { // pieces that the move did not touch
		for i, p := range v.At {
			s := p.Side()
			if moved>>i&1 == 0 && (own && s == v.Pos.Turn() || other && s == v.Pos.Turn().Other()) {
				pieces = append(pieces, legal.Square(i))
			}
		}
		return pieces
	}
	pick := func(own, other bool) legal.Square {
		pieces := free(own, other)
		return pieces[tp.upTo(len(pieces))]
	}
	switch tp.upTo(6) {
	case 0:
		return "a legal move"
	case 1:
		tp.report(v, pick(true, true), legal.NoPiece)
		return "a piece fell over"
	case 2:
		tp.report(v, pick(true, true), legal.NoPiece)
		tp.report(v, pick(true, true), legal.NoPiece)
		return "two pieces fell over"
	case 3:
		from := pick(true, true)
		if to := legal.SquareOf(from.File()+tp.upTo(3)-1, from.Rank()+tp.upTo(3)-1); to != legal.NoSquare && v.At[to] == legal.NoPiece {
			p := v.At[from]
			tp.report(v, from, legal.NoPiece)
			tp.report(v, to, p)
		}
		return "a piece was pushed"
	case 4:
		tp.report(v, pick(false, true), legal.NoPiece)
		return "the opponent has lifted a piece"
	}
	if k := m.Captured(); k != legal.NoKind && !m.IsEnPassant() {
		at := m.To()
		if ghost := legal.SquareOf(at.File()+tp.upTo(3)-1, at.Rank()+tp.upTo(3)-1); ghost != legal.NoSquare && v.At[ghost] == legal.NoPiece {
			tp.report(v, ghost, legal.PieceOf(v.Pos.Turn().Other(), k))
		}
	}
	return "the captured piece stands beside the square"
}

// The oracle is that of architecture.md, fact 4: a board that a legal move explains is never called illegal, whatever
// else has happened on it, and however the pieces came there.
func FuzzLegalMovesAreNeverIllegal(f *testing.F) {
	for i := range byte(60) {
		f.Add([]byte{i, i * 7, i * 13, 3, i ^ 5, 200 - i})
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		tp := &tape{data: data}
		v := tp.dealt(t)
		if shape, ok := Classify(v); ok {
			t.Fatalf("nothing has moved, and it says %s", shapeLine(shape, ok))
		}
		m, ok := tp.move(v.Pos)
		if !ok {
			return
		}
		pieces := play.PlacementAfter(v.At, m)
		tp.become(v, &pieces)
		if shape, ok := Classify(v); ok {
			t.Fatalf("%s in %s, and it says %s", v.Pos.UCI(m), v.Pos.FEN(), shapeLine(shape, ok))
		}
		v.Base = v.Pos.Placement()
		what := tp.innocent(v, m)
		if shape, ok := Classify(v); ok && shape.Kind.Illegal() {
			t.Fatalf("%s in %s, and %s: it says %s\n%s", v.Pos.UCI(m), v.Pos.FEN(), what, shapeLine(shape, ok), v.At)
		}
	})
}

// Any board at all: no panic, the same answer twice, the resulting position is one, and the view is left alone.
func FuzzClassify(f *testing.F) {
	for i := range byte(40) {
		f.Add([]byte{i, i * 11, i * 3, 9, i ^ 3, 100 - i})
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		tp := &tape{data: data}
		v := tp.dealt(t)
		for range tp.upTo(9) {
			sq := legal.Square(tp.upTo(64))
			switch tp.upTo(3) {
			case 0:
				tp.report(v, sq, legal.NoPiece)
			case 1:
				tp.report(v, sq, legal.PieceOf(legal.White+legal.Side(tp.upTo(2)), legal.Kind(tp.upTo(7))))
			default: // a piece goes elsewhere
				p := v.At[sq]
				tp.report(v, sq, legal.NoPiece)
				tp.report(v, legal.Square(tp.upTo(64)), p)
			}
		}
		cut := tp.upTo(len(v.Changes) + 1)
		for i := len(v.Changes) - 1; i >= cut; i-- {
			v.At[v.Changes[i].Square] = v.Changes[i].Was
		}
		v.Changes, v.Later = v.Changes[:cut:cut], v.Changes[cut:]
		before := *v
		s, ok := Classify(v)
		again, okAgain := Classify(v)
		switch {
		case ok != okAgain || !reflect.DeepEqual(s, again):
			t.Fatalf("%s, and then %s", shapeLine(s, ok), shapeLine(again, okAgain))
		case before.At != v.At || before.Origin != v.Origin || len(before.Changes) != len(v.Changes):
			t.Fatal("the view was changed")
		case !ok:
			return
		}
		if s.Kind == "" || s.Side == legal.NoSide || s.Permille <= 0 || s.Permille > 1000 || s.Squares == 0 || s.Proof.String() == "none" {
			t.Fatalf("half a shape: %+v", s)
		}
		if s.MayBeCompleted && v.Final {
			t.Fatalf("the last look waits: %s", shapeLine(s, ok))
		}
		if s.Stands {
			if _, err := s.After.Standing(); err != nil {
				t.Fatal(err)
			}
		}
		illegal := s.Kind.Illegal()
		if moved := play.Difference(&v.At, &s.Board); illegal && moved == 0 && play.Difference(ptr(v.Pos.Placement()), &v.At)&^s.Squares != 0 {
			t.Fatalf("squares are left over: %s", shapeLine(s, ok))
		}
		if s.Answered {
			after := s.Board
			if play.PlacementAfter(after, s.Reply) != v.At {
				t.Fatalf("the reply does not lead to the board: %s", shapeLine(s, ok))
			}
		}
	})
}

func ptr(p legal.Placement) *legal.Placement { return &p }

func BenchmarkClassify(b *testing.B) {
	for _, c := range []struct{ name, start, acts string }{
		{"one piece", "start g1f3 d7d6", "-2 f3 -, -1 d5 N"},
		{"answered", "start g1f3 d7d6", "-4 f3 -, -3 d5 N, -2 c7 -, -1 c6 p"},
		{"right lost", "start e2e4 e7e5 g1f3 b8c6 f1e2 g8f6 e1f1 f8e7 f1e1 a7a6", "-4 e1 -, -3 g1 K, -2 h1 -, -1 f1 R"},
		{"unreadable", "start", "-3 e2 -, -2 e4 P, -1 d2 -"},
		{"two moves", "start", "-4 e2 -, -3 e4 P, -2 d2 -, -1 d4 P"},
		{"nothing known", "start", "-4 e2 -, -3 e4 P, -2 d2 -, -1 d4 P, -1 c7 -"},
	} {
		b.Run(c.name, func(b *testing.B) {
			v := pressView(b, c.start, c.acts)
			v.Final = true
			for b.Loop() {
				Classify(v)
			}
		})
	}
}
