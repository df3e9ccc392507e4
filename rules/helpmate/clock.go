package helpmate

import "boardwatchd/rules/legal"

// counting answers with the half-move counter kept exactly, for positions so near to a draw by seventy-five moves (FIDE Laws 9.6.2) that
// it decides.
//
// A capture or a pawn move sets the counter back, and what was before can never come again. So play has two parts: first moves that
// do neither, among which every position is visited at the smallest count it can have, because the shortest ways come first; a position with the
// same men at a smaller count can do all that it can do at a larger one. Then, behind each capture or pawn move, a question of its own
// with the counter at zero. If no position of the first part is a mate within the count and every question of the second is answered
// by Never, there is no line; nothing else was left out.
type counting struct {
	trail
	winner  legal.Side
	twigs   []twig
	queue   []uint32
	resets  []uint32 // positions with the counter at zero
	seen    visits
	late    bool // something was cut off by the counter
	left    int  // nodes
	spent   bool
	full    bool // there is no room for more positions
	list    legal.MoveList
	through []legal.Move // the way to the mate
}

// closeCount is the half-move counter from which counting comes before the big search, which does not count.
const closeCount = 100

// resetShare is what the quick walk may spend on each position behind a capture or a pawn move.
const resetShare = 100

// mostCounted is how many positions all countings of a question may hold together, those that are asked within another included.
// Their set of keys takes 8 MiB then.
const mostCounted = 390_000

func (s *Solver) countClose(p *progress) (Answer, bool) {
	if p.pos.HalfMoves() < closeCount {
		return Answer{}, false
	}
	a := s.count(p, p.left()/2)
	if a.Verdict == Unknown {
		p.spend(a.Nodes)
		return Answer{}, false
	}
	return a, true
}

func (s *Solver) count(p *progress, limit int) Answer {
	c := &counting{winner: p.side, left: limit}
	c.start(p.pos, p.mat)
	c.seen.forget()
	c.seen.add(p.pos.Key())
	c.twigs, c.queue = append(c.twigs, twig{}), append(c.queue, 0)
	for i := 0; i < len(c.queue) && !c.ended(); i++ {
		c.climb(c.twigs, c.queue[i])
		c.expand(s)
	}
	a := Answer{Verdict: Unknown, Reason: OutOfBudget, Positions: 0}
	switch {
	case c.through != nil:
		a = Answer{Verdict: Possible, Reason: Played, Line: c.through}
	case c.full:
		a.Reason = OutOfMemory
	case !c.spent:
		s.counted += len(c.twigs)
		a = c.behind(s)
		s.counted -= len(c.twigs)
	}
	a.Nodes = limit - c.left
	return a
}

func (c *counting) ended() bool { return c.spent || c.full || c.through != nil }

// expand visits the position at hand.
func (c *counting) expand(s *Solver) {
	c.pos.Moves(&c.list)
	mover := c.pos.Turn()
	switch {
	case c.list.Len() == 0 && c.pos.InCheck() && mover != c.winner:
		c.through = c.line([]legal.Move{})
		return
	case c.list.Len() == 0:
		return
	case c.pos.HalfMoves() >= lastHalfMove:
		c.late = true
		return
	}
	n := c.here()
	last := c.pos.HalfMoves() == lastHalfMove-1
	for _, m := range c.list.Slice() {
		reset := m.Captured() != legal.NoKind || c.pos.PieceAt(m.From()).Kind() == legal.Pawn
		if !reset && last && (mover != c.winner || n != 0 && !mayCheck(&c.pos, m)) {
			c.late = true // the last half-move counts only if it mates
			continue
		}
		if c.left--; c.left <= 0 {
			c.spent = true
			return
		}
		if s.counted+len(c.twigs) >= mostCounted {
			c.full = true
			return
		}
		mat := c.mat.after(m, mover)
		child := uint32(len(c.twigs))
		c.make(child, m, mat)
		// On a board that stands with a check out of turn (A.5.2) that check may mate: with barren men, and behind any move.
		if (!mat.barren(c.winner) || n == 0) && c.seen.add(c.pos.Key()) {
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

// mayCheck is true for every move that gives check: a man other than a pawn attacks the king from its new square, or it has left a
// square that the king sees, or two men moved.
func mayCheck(pos *legal.Position, m legal.Move) bool {
	king := pos.KingSquare(pos.Turn().Other())
	occupied := pos.Occupied(legal.White) | pos.Occupied(legal.Black)
	kind := pos.PieceAt(m.From()).Kind()
	direct := kind != legal.King && legal.Reach(kind, king, occupied&^uint64(set(m.From())))&uint64(set(m.To())) != 0
	return direct || legal.Reach(legal.Queen, king, occupied)&uint64(set(m.From())) != 0 || m.IsCastling()
}

// reset tries the quick walk from a position with the counter at zero; if that does not mate, it stays for later.
func (c *counting) reset(s *Solver, n uint32) {
	walked := s.walker().run(&c.pos, c.mat, c.winner, min(resetShare, c.left))
	c.left -= min(c.left, s.quick.used)
	if walked {
		c.through = append(c.line([]legal.Move{}), s.quick.mate...)
		return
	}
	c.resets = append(c.resets, n)
}

// behind asks the positions with the counter at zero.
func (c *counting) behind(s *Solver) Answer {
	a := Answer{Verdict: Never, Reason: Visited, Positions: len(c.queue)}
	if c.late {
		a.Reason = Counted
	}
	for i, n := range c.resets {
		c.climb(c.twigs, n)
		pos := c.pos
		then := s.decide(&pos, c.winner, c.left/(len(c.resets)-i))
		c.left -= then.Nodes
		switch {
		case then.Verdict == Possible:
			return Answer{Verdict: Possible, Reason: Played, Line: append(c.line([]legal.Move{}), then.Line...)}
		case then.Verdict == Unknown:
			a = Answer{Verdict: Unknown, Reason: then.Reason}
		case then.Reason == Counted && a.Verdict == Never:
			a.Reason = Counted
		}
		a.Positions += then.Positions
	}
	if a.Verdict == Unknown {
		a.Positions = 0
	}
	return a
}
