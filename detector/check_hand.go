package detector

import (
	"math/bits"

	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// The clock was pressed with a piece in the hand (FIDE Laws 6.2.1, 6.2.4): lifted and not put, or a castling or a
// promotion of which one piece is missing. While there is time the hand may still put it down.
//
// Innocent look-alikes: the piece is reported on its square within one scan of the press.

func seeInHand(v *view) (shape, bool) {
	m, begun := v.begunMove()
	if !begun && !v.onlyLifted() {
		return shape{}, false
	}
	if _, ok := v.doneLater(); ok {
		return v.finished()
	}
	put, back := v.putDown()
	switch {
	case put != nil && back:
		return shape{}, false // taken up and put back: as if nothing had been moved
	case put != nil && !v.held(put):
		return shape{}, false
	case put != nil:
		s := v.shapeOf(kinds.PressBeforeDone, rules.Strong, v.diff|1<<put.sq)
		s.open = !v.final
		s.shown, s.reason = put, v.reasonOfEarly(put)
		s.note = words.Say(offCentre)
		return s, true
	case !v.final:
		s := v.shapeOf(kinds.PressBeforeDone, rules.Strong, v.diff)
		s.open = true
		s.note = words.Say("saw.in_hand")
		return s, true
	}
	if s, ok := v.putOnOwn(); ok {
		return s, true
	}
	s := v.shapeOf(kinds.Unreadable, rules.Certain, v.diff)
	if m != legal.NoMove {
		s.uci = v.pos.UCI(m)
		s.after, s.stands = v.played(m), true
	}
	if v.offBefore() {
		s.ofNobody()
	}
	return s, true
}

// offBefore says that the pieces of the player who pressed were off the board when the opponent pressed: it may have been
// in his turn that they left it.
func (v *view) offBefore() bool {
	for set := v.diff; set != 0; set &= set - 1 {
		if lift := v.lifted(legal.Square(lowest(set))); lift != nil && lift.win.Hi > v.since {
			return false
		}
	}
	return v.since > 0
}

// onlyLifted says that up to two pieces are off the board, at most one of them the opponent's, and that nobody stands
// elsewhere.
func (v *view) onlyLifted() bool {
	own, theirs := 0, 0
	for set := v.diff; set != 0; set &= set - 1 {
		sq := bits.TrailingZeros64(set)
		if v.at[sq] != legal.NoPiece {
			return false
		}
		if v.base[sq].Side() == v.mover() {
			own++
		} else {
			theirs++
		}
	}
	return own+theirs <= 2 && theirs <= 1
}

// begunMove says that the board shows a castling with one piece missing, or a promotion whose pawn still stands there.
// It returns the move where no other explains the rest.
func (v *view) begunMove() (only legal.Move, begun bool) {
	var list legal.MoveList
	v.pos.Moves(&list)
	for _, m := range list.Slice() {
		pieces := placementAfter(v.base, m)
		rest := difference(&pieces, &v.at)
		if squares(rest) != 1 {
			continue
		}
		sq := legal.Square(lowest(rest))
		switch {
		case m.IsCastling() && sq == m.RookTo() && v.at[sq] == legal.NoPiece && !near(m.From(), m.To()):
			return m, true // only castling brings the king there
		case m.IsCastling() && (sq == m.RookTo() || sq == m.To()) && v.at[sq] == legal.NoPiece:
			begun = true
		case m.Promotion() != legal.NoKind && sq == m.From():
			begun = true
		}
	}
	return legal.NoMove, begun
}

// held says that the piece that was put down there was in the hand at the press: its square, and that of every piece
// that was off the board, was reported empty before it, once.
func (v *view) held(put *change) bool {
	if v.shaken || put.odd || !v.bound.after(v.press.Hi, put) {
		return false
	}
	left := v.diff
	for i := range v.changes {
		c := &v.changes[i]
		if v.diff>>c.sq&1 == 0 {
			continue
		}
		if c.healed || c.odd || c.is != legal.NoPiece || c.win.Hi > v.press.Hi {
			return false
		}
		left &^= 1 << c.sq
	}
	return left == 0
}

// putDown returns the first report after the press that shows a piece of the mover's on a square, and says that the
// board then stood as before the move.
func (v *view) putDown() (put *change, back bool) {
	board := v.at
	for i := range v.later {
		c := &v.later[i]
		board[c.sq] = c.is
		if put == nil && c.is.Side() == v.mover() {
			put = c
		}
		back = back || board == v.base
	}
	return put, back
}

// swapUS is how soon after the capturing piece its victim is lifted: the hand takes one, then the other.
const swapUS = 700_000

// putOnOwn recognises a piece that was put in place of one of its own side and kind (FIDE Laws 3.1). The board reads as
// if the piece were missing and nothing else had happened; but both were lifted, and one like them was put down when
// both were off the board. Strong and not certain: a piece may have been put where it is not read, and another one
// adjusted at the same moment.
func (v *view) putOnOwn() (shape, bool) {
	from := legal.Square(lowest(v.diff))
	if squares(v.diff) != 1 || v.base[from].Side() != v.mover() || v.shaken {
		return shape{}, false
	}
	to, ok := v.swapped(from)
	if !ok {
		return shape{}, false
	}
	all := v.pos.Occupied(legal.White) | v.pos.Occupied(legal.Black)
	reached := legal.Reach(v.base[from].Kind(), from, all)>>to&1 != 0
	if df := from.File() - to.File(); v.base[from].Kind() == legal.Pawn {
		reached = df*df <= 1
	}
	verdict := v.pos.Explain(uciOf(from, to, legal.NoKind))
	if verdict.Kind != kinds.IllegalOwnCapture || !reached {
		return shape{}, false
	}
	s, ok := v.illegalShape(&verdict, uciOf(from, to, legal.NoKind), 1<<from|1<<to)
	s.proof, s.permille = rules.Strong, strongPermille
	return s, ok
}

// swapped returns the only other square that the mover has touched, if a piece like that of the empty square was lifted
// from it, and then one was put there while both were off the board.
func (v *view) swapped(from legal.Square) (to legal.Square, ok bool) {
	s := swap{from: from, to: legal.NoSquare, piece: v.base[from]}
	for i := range v.changes {
		c := &v.changes[i]
		if c.healed || c.odd || c.of(v.mover().Other()) || v.base[c.sq] != s.piece || !s.takes(c) {
			return 0, false
		}
	}
	return s.to, s.lift != nil && s.victim != nil && s.put && s.victim.win.Hi <= s.lift.win.Hi+swapUS
}

// A swap is a piece that was lifted and put in place of another one of its kind, as far as it was seen.
type swap struct {
	from, to     legal.Square
	piece        legal.Piece
	lift, victim *change
	put          bool
}

// takes reports whether a change is the next one of the swap.
func (s *swap) takes(c *change) bool {
	switch {
	case c.sq == s.from:
		first := s.lift == nil
		s.lift = c
		return first
	case s.to != legal.NoSquare && c.sq != s.to:
		return false
	case c.is == legal.NoPiece && s.victim == nil:
		s.to, s.victim = c.sq, c
		return true
	}
	again := s.put
	s.put = true
	return c.is == s.piece && !again && s.lift != nil
}

// of reports whether a piece of the side was put down or taken off by the change.
func (c *change) of(s legal.Side) bool { return c.is.Side() == s || c.was.Side() == s }
