package detector

import (
	"boardwatchd/detector/offence"
	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

// tellMovedAhead reports, for the record only, that a piece of the player without the move was moved while the
// opponent's time ran: the opponent has then made the move m and pressed, and the other move, r, is on the board as its
// reply. The first k changes have led to r alone. It is unknown whose hand it was.
func (t *Tracker) tellMovedAhead(m, r legal.Move, k int) {
	base := t.g.last()
	v := t.view(len(t.b.Changes))
	if t.doubtful() || t.alt.on || t.paused() || t.judgementPaused || base.wrong.on || t.fault.side != legal.NoSide || v.ReportsDoubtful || t.gapLately() || !t.ranForMover() || !v.MovedAhead(r, k) {
		return
	}
	v.Press.Lo -= t.p.ClockLagUS
	v.Prepare()
	pos, ok := offence.TurnOf(v.Pos, v.Mover().Other())
	if !ok {
		return
	}
	sh := v.ShapeOf(kinds.OutOfTurn, rules.Hint, 1<<r.From()|1<<r.To())
	sh.NameNeither()
	sh.UCI, sh.Answered = pos.UCI(r), true
	after := base.pos.After(m)
	sh.After, sh.Stands = after.Setup(), true
	t.openCertain(t.newFinding(&sh, &v))
}

// ranForMover reports whether the clock has run for the player to move alone since the press of the last move: it was
// not stopped, no reading of it may have held two presses, and the other time is unchanged. Where presses add nothing,
// two of them within a second would also leave it unchanged.
func (t *Tracker) ranForMover() bool {
	was, is := t.g.last().clock, t.pressClock
	if !t.c.SidesSettled || t.c.Bonus == 0 || t.turnPressedAt == 0 || t.clockStartedAt > t.turnPressedAt || t.mergedAt != 0 || !was.Known || !is.Known {
		return false
	}
	if t.g.last().pos.Turn() == legal.White {
		return was.Black == is.Black
	}
	return was.White == is.White
}
