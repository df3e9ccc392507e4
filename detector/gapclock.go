package detector

import (
	"math"
	"slices"

	"boardwatchd/detector/evidence"
	"boardwatchd/detector/offence"
	"boardwatchd/detector/play"
	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

// This file bounds what can have been played in a gap, by the clock's times before and after it.

// maxInGap returns the greatest number of presses that the gap can have held: each takes a while, and adds the
// increment. A pause in the gap only makes the bound larger. It has no effect unless the clock was read after the dump,
// because the first reading may have waited in the line since before the gap.
func (t *Tracker) maxInGap() int {
	if t.sync.beforeAt == 0 || !t.c.Valid || t.sync.readAt == 0 || t.c.ReadAt < t.sync.readAt {
		return play.MaxLost
	}
	elapsed := max(t.c.ReadAt-t.sync.beforeAt, 0) * 1000 / t.speed()
	_, most := t.countedInGap()
	return int(min(elapsed/quickestPlyUS, most, play.MaxLost))
}

// countedInGap returns how many presses the increments account for that the clock shows after the gap.
func (t *Tracker) countedInGap() (least, most int64) {
	added, ok := t.addedInGap()
	if !ok {
		return 0, math.MaxInt64
	}
	bonus := int64(t.c.Bonus) * 1_000_000
	return (max(added-faceUS, 0) + bonus - 1) / bonus, max(added+faceUS, 0) / bonus
}

// onePlyInGap reports whether the gap has held at most one press, by the increments and by the lever, which an odd
// number of presses leaves on its other side.
func (t *Tracker) onePlyInGap() bool {
	_, most := t.countedInGap()
	return most < 2 || most == 2 && t.sync.before.Up != t.c.Last.Up || t.untouchedInGap()
}

// untouchedInGap reports whether nothing was played in the gap: the dump has found no change, the lever is where it
// was, and the resting side shows the same second. Moves to and fro would have taken longer.
func (t *Tracker) untouchedInGap() bool {
	before, after := &t.sync.before, &t.c.Last
	rest := before.Up.Other()
	return t.c.Valid && t.c.ReadAt >= t.sync.readAt && before.Running && after.Running && before.Up == after.Up &&
		before.Seconds(rest) == after.Seconds(rest) && !t.b.FromDump()
}

// restingRan reports whether the time of the player who did not have the move before the gap, and does not have it
// after it, has run meanwhile: both players have pressed.
func (t *Tracker) restingRan() bool {
	before, after := &t.sync.before, &t.c.Last
	rest := before.Up.Other()
	running := t.sync.beforeAt != 0 && t.c.Valid && before.Running && after.Running
	return running && before.Up == after.Up && before.Seconds(rest)-after.Seconds(rest) >= 2 // one is shown a second late
}

// addedInGap returns the time that the presses in the gap have added to the clock; ok is false where it is unknown. A
// clock that was stopped since, with the lever as it was, is read as it last ran.
func (t *Tracker) addedInGap() (us int64, ok bool) {
	before, after, at := &t.sync.before, &t.c.Last, t.c.ReadAt
	if !after.Running && t.sync.ranAt != 0 && t.sync.ran.Up == after.Up {
		after, at = &t.sync.ran, t.sync.ranAt
	}
	if !t.c.Valid || at < t.sync.readAt || t.c.Bonus == 0 || !before.Running || !after.Running {
		return 0, false
	}
	elapsed := max(at-t.sync.beforeAt, 0) * 1000 / t.speed()
	return int64(after.Left+after.Right-before.Left-before.Right)*1_000_000 + elapsed, true
}

// fewestInGap returns the least number of presses that the gap has held, by the increments that the clock shows after
// it. Where a display is read late, about every other press shows a second less than it has added: the increment may be
// a second more than the greatest that was seen.
func (t *Tracker) fewestInGap() int {
	added, ok := t.addedInGap()
	if !ok {
		return 0
	}
	bonus := int64(t.c.Bonus+1) * 1_000_000
	n := (max(added-faceUS, 0) + bonus - 1) / bonus
	if n > t.roomInGap() {
		return 0 // the clock has been set
	}
	return int(n)
}

// clockWillTell reports whether the clock has not been read yet after the dump, and will be: it counts every second.
func (t *Tracker) clockWillTell() bool {
	return t.sync.beforeAt != 0 && t.c.Running() && t.sync.readAt != 0 && t.c.ReadAt < t.sync.readAt && t.now.At < t.sync.readAt+evidence.TickUS*t.speed()/1000
}

// holds reports whether the gap can have held a row of d plies, together with the presses that were reported; the last
// ply of an open row is not pressed.
func (t *Tracker) holds(d int, open bool) bool {
	if open {
		d--
	}
	return t.p.Passive || d <= t.maxInGap()+t.sync.presses
}

// offenceInGap reports the illegal move that the board shows after a gap, where the lever shows one press, that of the
// player who had the move, and the gap leaves no room for rows longer than can be searched. The board must have
// reported part of it by itself: nothing is reported that only a dump has found. A dump has no checksum, so two of them
// must agree, and no hand may be at work.
func (t *Tracker) offenceInGap(turn legal.Side, least int) bool {
	s := t.g.last().pos.Turn()
	sh, v, ok := t.shownInGap(turn, least)
	if !ok || t.sync.presses+t.maxInGap() >= play.MaxLost && !t.untouchedInGap() {
		return false // a longer row may lead to the board
	}
	if still := t.b.ReportedLast() + stillScans*t.p.ScanUS; t.now.At < still {
		t.sync.active, t.sync.at = true, still
		return true
	}
	if !t.sync.dumpAgreed {
		t.sync.active, t.sync.dumped, t.wantDump = true, false, true
		return true
	}
	t.sync.reportsLost = false
	if t.sync.presses > 0 {
		t.reportOffence(s, &sh, &v)
	} else {
		t.pressSeq, t.pressClock, t.pressGainedSec = 0, evidence.Times{}, -1 // that press was not reported
		t.openOffence(s, &sh, &v)
	}
	return true
}

// shownInGap returns the illegal move of the player who had the move, if the board has reported part of it by itself,
// and the lever shows that player's press.
func (t *Tracker) shownInGap(turn legal.Side, least int) (sh offence.Shape, v offence.View, ok bool) {
	s := t.g.last().pos.Turn()
	if t.p.Passive || least != 1 || turn != s.Other() || t.mistrustsRecord() {
		return sh, v, false
	}
	v = t.view(len(t.b.Changes))
	v.Press, v.Final = evidence.Window{Lo: t.sync.beforeAt, Hi: t.now.At}, true
	sh, ok = t.recognise(&v)
	if !ok || !sh.Kind.Illegal() || sh.Proof != rules.Certain || sh.Side != s || sh.Answered || !reportedOn(v.Changes, sh.Squares) {
		return sh, v, false
	}
	// A castling right may be lost in the record only: king or rook may not have moved at all.
	return sh, v, sh.Kind != kinds.IllegalCastleRightLost || !t.trust.castlingRightsDoubtful
}

// mistrustsRecord reports whether the players may not have played from the record before the gap, or the board may have
// read otherwise.
func (t *Tracker) mistrustsRecord() bool {
	return !t.sync.allPressesConfirmed || t.doubtful() || t.b.CountedUnread != 0 || t.trust.bytesDamaged || t.alt.on || t.g.last().wrong.open()
}

// reportedOn reports whether the board has reported a change of one of the squares by itself.
func reportedOn(changes []evidence.Change, set uint64) bool {
	return slices.ContainsFunc(changes, func(c evidence.Change) bool { return !c.FromDump && set>>c.Square&1 != 0 })
}

// speed returns how long a second of the players takes, in milliseconds: the widths follow the speed of a rehearsal,
// and so does a second of its clock.
func (t *Tracker) speed() int64 { return min(max(t.p.ClockLagUS/1000, 1), 1000) }
