package detector

import "boardwatchd/rules/legal"

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
