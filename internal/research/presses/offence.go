package presses

import (
	"strings"

	"boardwatchd/rules/legal"
)

// Kinds of offences that no transfer of a piece describes.
const (
	displaced       = "irreg.displaced"
	pressBeforeDone = "irreg.press_before_done"
)

// offenceWeights is how often each kind is tried first; where the position does not allow it, another one is drawn.
var offenceWeights = []struct {
	kind   string
	weight int64
}{
	{legal.IllegalNoMove, 12}, {legal.IllegalPromoIncomplete, 150}, {legal.IllegalKnight, 10}, {legal.IllegalBishop, 10},
	{legal.IllegalRook, 10}, {legal.IllegalQueen, 8}, {legal.IllegalPawn, 8}, {legal.IllegalKing, 4},
	{legal.IllegalJump, 6}, {legal.IllegalOwnCapture, 3}, {legal.IllegalExposesKing, 60}, {legal.IllegalLeftInCheck, 100},
	{legal.IllegalKingIntoCheck, 30}, {legal.IllegalCastleRightLost, 80}, {legal.IllegalCastleOutOfCheck, 80},
	{legal.IllegalCastleThroughCheck, 80}, {legal.IllegalCastleIntoCheck, 80}, {displaced, 10}, {pressBeforeDone, 10},
}

// misdeed is an offence that is possible in the position.
type misdeed struct {
	kind     string
	from, to legal.Square // the transfer; for a displaced piece, where it goes
	move     legal.Move   // the legal move it goes with, if any
}

// offend makes the player commit an offence and press. It is false, and nothing has happened, if none was found.
func (p *planner) offend(start int64, t tempo) bool {
	d, ok := p.misdeed()
	if !ok || d.kind == pressBeforeDone && p.clock.at >= start {
		return false
	}
	mover, before, pos := p.pos.Turn(), p.board, p.pos
	first, placed := max(start, p.lastAct+ms), start
	uci := "0000"
	switch d.kind {
	case legal.IllegalNoMove:
		if square, ok := p.any(mover); ok && p.r.chance(30, 100) {
			placed = p.touch(start, square, p.r.skewed(t.grip)+100*ms, "put back and pressed")
		}
	case legal.IllegalPromoIncomplete:
		uci = d.from.String() + d.to.String()
		if p.r.chance(20, 100) { // the pawn is taken off and nothing is put in its place
			if victim := d.move.Victim(); victim != legal.NoSquare {
				start = p.lift(start, victim) + p.r.skewed(t.reach)
			}
			placed = p.lift(start, d.from)
		} else {
			placed = p.carry(start, d.from, d.to, d.move.Victim(), p.board[d.from], t)
		}
	case displaced:
		uci = pos.UCI(d.move)
		_, placed = p.perform(d.move, start, t)
		piece := p.board[d.from]
		placed = p.lift(placed+p.r.between(50*ms, 400*ms), d.from)
		placed = p.put(placed+p.r.between(30*ms, 300*ms), d.to, piece)
	case pressBeforeDone:
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
	if d.kind == pressBeforeDone {
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

// transfer plays an illegal move; castling with its rook.
func (p *planner) transfer(d misdeed, start int64, t tempo) int64 {
	victim := legal.NoSquare
	if p.board[d.to] != legal.NoPiece {
		victim = d.to
	}
	placed := p.carry(start, d.from, d.to, victim, p.board[d.from], t)
	if strings.HasPrefix(d.kind, "illegal.castle") {
		rookFrom, rookTo := legal.SquareOf(7, d.to.Rank()), legal.SquareOf(5, d.to.Rank())
		if d.to.File() < 4 {
			rookFrom, rookTo = legal.SquareOf(0, d.to.Rank()), legal.SquareOf(3, d.to.Rank())
		}
		placed = p.carry(placed+p.r.skewed(t.reach), rookFrom, rookTo, legal.NoSquare, p.board[rookFrom], t)
	}
	return placed
}

// resolve is what follows: play goes on from what stands on the board, or somebody stops the clock and puts it right.
func (p *planner) resolve(o *Offence, d misdeed, before legal.Placement, pos legal.Position) {
	if d.kind == pressBeforeDone {
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
	case d.kind == displaced:
		p.pos = pos.After(d.move)
		target = p.pos.Setup().Placement
	case d.kind == legal.IllegalPromoIncomplete && p.r.chance(60, 100):
		p.pos = pos.After(d.move)
		target = p.pos.Setup().Placement
		o.Outcome = Completed
	}
	o.DoneAt = p.set(o.StopAt+p.r.between(2*sec, 10*sec), target)
	if d.kind == legal.IllegalNoMove {
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

// playOn takes what stands on the board for the position, the opponent to move; false if there is no play from it.
func (p *planner) playOn(d misdeed, pos legal.Position) bool {
	setup := pos.Setup()
	if d.kind == displaced {
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
	next, err := setup.Standing()
	if err != nil || next.Outcome() != legal.Ongoing {
		return false
	}
	p.pos = next
	return true
}
