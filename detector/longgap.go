package detector

import (
	"iter"

	"boardwatchd/detector/evidence"
	"boardwatchd/detector/play"
	"boardwatchd/rules/legal"
)

// This file handles long gaps, in which more plies can have been played than the shortest row to the board has: both
// players may have moved a piece twice that could have gone there at once. Where the gap has room for such rows, the
// plies in it are not known. The game goes on from a board of a press, once a legal move and a press have followed:
// before that, the turn is a guess.

const (
	// hurryMilli is the part, in permille, of the time of their quick plies that players may need for each of some
	// plies.
	hurryMilli = 500
	// longGap is the number of plies that a long gap has room for.
	longGap = 5
)

// paced learns the pace of the game from the time between two presses: about a quarter of the plies took less.
func (t *Tracker) paced(us int64) {
	if t.pace = t.quickPly(); us < t.pace {
		t.pace -= t.pace / 8
	} else {
		t.pace += t.pace / 24
	}
}

func (t *Tracker) quickPly() int64 {
	if t.pace == 0 {
		return firstPaceUS * t.speed() / 1000
	}
	return t.pace
}

// roomInGap returns the number of plies that the last gap had time for; 0 in a recording, where it is not used.
func (t *Tracker) roomInGap() int64 {
	if t.sync.beforeAt == 0 || t.p.Passive {
		return 0
	}
	elapsed := max(t.sync.lostAt-t.sync.beforeAt, 0) * 1000 / t.speed()
	return elapsed / max(quickestPlyUS, t.quickPly()*hurryMilli/t.speed())
}

// lostTrack reports whether the plies of the last gap cannot be known from the board after it.
func (t *Tracker) lostTrack() bool {
	room := t.roomInGap()
	if room < longGap || t.b.GapToChange == 0 {
		return false
	}
	base, found := t.g.last(), t.b.After(t.b.GapToChange)
	if diff := play.Difference(&base.place, &found); diff == 0 || play.Count(diff) == 1 && found[play.Lowest(diff)] == legal.NoPiece {
		return false // at most a piece is in the hand
	}
	fewest, most := t.countedInGap()
	room = min(room, most)
	n := 1 // the length of the shortest row
	for n <= play.MaxLost && len(play.LostPlies(&base.pos, &found, n, 1)) == 0 {
		n++
	}
	switch {
	case n > play.MaxLost && fewest <= 2 && room < 4:
		return len(play.PliesThenBegun(&base.pos, &found, 2, 1)) == 0 // otherwise the next ply has begun
	case n >= play.MaxLost-1 || int64(n) < fewest:
		return true
	case n == 1:
		return room >= 2*longGap
	}
	return t.longerFits(base, &found, n, room)
}

// longerFits reports whether the gap has room for a longer row to the board than one of n plies.
func (t *Tracker) longerFits(base *node, found *legal.Placement, n int, room int64) bool {
	fits := func(plies int) bool { return len(play.LostPlies(&base.pos, found, plies, 1)) > 0 }
	switch {
	case fits(n + 1):
		return true // it is unknown whether the last ply is already pressed
	case int64(n+2) > room:
		return false
	}
	return n+2 > play.MaxLost || int64(n+4) <= room || fits(n+2)
}

// restAt keeps the time by which s has pressed after a gap: at some moment until then the board was the one from which
// the game goes on.
func (t *Tracker) restAt(s legal.Side) {
	t.wantDump = true
	t.alt = branch{on: true, presses: t.alt.presses + 1, until: t.now.At}
	t.alt.valid = t.standsAt(s.Other())
}

// standsAt reports whether the board rested at some moment of the press after the gap, and keeps the first position of
// which that is so.
func (t *Tracker) standsAt(turn legal.Side) (ok bool) {
	for i := range t.basesAfter(t.brieflyUS()) {
		t.alt.live = t.b.After(i)
		if t.alt.pos, ok = t.positionFrom(t.alt.live, turn); ok {
			return true
		}
	}
	return false
}

// basesAfter yields the numbers of changes after the gap at which the board then rested for that long: the record can
// go on only from a board at rest, and not from one with a piece in a hand. It looks at the time before the press after
// the gap was reported.
func (t *Tracker) basesAfter(still int64) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := t.b.ChangesUntil(t.alt.until); i > 0; i-- {
			if t.b.Stood(i) >= still && !yield(i) {
				return
			}
		}
	}
}

// restedAfter keeps the board that has come to rest after a gap.
func (t *Tracker) restedAfter() {
	if turn := t.c.Turn(); !t.alt.valid && turn != legal.NoSide && t.c.Running() {
		t.alt = branch{on: true, presses: max(t.alt.presses, 1), until: t.now.At}
		t.alt.valid = t.standsAt(turn)
	}
}

// goOnAfter goes on from the board where it has not been touched for long: a move that was made on it has been pressed.
// It returns true where it does so, or will look again.
func (t *Tracker) goOnAfter() bool {
	if quiet := t.b.LastAt + t.p.MismatchUS; t.now.At < quiet {
		t.mismatchAt = quiet
		return true
	}
	turn := t.c.Turn()
	pos, ok := t.positionFrom(t.b.Live, turn)
	if !ok || turn == legal.NoSide || t.pend.on {
		return false
	}
	if due := t.c.Stopped + standsUS; !t.c.Running() && t.now.At < due {
		t.mismatchAt = due
		return true
	}
	t.rebaseOn(pos, t.g.last().ply+1, true)
	t.trust.castlingRightsDoubtful = true
	t.b.Clear()
	t.clearDoubts()
	t.noteGuessedPlies()
	t.checkEnd()
	return true
}

// judgeAfter explains a press by a legal move from the board at the press before, where the plies of a gap are not
// known.
func (t *Tracker) judgeAfter(s legal.Side, final bool) bool {
	if !t.alt.on || !t.alt.valid || t.alt.pos.Turn() != s || !final && t.now.At-t.b.LastAt < t.p.LateUS {
		return false
	}
	for n := len(t.b.Changes); n > 0; n-- {
		if t.bound().After(t.judgedAt, &t.b.Changes[n-1]) {
			continue // put down after this press, which belongs to an earlier ply
		}
		place := t.b.After(n)
		if n < len(t.b.Changes) && (t.b.Stood(n) < t.brieflyUS() || !play.InProgressScan(&place, &t.b.Live, s.Other())) {
			continue
		}
		base, m, ok := t.playedAfter(&place, n)
		if !ok {
			continue
		}
		t.rebaseOn(base, t.g.last().ply+t.alt.presses, true)
		t.trust.castlingRightsDoubtful = true
		t.noteGuessedPlies()
		t.emitPress(s, "ok")
		t.commit(m, ByPress, n)
		return true
	}
	return false
}

// playedAfter returns the only legal move that leads to the board after n changes from a board at rest at the press
// before. Players in haste let no board rest for long; then a base is one that the opponent's legal move led to, since
// the opponent pressed there.
func (t *Tracker) playedAfter(to *legal.Placement, n int) (base legal.Position, m legal.Move, only bool) {
	base, m, found := t.playedFrom(to, n, t.basesAfter(evidence.StoodUS))
	if found == 0 && t.c.White != evidence.NoClockSide && t.b.ChangesUntil(t.judgedAt) >= n {
		base, m, found = t.playedFrom(to, n, t.ledTo())
	}
	return base, m, found == 1
}

// playedFrom returns the legal move that leads to the board after n changes from one of the bases; found is the number
// of such moves, at most two.
func (t *Tracker) playedFrom(to *legal.Placement, n int, bases iter.Seq[int]) (base legal.Position, m legal.Move, found int) {
	for i := range bases {
		if i >= n {
			continue
		}
		pos, ok := t.positionFrom(t.b.After(i), t.alt.pos.Turn())
		if !ok {
			continue
		}
		move, ok := play.OnePly(&pos, to)
		if !ok {
			continue
		}
		if found > 0 && (move != m || pos.Placement() != base.Placement()) {
			return base, m, 2
		}
		base, m, found = pos, move, 1
	}
	return base, m, found
}

// ledTo yields the bases that stayed only briefly and that a legal move of the player who had pressed there led to,
// from a board that stayed as long.
func (t *Tracker) ledTo() iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range t.basesAfter(t.brieflyUS()) {
			if place := t.b.After(i); t.ledBy(&place, i) && !yield(i) {
				return
			}
		}
	}
}

// ledBy reports whether a legal move of the player who pressed after the gap leads to a placement, from a board of some
// of the i changes before.
func (t *Tracker) ledBy(place *legal.Placement, i int) bool {
	for j := i - 1; j > 0; j-- {
		if t.b.Stood(j) < t.brieflyUS() {
			continue
		}
		if pos, ok := t.positionFrom(t.b.After(j), t.alt.pos.Turn().Other()); ok {
			if _, ok := play.OnePly(&pos, place); ok {
				return true
			}
		}
	}
	return false
}

// brieflyUS is the least time for which players in haste let a board stay between two moves.
func (t *Tracker) brieflyUS() int64 { return play.StillUS * t.speed() / 1000 }
