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
	until   int64 // when it stood so at the latest
	presses int   // unexplained presses since the last commit

	passed Found // a press without a move right after the opponent's, if the press was that and no lever that came back by itself
}

// branchAt keeps the last position with the other side to move, after a press by s with nothing moved of which it is not known what it was.
func (t *Tracker) branchAt(s legal.Side) {
	base := t.g.last()
	t.alt = branch{on: true, live: base.place, presses: 1}
	t.alt.pos, t.alt.valid = t.standing(&base.pos, base.place, s.Other())
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
	if f := t.alt.passed; f.ID != "" && !t.doubtful() && !t.lostLately() && t.trusted(t.judgedAt) {
		t.passed(f.Side, f.ID) // the lever stayed there, and nobody moved but who then had the move
		f.Stamp = t.now
		t.bringCertain(f)
	} else {
		t.rebaseOn(t.alt.pos, t.g.last().ply+t.alt.presses, t.sync.lost)
	}
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
	if err != nil && t.b.verified >= t.b.lastAt {
		pos, err = s.Standing() // a dump shows the board so: it has come about by something illegal, and is played from
	}
	return pos, err == nil
}

// plyFor is the number of plies played at a position, at least the given one: even where White has the move.
func plyFor(pos *legal.Position, least int) int {
	if (pos.Turn() == legal.White) != (least%2 == 0) {
		least++
	}
	return least
}

// lostLatelyUS is how long no report may have been lost where a press right behind the opponent's is to be no lever that came
// back: behind a gap the opponent's move may have been another one, and this press the one that completed the reply.
const lostLatelyUS = 30_000_000

func (t *Tracker) lostLately() bool {
	return t.sync.lostAt != 0 && t.now.At-t.sync.lostAt < lostLatelyUS
}
