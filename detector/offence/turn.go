package offence

import (
	"boardwatchd/detector/play"
	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

// A piece of the side that does not have the move is on another square, and nothing else differs (FIDE Laws 1.2, 1.3).
// It is an irregularity even where the piece could not have gone there in its turn. Before White's first move it is
// certain; later it is strong, because the board does not see hands. Where the side to move presses and has moved
// nothing else, it is a hint only and names neither player: the press completes a move of that side, perhaps made with
// the opponent's piece.
//
// Innocent look-alikes: the reply to a move that the board shows; a piece pushed to a neighbouring square, which is
// reported as that; a move, its reply and the way back, where all three are quicker than the report of the first press.

func seeOutOfTurn(v *View) (Shape, bool) {
	other := v.Mover().Other()
	pos, ok := TurnOf(v.Pos, other)
	if !ok {
		return Shape{}, false
	}
	if v.wentAndCame(v.Mover()) {
		return Shape{}, false
	}
	m, legally := play.OnePly(&pos, &v.At)
	t, one := OneTransfer(&v.Base, &v.At)
	if !legally && (!one || t.Piece.Side() != other) {
		return Shape{}, false
	}
	if only := !legally && v.movedOther(t); only || !legally && t.Neighbouring() {
		s := v.shapeOfPush(t)
		if only {
			s.Proof, s.Permille = rules.Strong, StrongPermille
		}
		return s, true
	}
	s := v.ShapeOf(kinds.OutOfTurn, rules.Strong, v.Diff)
	s.Side = other
	switch {
	case v.By == v.Mover():
		s.NameNeither()
	case v.untouched():
		s.Proof, s.Permille = rules.Certain, certainPermille
	}
	s.UCI = UCI(t.From, t.To, legal.NoKind)
	if legally {
		s.UCI = pos.UCI(m)
	}
	s.After, s.Stands = v.unturned()
	return s, true
}

// wentAndCame reports whether a piece of the side was on another square meanwhile.
func (v *View) wentAndCame(s legal.Side) bool {
	for i := range v.Changes {
		if c := &v.Changes[i]; c.Is.Side() == s && v.Base[c.Square] != c.Is {
			return true
		}
	}
	return false
}

// shapeOfPush returns the shape of an opponent's piece beside its square, where no move of its own brings it.
func (v *View) shapeOfPush(t transfer) Shape {
	s := v.ShapeOf(kinds.Displaced, rules.Hint, t.squares())
	if v.PressMerged {
		s.NameNeither() // the opponent may have had the turn
	}
	return s
}

// movedOther reports whether the side to move has pressed, and nothing but the opponent's piece was moved in that turn:
// whichever hand moved it, no move was made.
func (v *View) movedOther(t transfer) bool {
	if v.By != v.Mover() || v.ReportsDoubtful || v.PressMerged || v.Press.Hi-v.Since < play.BounceUS {
		return false
	}
	for i := range v.Changes {
		c := &v.Changes[i]
		late := c.FromDump || c.Window.Lo < v.Since || c.Window.Hi > v.Press.Hi-play.PushedUS
		if late && t.squares()>>c.Square&1 != 0 {
			return false
		}
	}
	return true
}

// untouched reports whether no move of the game has been made.
func (v *View) untouched() bool {
	return v.Line.Len() > 0 && v.Ply == 0
}

// unturned returns the position of the board with the same side to move: its opponent has moved out of turn.
func (v *View) unturned() (legal.Setup, bool) {
	s, _ := v.made(&v.At)
	s.Turn, s.FullMoves = v.Mover(), v.Pos.FullMoves()
	_, err := s.Standing()
	return s, err == nil
}

// aheadUS is how long a move must certainly have been on the board before the opponent touches a piece, to have been
// made in the opponent's time on purpose: by then a hand on its way to a piece or to the clock has arrived.
const aheadUS = 1_000_000

// MovedAhead reports whether the first k changes are the move r, without a capture, made after the press of the move
// before, and r was on the board for long before anything else changed. The bound is that of the board's slowest
// report.
func (v *View) MovedAhead(r legal.Move, k int) bool {
	if k < 1 || k >= len(v.Changes) || r.Victim() != legal.NoSquare || v.Changes[0].Window.Lo <= v.Since || v.Origin != v.Pos.Placement() {
		return false
	}
	for i := range v.Changes {
		c := &v.Changes[i]
		if c.FromDump || c.UnknownCode || c.Waited || i < k && (c.Was.Side() == v.Mover() || c.Is.Side() == v.Mover()) {
			return false
		}
	}
	return v.Changes[k].Window.Hi-v.Bound.US-v.Changes[k-1].Window.Hi >= aheadUS
}
