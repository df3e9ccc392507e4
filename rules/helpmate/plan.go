package helpmate

import "boardwatchd/rules/legal"

// A stage is one search of a question. Searches that steer differently find different mates; each may exhaust what can be
// reached, and then the answer is no.
type stage struct {
	goal  int  // which of the question's goals
	eager int  // how much the estimate counts against the length of the line; 0 would be the shortest lines first
	share int  // this part of the budget at most: 1/share
	siege bool // the winner's king goes for the pawns in the way of its own
	prove bool
}

// plan was chosen among twenty by the answers left open on the test material; the last stage gets what is left.
var plan = [...]stage{
	{goal: 0, eager: 3, share: 8, siege: true},
	{goal: 1, eager: 6, share: 8, prove: true},
	{goal: 2, eager: 2, share: 8, prove: true},
	{goal: 3, eager: 10, share: 8, prove: true},
	{goal: 0, eager: 1, share: 5, prove: true},
	{goal: 2, eager: 20, share: 1, prove: true},
}

// explore asks about walls, and then one search after the other.
func explore(pos *legal.Position, side legal.Side, limit int, irregular bool) Answer {
	s := &search{root: *pos, winner: side, irregular: irregular, seen: newSeen()}
	courses, ok := s.courses()
	if !ok {
		return Answer{Verdict: Never, Reason: Walls}
	}
	limit = max(limit, 0)
	left := limit
	for i, stage := range plan {
		share := limit / stage.share
		if i == len(plan)-1 {
			share = left
		}
		c := courses[stage.goal]
		c.eager, c.prove = stage.eager, stage.prove
		if !stage.siege {
			c.siege = 0
		}
		s.start(c, min(share, left))
		s.walk()
		left -= s.nodes
		switch {
		case s.end == mating:
			return Answer{Verdict: Possible, Reason: Played, Line: s.line(), Nodes: limit - left}
		case s.end == empty && !s.late:
			return Answer{Verdict: Never, Reason: Visited, Nodes: limit - left, Positions: len(s.tree)}
		}
	}
	return Answer{Verdict: Unknown, Reason: OutOfBudget, Nodes: limit - left}
}

// A course is what a search steers by.
type course struct {
	goal
	prey, hunter squares // where the loser's king can go, and the winner's
	siege        squares // enemy pawns right before pawns of the winner
	eager        int
	prove        bool
}

// courses lists the goals with what the walls leave to the kings; false if the walls alone show that the side can never mate.
func (s *search) courses() (list [maxGoals]course, ok bool) {
	b := &s.prover.board
	mat := materialOf(&s.root)
	goals := pictures(mat, s.winner)
	prey, hunter := ^squares(0), ^squares(0)
	if b.survey(&s.root, s.winner) {
		if !s.irregular && b.walled() {
			return list, false
		}
		h := b.hunt()
		b.fit(&goals, &h)
		prey, hunter = h.prey, h.king
	}
	siege := besieged(&s.root, s.winner)
	for i, g := range goals {
		list[i] = course{goal: g, prey: prey, hunter: hunter, siege: siege}
	}
	return list, true
}

// besieged is the enemy pawns right before pawns of the side.
func besieged(pos *legal.Position, side legal.Side) squares {
	var own, other squares
	for s := legal.A1; s < legal.NoSquare; s++ {
		switch pos.PieceAt(s) {
		case legal.PieceOf(side, legal.Pawn):
			own |= set(s)
		case legal.PieceOf(side.Other(), legal.Pawn):
			other |= set(s)
		}
	}
	return pawnSteps(own, side) & other
}
