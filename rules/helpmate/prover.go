package helpmate

import "boardwatchd/rules/legal"

// prover asks about walls in the middle of a search, as long as the answers are worth it.
type prover struct {
	idle           bool // for tests: nothing is asked
	asked, granted int
	board          surveyor
}

// proofPrice is the price of a question about walls in nodes: some 3 to 10 µs against 0.2.
const proofPrice = 25

func (p *prover) reset() { p.asked, p.granted, p.board.missed = 0, 0, [2]int{} }

// changesWalls reports whether the move just made may change the walls: only captures and pawn moves do.
func changesWalls(pos *legal.Position, m legal.Move) bool {
	return m.Captured() != legal.NoKind || m.Promotion() != legal.NoKind || pos.PieceAt(m.To()).Kind() == legal.Pawn
}

// walled tries to prove that the winner cannot mate from the position. After 32 questions with fewer than one success
// in eight, only every thirty-second question is asked.
func (s *search) walled() bool {
	p := &s.prover
	if p.idle || s.limit-s.nodes < proofPrice {
		return false
	}
	p.asked++
	if p.asked > 32 && p.asked > 8*p.granted && p.asked%32 != 0 {
		return false
	}
	s.nodes += proofPrice
	if p.board.provesNever(&s.pos, s.winner) {
		p.granted++
		return true
	}
	return false
}
