package hint

import (
	"math/bits"

	"boardwatchd/detector/evidence"
	"boardwatchd/detector/offence"
	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

// A straightened piece was lifted and came back to its square.
type straightened struct {
	sq         legal.Square
	lift, back int // the changes
}

// straighten returns the first lift and return of the piece on sq from change i on, where it was certainly away for a
// moment (a square that flickers for one scan was not touched) and is there at the end.
func straighten(changes []evidence.Change, i int, home, at *legal.Placement, sq legal.Square) (straightened, bool) {
	p := home[sq]
	if p == legal.NoPiece || at[sq] != p {
		return straightened{}, false
	}
	for ; i < len(changes); i++ {
		if c := &changes[i]; c.Square != sq || c.Was != p || c.Is != legal.NoPiece {
			continue
		}
		if j := came(changes, i+1, sq, p); j >= 0 && changes[i].Before(&changes[j]) {
			return straightened{sq: sq, lift: i, back: j}, true
		}
	}
	return straightened{}, false
}

// touchMove recognises FIDE Laws 4.2.2 and 4.3: a piece was touched and another one moved. A single piece that was
// lifted and returned in the end was touched; two or more are taken to have been adjusted (4.2.1), unless one of them
// could capture the other.
func (t *turn) touchMove() (offence.Shape, bool) {
	var own, theirs []straightened
	for set := t.lifted(); set != 0; set &= set - 1 {
		sq := legal.Square(bits.TrailingZeros64(set))
		s, ok := straighten(t.changes, 0, &t.home, &t.view.At, sq)
		switch {
		case !ok:
		case t.home[sq].Side() == t.side:
			own = append(own, s)
		default:
			theirs = append(theirs, s)
		}
	}
	if t.moverStraightened() && len(own)+len(theirs) > 0 && !t.moverTakes(theirs) {
		return offence.Shape{}, false // the piece that moved was adjusted too
	}
	switch {
	case len(own) == 1 && len(theirs) == 0:
		return t.touchedOwn(own[0])
	case len(own) == 0 && len(theirs) == 1:
		return t.touchedOpponentsPiece(theirs[0])
	case len(own) == 1 && len(theirs) == 1:
		return t.touchedBoth(own[0], theirs[0])
	}
	return offence.Shape{}, false
}

// lifted returns the squares that were seen empty, without those of the move's own pieces and of the piece that it
// captures.
func (t *turn) lifted() (set uint64) {
	for _, c := range t.changes {
		if c.Is == legal.NoPiece && c.Was == t.home[c.Square] {
			set |= 1 << c.Square
		}
	}
	set &^= 1 << t.move.From()
	if t.move.IsCastling() {
		set &^= 1 << t.move.RookFrom()
	}
	if sq := t.move.Victim(); sq != legal.NoSquare {
		set &^= 1 << sq
	}
	return set
}

// moverStraightened reports whether the moved piece, or the rook of a castling, was lifted and put back first.
func (t *turn) moverStraightened() bool {
	back := func(sq legal.Square) bool { return came(t.changes, 0, sq, t.home[sq]) >= 0 }
	return back(t.move.From()) || t.move.IsCastling() && back(t.move.RookFrom())
}

func (t *turn) moverTakes(theirs []straightened) bool {
	return len(theirs) == 1 && t.takes(t.move.From(), theirs[0].sq)
}

// firstTouch returns the earliest change that lifts a piece of the move; ok is false where none was reported.
func (t *turn) firstTouch() (first int, ok bool) {
	first = left(t.changes, 0, t.move.From(), t.home[t.move.From()])
	if t.move.IsCastling() {
		if r := left(t.changes, 0, t.move.RookFrom(), t.home[t.move.RookFrom()]); r >= 0 && (first < 0 || r < first) {
			first = r
		}
	}
	return first, first >= 0
}

// untilMove reports whether a piece was touched before any piece of the move was, and was back on the board by then, on
// its own square or another. Two pieces off the board at the same time may be two of a kind.
func (t *turn) untilMove(s straightened) bool {
	first, ok := t.firstTouch()
	if !ok || first < s.lift || !t.changes[s.lift].Before(&t.changes[first]) {
		return false
	}
	p := t.home[s.sq]
	away := 0
	for _, c := range t.changes[s.lift:first] {
		if c.Was == p {
			away++
		}
		if c.Is == p {
			away--
		}
	}
	return away == 0
}

func (t *turn) touchedOwn(s straightened) (offence.Shape, bool) {
	if !t.untilMove(s) || !t.moves(s.sq) {
		return offence.Shape{}, false // another piece moved first, or this one had no legal move (FIDE Laws 4.5)
	}
	return t.touch(1 << s.sq), true
}

// touchedOpponentsPiece recognises an opponent's piece that could have been captured: by any piece if it was touched
// first, by the moved piece if that one was (FIDE Laws 4.3.2, 4.3.3). After the move was made the touch is the
// opponent's own affair.
func (t *turn) touchedOpponentsPiece(s straightened) (offence.Shape, bool) {
	byMover := t.takes(t.move.From(), s.sq) && t.liftedBeforePlaced(s)
	if !byMover && !(t.takes(legal.NoSquare, s.sq) && t.untilMove(s)) {
		return offence.Shape{}, false
	}
	return t.touch(1 << s.sq), true
}

// touchedBoth recognises FIDE Laws 4.3.3: one piece of each colour was touched, and the one can capture the other.
func (t *turn) touchedBoth(own, theirs straightened) (offence.Shape, bool) {
	if !t.takes(own.sq, theirs.sq) || !t.untilMove(own) || !t.untilMove(theirs) {
		return offence.Shape{}, false
	}
	return t.touch(1<<own.sq | 1<<theirs.sq), true
}

// liftedBeforePlaced reports whether a piece was lifted before the moved piece came to its last square.
func (t *turn) liftedBeforePlaced(s straightened) bool {
	for i := len(t.changes) - 1; i >= 0; i-- {
		if c := &t.changes[i]; c.Square == t.move.To() && c.Is == t.view.At[c.Square] {
			return t.changes[s.lift].Before(c)
		}
	}
	return false
}

func (t *turn) touch(squares uint64) offence.Shape {
	return t.shape(kinds.TouchMove, rules.Hint, TouchPermille, squares)
}

// releasedUS is how long a piece must certainly have been on a square to have been released there: 0.9 s between two
// reports, minus up to a scan. A square that a piece slides over is left within 0.25 s (timing notes, section 1.2).
const releasedUS = 650_000

// releasedElsewhere recognises FIDE Laws 4.7: the piece stayed on another square to which it could legally have gone.
// The first such square counts; going on from it and coming back to it changes nothing.
func (t *turn) releasedElsewhere() (offence.Shape, bool) {
	from := t.move.From()
	p := t.home[from]
	if t.otherLifted(from, p) {
		return offence.Shape{}, false
	}
	for i := range t.changes {
		c := &t.changes[i]
		if c.Is != p || c.Square == from || t.home[c.Square] == p || !t.goes(from, c.Square) {
			continue
		}
		j := left(t.changes, i+1, c.Square, p)
		if j < 0 || evidence.Between(c, &t.changes[j]) < releasedUS {
			continue
		}
		if c.Square == t.move.To() {
			return offence.Shape{}, false
		}
		return t.shape(kinds.ReleasedMoved, rules.Hint, releasedPermille, 1<<c.Square), true
	}
	return offence.Shape{}, false
}
