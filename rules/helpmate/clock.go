package helpmate

import "boardwatchd/rules/legal"

// counting answers with the half-move counter kept exactly. It is for positions in which a draw by seventy-five moves
// (FIDE Laws 9.6.2) is so near that it matters.
//
// A capture or a pawn move resets the counter, and no position from before it can occur again. So play has two parts.
// In the first there are no such moves: every position is visited at the smallest count that it can have, because the
// shortest lines come first, and a position at a smaller count allows everything that it allows at a larger one. In the
// second, each capture or pawn move gives a question of its own, with the counter at zero. If no position of the first
// part is a mate within the count and every question of the second is answered by Never, there is no line. Nothing else
// is left out, except positions from which quiet (quiet.go) shows that a mate would come too late.
type counting struct {
	trail
	winner legal.Side
	twigs  []twig
	queue  []uint32
	root   legal.Position
	resets []reset

	seen    visits
	quiet   *quiet // a lower bound of the moves to a mate; nil if it is not known
	dead    bool   // positions were left out from which the winner can never mate
	late    bool   // something was cut off by the counter
	left    int    // nodes
	spent   bool
	full    bool // there is no room for more positions
	list    legal.MoveList
	through []legal.Move // the line to the mate
}

// A reset is a position with the counter at zero.
type reset struct {
	twig  uint32
	never bool // proved
}

// closeCount is the half-move counter from which counting comes before the big search, which does not count.
const closeCount = 100

// tight is the counter from which most mates that the big search finds come too late. Below it, the big search has a
// small share of the budget first.
const (
	tight      = 130
	briefShare = 64
)

// resetShare is the budget of the quick walk for each position after a capture or a pawn move.
const resetShare = 100

// After firstLook positions, and after nextLook times as many each time, the big search continues from the resets found
// so far, with a part of the budget. So a mate after the first captures is found before all positions without a capture
// have been visited.
const (
	firstLook = 512
	nextLook  = 4
	lookShare = 16
)

// maxCounted is the number of positions that all countings of a question may hold together, including those asked
// within another. Their set of keys then takes 8 MiB.
const maxCounted = 390_000

// countClose counts, after a part of the budget for a mate that comes in time anyway.
func (s *Solver) countClose(p *progress) (Answer, bool) {
	if p.pos.HalfMoves() < closeCount {
		return Answer{}, false
	}
	if p.pos.HalfMoves() < tight {
		a := s.searcher().explore(p.pos, p.side, p.left()/briefShare)
		if a.Verdict != Unknown {
			return a, true
		}
		p.spend(a.Nodes)
	}
	a := s.count(p, p.left()/2)
	if a.Verdict == Unknown {
		p.spend(a.Nodes)
		return Answer{}, false
	}
	return a, true
}

func (s *Solver) count(p *progress, limit int) Answer {
	if g := new(layers); g.fits(p.pos, p.mat, p.side) {
		return g.count(p.pos, limit)
	}
	c := &counting{winner: p.side, root: *p.pos, left: limit}
	c.start(p.pos, p.mat)
	if q := new(quiet); q.survey(&s.walls, p.pos, p.mat, p.side) {
		c.quiet = q
	}
	c.first(s)
	a := Answer{Verdict: Unknown, Reason: OutOfBudget, Positions: 0}
	switch {
	case c.through != nil:
		a = Answer{Verdict: Possible, Reason: Played, Line: c.through}
	case c.full:
		a.Reason = OutOfMemory
	case !c.spent:
		a = c.afterResets(s)
	}
	a.Nodes = limit - c.left
	return a
}

// first visits the positions before a capture or pawn move.
func (c *counting) first(s *Solver) {
	c.seen.forget()
	c.seen.add(c.pos.Key())
	c.twigs, c.queue, c.resets = append(c.twigs[:0], twig{}), append(c.queue[:0], 0), c.resets[:0]
	if c.tooFar() {
		return
	}
	due, share := firstLook, c.left/lookShare
	for i := 0; i < len(c.queue) && !c.ended(); i++ {
		c.climb(c.twigs, c.queue[i])
		if c.expand(s); i == due {
			due *= nextLook
			if c.searchResets(s, share); c.through == nil && len(c.resets) > 0 {
				c.ask(s, &c.resets[len(c.resets)-1], min(share, c.left))
			}
		}
	}
}

func (c *counting) ended() bool { return c.spent || c.full || c.through != nil }

// expand visits the current position.
func (c *counting) expand(s *Solver) {
	c.pos.Moves(&c.list)
	mover := c.pos.Turn()
	if c.over(mover) {
		return
	}
	n := c.here()
	last := c.pos.HalfMoves() == lastHalfMove-1
	for _, m := range c.list.Slice() {
		reset := resets(&c.pos, m)
		if !reset && last && (mover != c.winner || !mayCheck(&c.pos, m)) {
			c.late = true // the last half-move counts only if it mates
			continue
		}
		if c.left--; c.left <= 0 {
			c.spent = true
			return
		}
		if s.counted+len(c.twigs) >= maxCounted {
			c.full = true
			return
		}
		mat := c.mat.after(m, mover)
		child := uint32(len(c.twigs))
		c.make(child, m, mat)
		if c.open(mat, reset) {
			c.twigs = append(c.twigs, twig{parent: n, move: m, depth: c.twigs[n].depth + 1})
			if reset {
				c.reset(s, child)
			} else {
				c.queue = append(c.queue, child)
			}
		}
		c.unmake()
		if c.ended() {
			return
		}
	}
}

// open reports whether the current position is new and a mate may follow.
func (c *counting) open(mat material, reset bool) bool {
	if mat.barren(c.winner) || reset && c.quiet != nil {
		c.dead = true
		return false
	}
	return c.seen.add(c.pos.Key()) && (reset || !c.tooFar())
}

// tooFar reports whether the current position is too far from any mate for the moves that are left.
func (c *counting) tooFar() bool {
	far := c.quiet != nil && !c.quiet.mayMate(&c.pos)
	c.late = c.late || far
	return far
}

// over reports whether the game ends here: by the mate that is sought, by stalemate, or by the last half-move.
func (c *counting) over(mover legal.Side) bool {
	switch {
	case c.list.Len() == 0 && c.pos.InCheck() && mover != c.winner:
		c.through = c.line([]legal.Move{})
	case c.list.Len() == 0:
	case c.pos.HalfMoves() >= lastHalfMove:
		c.late = true
	default:
		return false
	}
	return true
}

// mayCheck is true for every check by a move of a piece other than a pawn, and for some moves that give none: the piece
// attacks the king from its new square, or has left a square from which a line leads to the king, or two pieces moved.
func mayCheck(pos *legal.Position, m legal.Move) bool {
	king := pos.KingSquare(pos.Turn().Other())
	occupied := pos.Occupied(legal.White) | pos.Occupied(legal.Black)
	kind := pos.PieceAt(m.From()).Kind()
	direct := kind != legal.King && legal.Reach(kind, king, occupied&^uint64(set(m.From())))&uint64(set(m.To())) != 0
	return direct || legal.Reach(legal.Queen, king, occupied)&uint64(set(m.From())) != 0 || m.IsCastling()
}

// reset tries the quick walk from a position with the counter at zero; if that finds no mate, the position waits for
// later.
func (c *counting) reset(s *Solver, n uint32) {
	walked := s.walker().run(&c.pos, c.mat, c.winner, min(resetShare, c.left))
	c.left -= min(c.left, s.quick.used)
	if walked {
		c.through = append(c.line([]legal.Move{}), s.quick.mate...)
		return
	}
	c.resets = append(c.resets, reset{twig: n})
}

// searchResets continues from all open resets, in one search.
func (c *counting) searchResets(s *Solver, limit int) Answer {
	if len(c.resets) == 0 {
		return Answer{Verdict: Never}
	}
	s.searcher().set(&c.root, c.winner)
	s.big.survey()
	s.big.patient = true
	a := s.big.visit(min(limit, c.left), c)
	c.left -= min(a.Nodes, c.left)
	c.dead = c.dead || s.big.dead
	if a.Verdict == Possible {
		c.through = a.Line
	}
	return a
}

// ask asks the question of a reset; a mate answers the question of the root as well.
func (c *counting) ask(s *Solver, r *reset, limit int) Answer {
	c.climb(c.twigs, r.twig)
	pos := c.pos
	s.counted += len(c.twigs)
	a := s.decide(&pos, c.winner, limit)
	s.counted -= len(c.twigs)
	c.left -= a.Nodes
	if a.Verdict == Possible {
		c.through = append(c.line([]legal.Move{}), a.Line...)
	}
	c.late = c.late || a.Reason == Counted
	c.dead = c.dead || a.Reason == Material || a.Reason == Walls || a.DeadLeftOut || a.Ends.Dead > 0
	return a
}

// afterResets asks about the positions with the counter at zero: first each by itself with half of the budget, because
// most provable ones are proved quickly, then all remaining ones together.
func (c *counting) afterResets(s *Solver) Answer {
	a := Answer{Verdict: Never, Reason: Visited, Positions: max(len(c.queue), len(c.twigs)-len(c.resets))}
	c.searchResets(s, c.left/lookShare)
	open, share := 0, c.left/2/max(len(c.resets), 1)
	for i := 0; i < len(c.resets) && c.through == nil; i++ {
		r := &c.resets[i]
		then := c.ask(s, r, share)
		a.Positions += then.Positions
		if r.never = then.Verdict == Never; !r.never {
			open++
		}
	}
	if c.through == nil && open > 0 {
		then := c.searchResets(s, c.left)
		if a.Positions += then.Positions; then.Verdict == Unknown {
			return Answer{Verdict: Unknown, Reason: then.Reason}
		}
	}
	switch {
	case c.through != nil:
		return Answer{Verdict: Possible, Reason: Played, Line: c.through}
	case c.late:
		a.Reason = Counted
	}
	a.DeadLeftOut = c.dead
	return a
}
