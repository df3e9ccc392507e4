package detector

import (
	"slices"

	"boardwatchd/detector/evidence"
	"boardwatchd/detector/play"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// leverWhileRunning judges a lever that flipped and left the clock running: a press, or the start of the clock by the
// lever.
func (t *Tracker) leverWhileRunning(l evidence.Lever) {
	switch {
	case t.judgementPaused:
	case t.boardUnknown():
		t.pressedUnseen(l)
	case !t.putInLine(l):
		t.pressedThen(t.waitingFor(l))
	}
}

// pressedThen judges a press that was reported now or a moment ago.
func (t *Tracker) pressedThen(w waiting) {
	if t.phase == over && t.pressedAfterEnd(w) {
		return
	}
	if t.phase == idle && !t.beginWrong() {
		t.joinAtPress(w.pressed)
		return
	}
	if t.pend.on {
		t.giveUp()
	}
	if t.phase != playing {
		return
	}
	t.wantDump = true
	if !w.wasRunning && t.startedByLever(w) {
		return
	}
	t.pressGainedSec, t.pressClock, t.pressSeq, t.leverSeen = w.gained, w.clock, w.at.Seq, false
	t.press(w.pressed, w.at.At)
}

// pressedAfterEnd handles a press in a game that is over. It returns false where the game, or another one, goes on: the
// press is then judged.
func (t *Tracker) pressedAfterEnd(w waiting) bool {
	if t.endOnlyShown(w); t.phase != over {
		return false
	}
	if t.pressOfTheEnd(w) {
		return true
	}
	if t.endedByAssumption() || t.beginWrong() {
		return false
	}
	t.playedOn()
	t.reopen()
	return true
}

// startedByLever handles a lever that starts the clock. It returns false where that is a press that is to be judged.
func (t *Tracker) startedByLever(w waiting) bool {
	switch {
	case t.beginWrong():
		return false
	case t.dropStart():
		t.joinAtPress(w.pressed)
	case !t.atStart():
		t.resumed() // the lever was moved while the clock was stopped: an arbiter's business, not a press
	case w.gained <= 0 && t.movedSinceStart():
		t.resumed() // Black has started White's time
		t.emitPress(t.presser(w.pressed), "ok_start")
	default:
		return false
	}
	return true
}

// pressThenStop judges a press and a stop that came as one message. A move counts; the absence of a move does not,
// because a player who ends the game by agreement may press and stop the clock at once.
func (t *Tracker) pressThenStop(l evidence.Lever) {
	if t.phase != playing || t.pend.on || t.judgementPaused {
		return
	}
	t.wantDump = true
	if t.boardUnknown() {
		t.pressedUnseen(l)
		return
	}
	pos := t.g.pos()
	if t.c.Player(l.Pressed) != pos.Turn() {
		return
	}
	if m, ok := play.OnePly(&pos, &t.b.Live); ok && !t.sync.pliesUnknown {
		t.emitPress(pos.Turn(), "ok")
		t.commit(m, ByPress, -1)
		return
	}
	t.lookForKings()
	if t.phase == playing && t.b.Live != t.g.last().place && !t.kingToCentre() {
		// A stopped clock sends no second reading.
		t.pressGainedSec, t.pressClock, t.pressSeq, t.leverSeen = l.Gained, t.c.Times(), t.now.Seq, true
		t.press(l.Pressed, t.now.At)
	}
}

// kingToCentre reports whether a king has been put on a square of the centre: its player may be signalling a result and
// is accused of nothing.
func (t *Tracker) kingToCentre() bool {
	place := t.g.last().place
	for _, sq := range centre {
		if t.b.Live[sq].Kind() == legal.King && place[sq] != t.b.Live[sq] {
			return true
		}
	}
	return false
}

// pressOfTheEnd reports the press of the move that has already ended the game: it was not needed (FIDE Laws 6.2.1.1).
func (t *Tracker) pressOfTheEnd(w waiting) bool {
	s := t.c.Player(w.pressed)
	if t.phase != over || s == legal.NoSide || t.g.last().by != ByTerminal || s == t.g.last().pos.Turn() {
		return false
	}
	t.pressGainedSec, t.pressClock, t.pressSeq, t.g.last().by = w.gained, w.clock, w.at.Seq, ByPress
	t.emitPress(s, "ok")
	return true
}

// endOnlyShown withdraws a mate or a stalemate where a press shows that the game goes on from before it: its move was
// not pressed, perhaps nor were the moves before it, and the board shows another move of the player who presses.
func (t *Tracker) endOnlyShown(w waiting) {
	p, s := t.g.proved, t.c.Player(w.pressed)
	if p.By != "mate" && p.By != "stalemate" || s == legal.NoSide || t.b.Live == t.g.last().place {
		return
	}
	for k := 1; k <= maxShown && k < len(t.g.nodes) && t.g.nodes[len(t.g.nodes)-k].by != ByPress; k++ {
		n := &t.g.nodes[len(t.g.nodes)-1-k]
		if _, made := play.OnePly(&n.pos, &t.b.Live); made && n.pos.Turn() == s {
			t.takeResultBack()
			t.takeBack(k)
			return
		}
	}
}

// maxShown is the greatest number of plies that players show on the board as a possible end of the game.
const maxShown = 10

// pressAfterFlag judges a press on a clock that a flag has stopped. The time has decided the game (FIDE Laws 6.8), so
// that the press completes no legal move; an illegal move is still reported.
func (t *Tracker) pressAfterFlag(l evidence.Lever) {
	if t.pressOfTheEnd(t.waitingFor(l)) || t.phase != playing || t.judgementPaused || t.pend.on || t.boardUnknown() || t.c.Player(l.Pressed) != t.g.last().pos.Turn() {
		return
	}
	base := t.g.last()
	if base.place == t.b.Live {
		return
	}
	t.wantDump = true
	// A stopped clock sends no second reading.
	t.pressGainedSec, t.pressClock, t.pressSeq, t.leverSeen = 0, t.c.Times(), t.now.Seq, true
	if _, ok := play.OnePly(&base.pos, &t.b.Live); ok {
		t.emitPress(base.pos.Turn(), "ok")
		return
	}
	t.press(l.Pressed, t.now.At)
}

// atStart reports whether no move of this game has been committed.
func (t *Tracker) atStart() bool { return t.g.start >= 0 && t.g.last().ply == 0 }

// press judges one press. A move that the board shows at once is committed at once; everything else waits.
func (t *Tracker) press(side evidence.ClockSide, at int64) {
	t.g.timesSet = false
	if t.judge(side, at, false) {
		return
	}
	t.pend = pending{on: true, side: side, at: at, due: max(at+t.p.LateUS, t.now.At), n: -1}
}

// judge explains a press on a side of the clock that was reported at the given time, commits what was played, and
// reports whether it could. The last look (final) decides what further reports could still change.
func (t *Tracker) judge(side evidence.ClockSide, at int64, final bool) bool {
	t.judgedAt = at
	t.lookAtSides(side, at)
	s := t.presser(side)
	t.judgedOf[s] = at
	if t.sync.pliesUnknown {
		return t.judgeAfter(s, final)
	}
	if t.judgeOtherWayRound(s) {
		return true
	}
	t.lookAtEmptied()
	t.recount()
	if !final && t.slidOn(s, at) {
		return false
	}
	if t.readTwice(s) {
		t.completeMove(s, at)
	}
	t.promoted()
	t.slidFurther(s)
	t.takenFurther(s)
	t.replacedAfterFault(s)
	t.readAsItMoves(s, final)
	t.leaveOutTwice(s)
	t.throughDifference(s, at)
	t.catchUpTo(s, at)
	if t.phase != playing {
		return true
	}
	if t.judgeRestored(s, at, final) {
		return true
	}
	if done, wait := t.judgeReplaced(s, at, final); done || wait {
		return done
	}
	if done, wait := t.judgePutRight(s, at, final); done || wait {
		return done
	}
	if turn := t.g.last().pos.Turn(); s == turn {
		return t.pressBySideToMove(s, at, final)
	}
	return t.pressByOpponent(s, at, final)
}

// presser returns the player who pressed: the side to move while the sides of the clock are unknown.
func (t *Tracker) presser(side evidence.ClockSide) legal.Side {
	if s := t.c.Player(side); s != legal.NoSide {
		return s
	}
	pos := t.g.pos()
	return pos.Turn()
}

// minAhead is the least number of changes in which more than a move and its reply can be hidden: the last change of the
// move, two of the reply, and one more.
const minAhead = 4

// pressBySideToMove judges a press by the side to move.
func (t *Tracker) pressBySideToMove(s legal.Side, at int64, final bool) bool {
	base := t.g.last()
	pos, live := base.pos, &t.b.Live
	m, one := play.OnePly(&pos, live)
	var x play.Explanation
	tied, explained := false, false
	if !one || len(t.b.Changes) >= minAhead {
		x, tied, explained = t.explainPress(&pos, s, at)
	}
	switch {
	case explained && !tied && slices.Contains(x.Arcs, play.ArcLater):
		return t.pressed(s, t.lateness(at, x.Seen[0], x.Moves[0]), at, x.Moves[0], x.Seen[0])
	case one:
		if taken, n, ok := t.stoodAndWasTaken(s, at); ok {
			return t.pressed(s, "ok", at, taken, n)
		}
		return t.judgeMoved(s, m, at, final)
	case !final && t.reportsMayCome(at) && t.lastLifted() == s:
		return false // the mover's piece is on its way to the next square, and no captured piece was lifted first
	}
	if explained {
		if done, wait := t.judgeOneExplained(s, &x, tied, at, final); done || wait {
			return done
		}
	}
	return t.judgeOtherwise(s, at, final)
}

// judgeOneExplained judges a press by the side to move that one of its moves explains. If that move was never on the
// board by itself, the opponent may have laid the piece aside.
func (t *Tracker) judgeOneExplained(s legal.Side, x *play.Explanation, tied bool, at int64, final bool) (done, wait bool) {
	if x.Seen[0] < 0 {
		if m, n, ok := t.stoodAtPress(at); ok {
			return t.pressed(s, "ok", at, m, n), false
		}
	}
	if done, wait = t.judgeExchange(s, at, 3, final); done || wait {
		return done, wait
	}
	return t.judgeExplained(s, x, tied, at, final)
}

// judgeOtherwise judges a press by the side to move that no explanation fits: the opponent has answered by an illegal
// move, the record is not what was played from, or presses were lost.
func (t *Tracker) judgeOtherwise(s legal.Side, at int64, final bool) bool {
	if m, n, ok := t.shownAlone(at); final && ok && t.pressed(s, t.lateness(at, n, m), at, m, n) {
		return true
	}
	if m, n, ok := t.shownAnswered(at); final && ok && t.pressed(s, "ok", at, m, n) {
		return true
	}
	if m, ok := t.shownTogether(s); final && ok {
		base := t.g.last().place
		place := play.PlacementAfter(base, m)
		t.b.Absorb(play.Difference(&base, &place))
		return t.pressed(s, "ok", at, m, 0)
	}
	if done, _ := t.judgeExchange(s, at, 2, final); done {
		return true
	}
	return t.judgeSecondReply(s, at) || t.judgeBranch(s, at) || t.judgeLost(s, final)
}

// judgeExplained judges a press that completes one move, where the board also shows the reply, whole or begun.
func (t *Tracker) judgeExplained(s legal.Side, x *play.Explanation, tied bool, at int64, final bool) (done, wait bool) {
	base := t.g.last()
	pos, m, seen := base.pos, x.Moves[0], x.Seen[0]
	mid := play.PlacementAfter(base.place, m)
	reported := t.b.HistoryIncomplete || t.b.Reported(&base.place, &mid)
	if !final && (seen < 0 && t.mayShowMore(&mid, reported) || t.mayBeReplyBegun(&pos) || t.mayGoOn(&pos, m)) {
		return false, true
	}
	after := pos.After(m)
	if r, ok := play.OnePly(&after, &t.b.Live); ok {
		return t.judgeReply(s, m, r, seen, tied, at, final)
	}
	switch {
	case seen < 0 && !reported:
		return false, false // the piece is in the hand
	case tied, t.mayBePushed(s, m, seen, at, final):
		return false, !final // decided by offence/second.go and offence/displaced.go
	case seen > 0:
		return t.pressedAlone(s, m, seen, at), false
	case seen < 0 && x.Rests > 0:
		seen = x.Rests
	}
	return t.pressed(s, "ok", at, m, seen), false
}

// pressedAlone commits m, which was on the board by itself after n changes, where the opponent's pieces have moved
// since. If they came to rest before the press was reported, s may have moved them as well.
func (t *Tracker) pressedAlone(s legal.Side, m legal.Move, n int, at int64) bool {
	rested := t.b.LastAt < at-play.PushedUS && t.pushed(m)
	done := t.pressed(s, t.lateness(at, n, m), at, m, n)
	if done && rested {
		t.mayPlayOnFrom(t.b.Live, s.Other(), 0)
	}
	return done
}

// judgeReply does so where the whole reply r is on the board.
func (t *Tracker) judgeReply(s legal.Side, m, r legal.Move, seen int, tied bool, at int64, final bool) (done, wait bool) {
	if t.pressedSince(m, r) {
		return final && t.playedMore(s, -1), !final
	}
	t.judgeReplied(s, m, r, seen, tied, at)
	return true, false
}

// judgeReplied judges a press at the given time that completes m, while the whole reply r is on the board.
func (t *Tracker) judgeReplied(s legal.Side, m, r legal.Move, seen int, tied bool, at int64) {
	if seen < 0 && t.playedInstead(s, m, r, at) {
		return
	}
	if tied {
		t.noteAmbiguity()
	}
	first := seen < 0 && t.cameFirst(r)
	if seen > 0 && t.exchanged(at, t.b.Changes[seen-1].Window.Hi, t.b.LastAt) {
		t.note("sides_corrected", words.Say("row.sides_corrected"))
		t.withdrawOfOtherSide()
		t.commit(m, ByReply, seen)
		t.emitPress(s.Other(), "ok")
		t.commit(r, ByPress, -1)
		t.noteGuessedPlies()
		return
	}
	pushed := t.b.LastAt < at-play.PushedUS
	t.emitPress(s, "ok2")
	if first {
		alone := play.PlacementAfter(t.g.last().place, r)
		t.tellMovedAhead(m, r, t.b.Seen(&alone))
	}
	t.commit(m, ByPress, seen)
	t.turn.reply, t.turn.replyAt = r, t.now.At
	if pushed {
		t.mayPlayOnFrom(t.b.Live, s.Other(), 0) // the reply was there before the press: the mover may have made it
	}
	if first {
		t.noteGuessedPlies() // a slow clock has swallowed two presses, and it is unknown whose turn it was
	}
}

// mayShowMore reports whether reports that are still to come may show another move: the placement after this one was
// never on the board by itself.
func (t *Tracker) mayShowMore(mid *legal.Placement, reported bool) bool {
	return !t.b.HistoryIncomplete && !t.atRest() && !(reported && play.Count(play.Difference(mid, &t.b.Live)) == 1)
}

// judgeMoved judges a press by the side to move where the board shows one legal move.
func (t *Tracker) judgeMoved(s legal.Side, m legal.Move, at int64, final bool) bool {
	pos := t.g.pos()
	if !final && (t.stillMoving(&pos, m, at) || t.mayBeReplyBegun(&pos)) {
		return false
	}
	if !final && t.mayBeMovedOn(m, at) {
		t.pend.due = min(t.pend.due, t.b.LastAt+putUS)
		return false
	}
	code := "ok"
	switch {
	case t.alt.presses > 0 && !t.trust.boardUnexplained, t.turn.restored:
		code = "ok_restored"
	case t.turn.reply == m && t.b.LastAt <= t.turn.replyAt && at >= t.turn.replyAt:
		code = "ok_late" // this reply was already complete at the mover's press
	default:
		code = t.lateness(at, len(t.b.Changes), m)
	}
	return t.pressed(s, code, at, m, -1)
}

// pressed reports the press that completes a move, and commits the move; n is the number of changes that led to it, as
// in commit.
func (t *Tracker) pressed(s legal.Side, code string, at int64, m legal.Move, n int) bool {
	if code == string(kinds.PressBeforeDone) && m.Promotion() != legal.NoKind {
		return false // a piece put there after the press does not count (FIDE Laws 7.5.2): offence/promotion.go
	}
	if t.bothPressedBefore() && t.playedMore(s, n) {
		return true
	}
	t.emitPress(s, code)
	t.cameInTime(code, at, n)
	if code == string(kinds.PressBeforeDone) {
		t.reportEarlyPress(at, m, n)
	}
	t.commit(m, ByPress, n)
	return true
}

// pressByOpponent judges a press by the player who made the last move of the record: a press forgotten until now, or
// the press of an answer to a move whose own press was never reported.
func (t *Tracker) pressByOpponent(s legal.Side, at int64, final bool) bool {
	base := t.g.last()
	if base.place == t.b.Live {
		return t.pressByOpponentUnmoved(s, at, final)
	}
	if t.alt.nullPress.ID != "" && t.judgeBranch(s, at) {
		return true
	}
	if x, doubt, ok := t.pairShown(s, at); ok {
		return t.judgePair(s, &x, doubt, at, final)
	}
	if t.repliedAsRead(s) || t.judgeBranch(s, at) || t.judgeLost(s, final) {
		return true
	}
	reply, one := play.OnePly(&base.pos, &t.b.Live)
	if one {
		t.notePressAfterReply(s, reply, at)
	}
	if one || play.InProgressScan(&base.place, &t.b.Live, base.pos.Turn()) || play.UnderWay(&base.pos, &t.b.Live) {
		t.emitPress(s, "ok_late") // the opponent is already moving
		return true
	}
	return false
}

// pairShown returns the two plies that the board shows at a press of s, which completes the second one.
func (t *Tracker) pairShown(s legal.Side, at int64) (x play.Explanation, doubt, ok bool) {
	base := t.g.last()
	x, doubt, ok = t.explainPress(&base.pos, s, at)
	if !ok || !t.shownAsPair(&x, doubt) {
		r, fits := t.bestRow(&base.pos, 2)
		x, doubt, ok = play.Explanation{Moves: r.moves}, len(r.also) > 0, fits
	}
	return x, doubt, ok && !t.takenUnread(x.Moves[0], x.Moves[1])
}

// pressByOpponentUnmoved does so while the board equals the record.
func (t *Tracker) pressByOpponentUnmoved(s legal.Side, at int64, final bool) bool {
	code := "ok_late"
	if n := t.g.last(); n.by == ByTerminal {
		code, n.by = "ok", ByPress // the press of the move that has already ended the game
	}
	if t.atStart() {
		if !final && t.reportsMayCome(at) {
			return false // or White's first move, which has not been reported yet
		}
		code = "ok_start"
	}
	if was := t.alt; was.on && was.live == t.b.Live {
		t.alt = branch{} // pressed without a move and pressed back: nothing has happened (row 60)
		if t.leverReturns(&was, s) {
			return true
		}
	}
	t.emitPress(s, code)
	return true
}

// judgePair judges a press that completes the second of two moves; the press of the first was never reported.
func (t *Tracker) judgePair(s legal.Side, pair *play.Explanation, doubt bool, at int64, final bool) bool {
	m, r := pair.Moves[0], pair.Moves[1]
	base := t.g.last()
	if after := base.pos.After(m); !final && t.stillMoving(&after, r, at) {
		return false
	}
	first := t.cameFirst(r) || t.putAfter(m, r)
	if doubt {
		t.noteAmbiguity()
	}
	t.emitPress(s, "ok")
	if t.allShown(pair) {
		t.commit(m, ByReply, -1)
		t.commit(r, ByPress, -1)
	} else if t.commitRowSeen(pair, 1); t.phase == playing {
		t.commit(r, ByPress, pair.Seen[1]-pair.Seen[0])
	}
	if first {
		t.noteGuessedPlies()
	}
	if !doubt {
		t.trust.movesUntilTrusted = 0 // the press before this one was that of the first move
	}
	return true
}

// shownAsPair reports whether the board has shown the two plies of an explanation: both are on it now, or each was.
func (t *Tracker) shownAsPair(x *play.Explanation, doubt bool) bool {
	return (t.allShown(x) || !doubt && t.bothStood(x)) && !t.contrary(&t.g.last().pos, x.Moves)
}

// allShown reports whether the board equals the end of an explanation.
func (t *Tracker) allShown(x *play.Explanation) bool {
	place := t.g.last().place
	for _, m := range x.Moves {
		place = play.PlacementAfter(place, m)
	}
	return place == t.b.Live
}

// bothStood reports whether each of the two plies of an explanation was on the board by itself, and the player to move
// after them has gone on. The first ply may have been there since before the last commit.
func (t *Tracker) bothStood(x *play.Explanation) bool {
	first, second := x.Seen[0], x.Seen[1]
	stood := first == 0 || first > 0 && t.b.Stood(first) >= play.StillUS
	return stood && second > first && second < len(t.b.Changes) && t.b.Stood(second) >= play.StillUS
}

// cameFirst reports whether a move that counts as a reply was on the board by itself before the move that it replies
// to.
func (t *Tracker) cameFirst(r legal.Move) bool {
	alone := play.PlacementAfter(t.g.last().place, r)
	i := t.b.Seen(&alone)
	return i > 0 && i < len(t.b.Changes) && t.b.Stood(i) >= play.StillUS
}

// putAfter reports whether the piece of a move was put down some time after that of the reply: the reply then answers
// another move, which was not seen.
func (t *Tracker) putAfter(m, r legal.Move) bool {
	mid := play.PlacementAfter(t.g.last().place, m)
	place := play.PlacementAfter(mid, r)
	own, other := t.b.Placed(m.To(), mid[m.To()]), t.b.Placed(r.To(), place[r.To()])
	return own != nil && other != nil && own.Window.Hi-other.Window.Hi >= play.StillUS
}

// noteAmbiguity notes, with a commit, that the moves are ambiguous.
func (t *Tracker) noteAmbiguity() {
	t.note("ambiguous_moves", words.Say("row.ambiguous_moves"))
}
