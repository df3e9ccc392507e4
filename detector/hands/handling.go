package hands

import "boardwatchd/rules/legal"

// A stage is one change that the move needs, with the report that showed it.
type stage struct {
	square legal.Square
	piece  legal.Piece // the piece that left or came
	lift   bool
	hidden bool  // not reported: it fell into the same scan as the change that the report shows
	at     int64 // arrival of the report
	slot   int64 // of the square, in 64ths of the period
	scan   int64 // the visit that saw it, µs: at without the line's jitter, once the scan is known
}

// stages are the changes of a handling in the order of the tables: the first is the lift of what moves.
type stages struct {
	list [4]stage
	n    int
}

func (s *stages) add(st stage) { s.list[s.n] = st; s.n++ }

// A chain reads the reports of the squares from the last backwards, and marks those that it has used.
type chain struct {
	d    *Handling
	used []bool
}

// last returns the latest unused report of a square before an index, if it turns was into is. legal.NoPiece is an empty
// square.
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

// take finds the final manipulation in the reports.
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

// capture finds the lift of the attacker, the lift of the captured piece, and the attacker's placement.
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
	if over, ok := c.last(d.To, end, d.Taken, d.Put); ok { // never seen empty: 71 % of real captures
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

// castling finds king up, rook up, king down, rook down.
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
		s.add(c.stage(i, want.is == legal.NoPiece, false, want.was+want.is)) // one of them is NoPiece, which is 0
	}
	return s, true
}

// promotion finds pawn up, new piece down. The reports of the last rank before that, of a captured piece or the pawn,
// must only be consistent.
func (c *chain) promotion() (s stages, ok bool) {
	d := c.d
	up, ok := c.last(d.From, len(d.Reports), d.Mover, legal.NoPiece)
	if !ok {
		return s, false
	}
	s.add(c.stage(up, true, false, d.Mover))
	const most = 4 // captured piece off, pawn on, pawn off, new piece on
	is := d.Put
	for i, n := len(d.Reports)-1, 0; i >= 0; i-- {
		r := d.Reports[i]
		if r.Square != d.To {
			continue
		}
		if n++; r.Unread || r.Is != is || n > most || r.Was == d.Put {
			return s, false
		}
		if c.used[i] = true; n == 1 {
			s.add(c.stage(i, false, false, d.Put))
		}
		is = r.Was
	}
	return s, is == d.Taken && s.n == 2
}
