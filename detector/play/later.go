package play

import "boardwatchd/rules/legal"

// In a scramble a ply takes less time than the report of its press, which is up to two seconds late, so that the board
// runs ahead: when a press is reported, the board shows the ply, the whole reply and part of the next ply, whose
// presses have not been reported. The images on the way tell them apart: the press completes the first of these plies,
// and the others wait for their own presses.
//
// A clock that is polled looks the same: it swallows two presses within half a second, and the next press is that of
// the third ply (reconstruction notes, row 52). So the row applies only while the report of the first ply's press can
// still be on its way.

// maxAhead bounds how many plies the board may be ahead of the press that is reported.
const maxAhead = 5

// later returns the last image of a ply after which the board has gone on in a scramble: the ply was first seen no
// longer before the report of its press than such a report can be on its way.
func (s *step) later(b *basis, c *Successor, first, last int, seen bool) (at int, ok bool) {
	switch {
	case s.pr.Lag == 0:
		return 0, false
	case !seen:
		if last, seen = s.ev.lifted(b.have, c); !seen {
			return 0, false
		}
		first = last
	case !s.ev.rested(last, c):
		return 0, false
	}
	return last, s.pr.At-s.ev.at(first).At < s.pr.Lag && s.ev.wentOn(b.at.after(c), last, maxAhead)
}

// wentOn reports whether the board, after an image, showed a legal ply by itself, and then only more of such plies and
// one that is being made. In a scramble the presses of these plies are still to be reported.
func (e *evidence) wentOn(from *node, have, plies int) bool {
	last := &e.at(e.end() - 1).Place
	for j := have + 1; j < e.end() && plies > 0; j++ {
		s := from.shownBy(&e.at(j).Place)
		if s == nil || !e.inTurn(have, j, s) || !e.rested(j, s) {
			continue
		}
		after := from.after(s)
		switch {
		case s.Place == *last:
			if plies < maxAhead { // otherwise it is the reply
				return true
			}
		case UnderWay(&after.pos, last), after.by(last) != nil, e.wentOn(after, j, plies-1):
			return true
		}
	}
	return false
}

// shownBy returns the legal ply that an image shows, even if the next hand has already lifted its piece, or the piece
// that it captures.
func (n *node) shownBy(image *legal.Placement) *Successor {
	list := n.successors()
	for i := range list {
		if list[i].shownIn(image) {
			return &list[i]
		}
	}
	return nil
}

func (s *Successor) shownIn(image *legal.Placement) bool {
	d := Difference(&s.Place, image)
	if d&s.Diff != 0 || Count(d) > 2 {
		return false
	}
	var gone [3]int
	for ; d != 0; d &= d - 1 {
		sq := Lowest(d)
		gone[s.Place[sq].Side()]++
		if image[sq] != legal.NoPiece {
			return false
		}
	}
	return gone[legal.White] <= 1 && gone[legal.Black] <= 1
}

// inTurn reports whether the pieces that an image lacks beside a ply were not lifted long before the piece of that ply:
// the next hand lifts them.
func (e *evidence) inTurn(have, i int, s *Successor) bool {
	emptied := func(sq legal.Square) int64 {
		j := i
		for j > have+1 && e.at(j - 1).Place[sq] == legal.NoPiece {
			j--
		}
		return e.at(j).At
	}
	for set := Difference(&s.Place, &e.at(i).Place); set != 0; set &= set - 1 {
		if emptied(Lowest(set))+passingUS < emptied(s.Move.From()) {
			return false
		}
	}
	return true
}

// rested reports whether the piece of a ply, which an image shows on its target square, was not merely on its way: it
// stayed, or the opponent has captured it there. A piece that was put elsewhere before the opponent's arrived has gone
// on.
func (e *evidence) rested(i int, s *Successor) bool {
	to, end := s.Move.To(), e.end()
	p := s.Place[to]
	left := i + 1
	for left < end && e.at(left).Place[to] == p {
		left++
	}
	if left == end {
		return true
	}
	if e.slidOn(i, left, s) {
		return false
	}
	if e.at(left).At-e.at(i).At >= passingUS {
		return true
	}
	for left < end && e.at(left).Place[to] == legal.NoPiece {
		left++
	}
	return left < end && e.at(left).Place[to].Side() == p.Side().Other() && !e.put(p, i, left)
}

// slidOn reports whether the piece of a ply, which left its target square after image i, was put further on the same
// line before the opponent had touched a piece, and was not captured there. A slow board shows such a piece on a square
// that it passes for as long as a scan takes.
func (e *evidence) slidOn(i, left int, s *Successor) bool {
	p := s.Place[s.Move.To()]
	for j := i + 1; j < e.end(); j++ {
		was, is := &e.at(j-1).Place, &e.at(j).Place
		for set := Difference(was, is); set != 0; set &= set - 1 {
			sq := Lowest(set)
			switch o := p.Side().Other(); {
			case was[sq].Side() == o || is[sq].Side() == o:
				return false
			case j >= left && is[sq] == p && between(s.Move.From(), s.Move.To(), sq):
				return e.at(e.end() - 1).Place[s.Move.To()].Side() != o
			}
		}
	}
	return false
}

// put reports whether a piece like this one was put on a square between two images.
func (e *evidence) put(p legal.Piece, from, to int) bool {
	for j := from + 1; j <= to; j++ {
		was, is := &e.at(j-1).Place, &e.at(j).Place
		for set := Difference(was, is); set != 0; set &= set - 1 {
			if is[Lowest(set)] == p {
				return true
			}
		}
	}
	return false
}

// lifted returns the last image in which the piece of a ply came to rest while the opponent had already lifted a piece.
func (e *evidence) lifted(have int, s *Successor) (at int, ok bool) {
	for j := e.end() - 1; j > max(have, 0); j-- {
		if im := &e.at(j).Place; Difference(&e.at(j-1).Place, im)&s.Diff != 0 && s.shownIn(im) && e.rested(j, s) {
			return j, true
		}
	}
	return 0, false
}
