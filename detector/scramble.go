package detector

import (
	"slices"

	"boardwatchd/rules/legal"
)

// scramble says that the board of a press shows more than a move and the reply: s has put a piece, his opponent has,
// and s again, and these two stand there. Which of it was there when the clock was pressed nobody knows, and nobody is
// accused. Two pieces that have changed places are none of that: no moves lead there so soon.
func (v *view) scramble(s legal.Side) bool {
	base := v.pos.Placement()
	if v.changedPlaces(&base) {
		return false
	}
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

// changedPlaces says that a piece of each side was lifted, and that each was put down on the square of the other.
func (v *view) changedPlaces(base *legal.Placement) bool {
	rest := difference(base, &v.at)
	for from := rest; from != 0; from &= from - 1 {
		a := legal.Square(lowest(from))
		for to := rest; to != 0; to &= to - 1 {
			b := legal.Square(lowest(to))
			if base[a].Side() == legal.White && base[b].Side() == legal.Black && v.at[a] == base[b] && v.at[b] == base[a] {
				return v.stoodUp(a) && v.stoodUp(b)
			}
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
