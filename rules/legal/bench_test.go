package legal

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/notnil/chess"
)

// BenchmarkPerft5 is the promise of 100 Mnodes/s on one core over the six standard positions at depth 5;
// the last half-move is counted, not made. "x_notnil" is the speed over that of github.com/notnil/chess
// v1.10.0 in the same run, both at depth 3 of the same position.
func BenchmarkPerft5(b *testing.B) {
	b.Run("all", func(b *testing.B) {
		nodes := uint64(0)
		for b.Loop() {
			for _, c := range standardSix {
				p := mustPosition(b, c.fen)
				nodes += p.Perft(5)
			}
		}
		b.ReportMetric(float64(nodes)/1e6/b.Elapsed().Seconds(), "Mnodes/s")
	})
	for _, c := range standardSix {
		b.Run(c.name, func(b *testing.B) {
			p := mustPosition(b, c.fen)
			nodes := uint64(0)
			for b.Loop() {
				nodes += p.Perft(5)
			}
			b.ReportMetric(float64(nodes)/1e6/b.Elapsed().Seconds(), "Mnodes/s")
			b.ReportMetric(perftRatio(b, &p), "x_notnil")
		})
	}
}

func perftRatio(b *testing.B, p *Position) float64 {
	other, ok := foreign(p)
	if !ok {
		b.Fatal("the other program cannot read the position")
	}
	began := time.Now()
	want := foreignPerft(other, 3)
	theirs := time.Since(began)
	const rounds = 20
	began = time.Now()
	for range rounds {
		if got := p.Perft(3); got != want {
			b.Fatalf("perft 3 is %d, the other program has %d", got, want)
		}
	}
	return float64(theirs) * rounds / float64(time.Since(began))
}

func foreignPerft(p *chess.Position, depth int) uint64 {
	moves := p.ValidMoves()
	if depth == 1 {
		return uint64(len(moves))
	}
	nodes := uint64(0)
	for _, m := range moves {
		nodes += foreignPerft(p.Update(m), depth-1)
	}
	return nodes
}

type applied struct {
	position int
	move     Move
}

// BenchmarkApplyAndList makes one move and lists all replies: the unit of work of every search. The
// promise is at most 250 ns and no allocation. "x_notnil" as above, on the same moves.
func BenchmarkApplyAndList(b *testing.B) {
	positions := samplePositions(900, false)
	var work []applied
	var l MoveList
	for i := range positions {
		positions[i].Moves(&l)
		for _, m := range l.Slice() {
			work = append(work, applied{i, m})
		}
	}
	var u Undo
	next := 0
	b.ReportAllocs()
	for b.Loop() {
		w := work[next]
		if next++; next == len(work) {
			next = 0
		}
		p := &positions[w.position]
		p.Make(w.move, &u)
		p.Moves(&l)
		p.Unmake(w.move, &u)
	}
	own := float64(b.Elapsed()) / float64(b.N)
	b.ReportMetric(foreignApply(positions[:60])/own, "x_notnil")
}

// foreignApply returns the other program's nanoseconds for one move and all replies.
func foreignApply(positions []Position) float64 {
	count := 0
	began := time.Now()
	for i := range positions {
		other, ok := foreign(&positions[i])
		if !ok {
			continue
		}
		for _, m := range other.ValidMoves() {
			other.Update(m).ValidMoves()
			count++
		}
	}
	return float64(time.Since(began)) / float64(count)
}

func BenchmarkExplain(b *testing.B) {
	p := StartPosition()
	b.Run("legal", func(b *testing.B) {
		for b.Loop() {
			p.Explain("e2e4")
		}
	})
	b.Run("illegal", func(b *testing.B) {
		for b.Loop() {
			p.Explain("f1c5")
		}
	})
}

func BenchmarkSAN(b *testing.B) {
	p := mustPosition(b, standardSix[1].fen)
	m, _ := p.FindUCI("e5g6")
	for b.Loop() {
		p.SAN(m)
	}
}

// BenchmarkPlaySAN writes a game of random moves; the figure is for one move.
func BenchmarkPlaySAN(b *testing.B) {
	choices := make([]byte, 120)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range choices {
		choices[i] = byte(r.Uint32())
	}
	start := StartPosition()
	var game []Move
	last := start
	walk(start, choices, func(p *Position) {
		if m, ok := moveBetween(&last, p); ok {
			game = append(game, m)
		}
		last = *p
	})
	buf := make([]byte, 0, 1024)
	b.ReportAllocs()
	for b.Loop() {
		p, text := start, buf
		for _, m := range game {
			text = p.PlaySAN(text, m)
		}
	}
	b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(len(game)), "ns/move")
}

func moveBetween(p, q *Position) (Move, bool) {
	var l MoveList
	p.Moves(&l)
	for _, m := range l.Slice() {
		if p.After(m) == *q {
			return m, true
		}
	}
	return NoMove, false
}

func BenchmarkReadFEN(b *testing.B) {
	fens := []string{startFEN, standardSix[1].fen, "8/8/2k5/5p2/3P4/2K3P1/8/8 b - - 13 61"}
	b.ReportAllocs()
	for b.Loop() {
		for _, fen := range fens {
			s, err := ParseFEN(fen)
			if err != nil {
				b.Fatal(err)
			}
			if _, err := s.Position(); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(len(fens)), "ns/FEN")
}

// TestApplyAndListDoesNotAllocate keeps the promise without a benchmark run.
func TestApplyAndListDoesNotAllocate(t *testing.T) {
	p := mustPosition(t, standardSix[1].fen)
	var l, replies MoveList
	var u Undo
	p.Moves(&l)
	allocations := testing.AllocsPerRun(10, func() {
		for _, m := range l.Slice() {
			p.Make(m, &u)
			p.Moves(&replies)
			p.Unmake(m, &u)
		}
		p.Perft(3)
	})
	if allocations != 0 {
		t.Errorf("%.1f allocations, want 0", allocations)
	}
}
