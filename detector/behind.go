package detector

import (
	"slices"

	"boardwatchd/detector/evidence"
	"boardwatchd/detector/offence"
	"boardwatchd/detector/play"
	"boardwatchd/rules"
	"boardwatchd/rules/legal"
)

// This file finds an illegal move behind plies that no press has completed as far as is known. In a scramble the clock
// reports two presses as one, or so late that each counts for the ply before; then no press waits for the illegal move.
// Where neither a piece nor the lever has been touched for so long that no other report can come, or the clock has been
// stopped since, the last press counts for what the board shows: a press never completes an earlier ply than its
// player's last one.

// reportBehind reports such an illegal move. It looks again later where the board may not have rested for long enough,
// or has not been read again.
func (t *Tracker) reportBehind() bool {
	at := max(t.judgedAt, t.mergedAt)
	if t.pend.on {
		at = t.pend.at
	}
	if t.b.Live == t.g.last().place || !t.pressRests(at) {
		return false
	}
	row := t.rowBehind(t.c.Turn().Other())
	switch {
	case row == nil, t.pend.on && len(row) == 1: // the press waits for that very ply
		return false
	case !t.c.Running() && t.kingToCentre():
		return false // the player may be signalling a result
	}
	switch due := at + t.reportUS(); {
	case t.b.Verified < t.b.LastAt:
		t.readAgainSoon()
	case t.now.At < due && (t.pend.on || t.c.Running()):
		t.quietAt = due
	case !t.pend.on:
		t.pend = pending{on: true, late: true, side: t.c.Last.Up.Other(), at: at, n: len(t.b.Changes)}
		defer func() { t.pend = pending{} }()
		return t.accuseBehind(t.c.Turn().Other())
	}
	return false
}

// lookBehind schedules that look after a press was judged for another ply.
func (t *Tracker) lookBehind() {
	if t.quietAt == 0 && !t.pend.on && t.pressRests(t.judgedAt) && t.b.Live != t.g.last().place && t.rowBehind(t.c.Turn().Other()) != nil {
		t.quietAt = max(t.judgedAt+t.reportUS(), t.now.At)
		if !t.c.Running() {
			t.quietAt = t.now.At
		}
	}
}

// readAgainSoon requests a dump and another look at the board then; it stops where the board does not answer.
func (t *Tracker) readAgainSoon() {
	if t.now.At < t.b.LastAt+t.p.MismatchUS {
		t.wantDump, t.quietAt = true, t.now.At+t.p.LateUS
	}
}

// pressRests reports whether a press that was reported at the given time is the last of all, and no piece has been
// touched since.
func (t *Tracker) pressRests(at int64) bool {
	inDoubt := t.phase != playing || t.judgementPaused || t.trust.boardUnexplained || t.outOfStep() || !t.c.SidesSettled || len(t.line) > 0
	return !t.p.Passive && !inDoubt && at > 0 && t.b.LastAt <= at+t.p.LateUS
}

// accuseRested reports the illegal move at the last look at a press that has waited for so long.
func (t *Tracker) accuseRested(s legal.Side) bool {
	at := t.pend.at
	long := t.now.At >= at+t.reportUS() || !t.c.Running()
	return long && t.pressRests(at) && t.b.Verified >= t.b.LastAt && s == t.c.Turn().Other() && t.accuseBehind(s)
}

// accuseBehind reports the illegal move that the waiting press of s has completed, if it and plies without a press are
// the only way to the board. The proof is only strong: the opponent may have forgotten a press.
func (t *Tracker) accuseBehind(s legal.Side) bool {
	p, row := t.pend, t.rowBehind(s)
	if row == nil {
		return false
	}
	if t.commitShown(row[:len(row)-1]); t.phase != playing {
		return false
	}
	t.pend, t.pend.n = p, len(t.b.Changes)
	a := openPress{Tracker: t, by: s, base: t.g.last(), v: t.viewAtPress(s, true), final: true}
	if a.unrecognised() || !isMove(a.sh.Kind) || a.sh.Side != s || a.rightMayHold() {
		return false
	}
	a.sh.Proof, a.sh.Permille = rules.Strong, offence.StrongPermille
	t.trust.movesUntilAccusable = 0 // no press can be on its way, and the players play from this board
	return a.reportShape()
}

// rowBehind returns the only row of plies to the board, if it ends with an illegal move of s; otherwise nil.
func (t *Tracker) rowBehind(s legal.Side) []shownPly {
	row := t.shownRow(func(at *legal.Placement, turn legal.Side) bool { return turn == s.Other() && *at == t.b.Live })
	if last := len(row) - 1; last < 0 || row[last].move != legal.NoMove || t.sleeveMayHave(row, s) {
		return nil
	}
	return row
}

// sleeveMayHave reports whether the piece of the last ply of a row, a ply of s, may have come to the next square before
// the opponent pressed: the opponent's sleeve may have pushed it there.
func (t *Tracker) sleeveMayHave(row []shownPly, s legal.Side) bool {
	base, stood := t.g.last(), int64(0)
	from := base.place
	if n := len(row); n > 1 {
		from, stood = row[n-2].after.Placement(), t.b.Changes[row[n-2].n-1].Window.Lo
	}
	x, ok := offence.OneTransfer(&from, &t.b.Live)
	pressed := t.judgedOf[s.Other()]
	later := func(c evidence.Change) bool { return (c.Square == x.From || c.Square == x.To) && c.Window.Lo > pressed }
	return ok && x.Victim.Side() != s.Other() && play.Near(x.From, x.To) && (pressed < stood || !slices.ContainsFunc(t.b.Changes, later))
}

// inStep ends the doubt about guessed plies, where the board has rested as the record has it for so long that no report
// of a press can come, and the lever shows the same turn.
func (t *Tracker) inStep() {
	base, due := t.g.last(), max(t.judgedAt, t.mergedAt, t.b.LastAt)+t.latestUS()
	switch {
	case t.trust.movesUntilAccusable == 0 || t.p.Passive || t.trust.boardUnexplained || t.gapLately() || t.c.Turn() != base.pos.Turn():
	case t.now.At < due:
		t.quietAt = due
	case t.b.Verified < t.b.LastAt:
		t.readAgainSoon()
	default:
		t.trust.movesUntilAccusable = 0
	}
}
