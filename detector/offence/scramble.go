package offence

import (
	"slices"

	"boardwatchd/detector/evidence"
	"boardwatchd/detector/play"
	"boardwatchd/rules/legal"
)

// Scramble reports whether the board of a press shows more than a move and the reply: s has put down a piece, the
// opponent has, and s again, and these two are still there. It is then unknown how much of that was there when the
// clock was pressed, and nobody is accused. Two pieces that have changed places do not count: no moves lead there so
// soon.
func (v *View) Scramble(s legal.Side) bool {
	base := v.Pos.Placement()
	if v.changedPlaces(&base) {
		return false
	}
	moved, answered := false, false
	for i := range v.Changes {
		c := &v.Changes[i]
		stands := v.At[c.Square] == c.Is && base[c.Square] != c.Is // a piece put back on its square is no move
		switch {
		case c.Is.Side() == s && answered && stands:
			return true
		case c.Is.Side() == s:
			moved = true
		case c.Is.Side() == s.Other() && moved && stands:
			answered = true
		}
	}
	return false
}

// changedPlaces reports whether a piece of each side was lifted, and each was put down on the square of the other.
func (v *View) changedPlaces(base *legal.Placement) bool {
	rest := play.Difference(base, &v.At)
	for from := rest; from != 0; from &= from - 1 {
		a := play.Lowest(from)
		for to := rest; to != 0; to &= to - 1 {
			b := play.Lowest(to)
			if base[a].Side() == legal.White && base[b].Side() == legal.Black && v.At[a] == base[b] && v.At[b] == base[a] {
				return v.stoodUp(a) && v.stoodUp(b)
			}
		}
	}
	return false
}

// OpponentTouched reports whether the opponent of s has touched a piece in the turn or since the press.
func (v *View) OpponentTouched(s legal.Side) bool {
	for _, list := range [...][]evidence.Change{v.Changes, v.Later} {
		for i := range list {
			if c := &list[i]; c.Is.Side() == s.Other() || c.Is == legal.NoPiece && c.Was.Side() == s.Other() {
				return true
			}
		}
	}
	return false
}

// MayTake reports whether s has touched, in the turn or since the press, a piece that can capture on one of the
// squares.
func (v *View) MayTake(s legal.Side, set uint64) bool {
	for ; set != 0; set &= set - 1 {
		sq := play.Lowest(set)
		attackers := v.Pos.Attackers(sq, s)
		for _, list := range [...][]evidence.Change{v.Changes, v.Later} {
			if slices.ContainsFunc(list, func(c evidence.Change) bool {
				return c.Is.Side() == s && c.Square == sq || c.Was.Side() == s && slices.Contains(attackers, c.Square)
			}) {
				return true
			}
		}
	}
	return false
}
