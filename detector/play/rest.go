package play

import "boardwatchd/rules/legal"

// A marks is the set of arcs that a story took at one press: the evidence of a finding.
type marks uint64

func mark(list ...Arc) (m marks) {
	for _, a := range list {
		m |= 1 << a
	}
	return m
}

func (m marks) has(a Arc) bool { return m>>a&1 != 0 }

// Arcs lists the set in the order of the table.
func (m marks) Arcs() (list []Arc) {
	for a := Arc(1); a < arcCount; a++ {
		if m.has(a) {
			list = append(list, a)
		}
	}
	return list
}

// A seat holds the conditions under which an image is compared with the placement after a ply.
type seat struct {
	next            legal.Side   // the side to move next
	victim          legal.Piece  // the piece that the ply has captured
	promotion       legal.Square // the square of the ply's promotion, or NoSquare
	seenBeforePress bool         // the placement after the ply was seen before the press
	squaresReported bool         // each square of the ply has read as the ply leaves it
	atOnce          bool         // a piece lifted first counts as captured only if the very next move can capture it
	// The piece that is about to be captured may be read beside its square: set where every image counts, not only the
	// last.
	mayBeDragged bool
}

// rest returns the cost of an image where the placement after some ply is expected: the cost of all that it shows
// beyond it.
func (s *seat) rest(after, image *legal.Placement) (cost Cost, m marks) {
	d := Difference(after, image)
	if d == 0 {
		return 0, 0
	}
	r := remainder{seat: s, after: after, image: image}
	r.lifted(d)
	for set := d; set != 0; set &= set - 1 {
		sq := Lowest(set)
		a := r.arc(sq)
		switch a {
		case ArcAir, ArcGhost, ArcMisread, ArcVictimFirst:
			if r.faults > 0 {
				cost, m = cost+ArcMore.cost(), m|mark(ArcMore)
			}
			r.faults++
		}
		cost, m = cost+a.cost(), m|mark(a)
	}
	return cost, m
}

// A remainder is one comparison, square by square.
type remainder struct {
	*seat
	after, image *legal.Placement

	gone   uint64 // pieces of the side to move next that have left their squares
	hand   uint64 // the ones of these that are read nowhere else yet
	begun  bool   // one square of that side was already found empty
	faults int    // squares that only a fault of the board explains
}

// lifted finds the pieces of the side to move next that have left their squares.
func (r *remainder) lifted(differ uint64) {
	var stands [16]bool // pieces of that side on squares that changed
	for set := differ; set != 0; set &= set - 1 {
		sq := Lowest(set)
		is := r.image[sq]
		if r.after[sq].Side() == r.next && (is == legal.NoPiece || is.Side() == r.next) {
			r.gone |= 1 << sq
		}
		if is.Side() == r.next {
			stands[is] = true
		}
	}
	for set := r.gone; set != 0; set &= set - 1 {
		if sq := Lowest(set); !stands[r.after[sq]] {
			r.hand |= 1 << sq
		}
	}
}

// arc returns the row of the table for one square that differs.
func (r *remainder) arc(sq legal.Square) Arc {
	was, is := r.after[sq], r.image[sq]
	switch {
	case sq == r.promotion && is == legal.NoPiece:
		return ArcPromotionUnread
	case sq == r.promotion:
		return ArcPromotionPawn
	case is == legal.NoPiece:
		return r.missing(sq)
	case is.Side() == r.next && was.Side() != r.next && anyOf(r.gone, r.after, is):
		return ArcOnWay
	case was != legal.NoPiece:
		return ArcMisread
	case is == r.victim, r.mayBeDragged && is.Side() != r.next && r.dragged(sq, is):
		return ArcDrag
	}
	return ArcGhost
}

// dragged reports whether a piece like this one has left a neighbouring square, where it could be captured.
func (r *remainder) dragged(sq legal.Square, is legal.Piece) bool {
	for from := legal.Square(0); from < 64; from++ {
		df, dr := from.File()-sq.File(), from.Rank()-sq.Rank()
		if r.after[from] == is && r.image[from] != is && max(df*df, dr*dr) == 1 && couldBeTaken(r.after, from, r.next, false) {
			return true
		}
	}
	return false
}

// missing returns the row for a piece that is no longer read.
func (r *remainder) missing(sq legal.Square) Arc {
	switch {
	case r.after[sq].Side() == r.next && !r.begun:
		r.begun = true
		return ArcAirNext
	case r.after[sq].Side() == r.next:
		return ArcAir
	case hits(r.hand, r.after, sq):
		return ArcVictimNext
	case r.seenBeforePress && r.faults == 0 && couldBeTaken(r.after, sq, r.next, r.atOnce):
		return ArcVictimFirst
	}
	return ArcAir
}

func anyOf(set uint64, place *legal.Placement, p legal.Piece) bool {
	for ; set != 0; set &= set - 1 {
		if place[Lowest(set)] == p {
			return true
		}
	}
	return false
}

// hits reports whether one of the pieces in the hand could capture on the square.
func hits(hand uint64, place *legal.Placement, sq legal.Square) bool {
	for ; hand != 0; hand &= hand - 1 {
		if from := Lowest(hand); couldCapture(place[from], from, sq) {
			return true
		}
	}
	return false
}

// couldBeTaken reports whether some piece of the side could capture on the square. At once excludes captures over other
// pieces, and captures en passant, which only the next move can make.
func couldBeTaken(place *legal.Placement, sq legal.Square, by legal.Side, atOnce bool) bool {
	for from := legal.Square(0); from < 64; from++ {
		if p := place[from]; p.Side() == by && couldCapture(p, from, sq) && (!atOnce || clear(place, from, sq) && (p.Kind() != legal.Pawn || from.Rank() != sq.Rank())) {
			return true
		}
	}
	return false
}
