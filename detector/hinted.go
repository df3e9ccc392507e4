package detector

import (
	"boardwatchd/detector/array"
	"boardwatchd/detector/evidence"
	"boardwatchd/detector/hint"
	"boardwatchd/detector/offence"
	"boardwatchd/detector/play"
	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// reportHints reports what the turn that ends in the legal move m suggests about touch-move and the like. It is called
// before the history of the turn is dropped; at is the number of changes that led to the placement after m, or -1 for
// all. Two hands that are reported as a suspicion are not reported as a hint as well.
func (t *Tracker) reportHints(m legal.Move, by CommittedBy, at int, suspected bool) {
	t.hintOpen = false
	if at < 0 {
		at = len(t.b.Changes)
	}
	if at <= 2 && m.Promotion() == legal.NoKind || t.b.HistoryIncomplete || by == ByReply {
		return // nothing but the move itself, or not the whole of it
	}
	v := t.view(at)
	if v.At != play.PlacementAfter(t.g.last().place, m) {
		return
	}
	if by == ByPress {
		v.Press.Lo -= t.p.ClockLagUS
	}
	for _, sh := range hint.InTurn(&v, m) {
		if suspected && sh.Kind == kinds.IllegalTwoHands {
			continue
		}
		f := t.newFinding(&sh, &v)
		f.UCI = v.Pos.UCI(m)
		t.openCertain(f)
		t.hintOpen = true
	}
}

// reportAdjusted reports a piece that was lifted and put back in the other player's time.
func (t *Tracker) reportAdjusted() {
	if !t.c.Running() {
		return
	}
	v := t.view(len(t.b.Changes))
	for _, sh := range hint.OffTurn(&v) {
		if t.turn.adjustedPieces&sh.Squares != 0 {
			continue
		}
		t.turn.adjustedPieces |= sh.Squares
		t.openCertain(t.newFinding(&sh, &v))
	}
}

// beforeStart reports whether the set-up may still change: no game is on, or its clock has not been started.
func (t *Tracker) beforeStart() bool {
	return t.phase != playing || t.notStarted() || t.setUpWithErrors()
}

// checkInitialArray looks, before a game, for a start position with an error, or for a board that lies on its side.
func (t *Tracker) checkInitialArray() {
	if !t.beforeStart() || !t.b.Known {
		return
	}
	sh, _, ok := t.arrayFault()
	if !ok {
		if !t.liesOnItsSide() {
			t.dropArray()
		}
		return
	}
	if t.array.Kind == sh.Kind && t.array.Case.At == t.b.Live {
		if t.array.State == rules.Suspected {
			t.confirmArray()
		}
		return
	}
	t.dropArray()
	v := offence.View{Pos: &legal.Position{}, At: t.b.Live, Now: t.now.At}
	t.array = Found{Stamp: t.now, Window: evidence.Window{Lo: t.b.LastAt, Hi: t.now.At}, Evidence: []evidence.Seq{t.now.Seq}}
	t.array.Case = rules.Case{
		ID: findingID(t.now.Seq, sh.Kind), Kind: sh.Kind, Game: t.games + 1, State: rules.Suspected, Proof: rules.Certain,
		Permille: sh.Permille, Squares: play.SquareList(sh.Squares), At: v.At, Note: sh.Note, Gained: -1,
	}
	t.emit(t.array)
	t.wantDump = true
	t.quietAt = t.now.At + arrayUS - t.p.QuietUS
}

// arrayFault returns the error of the set-up on the board, and the position that a game would begin with.
func (t *Tracker) arrayFault() (offence.Shape, legal.Setup, bool) {
	for _, turned := range [...]bool{false, true} {
		p := t.b.Live
		if turned {
			p = play.Rotated(p)
		}
		if squares, setup, ok := array.Wrong(&p, t.p.Chess960); ok {
			if turned {
				squares = reversedSet(squares)
			}
			sh := offence.Shape{Kind: kinds.WrongArray, Permille: 1000, Squares: squares}
			return sh, setup, true
		}
	}
	if _, ok := array.QuarterTurned(&t.b.Live); ok {
		return offence.Shape{Kind: kinds.BoardRotated, Permille: 1000}, legal.Setup{}, true
	}
	return offence.Shape{}, legal.Setup{}, false
}

// liesOnItsSide reports whether a board that was found turned by 90 degrees has not been set right: the two sides still
// face each other along the ranks.
func (t *Tracker) liesOnItsSide() bool {
	if t.array.Kind != kinds.BoardRotated {
		return false
	}
	across, along := apart(&t.b.Live, legal.Square.File), apart(&t.b.Live, legal.Square.Rank)
	return across*across > along*along
}

// apart returns the distance between the middles of the two sides, times the number of the pieces of each.
func apart(p *legal.Placement, where func(legal.Square) int) int {
	var pieces, sum [3]int
	for sq, piece := range p {
		pieces[piece.Side()]++
		sum[piece.Side()] += where(legal.Square(sq))
	}
	return sum[legal.White]*pieces[legal.Black] - sum[legal.Black]*pieces[legal.White]
}

func reversedSet(set uint64) (r uint64) {
	for ; set != 0; set &= set - 1 {
		r |= 1 << (63 - play.Lowest(set))
	}
	return r
}

// confirmArray makes the suspicion certain: the board has stayed so, or the clock has been started on it.
func (t *Tracker) confirmArray() {
	t.array.Stamp, t.array.State = t.now, rules.Confirmed
	t.emit(t.array)
}

// dropArray withdraws the finding: the pieces have been set right.
func (t *Tracker) dropArray() {
	if t.array.ID == "" {
		return
	}
	t.array.Stamp, t.array.State, t.array.Note = t.now, rules.Withdrawn, words.Say("withdrawn.set_right")
	t.emit(t.array)
	t.array = Found{}
}

// beginWrong opens a game on a start position with an error, because its clock has been started: it is played, and the
// consequences are for the arbiter (FIDE Laws 7.2.1, A.5.1.2). The game has only the castling rights of kings and rooks
// on their orthodox squares.
func (t *Tracker) beginWrong() bool {
	if !t.beforeStart() || !t.b.Known {
		return false
	}
	sh, setup, ok := t.arrayFault()
	if !ok {
		return false
	}
	pos, err := setup.Standing()
	if sh.Kind == kinds.WrongArray && err != nil {
		return false
	}
	if t.array.ID == "" {
		t.checkInitialArray()
	}
	if t.array.State == rules.Suspected {
		t.confirmArray()
	}
	if sh.Kind != kinds.WrongArray {
		return false // no game can be followed on a board that lies on its side
	}
	if pos.Placement() != t.b.Live {
		t.reversed = !t.reversed
		t.b.Rotate()
	}
	t.array = Found{}
	t.endBeforeSetUp()
	t.begin(pos, noArray, 0)
	t.forgetSides()
	t.emit(GameStarted{Stamp: t.now, Game: t.games, FEN: pos.FEN(), Start: -1, Reversed: t.reversed})
	return true
}

// noArray is the number of a start position that is not among the 960.
const noArray = 960
