package play

import (
	"slices"

	"boardwatchd/rules/legal"
)

// A search looks for rows of legal moves to a placement. It follows the squares that differ and is bounded by a budget
// of positions.
type search struct {
	target *legal.Placement
	budget int
}

const maxRows = 6

// rows returns rows of n legal moves to the target. Each move must bring the board nearer to the target, except for
// slack of them.
func (q *search) rows(from *node, n, slack int) (found [][]Successor) {
	return q.from(from.pos, n, slack)
}

// from is rows from a position, which is a value so that none of the search is on the heap. Only moves that the rules
// of rows and the budget allow become positions.
func (q *search) from(pos legal.Position, n, slack int) (found [][]Successor) {
	place := pos.Placement()
	if n == 1 {
		if m, ok := OnePly(&pos, q.target); ok {
			return [][]Successor{{{m, *q.target, Difference(&place, q.target)}}}
		}
		return nil
	}
	if q.budget <= 0 {
		return nil
	}
	here := Count(Difference(&place, q.target))
	var list legal.MoveList
	pos.Moves(&list)
	moves := list.Slice()
	var apart [legal.MaxMoves]int8 // the squares that differ from the target after each move
	for i, m := range moves {
		apart[i] = int8(here + q.nearer(&place, m))
	}
	most := 2 * n
	if slack == 0 {
		most = min(most, here-1)
	}
	for d := 0; d <= most; d++ {
		left := slack
		if d >= here {
			left--
		}
		for i, m := range moves {
			if int(apart[i]) != d {
				continue
			}
			if q.budget--; q.budget <= 0 {
				return found
			}
			mid := PlacementAfter(place, m)
			if n == 2 && !couldBeOne(&mid, q.target, pos.Turn().Other()) {
				continue
			}
			for _, rest := range q.from(pos.After(m), n-1, left) {
				found = append(found, append([]Successor{{m, mid, Difference(&place, &mid)}}, rest...))
			}
			if len(found) >= maxRows {
				return found
			}
		}
	}
	return found
}

// nearer returns by how many squares more a placement differs from the target after a move.
func (q *search) nearer(from *legal.Placement, m legal.Move) (d int) {
	set := func(sq legal.Square, p legal.Piece) {
		if from[sq] != q.target[sq] {
			d--
		}
		if p != q.target[sq] {
			d++
		}
	}
	if m.IsCastling() {
		place := PlacementAfter(*from, m)
		for diff := Difference(from, &place); diff != 0; diff &= diff - 1 {
			sq := Lowest(diff)
			set(sq, place[sq])
		}
		return d
	}
	mover := from[m.From()]
	if k := m.Promotion(); k != legal.NoKind {
		mover = legal.PieceOf(mover.Side(), k)
	}
	set(m.From(), legal.NoPiece)
	set(m.To(), mover)
	if m.IsEnPassant() {
		set(m.EnPassantVictim(), legal.NoPiece)
	}
	return d
}

// couldBeOne reports whether the squares alone allow that one ply of a side leads from a placement to another: two to
// four differ, each is empty after it or has a piece of that side, at least one has, and at most one piece is captured.
func couldBeOne(from, to *legal.Placement, side legal.Side) bool {
	diff := Difference(from, to)
	if n := Count(diff); n < 2 || n > 4 {
		return false
	}
	put, taken := false, 0
	for ; diff != 0; diff &= diff - 1 {
		sq := Lowest(diff)
		switch to[sq].Side() {
		case side:
			put = true
		case side.Other():
			return false
		}
		if from[sq].Side() == side.Other() {
			taken++
		}
	}
	return put && taken <= 1
}

// A reached row leads to an image, or after a loss to the image with one piece put back that is in a hand.
type reached struct {
	cost Cost
	row  []Successor
}

func reach(from *node, image *legal.Placement, n, budget int, lossy bool) (list []reached) {
	q := search{target: image, budget: budget}
	for i, row := range q.rows(from, n, 1) {
		if i == 3 {
			break
		}
		list = append(list, reached{0, row})
	}
	if len(list) > 0 || !lossy {
		return list
	}
	for set := Difference(&from.place, image); set != 0 && len(list) < 3; set &= set - 1 {
		sq := Lowest(set)
		if image[sq] != legal.NoPiece {
			continue
		}
		whole := *image
		whole[sq] = from.place[sq]
		q := search{target: &whole, budget: budget / 2}
		for i, row := range q.rows(from, n, 1) {
			if i == 2 {
				break
			}
			list = append(list, reached{ArcAirNext.cost(), row})
		}
	}
	return list
}

// inversions counts the neighbouring plies of a row whose squares came to rest in the opposite order.
func (e *evidence) inversions(row []Successor) (n int) {
	before := -1
	for i := range row {
		at := e.restedAt(row[i].Move.To())
		if at < before {
			n++
		}
		before = at
	}
	return n
}

// unpressed returns the row for a ply whose press was not seen.
func (e *evidence) unpressed() Arc {
	if e.merged {
		return ArcMerged
	}
	return ArcUnpressed
}

const (
	maxBases     = 10 // bases of one depth that are continued
	maxHiddenRow = 6  // plies that may lie between an image and the next, if a dump has found that one
)

// bases returns the positions with the given side to move that play may have reached without a press, through images
// that were seen.
func (e *evidence) bases(start *basis, side legal.Side) (out []basis) {
	u := unpressedPlies{ev: e, kind: e.unpressed()}
	layer := []basis{*start}
	for ; len(layer) > 0; u.depth++ {
		for _, b := range layer {
			if b.at.turn() == side {
				out = append(out, b)
			}
		}
		if u.depth == longestChain {
			break
		}
		layer = u.next(layer)
	}
	return out
}

// unpressedPlies finds the positions that play may have reached without a press, one ply after the other.
type unpressedPlies struct {
	ev    *evidence
	kind  Arc // why no press was seen
	depth int
	seen  []visited
}

type visited struct {
	pos   uint64
	depth int
}

// arc returns the row for the next ply. Forgotten presses come in pairs: the lever is already down on the side that
// replies.
func (u *unpressedPlies) arc() Arc {
	switch {
	case u.kind != ArcUnpressed || u.depth == 0:
		return u.kind
	case u.depth&1 != 0:
		return ArcAnswered
	}
	return ArcAgain
}

// next returns the bases that are one image further, cheapest first.
func (u *unpressedPlies) next(layer []basis) (list []basis) {
	a := u.arc()
	for i := range layer {
		b := &layer[i]
		for j := b.have + 1; j < u.ev.end(); j++ {
			rows := u.rows(b.at, u.ev.at(j))
			for _, row := range rows[:min(len(rows), 3)] {
				to := b.play(row, u.ev.at(j).At)
				if v := (visited{to.at.pos.Key(), u.depth}); !slices.Contains(u.seen, v) {
					u.seen = append(u.seen, v)
					to.have, to.marks = j, to.marks|mark(a)
					to.cost += a.cost()*Cost(len(row)) + ArcUnseenGap.cost()*Cost(len(row)-1)
					if len(row) == 1 && !u.ev.rested(j, &row[0]) {
						to.cost, to.marks = to.cost+ArcPassing.cost(), to.marks|mark(ArcPassing)
					}
					list = append(list, to)
				}
			}
		}
	}
	slices.SortStableFunc(list, func(a, b basis) int { return int(a.cost - b.cost) })
	return list[:min(len(list), maxBases)]
}

// rows returns the plies to an image: one, or several at once where a dump has found it.
func (u *unpressedPlies) rows(from *node, im *Image) (rows [][]Successor) {
	if s := from.by(&im.Place); s != nil {
		return [][]Successor{{*s}}
	}
	if !im.Lost || u.depth > 0 || im.Place == from.place {
		return nil
	}
	for n := 2; n <= maxHiddenRow && len(rows) == 0; n++ {
		q := search{target: &im.Place, budget: 80}
		rows = q.rows(from, n, 1)
	}
	return rows
}

// play adds a row of plies that no press has completed.
func (b basis) play(row []Successor, at int64) basis {
	for i := range row {
		s := &row[i]
		b.line = &ply{prev: b.line, move: s.Move, side: b.at.turn(), at: at, from: b.at, have: b.have, n: b.line.Count() + 1}
		b.at = b.at.after(s)
	}
	return b
}
