package rules

import (
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// This file is about reports of hands. A person may send them while the move is being made: then nothing is completed,
// and the press decides (FIDE Laws 7.5.4: used two hands and pressed the clock). Such a report is held until then.

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

// hold makes a matter wait for the press of the move in progress.
func (d *Docket) hold(m *matter) {
	m.held = true
	c := &m.c
	c.Ply, c.UCI, c.Squares, c.Known, c.Stands, c.Completed = d.ply+1, "", nil, false, false, false
}

// about binds a report to a committed move of that side.
func (d *Docket) about(m *matter, l *lastMove) {
	c := &m.c
	c.Ply, c.UCI = l.ply, l.before.UCI(l.move)
	c.Known, c.Before, c.Stands, c.After = true, l.before, true, l.before.After(l.move)
	c.At = c.After.Placement()
	c.Squares = []legal.Square{l.move.From(), l.move.To()}
	c.Completed = l.pressed || d.ply > l.ply
	m.castled = l.move.IsCastling()
}

// bind gives held reports the move that was in progress; if it was pressed, they count from now on.
func (d *Docket) bind(s legal.Side) {
	l := &d.last[s]
	for _, m := range d.matters {
		if !m.held || !m.live() || m.kept != nil || m.c.Side != s || !l.on || m.c.UCI != "" {
			continue
		}
		d.about(m, l)
		m.c.Completed = l.pressed
		m.held = !l.pressed
		d.all = true
	}
}

// completed handles a press: reports about that side's last move that came before the press count now.
func (d *Docket) completed(s legal.Side) {
	l := &d.last[s]
	for _, m := range d.matters {
		if handsReported(&m.c) && m.c.Side == s && !m.c.Completed && l.on && m.c.UCI != "" && m.c.Ply == l.ply {
			m.held, m.c.Completed, d.all = false, true, true
		}
	}
}

// same merges held reports with a completed illegal move of the same side: two faults in one move are one strike.
func (d *Docket) same(found *matter) {
	for _, m := range d.matters {
		if m != found && m.held && m.live() && m.c.Side == found.c.Side {
			m.held, m.merged, d.all = false, found.c.ID, true
			m.c.Ply, m.c.Completed = found.c.Ply, true
		}
	}
}

// release withdraws held reports: the move in progress was taken back.
func (d *Docket) release() {
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
