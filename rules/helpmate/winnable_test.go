package helpmate

import (
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"boardwatchd/internal/research/mateoracle"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/legal/legaltest"
)

// Boards from which a mate is known, because they stand on the way to one: every proof must refuse every one of them,
// whatever it counts as loose. The cheapest attack on a wrong never there is. BOARDWATCHD_HELPMATE_WINNABLE asks for
// more lines.
func TestEveryProofRefusesWhatCanBeWon(t *testing.T) {
	lines := 150
	if n, err := strconv.Atoi(os.Getenv("BOARDWATCHD_HELPMATE_WINNABLE")); err == nil {
		lines = n
	} else if testing.Short() {
		lines = 40
	}
	w := winnable{t: t, r: rand.New(rand.NewPCG(99, uint64(lines)))}
	for _, s := range seeds {
		w.pool = append(w.pool, legaltest.Position(t, s.fen))
	}
	for _, fen := range mateoracle.Printed {
		w.pool = append(w.pool, legaltest.Position(t, fen))
	}
	for w.lines < lines && !t.Failed() {
		if pos, ok := w.board(); ok && pos.Outcome() == legal.Ongoing {
			w.along(pos, legal.White)
			w.along(pos, legal.Black)
		}
	}
	t.Logf("%d boards on %d lines and on other ways to their mates", w.boards, w.lines)
	if w.boards < 20*lines {
		t.Errorf("only %d boards: the test proves nothing", w.boards)
	}
}

type winnable struct {
	t             *testing.T
	r             *rand.Rand
	pool          []legal.Position
	solver        Solver
	loose         looseProof
	proofs        mobility
	quiet         quiet
	lines, boards int
}

// board is a relative of a locked board, or one of the oracle's families.
func (w *winnable) board() (legal.Position, bool) {
	if w.r.IntN(3) > 0 {
		return relative(w.r, &w.pool[w.r.IntN(len(w.pool))])
	}
	family := &mateoracle.Families[w.r.IntN(len(mateoracle.Families))]
	board, ok := family.Make(w.r)
	if !ok {
		return legal.Position{}, false
	}
	return position(board.FEN())
}

func position(fen string) (pos legal.Position, ok bool) {
	setup, err := legal.ParseFEN(fen)
	if err != nil {
		return pos, false
	}
	pos, err = setup.Position()
	return pos, err == nil
}

// along looks at the boards of a line, and plays back from its mate by other ways.
func (w *winnable) along(pos legal.Position, side legal.Side) {
	a := w.solver.Ask(&pos, side, 2500)
	if a.Verdict != Possible {
		return
	}
	w.lines++
	quiet := 0 // the first move after the last capture or pawn move
	for p, i := pos, 0; i < len(a.Line); i++ {
		if resets(&p, a.Line[i]) {
			quiet = i + 1
		}
		p = p.After(a.Line[i])
	}
	for i, m := range a.Line {
		w.refused(&pos, side)
		w.bounded(pos, side, len(a.Line)-i, i >= quiet)
		pos = pos.After(m)
	}
	mate, err := mateoracle.Read(pos.FEN())
	if err != nil {
		w.t.Fatal(err)
	}
	for range 12 {
		back := mateoracle.Back(mate, 1+w.r.IntN(12), w.r)
		if p, ok := position(back.FEN()); ok {
			w.refused(&p, side)
		}
	}
}

// bounded: a mate after that many half-moves is not too far, and one after a capture is not overlooked.
func (w *winnable) bounded(pos legal.Position, side legal.Side, left int, quiet bool) {
	switch {
	case !w.quiet.draw(&w.proofs, &pos, side):
	case quiet:
		if late := withHalfMoves(w.t, pos, lastHalfMove-left); !w.quiet.mayMate(&late) {
			w.t.Errorf("WRONG: %d half-moves are enough for %s in %s", left, side, pos.FEN())
		}
	case w.quiet.captures(&w.proofs, materialOf(&pos)):
		w.t.Errorf("WRONG: the line of %s in %s goes on after a capture", side, pos.FEN())
	}
}

func (w *winnable) refused(pos *legal.Position, side legal.Side) {
	if pos.Outcome() != legal.Ongoing || inCheckOutOfTurn(pos) {
		return
	}
	w.boards++
	if w.proofs.proof(pos, side) != NoWall {
		w.t.Errorf("WRONG: never says that %s can never mate in %s", side, pos.FEN())
	}
	rooms := [...]int{0, 1, 2, 4, 8, 12, 16, 30, 64}
	for range 2 {
		room := rooms[w.r.IntN(len(rooms))]
		if ok, _ := w.loose.prove(pos, side, room, 3000); ok {
			w.t.Errorf("WRONG: the proof with loose pieces and room %d say that %s can never mate in %s", room, side, pos.FEN())
		}
	}
}
