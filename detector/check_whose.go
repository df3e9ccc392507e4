package detector

import (
	"boardwatchd/detector/play"
	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// Whoever has the turn in which a piece is displaced puts it right (FIDE Laws 7.4.1). The turn ends with the press,
// whose report may be a second late, and the opponent's hand comes over the board meanwhile: what a sleeve pushes then
// stands on the board of that press.

// sameHandUS is how soon after a piece was displaced the same hand has lifted a piece of its own, and withdrawnUS how
// long after a press the sleeve of the player who pressed may still push a piece.
const (
	sameHandUS  = 1_000_000
	withdrawnUS = 2_000_000
)

// inTurn says that the pieces on the squares in rest were displaced in the turn of the player who pressed, whose move m
// has left this placement: not before the press of the turn before was reported, nor while that hand was withdrawn, and
// not while the opponent may have had the turn and had a hand on the board.
func (v *view) inTurn(m legal.Move, placement *legal.Placement, rest uint64) bool {
	done := v.finishedAt(placement, rest)
	var last [64]*change
	for i := range v.changes {
		if c := &v.changes[i]; rest>>c.sq&1 != 0 && c.was == placement[c.sq] {
			last[c.sq] = c
		}
	}
	for set := rest; set != 0; set &= set - 1 {
		c := last[lowest(set)]
		switch {
		case c == nil:
		case c.win.Lo < v.since || c.win.Hi > v.press.Hi, v.withdrawing(c, squares(rest) == 1), c.win.Hi > done && v.mayBeOpponents(m, c, placement, rest, done):
			return false
		}
	}
	return true
}

// withdrawing says that a change came so soon after the press before that it may be the sleeve of who pressed: the
// player to move had not lifted a piece yet. No sleeve brings a piece to a square alone.
func (v *view) withdrawing(c *change, alone bool) bool {
	if v.since == 0 || c.win.Lo >= v.since+withdrawnUS || alone {
		return false
	}
	for i := range v.changes {
		switch o := &v.changes[i]; {
		case o == c:
			return true
		case o.was.Side() == v.mover() && o.win.Hi >= v.since:
			return false
		}
	}
	return true
}

// mayBeOpponents reports whether the opponent may have made a change that came after the move was finished.
func (v *view) mayBeOpponents(m legal.Move, c *change, placement *legal.Placement, rest uint64, done int64) bool {
	// One or two pieces of the opponent's on other squares: their own player can have moved one and pushed the other.
	own := squares(rest) <= 4 && placement[c.sq].Side() == v.mover().Other() && oneSide(placement, rest)
	if own && squares(rest) == 2 && v.carried(c, placement, legal.Square(lowest(rest&^(1<<c.sq)))) {
		return true // its player may have replied before the press
	}
	return c.win.Hi > v.press.Lo && (own || v.handOfOpponent(m, rest, done, c.win.Hi+sameHandUS))
}

// carried says that the piece that was lifted by a change was put on an empty square later than a sleeve pushes it
// there.
func (v *view) carried(lift *change, placement *legal.Placement, to legal.Square) bool {
	put := v.latest(to, lift.was)
	return put != nil && placement[to] == legal.NoPiece && put.win.Hi-lift.win.Hi > pushUS
}

// finishedAt is when the last square of a move was reported, as placement has it.
func (v *view) finishedAt(placement *legal.Placement, rest uint64) (at int64) {
	for i := range v.changes {
		c := &v.changes[i]
		if rest>>c.sq&1 == 0 && c.is == placement[c.sq] && v.base[c.sq] != placement[c.sq] {
			at = c.win.Hi
		}
	}
	return at
}

// handOfOpponent says that a piece of the opponent's was lifted or put down between two times, other than those that
// were displaced or captured.
func (v *view) handOfOpponent(m legal.Move, rest uint64, from, to int64) bool {
	o := v.mover().Other()
	taken := legal.NoPiece
	if sq := m.Victim(); sq < legal.NoSquare {
		taken = v.base[sq]
	}
	for _, list := range [...][]change{v.changes, v.later} {
		for i := range list {
			c := &list[i]
			if c.win.Hi <= from || c.win.Hi > to || rest>>c.sq&1 != 0 || c.sq == m.Victim() {
				continue
			}
			if carried := v.base[c.sq] == legal.NoPiece && taken != legal.NoPiece && (c.is == taken || c.was == taken); carried {
				continue
			}
			if c.is.Side() == o || c.is == legal.NoPiece && c.was.Side() == o {
				return true
			}
		}
	}
	return false
}

// ofNobody makes a shape name nobody: whose hand displaced the pieces is not known.
func (s *shape) ofNobody() {
	s.proof, s.permille, s.side = rules.Hint, hintPermille, legal.NoSide
}

// A legal move stood on the board, and then its own piece was pushed to the next square while the opponent may have had
// the turn, and has a hand on the board. The board at the press looks like an illegal move, or like two moves, of the
// player who pressed: it is none.

func seePushedByWhom(v *view) (best shape, found bool) {
	if squares(v.diff) > play.MaxReplySquares {
		return shape{}, false
	}
	var list legal.MoveList
	v.pos.Moves(&list)
	for _, m := range list.Slice() {
		placement := placementAfter(v.base, m)
		t, one := oneTransfer(&placement, &v.at)
		if !one || putBy(m)>>t.from&1 == 0 || !t.neighbouring() || t.victim != legal.NoPiece || v.shown(&placement) < stillUS {
			continue
		}
		if took := v.took(t); took < 0 || took > pushUS || v.inTurn(m, &placement, t.squares()) {
			continue
		}
		if found {
			return shape{}, false
		}
		best, found = v.shapeOf(kinds.Displaced, rules.Strong, v.diff|t.squares()), true
		best.uci = v.pos.UCI(m)
		best.after, best.stands = v.played(m), true
		best.ofNobody()
	}
	return best, found
}

// mayBeReply names nobody any more for pieces that were displaced, when the other player presses without having moved
// since, and one of them stands where a legal move of that player's brings it: it may be the reply, and the rest its
// sleeve.
func (t *Tracker) mayBeReply(s legal.Side) {
	f := t.knocked.Found
	base := t.g.last()
	if f.ID == "" || f.Side != s.Other() || f.Ply != base.ply || base.pos.Turn() != s {
		return
	}
	raw, _ := t.b.uncounted()
	if !anyMove(&base.pos, func(r legal.Move) bool {
		placement := placementAfter(base.place, r)
		return difference(&base.place, &placement)&difference(&placement, &raw) == 0
	}) {
		return
	}
	t.knocked = knocked{}
	sh := shape{}
	sh.ofNobody()
	f.Stamp, f.Side, f.Proof, f.Permille = t.now, sh.side, sh.proof, sh.permille
	for i := range t.await {
		if t.await[i].ID == f.ID {
			t.await[i].Found = f
			t.emit(f)
			return
		}
	}
	f.State = rules.Confirmed
	t.emit(f)
}

// A knocked piece, or several, told with the last move. Carried says that it is one, and that it was between two squares
// for longer than a push takes; putAt is when it was reported where it stands, 0: it is not one.
type knocked struct {
	Found
	carried bool
	putAt   int64
}

// knockedBy is what was found in a view about pieces that stand elsewhere than a placement has them.
func (v *view) knockedBy(f Found, placement *legal.Placement) knocked {
	k := knocked{Found: f}
	if t, one := oneTransfer(placement, &v.at); one && v.took(t) >= 0 {
		k.carried, k.putAt = v.took(t) > pushUS+jitterUS, v.latest(t.to, t.piece).win.Hi
	}
	return k
}

// pressedSoon says that a press was reported as soon after a piece was put down as reports of presses come in this game:
// who presses back because a piece has been displaced sees that first.
func (t *Tracker) pressedSoon(putAt, at int64) bool {
	us, known := t.slowestReport()
	return known && at-putAt <= us+marginUS
}

// pushedAside says that nothing differs but one piece beside its square, which it has reached as fast as a push when the
// opponent may have had the turn, and that the player who presses has thought since: he presses back.
func (a *openPress) pushedAside() bool {
	t, one := oneTransfer(&a.base.place, &a.v.at)
	if !one || !t.neighbouring() || t.victim != legal.NoPiece || a.turnSince == 0 || a.base.wrong.open() {
		return false
	}
	b, put := a.bound(), a.v.latest(t.to, t.piece)
	if put == nil || b.after(a.turnSince, put) || a.pressedSoon(put.win.Hi, a.pend.at) {
		return false
	}
	if _, legally := onePly(&a.base.pos, &a.v.at); legally {
		return false
	}
	took := a.v.took(t)
	return took >= 0 && took <= max(pushUS+jitterUS, b.us) || a.v.origin[t.from] == legal.NoPiece // lifted before the opponent's press
}

// tellPushedAside tells the piece, and of nobody: the opponent is to put it right.
func (a *openPress) tellPushedAside() bool {
	sh := a.v.shapeOf(kinds.Displaced, rules.Hint, difference(&a.base.place, &a.v.at))
	sh.ofNobody()
	sh.note = words.Say("saw.beside")
	f, at := a.found(&sh, &a.v), a.v.at
	a.putRightFirst()
	a.b.rebase(len(a.v.changes))
	a.b.count(&at, &a.base.place)
	a.fault = fault{side: a.by.Other(), ply: a.base.ply}
	a.openFinding(f)
	return true
}

// movedNotPushed looks again at a piece that was told as displaced by an unknown hand, when its own player presses and has
// moved nothing else. Where it was carried, or he presses as soon as after his moves, and a piece of its kind goes to that
// square, it was the player's move, and the move leaves the king in check. Else it may have been pushed, and the clock
// pressed back.
func (t *Tracker) movedNotPushed(s legal.Side) bool {
	f := t.knocked
	if f.ID == "" || f.Side != legal.NoSide || f.Ply != t.g.last().ply || squares(t.b.doubt) != 1 || !t.trusted(t.pend.at) {
		return false
	}
	if !f.carried && !t.pressedSoon(f.putAt, t.pend.at) {
		return false
	}
	v := t.viewAtPress(s, true)
	t.b.readInto(&v.at) // not the board of now: the opponent may have begun his turn
	sh, ok := t.recognise(&v)
	if !ok || sh.side != s || sh.kind != kinds.IllegalExposesKing && sh.kind != kinds.IllegalLeftInCheck && sh.kind != kinds.IllegalKingIntoCheck {
		return false
	}
	sh.proof, sh.permille = rules.Strong, strongPermille
	sh.note = words.Say("saw.or_pushed")
	t.b.readOnly()
	t.drop(f.Found, words.Say("withdrawn.moved"))
	t.reportOffence(s, &sh, &v)
	return true
}
