package helpmate

import (
	"math/bits"

	"boardwatchd/rules/legal"
)

// progress is one question that neither the board nor the material answers, with the nodes spent on it.
type progress struct {
	pos     *legal.Position
	side    legal.Side
	mat     material
	reserve int // nodes kept for the proof with loose pieces
	room    int // a piece with more squares than this is loose in it
	limit   int
	used    int
}

func (p *progress) left() int { return p.limit - p.used }

func (p *progress) spend(nodes int) { p.used = min(p.limit, p.used+nodes) }

// answer adds the cost of the question to a verdict.
func (p *progress) answer(a Answer) Answer {
	p.spend(a.Nodes)
	a.Nodes = p.used
	return a
}

// A way is one attempt at an answer; it returns false if it has none.
type way func(*Solver, *progress) (Answer, bool)

// checkOutOfTurn answers about a board on which the side not to move is in check. Forced play and the quick walk need
// no facts about the board.
func (s *Solver) checkOutOfTurn(p *progress) Answer {
	for _, way := range [...]way{(*Solver).forceBriefly, (*Solver).walk} {
		if a, ok := way(s, p); ok {
			return p.answer(a)
		}
	}
	return p.answer(s.eachMove(p))
}

// search tries the ways in the order of their cost. If the pawns are locked a proof is likely, otherwise a mate.
func (s *Solver) search(p *progress) Answer {
	if inCheckOutOfTurn(p.pos) {
		return s.checkOutOfTurn(p)
	}
	second, third := (*Solver).walk, (*Solver).wall
	if locked(p.pos, p.side) {
		second, third = third, second
	}
	for _, way := range [...]way{(*Solver).forceBriefly, second, third, (*Solver).onlyMove, (*Solver).forceFurther, (*Solver).brief, (*Solver).proveLoose, (*Solver).countClose} {
		if a, ok := way(s, p); ok {
			return p.answer(a)
		}
	}
	if p.reserve > 0 && p.room == looseRoom && locked(p.pos, p.side) {
		if proof, ok := s.proveLooseWithin(p, p.reserve); ok {
			return p.answer(proof)
		}
		p.reserve = 0
	}
	share := p.left() - p.reserve
	a := s.searcher().explore(p.pos, p.side, share)
	if a.Verdict == Unknown && a.Nodes < share {
		p.spend(a.Nodes)
		s.big = nil // its memory is needed for other questions
		a = s.count(p, p.left()-p.reserve)
	}
	if a = p.answer(a); a.Verdict == Unknown && p.reserve > 0 {
		if proof, ok := s.proveLooseWithin(p, p.reserve); ok {
			return p.answer(proof)
		}
		a.Nodes = p.used
	}
	return a
}

// searcher is the memory of the big search.
func (s *Solver) searcher() *search {
	if s.big == nil {
		s.big = new(search)
	}
	return s.big
}

// briefly is the number of nodes of the big search before the expensive proofs, in positions in which its guide for
// minor pieces, or for a wall, will probably find the mate.
const briefly = 30_000

// brief runs the big search for a short time if a mate by minor pieces is sought; a later big search starts again. If
// only minor pieces can mate, the guide's views share the nodes.
func (s *Solver) brief(p *progress) (Answer, bool) {
	if !minorMates(p.mat, p.side) && !(p.mat.of(p.side)&(lightBishops|darkBishops) != 0 && locked(p.pos, p.side)) {
		return Answer{}, false
	}
	tries := views[:]
	if !bareMinors(p.mat, p.side) {
		tries = tries[:1]
	}
	share := min(briefly, p.left()/8) / len(tries)
	for _, view := range tries {
		s.searcher().set(p.pos, p.side)
		s.big.survey()
		s.big.patient, s.big.minorMate.view = true, view
		if a := s.big.visit(share, nil); a.Verdict != Unknown {
			return a, true
		}
		p.spend(s.big.nodes)
	}
	return Answer{}, false
}

// locked reports whether a proof is likelier than a mate: the side has no queen, rook or knight, and each of its pawns
// is blocked by an enemy pawn.
func locked(pos *legal.Position, side legal.Side) bool {
	if pos.Pieces(side, legal.Queen)|pos.Pieces(side, legal.Rook)|pos.Pieces(side, legal.Knight) != 0 {
		return false
	}
	facing := pos.Pieces(side.Other(), legal.Pawn)
	if side == legal.White {
		facing |= facing >> 8
		facing |= facing >> 16
		facing |= facing >> 32
	} else {
		facing |= facing << 8
		facing |= facing << 16
		facing |= facing << 32
	}
	return bits.OnesCount64(pos.Pieces(side, legal.Pawn)&^facing) == 0
}

func (s *Solver) forceBriefly(p *progress) (Answer, bool) {
	return s.followAllPlay(p, briefBounds, nil)
}

func (s *Solver) forceFurther(p *progress) (Answer, bool) {
	return s.followAllPlay(p, widerBounds, &s.walls)
}

// followAllPlay follows every line to its end, within the bounds. A mate that it meets is an answer as well.
func (s *Solver) followAllPlay(p *progress, b bounds, walls *mobility) (Answer, bool) {
	f := s.follower()
	b.nodes = min(b.nodes, p.left())
	done := f.follow(p.pos, p.side, b, walls)
	switch {
	case f.mated >= 0:
		line := append([]legal.Move{}, f.path[:f.mated]...)
		return Answer{Verdict: Possible, Reason: Played, Line: line, Nodes: f.nodes}, true
	case !done:
		p.spend(f.nodes)
		return Answer{}, false
	}
	a := Answer{Verdict: Never, Reason: Forced, Line: f.longest(p.pos), Nodes: f.nodes, Positions: f.positions}
	a.Ends = Ends{Mated: f.ends.White + f.ends.Black, Stalemate: f.ends.Stalemate, Dead: f.ends.Dead, Late: f.ends.Late}
	if a.Ends.Late > 0 {
		a.Reason = Counted
	}
	return a, true
}

func (s *Solver) follower() *forced {
	if s.forced == nil {
		s.forced = new(forced)
	}
	return s.forced
}

func (s *Solver) walk(p *progress) (Answer, bool) {
	if p.left() == 0 {
		return Answer{}, false
	}
	q := s.walker()
	if q.run(p.pos, p.mat, p.side, p.left()) {
		return Answer{Verdict: Possible, Reason: Played, Line: append([]legal.Move{}, q.mate...), Nodes: q.used}, true
	}
	p.spend(q.used)
	return Answer{}, false
}

// walker is the memory of the quick walk, made on first use, like that of forced play.
func (s *Solver) walker() *quick {
	if s.quick == nil {
		s.quick = new(quick)
	}
	return s.quick
}

func (s *Solver) wall(p *progress) (Answer, bool) {
	wall := s.walls.proof(p.pos, p.side)
	return Answer{Verdict: Never, Reason: Walls, Wall: wall}, wall != NoWall
}

const (
	looseRoom  = 8  // pieces with more room than this number of squares are loose
	wideRoom   = 16 // the same for the second try: bishops that are shut in have up to 16 squares
	looseBrief = 10_000
	looseLong  = 500_000
)

// proveLoose tries the proof with loose pieces briefly, and again with fewer of them if one of them might mate. If it
// ends for lack of nodes, it gets a share of the budget: before the big search if the pawns are locked and few pieces
// are exact, otherwise after the big search has found no answer.
func (s *Solver) proveLoose(p *progress) (Answer, bool) {
	for _, p.room = range [...]int{looseRoom, wideRoom} {
		if a, ok := s.proveLooseWithin(p, looseBrief); ok {
			return a, true
		}
		if s.loose.outOfRoom {
			p.reserve = min(p.left()/4, looseLong)
			break
		}
	}
	return Answer{}, false
}

func (s *Solver) proveLooseWithin(p *progress, limit int) (Answer, bool) {
	if s.loose == nil {
		s.loose = new(looseProof)
	}
	proved, nodes := s.loose.prove(p.pos, p.side, p.room, min(limit, p.left()))
	p.spend(nodes)
	return Answer{Verdict: Never, Reason: Walls, Wall: AnyPlace}, proved
}

// onlyMove asks the question after the only legal move, if that is a capture or a pawn move: no proof about the board
// before it knows that the move must be made. Other moves could return to the same position for ever. If the game ends
// right after the move, or the material is insufficient then, forceBriefly has found that.
func (s *Solver) onlyMove(p *progress) (Answer, bool) {
	var list legal.MoveList
	p.pos.Moves(&list)
	if list.Len() != 1 || !resets(p.pos, list.At(0)) || p.left() < briefBounds.nodes {
		return Answer{}, false
	}
	after := p.pos.After(list.At(0))
	a := s.decide(&after, p.side, p.left())
	if a.Line != nil || a.Verdict == Never {
		a.Line = append([]legal.Move{list.At(0)}, a.Line...)
	}
	if a.Positions > 0 {
		a.Positions++
	}
	return a, true
}

// resets reports whether the move resets the half-move counter (FIDE Laws 9.6.2), so that no earlier position can
// recur.
func resets(pos *legal.Position, m legal.Move) bool {
	return m.Captured() != legal.NoKind || pos.PieceAt(m.From()).Kind() == legal.Pawn
}
