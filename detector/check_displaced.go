package detector

import (
	"math/bits"
	"slices"

	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// A legal move, and pieces that had no part in it stand otherwise (FIDE Laws 7.4): several pushed at once, two
// exchanged when they were put back, one replaced by a piece of another kind, or the captured piece put down on another
// square of the board. The player in whose turn the squares lost their pieces is named, whosever pieces they are. One
// piece pushed alone: check_second.go.
//
// Innocent look-alikes: a reply, whole or begun; two moves in a turn; a captured piece that is carried off over a
// square; a piece that reads as another and was never lifted; pieces lifted and put back where they stood.

func seeDisplaced(v *view) (shape, bool) {
	var best shape
	longest, tied := int64(-2), false
	var list legal.MoveList
	v.pos.Moves(&list)
	for _, m := range list.Slice() {
		placement := placementAfter(v.base, m)
		rest := difference(&placement, &v.at)
		if n := squares(rest); n == 0 || n > maxDisturbed || rest&putBy(m) != 0 {
			continue
		}
		note, ok := v.disturbed(m, &placement, rest)
		if !ok {
			continue
		}
		switch stood := v.shown(&placement); {
		case stood > longest:
			best = v.shapeOf(kinds.Displaced, rules.Strong, v.diff)
			best.uci, best.note, best.open = v.pos.UCI(m), note, !v.final
			best.after, best.stands = v.played(m), true
			if !v.inTurn(m, &placement, rest) {
				best.ofNobody()
			}
			longest, tied = stood, false
		case stood == longest:
			tied = true
		}
	}
	return best, longest >= -1 && !tied
}

// maxDisturbed bounds the squares beside those of the move: three pieces pushed.
const maxDisturbed = 6

// disturbed says what has happened, beside the move m, to the pieces on the squares that differ from what m leaves.
func (v *view) disturbed(m legal.Move, placement *legal.Placement, rest uint64) (note words.Sentence, ok bool) {
	sq := legal.Square(lowest(rest))
	switch {
	case squares(rest) == 1 && placement[sq] == legal.NoPiece:
		return words.Say("saw.captured_on", sq), v.putBeside(m, sq)
	case squares(rest) == 1:
		is, was := v.at[sq], placement[sq]
		return words.Say("saw.other_piece", is.Kind(), sq, was.Kind()),
			is.Side() == was.Side() && is.Kind() != legal.King && was.Kind() != legal.King && v.stoodUp(sq)
	case v.exchanged(placement, rest):
		return words.Say("saw.exchanged"), true
	}
	return words.Say("saw.several"), v.allPushed(m, placement, rest, oneSide(placement, rest))
}

// putBeside says that the piece that m has captured was put down on that square, after it had been taken from its own.
// At a promotion pieces are brought and laid aside: nothing is said of it.
func (v *view) putBeside(m legal.Move, sq legal.Square) bool {
	from := m.Victim()
	if from == legal.NoSquare || m.Promotion() != legal.NoKind || v.at[sq] != v.base[from] || v.shaken {
		return false
	}
	put, taken := v.latest(sq, v.at[sq]), false
	if put == nil {
		return false // it counts as standing there, and was not reported
	}
	for i := range v.changes {
		c := &v.changes[i]
		taken = taken || c.sq == from && c.was == v.base[from] && !c.healed && c.win.Hi <= put.win.Hi
		if c == put {
			return taken && !c.healed && !c.odd
		}
	}
	return false
}

// stoodUp says that the square was reported empty in this turn, and then that another piece was put there.
func (v *view) stoodUp(sq legal.Square) bool {
	lift, put := v.lifted(sq), v.latest(sq, v.at[sq])
	return v.at[sq] != legal.NoPiece && lift != nil && put != nil && !lift.healed && !put.healed && !put.odd && lift.win.Hi <= put.win.Hi
}

// exchanged says that the pieces on these squares are the same ones, each lifted and put on a square of another. In
// Chess960 king and rook change places when they castle.
func (v *view) exchanged(placement *legal.Placement, rest uint64) bool {
	var was, is []legal.Piece
	for set := rest; set != 0; set &= set - 1 {
		sq := legal.Square(bits.TrailingZeros64(set))
		if placement[sq] == legal.NoPiece || !v.stoodUp(sq) {
			return false
		}
		was, is = append(was, placement[sq]), append(is, v.at[sq])
	}
	slices.Sort(was)
	slices.Sort(is)
	return slices.Equal(was, is) && !v.pos.Chess960()
}

// allPushed says that every piece that is missing stands beside its square, and that none of them can have moved there:
// it is no move of his, or it was as quick as a push, and they are all of one side.
func (v *view) allPushed(m legal.Move, placement *legal.Placement, rest uint64, quick bool) bool {
	if rest == 0 {
		return true
	}
	from := legal.NoSquare
	for set := rest; set != 0 && from == legal.NoSquare; set &= set - 1 {
		if sq := legal.Square(bits.TrailingZeros64(set)); placement[sq] != legal.NoPiece {
			from = sq
		}
	}
	if from == legal.NoSquare || v.at[from] != legal.NoPiece || v.shaken {
		return false
	}
	for set := rest; set != 0; set &= set - 1 {
		to := legal.Square(bits.TrailingZeros64(set))
		if placement[to] == legal.NoPiece && v.at[to] == placement[from] && near(from, to) && v.onlyPushed(m, from, to, quick) &&
			v.allPushed(m, placement, rest&^(1<<from|1<<to), quick) {
			return true
		}
	}
	return false
}

// oneSide says that the pieces that stood on these squares are all of one side: no moves and replies, however quick,
// bring them away.
func oneSide(placement *legal.Placement, rest uint64) bool {
	var seen [3]bool
	for set := rest; set != 0; set &= set - 1 {
		seen[placement[bits.TrailingZeros64(set)].Side()] = true
	}
	return !seen[legal.White] || !seen[legal.Black]
}

func (v *view) onlyPushed(m legal.Move, from, to legal.Square, quick bool) bool {
	switch took := v.took(transfer{from: from, to: to, piece: v.at[to]}); {
	case took < 0:
		return false
	case quick && took <= pushUS:
		return true
	}
	after := v.pos.After(m)
	pos, ok := turnOf(&after, v.at[to].Side())
	if !ok {
		return false
	}
	return !anyMove(&pos, func(n legal.Move) bool { return n.From() == from && n.To() == to })
}
