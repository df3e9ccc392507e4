package rules

import (
	"slices"

	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// This file closes matters that the game has left behind. A step must be right for the present board, so a matter that
// was corrected, was overtaken by moves or belongs to an earlier game becomes a line of the record and says that.

// pliesUntilPast returns the number of plies after which a matter is past; 0: it does not pass by moves alone.
func (d *Docket) pliesUntilPast(m *matter) int {
	switch f := familyOf(&m.c); {
	case m.decision != "" || !m.live() || m.kept != nil || m.carried != nil:
		return 0
	case m.playedOn:
		return 0 // until the ruling is carried out
	case m.follows != "", m.c.Kind == kinds.PauseNoReason, m.c.Kind == kinds.LeverInPause, m.c.Kind == kinds.BonusWrong, m.c.Kind == kinds.ForeignPress, f == kinds.Draw:
		return 2
	case d.offence(&m.c):
		return 0
	case f == kinds.Turn && m.c.Side == legal.NoSide && m.c.Answered:
		return 0 // only in the record from the beginning, and not corrected
	case m.readsOtherwise():
		return 1 // a legal move from the position of the record: corrected, if its squares agree with the record (movedPast)
	case m.c.Kind == kinds.PromoWrongColour:
		return 2
	}
	return 0
}

// movedPast notes the matters that a committed move has overtaken. Differs are the squares on which the board does not
// agree with the record.
func (d *Docket) movedPast(ply int, differs []legal.Square) {
	for _, m := range d.matters {
		if n := d.pliesUntilPast(m); n > 0 && !m.past && ply >= m.plyAt+n {
			was := m.uncorrected
			m.uncorrected = m.readsOtherwise() && meet(m.c.Squares, differs)
			m.past, d.all = !m.uncorrected, d.all || was != m.uncorrected || !m.uncorrected
		}
		d.overtake(m)
	}
}

// readsOtherwise reports whether a matter is about squares on which the board disagrees with the record until they are
// corrected, however long the game goes on (FIDE Laws 7.6).
func (m *matter) readsOtherwise() bool {
	switch familyOf(&m.c) {
	case kinds.Turn, kinds.Displacement:
		return m.follows == ""
	}
	return m.c.Kind == kinds.Unreadable && !promotionUnread(&m.c)
}

// meet reports whether two lists of squares have one in common.
func meet(a, b []legal.Square) bool {
	return slices.ContainsFunc(a, func(sq legal.Square) bool { return slices.Contains(b, sq) })
}

// overtake ends a claim about a move without a press: the clock has been pressed since.
func (d *Docket) overtake(m *matter) {
	if f := familyOf(&m.c); m.claimed && !m.c.Completed && !m.overtaken && (f == kinds.Illegal || f == kinds.Touch) && m.c.Proof != Reported {
		m.overtaken, d.all = true, true
	}
}

// endPast closes matters that have no purpose after the end of the game.
func (d *Docket) endPast() {
	for _, m := range d.matters {
		sensor := familyOf(&m.c) == kinds.Sensor && !promotionUnread(&m.c)
		if !m.past && m.decision == "" && m.live() && m.kept == nil && m.carried == nil && (d.pliesUntilPast(m) > 0 || sensor || m.playedOn) && familyOf(&m.c) != kinds.Draw {
			m.past, d.all = true, true
		}
	}
}

// reduceToRecord turns an entry into a line of the record: it is no longer a step.
func reduceToRecord(e *Entry, text words.Sentence) {
	e.State, e.Alert = Expired, min(e.Alert, Log)
	r := *e.Ruling
	r.Position, r.PositionFEN, r.MustPlay, r.Clocks, r.RunClock, r.Result, r.Advice = "", "", nil, Clocks{}, legal.NoSide, "", ""
	r.Bonus, r.TakeBack = [3]int{}, [3]int{}
	r.Strikes = r.Before
	r.Deadline, r.Until, r.Closer, r.Text = words.Say("due.went_on"), UntilClosed, legal.NoSide, text
	e.Ruling = &r
}

// pastText describes the outcome of a matter.
func (d *Docket) pastText(m *matter) words.Sentence {
	switch {
	case d.ended:
		return words.Say("rule.past_ended")
	case m.readsOtherwise(), m.playedOn:
		return words.Say("rule.past_right")
	}
	return words.Say("rule.past")
}

// leave closes the undecided matters when the next game begins, and returns their last entries.
func (d *Docket) leave() (list []Entry) {
	for _, m := range d.matters {
		if !m.said || m.entry.Alert <= Log || m.entry.State == Withdrawn || m.entry.Ruling == nil || m.decision != "" && m.decision != doLater && m.decision != doUnseen {
			continue
		}
		e := m.entry
		reduceToRecord(&e, words.Say("rule.past_game"))
		e.Ruling.Deadline = words.Say("due.next_game")
		if isSuspicion(&m.c) {
			e.Alert = Advise // it is always quiet (contract, section 3)
		}
		list = append(list, e)
	}
	return list
}
