package detector

import (
	"boardwatchd/detector/evidence"
	"boardwatchd/detector/offence"
	"boardwatchd/detector/play"
	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

// This file judges the board when the clock is back after it was disconnected while it ran. The players have gone on:
// the presses meanwhile were not reported, and the board has shown the plies. The lever shows who pressed last.
//
// Innocent look-alikes: the clock was stopped meanwhile, and an arbiter has set up another position or another clock;
// the next piece is in the hand.

// offenceWhileDisconnected is what the board shows when the clock is back.
type offenceWhileDisconnected struct {
	first legal.Move // the ply before the illegal move; the board showed it by itself
	after int        // number of changes after which the board showed first; 0: there is none
	shape offence.Shape
	view  offence.View
}

// clockIsBack explains the board on which the clock is found running again.
func (t *Tracker) clockIsBack(l evidence.Lever) {
	if x, ok := t.offenceWhileOut(&l); ok {
		t.reportWhileDisconnected(&x)
		return
	}
	t.resumed()
	if turn, pos := t.c.Turn(), t.g.pos(); t.alt.on && t.alt.live == t.b.Live && t.paused() {
		if turn == pos.Turn() {
			t.alt.presses = max(t.alt.presses, 2) // something was played, and the lever is where it was
		}
		t.turn.restartedOn = t.b.After(t.beforeTurn(turn))
		t.alt.live = t.turn.restartedOn
		t.alt.pos, t.alt.valid = t.positionFrom(t.alt.live, turn)
	}
}

// offenceWhileOut returns the illegal move of the player who pressed last, which the board shows: at once, or after a
// legal move that was on the board by itself.
func (t *Tracker) offenceWhileOut(l *evidence.Lever) (x offenceWhileDisconnected, ok bool) {
	turn, base := t.c.Turn(), t.g.last()
	n := t.beforeTurn(turn)
	if turn == legal.NoSide || n == 0 || t.b.Stood(n) < quietUS*t.speed()/1000 || t.judgementPaused || t.doubtful() || t.mistrustsBoard() || !t.ranWhileDisconnected(l) {
		return x, false
	}
	if base.pos.Turn() != turn {
		return t.whileOutFrom(base, 0, n)
	}
	found := 0
	play.AnyMove(&base.pos, func(m legal.Move) bool {
		after := node{pos: base.pos.After(m), place: play.PlacementAfter(base.place, m), ply: base.ply + 1}
		k := t.b.Seen(&after.place)
		if k <= 0 || k >= n || t.b.Stood(k) < play.StillUS {
			return false
		}
		if y, is := t.whileOutFrom(&after, k, n); is {
			x, found = y, found+1
			x.first = m
		}
		return found > 1
	})
	return x, found == 1
}

// mistrustsBoard reports whether the board or the record may be wrong.
func (t *Tracker) mistrustsBoard() bool {
	return t.trust.bytesDamaged || t.sync.reportsLost || t.alt.on || t.paused() || t.b.HistoryIncomplete || t.b.Unreadable || t.b.CountedUnread != 0 || t.b.FromDump() || t.g.last().wrong.open()
}

// ranWhileDisconnected reports whether the times of the clock allow no stop while it was disconnected: any time that
// they have not lost was added by the presses since the last one that was reported.
func (t *Tracker) ranWhileDisconnected(l *evidence.Lever) bool {
	presses := 2
	for i := len(t.g.nodes) - 1; i > 0 && t.g.nodes[i].by != ByPress; i-- {
		presses++
	}
	elapsed := (t.now.At - l.Heard) * 1000 / t.speed()
	added := int64(t.c.Last.Left+t.c.Last.Right-l.Before.Left-l.Before.Right)*1_000_000 + elapsed
	return added <= int64(presses*t.c.Bonus)*1_000_000+faceUS
}

// beforeTurn returns the number of changes before the player to move lifted the first piece.
func (t *Tracker) beforeTurn(turn legal.Side) int {
	n := len(t.b.Changes)
	for n > 0 && t.b.Changes[n-1].Is == legal.NoPiece && t.b.Changes[n-1].Was.Side() == turn {
		n--
	}
	return n
}

// whileOutFrom returns the offence of the side to move in a position, made from the k-th change to the n-th.
func (t *Tracker) whileOutFrom(from *node, k, n int) (x offenceWhileDisconnected, ok bool) {
	v := t.view(n)
	v.Changes, v.Origin, v.Pos = v.Changes[k:], t.b.After(k), &from.pos
	if k > 0 {
		v.Line, v.Ply, v.ReadEmpty = t.g.with(*from), from.ply, from.empty
	}
	v.Press, v.Final, v.By = evidence.Window{Lo: t.b.Changes[n-1].Window.Hi, Hi: t.now.At}, true, from.pos.Turn()
	sh, ok := t.recognise(&v)
	if !ok || !sh.Kind.Illegal() || sh.Proof != rules.Certain || sh.Side != v.By || sh.Answered || sh.MayBeCompleted {
		return x, false
	}
	if sh.Kind == kinds.IllegalNoMove || sh.Kind == kinds.IllegalCastleRightLost && t.trust.castlingRightsDoubtful {
		return x, false
	}
	return offenceWhileDisconnected{after: k, shape: sh, view: v}, t.sameAsRead(&sh, &v)
}

// reportWhileDisconnected reports the offence. The proof is only strong: its press was not reported.
func (t *Tracker) reportWhileDisconnected(x *offenceWhileDisconnected) {
	if x.after > 0 {
		t.commit(x.first, ByReply, x.after)
		if t.phase != playing {
			return
		}
		window := x.view.Press
		x.view = t.view(len(x.view.Changes))
		x.view.Press, x.view.Final, x.view.By = window, true, x.shape.Side
		x.view.Prepare()
	}
	x.shape.Proof, x.shape.Permille = rules.Strong, offence.StrongPermille
	t.pressSeq, t.pressClock, t.pressGainedSec, t.leverSeen = 0, evidence.Times{}, -1, true
	t.openOffence(x.shape.Side, &x.shape, &x.view)
}
