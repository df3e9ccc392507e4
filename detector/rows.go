package detector

import (
	"slices"

	"boardwatchd/detector/evidence"
	"boardwatchd/detector/play"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// This file finds rows of plies whose presses were not reported: lost in a gap, or swallowed by a clock that is polled.

// judgeLost explains a press by a row of plies whose presses were not reported. Three plies are tried, because a clock
// that is polled does not show two presses within half a second. Longer rows are tried only after a gap, noise, or
// unexplained presses, since they would otherwise be an invention, and only when no report can come any more and the
// dump for the press has come, since the search is expensive. A row that was not seen gives way to a take-back, which
// is the simpler explanation.
func (t *Tracker) judgeLost(s legal.Side, final bool) bool {
	slides := !final && t.now.At-t.b.LastAt < t.p.LateUS && t.pend.ticks < lateTicks // the last ply may go on
	if slides || t.g.last().place == t.b.Live {
		return false // legal moves that lead back to where they began would be an invention
	}
	still := final || t.pend.readAgain(&t.b)
	if still && t.playedAsRead(s) {
		return true
	}
	back := t.g.earlier(&t.b.Live, s.Other())
	if r, answered, ok := t.lostRow(s, back == 0, still && t.mayBeUnseen()); ok {
		t.pressOfRow(s, &r, answered)
		t.trust.boardUnexplained = t.phase == playing && !r.seen // two moves of one piece look like one
		return true
	}
	if back > 0 && t.sync.reportsLost {
		t.takenBackAtPress(s, back)
		return true
	}
	return false
}

// lostRow returns the row that a press by s completes, which may already be answered. A row that was not seen counts
// where there is no simpler explanation and plies may have been played without any report.
func (t *Tracker) lostRow(s legal.Side, simplest, unseen bool) (r row, answered, ok bool) {
	pos, first := t.g.pos(), 3
	if pos.Turn() != s {
		first = 4
	}
	for d := first; d <= t.longestLost(unseen); d++ {
		after := (d - first) % 2 // the reply that is not pressed yet
		if t.p.Passive && d-after < t.alt.presses {
			continue // more presses were reported than that
		}
		r, ok := t.bestRow(&pos, d)
		if ok && (r.seen || simplest && unseen && t.mayHoldUnseen(&pos, d)) {
			return r, after == 1, true
		}
	}
	return row{}, false, false
}

// longestLost returns the length of the longest row that is tried.
func (t *Tracker) longestLost(unseen bool) int {
	switch {
	case !unseen:
		return 3
	case t.sync.reportsLost && (t.cutSinceLastPly() || !t.c.Running()):
		return play.MaxLost
	case t.sync.reportsLost: // bytes were damaged, and the clock was heard: presses were not lost
		return max(3, min(t.alt.presses+2, play.MaxLost))
	}
	return min(t.alt.presses+2, play.MaxLost)
}

// mayHoldUnseen reports whether a row of d unseen plies can have been played: the gap had the time for it, and no piece
// is in a hand that the row would have captured on the way.
func (t *Tracker) mayHoldUnseen(pos *legal.Position, d int) bool {
	return (!t.sync.reportsLost || t.holds(d-1, false)) && len(play.PliesThenBegun(pos, &t.b.Live, 1, 1)) == 0
}

// pressOfRow commits a row at the press by s. Where the row is already answered, the reply stays open.
func (t *Tracker) pressOfRow(s legal.Side, r *row, answered bool) {
	if answered {
		t.emitPress(s, "ok2")
		t.commitFitting(r, len(r.moves)-1, ByPress)
		t.b.HistoryIncomplete = true
		return
	}
	t.emitPress(s, "ok")
	t.commitFitting(r, len(r.moves), ByPress)
}

// mayBeUnseen reports whether plies may have been played without any report, and a dump has been seen since: before
// that, the board is not worth a search. Where the dump agreed with the reports, no report of a ply was lost.
func (t *Tracker) mayBeUnseen() bool {
	if t.sync.reportsLost {
		return t.b.Verified >= t.sync.lostAt && t.b.FromDump()
	}
	return t.alt.on
}

// takenBackAtPress judges a press on a position of k plies ago. If the clock was stopped for that, reports were lost,
// or there is a finding about a removed ply, the press has corrected the clock. Otherwise it is unknown who put a
// completed move back, and whether both players agreed: the press is not judged, the arbiter is asked to look, and
// nobody is accused until a move has been made from here.
func (t *Tracker) takenBackAtPress(s legal.Side, k int) {
	known := t.backForAReason(k)
	if known {
		t.emitPress(s, "ok_late")
	} else {
		t.note("cannot_judge", words.Say("row.put_back_unasked"))
		t.emitPress(s, string(kinds.NotUnderstood))
	}
	t.takeBack(k)
	t.trust.boardUnexplained = !known
	t.fault = fault{side: s, ply: t.g.last().ply} // an opponent who does not agree presses back
}

// putBackAtPress returns how many plies ago the opponent of s had to move on the board that was there at the waiting
// press of s, or since; 0: there is none.
func (t *Tracker) putBackAtPress(s legal.Side) int {
	least := max(len(t.viewAtPress(s, true).Changes), 1)
	for k := 1; k <= maxBack && k < len(t.g.nodes); k++ {
		if n := &t.g.nodes[len(t.g.nodes)-1-k]; n.pos.Turn() == s.Other() && t.b.Seen(&n.place) >= least {
			return k
		}
	}
	return 0
}

// backForAReason reports whether the last k plies may have been put back by agreement or by the arbiter, or there is a
// finding about one of them.
func (t *Tracker) backForAReason(k int) bool {
	base := t.g.last()
	stopped := t.paused() || t.pressedAt > 0 && t.clockStartedAt > t.pressedAt
	wrong := slices.ContainsFunc(t.g.nodes[len(t.g.nodes)-k:], func(n node) bool { return n.wrong.on })
	return stopped || wrong || t.sync.reportsLost || t.fault.side != legal.NoSide && t.fault.ply > base.ply-k
}

// A row is some plies in order that lead to the board.
type row struct {
	moves []legal.Move
	seen  bool // every position on the way was seen, in order, and the first one for some time
	odd   int  // how often a piece was seen where no ply of the row puts it

	also [][]legal.Move // other rows that fit as well
}

// bestRow returns the row of depth legal moves that leads to the board and fits best with what was seen on the way.
func (t *Tracker) bestRow(pos *legal.Position, depth int) (best row, ok bool) {
	return t.rowTo(pos, &t.b.Live, depth)
}

// rowTo does so for a placement that the board has shown.
func (t *Tracker) rowTo(pos *legal.Position, shown *legal.Placement, depth int) (best row, ok bool) {
	score := -1
	for _, moves := range play.LostPlies(pos, shown, depth, maxRows) {
		if t.contrary(pos, moves) {
			continue
		}
		n, r := t.seenOnTheWay(pos, moves, len(moves)-1)
		switch {
		case score < 0 || r.odd < best.odd || r.odd == best.odd && n > score:
			best, score = r, n
		case n == score && r.odd == best.odd:
			best.also = append(best.also, moves)
		}
	}
	return best, score >= 0
}

// maxRows bounds the rows that are compared.
const maxRows = 64

// begunRow returns the row of depth legal moves after which the next turn has begun: the only one, or the only one all
// of whose positions were seen. N is the number of such rows.
func (t *Tracker) begunRow(pos *legal.Position, depth int) (r row, n int) {
	seen, first := 0, row{}
	for _, moves := range play.PliesThenBegun(pos, &t.b.Live, depth, maxRows) {
		if t.contrary(pos, moves) {
			continue
		}
		_, one := t.seenOnTheWay(pos, moves, depth)
		if n++; n == 1 {
			first = one
		}
		if one.seen {
			r, seen = one, seen+1
		}
	}
	switch {
	case seen == 1:
		return r, 1
	case n == 1:
		return first, 1
	}
	return row{}, n
}

// stoodElsewhere counts how often, since the last commit, a piece was seen where no ply of a row puts it. A piece that
// only slides over a square does not count.
func (t *Tracker) stoodElsewhere(pos *legal.Position, moves []legal.Move) (n int) {
	base := pos.Placement()
	for i, c := range t.b.Changes {
		if c.Is == legal.NoPiece || c.Is == base[c.Square] || i+1 == len(t.b.Changes) {
			continue
		}
		if !t.b.StoodThere(i) {
			continue // it was on its way at its last report, or was seen on its way
		}
		p, placed := base, false
		for _, m := range moves {
			p = play.PlacementAfter(p, m)
			placed = placed || p[c.Square] == c.Is
		}
		if !placed {
			n++
		}
	}
	return n
}

// seenOnTheWay counts the first n positions after the plies of a row that the board showed, in their order. Between
// rows with equal counts, the reported squares and their times decide.
func (t *Tracker) seenOnTheWay(pos *legal.Position, moves []legal.Move, n int) (score int, r row) {
	r = row{moves: moves, seen: true, odd: t.stoodElsewhere(pos, moves)}
	p := pos.Placement()
	last := 0                   // the beginning of the history may show the first of them
	var before *evidence.Change // the change that put down the piece of an earlier ply
	var earliest int64          // when this one can have been made
	for i, m := range moves {
		p = play.PlacementAfter(p, m)
		put := t.b.Placed(m.To(), p[m.To()])
		if earliest += quickestPutUS * t.speed() / 1000; put != nil {
			if i > 0 && put.Window.Hi < earliest || put.DumpedBefore(before) {
				r.odd++
			}
			before, earliest = put, max(earliest, put.Window.Lo)
		}
		if i == n {
			break
		}
		at := t.b.Seen(&p)
		if at < last || at == last && (i > 0 || at > 0) || at > 0 && i == 0 && t.b.Stood(at) < play.StillUS {
			r.seen = false
			continue
		}
		score += t.b.Credit(at)
		last = at
	}
	return score, r
}

// commitRow commits several plies at once; all but the last were answered.
func (t *Tracker) commitRow(row []legal.Move, last CommittedBy) {
	for i, m := range row {
		if t.phase != playing {
			return
		}
		by := ByReply
		if i == len(row)-1 {
			by = last
		}
		t.commit(m, by, -1)
	}
}
