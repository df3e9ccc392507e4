package rules

import (
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// This file is about reports of hands. A person may enter them while the move is still being made. Nothing is completed
// then, and the press decides (FIDE Laws 7.5.4: used two hands and pressed the clock), so the report is held until
// then.

// handsReported reports whether a matter is a person's report about the hands that made one move.
func handsReported(c *Case) bool {
	if c.Proof != Reported {
		return false
	}
	switch c.Kind {
	case kinds.IllegalTwoHands, kinds.TwoHandsWBCA, kinds.OtherHand, kinds.PressBeforeDone:
		return true
	}
	return false
}

// holdForPress makes a matter wait for the press of the move in progress.
func (d *Docket) holdForPress(m *matter) {
	m.held = true
	c := &m.c
	c.Ply, c.UCI, c.Squares, c.Known, c.Stands, c.Completed = d.ply+1, "", nil, false, false, false
}

// bindToMove ties a report to a committed move of that side.
func (d *Docket) bindToMove(m *matter, l *lastMove) {
	c := &m.c
	c.Ply, c.UCI = l.ply, l.before.UCI(l.move)
	c.Known, c.Before, c.Stands, c.After = true, l.before, true, l.before.After(l.move)
	c.At = c.After.Placement()
	c.Squares = []legal.Square{l.move.From(), l.move.To()}
	c.Completed = l.pressed || d.ply > l.ply
	m.castled = l.move.IsCastling()
}

// bindHeldReports ties held reports to the move that was in progress; if that move was pressed, they count from now on.
func (d *Docket) bindHeldReports(s legal.Side) {
	l := &d.last[s]
	for _, m := range d.matters {
		if !m.held || !m.live() || m.kept != nil || m.c.Side != s || !l.on || m.c.UCI != "" {
			continue
		}
		d.bindToMove(m, l)
		m.c.Completed = l.pressed
		m.held = !l.pressed
		d.all = true
	}
}

// completeReports handles a press: earlier reports about that side's last move count from now on.
func (d *Docket) completeReports(s legal.Side) {
	l := &d.last[s]
	for _, m := range d.matters {
		if handsReported(&m.c) && m.c.Side == s && !m.c.Completed && l.on && m.c.UCI != "" && m.c.Ply == l.ply {
			m.held, m.c.Completed, d.all = false, true, true
		}
	}
}

// mergeHeldReports merges held reports with a completed illegal move of the same side: two faults in one move are one
// strike.
func (d *Docket) mergeHeldReports(found *matter) {
	for _, m := range d.matters {
		if m != found && m.held && m.live() && m.c.Side == found.c.Side {
			m.held, m.merged, d.all = false, found.c.ID, true
			m.c.Ply, m.c.Completed = found.c.Ply, true
		}
	}
}

// withdrawHeldReports withdraws held reports: the move in progress was taken back.
func (d *Docket) withdrawHeldReports() {
	for _, m := range d.matters {
		if m.held && m.live() && m.kept == nil {
			m.held, m.c.State, m.c.Note = false, Withdrawn, words.Say("explained.taken_back")
		}
	}
}

// closeLateReport closes a report of two hands that comes when the offence can no longer be dealt with.
func (d *Docket) closeLateReport(m *matter) {
	c := &m.c
	if d.p.TwoHands != "strike" && d.p.TwoHands != "unit" || !c.Completed {
		return
	}
	switch {
	case d.until() == untilReply && d.ply > c.Ply:
		m.closed, m.closedPly = byReply, c.Ply+1
	case d.tooManyMoves(c.Ply, d.ply):
		m.closed, m.closedPly = byMoves, d.ply
	}
}
