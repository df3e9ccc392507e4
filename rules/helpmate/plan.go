package helpmate

import "boardwatchd/rules/legal"

// A stage is the setting of one compass.
type stage struct {
	goal  int  // which of the question's goals
	eager int  // the weight of the estimate against the length of the line; 0 would be the shortest lines first
	siege bool // the winner's king heads for the pawns in the way of its own
}

// plan is the stages of the compasses, in the order in which the guides wake. The estimate must count more than the
// length: the guides share one tree, and a position that another guide reached by a long way would be expensive
// otherwise.
var plan = [withCompass]stage{
	{goal: 0, eager: 12, siege: true},
	{goal: 1, eager: 6},
	{goal: 2, eager: 6},
	{goal: 3, eager: 10},
	{goal: 2, eager: 20},
}

// explore visits positions. The proofs from the board alone have been asked.
func (s *search) explore(pos *legal.Position, side legal.Side, limit int) Answer {
	s.set(pos, side)
	s.survey()
	return s.visit(limit, nil)
}

func (s *search) set(pos *legal.Position, side legal.Side) {
	s.root, s.winner = *pos, side
	s.patient, s.minorMate.view = false, views[0]
	s.kingOfLoser, s.kingOfWinner, s.steady, s.blockers = ^squares(0), ^squares(0), 0, faceToFace(pos)
	s.goals = pictures(materialOf(pos), side)
}

// visit goes through the positions, or, with a counting, through those after its resets.
func (s *search) visit(limit int, from *counting) Answer {
	s.start(max(limit, 0), from)
	s.walk()
	a := Answer{Verdict: Unknown, Reason: OutOfBudget, Nodes: s.nodes}
	switch {
	case s.end == mating:
		a.Verdict, a.Reason, a.Line = Possible, Played, s.line(s.count-1)
	case s.end == empty && !s.late:
		a.Verdict, a.Reason, a.Positions, a.DeadLeftOut = Never, Visited, int(s.count), s.dead
	case s.end == full:
		a.Reason = OutOfMemory
	}
	return a
}

// terrain is the freedom that the walls of the root leave to both sides. It only steers.
type terrain struct {
	goals                     [maxGoals]goal
	kingOfLoser, kingOfWinner squares // the squares open to the loser's king, and to the winner's
	steady                    squares // the pieces that never move and are never captured
	blockers                  squares // steady, and other pieces that stay in the way of bishops for long
}

// survey lists the goals and the squares that the walls leave to the kings.
func (s *search) survey() {
	b := &s.prover.board.board
	b.survey(&s.root, s.winner)
	h := b.mateReach()
	b.fit(&s.goals, &h)
	s.kingOfLoser, s.kingOfWinner = h.kingOfLoser, h.king
	s.steady = b.steady
	s.blockers |= b.steady
}

// steer sets a guide's compass.
func (g *guide) steer(s *search, to stage) {
	g.eager = to.eager
	siege := squares(0)
	if to.siege {
		siege = besieged(&s.root, s.winner)
	}
	g.point(&s.goals[to.goal], s.winner, s.kingOfLoser, s.kingOfWinner, siege)
}

// besieged is the enemy pawns directly in front of pawns of the side.
func besieged(pos *legal.Position, side legal.Side) squares {
	own, other := squares(pos.Pieces(side, legal.Pawn)), squares(pos.Pieces(side.Other(), legal.Pawn))
	return pawnSteps(own, side) & other
}

// faceToFace is the pawns that stop each other.
func faceToFace(pos *legal.Position) squares {
	return besieged(pos, legal.White) | besieged(pos, legal.Black)
}
