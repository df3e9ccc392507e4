package detector

import (
	"slices"

	"boardwatchd/detector/evidence"
	"boardwatchd/detector/offence"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

// surely is the number of moves that an accusation requires of the measured scan. With fewer, a line that stalls for
// seconds has made a scan in rows look like one in columns of an eighth of its time; that costs a suspicion little, but
// would make an honest press an early one.
const surely = 20

// bound returns the longest time from a change on this board to its report.
func (t *Tracker) bound() offence.Bound {
	switch x := &t.hands.sensor; {
	case !t.hands.timed:
		return offence.Bound{US: offence.SecondsUS, How: offence.BySeconds}
	case x.Trusted() && x.Moves >= surely:
		return offence.Bound{US: x.LatestUS(), How: offence.ThisBoard}
	}
	// A scan that the operator has set may be slower still.
	return offence.Bound{US: max(offence.SlowestUS, t.p.ScanUS), How: offence.AnyBoard}
}

// lateness returns the code of a press reported at the given time that completes m, made by the first n changes: "ok",
// or that m was not finished in time.
func (t *Tracker) lateness(at int64, n int, m legal.Move) string {
	if t.early(at, n, m) != nil {
		return string(kinds.PressBeforeDone)
	}
	return "ok"
}

// early returns the report among the first n changes that proves a press before m was finished; nil where none does. A
// press that started the clock may be the opponent's.
func (t *Tracker) early(at int64, n int, m legal.Move) *evidence.Change {
	if t.clockStartedAt == at && t.atStart() || !slices.ContainsFunc(t.b.Changes[:n], func(c evidence.Change) bool { return c.Window.Hi > at }) {
		return nil
	}
	v := t.view(n)
	v.Later, v.Press.Hi = nil, at
	return v.Early(m)
}

// reportEarlyPress reports a press that came before the move was finished.
func (t *Tracker) reportEarlyPress(at int64, m legal.Move, n int) {
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
		t.openFinding(t.newFinding(&sh, &v))
	}
}
