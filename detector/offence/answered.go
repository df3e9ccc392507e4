package offence

import (
	"boardwatchd/detector/play"
	"boardwatchd/rules/legal"
)

// The opponent answers before the press, or before its report, which is up to a second late. The press then shows an
// offence and the reply to it, whole or begun. The check looks for the board between the two; it must have rested, or
// be the only one that explains the board at the press.
//
// Innocent look-alikes: a legal move and its reply; a piece that was put on an illegal square in passing, and is not
// there now.

func seeAnswered(v *View) (Shape, bool) {
	var found []middle
	board := v.Origin
	for i := 0; i+1 < len(v.Changes); i++ {
		board[v.Changes[i].Square] = v.Changes[i].Is
		if !v.repliedOver(&board) {
			continue
		}
		k := 0
		for k < len(found) && found[k].board != board {
			k++
		}
		if k == len(found) {
			if k == maxBetween {
				return Shape{}, false // a board that flickers so much shows nothing
			}
			b := middle{board: board}
			b.shape, b.ok = v.offenceThen(board, i)
			found = append(found, b)
		}
		found[k].stood = max(found[k].stood, v.stood(i))
	}
	return v.oneOffence(found)
}

// maxBetween bounds the boards between move and reply that are tried: each costs up to 0.1 ms.
const maxBetween = 32

// A middle is a board that was seen between a move and the reply to it.
type middle struct {
	board legal.Placement
	stood int64
	shape Shape
	ok    bool
}

// oneOffence returns the offence that the boards show, if they agree. A whole reply goes before one that has only
// begun, and among those the one with the fewest squares left in the opponent's hand.
func (v *View) oneOffence(found []middle) (best Shape, ok bool) {
	whole, least := false, 64
	for i := range found {
		if found[i].ok {
			whole = whole || found[i].shape.Answered
			least = min(least, play.Count(play.Difference(&found[i].shape.Board, &v.At)))
		}
	}
	longest := int64(-1)
	for i := range found {
		b := &found[i]
		if !b.ok || whole != b.shape.Answered || !whole && play.Count(play.Difference(&b.shape.Board, &v.At)) > least {
			continue
		}
		if longest >= 0 && !b.shape.sameAs(&best) {
			return Shape{}, false
		}
		if b.stood > longest {
			best, longest = b.shape, b.stood
		}
	}
	if longest < play.StillUS && best.Squares&play.Difference(&best.Board, &v.At) != 0 {
		return Shape{}, false // the reply captured the piece that had just come: it may only have been on its way
	}
	return best, longest >= 0
}

func (s *Shape) sameAs(o *Shape) bool {
	return s.Kind == o.Kind && s.UCI == o.UCI && s.Reply == o.Reply
}

// repliedOver reports whether only the opponent's turn can lie between this board and the one at the press.
func (v *View) repliedOver(board *legal.Placement) bool {
	diff := play.Difference(board, &v.At)
	if n := play.Count(diff); n == 0 || n > 4 {
		return false
	}
	for ; diff != 0; diff &= diff - 1 {
		sq := play.Lowest(diff)
		if v.At[sq].Side() == v.Mover() {
			return false
		}
	}
	return true
}

// offenceThen returns the offence that the board showed after the i-th change, if the rest is the reply to it.
func (v *View) offenceThen(board legal.Placement, i int) (Shape, bool) {
	w := *v
	w.At, w.Changes, w.Later, w.Final = board, v.Changes[:i+1], nil, true
	if !w.Prepare() {
		return Shape{}, false
	}
	for _, c := range offences {
		s, ok := c.see(&w)
		if !ok {
			continue
		}
		if !s.Kind.Illegal() {
			return Shape{}, false
		}
		return v.answeredBy(s, &v.At)
	}
	return Shape{}, false
}

// answeredBy adds the reply, played from the board as it was: a pawn that was not exchanged is still a pawn.
func (v *View) answeredBy(s Shape, at *legal.Placement) (Shape, bool) {
	setup, ok := v.made(&s.Board)
	if !ok {
		return Shape{}, false
	}
	pos, err := setup.Standing()
	if err != nil {
		return Shape{}, false
	}
	if s.Reply, s.Answered = play.OnePly(&pos, at); s.Answered {
		return s, true
	}
	for diff := play.Difference(&s.Board, at); diff != 0; diff &= diff - 1 {
		sq := play.Lowest(diff)
		if at[sq] != legal.NoPiece || s.Board[sq].Side() != s.Side && s.Squares>>sq&1 == 0 {
			continue
		}
		// The mover's own hand may still be at work, as on a pawn captured en passant; or the reply has begun with the
		// piece that it captures.
		if s.Squares>>sq&1 != 0 || !v.Final || !play.Takes(&pos, legal.Square(sq)) {
			return Shape{}, false
		}
	}
	return s, play.InProgress(&s.Board, at, pos.Turn())
}
