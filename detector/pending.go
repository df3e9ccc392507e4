package detector

import (
	"slices"

	"boardwatchd/detector/evidence"
	"boardwatchd/detector/offence"
	"boardwatchd/detector/play"
	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

// This file holds a press until board reports explain it, and ends the wait.

// pending is a press that the board did not explain when it was reported. Late board reports or a fresh dump may still
// explain it (reconstruction row 58; lost updates).
type pending struct {
	on   bool
	side evidence.ClockSide
	at   int64 // when the press was reported
	late bool  // the time for late reports has passed, or the opponent has begun to move
	due  int64
	n    int // once late is set: the number of changes that count as made before the press

	ticks int // seconds that the clock has counted since: the only measure in a recording without times
}

func (p *pending) deadline() int64 {
	if !p.on {
		return 0
	}
	return p.due
}

// readAgain reports whether no report from before the press can come any more, and a dump has been seen since.
func (p *pending) readAgain(b *evidence.Board) bool { return p.on && p.late && b.Verified >= p.at }

// judgeAgain judges a waiting press once more, because the board changed. Once the opponent touches a piece of their
// own, the mover's hand has left the board.
func (t *Tracker) judgeAgain() {
	n := len(t.b.Changes)
	if t.pend.late && n > 0 && t.b.Changes[n-1].FromDump {
		t.pend.n = n // only a dump shows the change: it may have been there at the press
	}
	if n > 0 && !t.b.Changes[n-1].FromDump {
		c := &t.b.Changes[n-1]
		if other := t.presser(t.pend.side).Other(); c.Was.Side() == other && c.Is == legal.NoPiece || c.Is.Side() == other {
			if !t.pend.late {
				t.pend.late, t.pend.n = true, n-1
			}
		}
	}
	p := t.pend
	if t.judge(p.side, p.at, false) {
		t.pend = pending{}
	}
}

// ticked counts a second of the clock and reports whether the time for late reports is over: in a recording without
// times the clock's own seconds are the only measure.
func (p *pending) ticked() (passed bool) {
	p.ticks++
	return p.on && !p.late && p.ticks >= lateTicks
}

// pressExpired first ends the wait for late reports, then the wait for a dump or a hand.
func (t *Tracker) pressExpired() {
	p := &t.pend
	if !p.late {
		p.late, p.n = true, len(t.b.Changes)
	}
	t.wantDump = t.wantDump || t.b.Verified < p.at+t.p.LateUS // so that a finding can be confirmed at once
	switch end := p.at + t.graceUS(); {
	case p.due < min(p.at+putUS, end):
		p.due = min(p.at+putUS, end)
	case p.due < min(p.at+t.bound().US, end):
		p.due = min(p.at+t.bound().US, end) // from now on nothing from before the press can come any more
	case p.due < min(p.at+play.BounceUS, end):
		p.due = min(p.at+play.BounceUS, end)
	case p.due < end:
		p.due = end
	default:
		t.giveUp()
		return
	}
	t.judgeAgain()
	if t.pend.on && t.accuse(false) {
		t.pend = pending{}
	}
	if t.overdue() {
		t.giveUp()
	}
}

// giveUp ends the wait for an explanation. If the last look finds none, the press is not explained: the board does not
// show what was played. Nobody is accused because of it; the arbiter hears of it if the board is quiet (unknown.go).
// The board as it is becomes a branch that the game may go on from.
func (t *Tracker) giveUp() {
	side, at, n := t.pend.side, t.pend.at, t.pend.n
	t.pend = pending{}
	s := t.presser(side)
	t.completeMove(s, at)
	if t.judge(side, at, true) {
		return
	}
	if t.sync.pliesUnknown {
		t.emitPress(s, string(kinds.NotUnderstood))
		t.restAt(s)
		return
	}
	t.pend = pending{side: side, at: at, n: n}
	if t.g.last().place != t.b.Live {
		if k := t.putBackAtPress(s); k > 0 {
			t.takenBackAtPress(s, k)
			return
		}
	}
	if t.playedAnew(s) {
		t.pend = pending{}
		return
	}
	if t.accuseAtLast(s) {
		t.pend = pending{}
		return
	}
	if t.accuseUnheard(s) {
		t.pend = pending{}
		t.judge(side, at, true)
		return
	}
	shown := t.viewAtPress(s, true).At // the opponent may have begun to reply since
	strange, certain := t.unexplained(s)
	t.pend = pending{}
	if !certain && t.judgeShown(s, side, at) {
		return
	}
	t.refuteRow(s, &shown)
	t.emitPress(s, string(kinds.NotUnderstood))
	live := shown
	if certain {
		t.unexplainedPress = strange
		t.openFinding(strange)
		live = strange.Case.At
	}
	t.branchFrom(live, s.Other())
}

// accuseAtLast reports what a press of s has completed, at the last look at it. Where it is uncertain which ply each
// press completed, the board alone may show it.
func (t *Tracker) accuseAtLast(s legal.Side) bool {
	shown := func() bool { return t.accuseRested(s) || t.accuseAnswered(s) }
	return t.accuseAsPutDown(s) || t.doubtful() && shown() || t.accuse(true) || t.accuseAsReported() || shown()
}

// nextBegun judges a press that waits for reports when the player who pressed lifts a piece for the next move: the
// board shows the move and the whole reply.
func (t *Tracker) nextBegun(sq legal.Square) {
	base, s := t.g.last(), t.b.Reads(sq).Side()
	if !t.pend.on || t.sync.pliesUnknown || s != base.pos.Turn() || t.presser(t.pend.side) != s {
		return
	}
	x, tied, ok := t.explainPress(&base.pos, s, t.pend.at)
	if !ok || tied || x.Moves[0].To() == sq {
		return
	}
	after := base.pos.After(x.Moves[0])
	if _, whole := play.OnePly(&after, &t.b.Live); whole && t.judge(t.pend.side, t.pend.at, true) {
		t.pend = pending{}
	}
}

// accuseAsReported looks at the board of the moment when the press was reported: later changes may belong to the next
// turn.
func (t *Tracker) accuseAsReported() bool {
	n := t.b.ChangesUntil(t.pend.at)
	if n >= len(t.b.Changes) || t.pend.n >= 0 && n >= t.pend.n || t.doubtful() || !t.trusted(t.pend.at) {
		return false // nothing else was there, or an earlier look has said why nothing is reported
	}
	if t.b.After(n) == t.g.last().place {
		return false
	}
	t.pend.n = n
	return t.accuse(true)
}

// accuseAsPutDown judges the board after a hand that held a piece at the press has put it down: a press that completes
// no legal move is classified once all is quiet (laws notes 1.3).
func (t *Tracker) accuseAsPutDown(s legal.Side) bool {
	v := t.viewAtPress(s, true)
	n := len(v.Changes)
	if n != t.pend.n || t.doubtful() || !t.trusted(t.pend.at) || !v.InAir(s) {
		return false
	}
	if n == len(t.b.Changes) || slices.ContainsFunc(t.b.Changes[n:], func(c evidence.Change) bool { return !c.Of(s) }) {
		return false
	}
	t.pend.n = len(t.b.Changes)
	if t.accuse(true) {
		return true
	}
	t.pend.n = n
	return false
}

// accuseUnheard reports the opponent's illegal move whose press was not reported and which s has answered by a legal
// move and a press. The proof is no more than strong, because a press may have been forgotten.
func (t *Tracker) accuseUnheard(s legal.Side) bool {
	base := t.g.last()
	o := s.Other()
	if base.pos.Turn() != o || base.wrong.open() || t.doubtful() || t.alt.on || !t.trusted(t.pend.at) || !t.historyKnown() {
		return false
	}
	a := openPress{Tracker: t, by: o, base: base, v: t.viewAtPress(o, true), final: true}
	if a.unrecognised() || !a.sh.Answered || !a.sh.Kind.Illegal() || a.sh.Side != o || a.otherwiseAsRead() || a.rightMayHold() {
		return false
	}
	a.sh.Proof, a.sh.Permille = rules.Strong, offence.StrongPermille
	t.openOffence(o, &a.sh, &a.v)
	return true
}

// judgeShown commits the plies that the board alone shows, and reports whether the press completed one of them.
func (t *Tracker) judgeShown(s legal.Side, side evidence.ClockSide, at int64) bool {
	steps, sure := t.shownOnBoard(t.now.At), !t.doubtful()
	touched := t.touchedBefore(s)
	of := t.commitSteps(steps)
	asPending := func(look func() bool) bool {
		t.pend = pending{on: true, side: side, at: at, n: -1}
		defer func() { t.pend = pending{} }()
		return look()
	}
	switch {
	case sure && touched <= at-t.reportUS() && t.turnsTo(s, steps, at) && asPending(func() bool { return t.accuse(true) }):
		return true
	case sure && !t.pressOf(s, steps, touched, at) && t.answeredBy(s, at):
		t.pend = pending{on: true, side: side, at: at, n: -1}
		t.giveUp()
		return true
	case t.phase == playing && len(steps) > 0 && asPending(func() bool { return t.accuseUnheard(s) }):
		return t.judge(side, at, true)
	}
	t.noteShownDoubt(steps)
	if of[s] {
		t.emitPress(s, "ok")
		return true
	}
	return of[s.Other()] && t.judge(side, at, true)
}

// touchedBefore is when s last touched a piece of their own before the opponent did: at that time s had not pressed
// yet.
func (t *Tracker) touchedBefore(s legal.Side) (at int64) {
	own := int64(0)
	for i := range t.b.Changes {
		switch c := &t.b.Changes[i]; {
		case c.Of(s):
			own = c.Window.Hi
		case c.Of(s.Other()):
			at = own
		}
	}
	return at
}

// pressOf reports whether a press of s, whose last touch is given, may be the late press of the last of some plies that
// are committed now.
func (t *Tracker) pressOf(s legal.Side, steps []play.Step, touched, at int64) bool {
	n, pos := len(steps), t.g.pos()
	return n > 0 && pos.Turn() == s.Other() && max(steps[n-1].At, touched) > at-t.usualUS(0)
}

// noteShownDoubt notes what is uncertain after plies that the board alone has shown.
func (t *Tracker) noteShownDoubt(steps []play.Step) {
	if len(steps) > 0 && t.phase == playing && t.b.Live != t.g.last().place {
		t.noteGuessedPlies() // the board shows something else: these plies may not be what was played
	}
	if n := len(steps); n > 1 && steps[n-1].At > t.now.At-t.reportUS() {
		t.trust.movesUntilAccusable = max(guessMoves, n) // presses of these plies may still come, and would count for later plies
	}
}

// turnsTo reports whether some plies, committed now, were on the board before a press of s and gave s the move. The
// press must not be a late one of the last ply of s among them.
func (t *Tracker) turnsTo(s legal.Side, steps []play.Step, at int64) bool {
	n, pos := len(steps), t.g.pos()
	broken := func(s play.Step) bool { return s.Broken }
	return t.phase == playing && n > 0 && pos.Turn() == s && steps[n-1].At <= at && steps[max(n-2, 0)].At <= at-t.reportUS() && !slices.ContainsFunc(steps, broken)
}

// answeredBy commits an opponent's ply whose press was not reported, which was on the board by itself and which s has
// answered by an illegal move. The ply does not count where the opponent may have pushed the piece that s put beside
// its square, unless it was there for so long that the reported press cannot be its own.
func (t *Tracker) answeredBy(s legal.Side, at int64) bool {
	if pos := t.g.pos(); pos.Turn() == s || !t.historyKnown() {
		return false
	}
	m, n, ok := t.shownAlone(at)
	if !ok {
		m, n, ok = t.stoodAlone(at - t.reportUS())
	}
	if ok = ok && t.pushed(m); ok {
		t.commit(m, ByReply, n)
	}
	return ok
}

// shownAlone returns the legal move that was on the board by itself after n changes, before the opponent went on with
// an illegal move.
func (t *Tracker) shownAlone(at int64) (m legal.Move, n int, ok bool) {
	turn := t.g.last().pos.Turn()
	return t.plySeen(func(m legal.Move, n int) bool { return t.carriedOn(turn, m, n, at) })
}

// stoodAlone returns the legal move that was on the board by itself after n changes, for a while and before the given
// time.
func (t *Tracker) stoodAlone(before int64) (m legal.Move, n int, ok bool) {
	base := t.g.last()
	return t.plySeen(func(_ legal.Move, n int) bool {
		return n < len(t.b.Changes) && t.b.Changes[n-1].Window.Hi <= before && t.b.Stood(n) >= play.StillUS && t.b.Seen(&base.place) < n
	})
}

// shownAnswered returns the legal move that was on the board by itself when a press was reported and that the opponent
// answered by capturing its piece, which now lies on another square where it was laid aside.
func (t *Tracker) shownAnswered(at int64) (m legal.Move, n int, ok bool) {
	if !t.historyKnown() {
		return 0, 0, false
	}
	base, reported := t.g.last(), t.b.ChangesUntil(at)
	return t.plySeen(func(m legal.Move, n int) bool { return n <= reported && t.capturedBeside(base.pos.After(m)) })
}

// plySeen returns the first legal move that was on the board by itself, after n changes, and for which the predicate
// holds.
func (t *Tracker) plySeen(is func(m legal.Move, n int) bool) (m legal.Move, n int, ok bool) {
	base := t.g.last()
	ok = play.AnyMove(&base.pos, func(ply legal.Move) bool {
		place := play.PlacementAfter(base.place, ply)
		m, n = ply, t.b.Seen(&place)
		return n > 0 && is(m, n)
	})
	return m, n, ok
}

// capturedBeside reports whether the board shows a legal capture from a position, with the capturing piece in the hand
// or put down and the captured piece on another square.
func (t *Tracker) capturedBeside(pos legal.Position) bool {
	return play.AnyMove(&pos, func(r legal.Move) bool {
		if r.Captured() == legal.NoKind {
			return false
		}
		place := play.PlacementAfter(pos.Placement(), r)
		if t.b.Live[r.To()] == legal.NoPiece && r.Promotion() == legal.NoKind {
			place[r.To()] = legal.NoPiece
		}
		rest := play.Difference(&place, &t.b.Live)
		sq := play.Lowest(rest)
		return play.Count(rest) == 1 && place[sq] == legal.NoPiece && t.b.Live[sq] == legal.PieceOf(pos.Turn().Other(), r.Captured())
	})
}

// shownTogether returns the only legal move of s on the board, where the opponent has put a piece down further away
// than a sleeve pushes it and both players have pressed. The reports of the two moves are interleaved, so that the move
// of s was never on the board by itself.
func (t *Tracker) shownTogether(s legal.Side) (only legal.Move, ok bool) {
	base := t.g.last()
	if base.pos.Turn() != s || t.c.Turn() != s || t.trust.movesUntilAccusable > 0 || !t.historyKnown() || t.b.FromDump() || t.b.Origin != base.place {
		return 0, false
	}
	seen, differs := t.b.Touched(), play.Difference(&base.place, &t.b.Live)
	if seen&^differs != 0 || len(t.b.Changes) > play.Count(differs)+1 {
		return 0, false // more than one move of each was made
	}
	var list legal.MoveList
	base.pos.Moves(&list)
	for _, m := range list.Slice() {
		place := play.PlacementAfter(base.place, m)
		if set := play.Difference(&base.place, &place); m.Promotion() != legal.NoKind || seen&set != set || play.Difference(&place, &t.b.Live)&set != 0 || !play.OnlyMovedFar(&place, &t.b.Live, s.Other()) {
			continue
		}
		if ok {
			return 0, false
		}
		only, ok = m, true
	}
	return only, ok
}

// branchFrom keeps the board at a press that nothing explained. It replaces the branch of an earlier press.
func (t *Tracker) branchFrom(live legal.Placement, turn legal.Side) {
	times := t.alt.times
	t.alt = branch{on: true, live: live, presses: t.alt.presses + 1}
	t.alt.notePress(times, t.judgedAt)
	t.alt.pos, t.alt.valid = t.positionFrom(live, turn)
	t.wantDump = true
	if t.alt.presses >= silentPresses && !t.mismatchNoted && t.phase == playing {
		t.tellMismatch()
	}
}

// silentPresses is the number of unexplained presses in a row at which the board is reported.
const silentPresses = 5
