package detector

import (
	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

// The clock was not connected for a while in which it ran, and is back. The players have gone on: the presses in between
// were heard by nobody, and the board has shown the plies. The lever tells who pressed last.
//
// Innocent look-alikes: the clock was stopped meanwhile, and an arbiter has set up another position or another clock;
// the next piece is in the air.

// backOn is what the board shows when the clock is back.
type backOn struct {
	first legal.Move // the ply before the illegal move, which stood alone after that many changes …
	after int        // … 0: there is none
	shape shape
	view  view
}

// clockIsBack explains the board on which the clock is found running again.
func (t *Tracker) clockIsBack(l lever) {
	if x, ok := t.offenceWhileOut(&l); ok {
		t.tellWhileOut(&x)
		return
	}
	t.resumed()
	if turn, pos := t.c.turn(), t.g.pos(); t.alt.on && t.alt.live == t.b.live && t.paused() {
		if turn == pos.Turn() {
			t.alt.presses = max(t.alt.presses, 2) // something was played, and the lever is where it was
		}
		t.pausedAs = t.b.after(t.beforeTurn(turn))
		t.alt.live = t.pausedAs
		t.alt.pos, t.alt.valid = t.positionFrom(t.alt.live, turn)
	}
}

// offenceWhileOut is the illegal move of the player whose press was the last, which the board shows: at once, or after a
// legal move that stood by itself.
func (t *Tracker) offenceWhileOut(l *lever) (x backOn, ok bool) {
	turn, base := t.c.turn(), t.g.last()
	n := t.beforeTurn(turn)
	if turn == legal.NoSide || n == 0 || t.b.stood(n) < quietUS*t.speed()/1000 || t.held || t.doubtful() || t.mistrustsBoard() || !t.ranOn(l) {
		return x, false
	}
	if base.pos.Turn() != turn {
		return t.whileOutFrom(base, 0, n)
	}
	found := 0
	anyMove(&base.pos, func(m legal.Move) bool {
		after := node{pos: base.pos.After(m), place: placementAfter(base.place, m), ply: base.ply + 1}
		k := t.b.seen(&after.place)
		if k <= 0 || k >= n || t.b.stood(k) < stillUS {
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

// mistrustsBoard says that the board or the record may be wrong.
func (t *Tracker) mistrustsBoard() bool {
	return t.noisy || t.sync.lost || t.alt.on || t.paused() || t.b.folded || t.b.unreadable || t.b.doubt != 0 || t.b.healed() || t.g.last().wrong.open()
}

// ranOn says that the times of the clock allow for no stop while it was out: what they have not lost the presses since
// the last one that was heard have added.
func (t *Tracker) ranOn(l *lever) bool {
	presses := 2
	for i := len(t.g.nodes) - 1; i > 0 && t.g.nodes[i].by != ByPress; i-- {
		presses++
	}
	elapsed := (t.now.At - l.heard) * 1000 / t.speed()
	added := int64(t.c.last.Left+t.c.last.Right-l.before.Left-l.before.Right)*1_000_000 + elapsed
	return added <= int64(presses*t.c.bonus)*1_000_000+faceUS
}

// beforeTurn is how many changes there were before the player to move lifted the first piece.
func (t *Tracker) beforeTurn(turn legal.Side) int {
	n := len(t.b.changes)
	for n > 0 && t.b.changes[n-1].is == legal.NoPiece && t.b.changes[n-1].was.Side() == turn {
		n--
	}
	return n
}

// whileOutFrom is what the side to move in a position has done against the Laws from the k-th change to the
// n-th.
func (t *Tracker) whileOutFrom(from *node, k, n int) (x backOn, ok bool) {
	v := t.view(n)
	v.changes, v.origin, v.pos = v.changes[k:], t.b.after(k), &from.pos
	if k > 0 {
		v.line, v.ply, v.unread = t.g.with(*from), from.ply, from.empty
	}
	v.press, v.final, v.by = Window{Lo: t.b.changes[n-1].win.Hi, Hi: t.now.At}, true, from.pos.Turn()
	sh, ok := t.recognise(&v)
	if !ok || !sh.kind.Illegal() || sh.proof != rules.Certain || sh.side != v.by || sh.answered || sh.open {
		return x, false
	}
	if sh.kind == kinds.IllegalNoMove || sh.kind == kinds.IllegalCastleRightLost && t.movedHome {
		return x, false
	}
	return backOn{after: k, shape: sh, view: v}, t.sameAsRead(&sh, &v)
}

// tellWhileOut tells it. It is likely only: nobody heard the press.
func (t *Tracker) tellWhileOut(x *backOn) {
	if x.after > 0 {
		t.commit(x.first, ByReply, x.after)
		if t.phase != playing {
			return
		}
		window := x.view.press
		x.view = t.view(len(x.view.changes))
		x.view.press, x.view.final, x.view.by = window, true, x.shape.side
		x.view.prepare()
	}
	x.shape.proof, x.shape.permille = rules.Strong, strongPermille
	t.pressSeq, t.pressClock, t.gained, t.leverSeen = 0, Times{}, -1, true
	t.followed(x.shape.side, &x.shape, &x.view)
}
