package detector

import (
	"math/bits"

	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

// A legal move, and one or two squares read empty on which pieces stood that it did not touch: fallen, between squares,
// a bad chip (laws notes 1.2). Certain is that the squares read empty, and nothing else; nobody is accused.

func seeUnreadable(v *view) (shape, bool) {
	move, missing, found := legal.NoMove, uint64(0), 0
	var stood int64 = -1
	var list legal.MoveList
	v.pos.Moves(&list)
	for _, m := range list.Slice() {
		set, ok := v.playedButFor(m)
		if !ok {
			continue
		}
		pieces := placementAfter(v.base, m)
		switch t := v.shown(&pieces); {
		case t > stood:
			move, missing, found, stood = m, set, 1, t
		case t == stood:
			move, missing = m, set
			found++
		}
	}
	if move == legal.NoMove {
		return shape{}, false
	}
	s := v.shapeOf(kinds.Unreadable, rules.Hint, v.diff)
	if found == 1 {
		s.uci = v.pos.UCI(move)
		s.squares |= missing
		s.after, s.stands = v.played(move), true
		if missing&^v.unread == 0 {
			s.side = v.mover().Other() // since his turn
		}
	}
	return s, true
}

// playedButFor returns the squares that read empty, if m was played and nothing else differs. The pieces that m put do
// stand where it put them.
func (v *view) playedButFor(m legal.Move) (missing uint64, ok bool) {
	pieces := placementAfter(v.base, m)
	missing = difference(&pieces, &v.at)
	if n := squares(missing); n != 1 && n != 2 || missing&putBy(m) != 0 {
		return 0, false
	}
	for set := missing; set != 0; set &= set - 1 {
		if sq := bits.TrailingZeros64(set); v.at[sq] != legal.NoPiece || pieces[sq] == legal.NoPiece {
			return 0, false
		}
	}
	return missing, true
}

// putBy returns the squares on which a move puts pieces.
func putBy(m legal.Move) uint64 {
	set := uint64(1) << m.To()
	if m.IsCastling() {
		set |= 1 << m.RookTo()
	}
	return set
}
