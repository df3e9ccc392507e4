package hint

import (
	"slices"

	"boardwatchd/detector/evidence"
	"boardwatchd/detector/offence"
	"boardwatchd/detector/play"
	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

// The confidence of each hint, in permille. No recorded game gives figures: those for hands and touches stay below the
// limit of the timing notes (section 0, point 6), and the two that the board itself shows are high.
const (
	TouchPermille        = 250
	releasedPermille     = 300
	rookFirstPermille    = 900
	promoChangedPermille = 950
	twoHandsPermille     = 200
	adjustPermille       = 200
)

// A turn is one turn and the legal move that ended it, in the form that the hints read.
type turn struct {
	view    *offence.View
	move    legal.Move
	side    legal.Side
	home    legal.Placement   // the committed position
	changes []evidence.Change // up to the placement of the move
	legal   []legal.Move
}

// InTurn returns what the history of a turn suggests that ended in the legal move m. The view's board must be the one
// that m leads to, and its changes those before the reply began; for any other view there are no hints. The hints are
// in the order of the table below; each of them is about the side that has the move.
func InTurn(v *offence.View, m legal.Move) []offence.Shape {
	if home := v.Pos.Placement(); len(v.Changes) == 0 || play.PlacementAfter(home, m) != v.At {
		return nil
	}
	t := turnOf(v, m)
	var found []offence.Shape
	for _, look := range [...]func(*turn) (offence.Shape, bool){
		(*turn).touchMove, (*turn).releasedElsewhere, (*turn).rookFirst, (*turn).promoChanged, (*turn).bothInTheAir,
	} {
		if s, ok := look(t); ok {
			found = append(found, s)
		}
	}
	return found
}

// Touched reports whether another piece was touched before the one that moved, as InTurn does, and nothing else.
func Touched(v *offence.View, m legal.Move) (offence.Shape, bool) { return turnOf(v, m).touchMove() }

func turnOf(v *offence.View, m legal.Move) *turn {
	var list legal.MoveList
	v.Pos.Moves(&list)
	return &turn{view: v, move: m, side: v.Pos.Turn(), home: v.Pos.Placement(), changes: v.Changes, legal: list.Slice()}
}

// shape sets what all hints have in common. Squares are those of the touched pieces; those of the move are added.
func (t *turn) shape(kind kinds.Kind, proof rules.Proof, permille int, squares uint64) offence.Shape {
	squares |= 1<<t.move.From() | 1<<t.move.To()
	if t.move.IsCastling() {
		squares |= 1<<t.move.RookFrom() | 1<<t.move.RookTo()
	}
	return offence.Shape{
		Kind: kind, Proof: proof, Permille: permille, Side: t.side, UCI: t.view.Pos.UCI(t.move), Squares: squares,
	}
}

// moves reports whether the piece on a square had a legal move of its own. The rook's part of castling is the king's
// move (FIDE Laws 3.8.2).
func (t *turn) moves(from legal.Square) bool {
	return t.could(func(m legal.Move) bool { return m.From() == from })
}

// goes reports whether the piece on from could legally have gone to a square.
func (t *turn) goes(from, to legal.Square) bool {
	return t.could(func(m legal.Move) bool { return m.From() == from && m.To() == to })
}

// takes reports whether the piece on from, or any piece for NoSquare, could legally have captured the one on victim.
func (t *turn) takes(from, victim legal.Square) bool {
	return t.could(func(m legal.Move) bool { return m.Victim() == victim && (from == legal.NoSquare || m.From() == from) })
}

// could reports whether the predicate holds for one of the legal moves of the turn.
func (t *turn) could(is func(legal.Move) bool) bool { return slices.ContainsFunc(t.legal, is) }

// left returns the first change from index i on by which a square stops reading as the given piece, or -1.
func left(changes []evidence.Change, i int, sq legal.Square, p legal.Piece) int {
	for ; i < len(changes); i++ {
		if changes[i].Square == sq && changes[i].Was == p {
			return i
		}
	}
	return -1
}

// came returns the first change from index i on by which a square begins to read as the given piece, or -1.
func came(changes []evidence.Change, i int, sq legal.Square, p legal.Piece) int {
	for ; i < len(changes); i++ {
		if changes[i].Square == sq && changes[i].Is == p {
			return i
		}
	}
	return -1
}

// otherLifted reports whether a piece of this code was lifted from a square of its own other than sq: the two then
// cannot be told apart.
func (t *turn) otherLifted(sq legal.Square, p legal.Piece) bool {
	for _, c := range t.changes {
		if c.Square != sq && c.Was == p && t.home[c.Square] == p {
			return true
		}
	}
	return false
}
