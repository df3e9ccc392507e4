package play

import (
	"slices"

	"boardwatchd/rules/legal"
)

// In a scramble a ply takes less time than the report of its press: up to two seconds. Then the board runs ahead: when a press is reported it shows
// the ply, the whole reply, and some of the next, which no press has completed yet as far as anybody knows. What was seen on the way
// tells them apart: the press completes the first of them, and the others wait for theirs.
//
// A clock that is polled looks the same: it swallows two presses within half a second, and the next one is that of the third ply (reconstruction
// notes, row 52). So the row applies only while the press of the first ply can still be on its way.

// maxAhead bounds how many plies the board may be ahead of the press that is reported.
const maxAhead = 5

// later returns the image by which a ply stood, if it stands to reason that the board has gone on since: after a gap; or in a scramble, where the ply
// stood no longer than the report of its press can be on its way.
func (s *step) later(b *basis, c *successor, first, last int, seen bool) (at int, ok bool) {
	switch {
	case s.pr.gap:
		return last, seen
	case s.pr.lag == 0:
		return 0, false
	case !seen:
		if last, seen = s.ev.lifted(b.have, s.end, c); !seen {
			return 0, false
		}
		first = last
	case !s.ev.rested(last, s.end, c):
		return 0, false
	}
	return last, s.pr.at-s.ev.at(first).at < s.pr.lag && s.ev.wentOn(b.at.after(c), last, s.end, maxAhead)
}

// preferLater makes a ply dearer that explains the newest image only, where the board has shown several by themselves that lead there.
func (s *step) preferLater(found []candidate) {
	if s.pr.lag == 0 || !slices.ContainsFunc(found, func(c candidate) bool { return c.marks.has(ArcLater) }) {
		return
	}
	for i := range found {
		if c := &found[i]; !c.marks.has(ArcLater) && c.index > 0 && c.cost < ArcReply.cost() {
			c.cost += ArcUnpressed.cost()
		}
	}
}

// wentOn says that behind an image the board showed a legal ply by itself, and then nothing but more of such and one that is being made: in a
// scramble a ply takes less time than the report of its press, and the presses of these are still on their way.
func (e *evidence) wentOn(from *node, have, end, plies int) bool {
	last := &e.at(end - 1).place
	for j := max(have+1, e.dropped); j < end && plies > 0; j++ {
		s := from.shownBy(&e.at(j).place)
		if s == nil || !e.inTurn(have, j, s) || !e.rested(j, end, s) {
			continue
		}
		after := from.after(s)
		switch {
		case s.place == *last:
			if plies < maxAhead { // else it is the reply
				return true
			}
		case UnderWay(&after.pos, last), after.by(last) != nil, e.wentOn(after, j, end, plies-1):
			return true
		}
	}
	return false
}

// shownBy returns the legal ply that an image shows, be it that the next hand has lifted its piece already, or the one that it captures.
func (n *node) shownBy(image *legal.Placement) *successor {
	list := n.successors()
	for i := range list {
		if list[i].shownIn(image) {
			return &list[i]
		}
	}
	return nil
}

func (s *successor) shownIn(image *legal.Placement) bool {
	d := Difference(&s.place, image)
	if d&s.diff != 0 || count(d) > 2 {
		return false
	}
	var gone [3]int
	for ; d != 0; d &= d - 1 {
		sq := lowest(d)
		gone[s.place[sq].Side()]++
		if image[sq] != legal.NoPiece {
			return false
		}
	}
	return gone[legal.White] <= 1 && gone[legal.Black] <= 1
}

// inTurn says that the pieces which an image does not show beside a ply were not lifted long before the piece of that ply: the next hand lifts them.
func (e *evidence) inTurn(have, i int, s *successor) bool {
	emptied := func(sq legal.Square) int64 {
		j := i
		for j > max(have+1, e.dropped) && e.at(j - 1).place[sq] == legal.NoPiece {
			j--
		}
		return e.at(j).at
	}
	for set := Difference(&s.place, &e.at(i).place); set != 0; set &= set - 1 {
		if emptied(lowest(set))+passingUS < emptied(s.move.From()) {
			return false
		}
	}
	return true
}

// rested says that the piece of a ply, which an image shows where it went, was no piece on its way: it stayed, or the opponent has taken it there. A piece
// that was put elsewhere before the opponent's came went on.
func (e *evidence) rested(i, end int, s *successor) bool {
	to := s.move.To()
	p := s.place[to]
	left := i + 1
	for left < end && e.at(left).place[to] == p {
		left++
	}
	if left == end || e.at(left).at-e.at(i).at >= passingUS {
		return true
	}
	for left < end && e.at(left).place[to] == legal.NoPiece {
		left++
	}
	return left < end && e.at(left).place[to].Side() == p.Side().Other() && !e.put(p, i, left)
}

// put says that a piece like this one was put on a square between two images.
func (e *evidence) put(p legal.Piece, from, to int) bool {
	for j := from + 1; j <= to; j++ {
		was, is := &e.at(j-1).place, &e.at(j).place
		for set := Difference(was, is); set != 0; set &= set - 1 {
			if is[lowest(set)] == p {
				return true
			}
		}
	}
	return false
}

// lifted returns the last image in which the piece of a ply came to rest while the opponent had lifted his own already.
func (e *evidence) lifted(have, end int, s *successor) (at int, ok bool) {
	to := s.move.To()
	for j := end - 1; j > max(have, e.dropped); j-- {
		if im := &e.at(j).place; e.at(j - 1).place[to] != im[to] && s.shownIn(im) && e.rested(j, end, s) {
			return j, true
		}
	}
	return 0, false
}
