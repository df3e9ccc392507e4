package detector

import (
	"slices"

	"boardwatchd/detector/offence"
	"boardwatchd/detector/play"
	"boardwatchd/rules"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// This file recognises that an illegal move is restored, and the step into the other possible future, in which the
// opponent plays on from it.

// beneath returns the last good position while an illegal ply is on top of it.
func (t *Tracker) beneath() (*node, bool) {
	n := len(t.g.nodes)
	if n < 2 || !t.g.nodes[n-1].wrong.open() {
		return nil, false
	}
	return &t.g.nodes[n-2], true
}

// judgeRestored explains a press by the player who erred, or by the opponent, when the last good position has been set
// up again.
func (t *Tracker) judgeRestored(s legal.Side, at int64, final bool) bool {
	good, ok := t.beneath()
	if !ok {
		return false
	}
	m, ok := play.OnePly(&good.pos, &t.b.Live)
	if s != good.pos.Turn() {
		if good.place != t.b.Live && (!ok || t.replies()) && !(final && t.beingRestored(good)) && !t.restoredThenBegun(good) {
			return false
		}
		t.emitPress(s, "ok_late") // the pieces are back, or another move was already made; the turn is back as well
		t.pressedBack(s)
		t.turn.restored = !t.g.last().wrong.nullMove
		t.putBack()
		return true
	}
	if !ok {
		return false
	}
	if !final && t.stillMoving(&good.pos, m, at) {
		return false
	}
	t.putBack()
	t.emitPress(s, "ok_restored")
	t.commit(m, ByPress, -1)
	return true
}

// beingRestored reports whether the last good position is being set up: only squares of the illegal move differ from
// it, each empty or as that move left it, and one of them is already restored or empty.
func (t *Tracker) beingRestored(good *node) bool {
	top, begun := t.g.last(), false
	for sq, piece := range t.b.Live {
		before, wrong := good.place[sq], top.place[sq]
		switch {
		case before == wrong && piece != before, piece != before && piece != wrong && piece != legal.NoPiece:
			return false
		case piece != wrong:
			begun = true
		}
	}
	return begun
}

// restoredThenBegun reports whether an opponent's piece that an unknown person moved is back, and the player to move
// has begun a turn since.
func (t *Tracker) restoredThenBegun(good *node) bool {
	return t.g.last().wrong.done.side == legal.NoSide && t.b.Seen(&good.place) > 0 && play.InProgressScan(&good.place, &t.b.Live, good.pos.Turn())
}

// replies reports whether the board shows a legal reply to the illegal ply: then it counts as one.
func (t *Tracker) replies() bool {
	_, ok := play.OnePly(&t.g.last().pos, &t.b.Live)
	return ok
}

// pressedBack reports that the opponent of the player who erred has restarted that player's clock. Soon after a press
// without a move, that press was an accident and is withdrawn (reconstruction notes 7.4, row 60).
func (t *Tracker) pressedBack(s legal.Side) {
	top := t.g.last()
	if !top.wrong.nullMove {
		t.reportTurn(PressedBack, s)
		return
	}
	if t.now.At-t.lastNullPress.Window.Hi <= backUS {
		t.withdraw(&t.lastNullPress, words.Say("withdrawn.pressed_back"))
		t.pressedBackAt = t.now.At
	}
}

// drop withdraws a finding, whether or not it was confirmed.
func (t *Tracker) drop(f Found, why words.Sentence) {
	f.Stamp, f.State, f.Permille, f.Note = t.now, rules.Withdrawn, 0, why
	t.detachFinding(f.ID)
	t.await = slices.DeleteFunc(t.await, func(a awaited) bool { return a.ID == f.ID })
	t.emit(f)
	t.correctWithdrawnPly(f.ID)
}

// judgePutRight explains a press by two legal plies from the last good position: the player corrected the illegal move
// while the opponent's clock ran, and the opponent has answered. An answer to the illegal ply must not explain the
// board better.
func (t *Tracker) judgePutRight(s legal.Side, at int64, final bool) (done, wait bool) {
	good, ok := t.beneath()
	if !ok || s == good.pos.Turn() {
		return false, false
	}
	x, doubt, ok := t.explainPress(&good.pos, s, at)
	if !ok {
		t.commitCorrection(good, s, at)
		return t.phase != playing, false
	}
	if o, _, ok := t.explainPress(&t.g.last().pos, s, at); ok && o.Cost <= x.Cost && (o.Seen[0] > 0 || x.Seen[0] <= 0) {
		// The correcting move was not on the board by itself, or the answer to the illegal ply was.
		return false, false
	}
	if after := good.pos.After(x.Moves[0]); !final && (x.Seen[1] < 0 && t.reportsMayCome(at) || t.stillMoving(&after, x.Moves[1], at)) {
		return false, true // the answer is on its way
	}
	t.putBack()
	if doubt {
		t.noteAmbiguity()
	}
	t.emitPress(s, "ok")
	t.commit(x.Moves[0], ByReply, -1)
	t.commit(x.Moves[1], ByPress, -1)
	return true, false
}

// commitCorrection commits the legal move from the last good position by which the player who erred has corrected the
// illegal one while the clock of s ran, where the board has shown it and s has gone on since. The move of s is judged
// from there: it may be an offence of its own, whether or not the first one was restored.
func (t *Tracker) commitCorrection(good *node, s legal.Side, at int64) {
	played, n := legal.NoMove, max(t.b.Seen(&good.place), 0) // after these changes the player has moved anew
	play.AnyMove(&good.pos, func(m legal.Move) bool {
		place := play.PlacementAfter(good.place, m)
		if seen := t.b.Seen(&place); seen > n && seen < len(t.b.Changes) && t.b.Stood(seen) >= play.StillUS {
			played, n = m, seen
		}
		return false
	})
	if played == legal.NoMove {
		return
	}
	if _, _, ok := t.explainPress(&t.g.last().pos, s, at); ok {
		return // it is an answer to the illegal ply
	}
	t.putBack()
	t.commit(played, ByReply, n)
}

// putBack removes the illegal ply: the last good position is on the board again.
func (t *Tracker) putBack() {
	t.g.nodes = t.g.nodes[:len(t.g.nodes)-1]
	t.turn.replyReported = false
	t.reportPutBack()
}

// reportPutBack reports the ply from which the game goes on: a king capture and the illegal move before it are both
// removed.
func (t *Tracker) reportPutBack() {
	n := t.g.last()
	t.emit(Turn{Stamp: t.now, Game: t.games, What: PutBack, Side: n.pos.Turn(), Clock: t.c.Times(), Gained: -1, Ply: n.ply})
}

// promoted adopts the piece that was put on the promotion square after the press, even if it was captured since.
func (t *Tracker) promoted() {
	t.readAtLast()
	top := t.g.last()
	sq := top.wrong.promo
	if !top.wrong.open() || sq == legal.NoSquare {
		return
	}
	s, p := top.pos.Turn().Other(), t.b.Origin[sq]
	for i := range t.b.Changes {
		if c := &t.b.Changes[i]; c.Square == sq && c.Is.Side() == s {
			p = c.Is
		}
	}
	if p == top.place[sq] || p.Side() != s || !offence.CanPromoteTo(p.Kind()) {
		return
	}
	if pos, ok := withPiece(top, sq, p); ok {
		top.pos, top.place = pos, pos.Placement()
	}
}

// putRightInPause commits the legal move that the board shows instead of the illegal one, when the clock is started
// again for the opponent: a second new piece is off, or a pawn has been exchanged.
func (t *Tracker) putRightInPause(turn legal.Side) bool {
	good, ok := t.beneath()
	if !ok || turn != good.pos.Turn().Other() {
		return false
	}
	m, ok := play.OnePly(&good.pos, &t.b.Live)
	if !ok {
		return false
	}
	t.g.nodes = t.g.nodes[:len(t.g.nodes)-1]
	t.commit(m, ByArbiter, -1)
	return true
}

// putRightAndOver commits the legal move that the board shows instead of the illegal one, or the completed promotion,
// where that is mate or stalemate: it needs no press (FIDE Laws 5.1.1, 5.2.1).
func (t *Tracker) putRightAndOver() bool {
	good, ok := t.beneath()
	if !ok || t.afterStop(len(t.b.Changes)) {
		return false
	}
	m, ok := play.OnePly(&good.pos, &t.b.Live)
	if !ok {
		return false
	}
	after := good.pos.After(m)
	if o := after.Outcome(); o != legal.Checkmate && o != legal.Stalemate {
		return false
	}
	t.putBack()
	t.commit(m, ByTerminal, -1)
	return true
}

// maxErrors is the number of squares that may be wrong in a position that was set up again: a piece on the wrong
// square.
const maxErrors = 2

// restoredWithErrors reports whether the last good position was set up again in a pause with a piece on another square
// or missing: the illegal move is gone, and the clock is started for the player who had made it.
func (t *Tracker) restoredWithErrors(turn legal.Side) bool {
	good, ok := t.beneath()
	if !ok || turn != good.pos.Turn() || play.Count(play.Difference(&good.place, &t.b.Live)) > maxErrors {
		return false
	}
	top := t.g.last()
	for sq, piece := range top.place {
		if piece != good.place[sq] && t.b.Live[sq] == good.place[sq] {
			return true // a square of the illegal move is restored
		}
	}
	return false
}

// judgeReplaced explains a press by a legal move after another last move than the record has, which was set up in a
// pause: an arbiter has upheld a claim, or the players have agreed. Where the board fits the record again, nothing has
// been replaced.
func (t *Tracker) judgeReplaced(s legal.Side, at int64, final bool) (done, wait bool) {
	n := len(t.g.nodes)
	if !t.paused() || n < 2 || t.g.nodes[n-1].ply != t.g.nodes[n-2].ply+1 || t.g.nodes[n-1].pos.Turn() != s {
		return false, false
	}
	before := &t.g.nodes[n-2].pos
	m, ok := play.OnePly(before, &t.turn.restartedOn)
	if !ok {
		return false, false
	}
	after := before.After(m)
	r, ok := play.OnePly(&after, &t.b.Live)
	if _, as := play.OnePly(&t.g.nodes[n-1].pos, &t.b.Live); !ok || as {
		return false, false
	}
	if !final && t.stillMoving(&after, r, at) {
		return false, true
	}
	t.takeBack(1)
	t.emitPress(s, "ok")
	t.commit(m, ByArbiter, -1)
	if t.phase == playing {
		t.commit(r, ByPress, -1)
	}
	return true, false
}

// playedAnew explains a press by s by another last move of the opponent's than the record has, and the answer to it.
// The opponent put the first move back while the clock of s ran, and the board has shown both positions on the way: the
// players have agreed, and did not press for it.
func (t *Tracker) playedAnew(s legal.Side) bool {
	n := len(t.g.nodes)
	if n < 2 || t.g.last().wrong.on || t.g.last().pos.Turn() != s || t.doubtful() {
		return false
	}
	before := &t.g.nodes[n-2]
	back := t.b.Seen(&before.place)
	if back <= 0 || t.b.Stood(back) < play.StillUS {
		return false
	}
	shown := t.b.After(len(t.viewAtPress(s, true).Changes)) // the opponent may have gone on since
	r, ok := t.rowTo(&before.pos, &shown, 2)
	if !ok || !r.seen || len(r.also) > 0 {
		return false
	}
	t.takeBackTo(1, back)
	t.emitPress(s, "ok")
	place := before.place
	for i, by := range [...]CommittedBy{ByReply, ByPress} {
		if place = play.PlacementAfter(place, r.moves[i]); t.phase == playing {
			t.commit(r.moves[i], by, t.b.Seen(&place))
		}
	}
	return true
}

// recount makes the board count as it reads, where that gives a legal move that was reported since the last ply, and
// the board as it counts gives none: a piece that counted as fallen had been lifted.
func (t *Tracker) recount() {
	raw, differs := t.b.Uncounted()
	if !differs {
		return
	}
	pos := t.g.pos()
	if _, ok := play.OnePly(&pos, &t.b.Live); ok {
		return
	}
	if _, ok := play.OnePly(&pos, &raw); ok && t.b.Touched()&play.Difference(&t.g.last().place, &raw) != 0 {
		t.b.ReadOnly()
	}
}

// asRead returns the position at the beginning of the turn and the board as they read: without the pieces that count
// and have not been read, and with displaced, exchanged and left-over pieces where they are, or were when the turn
// began. The players play on with errors that are not corrected. Ok is false where nothing reads otherwise than it
// counts, or it is no position.
func (t *Tracker) asRead() (pos legal.Position, live legal.Placement, ok bool) {
	top := t.g.last()
	place := top.place
	for i := range place {
		if p, is := t.b.Misread(legal.Square(i)); is {
			place[i], ok = p, true
		}
	}
	if !ok {
		return pos, live, false
	}
	setup := top.pos.Setup()
	setup.Castling = play.KeptRights(&setup, &place)
	setup.Placement = place
	pos, err := setup.Standing()
	live, _ = t.b.Uncounted()
	return pos, live, err == nil
}

// playedAsRead explains a press by a legal move from the pieces as they read: the difference from the record was never
// corrected, and the players have gone on from there. It is tried before an accusation.
func (t *Tracker) playedAsRead(s legal.Side) bool {
	pos, live, ok := t.asRead()
	if !ok || s != pos.Turn() {
		return false
	}
	m, ok := play.OnePly(&pos, &live)
	if !ok {
		return false
	}
	top := t.g.last()
	top.pos, top.place = pos, pos.Placement()
	t.b.ReadOnly()
	t.noteBreak("row.broken_piece", &pos)
	t.emitPress(s, "ok")
	t.commit(m, ByPress, -1)
	return true
}

// repliedAsRead explains a press by a move of the opponent that was taken for a displaced piece, and the answer to it:
// the piece is read where that move put it, and the opponent's time has not run without a press. Both are the only such
// plies.
func (t *Tracker) repliedAsRead(s legal.Side) bool {
	base := t.g.last()
	raw, differs := t.b.Uncounted()
	if !differs || s == base.pos.Turn() || base.wrong.on {
		return false
	}
	rows := play.LostPlies(&base.pos, &raw, 2, 2)
	if len(rows) != 1 {
		return false
	}
	reply := play.PlacementAfter(base.place, rows[0][0])
	for set := play.Difference(&base.place, &reply); set != 0; set &= set - 1 {
		if sq := play.Lowest(set); raw[sq] == t.b.Live[sq] {
			return false
		}
	}
	t.b.ReadOnly()
	t.emitPress(s, "ok")
	for i, by := range [...]CommittedBy{ByReply, ByPress} {
		if t.phase == playing {
			t.commit(rows[0][i], by, -1)
		}
	}
	return true
}

// playedFromPause explains a press by a legal move from the board on which the clock was started again: the arbiter has
// corrected the record's position.
func (t *Tracker) playedFromPause(s legal.Side) bool {
	return t.paused() && t.movedFrom(s, &t.turn.restartedOn)
}

// movedFrom explains a press by a legal move of s from another board than the record's.
func (t *Tracker) movedFrom(s legal.Side, stood *legal.Placement) bool {
	pos, m, ok := t.moveFrom(stood, s, &t.b.Live)
	if !ok {
		return false
	}
	t.rebaseOn(pos, t.g.last().ply, false)
	t.emitPress(s, "ok")
	t.commit(m, ByPress, -1)
	return true
}

// moveFrom returns the legal move of s that leads from one board to another, and the position before it: the first
// board is not the record's, or the turn is not.
func (t *Tracker) moveFrom(stood *legal.Placement, s legal.Side, live *legal.Placement) (pos legal.Position, m legal.Move, ok bool) {
	base := t.g.last()
	if pos, ok = t.standing(&base.pos, *stood, s); ok {
		m, ok = play.OnePly(&pos, live)
	}
	return pos, m, ok
}

// sameAsRead reports whether a shape is the same offence for the pieces as they count and as they read: no verdict
// rests on a piece that a sensor does not show (laws notes 5.3), and a player who moves by the visible board has broken
// no rule.
func (t *Tracker) sameAsRead(sh *offence.Shape, v *offence.View) bool {
	if !t.b.Misreads() {
		return true
	}
	pos, _, ok := t.asRead()
	if !ok {
		return false
	}
	w := *v
	w.Pos = &pos
	w.Line, w.Ply, w.ReadEmpty = nodes{{pos: pos}}, t.g.last().ply, 0
	for i := range w.At {
		if a := &t.b.Readings[i]; a.Differs && !a.InHand {
			if p, is := t.b.Misread(legal.Square(i)); is {
				w.At[i] = p
			}
		}
	}
	other, ok := offence.Classify(&w)
	return ok && other.Kind == sh.Kind
}

// takenBackByBoth takes back the last move of each player at a press of s, where the position before both was on the
// board while the time of s ran, and s has moved anew since: the players have agreed to that, and the clock need not be
// touched.
func (t *Tracker) takenBackByBoth(s legal.Side) bool {
	n := len(t.g.nodes)
	if n < 3 || t.g.nodes[n-1].wrong.on || t.g.nodes[n-2].wrong.on || t.b.HistoryIncomplete {
		return false
	}
	before := &t.g.nodes[n-3].place
	back := t.b.Seen(before)
	return back > 0 && t.b.Stood(back) >= play.StillUS && !t.mayBeMovedBack(before, back) && t.replacedFrom(2, s, false)
}

// mayBeMovedBack reports whether two legal plies without a press may have led back to a placement, after that many
// changes: the board has shown the first of them by itself, or too little time has passed to exclude it.
func (t *Tracker) mayBeMovedBack(before *legal.Placement, back int) bool {
	base, hurried := t.g.last(), t.mergedAt > 0 || t.b.Stood(back) < t.p.ClockLagUS
	return play.AnyMove(&base.pos, func(m legal.Move) bool {
		place := play.PlacementAfter(base.place, m)
		at, after := t.b.Seen(&place), base.pos.After(m)
		_, answered := play.OnePly(&after, before)
		return answered && (hurried || at > 0 && at < back)
	})
}
