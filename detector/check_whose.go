package detector

import (
	"boardwatchd/detector/offence"
	"boardwatchd/detector/play"
	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// Whoever has the turn in which a piece is displaced puts it right (FIDE Laws 7.4.1). The turn ends with the press,
// whose report may be a second late, and the opponent's hand comes over the board meanwhile: what a sleeve pushes then
// stands on the board of that press.

// A legal move stood on the board, and then its own piece was pushed to the next square while the opponent may have had
// the turn, and has a hand on the board. The board at the press looks like an illegal move, or like two moves, of the
// player who pressed: it is none.

// mayBeReply names nobody any more for pieces that were displaced, when the other player presses without having moved
// since, and one of them stands where a legal move of that player's brings it: it may be the reply, and the rest its
// sleeve.
func (t *Tracker) mayBeReply(s legal.Side) {
	f := t.knocked
	base := t.g.last()
	if f.ID == "" || f.Side != s.Other() || f.Ply != base.ply || base.pos.Turn() != s {
		return
	}
	raw, _ := t.b.Uncounted()
	if !play.AnyMove(&base.pos, func(r legal.Move) bool {
		placement := play.Landing(base.place, r)
		return play.Difference(&base.place, &placement)&play.Difference(&placement, &raw) == 0
	}) {
		return
	}
	t.knocked = Found{}
	sh := offence.Shape{}
	sh.OfNobody()
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

// movedNotPushed looks again at a piece that was told as pushed by an unknown hand, when its own player presses and has
// moved nothing else. Where a piece of its kind goes to that square, it was the player's move, and the move leaves the
// king in check.
func (t *Tracker) movedNotPushed(s legal.Side) bool {
	f := t.knocked
	if f.ID == "" || f.Side != legal.NoSide || f.Ply != t.g.last().ply || play.Count(t.b.Doubt) != 1 || !t.trusted(t.pend.at) {
		return false
	}
	v := t.viewAtPress(s, true)
	t.b.ReadInto(&v.At) // not the board of now: the opponent may have begun his turn
	sh, ok := t.recognise(&v)
	if !ok || sh.Side != s || sh.Kind != kinds.IllegalExposesKing && sh.Kind != kinds.IllegalLeftInCheck && sh.Kind != kinds.IllegalKingIntoCheck {
		return false
	}
	sh.Proof, sh.Permille = rules.Strong, offence.StrongPermille
	sh.Note = words.Say("saw.or_pushed")
	t.b.ReadOnly()
	t.drop(f, words.Say("withdrawn.moved"))
	t.reportOffence(s, &sh, &v)
	return true
}
