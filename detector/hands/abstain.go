package hands

import "boardwatchd/rules/legal"

// nearUS is how near to the manipulation another report must be to spoil it, beyond one scan.
const nearUS = 300_000

const beyondAnyJournalUS = 1 << 60 // no journal is as long

// read finds the manipulation in the reports, or returns why it is not judged. Timing notes 3.1.
func (d *Handling) read(period int64) (stages, Abstention) {
	if !d.sensible() {
		return stages{}, NotThisKind
	}
	if d.Trouble || !d.ordered() {
		return stages{}, Trouble
	}
	if d.Unpressed {
		return stages{}, NotPressed
	}
	c := chain{d: d, used: make([]bool, len(d.Reports))}
	s, ok := c.take()
	if !ok {
		return s, d.broken()
	}
	from, to := s.list[0].at, s.list[0].at
	for _, st := range s.list[:s.n] {
		from, to = min(from, st.at), max(to, st.at)
	}
	near := period + nearUS
	return s, d.spoiled(c.used, func(at int64) bool { return at >= from-near && at <= to+near })
}

// broken returns why the changes of the move cannot be found among the reports.
func (d *Handling) broken() Abstention {
	for _, r := range d.Reports {
		if why := d.blame(r); why != Bounce && !d.onTheWay(r) {
			return why
		}
	}
	var times [legal.NoSquare]int
	for _, r := range d.Reports {
		if r.Square < legal.NoSquare {
			if times[r.Square]++; times[r.Square] > 2 {
				return Bounce
			}
		}
	}
	return TooFewReports
}

// ordered reports whether the times are in the order of arrival.
func (d *Handling) ordered() bool {
	for i, r := range d.Reports {
		if r.At < -beyondAnyJournalUS || r.At > beyondAnyJournalUS || i > 0 && r.At < d.Reports[i-1].At {
			return false
		}
	}
	return true
}

// sensible reports whether the squares and pieces make one of the three kinds.
func (d *Handling) sensible() bool {
	if d.From >= legal.NoSquare || d.To >= legal.NoSquare || d.From == d.To || d.Mover.Side() == legal.NoSide {
		return false
	}
	switch d.Kind {
	case Capture:
		return d.Victim < legal.NoSquare && d.Taken != legal.NoPiece && d.Put == d.Mover
	case Castling:
		return d.RookFrom < legal.NoSquare && d.RookTo < legal.NoSquare && d.Mover.Kind() == legal.King
	case Promotion:
		return d.Mover.Kind() == legal.Pawn && d.Put.Side() == d.Mover.Side() && d.Put != d.Mover
	}
	return false
}

// spoiled returns the first reason among the other reports that forbids a judgement; near selects the reports that
// matter.
func (d *Handling) spoiled(used []bool, near func(at int64) bool) Abstention {
	for i, r := range d.Reports {
		if used[i] || near != nil && !near(r.At) || d.onTheWay(r) {
			continue
		}
		if why := d.blame(r); why != Spoke {
			return why
		}
	}
	return Spoke
}

// onTheWay reports whether a piece that slides was read on a square between (protocol notes 11.2: in 10 of 200 turns).
// Such a report shows nothing about hands and moves no window, so it does not forbid a judgement, unlike reports of
// captured pieces and beside the way.
func (d *Handling) onTheWay(r Report) bool {
	return !r.Unread && d.Kind != Castling && (r.Was == legal.NoPiece || r.Is == legal.NoPiece) && r.Was+r.Is == d.Mover &&
		between(d.From, d.To, r.Square)
}

// between reports whether a square is on the straight line between two others.
func between(a, b, sq legal.Square) bool {
	df, dr := b.File()-a.File(), b.Rank()-a.Rank()
	n := max(df, -df, dr, -dr)
	if df != 0 && dr != 0 && df != dr && df != -dr {
		return false
	}
	for i := 1; i < n; i++ {
		if legal.SquareOf(a.File()+i*df/n, a.Rank()+i*dr/n) == sq {
			return true
		}
	}
	return false
}

// blame classifies a report that no stage of the move accounts for.
func (d *Handling) blame(r Report) Abstention {
	p := r.Is
	if p == legal.NoPiece {
		p = r.Was
	}
	own := r.Square == d.From || r.Square == d.To || r.Square == d.Victim || r.Square == d.RookFrom || r.Square == d.RookTo
	switch {
	case r.Unread:
		return UnreadPiece
	case own && d.belongs(p):
		return Bounce
	case own:
		return WrongPiece
	case d.belongs(p):
		return Transient
	case p.Side() != d.Mover.Side():
		return OtherSide
	}
	return OtherPiece
}

// belongs reports whether this move handles such a piece.
func (d *Handling) belongs(p legal.Piece) bool {
	return p == d.Mover || p == d.Put || p == d.Taken && p != legal.NoPiece ||
		d.Kind == Castling && p == legal.PieceOf(d.Mover.Side(), legal.Rook)
}
