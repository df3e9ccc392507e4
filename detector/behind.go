package detector

import (
	"slices"

	"boardwatchd/rules"
	"boardwatchd/rules/legal"
)

// An illegal move may stand behind plies that no press has completed as far as is known: in a scramble the clock tells
// two presses as one, or so late that each is taken for that of the ply before. Then no press waits for the illegal
// move. Where nobody has touched a piece or the lever for so long that no other report can come, or the clock has been
// stopped since, the last press counts for what stands there: no press completes an earlier ply than the last of its
// player's.

// tellBehind tells an illegal move that stands there so. Where the board may not have rested for long enough, or has not
// been read again, it is looked at later.
func (t *Tracker) tellBehind() bool {
	at := max(t.judgedAt, t.mergedAt)
	if t.pend.on {
		at = t.pend.at
	}
	if t.b.live == t.g.last().place || !t.pressRests(at) {
		return false
	}
	row := t.rowBehind(t.c.turn().Other())
	switch {
	case row == nil, t.pend.on && len(row) == 1: // that is what the press waits for
		return false
	case !t.c.running() && t.kingToCentre():
		return false // he may be telling a result
	}
	switch due := at + t.reportUS(); {
	case t.b.verified < t.b.lastAt:
		t.readAgainSoon()
	case t.now.At < due && (t.pend.on || t.c.running()):
		t.quietAt = due
	case !t.pend.on:
		t.pend = pending{on: true, late: true, side: t.c.last.Up.Other(), at: at, n: len(t.b.changes)}
		defer func() { t.pend = pending{} }()
		return t.accuseBehind(t.c.turn().Other())
	}
	return false
}

// lookBehind has it looked at after a press was judged for another ply.
func (t *Tracker) lookBehind() {
	if t.quietAt == 0 && !t.pend.on && t.pressRests(t.judgedAt) && t.b.live != t.g.last().place && t.rowBehind(t.c.turn().Other()) != nil {
		t.quietAt = max(t.judgedAt+t.reportUS(), t.now.At)
		if !t.c.running() {
			t.quietAt = t.now.At
		}
	}
}

// readAgainSoon has the board read, and looks at it again then; not for ever, where it does not answer.
func (t *Tracker) readAgainSoon() {
	if t.now.At < t.b.lastAt+t.p.MismatchUS {
		t.wantDump, t.quietAt = true, t.now.At+t.p.LateUS
	}
}

// pressRests says that a press that was reported at the given time is the last one of all, and that nobody has touched a
// piece since.
func (t *Tracker) pressRests(at int64) bool {
	inDoubt := t.phase != playing || t.held || t.unsure || t.outOfStep() || !t.c.fixed || len(t.line) > 0
	return !t.p.Passive && !inDoubt && at > 0 && t.b.lastAt <= at+t.p.LateUS
}

// accuseRested tells it at the last look at a press that has waited for so long.
func (t *Tracker) accuseRested(s legal.Side) bool {
	at := t.pend.at
	long := t.now.At >= at+t.reportUS() || !t.c.running()
	return long && t.pressRests(at) && t.b.verified >= t.b.lastAt && s == t.c.turn().Other() && t.accuseBehind(s)
}

// accuseBehind tells the illegal move that the waiting press of s has completed, if that and plies that nobody pressed
// are the only way to the board. It is no more than likely: the opponent may have forgotten his press.
func (t *Tracker) accuseBehind(s legal.Side) bool {
	p, row := t.pend, t.rowBehind(s)
	if row == nil {
		return false
	}
	if t.commitShown(row[:len(row)-1]); t.phase != playing {
		return false
	}
	t.pend, t.pend.n = p, len(t.b.changes)
	a := openPress{Tracker: t, by: s, base: t.g.last(), v: t.viewAtPress(s, true), final: true}
	if a.unrecognised() || !isMove(a.sh.kind) || a.sh.side != s || a.rightMayHold() {
		return false
	}
	a.sh.proof, a.sh.permille = rules.Strong, strongPermille
	t.guessed = 0 // no press can be on its way, and the board is what is played from
	return a.reportShape()
}

// rowBehind is the only row of plies to the board, if it ends with an illegal move of s; else nil.
func (t *Tracker) rowBehind(s legal.Side) []shownPly {
	row := t.shownRow(func(at *legal.Placement, turn legal.Side) bool { return turn == s.Other() && *at == t.b.live })
	if last := len(row) - 1; last < 0 || row[last].move != legal.NoMove || t.sleeveMayHave(row, s) {
		return nil
	}
	return row
}

// sleeveMayHave says that the piece of the last ply of a row, which is one of s, may have come to the next square
// before the opponent pressed: his sleeve may have pushed it there.
func (t *Tracker) sleeveMayHave(row []shownPly, s legal.Side) bool {
	base, stood := t.g.last(), int64(0)
	from := base.place
	if n := len(row); n > 1 {
		from, stood = row[n-2].after.Placement(), t.b.changes[row[n-2].n-1].win.Lo
	}
	x, ok := oneTransfer(&from, &t.b.live)
	pressed := t.judgedOf[s.Other()]
	later := func(c change) bool { return (c.sq == x.from || c.sq == x.to) && c.win.Lo > pressed }
	return ok && x.victim.Side() != s.Other() && near(x.from, x.to) && (pressed < stood || !slices.ContainsFunc(t.b.changes, later))
}

// inStep ends the doubt about plies that were guessed, where the board has rested as the record has it for so long that
// no report of a press can come, and the lever tells the same turn.
func (t *Tracker) inStep() {
	base, due := t.g.last(), max(t.judgedAt, t.mergedAt, t.b.lastAt)+t.latestUS()
	switch {
	case t.guessed == 0 || t.p.Passive || t.unsure || t.gapLately() || t.c.turn() != base.pos.Turn():
	case t.now.At < due:
		t.quietAt = due
	case t.b.verified < t.b.lastAt:
		t.readAgainSoon()
	default:
		t.guessed = 0
	}
}
