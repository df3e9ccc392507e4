package offence

import (
	"math/bits"

	"boardwatchd/detector/play"
	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

// A legal move was made, and one or two squares read empty although pieces that it did not touch were there: fallen,
// between squares, a bad chip (laws notes 1.2). Only the empty reading is certain, and nobody is accused.

func seeUnreadable(v *View) (Shape, bool) {
	move, missing, found := legal.NoMove, uint64(0), 0
	var stood int64 = -1
	var list legal.MoveList
	v.Pos.Moves(&list)
	for _, m := range list.Slice() {
		set, ok := v.playedButFor(m)
		if !ok {
			continue
		}
		pieces := play.PlacementAfter(v.Base, m)
		switch t := v.shown(&pieces); {
		case t > stood:
			move, missing, found, stood = m, set, 1, t
		case t == stood:
			move, missing = m, set
			found++
		}
	}
	if move == legal.NoMove {
		return Shape{}, false
	}
	s := v.ShapeOf(kinds.Unreadable, rules.Hint, v.Diff)
	v.sinceWhoseTurn(&s, missing)
	if found == 1 {
		s.UCI = v.Pos.UCI(move)
		s.Squares |= missing
		s.After, s.Stands = v.Played(move), true
		if missing&^v.ReadEmpty == 0 {
			s.Side = v.Mover().Other() // missing since the opponent's turn
		}
	}
	return s, true
}

// sinceWhoseTurn names the player in whose turn the squares emptied (laws notes 1.4), who need not be the one who
// presses now: the opponent, where all of them emptied before the opponent's press; nobody, where that press may have
// come between.
func (v *View) sinceWhoseTurn(s *Shape, missing uint64) {
	before, surely, n := 0, 0, 0
	for set := missing; set != 0; set &= set - 1 {
		n++
		lift := v.Lifted(play.Lowest(set))
		if v.Since == 0 || lift == nil || lift.FromDump || lift.Window.Hi > v.Since {
			continue
		}
		before++
		if lift.Window.Hi <= v.Since-(v.Press.Hi-v.Press.Lo) {
			surely++
		}
	}
	switch {
	case before == 0:
	case surely == n:
		s.Side = v.Mover().Other()
	default:
		s.NameNeither()
	}
}

// playedButFor returns the squares that read empty, if m was played and nothing else differs. The pieces that m put
// down are on their squares.
func (v *View) playedButFor(m legal.Move) (missing uint64, ok bool) {
	pieces := play.PlacementAfter(v.Base, m)
	missing = play.Difference(&pieces, &v.At)
	if n := play.Count(missing); n != 1 && n != 2 || missing&PutBy(m) != 0 {
		return 0, false
	}
	for set := missing; set != 0; set &= set - 1 {
		if sq := bits.TrailingZeros64(set); v.At[sq] != legal.NoPiece || pieces[sq] == legal.NoPiece {
			return 0, false
		}
	}
	return missing, true
}

// PutBy returns the squares on which a move puts pieces.
func PutBy(m legal.Move) uint64 {
	set := uint64(1) << m.To()
	if m.IsCastling() {
		set |= 1 << m.RookTo()
	}
	return set
}
