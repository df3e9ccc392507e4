package detector

import (
	"slices"

	"boardwatchd/detector/evidence"
	"boardwatchd/detector/offence"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

// This file says that the clock was pressed before the move was finished (FIDE Laws 6.2.1, 6.2.4), only where the board
// proves it.
//
// Reports of the lever are never early, and those of a square are never later than one scan and the way to the host. So
// a square whose change is reported later than that after the press changed after it; what is reported sooner proves
// nothing, and silence proves nothing (timing notes 1.3, 3.4). All comes over one line, in order: where host or line
// stall, both reports are late together, or a distance that was between them already is stretched: a stall makes no distance.

// surely is how many moves an accusation asks for: on a line that stalls for seconds, fewer have taken a scan in rows
// for one in columns of an eighth of its time, which costs a suspicion little and would make an honest press an early
// one.
const surely = 20

// bound returns the longest time from a change on this board to its report.
func (t *Tracker) bound() offence.Bound {
	switch x := &t.hands.sensor; {
	case !t.hands.timed:
		return offence.Bound{US: offence.SecondsUS, How: offence.BySeconds}
	case x.Trusted() && x.Moves >= surely:
		return offence.Bound{US: x.LatestUS(), How: offence.ThisBoard}
	}
	return offence.Bound{US: max(offence.SlowestUS, t.p.ScanUS), How: offence.AnyBoard} // a scan that the operator has set may be slower still
}

// lateness says whether m, made by the first n changes, was finished in time for a press reported at the given time.
func (t *Tracker) lateness(at int64, n int, m legal.Move) string {
	if t.early(at, n, m) != nil {
		return string(kinds.PressBeforeDone)
	}
	return "ok"
}

// early returns the report among the first n changes that proves a press before m was finished; nil where none does. A
// press that started the clock may be the opponent's.
func (t *Tracker) early(at int64, n int, m legal.Move) *evidence.Change {
	if t.runSince == at && t.atStart() || !slices.ContainsFunc(t.b.Changes[:n], func(c evidence.Change) bool { return c.Window.Hi > at }) {
		return nil
	}
	v := t.view(n)
	v.Later, v.Press.Hi = nil, at
	return v.Early(m)
}

// tellEarly tells a press that came before the move was finished.
func (t *Tracker) tellEarly(at int64, m legal.Move, n int) {
	if t.doubtful() || t.overtaken(at) {
		return
	}
	if n < 0 {
		n = len(t.b.Changes)
	}
	v := t.view(n)
	v.Later, v.Press = nil, evidence.Window{Lo: at - t.p.ClockLagUS, Hi: at}
	if c := v.Early(m); c != nil {
		sh := v.EarlyShape(m, c)
		t.openFinding(t.found(&sh, &v))
	}
}
