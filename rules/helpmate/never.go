package helpmate

import "boardwatchd/rules/legal"

// walls proves from the board alone that the side can never mate: the quickest of the proofs. Not for boards that show
// the side not to move in check.
func (b *mobility) walls(pos *legal.Position, winner legal.Side) bool {
	b.set(pos, winner)
	for b.round() {
		if b.promotes {
			return false
		}
	}
	return !b.promotes && b.walled()
}

// proof tries every proof from the board alone that the side can never mate: walls, moves that can be counted, cases.
func (b *mobility) proof(pos *legal.Position, winner legal.Side) Wall {
	switch {
	case b.walls(pos, winner):
		if h := b.mateReach(); h.kingOfLoser&h.attacked != 0 {
			return AlwaysFree
		}
		return Closed
	case b.countdown(pos, winner):
		return MovesEnd
	case b.splits(pos, winner):
		return AnyCapture
	}
	return NoWall
}

// A surveyor asks in the middle of a search, and asks for the expensive proofs only while they succeed often enough.
// Its answers depend on earlier questions, so each question about a position has its own surveyor. The zero value is
// ready.
type surveyor struct {
	board  mobility
	missed [2]int // by countdown and splits: refusals since the last success
}

// After patience refusals in a row a proof is asked for only once in seldom times.
const (
	patience = 16
	seldom   = 32
)

func (s *surveyor) provesNever(pos *legal.Position, winner legal.Side) bool {
	if s.board.walls(pos, winner) {
		return true
	}
	for i := range s.missed {
		s.missed[i]++
		if n := s.missed[i]; n > patience && n%seldom != 0 {
			continue
		}
		if i == 0 && s.board.countdown(pos, winner) || i == 1 && s.board.splits(pos, winner) {
			s.missed[i] = 0
			return true
		}
	}
	return false
}
