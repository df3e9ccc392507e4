package detector

import (
	"math/bits"

	"boardwatchd/rules"
	"boardwatchd/rules/legal"
)

// pending is a press that the board did not explain when it was reported. Late board reports and a fresh dump may
// still explain it (reconstruction row 58; lost updates).
type pending struct {
	on   bool
	side ClockSide
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

// branch is the board as it stood at a press that nothing explained, taken as a position in its own right: if the
// opponent plays on from it, the record follows (row 57).
type branch struct {
	on      bool
	valid   bool // pos is a position that can be played from
	pos     legal.Position
	live    legal.Placement
	presses int // unexplained presses since the last commit
}

// leverWhileRunning is a lever that flipped and left the clock running: a press, or the start of the clock by the
// lever.
func (t *Tracker) leverWhileRunning(l lever) {
	if t.held {
		return
	}
	if t.phase == over {
		if s := t.c.player(l.pressed); t.unpressed && s != legal.NoSide && s != t.g.last().pos.Turn() {
			t.gained, t.pressClock, t.pressSeq, t.unpressed = l.gained, t.c.times(), t.now.Seq, false
			t.emitPress(s, "ok") // the press of the move that ended the game
			return
		}
		if !t.beginWrong() {
			t.reopen()
			return
		}
	}
	if t.phase == idle && !t.beginWrong() {
		t.joinAtPress(l.pressed)
		return
	}
	if t.pend.on {
		t.giveUp()
	}
	if t.phase != playing {
		return
	}
	t.wantDump = true
	if !l.wasRunning && !t.atStart() {
		t.resumed() // the lever was moved while the clock stood: an arbiter's business, not a press
		return
	}
	t.gained, t.pressClock, t.pressSeq, t.leverSeen = l.gained, t.c.times(), t.now.Seq, false
	t.press(l.pressed)
}

// bounceUS is how soon a lever that comes back was not pressed on purpose: it bounced, or a sleeve caught it.
const bounceUS = 1_300_000

// pressThenStop is a press and a stop that reached us as one message: the move counts, the absence of one does not.
func (t *Tracker) pressThenStop(l lever) {
	if t.phase != playing || t.pend.on || t.held {
		return
	}
	t.wantDump = true
	pos := t.g.pos()
	if t.c.player(l.pressed) != pos.Turn() {
		return
	}
	if m, ok := onePly(&pos, &t.b.live); ok {
		t.emitPress(pos.Turn(), "ok")
		t.commit(m, ByPress, -1)
	}
}

// pressAfterFlag is a lever that is pressed on a clock that a flag has stopped. The time has decided (FIDE Laws 6.8), and a
// legal move is not completed by it any more; an illegal one is told for what it is.
func (t *Tracker) pressAfterFlag(l lever) {
	if t.phase != playing || t.held || t.pend.on || t.c.player(l.pressed) != t.g.last().pos.Turn() {
		return
	}
	base := t.g.last()
	if _, ok := onePly(&base.pos, &t.b.live); ok || base.place == t.b.live {
		return
	}
	t.wantDump = true
	t.gained, t.pressClock, t.pressSeq, t.leverSeen = 0, t.c.times(), t.now.Seq, true // a stopped clock sends no second reading
	t.press(l.pressed)
}

// atStart says that no move has been committed.
func (t *Tracker) atStart() bool { return t.g.start >= 0 && t.g.last().ply == 0 }

// press judges one press. What the board explains at once is committed at once; everything else waits.
func (t *Tracker) press(side ClockSide) {
	if t.judge(side, t.now.At, false) {
		return
	}
	t.pend = pending{on: true, side: side, at: t.now.At, due: t.now.At + t.p.LateUS, n: -1}
}

// learnSides finds White's side of the clock at the first presses of a game, or of a clock that was plugged in later.
// Who presses after one legal move made it; who presses at the start with nothing moved starts the other's clock.
func (t *Tracker) learnSides(side ClockSide) {
	base := t.g.last()
	if base.place == t.b.live {
		if t.atStart() {
			t.c.assume(side.Other())
		}
		return
	}
	white := side
	if base.pos.Turn() == legal.Black {
		white = side.Other()
	}
	if _, ok := onePly(&base.pos, &t.b.live); ok {
		t.c.settle(white)
		return
	}
	if black, ok := t.standing(&base.pos, base.place, legal.Black); ok && t.atStart() {
		if _, ok := onePly(&black, &t.b.live); ok {
			t.c.assume(side.Other()) // Black has moved first, and pressed
			return
		}
	}
	if t.c.white == NoClockSide {
		if _, _, _, ok := t.bestPair(&base.pos); ok {
			white = white.Other() // both moves are complete: the second one was pressed
		}
		t.c.assume(white)
	}
}

// judge explains a press on a side of the clock that was reported at the given time, commits what was played, and says
// whether it could. Final is the last look: what could still turn out otherwise is taken as it stands.
func (t *Tracker) judge(side ClockSide, at int64, final bool) bool {
	if !t.c.fixed {
		t.learnSides(side)
	}
	s := t.presser(side)
	t.recount()
	t.promoted()
	if t.judgeRestored(s, at, final) {
		return true
	}
	if top := t.g.last(); top.wrong.open() {
		if _, ok := onePly(&top.pos, &t.b.live); !ok && !t.answeredFirst() && t.judgePutRight(s) {
			return true
		}
	}
	if turn := t.g.last().pos.Turn(); s == turn {
		return t.judgeMover(s, at, final)
	}
	return t.judgeWaiter(s, at, final)
}

// presser returns who pressed: the player whose move it is, while the sides of the clock are not known.
func (t *Tracker) presser(side ClockSide) legal.Side {
	if s := t.c.player(side); s != legal.NoSide {
		return s
	}
	pos := t.g.pos()
	return pos.Turn()
}

// judgeMover is a press by the player who has the move.
func (t *Tracker) judgeMover(s legal.Side, at int64, final bool) bool {
	base := t.g.last()
	pos, live := base.pos, &t.b.live
	if m, ok := onePly(&pos, live); ok {
		if !final && (t.stillMoving(&pos, m, at) || t.maybeGhost(&pos)) {
			return false
		}
		code := "ok"
		switch {
		case t.alt.on && !t.unsure, t.restored:
			code = "ok_restored"
		case t.reply == m && t.b.lastAt <= t.replyAt:
			code = "ok_late" // this reply was seen complete at the mover's press already
		default:
			code = t.lateness(at, len(t.b.changes), m)
		}
		if code == pressedEarly && m.Promotion() != legal.NoKind {
			return false // a piece put there after the press does not count (FIDE Laws 7.5.2): see check_promotion.go
		}
		t.emitPress(s, code)
		t.tellEarly(s, code, at, m)
		t.commit(m, ByPress, -1)
		return true
	}
	if !final && t.reportsMayCome(at) && t.lastLifted() == s {
		return false // the mover's piece is on its way to the next square, and no victim lifted first
	}
	begun, at0, isBegun := onePlyThenReplyBegun(&pos, &t.b)
	if m, r, doubt, ok := t.bestPair(&pos); ok {
		mid := landing(base.place, m)
		// A captured piece lifted first makes the board look like another pair of moves; what was seen decides.
		seen := t.b.seen(&mid)
		if !final && (seen < 0 && !isBegun && !t.b.folded || t.maybeGhost(&pos)) {
			return false
		}
		if seen >= 0 || !isBegun || at0 < 0 {
			t.doubt(doubt)
			t.emitPress(s, "ok2")
			t.commit(m, ByPress, seen)
			t.reply, t.replyAt = r, t.now.At
			return true
		}
	}
	if isBegun && t.pushed(begun) {
		if !final {
			return false
		}
		isBegun = false // see check_second.go
	}
	if isBegun {
		if !final && t.maybeGhost(&pos) {
			return false
		}
		code := "ok"
		if at0 > 0 {
			code = t.lateness(at, at0, begun)
		}
		if code == pressedEarly && begun.Promotion() != legal.NoKind {
			return false
		}
		t.emitPress(s, code)
		t.tellEarly(s, code, at, begun)
		t.commit(begun, ByPress, at0)
		return true
	}
	return t.judgeBranch(s) || t.judgeLost(s, final)
}

// stillMoving says that the board may not show the end of the move yet: its last report is so fresh that the next square
// of a slide, or the rook of a castling, may only be on its way (board reports up to LateUS after the press report
// belong to before it). It cannot be so when the piece has nowhere else to go.
func (t *Tracker) stillMoving(pos *legal.Position, m legal.Move, at int64) bool {
	if !t.reportsMayCome(at) || at-t.b.lastAt >= t.p.LateUS {
		return false
	}
	var list legal.MoveList
	pos.Moves(&list)
	for _, c := range list.Slice() {
		if c.From() == m.From() && c.To() != m.To() {
			return true
		}
	}
	return false
}

// reportsMayCome says that board reports which belong to before a press reported at the given time may still come.
func (t *Tracker) reportsMayCome(at int64) bool {
	return !(t.pend.on && t.pend.late) && t.now.At < at+t.p.LateUS
}

// lastLifted returns whose piece was lifted by the latest change, or NoSide.
func (t *Tracker) lastLifted() legal.Side {
	n := len(t.b.changes)
	if n == 0 || t.b.changes[n-1].is != legal.NoPiece {
		return legal.NoSide
	}
	return t.b.changes[n-1].was.Side()
}

// ghostUS is how long a captured piece may be seen on a neighbouring square while it is carried off (reconstruction
// notes, row 20), and stillUS how long a placement must have stood before that to be a finished move.
const (
	ghostUS = 1_500_000
	stillUS = 300_000
)

// lateness says whether m, made by the first n changes, was complete in time for a press reported at the given time. A
// report up to LateUS after the press report belongs to before it; one that a dump had to heal may. Only the move's own
// squares count, and only until they first read as the move leaves them: another coil may flicker.
func (t *Tracker) lateness(at int64, n int, m legal.Move) string {
	base := t.g.last().place
	place := landing(base, m)
	missing := difference(&base, &place)
	for _, c := range t.b.changes[:n] {
		if c.is == place[c.sq] && (c.healed || c.win.Hi <= at+t.p.LateUS) {
			missing &^= 1 << c.sq
		}
	}
	for _, c := range t.b.changes[:n] {
		if missing>>c.sq&1 != 0 && c.is == place[c.sq] {
			return pressedEarly
		}
		taken := c.is == legal.NoPiece && place[c.sq] == legal.NoPiece && c.was.Side() == t.g.last().pos.Turn().Other()
		if taken && base[c.sq] == legal.NoPiece && !c.healed && c.win.Hi > at+t.p.LateUS {
			return pressedEarly // the captured man was put beside, and is taken off only now
		}
	}
	return "ok"
}

// pressedEarly is a press before the move was finished (FIDE Laws 6.2.1, 6.2.4).
const pressedEarly = "irreg.press_before_done"

// tellEarly tells a press that came before the move was finished. The move stands.
func (t *Tracker) tellEarly(s legal.Side, code string, at int64, m legal.Move) {
	if code != pressedEarly {
		return
	}
	v := t.view(len(t.b.changes))
	v.press = Window{Lo: at - t.p.ClockLagUS, Hi: at}
	sh := shape{
		kind: pressedEarly, proof: rules.Strong, permille: 800, side: s, uci: v.pos.UCI(m), squares: 1<<m.From() | 1<<m.To(),
		note: "the last piece of the move stood only after the press", stands: true,
	}
	after := v.pos.After(m)
	sh.after = after.Setup()
	t.bring(t.found(&sh, &v))
}

// judgeWaiter is a press by the player whose move was the last: he may have forgotten it before, or answered a move
// whose press was never reported.
func (t *Tracker) judgeWaiter(s legal.Side, at int64, final bool) bool {
	base := t.g.last()
	live := &t.b.live
	turn := base.pos.Turn()
	if base.place == *live {
		code := "ok_late"
		if t.unpressed {
			code, t.unpressed = "ok", false // the press of the move that ended the game already
		}
		if t.atStart() {
			if !final && t.reportsMayCome(at) {
				return false // or White's first move, of which nothing is seen yet
			}
			code = "ok_start"
		}
		if t.alt.on && t.alt.live == *live {
			t.alt = branch{} // pressed without a move and pressed back: nothing has happened (row 60)
		}
		t.emitPress(s, code)
		return true
	}
	if m, r, doubt, ok := t.bestPair(&base.pos); ok {
		t.doubt(doubt)
		t.emitPress(s, "ok")
		t.commit(m, ByReply, -1)
		t.commit(r, ByPress, -1)
		if !doubt {
			t.puzzled = 0 // the press before it was that of the first move
		}
		return true
	}
	if t.judgeBranch(s) || t.judgeLost(s, final) {
		return true
	}
	_, one := onePly(&base.pos, live)
	if one || inProgressScan(&base.place, live, turn) {
		t.emitPress(s, "ok_late") // the opponent is already moving
		return true
	}
	return false
}

// bestPair returns the two plies that lead to the board, if any. Where two pairs do, the squares that were seen decide;
// where they do not, there is a doubt.
func (t *Tracker) bestPair(pos *legal.Position) (m, r legal.Move, tied, ok bool) {
	pairs := twoPlies(pos, &t.b.live, 4)
	if len(pairs) == 0 {
		return 0, 0, false, false
	}
	best, score := 0, -1
	from := pos.Placement()
	for i, p := range pairs {
		mid := landing(from, p.move)
		n := 0
		if i := t.b.seen(&mid); i >= 0 {
			n = 100
			if t.b.stood(i) >= stillUS {
				n = 200 // a finished move, and not a captured man who was carried over that square
			}
		}
		// Squares that only this pair touches and that did change: g4 in "g4 fxg3 e.p.", f6 or h6 in the other kind.
		own := uint64(1)<<p.move.To() | 1<<p.move.From() | 1<<p.reply.To() | 1<<p.reply.From()
		n += squares(own & t.b.touched())
		switch {
		case n > score:
			best, score, tied = i, n, false
		case n == score:
			tied = true
		}
	}
	return pairs[best].move, pairs[best].reply, tied, true
}

// doubt tells, with a commit, that the moves are not certain.
func (t *Tracker) doubt(is bool) {
	if is {
		t.note("ambiguous_moves", "other moves lead to this position as well, and the board did not show which were played")
	}
}

// judgeBranch explains a press from the board as it stood at an earlier unexplained press: the players went on from
// there, and so does the record.
func (t *Tracker) judgeBranch(s legal.Side) bool {
	if !t.alt.on || !t.alt.valid || t.alt.pos.Turn() != s {
		return false
	}
	m, ok := onePly(&t.alt.pos, &t.b.live)
	if !ok {
		return false
	}
	t.rebaseOn(t.alt.pos, t.g.last().ply+t.alt.presses)
	t.emitPress(s, "ok")
	t.commit(m, ByPress, -1)
	return true
}

// judgeAgain looks at a waiting press once more, because the board changed. Once the opponent touches his own pieces
// the mover's hand has left the board.
func (t *Tracker) judgeAgain() {
	n := len(t.b.changes)
	if t.pend.late && n > 0 && t.b.changes[n-1].healed {
		t.pend.n = n // a dump shows it only now: it may have stood there at the press
	}
	if n > 0 && !t.b.changes[n-1].healed {
		c := &t.b.changes[n-1]
		if other := t.presser(t.pend.side).Other(); c.was.Side() == other && c.is == legal.NoPiece || c.is.Side() == other {
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

// lateTicks is how many seconds the clock must count after a press until board reports come too late to belong before
// it. The first can follow at once, so that the second is the one that proves a second.
const lateTicks = 2

// ticked lets a recording without times go on: there the clock's own seconds are the only measure.
func (p *pending) ticked() (passed bool) {
	p.ticks++
	return p.on && !p.late && p.ticks >= lateTicks
}

// pressExpired ends the wait for late reports first, and then the wait for a dump or a hand.
func (t *Tracker) pressExpired() {
	p := &t.pend
	if !p.late {
		p.late, p.n = true, len(t.b.changes)
	}
	t.wantDump = t.wantDump || t.b.verified < p.at+t.p.LateUS // so that a finding can be confirmed at once
	switch end := p.at + t.p.GraceUS; {
	case p.due < min(p.at+putUS, end):
		p.due = min(p.at+putUS, end)
	case p.due < min(p.at+bounceUS, end):
		p.due = min(p.at+bounceUS, end)
	case p.due < min(p.at+2*putUS, end):
		p.due = min(p.at+2*putUS, end)
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
}

// giveUp ends the wait for an explanation. If the last look finds none, the press is not explained: the board does not show what was played. Nothing is concluded from it
// against anybody; the board as it stands is kept as a second line that the game may go on from.
func (t *Tracker) giveUp() {
	side, at, n := t.pend.side, t.pend.at, t.pend.n
	t.pend = pending{}
	if t.judge(side, at, true) {
		return
	}
	s := t.presser(side)
	t.pend = pending{side: side, at: at, n: n}
	if t.g.last().place != t.b.live {
		if k := t.g.earlier(&t.b.live, s.Other()); k > 0 {
			t.takenBackAtPress(s, k)
			return
		}
	}
	if t.accuse(true) {
		t.pend = pending{}
		return
	}
	t.pend = pending{}
	t.emitPress(s, "sensor.unknown")
	t.alt.on = true
	t.alt.presses++
	t.alt.live = t.b.live
	t.alt.pos, t.alt.valid = t.positionFrom(t.b.live, s.Other())
	t.wantDump = true
}

// positionFrom makes a position of the board as it stands. Castling rights are those of the record whose king and
// rook still stand at home: a dump never gives a right back (laws notes 1.3).
func (t *Tracker) positionFrom(live legal.Placement, turn legal.Side) (legal.Position, bool) {
	base := t.g.pos()
	s := base.Setup()
	s.Castling = keptRights(&s, &live)
	s.Placement = live
	s.Turn = turn
	s.EnPassant = legal.NoSquare
	pos, err := s.Position()
	return pos, err == nil
}

// rebaseOn goes on from a position that no legal move of the record leads to.
func (t *Tracker) rebaseOn(pos legal.Position, ply int) {
	t.g.grow(node{pos: pos, place: pos.Placement(), ply: plyFor(&pos, ply)})
	t.b.folded = true
	t.note("record_broken", "the game goes on from a position that the recorded moves do not lead to: "+pos.FEN())
}

// plyFor is the number of plies played at a position, at least the given one: even where White has the move.
func plyFor(pos *legal.Position, least int) int {
	if (pos.Turn() == legal.White) != (least%2 == 0) {
		least++
	}
	return least
}

func squares(set uint64) int { return bits.OnesCount64(set) }
