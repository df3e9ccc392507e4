package detector

import (
	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

// A piece of the side that does not have the move stands elsewhere, and nothing else differs (FIDE Laws 1.2, 1.3). It
// is an irregularity even where he could not have gone there in his turn. Before White's first move it is certain;
// later it is strong, because nobody saw whose hand it was. Where the player who has the move presses, having moved
// nothing else, it is possible only, and of nobody: the press completes a move of that player's, who may have moved the
// opponent's piece.
//
// Innocent look-alikes: the reply to a move that the board shows; a piece pushed to a neighbouring square, which is
// told as that; a move, its reply and the way back, where all three are quicker than the report of the first press.

func seeOutOfTurn(v *view) (shape, bool) {
	other := v.mover().Other()
	pos, ok := turnOf(v.pos, other)
	if !ok {
		return shape{}, false
	}
	if v.wentAndCame(v.mover()) {
		return shape{}, false
	}
	m, legally := onePly(&pos, &v.at)
	t, one := oneTransfer(&v.base, &v.at)
	if !legally && (!one || t.piece.Side() != other) {
		return shape{}, false
	}
	if only := !legally && v.movedOther(t); only || !legally && t.neighbouring() {
		s := v.pushedOnly(t)
		if only {
			s.proof, s.permille = rules.Strong, strongPermille
		}
		return s, true
	}
	s := v.shapeOf(kinds.OutOfTurn, rules.Strong, v.diff)
	s.side = other
	switch {
	case v.by == v.mover():
		s.ofNobody()
	case v.untouched():
		s.proof, s.permille = rules.Certain, certainPermille
	}
	s.uci = uciOf(t.from, t.to, legal.NoKind)
	if legally {
		s.uci = pos.UCI(m)
	}
	s.after, s.stands = v.unturned()
	return s, true
}

// wentAndCame says that a piece of the side has stood on another square meanwhile.
func (v *view) wentAndCame(s legal.Side) bool {
	for i := range v.changes {
		if c := &v.changes[i]; c.is.Side() == s && v.base[c.sq] != c.is {
			return true
		}
	}
	return false
}

// pushedOnly is a piece of the opponent's beside its square, where a move of its own could not have brought him.
func (v *view) pushedOnly(t transfer) shape {
	return v.shapeOf(kinds.Displaced, rules.Hint, t.squares())
}

// movedOther says that the side to move has pressed, and that nothing but the opponent's piece was moved in
// that turn: whosever hand it was, no move was made.
func (v *view) movedOther(t transfer) bool {
	if v.by != v.mover() || v.shaken || v.press.Hi-v.since < bounceUS {
		return false
	}
	for i := range v.changes {
		c := &v.changes[i]
		late := c.healed || c.win.Lo < v.since || c.win.Hi > v.press.Hi-pushedUS
		if late && t.squares()>>c.sq&1 != 0 {
			return false
		}
	}
	return true
}

// untouched says that no move of the game has been made.
func (v *view) untouched() bool {
	return v.line.Len() > 0 && v.ply == 0
}

// unturned is the board as it stands, with the same side to move: its opponent has moved out of turn.
func (v *view) unturned() (legal.Setup, bool) {
	s, _ := v.made(&v.at)
	s.Turn, s.FullMoves = v.mover(), v.pos.FullMoves()
	_, err := s.Standing()
	return s, err == nil
}

// aheadUS is how long a move must certainly have stood on the board before the opponent touches a piece, for it to have
// been made in the opponent's time on purpose: a hand that is on its way to a piece or to the clock is there by then.
const aheadUS = 1_000_000

// tellMovedAhead tells, for the record only, that a piece of the player without the move was moved while the opponent's
// time ran, where the opponent has then made the move m and pressed, and the other one, r, stands as its reply. The
// first k changes have led to r alone. Whose hand it was is not known.
func (t *Tracker) tellMovedAhead(m, r legal.Move, k int) {
	base := t.g.last()
	v := t.view(len(t.b.changes))
	if t.doubtful() || t.alt.on || t.paused() || t.held || base.wrong.on || t.fault.side != legal.NoSide || v.shaken || t.gapLately() || !t.ranForMover() || !v.movedAhead(r, k) {
		return
	}
	v.press.Lo -= t.p.ClockLagUS
	v.prepare()
	pos, ok := turnOf(v.pos, v.mover().Other())
	if !ok {
		return
	}
	sh := v.shapeOf(kinds.OutOfTurn, rules.Hint, 1<<r.From()|1<<r.To())
	sh.ofNobody()
	sh.uci, sh.answered = pos.UCI(r), true
	after := base.pos.After(m)
	sh.after, sh.stands = after.Setup(), true
	t.openCertain(t.found(&sh, &v))
}

// ranForMover says that since the press of the last move the clock has run for the player to move alone: it was not
// stopped, no reading of it may have held two presses, and the other time is what it was. Where presses add nothing, two
// of them within a second would have left it so as well.
func (t *Tracker) ranForMover() bool {
	was, is := t.g.last().clock, t.pressClock
	if !t.c.fixed || t.c.bonus == 0 || t.turnSince == 0 || t.runSince > t.turnSince || t.mergedAt != 0 || !was.Known || !is.Known {
		return false
	}
	if t.g.last().pos.Turn() == legal.White {
		return was.Black == is.Black
	}
	return was.White == is.White
}

// movedAhead says that the first k changes are the move r, without a capture, made after the press of the move before,
// and that it stood for long before anything else changed. The bound is that of the board's slowest report.
func (v *view) movedAhead(r legal.Move, k int) bool {
	if k < 1 || k >= len(v.changes) || r.Victim() != legal.NoSquare || v.changes[0].win.Lo <= v.since || v.origin != v.pos.Placement() {
		return false
	}
	for i := range v.changes {
		c := &v.changes[i]
		if c.healed || c.odd || c.waited || i < k && (c.was.Side() == v.mover() || c.is.Side() == v.mover()) {
			return false
		}
	}
	return v.changes[k].win.Hi-v.bound.us-v.changes[k-1].win.Hi >= aheadUS
}
