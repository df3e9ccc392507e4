package detector

import (
	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// A fault is the last thing that was found against a side: who answers it by pressing back has not pressed without a
// move.
type fault struct {
	side legal.Side
	ply  int // the ply that it is about
}

// freshStartUS is how long after the clock was started a press without a move is still part of starting it
// (reconstruction notes 7.4).
const freshStartUS = 3_000_000

// accuse looks at a waiting press that no legal play explains and says what it shows. It returns false where nothing can
// be said, or not yet: then the press waits on, and at last it is sensor.unknown.
func (t *Tracker) accuse(final bool) bool {
	s := t.presser(t.pend.side)
	v := t.viewAtPress(s, final)
	base := t.g.last()
	if t.doubtful() || t.c.player(t.pend.side) == legal.NoSide {
		if final {
			t.note("cannot_judge", words.Say("row.press_from_nowhere"))
		}
		return false
	}
	if v.at == base.place && s == base.pos.Turn() {
		if !final && t.now.At < t.pend.at+bounceUS && t.pend.ticks < lateTicks {
			return false
		}
		return t.nothingMoved(s, &v)
	}
	if !final && (t.stillPutting(s) || canBePlies(&base.pos, &t.b.live, 2, 0)) {
		return false // an innocent reading waits as well
	}
	if !final && s == base.pos.Turn() {
		if x, _, ok := t.explainPress(&base.pos, s, t.pend.at); ok && x.Seen[0] < 0 && !t.pushed(x.Moves[0]) && !t.putBeside(x.Moves[0]) {
			return false
		}
	}
	if !final && t.g.earlier(&t.b.live, s.Other()) > 0 {
		return false // or taken back by agreement, which is told at the last look
	}
	if !t.trusted(t.pend.at) {
		if final {
			t.note("cannot_judge", words.Say("row.press_after_loss"))
		}
		return false
	}
	if t.playedAsRead(s) || t.playedFromPause(s) {
		return true
	}
	if t.answeredNothing(s, &v) {
		return t.nothingMoved(s, &v)
	}
	if v.scramble(s) || v.at != t.b.live && s == v.pos.Turn() && canBePlies(v.pos, &v.at, 2, 0) {
		return false // a move and its reply, and more has been played since
	}
	sh, ok := classify(&v)
	if ok && (sh.kind == kinds.OutOfTurn || sh.kind == kinds.DoubleMove) && (t.alt.on || base.wrong.open()) {
		return false // after something that is not settled, who had the move is not certain
	}
	if ok && sh.kind == kinds.Unreadable && t.now.At < t.pend.at+t.p.GraceUS && v.opponentTouched(s) {
		return false // the next press came too soon: the man may be in the hand of who takes him
	}
	if ok && sh.kind.Illegal() && !t.sameAsRead(&sh, &v) {
		return false
	}
	if ok && sh.kind == kinds.IllegalCastleRightLost && t.movedHome {
		return false // king or rook may not have moved at all
	}
	if ok && sh.open && !final && t.b.verified < max(t.b.lastAt, t.pend.at+t.p.LateUS) {
		t.wantDump = true // so that the look at the end of the wait is a fresh one
	}
	if !ok || sh.open && !final || v.pos.Turn() != s && sh.kind != kinds.OutOfTurn {
		return false
	}
	t.charge(s, &sh, &v)
	return true
}

// answeredNothing says that the press came without a move and that the opponent has moved already when it is looked at: no
// man of the presser's has moved, and the board shows a legal move of the opponent's, as if it were his turn.
func (t *Tracker) answeredNothing(s legal.Side, v *view) bool {
	base := t.g.last()
	if s != base.pos.Turn() || base.wrong.open() || t.atStart() {
		return false
	}
	for i := range t.b.changes {
		if c := &t.b.changes[i]; c.is.Side() == s || c.was.Side() == s && base.place[c.sq] == c.was && t.b.live[c.sq].Side() != s.Other() {
			return false
		}
	}
	if len(t.b.changes) == 0 || t.b.changes[0].win.Hi < v.press.Lo {
		return false // the opponent moved before the clock was pressed: out of turn, and pressed for that
	}
	pos, ok := t.standing(&base.pos, base.place, s.Other())
	if !ok {
		return false
	}
	_, ok = onePly(&pos, &t.b.live)
	return ok && v.pos == &base.pos
}

// putUS is how long the presser's own men must have stood still for his move to be over. Laws notes 1.3: wait until all
// is quiet.
const putUS = 500_000

// stillPutting says that the presser's men have moved just now.
func (t *Tracker) stillPutting(s legal.Side) bool {
	for i := len(t.b.changes) - 1; i >= 0; i-- {
		c := &t.b.changes[i]
		if c.is.Side() == s || c.was.Side() == s && c.is == legal.NoPiece {
			return t.now.At < c.win.Hi+putUS && t.pend.ticks < lateTicks
		}
	}
	return false
}

// soundMoves is how many moves in order it takes, where nobody reads the board again, to trust the record after something
// that nothing explained.
const soundMoves = 4

// trusted says that the board's model is worth an accusation: nothing was lost since the last commit, or a dump has put it
// right after the press.
//
// In a recording where nobody asks for a dump, damage that was seen is a sign of damage that was not: until a dump has
// agreed nothing is said against anybody.
func (t *Tracker) trusted(at int64) bool {
	if t.b.verified >= at {
		return true
	}
	return !t.b.folded && !t.sync.lost && !(t.p.Passive && (t.noisy || t.puzzled > 0))
}

// viewAtPress is the turn that the waiting press ended.
func (t *Tracker) viewAtPress(s legal.Side, final bool) view {
	n := t.pend.n
	if n < 0 || n > len(t.b.changes) {
		n = len(t.b.changes)
	}
	v := t.view(n)
	v.press = Window{Lo: t.pend.at - t.p.ClockLagUS, Hi: t.pend.at}
	v.final = final
	carriedOff(&v, s)
	// After an illegal move the same player may press again: he has put the pieces back and moved anew.
	if k := len(t.g.nodes); k >= 2 && t.g.nodes[k-1].wrong.open() && t.g.nodes[k-2].pos.Turn() == s {
		v.line = t.g.nodes[:k-1]
		v.pos = &t.g.nodes[k-2].pos
	}
	return v
}

// carriedOff takes the opponent's men off the board of a press who stood where none stood before and who were taken away
// after it: a captured man is seen beside his square while he is carried off (reconstruction notes, row 20).
func carriedOff(v *view, s legal.Side) {
	base := v.pos.Placement()
	for _, c := range v.later {
		if c.is == legal.NoPiece && c.was.Side() == s.Other() && v.at[c.sq] == c.was && base[c.sq] == legal.NoPiece {
			v.at[c.sq] = legal.NoPiece
		}
	}
}

// view is the turn that is on the board, its first n changes taken as what counts.
func (t *Tracker) view(n int) view {
	return view{
		pos: &t.g.last().pos, line: t.g.nodes, origin: t.b.origin, at: t.b.after(n), changes: t.b.changes[:n],
		later: t.b.changes[n:], since: t.turnSince, press: Window{Lo: t.now.At, Hi: t.now.At}, now: t.now.At, lateUS: t.p.LateUS,
		bound: t.bound(), shaken: t.b.folded || t.noisy || t.sync.lost || t.b.unreadable,
	}
}

func (w wrong) open() bool { return w.on && !w.stays }

// nothingMoved is a press by the player who has the move, and the board stands as before it (FIDE Laws 6.2.4, 7.5.3).
// Certain is only that the lever moved and no square did.
func (t *Tracker) nothingMoved(s legal.Side, v *view) bool {
	base := t.g.last()
	t.mayBeReply(s)
	switch {
	case t.b.unread(s) && t.movedNotPushed(s):
		return true
	case t.b.unread(s):
		t.note("cannot_judge", words.Say("row.press_unread"))
		t.emitPress(s, string(kinds.NotUnderstood))
		t.branchAt(s)
		return true
	case base.wrong.open() && !base.wrong.null, t.fault.side == s.Other() && t.fault.ply == base.ply:
		t.emitPress(s, string(kinds.IllegalNoMove))
		t.turn(PressedBack, s)
		return true
	case t.atStart() && (!t.c.fixed || t.pend.at-t.runSince < freshStartUS), t.pend.at-t.runSince < freshStartUS && t.runSince > 0:
		t.emitPress(s, "ok_start")
		return true
	case t.pressedAt > 0 && t.pend.at-t.pressedAt < bounceUS:
		t.note("lever_bounced", words.Say("row.lever_bounced"))
		t.emitPress(s, string(kinds.IllegalNoMove))
		t.branchAt(s)
		t.alt.passed = t.found(noMove(s), v)
		return true
	case t.now.At-t.pend.at < bounceUS && t.c.last.Up == t.pend.side && t.b.live == base.place:
		t.emitPress(s, string(kinds.IllegalNoMove)) // and the lever has come back already
		return true
	case !t.trusted(t.pend.at):
		return false
	}
	t.emitPress(s, string(kinds.IllegalNoMove))
	f := t.found(noMove(s), v)
	t.passed(s, f.ID)
	t.nothing = f
	t.bring(f)
	return true
}

// noMove is the shape of a press by s without a move.
func noMove(s legal.Side) *shape {
	return &shape{kind: kinds.IllegalNoMove, proof: rules.Strong, permille: strongPermille, side: s}
}

// passed goes on after a press without a move: the same men, and the other side's clock runs.
func (t *Tracker) passed(s legal.Side, finding string) {
	base := t.g.last()
	t.fault = fault{side: s, ply: base.ply + 1}
	pos, ok := t.standing(&base.pos, base.place, s.Other())
	if !ok {
		return
	}
	w := wrong{on: true, null: true, promo: legal.NoSquare, done: offence{finding: finding, side: s, clock: t.c.times()}}
	t.g.grow(node{pos: pos, place: base.place, ply: plyFor(&pos, base.ply+1), wrong: w})
}

// charge brings what a press shows: the press's judgement, the finding, and the position that stands if nothing is done.
func (t *Tracker) charge(s legal.Side, sh *shape, v *view) {
	code := string(sh.kind)
	if sh.answered {
		code += "+reply"
	}
	t.emitPress(s, code)
	t.followed(s, sh, v)
}

// followed is charge without the press's own judgement, which was told before.
func (t *Tracker) followed(s legal.Side, sh *shape, v *view) {
	f := t.found(sh, v)
	at, n := v.at, len(v.changes)
	if m, ok := t.legalBeneath(sh, v); ok {
		target := sh.after.Placement
		t.commit(m, ByPress, n)
		t.b.count(&at, &target)
		if m.Promotion() != legal.NoKind && at[m.To()] == legal.NoPiece {
			t.assume(m)
		}
		t.fault = fault{side: sh.side, ply: t.g.last().ply}
		if sh.side == legal.NoSide {
			t.fault.side = s // whoever presses back without a move has a reason
		}
		if sh.kind == kinds.Displaced {
			t.knocked = f
		}
		t.bring(f)
		return
	}
	if sh.stands && sh.after.Placement == t.g.last().place || sh.kind.Family() == kinds.Sensor {
		t.alt = branch{on: true, live: at, presses: t.alt.presses + 1} // no move is known to have been made
		t.alt.pos, t.alt.valid = t.positionFrom(at, s.Other())
		t.fault = fault{side: sh.side, ply: t.g.last().ply}
		t.bring(f)
		return
	}
	if v.pos != &t.g.last().pos {
		t.putBack() // the position before was restored, and then this was played
	}
	t.branchOff(s, sh, v, f.ID)
	t.fault = fault{side: sh.side, ply: t.g.last().ply}
	t.bring(f)
}

// legalBeneath returns the legal move that was played beneath an irregularity: a man knocked over, a square that reads
// wrong, a promotion piece of the other colour.
func (t *Tracker) legalBeneath(sh *shape, v *view) (legal.Move, bool) {
	if !sh.stands || sh.kind.Illegal() || v.pos != &t.g.last().pos {
		return 0, false
	}
	return onePly(v.pos, &sh.after.Placement)
}

// branchOff goes on from what an illegal move has left on the board, as long as it is not dealt with.
func (t *Tracker) branchOff(s legal.Side, sh *shape, v *view, finding string) {
	base := t.g.last()
	at, n := v.at, len(v.changes)
	w := wrong{on: true, promo: legal.NoSquare, done: offence{side: sh.side, uci: sh.uci, clock: t.c.times()}}
	if isMove(sh.kind) {
		w.done.finding = finding
	}
	if sh.board != (legal.Placement{}) && sh.board != at {
		at = sh.board // the reply stands on the board as well, or has begun
		n = max(t.b.seen(&at), 0)
	}
	target := at
	if sh.kind == kinds.IllegalPromoIncomplete {
		w.promo = promotionSquare(sh)
		if sq := w.promo; sq != legal.NoSquare && target[sq] == legal.NoPiece {
			if target[sq] = t.b.live[sq]; target[sq].Side() != sh.side {
				target[sq] = legal.PieceOf(sh.side, legal.Queen)
			}
		}
	}
	pos, ok := t.standing(v.pos, target, s.Other())
	if !ok {
		t.alt = branch{on: true, live: at, presses: t.alt.presses + 1}
		return
	}
	t.g.grow(node{pos: pos, place: target, ply: plyFor(&pos, base.ply+1), wrong: w})
	t.b.rebase(n)
	t.b.count(&at, &target)
	t.settled()
	if sh.answered {
		t.reply, t.replyAt = sh.reply, t.now.At
	}
}

// promotionSquare returns where the forced queen stands.
func promotionSquare(sh *shape) legal.Square {
	for set := sh.squares; set != 0; set &= set - 1 {
		sq := legal.Square(lowest(set))
		if r := sq.Rank(); (r == 0 || r == 7) && sh.after.Placement[sq] == legal.PieceOf(sh.side, legal.Queen) {
			return sq
		}
	}
	return legal.NoSquare
}

// standing makes a position of a board on which something illegal stands. The counters go on; a right to castle is never
// given back (laws notes 1.3).
func (t *Tracker) standing(from *legal.Position, place legal.Placement, turn legal.Side) (legal.Position, bool) {
	s := from.Setup()
	s.Castling = keptRights(&s, &place)
	s.Placement = place
	if s.Turn == legal.Black && turn == legal.White {
		s.FullMoves++
	}
	s.Turn = turn
	s.EnPassant = legal.NoSquare
	pos, err := s.Standing()
	return pos, err == nil
}
