package evidence

import "boardwatchd/rules/legal"

// A Change is one square that reads differently than before.
type Change struct {
	Square      legal.Square
	Was, Is     legal.Piece
	Window      Window
	Seq         Seq
	FromDump    bool // found by a dump, not reported by itself: the window is wide
	Unordered   bool // it may have come before the change that precedes it
	UnknownCode bool // the code was none of the twelve pieces
	Waited      bool // it was read while the program stood still: the window may be seconds wide
}

// DumpedBefore reports whether a dump showed this change when the other one was not on the board yet. Two reports of
// one scan come in the order of the squares, and not of time.
func (c *Change) DumpedBefore(other *Change) bool {
	return other != nil && c.FromDump && c.Seq < other.Seq
}

// Of reports whether a piece of the side was put down or taken off by the change.
func (c *Change) Of(s legal.Side) bool { return c.Is.Side() == s || c.Was.Side() == s }

// Before reports whether one change certainly happened before another.
func (c *Change) Before(d *Change) bool { return c.Window.Hi < d.Window.Lo }

// Between returns the time that certainly passed between two changes, in microseconds; negative where their windows
// overlap.
func Between(c, d *Change) int64 { return d.Window.Lo - c.Window.Hi }

// ShowsOnly reports whether the board has reported a change by which such a piece came to a square or left it.
func (c *Change) ShowsOnly(piece legal.Piece) bool {
	return !c.FromDump && (c.Was == piece || c.Is == piece)
}

// StandsOn returns the square beside those of its move on which a piece is after a change; before is its square until
// then.
func (c *Change) StandsOn(piece legal.Piece, m legal.Move, before legal.Square) legal.Square {
	switch {
	case c.Is == piece && c.Square != m.To() && c.Square != m.From():
		return c.Square
	case c.Square == before:
		return legal.NoSquare
	}
	return before
}
