package detector

import (
	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

// A piece of the side that does not have the move stands elsewhere, and nothing else differs (FIDE Laws 1.2, 1.3). It
// is an irregularity even where he could not have gone there in his turn. Before White's first move it is certain;
// later it is strong, because nobody saw whose hand it was. Where the player who has the move presses, having moved
// nothing else, it is possible only, and of nobody: the press completes a move of that player's, who may have moved the
// opponent's piece.
//
// Innocent look-alikes: the reply to a move that the board shows; a piece pushed to a neighbouring square, which is
// told as that; a move, its reply and the way back, where all three are quicker than the report of the first press.

func seeOutOfTurn(v *view) (shape, bool) {
	other := v.mover().Other()
	pos, ok := turnOf(v.pos, other)
	if !ok {
		return shape{}, false
	}
	if v.wentAndCame(v.mover()) {
		return shape{}, false
	}
	m, legally := onePly(&pos, &v.at)
	t, one := oneTransfer(&v.base, &v.at)
	if !legally && (!one || t.piece.Side() != other) {
		return shape{}, false
	}
	if !legally && t.neighbouring() {
		return v.pushedOnly(t), true
	}
	s := v.shapeOf(kinds.OutOfTurn, rules.Strong, v.diff)
	s.side = other
	switch {
	case v.by == v.mover():
		s.ofNobody()
	case v.untouched():
		s.proof, s.permille = rules.Certain, certainPermille
	}
	s.uci = uciOf(t.from, t.to, legal.NoKind)
	if legally {
		s.uci = pos.UCI(m)
	}
	s.after, s.stands = v.unturned()
	return s, true
}

// wentAndCame says that a piece of the side has stood on another square meanwhile.
func (v *view) wentAndCame(s legal.Side) bool {
	for i := range v.changes {
		if c := &v.changes[i]; c.is.Side() == s && v.base[c.sq] != c.is {
			return true
		}
	}
	return false
}

// pushedOnly is a piece of the opponent's beside his square, where a move of his own could not have brought him.
func (v *view) pushedOnly(t transfer) shape {
	return v.shapeOf(kinds.Displaced, rules.Hint, t.squares())
}

// untouched says that no move of the game has been made.
func (v *view) untouched() bool {
	return len(v.line) > 0 && v.line[len(v.line)-1].ply == 0
}

// unturned is the board as it stands, with the same side to move: its opponent has moved out of turn.
func (v *view) unturned() (legal.Setup, bool) {
	s, _ := v.made(&v.at)
	s.Turn, s.FullMoves = v.mover(), v.pos.FullMoves()
	_, err := s.Standing()
	return s, err == nil
}
