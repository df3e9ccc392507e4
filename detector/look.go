package detector

import (
	"boardwatchd/detector/evidence"
	"boardwatchd/detector/offence"
	"boardwatchd/detector/play"
	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
	"slices"
)

// This file looks at the board between presses: when the clock is stopped, when a flag falls, when all is quiet.

// clockTurns reports what happens to the clock besides presses: stopped, started, set.
func (t *Tracker) clockTurns(l evidence.Lever) {
	if t.phase == idle || !t.c.Valid {
		return
	}
	if l.Edited {
		t.g.timesSet, t.g.oldTimes = true, false
	}
	if t.turnedInStop() {
		return // the lever was put so that the same player's time runs
	}
	switch {
	case !l.Running && l.WasRunning:
		t.stopped = true
		t.lookAt = t.now.At + t.p.LateUS
	case l.Running && !l.WasRunning && l.Known:
		t.look()
		t.lookForNextGame()
		t.nextGameBegun()
		t.clockStartedAt = t.now.At
		t.reportTurn(ClockStarted, t.c.Turn())
	case l.Flipped && !l.Running && !l.WasRunning:
		t.look()
		t.reportTurn(LeverMoved, t.c.Turn())
	case l.Edited:
		t.emit(Turn{
			Stamp: t.now, Game: t.games, What: ClockEdited, Side: t.c.Turn(), Clock: t.c.Times(), Before: t.c.Named(l.Before),
			Gained: -1,
		})
		t.lookForNextGame()
	}
	t.awaitFlags()
}

// awaitFlags plans a look at the board where a flag has fallen.
func (t *Tracker) awaitFlags() {
	if t.lookAt == 0 && len(t.newFlags()) > 0 {
		t.lookAt = t.now.At + t.p.LateUS
	}
}

// newFlags returns the players whose time is used up and whose flag has not been reported.
func (t *Tracker) newFlags() (list []legal.Side) {
	white, black := t.c.Flags()
	if white && !t.flagTold[legal.White] {
		list = append(list, legal.White)
	}
	if black && !t.flagTold[legal.Black] {
		list = append(list, legal.Black)
	}
	return list
}

// look does what a stop or a flag requires, once the reports that belong to before it have come.
func (t *Tracker) look() {
	t.lookAt = 0
	t.lookForFlags()
	stopped := t.stopped
	t.stopped = false
	if !stopped {
		return
	}
	t.lookAround()
	t.reportBehind()
	t.lookOutOfTurn()
	t.reportNullPressAtStop()
	if t.phase == playing && !t.c.Running() {
		base := t.g.last()
		if _, leads := play.OnePly(&base.pos, &t.b.Live); !leads && !t.pairAtStop() {
			t.lookForStart() // set up while the clock of the last game still ran
		}
	}
	t.emit(Turn{
		Stamp: t.now, Game: t.games, What: ClockStopped, Side: t.c.Turn(), Clock: t.c.Times(), Gained: -1,
		Promoting: t.promoting(), NotStarted: t.notStarted(),
	})
}

// pairAtStop commits two plies that the board shows when the clock has been stopped: they were not pressed, or their
// presses counted for the plies before.
func (t *Tracker) pairAtStop() bool {
	base := t.g.last()
	if base.wrong.open() || t.c.Turn() != base.pos.Turn() || t.judgementPaused || t.pend.on || t.doubtful() {
		return false
	}
	r, ok := t.bestRow(&base.pos, 2)
	if !ok || len(r.also) > 0 {
		return false
	}
	t.commitRow(r.moves, ByTerminal)
	return true
}

// promoting reports whether a pawn has come to the last rank and its new piece is not there yet.
func (t *Tracker) promoting() bool {
	if t.phase != playing {
		return false
	}
	base := t.g.last()
	s := base.pos.Turn()
	last, before := 7, 6
	if s == legal.Black {
		last, before = 0, 1
	}
	pawn := legal.PieceOf(s, legal.Pawn)
	for f := 0; f < 8; f++ {
		if t.b.Live[legal.SquareOf(f, last)] == pawn {
			return true
		}
		sq := legal.SquareOf(f, before)
		if base.place[sq] == pawn && t.b.Live[sq] == legal.NoPiece {
			return true
		}
	}
	return false
}

// lookAround reports the opponent's move after an illegal one as soon as it is made: the window of FIDE Laws A.5.2
// closes then, and not at the press.
func (t *Tracker) lookAround() {
	if t.phase != playing || t.judgementPaused {
		return
	}
	t.promoted()
	top := t.g.last()
	if top.wrong.open() && !t.turn.replyReported {
		if _, ok := play.OnePly(&top.pos, &t.b.Live); ok {
			t.turn.replyReported = true
			t.reportTurn(MadeReply, top.pos.Turn())
		}
	}
	t.reportAdjusted()
}

// lookOutOfTurn looks, when the clock has been stopped, for a piece of the side that does not have the move on another
// square. Kings on their way to the centre only signal a result.
func (t *Tracker) lookOutOfTurn() {
	if t.phase != playing || t.judgementPaused || t.pend.on || t.doubtful() || t.boardUnknown() || !t.trusted(t.now.At) {
		return
	}
	base := t.g.last()
	if base.place == t.b.Live || t.g.earlier(&t.b.Live, legal.NoSide) > 0 || base.wrong.on || t.c.Turn() != base.pos.Turn() {
		return
	}
	v := t.view(len(t.b.Changes))
	v.Final = true
	sh, _ := t.recognise(&v)
	if sh.Kind != kinds.OutOfTurn || sh.Side != base.pos.Turn().Other() || t.reportedAfterStop() || t.kingOn(sh.Squares) {
		return
	}
	sh.Proof = rules.Strong
	t.fault = fault{side: sh.Side, ply: base.ply}
	t.turn.outOfTurn = t.newFinding(&sh, &v)
	t.openFinding(t.turn.outOfTurn)
}

// withdrawOutOfTurn withdraws a finding about pieces moved out of turn: moves were taken back by agreement, or the game
// is over and the players show each other variations.
func (t *Tracker) withdrawOutOfTurn() {
	t.withdraw(&t.turn.outOfTurn, words.Say("withdrawn.taken_back"))
}

// lookForFlags reports a flag, unless the move on the board has ended the game (FIDE Laws 5.1.1, 6.8).
func (t *Tracker) lookForFlags() {
	if t.phase != playing || t.judgementPaused {
		return
	}
	for _, s := range t.newFlags() {
		t.flagTold[s] = true
		if t.notStarted() {
			continue
		}
		if t.flagFell(s); t.phase != playing {
			return
		}
	}
}

// notStarted reports whether the pieces have been set up and the clock has not been started since. A running clock then
// counts the time of the game before.
func (t *Tracker) notStarted() bool { return t.atStart() && t.notBegun() }

// notBegun reports whether the clock was not started for the game that was set up from a start array.
func (t *Tracker) notBegun() bool { return t.g.start >= 0 && !t.g.started }

func (t *Tracker) flagFell(s legal.Side) {
	base := t.g.last()
	v := t.view(len(t.b.Changes))
	sh := offence.Shape{Kind: kinds.FlagFallen, Proof: rules.Certain, Permille: 1000, Side: s, Stands: true, After: base.pos.Setup()}
	if t.c.Turned {
		sh.Proof, sh.Permille = rules.Strong, offence.StrongPermille // it may be the other player's
	}
	if m, ok := play.OnePly(&base.pos, &t.b.Live); ok {
		if t.endsGame(m) {
			t.commit(m, ByTerminal, -1)
			return
		}
		after := base.pos.After(m)
		sh.After = after.Setup() // made and not pressed: it counts for what can still happen
	}
	f := t.newFinding(&sh, &v)
	f.Clock = rules.Clocks(t.c.Times())
	f.Completed, f.Cleared = false, t.cleared()
	t.openCertain(f)
	if t.flagTold[s.Other()] {
		both := sh
		both.Kind = kinds.BothFlags
		both.Side = legal.NoSide
		f := t.newFinding(&both, &v)
		f.Clock, f.Cleared = rules.Clocks(t.c.Times()), t.cleared()
		t.openCertain(f)
	}
}

// lookForTouch reports that the opponent has touched a piece of their own (FIDE Laws 4.8).
func (t *Tracker) lookForTouch() {
	n := len(t.b.Changes)
	turn := t.g.last().pos.Turn()
	if n == 0 || t.b.Changes[n-1].Was.Side() != turn || t.b.Changes[n-1].Is != legal.NoPiece {
		return
	}
	t.hintOpen = false
	t.reportTurn(TouchedOwn, turn)
}

// reportEnd reports how the game ended, as a finding.
func (t *Tracker) reportEnd(result, by string) {
	var kind kinds.Kind
	switch by {
	case "mate":
		kind = kinds.Checkmate
	case "stalemate":
		kind = kinds.Stalemate
	case "kings":
		kind = kinds.ResultSignal
	default:
		return
	}
	t.reportFact(kind, result)
}

// reportFact reports what the committed position itself shows.
func (t *Tracker) reportFact(kind kinds.Kind, note string) {
	base := t.g.last()
	v := t.view(len(t.b.Changes))
	sh := offence.Shape{Kind: kind, Proof: rules.Certain, Permille: 1000, Stands: true, After: base.pos.Setup(), Note: words.Verbatim(note)}
	if kind == kinds.Checkmate || kind == kinds.Stalemate {
		sh.Side = base.pos.Turn().Other()
	}
	if t.notWithPiece(kind) || (kind == kinds.Checkmate || kind == kinds.Stalemate) && t.unpressed() > 0 && base.clock.Known {
		sh.Proof, sh.Permille = rules.Strong, offence.StrongPermille
	}
	f := t.newFinding(&sh, &v)
	f.Ply = base.ply
	f.Evidence = []evidence.Seq{t.now.Seq}
	f.ID = findingID(t.now.Seq, kind)
	if kind == kinds.ResultSignal {
		t.endTakenBack()
	}
	if kind == kinds.ResultSignal || kind == kinds.Checkmate || kind == kinds.Stalemate {
		t.endFinding = f
	}
	t.openCertain(f)
}

// notWithPiece reports whether the game would not have ended with a piece that disappeared in plies that are not known:
// it may be on a square that reads empty. For mate and stalemate it must be a piece of the player to move.
func (t *Tracker) notWithPiece(kind kinds.Kind) bool {
	base := t.g.last()
	_, gone := t.notSeen()
	switch kind {
	case kinds.Dead:
		return len(gone) > 0
	case kinds.Checkmate, kinds.Stalemate:
	default:
		return false
	}
	return slices.ContainsFunc(gone, func(p legal.Piece) bool { return p.Side() == base.pos.Turn() && t.ongoingWith(p) })
}

// ongoingWith reports whether there is a legal move with such an additional piece on some square.
func (t *Tracker) ongoingWith(p legal.Piece) bool {
	base := t.g.last()
	for sq := legal.A1; sq < legal.NoSquare; sq++ {
		if base.place[sq] != legal.NoPiece {
			continue
		}
		place := base.place
		place[sq] = p
		if pos, ok := t.standing(&base.pos, place, base.pos.Turn()); ok && pos.Outcome() == legal.Ongoing {
			return true
		}
	}
	return false
}

// endTakenBack withdraws the finding of the game's end.
func (t *Tracker) endTakenBack() {
	if t.endFinding.ID == "" {
		return
	}
	t.endFinding.Stamp, t.endFinding.State = t.now, rules.Withdrawn
	t.emit(t.endFinding)
	t.endFinding = Found{}
}

// reportedAfterStop reports whether the last change was reported after the clock was stopped: it may have been made
// when the game had ended.
func (t *Tracker) reportedAfterStop() bool {
	n := len(t.b.Changes)
	return n > 0 && t.b.Changes[n-1].Window.Hi > t.c.Stopped
}

func (t *Tracker) kingOn(set uint64) bool {
	for ; set != 0; set &= set - 1 {
		if t.b.Live[play.Lowest(set)].Kind() == legal.King {
			return true
		}
	}
	return false
}
