package detector

import (
	"slices"

	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

// This file and the others named hint_ read the history of a turn that ended in a legal move. Article 4 of the Laws is
// about fingers: which piece was touched, where one was released, with how many hands. A board sees squares that become
// empty and full again, so what it has to say is a hint to be kept for a claim, and the position is never in doubt.
//
// The order of two changes is known only where their windows do not overlap (one scan of the board, 250 ms); where the
// order matters and is not known, nothing is said.

// How much each hint is worth, in permille. No recorded game says: the figures for hands and touches stay below the
// limit of the timing notes (section 0, point 6), the two that the board itself shows are high.
const (
	touchPermille        = 250
	releasedPermille     = 300
	rookFirstPermille    = 900
	promoChangedPermille = 950
	twoHandsPermille     = 200
	adjustPermille       = 200
)

// A turn is one turn and the legal move that ended it, as the hints look at it.
type turn struct {
	v       *view
	m       legal.Move
	side    legal.Side
	home    legal.Placement // the committed position
	changes []change        // up to the placement of the move
	legal   []legal.Move
}

// hints says what the history of a turn suggests that ended in the legal move m. The view's board must be the one that
// m leads to, and its changes those before the reply began: of anything else nothing is said. The hints are in the
// order of the table below; each of them is about the side that has the move.
func hints(v *view, m legal.Move) []shape {
	home := v.pos.Placement()
	if len(v.changes) == 0 || placementAfter(home, m) != v.at {
		return nil
	}
	var list legal.MoveList
	v.pos.Moves(&list)
	t := turn{v: v, m: m, side: v.pos.Turn(), home: home, changes: v.changes, legal: list.Slice()}
	var found []shape
	for _, look := range [...]func(*turn) (shape, bool){
		(*turn).touchMove, (*turn).releasedMoved, (*turn).rookFirst, (*turn).promoChanged, (*turn).bothInTheAir,
	} {
		if s, ok := look(&t); ok {
			found = append(found, s)
		}
	}
	return found
}

// shape fills in what all hints have in common. Squares are those of the touched pieces; those of the move are added.
func (t *turn) shape(kind kinds.Kind, proof rules.Proof, permille int, squares uint64) shape {
	squares |= 1<<t.m.From() | 1<<t.m.To()
	if t.m.IsCastling() {
		squares |= 1<<t.m.RookFrom() | 1<<t.m.RookTo()
	}
	return shape{
		kind: kind, proof: proof, permille: permille, side: t.side, uci: t.v.pos.UCI(t.m), squares: squares,
	}
}

// moves says whether a piece of the side that has the move could legally have left the square by a move of its own. The
// rook's part of castling is the king's move (FIDE Laws 3.8.2).
func (t *turn) moves(from legal.Square) bool {
	return t.could(func(m legal.Move) bool { return m.From() == from })
}

// goes says whether the piece on from could legally have gone to a square.
func (t *turn) goes(from, to legal.Square) bool {
	return t.could(func(m legal.Move) bool { return m.From() == from && m.To() == to })
}

// takes says whether the piece on from, or any piece for NoSquare, could legally have captured the one on victim.
func (t *turn) takes(from, victim legal.Square) bool {
	return t.could(func(m legal.Move) bool { return m.Victim() == victim && (from == legal.NoSquare || m.From() == from) })
}

// could says whether one of the legal moves of the turn is such a move.
func (t *turn) could(is func(legal.Move) bool) bool { return slices.ContainsFunc(t.legal, is) }

// left returns the first change from index i on by which a square stops to read as the given piece, or -1.
func left(changes []change, i int, sq legal.Square, p legal.Piece) int {
	for ; i < len(changes); i++ {
		if changes[i].sq == sq && changes[i].was == p {
			return i
		}
	}
	return -1
}

// came returns the first change from index i on by which a square comes to read as the given piece, or -1.
func came(changes []change, i int, sq legal.Square, p legal.Piece) int {
	for ; i < len(changes); i++ {
		if changes[i].sq == sq && changes[i].is == p {
			return i
		}
	}
	return -1
}

// before says whether one change certainly happened before another.
func (c *change) before(d *change) bool { return c.win.Hi < d.win.Lo }

// between is how long certainly passed between two changes, in microseconds; negative where their windows overlap.
func between(c, d *change) int64 { return d.win.Lo - c.win.Hi }

// otherLifted says whether a piece of this code was lifted from a home other than sq: then it is not known which piece
// is which.
func (t *turn) otherLifted(sq legal.Square, p legal.Piece) bool {
	for _, c := range t.changes {
		if c.sq != sq && c.was == p && t.home[c.sq] == p {
			return true
		}
	}
	return false
}
