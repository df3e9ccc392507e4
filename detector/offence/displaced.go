package offence

import (
	"math/bits"
	"slices"

	"boardwatchd/detector/play"
	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// A legal move was made, and pieces that had no part in it are not as before (FIDE Laws 7.4): several pushed at once,
// two exchanged when they were put back, one replaced by a piece of another kind, or the captured piece put down on
// another square of the board. The shape names the player in whose turn the squares lost their pieces, whichever side's
// pieces they are. One piece pushed alone: second.go.
//
// Innocent look-alikes: a reply, whole or begun; two moves in a turn; a captured piece that is carried off over a
// square; a piece that reads as another and was never lifted; pieces lifted and put back on their squares.

func seeDisplaced(v *View) (Shape, bool) {
	var best Shape
	longest, tied := int64(-2), false
	var list legal.MoveList
	v.Pos.Moves(&list)
	for _, m := range list.Slice() {
		placement := play.PlacementAfter(v.Base, m)
		rest := play.Difference(&placement, &v.At)
		if n := play.Count(rest); n == 0 || n > maxDisturbed || rest&PutBy(m) != 0 {
			continue
		}
		note, ok := v.disturbed(m, &placement, rest)
		if !ok {
			continue
		}
		switch stood := v.shown(&placement); {
		case stood > longest:
			best = v.ShapeOf(kinds.Displaced, rules.Strong, v.Diff)
			best.UCI, best.Note, best.MayBeCompleted = v.Pos.UCI(m), note, !v.Final
			best.After, best.Stands = v.Played(m), true
			if !v.inTurn(m, &placement, rest) {
				best.NameNeither()
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

// disturbed describes what has happened, besides the move m, to the squares that differ from what m leaves.
func (v *View) disturbed(m legal.Move, placement *legal.Placement, rest uint64) (note words.Sentence, ok bool) {
	sq := play.Lowest(rest)
	switch {
	case play.Count(rest) == 1 && placement[sq] == legal.NoPiece:
		return words.Say("saw.captured_on", sq), v.putBeside(m, sq)
	case play.Count(rest) == 1:
		is, was := v.At[sq], placement[sq]
		return words.Say("saw.other_piece", is.Kind(), sq, was.Kind()),
			is.Side() == was.Side() && is.Kind() != legal.King && was.Kind() != legal.King && v.stoodUp(sq)
	case v.exchanged(placement, rest):
		return words.Say("saw.exchanged"), true
	}
	return words.Say("saw.several"), v.allPushed(m, placement, rest, oneSide(placement, rest))
}

// putBeside reports whether the piece that m captured was put down on that square after it had been taken from its own.
// It does not hold in a promotion, where pieces are fetched and laid aside.
func (v *View) putBeside(m legal.Move, sq legal.Square) bool {
	from := m.Victim()
	if from == legal.NoSquare || m.Promotion() != legal.NoKind || v.At[sq] != v.Base[from] || v.ReportsDoubtful {
		return false
	}
	put, taken := v.Latest(sq, v.At[sq]), false
	if put == nil {
		return false // it counts there and was not reported
	}
	for i := range v.Changes {
		c := &v.Changes[i]
		taken = taken || c.Square == from && c.Was == v.Base[from] && !c.FromDump && c.Window.Hi <= put.Window.Hi
		if c == put {
			return taken && !c.FromDump && !c.UnknownCode
		}
	}
	return false
}

// stoodUp reports whether the square was reported empty in this turn, and then another piece was put there.
func (v *View) stoodUp(sq legal.Square) bool {
	lift, put := v.Lifted(sq), v.Latest(sq, v.At[sq])
	return v.At[sq] != legal.NoPiece && lift != nil && put != nil && !lift.FromDump && !put.FromDump && !put.UnknownCode && lift.Window.Hi <= put.Window.Hi
}

// exchanged reports whether the pieces on these squares are the same ones, each lifted and put on the square of
// another. In Chess960 king and rook change places when they castle.
func (v *View) exchanged(placement *legal.Placement, rest uint64) bool {
	var was, is []legal.Piece
	for set := rest; set != 0; set &= set - 1 {
		sq := legal.Square(bits.TrailingZeros64(set))
		if placement[sq] == legal.NoPiece || !v.stoodUp(sq) {
			return false
		}
		was, is = append(was, placement[sq]), append(is, v.At[sq])
	}
	slices.Sort(was)
	slices.Sort(is)
	return slices.Equal(was, is) && !v.Pos.Chess960()
}

// allPushed reports whether every missing piece is beside its square, and none of them can have moved there: it is not
// a move of that piece, or it was as quick as a push and all of them are of one side.
func (v *View) allPushed(m legal.Move, placement *legal.Placement, rest uint64, quick bool) bool {
	if rest == 0 {
		return true
	}
	from := legal.NoSquare
	for set := rest; set != 0 && from == legal.NoSquare; set &= set - 1 {
		if sq := legal.Square(bits.TrailingZeros64(set)); placement[sq] != legal.NoPiece {
			from = sq
		}
	}
	if from == legal.NoSquare || v.At[from] != legal.NoPiece || v.ReportsDoubtful {
		return false
	}
	for set := rest; set != 0; set &= set - 1 {
		to := legal.Square(bits.TrailingZeros64(set))
		if placement[to] == legal.NoPiece && v.At[to] == placement[from] && play.Near(from, to) && v.mustBePush(m, from, to, quick) &&
			v.allPushed(m, placement, rest&^(1<<from|1<<to), quick) {
			return true
		}
	}
	return false
}

// oneSide reports whether the pieces that were on these squares are all of one side: no moves and replies, however
// quick, remove them.
func oneSide(placement *legal.Placement, rest uint64) bool {
	var seen [3]bool
	for set := rest; set != 0; set &= set - 1 {
		seen[placement[bits.TrailingZeros64(set)].Side()] = true
	}
	return !seen[legal.White] || !seen[legal.Black]
}

func (v *View) mustBePush(m legal.Move, from, to legal.Square, quick bool) bool {
	switch took := v.Took(transfer{From: from, To: to, Piece: v.At[to]}); {
	case took < 0:
		return false
	case quick && took <= PushUS:
		return true
	}
	after := v.Pos.After(m)
	pos, ok := TurnOf(&after, v.At[to].Side())
	if !ok {
		return false
	}
	return !play.AnyMove(&pos, func(n legal.Move) bool { return n.From() == from && n.To() == to })
}

// Standing returns the shape of squares that read otherwise than a placement has them, and stay so.
func (v *View) Standing(place *legal.Placement, set uint64) Shape {
	sq := play.Lowest(set)
	if !slices.ContainsFunc(play.SquareList(set), func(sq legal.Square) bool { return v.At[sq] != legal.NoPiece }) {
		return v.ShapeOf(kinds.Unreadable, rules.Hint, set)
	}
	s := v.ShapeOf(kinds.Displaced, rules.Hint, set)
	switch {
	case play.Count(set) > 1:
		s.Note = words.Say("saw.several")
	case place[sq] == legal.NoPiece:
		s.Note = words.Say("saw.parked", sq)
	default:
		s.Note = words.Say("saw.other_piece", v.At[sq].Kind(), sq, place[sq].Kind())
	}
	s.NameNeither()
	return s
}
