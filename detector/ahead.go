package detector

import (
	"boardwatchd/detector/play"
	"boardwatchd/rules/legal"
)

// In a scramble a move takes less time than the report of its press: up to two seconds. Then the board runs ahead. When a press
// is reported it shows the move, the whole reply, and some of the next move, which no press has completed yet as far as
// anybody knows. What was seen on the way tells them apart. Only the first move is the press's; the others wait for theirs.
//
// A clock that is polled looks the same: it swallows two presses within half a second, and the next one is that of the
// third move (reconstruction notes, row 52). If nothing more is reported the other two follow when all is quiet.

// maxAhead bounds how many plies the board may be ahead of the press that is reported.
const maxAhead = 5

// leastAhead is how many changes that takes at least: the last of a move, the two of the reply, and one that follows.
const leastAhead = 4

// ranAhead returns the move that the board showed by itself before it went on with the whole reply and some of what follows,
// and after how many changes.
func (t *Tracker) ranAhead(seen seenBy) (only legal.Move, at int, ok bool) {
	base := t.g.last()
	pos := base.pos
	longest := int64(-1)
	var list legal.MoveList
	pos.Moves(&list)
	for _, m := range list.Slice() {
		mid := landing(base.place, m)
		i := seen(&t.b, &mid, pos.Turn())
		if i < 1 || i == len(t.b.changes) || t.b.stood(i) <= longest {
			continue
		}
		after := pos.After(m)
		if t.wentOn(&after, i, maxAhead, seen) {
			only, at, ok, longest = m, i, true, t.b.stood(i)
		}
	}
	return only, at, ok
}

// wentOn says that after the first n changes, which led to pos, the board showed a legal move by itself, and then nothing but
// more of such and one that is being made.
func (t *Tracker) wentOn(pos *legal.Position, n, plies int, seen seenBy) bool {
	if plies == 0 {
		return false
	}
	place := pos.Placement()
	return anyMove(pos, func(m legal.Move) bool {
		next := landing(place, m)
		i := seen(&t.b, &next, pos.Turn())
		if i <= n {
			return false
		}
		after := pos.After(m)
		if next == t.b.live {
			return plies < maxAhead // else it is a move and its reply
		}
		if play.UnderWay(&after, &t.b.live) || inProgress(&next, &t.b.live, after.Turn()) {
			return true
		}
		if _, one := onePly(&after, &t.b.live); one {
			return true
		}
		return t.wentOn(&after, i, plies-1, seen)
	})
}

// seenBy says after how many changes the board last showed a placement that a move of side s led to, or -1.
type seenBy func(b *board, target *legal.Placement, s legal.Side) int

// exactly is the board as it was reported, but for men who were only passing.
func exactly(b *board, target *legal.Placement, s legal.Side) int {
	if i := b.seen(target); i >= 0 && b.rested(i, target, s) {
		return i
	}
	return -1
}

// orLifted takes as well a board from which the opponent's hand had lifted his own man, or the one he captures, before the last
// square of the move was visited. A slide with a man lifted first looks like that too, so this is asked only where no
// board was seen exactly.
func orLifted(b *board, target *legal.Placement, s legal.Side) int {
	if i := exactly(b, target, s); i >= 0 {
		return i
	}
	diff := difference(&b.origin, target)
	board, found := b.origin, -1
	for i := range b.changes {
		c := &b.changes[i]
		board[c.sq] = c.is
		if diff &^= 1 << c.sq; c.is != target[c.sq] {
			diff |= 1 << c.sq
		}
		if c.is.Side() == s && c.is == target[c.sq] && b.liftedOnly(i+1, &board, target, diff, s) && b.rested(i+1, target, s) {
			found = i + 1
		}
	}
	return found
}

// liftedOnly says that the squares of diff read empty where target has a man of each side at most, and that s put nobody there
// afterwards: whom s takes off himself he replaces.
func (b *board) liftedOnly(n int, board, target *legal.Placement, diff uint64, s legal.Side) bool {
	var men [3]int
	for ; diff != 0; diff &= diff - 1 {
		sq := legal.Square(lowest(diff))
		men[target[sq].Side()]++
		if board[sq] != legal.NoPiece || b.nextPut(sq, n) == s {
			return false
		}
	}
	return men[legal.NoSide] == 0 && men[legal.White] <= 1 && men[legal.Black] <= 1
}

// rested says that the man of side s who was put last, of the first n changes, stayed where he is in target, or was captured
// there: a man who is slid leaves again within a scan.
func (b *board) rested(n int, target *legal.Placement, s legal.Side) bool {
	for k := n - 1; k >= 0; k-- {
		put := &b.changes[k]
		if put.is.Side() != s || put.is != target[put.sq] {
			continue
		}
		for _, c := range b.changes[k+1:] {
			if c.sq == put.sq {
				return c.win.Hi-put.win.Hi >= stillUS || b.nextPut(put.sq, k+1) == s.Other()
			}
		}
		return true
	}
	return false
}

// nextPut returns whose man is put on the square next, after the first n changes; NoSide where nobody is.
func (b *board) nextPut(sq legal.Square, n int) legal.Side {
	for _, c := range b.changes[n:] {
		if c.sq == sq && c.is != legal.NoPiece {
			return c.is.Side()
		}
	}
	return legal.NoSide
}

// pressedAhead completes the move of a press that is reported when the board has gone on already.
func (t *Tracker) pressedAhead(s legal.Side, at int64, seen seenBy) bool {
	m, n, ok := t.ranAhead(seen)
	if !ok || !t.pressed(s, t.lateness(at, n, m), at, m, n) {
		return false
	}
	if t.phase == playing {
		base := t.g.last()
		t.behind = len(twoPlies(&base.pos, &t.b.live, 1)) > 0
	}
	return true
}

// catchUpQuietly commits the reply and the move after it, where the press that was taken for an earlier one has been the last.
func (t *Tracker) catchUpQuietly() {
	base := t.g.last()
	if !t.behind || t.pend.on || t.c.turn() != base.pos.Turn() {
		return
	}
	m, r, doubt, ok := t.bestPair(&base.pos)
	if !ok {
		return
	}
	t.doubt(doubt)
	t.commit(m, ByReply, -1)
	if t.phase == playing {
		t.commit(r, ByPress, -1)
	}
	if t.phase == playing {
		t.guessed = max(t.guessed, 1) // nobody saw their presses: they may still come, but not behind the next one
	}
}

// scramble says that the board of a press shows more than a move and the reply: s has put a man, his opponent has, and s again,
// and these two stand there. Which of it was there when the clock was pressed nobody knows, and nobody is accused.
func (v *view) scramble(s legal.Side) bool {
	base := v.pos.Placement()
	moved, answered := false, false
	for i := range v.changes {
		c := &v.changes[i]
		stands := v.at[c.sq] == c.is
		switch {
		case c.is.Side() == s && answered && stands && base[c.sq] != c.is:
			return true
		case c.is.Side() == s:
			moved = true
		case c.is.Side() == s.Other() && moved && stands:
			answered = true
		}
	}
	return false
}

// opponentTouched says that the opponent of s has touched a man since the press, or had before.
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
