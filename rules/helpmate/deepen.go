package helpmate

import "boardwatchd/rules/legal"

// deepen looks for a mate in time where captures and pawn moves lead nowhere (nearMate), so that the half-move counter
// only goes up. It looks for the nearest mate first: what cannot mate before a bound is left out, and the bound grows
// by one move of each side. Within a bound the position that is nearest to a mate comes first; one that comes back with
// another counter is another position here. If the last bound, that of 9.6.2, leaves nothing to visit, there is no mate
// in time.
func (c *counting) deepen(mat material) {
	half := c.root.HalfMoves()
	left := lastHalfMove - half
	least := c.near.least(&c.pos, left)
	for bound := least; bound <= left && c.through == nil; bound += 2 {
		c.closed = c.dive(mat, half+bound, c.left/8)
	}
	if least > left {
		c.closed, c.late = true, true
	}
	c.start(&c.root, mat)
}

// dive visits positions from which a mate may come by the bound; false if they are more than the limit of nodes allows.
func (c *counting) dive(mat material, end, limit int) bool {
	c.start(&c.root, mat)
	c.seen.forget()
	c.twigs, c.queue, c.late = append(c.twigs[:0], twig{next: noTwig}), append(c.queue[:0], 0), false
	var heads [lastHalfMove + 1]uint32
	for i := range heads {
		heads[i] = noTwig
	}
	heads[0] = 0
	for low := 0; low < len(heads) && c.through == nil; {
		n := heads[low]
		if n == noTwig {
			low++
			continue
		}
		heads[low] = c.twigs[n].next
		c.climb(c.twigs, n)
		c.pos.Moves(&c.list)
		if limit -= c.list.Len(); limit < 0 || len(c.twigs) >= mostCounted/2 {
			return false
		}
		c.left -= c.list.Len()
		low = min(low, c.branch(n, end, &heads))
	}
	return true
}

// branch puts what follows on the position at hand where its distance from a mate belongs, and returns the least
// distance.
func (c *counting) branch(n uint32, end int, heads *[lastHalfMove + 1]uint32) (low int) {
	low = lastHalfMove
	if c.list.Len() == 0 {
		if c.pos.InCheck() && c.pos.Turn() != c.winner {
			c.through = c.line([]legal.Move{})
		}
		return low
	}
	for _, m := range c.list.Slice() {
		if m.Captured() != legal.NoKind {
			continue
		}
		child := uint32(len(c.twigs))
		c.make(child, m, c.mat)
		half := c.pos.HalfMoves()
		value := c.near.least(&c.pos, end-half)
		switch {
		case half+value > end:
			c.late = true
		case c.seen.add(c.pos.Key() ^ uint64(half)*0x9E3779B97F4A7C15):
			c.twigs = append(c.twigs, twig{parent: n, move: m, depth: c.twigs[n].depth + 1, next: heads[value]})
			heads[value] = child
			low = min(low, value)
		}
		c.unmake()
	}
	return low
}
