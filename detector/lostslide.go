package detector

import (
	"slices"

	"boardwatchd/detector/evidence"
	"boardwatchd/detector/play"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// This file completes the slide of a piece of which a report was lost, in a recording without requested dumps. A piece
// that is slid is read on the squares that it passes. Where the report of the last square is missing, the square before
// it looks like the target of the move. Where the report is missing that the piece left a square, it is read there and
// on the last square as well.

// A slide is the way of the only piece of a player that has left its square since the last ply.
type slide struct {
	piece        legal.Piece
	from, last   legal.Square   // its square, and the last one on which it was read
	stands       []legal.Square // where it is read now, in the order of the reports
	passed       uint64         // where it was read and no longer is
	putAt, lifts int64          // when it was reported on the last square, and when as gone from it; 0: it was not
}

// slideOf returns the slide of s. It returns false where no piece of s has left its square, or something else has
// changed too.
func (t *Tracker) slideOf(s legal.Side) (w slide, ok bool) {
	base := t.g.last()
	left := play.Difference(&base.place, &t.b.Live)
	for set := left; set != 0; set &= set - 1 {
		if base.place[play.Lowest(set)] == legal.NoPiece {
			left &^= 1 << play.Lowest(set) // it is read there now
		}
	}
	if play.Count(left) != 1 {
		return w, false
	}
	w.from = play.Lowest(left)
	if w.piece = base.place[w.from]; w.piece.Side() != s || t.b.Live[w.from] != legal.NoPiece {
		return w, false
	}
	for i := range t.b.Changes {
		if !w.take(&t.b.Changes[i]) {
			return w, false
		}
	}
	return w, true
}

// take adds a change of one square. It returns false where the change is not part of the slide.
func (w *slide) take(c *evidence.Change) bool {
	switch {
	case c.Square == w.from:
	case c.Was == legal.NoPiece && c.Is == w.piece:
		w.stands, w.last, w.putAt, w.lifts = append(w.stands, c.Square), c.Square, c.Window.Hi, 0
	case c.Was == w.piece && c.Is == legal.NoPiece:
		w.stands = slices.DeleteFunc(w.stands, func(sq legal.Square) bool { return sq == c.Square })
		w.passed |= 1 << c.Square
		if c.Square == w.last {
			w.lifts = c.Window.Hi
		}
	default:
		return false
	}
	return true
}

// gone reports whether the piece was read nowhere when a press was reported, and on its last square only briefly
// before.
func (w *slide) gone(at int64) bool {
	return w.lifts != 0 && w.lifts <= at && w.lifts-w.putAt < passingUS && len(w.stands) == 0
}

// mayHaveSlid returns the slide of s. It returns false where there is none, or where dumps are requested, which show
// more.
func (t *Tracker) mayHaveSlid(s legal.Side) (w slide, ok bool) {
	if !t.recordsAlone(s) {
		return w, false
	}
	return t.slideOf(s)
}

// slidOn reports whether the piece for which s has pressed was on its way when it was last read: its next report may
// come, or the opponent's turn, if the opponent's hand lifted the piece.
func (t *Tracker) slidOn(s legal.Side, at int64) bool {
	w, ok := t.mayHaveSlid(s)
	return ok && w.gone(at) && len(t.slidTo(&w)) > 0
}

// readTwice reports whether the piece for which s has pressed has been read on two squares for longer than a scan
// takes.
func (t *Tracker) readTwice(s legal.Side) bool {
	_, putAt, ok := t.leftUnreported(s)
	return ok && t.now.At-putAt >= passingUS
}

// completeMove completes the move of s of which one report was lost, at the last look at a press that was reported at
// the given time, or where its piece is read twice.
func (t *Tracker) completeMove(s legal.Side, at int64) {
	if sq, _, ok := t.leftUnreported(s); ok {
		t.reportLost(sq, legal.NoPiece)
		return
	}
	if sq, ok := t.castledUnreported(s); ok {
		t.reportLost(sq, legal.PieceOf(s, legal.King))
		return
	}
	w, ok := t.mayHaveSlid(s)
	if !ok || !w.gone(at) {
		return
	}
	switch to := t.slidTo(&w); len(to) {
	case 0: // it was put there and lifted again
	case 1:
		t.reportLost(to[0], w.piece)
	default:
		t.b.Absorb(w.passed) // its square is unknown, but it is not this one
	}
}

// leftUnreported returns the square that a piece of s has left and that still shows it: it was put down elsewhere
// since, at the given time, and without it there the board shows a legal move. A king or a rook that castles is treated
// like a piece that is slid.
func (t *Tracker) leftUnreported(s legal.Side) (left legal.Square, putAt int64, ok bool) {
	if !t.recordsAlone(s) || t.turn.cameUnreported {
		return 0, 0, false
	}
	base := t.g.last()
	if _, legally := play.OnePly(&base.pos, &t.b.Live); legally {
		return 0, 0, false
	}
	for i := range t.b.Changes {
		c := &t.b.Changes[i]
		if c.Is.Side() != s || t.b.Live[c.Square] != c.Is || play.CountOf(&t.b.Live, c.Is) <= play.CountOf(&base.place, c.Is) {
			continue
		}
		ok, putAt = false, c.Window.Hi // the piece was put there last
		for sq, p := range t.b.Live {
			place := t.b.Live
			place[sq] = legal.NoPiece
			if m, legally := play.OnePly(&base.pos, &place); p != c.Is || legal.Square(sq) == c.Square || !legally || !t.onItsWay(m) {
				continue
			}
			if ok {
				return 0, 0, false
			}
			left, ok = legal.Square(sq), true
		}
	}
	return left, putAt, ok
}

// passes reports whether a move passes all squares of a set.
func passes(m legal.Move, set uint64) bool {
	for ; set != 0; set &= set - 1 {
		if !beyond(m.From(), play.Lowest(set), m.To()) {
			return false
		}
	}
	return true
}

// onItsWay says that nothing has changed but on the squares of a move and between them.
func (t *Tracker) onItsWay(m legal.Move) bool {
	base := t.g.last()
	place := play.PlacementAfter(base.place, m)
	own := play.Difference(&base.place, &place)
	return !slices.ContainsFunc(t.b.Changes, func(c evidence.Change) bool {
		return own>>c.Square&1 == 0 && !beyond(m.From(), c.Square, m.To()) && !(m.IsCastling() && c.Square.Rank() == m.To().Rank())
	})
}

// castledUnreported returns the square of the king of s that is read nowhere, where all other squares show that s has
// castled: king and rook have left theirs, and the rook stands where it goes.
func (t *Tracker) castledUnreported(s legal.Side) (to legal.Square, ok bool) {
	king := legal.PieceOf(s, legal.King)
	if !t.recordsAlone(s) || play.CountOf(&t.b.Live, king) != 0 {
		return 0, false
	}
	base := t.g.last()
	ok = play.AnyMove(&base.pos, func(m legal.Move) bool {
		place := play.PlacementAfter(base.place, m)
		rest := play.Difference(&place, &t.b.Live)
		to = play.Lowest(rest)
		return m.IsCastling() && play.Count(rest) == 1 && place[to] == king
	})
	return to, ok
}

// recordsAlone reports whether it is the turn of s, begun on the board of the record, in a recording without requested
// dumps, which would show more than the reports.
func (t *Tracker) recordsAlone(s legal.Side) bool {
	base := t.g.last()
	return t.p.Passive && t.hands.timed && t.phase == playing && base.pos.Turn() == s && !base.wrong.on && !t.b.Misreads() && t.b.Origin == base.place
}

// slidTo returns the squares to which a legal move slides the piece further on.
func (t *Tracker) slidTo(w *slide) (to []legal.Square) {
	base := t.g.last()
	var list legal.MoveList
	base.pos.Moves(&list)
	for _, m := range list.Slice() {
		if m.From() == w.from && m.Captured() == legal.NoKind && m.Promotion() == legal.NoKind && beyond(w.from, w.last, m.To()) {
			to = append(to, m.To())
		}
	}
	return to
}

// beyond reports whether a square lies further on, on the line from one square over another.
func beyond(from, over, sq legal.Square) bool {
	f, r := over.File()-from.File(), over.Rank()-from.Rank()
	df, dr := sq.File()-over.File(), sq.Rank()-over.Rank()
	return f*dr == r*df && f*df+r*dr > 0
}

// readBeyond returns the squares beyond the one of a move that has just explained the board, on which its piece was
// read after it and is no longer: it may have gone on, and the report that it left the first square is missing.
func (t *Tracker) readBeyond(m legal.Move) (set uint64) {
	if !t.p.Passive || m.Captured() != legal.NoKind || m.Promotion() != legal.NoKind {
		return 0
	}
	piece, stood := t.b.Origin[m.From()], false
	for i := range t.b.Changes {
		switch c := &t.b.Changes[i]; {
		case c.Square == m.To():
			stood = c.Is == piece
		case stood && c.Was == piece && c.Is == legal.NoPiece && beyond(m.From(), m.To(), c.Square):
			set |= 1 << c.Square
		}
	}
	return set
}

// takenFurther corrects the last move of the record at a press of s, where its piece was read further on than the
// record has it, and the only legal move of s that leads to the board captures it there.
func (t *Tracker) takenFurther(s legal.Side) {
	n := len(t.g.nodes) - 1
	if n < 1 || t.g.nodes[n].readBeyond == 0 || t.g.nodes[n].pos.Turn() != s || !plainPly(&t.g.nodes[n], &t.g.nodes[n-1]) {
		return
	}
	base, before := &t.g.nodes[n], &t.g.nodes[n-1]
	if _, legally := play.OnePly(&base.pos, &t.b.Live); legally || t.b.Origin != base.place {
		return
	}
	was, _ := play.OnePly(&before.pos, &base.place)
	live := t.b.Live
	live[was.To()] = legal.NoPiece
	only, fits := legal.NoMove, 0
	play.AnyMove(&before.pos, func(m legal.Move) bool {
		if m.From() != was.From() || m.Captured() != legal.NoKind || !passes(m, base.readBeyond|1<<was.To()) {
			return false
		}
		after := before.pos.After(m)
		if r, legally := play.OnePly(&after, &live); legally && r.Victim() == m.To() {
			only, fits = m, fits+1
		}
		return false
	})
	if fits != 1 {
		return
	}
	piece := base.place[was.To()]
	t.b.Live, t.b.Origin[was.To()], t.b.Origin[only.To()] = live, legal.NoPiece, piece
	t.b.AssumeAtStart(only.To(), piece)
	t.b.HistoryIncomplete = true
	t.note("move_corrected", words.Say("row.move_slid"))
	t.correctTo(base, before.pos, only)
}

// reportLost enters a lost report, as a dump would show it.
func (t *Tracker) reportLost(sq legal.Square, p legal.Piece) {
	t.b.Set(sq, p, evidence.Window{Lo: t.b.LastAt, Hi: t.now.At}, t.now, true)
	t.b.HistoryIncomplete = true
}
