package detector

import (
	"boardwatchd/detector/offence"
	"boardwatchd/detector/play"
	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// This file reports a press that shows a quiet, readable board which no legal play and no check explains. It is certain
// that the board is not legal, but not what was done: the finding shows the arbiter the differing squares, and names
// only the player who pressed (laws notes 1.4, sensor.unknown). It is withdrawn when the game goes on by legal moves
// from the position before.
//
// Innocent look-alikes, which are not reported: a piece in the hand or not read; reports that were lost or damaged; a
// scramble; a press after another unexplained one; moves and replies of which some were not pressed.

// unexplained returns the finding for the waiting press, if everything that it requires is known.
func (t *Tracker) unexplained(s legal.Side) (Found, bool) {
	v := t.viewAtPress(s, true)
	if !t.allReported() || !t.turnCertain(s) || !t.stoodQuiet(&v, s) || v.Scramble(s) {
		return Found{}, false
	}
	v.Base = v.Pos.Placement()
	v.Diff = play.Difference(&v.Base, &v.At)
	if v.Diff == 0 {
		return Found{}, false // nothing has moved: see nothingMovedRows
	}
	if king := v.Pos.KingSquare(s); t.trust.castlingRightsDoubtful && v.At[king] != v.Base[king] {
		return Found{}, false // the player may have the right to castle
	}
	if !v.AllThere(s, t.b.Verified >= t.pend.at) && !t.lies(&v) || t.playable(&v) {
		return Found{}, false
	}
	sh := v.ShapeOf(kinds.NotUnderstood, rules.Certain, v.Diff)
	sh.Reason = words.Say("why.unknown", v.Differing())
	return t.newFinding(&sh, &v), true
}

// allReported reports whether no report is missing and every piece is read.
func (t *Tracker) allReported() bool {
	return !t.trust.bytesDamaged && !t.sync.reportsLost && !t.b.HistoryIncomplete && !t.b.Unreadable && t.b.CountedUnread == 0 && t.trusted(t.pend.at)
}

// turnCertain reports whether it was the turn of the player who pressed, and the players play from the record.
func (t *Tracker) turnCertain(s legal.Side) bool {
	base := t.g.last()
	open := base.wrong.open() || t.alt.on || t.paused() || t.doubtful() || t.trust.movesUntilTrusted > 0
	return !open && t.c.Player(t.pend.side) == s && s == base.pos.Turn() && len(t.line) == 0
}

// stoodQuiet reports whether the board has rested as the press left it, until now or until the opponent began to move.
func (t *Tracker) stoodQuiet(v *offence.View, s legal.Side) bool {
	if v.At == t.b.Live {
		return t.now.At-t.b.LastAt >= quietUS
	}
	if len(v.Changes) == 0 || len(v.Later) == 0 || v.Later[0].Window.Hi-v.Changes[len(v.Changes)-1].Window.Hi < quietUS {
		return false
	}
	for i := range v.Later {
		if v.Later[i].Is.Side() == s {
			return false
		}
	}
	return true
}

// lies reports whether pieces that are not read lie where they fell, and not in a hand: a dump since the press shows
// the board as the press left it, and it has rested for longer than a hand holds a piece.
func (t *Tracker) lies(v *offence.View) bool {
	return v.At == t.b.Live && t.b.Verified >= t.pend.at && t.now.At-t.b.LastAt >= lyingUS
}

// playable reports whether a few legal plies lead to the board, seen or not, or lead to it with the next one begun.
func (t *Tracker) playable(v *offence.View) bool {
	for d := 2; d <= maxUnpressed; d++ {
		if play.CanBePlies(v.Pos, &v.At, d, ^t.b.Touched()) {
			return true
		}
	}
	return v.BegunAfter(1) || v.BegunAfter(2)
}

// maxUnpressed is the greatest number of plies without a press that are tried.
const maxUnpressed = 4

// dropUnexplained withdraws the finding: legal moves go on from the position before.
func (t *Tracker) dropUnexplained() {
	t.withdraw(&t.unexplainedPress, words.Say("withdrawn.goes_on"))
}

// withdraw drops a finding, if there is one, and forgets it.
func (t *Tracker) withdraw(f *Found, why words.Sentence) {
	if was := *f; was.ID != "" {
		*f = Found{}
		t.drop(was, why)
	}
}

// bothPressedBefore reports whether both players have made unexplained presses since the last ply of the record, in a
// recording without requested dumps that is known to have lost reports: the board then shows more than one ply.
func (t *Tracker) bothPressedBefore() bool {
	return t.p.Passive && t.alt.presses >= bothPressed && t.trust.bytesDamaged
}

// playedMore goes on, at a press of s, from the board after n changes (the present one for a negative n), after plies
// that are not known: one for each press.
func (t *Tracker) playedMore(s legal.Side, n int) bool {
	if n < 0 {
		n = len(t.b.Changes)
	}
	pos, ok := t.positionFrom(t.b.After(n), s.Other())
	if !ok {
		return false
	}
	t.rebaseOn(pos, t.g.last().ply+t.alt.presses+1, false)
	t.trust.movesUntilTrusted, t.trust.castlingRightsDoubtful = movesUntilSound, true
	t.b.Rebase(n)
	t.clearDoubts()
	t.noteGuessedPlies()
	t.emitPress(s, "ok")
	t.checkEnd()
	return true
}
