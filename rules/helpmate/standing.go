package helpmate

import "boardwatchd/rules/legal"

// A position that remains after an illegal move (FIDE Laws A.5.2) may have the side not to move in check. The facts
// about material and walls were proved for positions in which a check comes from the last move, so they say nothing
// there. After any legal move they hold: that move leaves its own king out of check, so that the position is an
// ordinary one again. The question about such a position is therefore asked after each of its moves. One Possible
// answers it; Never needs all of them.

// firstShare is the first limit for the question after each move. It is multiplied by nextShare as long as one of them
// is open, and from lookFrom on the big search first examines all moves together: that finds most distant mates sooner.
const (
	firstShare = 500
	nextShare  = 8
	lookFrom   = 10_000
)

// eachMove asks the question after each move. The cheap questions come first: a deep proof after one move is useless if
// another move leads to a mate.
func (s *Solver) eachMove(p *progress) Answer {
	var list legal.MoveList
	p.pos.Moves(&list)
	open := list.Slice()
	all := Answer{Verdict: Never, Reason: Visited, Positions: 1}
	unknown := Answer{Verdict: Unknown, Reason: OutOfBudget}
	for share, last := firstShare, false; len(open) > 0; share *= nextShare {
		if last {
			return unknown
		}
		if share >= lookFrom {
			if a := s.searcher().explore(p.pos, p.side, min(len(open)*share, p.left())/4); a.Verdict != Unknown {
				return a
			}
			p.spend(s.big.nodes)
		}
		last = len(open)*(share+proofPrice) >= p.left()
		still := open[:0]
		for i, m := range open {
			a := s.afterMove(p, m, share, p.left()/(len(open)-i)-proofPrice)
			switch a.Verdict {
			case Possible:
				return a
			case Unknown:
				still, unknown.Reason = append(still, m), a.Reason
			default:
				all.join(&a)
			}
		}
		open = still
	}
	return all
}

// afterMove asks the question after a move, and charges its cost.
func (s *Solver) afterMove(p *progress, m legal.Move, share, most int) Answer {
	if most < 0 {
		return Answer{Verdict: Unknown, Reason: OutOfBudget}
	}
	after := p.pos.After(m)
	a := s.decide(&after, p.side, min(share, most))
	p.spend(a.Nodes + proofPrice)
	a.Nodes = 0
	switch {
	case a.Verdict == Possible:
		a.Line = append([]legal.Move{m}, a.Line...)
	case a.Reason == Over && after.HalfMoves() >= lastHalfMove:
		a.Reason = Counted
	}
	return a
}

// join adds the Never of the question after one of the moves. If 9.6.2 has cut something off in one of them, Counted is
// the reason for all.
func (a *Answer) join(part *Answer) {
	a.Positions += max(part.Positions, 1)
	if part.Reason == Counted {
		a.Reason = Counted
	}
}
