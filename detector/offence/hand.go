package offence

import (
	"math/bits"

	"boardwatchd/detector/evidence"
	"boardwatchd/detector/play"
	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// The clock was pressed with a piece in the hand (FIDE Laws 6.2.1, 6.2.4): a piece lifted and not put down, or a
// castling or promotion with one piece missing. While there is time the hand may still put it down.
//
// Innocent look-alikes: the piece is reported on its square within one scan of the press.

func seeInHand(v *View) (Shape, bool) {
	m, begun := v.begunMove()
	if !begun && !v.onlyLifted() {
		return Shape{}, false
	}
	if _, ok := v.doneLater(); ok {
		return v.finishedLate()
	}
	put, back := v.putDown()
	switch {
	case put != nil && back:
		return Shape{}, false // taken up and put back: as if nothing had been moved
	case put != nil && !v.heldAtPress(put):
		return Shape{}, false
	case put != nil:
		s := v.ShapeOf(kinds.PressBeforeDone, rules.Strong, v.Diff|1<<put.Square)
		s.MayBeCompleted = !v.Final
		s.Shown, s.Reason = put, v.reasonOfEarly(put)
		s.Note = words.Say(offCentre)
		return s, true
	case !v.Final:
		s := v.ShapeOf(kinds.PressBeforeDone, rules.Strong, v.Diff)
		s.MayBeCompleted = true
		s.Note = words.Say("saw.in_hand")
		return s, true
	}
	if s, ok := v.putOnOwn(); ok {
		return s, true
	}
	s := v.ShapeOf(kinds.Unreadable, rules.Certain, v.Diff)
	if m != legal.NoMove {
		s.UCI = v.Pos.UCI(m)
		s.After, s.Stands = v.Played(m), true
	}
	if v.offSinceOpponentsTurn() {
		s.NameNeither()
	}
	return s, true
}

// offSinceOpponentsTurn reports whether the missing pieces were off the board when the opponent pressed: they may have
// left it in the opponent's turn.
func (v *View) offSinceOpponentsTurn() bool {
	for set := v.Diff; set != 0; set &= set - 1 {
		if lift := v.Lifted(play.Lowest(set)); lift != nil && lift.Window.Hi > v.Since {
			return false
		}
	}
	return v.Since > 0
}

// onlyLifted reports whether up to two pieces are off the board, at most one of them the opponent's, and no piece is on
// another square.
func (v *View) onlyLifted() bool {
	own, theirs := 0, 0
	for set := v.Diff; set != 0; set &= set - 1 {
		sq := bits.TrailingZeros64(set)
		if v.At[sq] != legal.NoPiece {
			return false
		}
		if v.Base[sq].Side() == v.Mover() {
			own++
		} else {
			theirs++
		}
	}
	return own+theirs <= 2 && theirs <= 1
}

// begunMove reports whether the board shows a castling with one piece missing, or a promotion whose pawn is still on
// its square. It returns the move where no other explains the rest.
func (v *View) begunMove() (only legal.Move, begun bool) {
	var list legal.MoveList
	v.Pos.Moves(&list)
	for _, m := range list.Slice() {
		pieces := play.PlacementAfter(v.Base, m)
		rest := play.Difference(&pieces, &v.At)
		if play.Count(rest) != 1 {
			continue
		}
		sq := play.Lowest(rest)
		switch {
		case m.IsCastling() && sq == m.RookTo() && v.At[sq] == legal.NoPiece && !play.Near(m.From(), m.To()):
			return m, true // only castling brings the king there
		case m.IsCastling() && (sq == m.RookTo() || sq == m.To()) && v.At[sq] == legal.NoPiece:
			begun = true
		case m.Promotion() != legal.NoKind && sq == m.From():
			begun = true
		}
	}
	return legal.NoMove, begun
}

// heldAtPress reports whether the piece that was put down was in the hand at the press: its square, and that of every
// piece off the board, was reported empty once, before the press.
func (v *View) heldAtPress(put *evidence.Change) bool {
	if v.ReportsDoubtful || put.UnknownCode || !v.Bound.After(v.Press.Hi, put) {
		return false
	}
	left := v.Diff
	for i := range v.Changes {
		c := &v.Changes[i]
		if v.Diff>>c.Square&1 == 0 {
			continue
		}
		if c.FromDump || c.UnknownCode || c.Is != legal.NoPiece || c.Window.Hi > v.Press.Hi {
			return false
		}
		left &^= 1 << c.Square
	}
	return left == 0
}

// putDown returns the first report after the press of a piece that the mover may have held, and whether the board was
// once back as before the move.
func (v *View) putDown() (put *evidence.Change, back bool) {
	board := v.At
	for i := range v.Later {
		c := &v.Later[i]
		board[c.Square] = c.Is
		if put == nil && c.Is.Side() == v.Mover() && v.mayHold(c.Is) {
			put = c
		}
		back = back || board == v.Base
	}
	return put, back
}

// mayHold reports whether such a piece of the mover's may be the one that is off the board. If it is another, the mover
// has made the next move, and the first piece is on a square that reads empty.
func (v *View) mayHold(p legal.Piece) bool {
	_, before := play.LastRank(v.Mover())
	for set := v.Diff; set != 0; set &= set - 1 {
		sq := play.Lowest(set)
		was := v.Base[sq]
		if was == p || was.Side() == v.Mover() && was.Kind() == legal.Pawn && sq.Rank() == before && CanPromoteTo(p.Kind()) {
			return true
		}
	}
	return false
}

// swapUS is how soon after the capturing piece the captured piece is lifted: the hand takes up one, then the other.
const swapUS = 700_000

// putOnOwn recognises a piece that was put in place of one of its own side and kind (FIDE Laws 3.1). The board reads as
// if the piece were missing and nothing else had happened; but both were lifted, and one like them was put down while
// both were off the board. The proof is strong and not certain: a piece may have been put where it is not read, and
// another one adjusted at the same moment.
func (v *View) putOnOwn() (Shape, bool) {
	from := play.Lowest(v.Diff)
	if play.Count(v.Diff) != 1 || v.Base[from].Side() != v.Mover() || v.ReportsDoubtful {
		return Shape{}, false
	}
	to, ok := v.swapped(from)
	if !ok {
		return Shape{}, false
	}
	all := v.Pos.Occupied(legal.White) | v.Pos.Occupied(legal.Black)
	reached := legal.Reach(v.Base[from].Kind(), from, all)>>to&1 != 0
	if df := from.File() - to.File(); v.Base[from].Kind() == legal.Pawn {
		reached = df*df <= 1
	}
	verdict := v.Pos.Explain(UCI(from, to, legal.NoKind))
	if verdict.Kind != kinds.IllegalOwnCapture || !reached {
		return Shape{}, false
	}
	s, ok := v.illegalShape(&verdict, UCI(from, to, legal.NoKind), 1<<from|1<<to)
	s.Proof, s.Permille = rules.Strong, StrongPermille
	return s, ok
}

// swapped returns the only other square that the mover has touched, if a piece like that of the empty square was lifted
// from it, and one was put there while both were off the board.
func (v *View) swapped(from legal.Square) (to legal.Square, ok bool) {
	s := swap{from: from, to: legal.NoSquare, piece: v.Base[from]}
	for i := range v.Changes {
		c := &v.Changes[i]
		if c.FromDump || c.UnknownCode || c.Of(v.Mover().Other()) || v.Base[c.Square] != s.piece || !s.takes(c) {
			return 0, false
		}
	}
	return s.to, s.lift != nil && s.victim != nil && s.put && s.victim.Window.Hi <= s.lift.Window.Hi+swapUS
}

// A swap is a piece that was lifted and put in place of another one of its kind, as far as the changes so far show it.
type swap struct {
	from, to     legal.Square
	piece        legal.Piece
	lift, victim *evidence.Change
	put          bool
}

// takes reports whether a change is the next one of the swap.
func (s *swap) takes(c *evidence.Change) bool {
	switch {
	case c.Square == s.from:
		first := s.lift == nil
		s.lift = c
		return first
	case s.to != legal.NoSquare && c.Square != s.to:
		return false
	case c.Is == legal.NoPiece && s.victim == nil:
		s.to, s.victim = c.Square, c
		return true
	}
	again := s.put
	s.put = true
	return c.Is == s.piece && !again && s.lift != nil
}
