package detector

import (
	"boardwatchd/detector/evidence"
	"boardwatchd/detector/play"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// This file lets a press wait for the one before it.
//
// A reply can be made and pressed within one scan of a slow board. Then the second press is reported while squares of
// the first move are still to come: judged at once, the first press would be unexplained, or explained wrongly. As long
// as reports from before it can come (offence/early.go, Bound) the presses wait in line, and each is judged as at its
// own time.

// maxLine bounds the presses in line: two people do not press more often within a scan.
const maxLine = 4

// A waiting press is judged after the one before it.
type waiting struct {
	pressed    evidence.ClockSide
	gained     int // as in evidence.Lever
	wasRunning bool
	at         evidence.Stamp
	clock      evidence.Times
}

// waitingFor returns the press that the last reading of the clock shows.
func (t *Tracker) waitingFor(l evidence.Lever) waiting {
	w := waiting{pressed: l.Pressed, gained: l.Gained, wasRunning: l.WasRunning, at: t.now, clock: t.c.Times()}
	if l.Earlier != 0 {
		w.at.At = l.Earlier
	}
	return w
}

// putInLine puts a press in line, if the one before it is not judged yet and the board may still show what was done
// before that one. A recording without times has no measure for it.
func (t *Tracker) putInLine(l evidence.Lever) bool {
	for t.pend.on && (len(t.line) == maxLine || !l.WasRunning && len(t.line) > 0) {
		t.giveUp() // no press overtakes those in line
		t.nextPress()
	}
	if !t.pend.on || !t.hands.timed || !l.WasRunning {
		return false
	}
	if n := len(t.line); n > 0 && t.now.At-t.line[n-1].at.At < swungUS {
		t.reportBounce(t.line[n-1].pressed, t.line[n-1].gained)
		t.reportBounce(l.Pressed, l.Gained)
		t.line = t.line[:n-1] // there and back
		return true
	}
	if t.thereAndBack(l) {
		return true
	}
	end := t.pend.at + t.bound().US
	if len(t.line) == 0 && (t.now.At >= end || t.bounced()) {
		return false
	}
	t.line = append(t.line, t.waitingFor(l))
	t.wantDump = true
	t.shortenWait()
	return true
}

// thereAndBack drops the press that waits, and this one, where both came right after a press that was judged, quicker
// than any hand: the lever bounced. After the first ply of a game they may also come later, if they are quicker than
// any two hands.
func (t *Tracker) thereAndBack(l evidence.Lever) bool {
	back := t.now.At - t.pend.at
	// The first ply's press shows the sides of the clock.
	afterPress := t.pend.at-t.pressedAt < swungUS || back < noHandUS && t.g.last().ply == 1
	if len(t.line) > 0 || back <= 0 || back >= play.PushedUS || t.pressedAt == 0 || !afterPress {
		return false
	}
	t.note("lever_bounced", words.Say("row.lever_bounced"))
	t.reportBounce(t.pend.side, t.pressGainedSec)
	t.reportBounce(l.Pressed, l.Gained)
	t.pend = pending{}
	return true
}

// bounced reports whether the lever has now been moved three times within a moment, and no piece: it bounced.
func (t *Tracker) bounced() bool {
	return t.turnPressedAt > 0 && t.pend.at-t.turnPressedAt < swungUS && t.now.At-t.pend.at < swungUS && t.b.Live == t.g.last().place
}

// reportBounce reports the time that a bouncing lever has added for a player, so that a correction removes it again.
func (t *Tracker) reportBounce(side evidence.ClockSide, gained int) {
	if s := t.c.Player(side); s != legal.NoSide {
		t.emit(Turn{Stamp: t.now, Game: t.games, What: LeverBounced, Side: s, Clock: t.c.Times(), Gained: gained})
	}
}

// shortenWait ends the wait of the press before those in line as soon as nothing from before it can come.
func (t *Tracker) shortenWait() {
	if t.pend.on && len(t.line) > 0 {
		t.pend.due = min(t.pend.due, max(t.pend.at+t.bound().US, t.now.At))
	}
}

// nextPress judges the presses in line until one has to wait itself.
func (t *Tracker) nextPress() {
	for !t.pend.on && len(t.line) > 0 {
		w := t.line[0]
		t.line = t.line[:copy(t.line, t.line[1:])]
		t.pressedThen(w)
		t.shortenWait()
	}
}

// overdue reports whether a press blocks those in line although no report from before it can come any more.
func (t *Tracker) overdue() bool {
	return t.pend.on && len(t.line) > 0 && t.now.At >= t.pend.at+t.bound().US
}
