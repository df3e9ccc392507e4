package detector

import "boardwatchd/rules/legal"

// This file goes on from a board that the record does not lead to.

// branch is the board as it stood at a press that nothing explained, taken as a position in its own right: if the
// opponent plays on from it, the record follows (row 57).
type branch struct {
	on      bool
	valid   bool // pos is a position that can be played from
	pos     legal.Position
	live    legal.Placement
	presses int // unexplained presses since the last commit
}

// judgeBranch explains a press from the board as it stood at an earlier unexplained press: the players went on from
// there, and so does the record.
func (t *Tracker) judgeBranch(s legal.Side) bool {
	if !t.alt.on || !t.alt.valid || t.alt.pos.Turn() != s {
		return false
	}
	m, ok := onePly(&t.alt.pos, &t.b.live)
	if !ok {
		return false
	}
	t.rebaseOn(t.alt.pos, t.g.last().ply+t.alt.presses)
	t.emitPress(s, "ok")
	t.commit(m, ByPress, -1)
	return true
}

// positionFrom makes a position of the board as it stands. Castling rights are those of the record whose king and
// rook still stand at home: a dump never gives a right back (laws notes 1.3).
func (t *Tracker) positionFrom(live legal.Placement, turn legal.Side) (legal.Position, bool) {
	base := t.g.pos()
	s := base.Setup()
	s.Castling = keptRights(&s, &live)
	s.Placement = live
	s.Turn = turn
	s.EnPassant = legal.NoSquare
	pos, err := s.Position()
	return pos, err == nil
}

// rebaseOn goes on from a position that no legal move of the record leads to.
func (t *Tracker) rebaseOn(pos legal.Position, ply int) {
	t.g.grow(node{pos: pos, place: pos.Placement(), ply: plyFor(&pos, ply)})
	t.b.folded = true
	t.note("record_broken", "the game goes on from a position that the recorded moves do not lead to: "+pos.FEN())
}

// plyFor is the number of plies played at a position, at least the given one: even where White has the move.
func plyFor(pos *legal.Position, least int) int {
	if (pos.Turn() == legal.White) != (least%2 == 0) {
		least++
	}
	return least
}
