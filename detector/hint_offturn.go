package detector

import (
	"math/bits"
	"slices"

	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

// offTurnUS is how long nothing may happen after a piece was returned, for it to be taken as adjusted by its owner: a
// player who has the move and has touched one of his opponent's pieces goes on to move.
const offTurnUS = 2_000_000

// hintsOffTurn finds the pieces that were lifted and returned in the other player's time (FIDE Laws 4.2.1, 6.2.5): one
// shape for each, in the order of their lifts. Whose hand it was is not known, so they name no side. The view is that
// of a turn in progress: its board is what the board reads, and press is not used. The caller asks only while the clock
// has run since the turn began, and may ask again: the answers stay the same as time goes by.
func hintsOffTurn(v *view) []shape {
	home := v.pos.Placement()
	waiting := v.pos.Turn().Other()
	var touched uint64
	for _, c := range v.changes {
		if c.is == legal.NoPiece && c.was == home[c.sq] && c.was.Side() == waiting {
			touched |= 1 << c.sq
		}
	}
	var pieces []straightened
	for ; touched != 0; touched &= touched - 1 {
		sq := legal.Square(bits.TrailingZeros64(touched))
		s, ok := straighten(v.changes, 0, &home, &v.at, sq)
		for ok && v.quietAfter(s.back) < offTurnUS {
			s, ok = straighten(v.changes, s.back, &home, &v.at, sq)
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
	var found []shape
	for _, s := range pieces {
		found = append(found, shape{kind: kinds.AdjustOffTurn, proof: rules.Hint, permille: adjustPermille, squares: 1 << s.sq})
	}
	return found
}

// quietAfter is how long nothing changed after change i, as certain as the windows are.
func (v *view) quietAfter(i int) int64 {
	if i+1 < len(v.changes) {
		return between(&v.changes[i], &v.changes[i+1])
	}
	return v.now - v.changes[i].win.Hi
}
