package hands

import "boardwatchd/rules/legal"

// A stage is one change that the move needs, and the report that told it.
type stage struct {
	square legal.Square
	piece  legal.Piece // that left, or that came
	lift   bool
	hidden bool  // not reported: it fell into the same scan as the report it shares
	at     int64 // arrival of the report
	slot   int64 // of the square, in 64ths of the period
	scan   int64 // the visit that saw it, µs: at without the line's jitter, once the scan is known
}

// stages are the changes of a deed in the order of the tables: the first is the lift of what moves.
type stages struct {
	list   [4]stage
	n      int
	noPawn bool // promotion: the pawn was not seen on the last rank
}

func (s *stages) add(st stage) { s.list[s.n] = st; s.n++ }

// A chain takes the reports of the squares from the last backwards, and marks those that it has used.
type chain struct {
	d    *Deed
	used []bool
}

// last takes the latest unused report of a square before a time that turns was into is. legal.NoPiece is an empty square.
func (c *chain) last(sq legal.Square, before int, was, is legal.Piece) (int, bool) {
	for i := before - 1; i >= 0; i-- {
		r := c.d.Reports[i]
		if r.Square != sq || r.Unread {
			continue
		}
		if r.Was == was && r.Is == is {
			c.used[i] = true
			return i, true
		}
		return 0, false // the chain of this square is another
	}
	return 0, false
}

// take reads the final manipulation out of the reports.
func (c *chain) take() (stages, bool) {
	switch c.d.Kind {
	case Capture:
		return c.capture()
	case Castling:
		return c.castling()
	case Promotion:
		return c.promotion()
	}
	return stages{}, false
}

func (c *chain) stage(i int, lift, hidden bool, p legal.Piece) stage {
	r := c.d.Reports[i]
	return stage{square: r.Square, piece: p, lift: lift, hidden: hidden, at: r.At}
}

// capture: lift of the attacker, lift of the victim, the attacker's place.
func (c *chain) capture() (s stages, ok bool) {
	d, end := c.d, len(c.d.Reports)
	up, ok1 := c.last(d.From, end, d.Mover, legal.NoPiece)
	if !ok1 {
		return s, false
	}
	s.add(c.stage(up, true, false, d.Mover))
	if d.Victim != d.To { // en passant
		down, ok2 := c.last(d.To, end, legal.NoPiece, d.Put)
		gone, ok3 := c.last(d.Victim, end, d.Taken, legal.NoPiece)
		if !ok2 || !ok3 {
			return s, false
		}
		s.add(c.stage(gone, true, false, d.Taken))
		s.add(c.stage(down, false, false, d.Put))
		return s, true
	}
	if over, ok := c.last(d.To, end, d.Taken, d.Put); ok { // the victim's absence was never seen: 71 % of real captures
		s.add(c.stage(over, true, true, d.Taken))
		s.add(c.stage(over, false, false, d.Put))
		return s, true
	}
	down, ok := c.last(d.To, end, legal.NoPiece, d.Put)
	if !ok {
		return s, false
	}
	gone, ok := c.last(d.To, down, d.Taken, legal.NoPiece)
	if !ok {
		return s, false
	}
	s.add(c.stage(gone, true, false, d.Taken))
	s.add(c.stage(down, false, false, d.Put))
	return s, true
}

// castling: king up, rook up, king down, rook down.
func (c *chain) castling() (s stages, ok bool) {
	d, end := c.d, len(c.d.Reports)
	rook := legal.PieceOf(d.Mover.Side(), legal.Rook)
	for _, want := range [...]struct {
		sq      legal.Square
		was, is legal.Piece
	}{
		{d.From, d.Mover, legal.NoPiece}, {d.RookFrom, rook, legal.NoPiece},
		{d.To, legal.NoPiece, d.Mover}, {d.RookTo, legal.NoPiece, rook},
	} {
		i, ok := c.last(want.sq, end, want.was, want.is)
		if !ok {
			return s, false
		}
		s.add(c.stage(i, want.is == legal.NoPiece, false, want.was+want.is)) // one of them is none, and none is 0
	}
	return s, true
}

// promotion: pawn up, new piece down, pawn on the last rank, pawn off it. What was there before the pawn is not looked at: one
// hand that also takes a piece is only slower, and two hands are only found less often.
func (c *chain) promotion() (s stages, ok bool) {
	d, end := c.d, len(c.d.Reports)
	up, ok := c.last(d.From, end, d.Mover, legal.NoPiece)
	if !ok {
		return s, false
	}
	s.add(c.stage(up, true, false, d.Mover))
	if swapped, ok := c.last(d.To, end, d.Mover, d.Put); ok {
		return c.pawn(s, swapped, swapped, true)
	}
	if d.Taken != legal.NoPiece {
		if over, ok := c.last(d.To, end, d.Taken, d.Put); ok {
			return c.noPawn(s, over)
		}
	}
	down, ok := c.last(d.To, end, legal.NoPiece, d.Put)
	if !ok {
		return s, false
	}
	if off, ok := c.last(d.To, down, d.Mover, legal.NoPiece); ok {
		return c.pawn(s, down, off, false)
	}
	if d.Taken != legal.NoPiece {
		if _, ok := c.last(d.To, down, d.Taken, legal.NoPiece); !ok {
			return s, false
		}
	}
	return c.noPawn(s, down)
}

// pawn: it was seen on the last rank.
func (c *chain) pawn(s stages, down, off int, hidden bool) (stages, bool) {
	d := c.d
	on, ok := c.last(d.To, off, legal.NoPiece, d.Mover)
	if ok && d.Taken != legal.NoPiece {
		_, ok = c.last(d.To, on, d.Taken, legal.NoPiece)
	} else if !ok && d.Taken != legal.NoPiece {
		on, ok = c.last(d.To, off, d.Taken, d.Mover)
	}
	if !ok {
		return s, false
	}
	s.add(c.stage(down, false, false, d.Put))
	s.add(c.stage(on, false, false, d.Mover))
	s.add(c.stage(off, true, hidden, d.Mover))
	return s, true
}

// fromThePawn is a promotion without its beginning: how long the pawn took to the last rank is the same with one hand and with two, and
// would only blur what follows.
func (s *stages) fromThePawn() stages {
	return stages{list: [4]stage{s.list[2], s.list[1], s.list[3]}, n: 3}
}

func (c *chain) noPawn(s stages, down int) (stages, bool) {
	s.noPawn = true
	s.add(c.stage(down, false, false, c.d.Put))
	s.add(c.stage(down, false, true, c.d.Mover))
	s.add(c.stage(down, true, true, c.d.Mover))
	return s, true
}
