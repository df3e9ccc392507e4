package detector

import (
	"boardwatchd/detector/offence"
	"boardwatchd/detector/play"
	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// mayBeReply makes a finding about displaced pieces name neither player, when the other player presses without having
// moved since, and one of the pieces is where a legal move of that player's puts it: it may be the reply, and the
// others pushed by that player's sleeve.
func (t *Tracker) mayBeReply(s legal.Side) {
	f := t.turn.knocked.Found
	base := t.g.last()
	if f.ID == "" || f.Side != s.Other() || f.Ply != base.ply || base.pos.Turn() != s {
		return
	}
	raw, _ := t.b.Uncounted()
	if !play.AnyMove(&base.pos, func(r legal.Move) bool {
		placement := play.PlacementAfter(base.place, r)
		return play.Difference(&base.place, &placement)&play.Difference(&placement, &raw) == 0
	}) {
		return
	}
	t.turn.knocked = knocked{}
	sh := offence.Shape{}
	sh.NameNeither()
	f.Stamp, f.Side, f.Proof, f.Permille = t.now, sh.Side, sh.Proof, sh.Permille
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

// A knocked piece, or several, were reported with the last move. Carried means that it is one, and was between two
// squares for longer than a push takes; putAt is when it was reported on its new square, 0: there are several.
type knocked struct {
	Found
	carried bool
	putAt   int64
}

// knockedBy returns a finding in a view about pieces that are not where a placement has them.
func knockedBy(v *offence.View, f Found, placement *legal.Placement) knocked {
	k := knocked{Found: f}
	if t, one := offence.OneTransfer(placement, &v.At); one && v.Took(t) >= 0 {
		k.carried, k.putAt = v.Took(t) > offence.PushUS+offence.JitterUS, v.Latest(t.To, t.Piece).Window.Hi
	}
	return k
}

// pressedSoon reports whether a press was reported as soon after a piece was put down as presses are reported in this
// game: a player who presses back because a piece has been displaced notices that first.
func (t *Tracker) pressedSoon(putAt, at int64) bool {
	us, known := t.slowestReport()
	return known && at-putAt <= us+marginUS
}

// pushedAside reports whether only one piece beside its square differs, which reached it as fast as a push when the
// opponent may have had the turn, and the player who presses has had time to notice: the player presses back.
func (a *openPress) pushedAside() bool {
	t, one := offence.OneTransfer(&a.base.place, &a.v.At)
	if !one || !t.Neighbouring() || t.Victim != legal.NoPiece || a.turnPressedAt == 0 || a.base.wrong.open() {
		return false
	}
	b, put := a.bound(), a.v.Latest(t.To, t.Piece)
	if put == nil || b.After(a.turnPressedAt, put) || a.pressedSoon(put.Window.Hi, a.pend.at) {
		return false
	}
	if _, legally := play.OnePly(&a.base.pos, &a.v.At); legally {
		return false
	}
	took := a.v.Took(t)
	// The piece was lifted before the opponent's press.
	return took >= 0 && took <= max(offence.PushUS+offence.JitterUS, b.US) || a.v.Origin[t.From] == legal.NoPiece
}

// tellPushedAside reports the piece, without a player: the opponent has to put it right.
func (a *openPress) tellPushedAside() bool {
	f, at := a.newFinding(nobodysDisplaced(&a.v, play.Difference(&a.base.place, &a.v.At)), &a.v), a.v.At
	a.putRightFirst()
	a.b.Rebase(len(a.v.Changes))
	a.b.Count(&at, &a.base.place)
	a.fault = fault{side: a.by.Other(), ply: a.base.ply}
	a.openFinding(f)
	return true
}

// playedFromElsewhere explains the press by a legal move of a piece that stood beside its square when the opponent
// pressed: the opponent may have put it there, and it is not the player who broke a rule. That it stood there is
// reported, and of nobody.
func (a *openPress) playedFromElsewhere() bool {
	n := a.b.ChangesUntil(a.v.Answered)
	if !a.sh.Kind.Illegal() || a.v.Answered == 0 || n == 0 || a.b.Stood(n) < play.StillUS || a.base.wrong.open() || a.base.pos.Turn() != a.by {
		return false
	}
	stood := a.b.After(n)
	diff := play.Difference(&a.base.place, &stood)
	if t, one := offence.OneTransfer(&a.base.place, &stood); !one || t.Piece.Side() != a.by || t.Victim != legal.NoPiece {
		return false
	}
	f := a.newFinding(nobodysDisplaced(&a.v, diff), &a.v)
	if !a.movedFrom(a.by, &stood) {
		return false
	}
	a.openFinding(f)
	return true
}

// movedOnFromIllegal explains the press by a legal move from the board of the player's own illegal move, after the
// opponent has pressed without a move: to one of the players that was the turn given back, to the other a turn passed.
// A second illegal move is not reported for it.
func (a *openPress) movedOnFromIllegal() bool {
	w := &a.base.wrong
	if !w.open() || w.nullMove || w.done.side != a.by || a.v.Pos == &a.base.pos {
		return false
	}
	_, m, ok := a.moveFrom(&a.base.place, a.by, &a.v.At)
	if !ok {
		return false
	}
	a.pushNullMove(a.by.Other(), "")
	return a.pressed(a.by, "ok", a.pend.at, m, -1)
}

// nobodysDisplaced is the shape of pieces that stand beside their squares by an unknown hand.
func nobodysDisplaced(v *offence.View, squares uint64) *offence.Shape {
	sh := v.ShapeOf(kinds.Displaced, rules.Hint, squares)
	sh.NameNeither()
	sh.Note = words.Say("saw.beside")
	return &sh
}

// movedNotPushed judges again a piece that was reported as displaced by an unknown hand, when its own player presses
// and has moved nothing else. Where it was carried, or the player presses as soon as after a move, and a piece of its
// kind may go to that square, it was the player's move, and the move leaves the king in check. Otherwise it may have
// been pushed, and the clock pressed back.
func (t *Tracker) movedNotPushed(s legal.Side) bool {
	f := t.turn.knocked
	if f.ID == "" || f.Side != legal.NoSide || f.Ply != t.g.last().ply || play.Count(t.b.CountedUnread) != 1 || !t.trusted(t.pend.at) {
		return false
	}
	if !f.carried && !t.pressedSoon(f.putAt, t.pend.at) {
		return false
	}
	v := t.viewAtPress(s, true)
	t.b.ReadInto(&v.At) // not the present board: the opponent may have begun a turn
	sh, ok := t.recognise(&v)
	if !ok || sh.Side != s || sh.Kind != kinds.IllegalExposesKing && sh.Kind != kinds.IllegalLeftInCheck && sh.Kind != kinds.IllegalKingIntoCheck {
		return false
	}
	sh.Proof, sh.Permille = rules.Strong, offence.StrongPermille
	sh.Note = words.Say("saw.or_pushed")
	t.b.ReadOnly()
	t.drop(f.Found, words.Say("withdrawn.moved"))
	t.reportOffence(s, &sh, &v)
	return true
}
