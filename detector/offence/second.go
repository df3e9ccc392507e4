package offence

import (
	"math/bits"
	"slices"

	"boardwatchd/detector/evidence"
	"boardwatchd/detector/play"
	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// A legal move was made, and a second piece is on another square: pushed to a neighbouring one (FIDE Laws 7.4), or
// moved in the same turn (1.2). Where the second piece's way is both a legal move and a push, the time it took decides
// which of the two is reported, and a slow push stays possible; where the time is unknown, there is no shape.
//
// Innocent look-alikes: castling; a move and the opponent's reply; a piece that was beside its square only before the
// press.

// PushUS is how long a piece that is pushed can be between two squares: one scan of the board, see Params.ScanUS.
const PushUS = 250_000

// JitterUS is by how much the distance between two reports on the line can exceed that between their scans.
const JitterUS = 30_000

// slowPushUS is the longest time for which a slowly pushed piece is read on neither square: a piece that is taken up
// and put down is off the board for longer.
const slowPushUS = 600_000

func seeSecondPiece(v *View) (Shape, bool) {
	var pushed, twice seconds
	var list legal.MoveList
	v.Pos.Moves(&list)
	for _, m := range list.Slice() {
		pieces := play.PlacementAfter(v.Base, m)
		if n := play.Count(play.Difference(&pieces, &v.At)); n < 2 || n > 4 {
			continue
		}
		s := secondPiece{move: m, shown: v.shownFrom(v.putLast(m), &pieces), took: -1}
		t, one := OneTransfer(&pieces, &v.At)
		one = one && PutBy(m)>>t.From&1 == 0
		if one && t.Neighbouring() && t.Victim == legal.NoPiece {
			s.push, s.took = t, v.Took(t)
			pushed.add(s)
		}
		var second bool
		if second, s.legal = v.movedTwice(&s, t, one); second {
			twice.add(s)
		}
	}
	return v.secondShape(&pushed, &twice)
}

// movedTwice reports whether the mover has made a second move after s.move, and whether that would be legal if it were
// the mover's turn again. T is the second move as a transfer, if it is one.
func (v *View) movedTwice(s *secondPiece, t transfer, one bool) (second, lawful bool) {
	next, ok := v.secondMove(s.move)
	if ok {
		t.From, t.To = next.From(), next.To()
	}
	switch {
	case one && v.mayBeTaken(s.move, t.From), (one || ok) && v.movedBetween(s.move, t.From, t.To):
		return false, false
	case ok && (PutBy(s.move)>>t.From&1 == 0 || s.shown >= 0):
		return true, true
	}
	return one && !t.Neighbouring() && v.movedAsWell(s.move, t), false
}

// mayBeTaken reports whether the opponent may have captured the piece lifted from a square: it was lifted after m, when
// the opponent may have had the turn, and the opponent can capture it there. It is then the captured piece, laid down
// before the capture is complete.
func (v *View) mayBeTaken(m legal.Move, from legal.Square) bool {
	lift, placed := v.Lifted(from), v.Latest(m.To(), v.At[m.To()])
	if lift == nil || placed == nil || lift.Window.Hi <= max(v.Press.Lo, placed.Window.Hi) {
		return false
	}
	after := v.Pos.After(m)
	return play.AnyMove(&after, func(r legal.Move) bool { return r.Victim() == from })
}

// movedBetween reports whether the opponent has put a piece on another square between m and a second move, in either
// order: the opponent has had a turn, and may have moved back since.
func (v *View) movedBetween(m legal.Move, from, to legal.Square) bool {
	return v.opponentPut(m.To(), from) || v.opponentPut(to, m.From())
}

// opponentPut reports whether the opponent has put a piece on another square after a piece came to the square to, and
// before one was lifted from the square from.
func (v *View) opponentPut(to, from legal.Square) bool {
	put, between := false, false
	for i := range v.Changes {
		switch c := &v.Changes[i]; {
		case c.Square == to && c.Is == v.At[to]:
			put = true
		case c.Square == from && c.Is == legal.NoPiece:
			if between {
				return true
			}
		case put && c.Is.Side() == v.Mover().Other() && v.Base[c.Square] != c.Is:
			between = true
		}
	}
	return false
}

// putLast returns the index of the change that last put the piece of m on its square: an earlier one was a square that
// the piece passed.
func (v *View) putLast(m legal.Move) (n int) {
	for i := range v.Changes {
		if c := &v.Changes[i]; c.Square == m.To() && c.Is == v.At[c.Square] {
			n = i
		}
	}
	return n
}

// A secondPiece is one reading of a turn in which two pieces were moved.
type secondPiece struct {
	move  legal.Move // the first, legal
	shown int64      // how long the board stayed so; -1: not seen
	push  transfer
	took  int64 // how long the push took; -1: unknown
	legal bool  // the second move would be legal if it were the mover's turn again
}

// quick reports whether the push took no longer than one scan.
func (s *secondPiece) quick() bool { return s.took >= 0 && s.took <= PushUS+JitterUS }

// Took returns how long a piece was between two squares; -1 where that is unknown.
func (v *View) Took(t transfer) int64 {
	lift, put := v.Lifted(t.From), v.Latest(t.To, t.Piece)
	if lift == nil || put == nil || lift.FromDump || put.FromDump {
		return -1
	}
	return max(put.Window.Hi-lift.Window.Hi, lift.Window.Hi-put.Window.Hi)
}

// seconds are the readings of one kind. The best is one with a quick push, or else the one that was on the board
// longest.
type seconds struct {
	best secondPiece
	n    int // readings
	tied bool
}

func (s *seconds) add(c secondPiece) {
	switch quick, was := c.quick(), s.best.quick(); {
	case s.n == 0 || quick && !was || quick == was && c.shown > s.best.shown:
		s.best, s.tied = c, false
	case quick == was && c.shown == s.best.shown:
		s.tied = true
	}
	s.n++
}

func (v *View) secondShape(pushed, twice *seconds) (Shape, bool) {
	orPushed := false
	if pushed.n > 0 && twice.n > 0 {
		if pushed.tied || pushed.n > 1 && pushed.best.shown < 0 {
			return Shape{}, false
		}
		switch took := pushed.best.took; {
		case took < 0:
			return Shape{}, false
		case pushed.best.quick():
			twice.n = 0
		default:
			pushed.n, orPushed = 0, took <= slowPushUS
		}
	}
	switch {
	case pushed.n > 0:
		s := v.ShapeOf(kinds.Displaced, rules.Strong, v.Diff)
		s.Note = words.Say("saw.beside")
		after := play.PlacementAfter(v.Base, pushed.best.move)
		if !v.inTurn(pushed.best.move, &after, pushed.best.push.squares()) {
			s.NameNeither()
		}
		return v.firstStands(s, pushed), true
	case twice.n > 0:
		return v.firstStands(v.twiceShape(&twice.best, orPushed), twice), true
	}
	return Shape{}, false
}

// twiceShape is two moves in one turn, or a piece that was moved in an unknown turn. The board proves the squares; that
// a piece beside its square was not pushed there slowly is only likely.
func (v *View) twiceShape(second *secondPiece, orPushed bool) Shape {
	switch {
	case v.endedAfterPress(second.move), v.passedBetween(second.move), v.putBeforeTurn():
		s := v.ShapeOf(kinds.Displaced, rules.Hint, v.Diff)
		s.NameNeither()
		return s
	case !second.legal:
		return v.ShapeOf(kinds.DoubleMove, rules.Strong, v.Diff)
	case orPushed:
		s := v.ShapeOf(kinds.DoubleMove, rules.Strong, v.Diff)
		s.Note = words.Say("saw.or_beside")
		return s
	}
	return v.ShapeOf(kinds.DoubleMove, rules.Certain, v.Diff)
}

// putBeforeTurn reports whether one of the pieces was put on its square before the opponent's press was reported: it may
// have been the opponent who put it there.
func (v *View) putBeforeTurn() bool {
	for set := v.Diff; set != 0; set &= set - 1 {
		if sq := play.Lowest(set); v.At[sq] != legal.NoPiece && v.Origin[sq] == v.At[sq] {
			return true
		}
	}
	return slices.ContainsFunc(v.Changes, func(c evidence.Change) bool {
		return v.Diff>>c.Square&1 != 0 && c.Is != legal.NoPiece && c.Is == v.At[c.Square] && c.Window.Hi <= v.Answered
	})
}

// pairUS is the least time in which the mover presses, the opponent presses back, and the mover has lifted the next
// piece.
const pairUS = 800_000

// passedBetween reports whether the opponent may have pressed without a move after the first of two moves, so that the
// second was made in turn: that press was reported then, or one reading of the clock may have hidden two presses.
func (v *View) passedBetween(first legal.Move) bool {
	put := v.Latest(first.To(), v.At[first.To()])
	if put == nil {
		return false
	}
	placement := play.PlacementAfter(v.Base, first)
	rest := play.Difference(&placement, &v.At)
	for i := range v.Changes {
		c := &v.Changes[i]
		if rest>>c.Square&1 == 0 || c.Is != legal.NoPiece || c.Window.Hi <= put.Window.Hi {
			continue
		}
		pressed := v.Answered > put.Window.Hi && v.Answered <= v.Press.Lo
		return pressed || c.Window.Hi-put.Window.Hi >= pairUS && (v.PressMerged || v.Unheard >= 2*pairUS)
	}
	return false
}

// endedAfterPress reports whether the second of two moves was finished by a report after that of the press: it may have
// been made in the opponent's turn, by either hand.
func (v *View) endedAfterPress(first legal.Move) bool {
	placement := play.PlacementAfter(v.Base, first)
	rest := play.Difference(&placement, &v.At)
	for i := range v.Changes {
		if c := &v.Changes[i]; rest>>c.Square&1 != 0 && c.Is == v.At[c.Square] && c.Window.Hi > v.Press.Hi && v.Press.Lo != v.Press.Hi {
			return true
		}
	}
	return false
}

// firstStands adds the position after the first move alone.
func (v *View) firstStands(s Shape, of *seconds) Shape {
	if of.tied {
		return s // it is unknown which of the two was the first
	}
	s.UCI = v.Pos.UCI(of.best.move)
	s.After, s.Stands = v.Played(of.best.move), true
	return s
}

// secondMove returns the move that leads from the position after m to the board, as if it were the same side's turn
// again.
func (v *View) secondMove(m legal.Move) (legal.Move, bool) {
	for set := v.Diff; set != 0; set &= set - 1 {
		sq := bits.TrailingZeros64(set)
		if is := v.At[sq]; is != legal.NoPiece && is.Side() != v.Mover() {
			return 0, false
		}
	}
	after := v.Pos.After(m)
	pos, ok := TurnOf(&after, v.Mover())
	if !ok {
		return 0, false
	}
	return play.OnePly(&pos, &v.At)
}

// TurnOf returns the same position with the given side to move.
func TurnOf(pos *legal.Position, s legal.Side) (legal.Position, bool) {
	setup := pos.Setup()
	setup.Turn, setup.EnPassant = s, legal.NoSquare
	p, err := setup.Standing()
	return p, err == nil
}

// movedAsWell reports whether the transfer is a move of the same side's, though not a legal one. It does not count as a
// second move where king and rook have moved, which is an attempt to castle, nor where the piece is where the first
// piece was, or captured a piece of its own side.
func (v *View) movedAsWell(m legal.Move, t transfer) bool {
	s := v.Mover()
	if t.Piece.Side() != s || t.Victim.Side() == s || t.To == m.From() {
		return false
	}
	a, b := v.Base[m.From()].Kind(), t.Piece.Kind()
	return !(a == legal.King && b == legal.Rook || a == legal.Rook && b == legal.King)
}
