package presses

import (
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

// offenceWeights are the frequencies with which each kind is tried first; if the position does not allow it, another
// one is drawn.
var offenceWeights = []struct {
	kind   kinds.Kind
	weight int64
}{
	{kinds.IllegalNoMove, 12}, {kinds.IllegalPromoIncomplete, 150}, {kinds.IllegalKnight, 10}, {kinds.IllegalBishop, 10},
	{kinds.IllegalRook, 10}, {kinds.IllegalQueen, 8}, {kinds.IllegalPawn, 8}, {kinds.IllegalKing, 4},
	{kinds.IllegalJump, 6}, {kinds.IllegalOwnCapture, 3}, {kinds.IllegalExposesKing, 60}, {kinds.IllegalLeftInCheck, 100},
	{kinds.IllegalKingIntoCheck, 30}, {kinds.IllegalCastleRightLost, 80}, {kinds.IllegalCastleOutOfCheck, 80},
	{kinds.IllegalCastleThroughCheck, 80}, {kinds.IllegalCastleIntoCheck, 80}, {kinds.Displaced, 10}, {kinds.PressBeforeDone, 10},
}

// possibleOffence can be committed in the position.
type possibleOffence struct {
	kind     kinds.Kind
	from, to legal.Square // the transfer; for kinds.Displaced, the target of the piece
	move     legal.Move   // the accompanying legal move, if any
}

// offend makes the player commit an offence and press. It returns false, without any effect, if none was found.
func (p *planner) offend(start int64, t tempo) bool {
	d, ok := p.drawOffence()
	if !ok || d.kind == kinds.PressBeforeDone && p.clock.at >= start {
		return false
	}
	mover, before, pos := p.pos.Turn(), p.board, p.pos
	first, placed := max(start, p.lastAct+ms), start
	uci := "0000"
	switch d.kind {
	case kinds.IllegalNoMove:
		if square, ok := p.anySquare(mover); ok && p.r.chance(30, 100) {
			placed = p.touch(start, square, p.r.skewed(t.grip)+100*ms, "put back and pressed")
		}
	case kinds.IllegalPromoIncomplete:
		uci = d.from.String() + d.to.String()
		if p.r.chance(20, 100) { // the pawn is removed and not replaced
			if victim := d.move.Victim(); victim != legal.NoSquare {
				start = p.lift(start, victim) + p.r.skewed(t.reach)
			}
			placed = p.lift(start, d.from)
		} else {
			placed = p.carry(start, d.from, d.to, d.move.Victim(), p.board[d.from], t)
		}
	case kinds.Displaced:
		uci = pos.UCI(d.move)
		_, placed = p.perform(d.move, start, t)
		piece := p.board[d.from]
		placed = p.lift(placed+p.r.between(50*ms, 400*ms), d.from)
		placed = p.put(placed+p.r.between(30*ms, 300*ms), d.to, piece)
	case kinds.PressBeforeDone:
		uci = pos.UCI(d.move)
		first, placed = p.perform(d.move, start, t)
	default:
		uci = d.from.String() + d.to.String()
		placed = p.transfer(d, start, t)
	}
	n := len(p.truth.Plies)
	p.truth.Plies = append(p.truth.Plies, Ply{
		Side: mover, UCI: uci, FirstTouch: first, Placed: placed,
		Press: -1, Offence: len(p.truth.Offences), Scramble: p.scramble > 0,
	})
	at := placed + p.r.skewed(t.press)
	if d.kind == kinds.PressBeforeDone {
		at = placed - p.r.between(30*ms, max(min(placed-first, 400*ms), 31*ms))
	}
	press := p.push(mover, n, at, EndOfPly)
	p.class(n, Pressed, press)
	o := Offence{
		Ply: n, Side: mover, Kind: d.kind, PressAt: p.truth.Plies[n].PressAt, AfterPair: p.pair,
		Outcome: PlayedOn, Standing: p.board.String(),
	}
	p.base = max(o.PressAt, placed)
	p.resolve(&o, d, before, pos)
	p.truth.Offences = append(p.truth.Offences, o)
	p.truth.Plies[n].After = p.pos.FEN()
	return true
}

// transfer plays an illegal move; castling includes the rook.
func (p *planner) transfer(d possibleOffence, start int64, t tempo) int64 {
	victim := legal.NoSquare
	if p.board[d.to] != legal.NoPiece {
		victim = d.to
	}
	placed := p.carry(start, d.from, d.to, victim, p.board[d.from], t)
	if d.kind.Row().Castling {
		rookFrom, rookTo := legal.SquareOf(7, d.to.Rank()), legal.SquareOf(5, d.to.Rank())
		if d.to.File() < 4 {
			rookFrom, rookTo = legal.SquareOf(0, d.to.Rank()), legal.SquareOf(3, d.to.Rank())
		}
		placed = p.carry(placed+p.r.skewed(t.reach), rookFrom, rookTo, legal.NoSquare, p.board[rookFrom], t)
	}
	return placed
}

// resolve plans the consequence: play continues from the position on the board, or a player stops the clock and it is
// corrected.
func (p *planner) resolve(o *Offence, d possibleOffence, before legal.Placement, pos legal.Position) {
	if d.kind == kinds.PressBeforeDone {
		p.pos = pos.After(d.move)
		return
	}
	if !p.r.chance(p.o.RestorePercent, 100) && p.playOn(d, pos) {
		return
	}
	o.Outcome, o.StopAt = Restored, max(p.base, p.clock.at)+p.r.between(800*ms, 6*sec)
	if p.clock.flag != legal.NoSide {
		o.StopAt = p.clock.at
	}
	p.stop(o.StopAt, "an offence")
	target := before
	p.pos = pos
	switch {
	case d.kind == kinds.Displaced:
		p.pos = pos.After(d.move)
		target = p.pos.Setup().Placement
	case d.kind == kinds.IllegalPromoIncomplete && p.r.chance(60, 100):
		p.pos = pos.After(d.move)
		target = p.pos.Setup().Placement
		o.Outcome = Completed
	}
	o.DoneAt = p.set(o.StopAt+p.r.between(2*sec, 10*sec), target)
	if d.kind == kinds.IllegalNoMove {
		o.DoneAt = o.StopAt
	}
	at := max(o.DoneAt, o.StopAt) + p.r.between(sec, 10*sec)
	if p.clock.flag == legal.NoSide && p.r.chance(30, 100) { // FIDE Laws 7.5.5: two minutes for the opponent
		p.clock.add(at, o.Side.Other(), 120*sec)
		at += p.r.between(sec, 4*sec)
	}
	wrong := p.clock.turn != p.pos.Turn() && p.clock.flag == legal.NoSide
	if wrong && p.r.chance(70, 100) {
		p.push(o.Side.Other(), -1, at, InPause)
		p.truth.Stops[len(p.truth.Stops)-1].LeverMoved = true
		wrong = false
	}
	p.base = p.resume(at+p.r.between(500*ms, 3*sec)) + p.r.between(300*ms, 2*sec)
	if wrong {
		n := p.push(o.Side.Other(), -1, p.clock.at+p.r.between(300*ms, 2*sec), Correction)
		p.base = max(p.base, p.truth.Presses[n].At)
	}
}

// playOn takes the placement on the board as the position, with the opponent to move; it returns false if play cannot
// continue from it.
func (p *planner) playOn(d possibleOffence, pos legal.Position) bool {
	setup := pos.Setup()
	if d.kind == kinds.Displaced {
		after := pos.After(d.move)
		setup = after.Setup()
	} else {
		setup.Turn = setup.Turn.Other()
		setup.HalfMoves = 0
		if setup.Turn == legal.White {
			setup.FullMoves++
		}
	}
	setup.Placement, setup.EnPassant = p.board, legal.NoSquare
	for side, rank := range map[legal.Side]int{legal.White: 0, legal.Black: 7} {
		if p.board[legal.SquareOf(4, rank)] != legal.PieceOf(side, legal.King) {
			setup.Castling = setup.Castling.Without(side) // a king elsewhere on its rank would be one of Chess960
		}
	}
	next, err := setup.Standing()
	if err != nil || next.Outcome() != legal.Ongoing {
		return false
	}
	p.pos = next
	return true
}
