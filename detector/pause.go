package detector

import (
	"slices"

	"boardwatchd/detector/evidence"
	"boardwatchd/detector/play"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// This file explains the board on which the clock is started again after a stop: nothing has changed, moves were taken
// back or made, an illegal move was put right, or the pieces were put up otherwise.

// paused reports whether the clock was started, since the last move, on another board than that move left, which the
// arbiter may have corrected.
func (t *Tracker) paused() bool { return t.turn.restartedOn != legal.Placement{} }

// pauseOver explains the board on which the clock was started again.
func (t *Tracker) pauseOver(turn legal.Side) {
	t.sidesAfterPause(turn)
	if t.putRightInPause(turn) {
		return
	}
	live := &t.b.Live
	if good, ok := t.beneath(); ok && good.place == *live {
		if good.pos.Turn() == turn {
			t.takeBack(1)
		}
		return // otherwise the lever is still to be put right
	}
	if t.restoredWithErrors(turn) {
		t.takeBack(1)
	}
	base := t.g.last()
	if base.place == *live || turn == legal.NoSide {
		t.b.DropSince(t.c.Stopped) // what was shown while the clock stood was not played
		t.allowTurnGiven(turn)
		return
	}
	t.turn.restartedOn = *live
	if t.sync.pliesUnknown {
		t.noteUnexplainedBoard(turn)
		return
	}
	if m, ok := play.OnePly(&base.pos, live); ok {
		if turn != base.pos.Turn() {
			t.commit(m, ByPress, -1) // the lever was moved while the clock was stopped: that completes the move
		}
		return // otherwise the move was made and not pressed yet
	}
	if k := t.g.earlier(live, turn); k > 0 {
		t.takeBack(k)
		return
	}
	if t.putBackAndPlayed(turn) || t.playedInPause(turn) {
		return
	}
	t.reportPutUpWrongly()
	t.noteLoss() // the position may have been set up or corrected during the pause
	t.noteUnexplainedBoard(turn)
}

// allowTurnGiven allows for the arbiter having given the turn to the other side: the clock was started for the player
// who does not have the move, and nothing has moved. Or the lever still has to be put right.
func (t *Tracker) allowTurnGiven(turn legal.Side) {
	if pos := t.g.pos(); turn == pos.Turn().Other() && !t.alt.on {
		t.mayPlayOnFrom(t.b.Live, turn, 1)
	}
}

// putBackAndPlayed takes moves back where the position before them was on the board during the pause, and one move has
// been made or begun since: by the player whose time was started, because a clock reports its start late; or made by
// the other one, and then the lever completes it.
func (t *Tracker) putBackAndPlayed(turn legal.Side) bool {
	for k := 1; k <= mostPutBack && k < len(t.g.nodes); k++ {
		n := &t.g.nodes[len(t.g.nodes)-1-k]
		m, played := play.OnePly(&n.pos, &t.b.Live)
		begun := n.pos.Turn() == turn && play.InProgressScan(&n.place, &t.b.Live, turn)
		if changes := t.b.Seen(&n.place); (played || begun) && changes > 0 && t.b.Stood(changes) >= evidence.StoodUS {
			t.takeBackTo(k, changes)
			if turn == n.pos.Turn().Other() {
				t.commit(m, ByPress, -1)
			}
			return true
		}
	}
	return false
}

// mostPutBack is the number of plies of the record that putBackAndPlayed tries.
const mostPutBack = 4

// playedInPause commits plies that were made while the clock was stopped, without an objection: the board has shown one
// after the other, and then it is the turn of the player whose time was started.
func (t *Tracker) playedInPause(turn legal.Side) bool {
	steps := t.shownOnBoard(t.now.At)
	if len(steps) == 0 || slices.ContainsFunc(steps, func(s play.Step) bool { return s.Broken }) {
		return false
	}
	pos := steps[len(steps)-1].After
	m, ok := play.OnePly(&pos, &t.b.Live)
	if !ok || pos.Turn() != turn.Other() {
		return false
	}
	t.commitSteps(steps)
	t.commit(m, ByReply, -1)
	return true
}

// noteUnexplainedBoard notes that the board was changed while nothing was judged, and the record does not explain how:
// nothing is reported against a player until a move has been made from the board as it is now (laws notes 5.3).
func (t *Tracker) noteUnexplainedBoard(turn legal.Side) {
	t.trust.boardUnexplained = true
	t.trust.castlingRightsDoubtful = t.trust.castlingRightsDoubtful || t.setUpInPause(&t.b.Live)
	if turn == legal.NoSide {
		return
	}
	presses := 0
	if pos := t.g.pos(); pos.Turn() != turn {
		presses = 1
	}
	t.mayPlayOnFrom(t.b.Live, turn, max(t.alt.presses, presses))
}

// reportPutUpWrongly reports, when the clock is started again, that the pieces were put up wrongly in the stop: on the
// board of one of the last plies two pieces stand on each other's squares, or one stands elsewhere. Who put them there
// is unknown, and an arbiter may have corrected the position: that is for a person to look at.
func (t *Tracker) reportPutUpWrongly() {
	ruled := t.fault.side != legal.NoSide && t.fault.ply >= t.g.last().ply // the rules compare the board with the ruling
	if ruled || t.judgementPaused || t.boardUnknown() || t.doubtful() || t.sync.reportsLost || t.gapLately() || t.promoting() {
		return
	}
	recent := t.g.nodes[max(len(t.g.nodes)-1-mostPutBack, 0):]
	if slices.ContainsFunc(recent, func(n node) bool { _, played := play.OnePly(&n.pos, &t.b.Live); return played }) {
		return
	}
	for i := range recent {
		n := &recent[len(recent)-1-i]
		if diff := play.Difference(&n.place, &t.b.Live); reordered(&n.place, &t.b.Live, diff) {
			v := t.view(len(t.b.Changes))
			sh := nobodysDisplaced(&v, diff)
			sh.Reason, sh.Note = words.Say("reason.put_up_wrongly"), words.Sentence{}
			t.openFinding(t.newFinding(sh, &v))
			return
		}
	}
}

// reordered reports whether two placements differ in one piece on another square, or in two on each other's squares.
func reordered(was, is *legal.Placement, diff uint64) bool {
	if play.Count(diff) != 2 {
		return false
	}
	squares := play.SquareList(diff)
	a, b := squares[0], squares[1]
	return was[a] == is[b] && was[b] == is[a]
}
