package hint

import (
	"math/bits"
	"slices"

	"boardwatchd/detector/offence"
	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

// offTurnUS is how long nothing may happen after a piece was returned for it to count as adjusted by its owner: the
// side to move, after touching an opponent's piece, goes on to move.
const offTurnUS = 2_000_000

// OffTurn finds the pieces that were lifted and returned in the other player's time (FIDE Laws 4.2.1, 6.2.5): one shape
// for each, in the order of their lifts. It is unknown whose hand it was, so they name no side. The view is that of a
// turn in progress: its board is the present one, and Press is not used. The caller must have seen the clock run since
// the turn began, and may call again: the answers stay the same as time goes by.
func OffTurn(v *offence.View) []offence.Shape {
	home := v.Pos.Placement()
	waiting := v.Pos.Turn().Other()
	var touched uint64
	for _, c := range v.Changes {
		if c.Is == legal.NoPiece && c.Was == home[c.Square] && c.Was.Side() == waiting {
			touched |= 1 << c.Square
		}
	}
	var pieces []straightened
	for ; touched != 0; touched &= touched - 1 {
		sq := legal.Square(bits.TrailingZeros64(touched))
		s, ok := straighten(v.Changes, 0, &home, &v.At, sq)
		for ok && v.QuietAfter(s.back) < offTurnUS {
			s, ok = straighten(v.Changes, s.back, &home, &v.At, sq)
		}
		if !ok {
			continue
		}
		at := len(pieces)
		for at > 0 && pieces[at-1].lift > s.lift {
			at--
		}
		pieces = slices.Insert(pieces, at, s)
	}
	var found []offence.Shape
	for _, s := range pieces {
		found = append(found, offence.Shape{Kind: kinds.AdjustOffTurn, Proof: rules.Hint, Permille: adjustPermille, Squares: 1 << s.sq})
	}
	return found
}
