package detector

import (
	"boardwatchd/detector/offence"
	"boardwatchd/detector/play"
	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// A press shows a quiet, readable board that no legal play and no check explains. That it is not legal is certain, what
// was done is not known: the arbiter is told which squares differ, and nobody is named but who pressed (laws notes 1.4,
// sensor.unknown). It is withdrawn when the game goes on by legal moves from the position before.
//
// Innocent look-alikes, which are not reported: a piece in the hand or not read; reports that were lost or damaged; a
// scramble; a press after another one that nothing explained; moves and replies of which some were not pressed.

// unexplained returns the finding for the waiting press, if all that is needed to tell it is known.
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
	if king := v.Pos.KingSquare(s); t.trust.movedHome && v.At[king] != v.Base[king] {
		return Found{}, false // he may have the right to castle
	}
	if !v.AllThere(s, t.b.Verified >= t.pend.at) && !t.lies(&v) || t.playable(&v) {
		return Found{}, false
	}
	sh := v.ShapeOf(kinds.NotUnderstood, rules.Certain, v.Diff)
	sh.Reason = words.Say("why.unknown", v.Differing())
	return t.found(&sh, &v), true
}

// allReported says that no report is missing and every piece is read.
func (t *Tracker) allReported() bool {
	return !t.trust.noisy && !t.sync.lost && !t.b.Folded && !t.b.Unreadable && t.b.Doubt == 0 && t.trusted(t.pend.at)
}

// turnCertain says that it was the turn of the player who pressed, and that the record is what is played from.
func (t *Tracker) turnCertain(s legal.Side) bool {
	base := t.g.last()
	open := base.wrong.open() || t.alt.on || t.paused() || t.doubtful() || t.trust.moves > 0
	return !open && t.c.Player(t.pend.side) == s && s == base.pos.Turn() && len(t.line) == 0
}

// stoodQuiet says that the board has kept still as the press left it, until now or until the opponent began to move.
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

// lies says that pieces which are not read lie where they fell, and are in nobody's hand: the board has been read since
// the press as it left it, and has kept still for longer than a hand holds a piece.
func (t *Tracker) lies(v *offence.View) bool {
	return v.At == t.b.Live && t.b.Verified >= t.pend.at && t.now.At-t.b.LastAt >= lyingUS
}

// playable says that a few legal plies lead to the board, seen or not, or lead to it with the next one begun.
func (t *Tracker) playable(v *offence.View) bool {
	for d := 2; d <= maxUnpressed; d++ {
		if play.CanBePlies(v.Pos, &v.At, d, ^t.b.Touched()) {
			return true
		}
	}
	return v.BegunAfter(1) || v.BegunAfter(2)
}

// maxUnpressed is how many plies are looked for that nobody pressed.
const maxUnpressed = 4

// dropUnexplained withdraws it: legal moves go on from the position before.
func (t *Tracker) dropUnexplained() {
	t.withdraw(&t.strange, words.Say("withdrawn.goes_on"))
}

// withdraw drops what was found, if anything was, and forgets it.
func (t *Tracker) withdraw(f *Found, why words.Sentence) {
	if was := *f; was.ID != "" {
		*f = Found{}
		t.drop(was, why)
	}
}

// bothPressedBefore says that both players have pressed since the last ply of the record, for what nothing explained, where
// reports are known to be lost and nobody asks for a dump: what the board shows is that of more plies than one.
func (t *Tracker) bothPressedBefore() bool {
	return t.p.Passive && t.alt.presses >= bothPressed && t.trust.noisy
}

// playedMore goes on from the board after n changes, negative: as it stands, at a press of s after plies that are not known:
// one for each press.
func (t *Tracker) playedMore(s legal.Side, n int) bool {
	if n < 0 {
		n = len(t.b.Changes)
	}
	pos, ok := t.positionFrom(t.b.After(n), s.Other())
	if !ok {
		return false
	}
	t.rebaseOn(pos, t.g.last().ply+t.alt.presses+1, false)
	t.trust.moves, t.trust.movedHome = movesUntilSound, true
	t.b.Rebase(n)
	t.settled()
	t.guess()
	t.emitPress(s, "ok")
	t.checkEnd()
	return true
}
