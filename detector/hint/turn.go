package hint

import (
	"boardwatchd/detector/evidence"
	"boardwatchd/detector/offence"
	"boardwatchd/detector/play"
	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"slices"
)

// How much each hint is worth, in permille. No recorded game says: the figures for hands and touches stay below the
// limit of the timing notes (section 0, point 6), the two that the board itself shows are high.
const (
	TouchPermille        = 250
	releasedPermille     = 300
	rookFirstPermille    = 900
	promoChangedPermille = 950
	twoHandsPermille     = 200
	adjustPermille       = 200
)

// A Turn is one turn and the legal move that ended it, as the hints look at it.
type Turn struct {
	V       *offence.View
	M       legal.Move
	Side    legal.Side
	Home    legal.Placement   // the committed position
	Changes []evidence.Change // up to the placement of the move
	Legal   []legal.Move
}

// InTurn says what the history of a turn suggests that ended in the legal move m. The view's board must be the one that
// m leads to, and its changes those before the reply began: of anything else nothing is said. The hints are in the
// order of the table below; each of them is about the side that has the move.
func InTurn(v *offence.View, m legal.Move) []offence.Shape {
	home := v.Pos.Placement()
	if len(v.Changes) == 0 || play.Landing(home, m) != v.At {
		return nil
	}
	var list legal.MoveList
	v.Pos.Moves(&list)
	t := Turn{V: v, M: m, Side: v.Pos.Turn(), Home: home, Changes: v.Changes, Legal: list.Slice()}
	var found []offence.Shape
	for _, look := range [...]func(*Turn) (offence.Shape, bool){
		(*Turn).TouchMove, (*Turn).releasedMoved, (*Turn).rookFirst, (*Turn).promoChanged, (*Turn).bothInTheAir,
	} {
		if s, ok := look(&t); ok {
			found = append(found, s)
		}
	}
	return found
}

// shape fills in what all hints have in common. Squares are those of the touched pieces; those of the move are added.
func (t *Turn) shape(kind kinds.Kind, proof rules.Proof, permille int, squares uint64) offence.Shape {
	squares |= 1<<t.M.From() | 1<<t.M.To()
	if t.M.IsCastling() {
		squares |= 1<<t.M.RookFrom() | 1<<t.M.RookTo()
	}
	return offence.Shape{
		Kind: kind, Proof: proof, Permille: permille, Side: t.Side, UCI: t.V.Pos.UCI(t.M), Squares: squares,
	}
}

// moves says whether a piece of the side that has the move could legally have left the square by a move of its own. The
// rook's part of castling is the king's move (FIDE Laws 3.8.2).
func (t *Turn) moves(from legal.Square) bool {
	return t.could(func(m legal.Move) bool { return m.From() == from })
}

// goes says whether the piece on from could legally have gone to a square.
func (t *Turn) goes(from, to legal.Square) bool {
	return t.could(func(m legal.Move) bool { return m.From() == from && m.To() == to })
}

// takes says whether the piece on from, or any piece for NoSquare, could legally have captured the one on victim.
func (t *Turn) takes(from, victim legal.Square) bool {
	return t.could(func(m legal.Move) bool { return m.Victim() == victim && (from == legal.NoSquare || m.From() == from) })
}

// could says whether one of the legal moves of the turn is such a move.
func (t *Turn) could(is func(legal.Move) bool) bool { return slices.ContainsFunc(t.Legal, is) }

// left returns the first change from index i on by which a square stops to read as the given piece, or -1.
func left(changes []evidence.Change, i int, sq legal.Square, p legal.Piece) int {
	for ; i < len(changes); i++ {
		if changes[i].Square == sq && changes[i].Was == p {
			return i
		}
	}
	return -1
}

// came returns the first change from index i on by which a square comes to read as the given piece, or -1.
func came(changes []evidence.Change, i int, sq legal.Square, p legal.Piece) int {
	for ; i < len(changes); i++ {
		if changes[i].Square == sq && changes[i].Is == p {
			return i
		}
	}
	return -1
}

// otherLifted says whether a piece of this code was lifted from a home other than sq: then it is not known which piece
// is which.
func (t *Turn) otherLifted(sq legal.Square, p legal.Piece) bool {
	for _, c := range t.Changes {
		if c.Square != sq && c.Was == p && t.Home[c.Square] == p {
			return true
		}
	}
	return false
}
