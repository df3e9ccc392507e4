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

// This file keeps a press waiting for the board reports that explain it, and ends the wait.

// pending is a press that the board did not explain when it was reported. Late board reports and a fresh dump may
// still explain it (reconstruction row 58; lost updates).
type pending struct {
	on   bool
	side evidence.ClockSide
	at   int64 // when the press was reported
	late bool  // the time for late reports has passed, or the opponent has begun to move
	due  int64
	n    int // how many changes of the history count as made before the press, once late is set

	ticks int // seconds that the clock counted since: in a recording without times they are the time
}

func (p *pending) deadline() int64 {
	if !p.on {
		return 0
	}
	return p.due
}

// readAgain says that no report from before the press can come any more, and that a dump has been seen since.
func (p *pending) readAgain(b *evidence.Board) bool { return p.on && p.late && b.Verified >= p.at }

// judgeAgain looks at a waiting press once more, because the board changed. Once the opponent touches his own pieces
// the mover's hand has left the board.
func (t *Tracker) judgeAgain() {
	n := len(t.b.Changes)
	if t.pend.late && n > 0 && t.b.Changes[n-1].FromDump {
		t.pend.n = n // a dump shows it only now: it may have stood there at the press
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

// ticked lets a recording without times go on: there the clock's own seconds are the only measure.
func (p *pending) ticked() (passed bool) {
	p.ticks++
	return p.on && !p.late && p.ticks >= lateTicks
}

// pressExpired ends the wait for late reports first, and then the wait for a dump or a hand.
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
		p.due = min(p.at+t.bound().US, end) // now nothing from before the press can come any more
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
// show what was played. Nothing is concluded from it against anybody, and of a quiet board the arbiter is told
// (unknown.go); the board as it stands is kept as a second line that the game may go on from.
func (t *Tracker) giveUp() {
	side, at, n := t.pend.side, t.pend.at, t.pend.n
	t.pend = pending{}
	s := t.presser(side)
	t.completeMove(s, at)
	if t.judge(side, at, true) {
		return
	}
	if t.sync.unknown {
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
	t.emitPress(s, string(kinds.NotUnderstood))
	live := shown
	if certain {
		t.strange = strange
		t.openFinding(strange)
		live = strange.Case.At
	}
	t.branchFrom(live, s.Other())
}

// accuseAtLast tells what a press of s has completed, at the last look at it. Where it is not certain which ply each press
// has completed, the board alone may show it.
func (t *Tracker) accuseAtLast(s legal.Side) bool {
	shown := func() bool { return t.accuseRested(s) || t.accuseAnswered(s) }
	return t.accuseAsPutDown(s) || t.doubtful() && shown() || t.accuse(true) || t.accuseAsReported() || shown()
}

// nextBegun judges a press that waits for reports when the player who pressed lifts a piece for his next move: his move
// and the whole reply stand on the board.
func (t *Tracker) nextBegun(sq legal.Square) {
	base, s := t.g.last(), t.b.Reads(sq).Side()
	if !t.pend.on || t.sync.unknown || s != base.pos.Turn() || t.presser(t.pend.side) != s {
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

// accuseAsReported looks at the board as it stood when the press was reported: what has changed since may be the turn
// after it.
func (t *Tracker) accuseAsReported() bool {
	n := t.b.ChangesUntil(t.pend.at)
	if n >= len(t.b.Changes) || t.pend.n >= 0 && n >= t.pend.n || t.doubtful() || !t.trusted(t.pend.at) {
		return false // nothing else stood there, or the look before this one has said why nothing is reported
	}
	if t.b.After(n) == t.g.last().place {
		return false
	}
	t.pend.n = n
	return t.accuse(true)
}

// accuseAsPutDown looks at the board as the hand has left it that held a piece when the clock was pressed: what makes
// no legal move then is classified as it stands when all is quiet (laws notes 1.3).
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

// accuseUnheard tells the illegal move of the opponent whose press was not reported, and that s has answered by a legal
// move and pressed. It is no more than likely: a press may have been forgotten.
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
	t.followed(o, &a.sh, &a.v)
	return true
}

// judgeShown commits the plies that the board alone shows. It says whether the press completed one of them.
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
	t.doubtShown(steps)
	if of[s] {
		t.emitPress(s, "ok")
		return true
	}
	return of[s.Other()] && t.judge(side, at, true)
}

// touchedBefore is when s was last seen to touch his pieces before the opponent did: he had not pressed yet.
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

// pressOf says that a press of s, who touched his pieces last at some time, may be the late one of the last of some
// plies, committed now.
func (t *Tracker) pressOf(s legal.Side, steps []play.Step, touched, at int64) bool {
	n, pos := len(steps), t.g.pos()
	return n > 0 && pos.Turn() == s.Other() && max(steps[n-1].At, touched) > at-t.usualUS(0)
}

// doubtShown says what is not certain after plies that the board alone has shown.
func (t *Tracker) doubtShown(steps []play.Step) {
	if len(steps) > 0 && t.phase == playing && t.b.Live != t.g.last().place {
		t.guess() // something else stands there: these plies may not be what was played
	}
	if n := len(steps); n > 1 && steps[n-1].At > t.now.At-t.reportUS() {
		t.trust.guessed = max(guessMoves, n) // presses of these plies may still be on their way, and are taken for those of the next
	}
}

// turnsTo says that some plies, committed now, stood before a press of s, that it was the turn of s then, and that the
// press is not a late one of the last ply of s among them.
func (t *Tracker) turnsTo(s legal.Side, steps []play.Step, at int64) bool {
	n, pos := len(steps), t.g.pos()
	broken := func(s play.Step) bool { return s.Broken }
	return t.phase == playing && n > 0 && pos.Turn() == s && steps[n-1].At <= at && steps[max(n-2, 0)].At <= at-t.reportUS() && !slices.ContainsFunc(steps, broken)
}

// answeredBy commits a ply of the opponent's that stood alone on the board and that s has answered by what is no legal
// move, where its press was not reported. What s has put beside a square may have been pushed there by the opponent, but
// not where the ply stood for so long before that its press cannot be the one that was reported.
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

// shownAlone is the legal move that stood alone after n changes, before the opponent went on with what is no legal
// move.
func (t *Tracker) shownAlone(at int64) (m legal.Move, n int, ok bool) {
	turn := t.g.last().pos.Turn()
	return t.plySeen(func(m legal.Move, n int) bool { return t.carriedOn(turn, m, n, at) })
}

// stoodAlone is the legal move that stood alone after n changes, for a while and before a time.
func (t *Tracker) stoodAlone(before int64) (m legal.Move, n int, ok bool) {
	base := t.g.last()
	return t.plySeen(func(_ legal.Move, n int) bool {
		return n < len(t.b.Changes) && t.b.Changes[n-1].Window.Hi <= before && t.b.Stood(n) >= play.StillUS && t.b.Seen(&base.place) < n
	})
}

// shownAnswered is the legal move that stood alone when a press was reported, and that the opponent has answered by
// capturing the piece: that one lies on another square now, laid down there on the way.
func (t *Tracker) shownAnswered(at int64) (m legal.Move, n int, ok bool) {
	if !t.historyKnown() {
		return 0, 0, false
	}
	base, reported := t.g.last(), t.b.ChangesUntil(at)
	return t.plySeen(func(m legal.Move, n int) bool { return n <= reported && t.capturedBeside(base.pos.After(m)) })
}

// plySeen is the first legal move that stood by itself, after n changes, of which something holds.
func (t *Tracker) plySeen(is func(m legal.Move, n int) bool) (m legal.Move, n int, ok bool) {
	base := t.g.last()
	ok = play.AnyMove(&base.pos, func(ply legal.Move) bool {
		place := play.Landing(base.place, ply)
		m, n = ply, t.b.Seen(&place)
		return n > 0 && is(m, n)
	})
	return m, n, ok
}

// capturedBeside says that the board shows a legal capture in a position, with the piece that captures in the hand or
// put down, and the captured piece on another square.
func (t *Tracker) capturedBeside(pos legal.Position) bool {
	return play.AnyMove(&pos, func(r legal.Move) bool {
		if r.Captured() == legal.NoKind {
			return false
		}
		place := play.Landing(pos.Placement(), r)
		if t.b.Live[r.To()] == legal.NoPiece && r.Promotion() == legal.NoKind {
			place[r.To()] = legal.NoPiece
		}
		rest := play.Difference(&place, &t.b.Live)
		sq := play.Lowest(rest)
		return play.Count(rest) == 1 && place[sq] == legal.NoPiece && t.b.Live[sq] == legal.PieceOf(pos.Turn().Other(), r.Captured())
	})
}

// shownTogether is the only legal move of s that stands there together with what the opponent has put further away than
// a sleeve pushes it, where the reports of the two came within each other, so that the move never stood alone, and both
// have pressed.
func (t *Tracker) shownTogether(s legal.Side) (only legal.Move, ok bool) {
	base := t.g.last()
	if base.pos.Turn() != s || t.c.Turn() != s || t.trust.guessed > 0 || !t.historyKnown() || t.b.FromDump() || t.b.Origin != base.place {
		return 0, false
	}
	seen, differs := t.b.Touched(), play.Difference(&base.place, &t.b.Live)
	if seen&^differs != 0 || len(t.b.Changes) > play.Count(differs)+1 {
		return 0, false // more than one move of each was made
	}
	var list legal.MoveList
	base.pos.Moves(&list)
	for _, m := range list.Slice() {
		place := play.Landing(base.place, m)
		if set := play.Difference(&base.place, &place); m.Promotion() != legal.NoKind || seen&set != set || play.Difference(&place, &t.b.Live)&set != 0 || !play.Far(&place, &t.b.Live, s.Other()) {
			continue
		}
		if ok {
			return 0, false
		}
		only, ok = m, true
	}
	return only, ok
}

// branchFrom keeps the board as it stood at a press that nothing explained. What an earlier press was, it does not tell
// any more.
func (t *Tracker) branchFrom(live legal.Placement, turn legal.Side) {
	t.alt = branch{on: true, live: live, presses: t.alt.presses + 1}
	t.alt.pos, t.alt.valid = t.positionFrom(live, turn)
	t.wantDump = true
	if t.alt.presses >= silentPresses && !t.noted && t.phase == playing {
		t.tellMismatch()
	}
}

// silentPresses is the number of presses in a row without an explanation at which the board is reported.
const silentPresses = 5
