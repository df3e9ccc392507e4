package detector

import (
	"math/bits"

	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

// A straightened piece was lifted and came back to the square on which it stood before.
type straightened struct {
	sq         legal.Square
	lift, back int // the changes
}

// straighten returns the first lift and return of the piece on sq from change i on, where it was certainly away for a
// moment (a square that flickers for one scan was not touched) and stands there at the end.
func straighten(changes []change, i int, home, at *legal.Placement, sq legal.Square) (straightened, bool) {
	p := home[sq]
	if p == legal.NoPiece || at[sq] != p {
		return straightened{}, false
	}
	for ; i < len(changes); i++ {
		if c := &changes[i]; c.sq != sq || c.was != p || c.is != legal.NoPiece {
			continue
		}
		if j := came(changes, i+1, sq, p); j >= 0 && changes[i].before(&changes[j]) {
			return straightened{sq: sq, lift: i, back: j}, true
		}
	}
	return straightened{}, false
}

// touchMove is FIDE Laws 4.2.2 and 4.3: a piece was touched and another one moved. One piece that was lifted and
// returned in the end was touched; of two or more it is assumed that they were put in order (4.2.1), unless one of them
// could take the other.
func (t *turn) touchMove() (shape, bool) {
	var own, theirs []straightened
	for set := t.lifted(); set != 0; set &= set - 1 {
		sq := legal.Square(bits.TrailingZeros64(set))
		s, ok := straighten(t.changes, 0, &t.home, &t.v.at, sq)
		switch {
		case !ok:
		case t.home[sq].Side() == t.side:
			own = append(own, s)
		default:
			theirs = append(theirs, s)
		}
	}
	if t.moverStraightened() && len(own)+len(theirs) > 0 && !t.moverTakes(theirs) {
		return shape{}, false // the piece that moved was put in order too
	}
	switch {
	case len(own) == 1 && len(theirs) == 0:
		return t.touchedOwn(own[0])
	case len(own) == 0 && len(theirs) == 1:
		return t.touchedTheirs(theirs[0])
	case len(own) == 1 && len(theirs) == 1:
		return t.touchedBoth(own[0], theirs[0])
	}
	return shape{}, false
}

// lifted is the set of squares that were seen empty and belong to neither the move's own pieces nor the one it
// captures.
func (t *turn) lifted() (set uint64) {
	for _, c := range t.changes {
		if c.is == legal.NoPiece && c.was == t.home[c.sq] {
			set |= 1 << c.sq
		}
	}
	set &^= 1 << t.m.From()
	if t.m.IsCastling() {
		set &^= 1 << t.m.RookFrom()
	}
	if sq := t.m.Victim(); sq != legal.NoSquare {
		set &^= 1 << sq
	}
	return set
}

// moverStraightened says whether the moved piece, or the rook of a castling, was lifted and put back first.
func (t *turn) moverStraightened() bool {
	back := func(sq legal.Square) bool { return came(t.changes, 0, sq, t.home[sq]) >= 0 }
	return back(t.m.From()) || t.m.IsCastling() && back(t.m.RookFrom())
}

func (t *turn) moverTakes(theirs []straightened) bool {
	return len(theirs) == 1 && t.takes(t.m.From(), theirs[0].sq)
}

// firstTouch returns the earliest change that lifts a piece of the move; ok is false where none was reported.
func (t *turn) firstTouch() (first int, ok bool) {
	first = left(t.changes, 0, t.m.From(), t.home[t.m.From()])
	if t.m.IsCastling() {
		if r := left(t.changes, 0, t.m.RookFrom(), t.home[t.m.RookFrom()]); r >= 0 && (first < 0 || r < first) {
			first = r
		}
	}
	return first, first >= 0
}

// untilMove says that a piece was touched before any piece of the move was, and stood on the board again by then, on
// his own square or on another. Two pieces in the air at the same time may be two of a kind.
func (t *turn) untilMove(s straightened) bool {
	first, ok := t.firstTouch()
	if !ok || first < s.lift || !t.changes[s.lift].before(&t.changes[first]) {
		return false
	}
	p := t.home[s.sq]
	away := 0
	for _, c := range t.changes[s.lift:first] {
		if c.was == p {
			away++
		}
		if c.is == p {
			away--
		}
	}
	return away == 0
}

func (t *turn) touchedOwn(s straightened) (shape, bool) {
	if !t.untilMove(s) || !t.moves(s.sq) {
		return shape{}, false // moved first, or nothing it could be made to do (FIDE Laws 4.5)
	}
	return t.touch(1 << s.sq), true
}

// touchedTheirs is a piece of the opponent that could have been taken: by any piece if it was touched first, by the
// moved piece if that was (FIDE Laws 4.3.2, 4.3.3). After the move was made it is the opponent's own affair.
func (t *turn) touchedTheirs(s straightened) (shape, bool) {
	byMover := t.takes(t.m.From(), s.sq) && t.liftedBeforePlaced(s)
	if !byMover && !(t.takes(legal.NoSquare, s.sq) && t.untilMove(s)) {
		return shape{}, false
	}
	return t.touch(1 << s.sq), true
}

// touchedBoth is FIDE Laws 4.3.3: one piece of each colour, and the one can take the other.
func (t *turn) touchedBoth(own, theirs straightened) (shape, bool) {
	if !t.takes(own.sq, theirs.sq) || !t.untilMove(own) || !t.untilMove(theirs) {
		return shape{}, false
	}
	return t.touch(1<<own.sq | 1<<theirs.sq), true
}

// liftedBeforePlaced says that a piece was lifted before the moved piece came to its last square.
func (t *turn) liftedBeforePlaced(s straightened) bool {
	for i := len(t.changes) - 1; i >= 0; i-- {
		if c := &t.changes[i]; c.sq == t.m.To() && c.is == t.v.at[c.sq] {
			return t.changes[s.lift].before(c)
		}
	}
	return false
}

func (t *turn) touch(squares uint64) shape {
	return t.shape(kinds.TouchMove, rules.Hint, touchPermille, squares)
}

// releasedUS is how long a piece must certainly have stood on a square to have been released there: 0.9 s between two
// reports, of which a scan may be missing. A square that a piece slides over is left within 0.25 s (timing notes,
// section 1.2).
const releasedUS = 650_000

// releasedMoved is FIDE Laws 4.7: the piece stood on another square to which it could legally have gone. The first such
// square counts; going on from it and coming back to it changes nothing.
func (t *turn) releasedMoved() (shape, bool) {
	from := t.m.From()
	p := t.home[from]
	if t.otherLifted(from, p) {
		return shape{}, false
	}
	for i := range t.changes {
		c := &t.changes[i]
		if c.is != p || c.sq == from || t.home[c.sq] == p || !t.goes(from, c.sq) {
			continue
		}
		j := left(t.changes, i+1, c.sq, p)
		if j < 0 || between(c, &t.changes[j]) < releasedUS {
			continue
		}
		if c.sq == t.m.To() {
			return shape{}, false
		}
		return t.shape(kinds.ReleasedMoved, rules.Hint, releasedPermille, 1<<c.sq), true
	}
	return shape{}, false
}
