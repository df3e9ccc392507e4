package detector

import (
	"math/bits"
	"slices"

	"boardwatchd/detector/evidence"
	"boardwatchd/detector/play"
	"boardwatchd/rules/legal"
)

// pushed reports whether, after the move m, a piece of the opponent's is where no legal reply puts it: it was pushed
// there, or is on its way.
func (t *Tracker) pushed(m legal.Move) bool {
	base := t.g.last()
	mid := play.PlacementAfter(base.place, m)
	after := base.pos.After(m)
	if play.UnderWay(&after, &t.b.Live) {
		return false
	}
	var replies legal.MoveList
	listed := false
	for set := play.Difference(&mid, &t.b.Live); set != 0; set &= set - 1 {
		sq := legal.Square(bits.TrailingZeros64(set))
		is := t.b.Live[sq]
		if is == legal.NoPiece || is.Side() == base.pos.Turn() {
			continue
		}
		if !listed {
			after.Moves(&replies)
			listed = true
		}
		reached := false
		for _, r := range replies.Slice() {
			next := play.PlacementAfter(mid, r)
			reached = reached || next[sq] == is && mid[sq] != is && t.b.Live[r.From()] != mid[r.From()]
		}
		if !reached {
			return true
		}
	}
	return false
}

// putBeside reports whether, after the move m, the captured piece is on another square and nothing else differs: it was
// put down there, or a piece like it has come there whose lift is not reported yet.
func (t *Tracker) putBeside(m legal.Move) bool {
	base := t.g.last()
	mid := play.PlacementAfter(base.place, m)
	rest := play.Difference(&mid, &t.b.Live)
	if play.Count(rest) != 1 || m.Victim() == legal.NoSquare {
		return false
	}
	sq := play.Lowest(rest)
	return mid[sq] == legal.NoPiece && t.b.Live[sq] == base.place[m.Victim()]
}

// mayBePushed reports whether pieces of the opponent's are on other squares after the move m of s, where s may have
// pushed them.
func (t *Tracker) mayBePushed(s legal.Side, m legal.Move, n int, at int64, final bool) bool {
	return (t.pushed(m) || t.putBeside(m)) && !(final && t.carriedOn(s, m, n, at))
}

// carriedOn reports whether s cannot have pushed the opponent's pieces besides the move m, which was on the board by
// itself after n changes: the opponent has put them there from further away than a sleeve pushes a piece. More may have
// been played since the report of the press at the given time.
func (t *Tracker) carriedOn(s legal.Side, m legal.Move, n int, at int64) bool {
	if n <= 0 || n >= len(t.b.Changes) || t.b.Stood(n) < play.StillUS && t.c.Turn() != s {
		return false
	}
	base := t.g.last().place
	mid := play.PlacementAfter(base, m)
	again := func(c evidence.Change) bool {
		return c.Square == m.To() && (c.Is == mid[c.Square] || c.Is.Side() == s.Other())
	} // or captured there
	if back := t.b.Seen(&base); back > n && !slices.ContainsFunc(t.b.Changes[back:], again) {
		return false // the move was taken back
	}
	if play.OnlyMovedFar(&mid, &t.b.Live, s.Other()) {
		return true
	}
	reported := t.b.ChangesUntil(at)
	if reported <= n || reported >= len(t.b.Changes) {
		return false
	}
	then := t.b.After(reported)
	return play.OnlyMovedFar(&mid, &then, s.Other())
}
