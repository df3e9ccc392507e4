package detector

import (
	"boardwatchd/detector/array"
	"boardwatchd/detector/play"
	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

// This file opens a game on the orthodox array where some squares read empty: a square that is dead, a piece without a
// chip (laws notes 1.2, sensor.unreadable), or pieces that Black still holds when White begins. The pieces count as
// being there. A move that is illegal only because of them accuses nobody (sameAsRead), and where the players play as
// if they were not there, because the game is played at odds, the record follows (playedAsRead).

// maxUnread is the number of pieces of the array that may be unread.
const maxUnread = 4

// beginUnread opens such a game when its clock is started.
func (t *Tracker) beginUnread() bool {
	if !t.beforeStart() || !t.b.Known {
		return false
	}
	home := array.Orthodox()
	for _, turned := range [...]bool{false, true} {
		at := t.b.Live
		if turned {
			at = play.Rotated(at)
		}
		unread, ok := readsEmpty(&home, &at)
		if !ok || play.Count(unread) > maxUnread {
			continue
		}
		t.endBeforeSetUp()
		t.openGame(array.OrthodoxNumber, turned)
		v := t.view(0)
		sh := v.ShapeOf(kinds.Unreadable, rules.Hint, unread)
		sh.NameNeither()
		f := t.newFinding(&sh, &v)
		f.Ply = 0
		t.b.Count(&at, &home)
		t.openFinding(f)
		return true
	}
	return false
}

// readsEmpty returns the squares on which the board differs from an array, if all of them read empty.
func readsEmpty(home, live *legal.Placement) (unread uint64, ok bool) {
	unread = play.Difference(home, live)
	for set := unread; set != 0; set &= set - 1 {
		if live[play.Lowest(set)] != legal.NoPiece {
			return 0, false
		}
	}
	return unread, unread != 0
}
