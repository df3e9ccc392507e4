package detector

import (
	"slices"

	"boardwatchd/rules/legal"
)

// scramble says that the board of a press shows more than a move and the reply: s has put a piece, his opponent has,
// and s again, and these two stand there. Which of it was there when the clock was pressed nobody knows, and nobody is
// accused.
func (v *view) scramble(s legal.Side) bool {
	base := v.pos.Placement()
	moved, answered := false, false
	for i := range v.changes {
		c := &v.changes[i]
		stands := v.at[c.sq] == c.is && base[c.sq] != c.is // what was put back on its square is no move
		switch {
		case c.is.Side() == s && answered && stands:
			return true
		case c.is.Side() == s:
			moved = true
		case c.is.Side() == s.Other() && moved && stands:
			answered = true
		}
	}
	return false
}

// opponentTouched says that the opponent of s has touched a piece since the press, or had before.
func (v *view) opponentTouched(s legal.Side) bool {
	for _, list := range [...][]change{v.changes, v.later} {
		for i := range list {
			if c := &list[i]; c.is.Side() == s.Other() || c.is == legal.NoPiece && c.was.Side() == s.Other() {
				return true
			}
		}
	}
	return false
}

// mayTake says that s has touched, since the press or before, a piece that can capture on one of the squares.
func (v *view) mayTake(s legal.Side, set uint64) bool {
	for ; set != 0; set &= set - 1 {
		sq := legal.Square(lowest(set))
		attackers := v.pos.Attackers(sq, s)
		for _, list := range [...][]change{v.changes, v.later} {
			if slices.ContainsFunc(list, func(c change) bool {
				return c.is.Side() == s && c.sq == sq || c.was.Side() == s && slices.Contains(attackers, c.sq)
			}) {
				return true
			}
		}
	}
	return false
}
