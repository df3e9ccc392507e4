package detector

import (
	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// This file looks at the board between presses: when the clock is stopped, when a flag falls, when all is quiet.

// clockTurns tells what the clock does around the moves: stopped, started, set.
func (t *Tracker) clockTurns(l lever) {
	if t.phase == idle || !t.c.valid {
		return
	}
	switch {
	case !l.running && l.wasRunning:
		t.stopped = true
		t.lookAt = t.now.At + t.p.LateUS
	case l.running && !l.wasRunning && l.known:
		t.look()
		t.runSince = t.now.At
		t.turn(ClockStarted, t.c.turn())
	case l.flipped && !l.running && !l.wasRunning:
		t.look()
		t.turn(LeverMoved, t.c.turn())
	case l.edited:
		t.emit(Turn{
			Stamp: t.now, Game: t.games, What: ClockEdited, Side: t.c.turn(), Clock: t.c.times(), Before: t.c.named(l.before),
			Gained: -1,
		})
	}
	if t.lookAt == 0 && len(t.newFlags()) > 0 {
		t.lookAt = t.now.At + t.p.LateUS
	}
}

// newFlags are the players whose time is used up, and it has not been told.
func (t *Tracker) newFlags() (list []legal.Side) {
	white, black := t.c.flags()
	if white && !t.flagTold[legal.White] {
		list = append(list, legal.White)
	}
	if black && !t.flagTold[legal.Black] {
		list = append(list, legal.Black)
	}
	return list
}

// look is what a stop or a flag asks for, once the reports that belong to before it are in.
func (t *Tracker) look() {
	t.lookAt = 0
	t.lookForFlags()
	stopped := t.stopped
	t.stopped = false
	if !stopped {
		return
	}
	t.lookAround()
	t.tellBehind()
	t.lookOutOfTurn()
	t.lookAtPassed()
	if t.phase == playing && !t.c.running() {
		base := t.g.last()
		if _, leads := onePly(&base.pos, &t.b.live); !leads && !t.pairAtStop() {
			t.lookForStart() // set up while the clock of the last game still ran
		}
	}
	t.emit(Turn{
		Stamp: t.now, Game: t.games, What: ClockStopped, Side: t.c.turn(), Clock: t.c.times(), Gained: -1,
		Promoting: t.promoting(),
	})
}

// pairAtStop commits two plies that stand on the board when the clock has been stopped: nobody has pressed for them, or
// their presses were taken for those of the plies before.
func (t *Tracker) pairAtStop() bool {
	base := t.g.last()
	if base.wrong.open() || t.c.turn() != base.pos.Turn() || t.held || t.pend.on || t.doubtful() {
		return false
	}
	r, ok := t.bestRow(&base.pos, 2)
	if !ok || len(r.also) > 0 {
		return false
	}
	t.commitRow(r.moves, ByTerminal)
	return true
}

// promoting says that a pawn has come to the last rank and its piece does not stand there.
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
		if t.b.live[legal.SquareOf(f, last)] == pawn {
			return true
		}
		sq := legal.SquareOf(f, before)
		if base.place[sq] == pawn && t.b.live[sq] == legal.NoPiece {
			return true
		}
	}
	return false
}

// lookAround tells the opponent's move after something wrong as soon as it is made: the window of FIDE Laws A.5.2
// closes then, and not at the press.
func (t *Tracker) lookAround() {
	if t.phase != playing || t.held {
		return
	}
	t.promoted()
	top := t.g.last()
	if top.wrong.open() && !t.replyTold {
		if _, ok := onePly(&top.pos, &t.b.live); ok {
			t.replyTold = true
			t.turn(MadeReply, top.pos.Turn())
		}
	}
	t.tellAdjusted()
}

// lookOutOfTurn looks, when the clock has been stopped, for a piece of the side that does not have the move on another
// square. Kings on their way to the centre tell a result and nothing else.
func (t *Tracker) lookOutOfTurn() {
	if t.phase != playing || t.held || t.pend.on || t.doubtful() || t.waits() || !t.trusted(t.now.At) {
		return
	}
	base := t.g.last()
	if base.place == t.b.live || t.g.earlier(&t.b.live, legal.NoSide) > 0 || base.wrong.on || t.c.turn() != base.pos.Turn() {
		return
	}
	v := t.view(len(t.b.changes))
	v.final = true
	sh, _ := t.recognise(&v)
	if sh.kind != kinds.OutOfTurn || sh.side != base.pos.Turn().Other() || t.reportedAfterStop() || t.kingOn(sh.squares) {
		return
	}
	sh.proof = rules.Strong
	t.fault = fault{side: sh.side, ply: base.ply}
	t.outOfTurn = t.found(&sh, &v)
	t.openFinding(t.outOfTurn)
}

// withdrawOutOfTurn withdraws what was found about pieces moved out of turn: moves were taken back by agreement, or the
// game is over and the players show each other what might have been.
func (t *Tracker) withdrawOutOfTurn() {
	t.withdraw(&t.outOfTurn, words.Say("withdrawn.taken_back"))
}

// lookForFlags tells a flag, unless the move that stands on the board has ended the game (FIDE Laws 5.1.1, 6.8).
func (t *Tracker) lookForFlags() {
	if t.phase != playing || t.held {
		return
	}
	for _, s := range t.newFlags() {
		t.flagTold[s] = true
		if t.flagFell(s); t.phase != playing {
			return
		}
	}
}

func (t *Tracker) flagFell(s legal.Side) {
	base := t.g.last()
	v := t.view(len(t.b.changes))
	sh := shape{kind: kinds.FlagFallen, proof: rules.Certain, permille: 1000, side: s, stands: true, after: base.pos.Setup()}
	if m, ok := onePly(&base.pos, &t.b.live); ok {
		if t.endsGame(m) {
			t.commit(m, ByTerminal, -1)
			return
		}
		after := base.pos.After(m)
		sh.after = after.Setup() // made, and not pressed: it counts for what can still happen
	}
	f := t.found(&sh, &v)
	f.Clock = rules.Clocks(t.c.times())
	f.Completed = false
	t.openCertain(f)
	if t.flagTold[s.Other()] {
		both := sh
		both.kind = kinds.BothFlags
		both.side = legal.NoSide
		f := t.found(&both, &v)
		f.Clock = rules.Clocks(t.c.times())
		t.openCertain(f)
	}
}

// lookForTouch tells that the opponent has touched one of his own pieces (FIDE Laws 4.8).
func (t *Tracker) lookForTouch() {
	n := len(t.b.changes)
	turn := t.g.last().pos.Turn()
	if n == 0 || t.b.changes[n-1].was.Side() != turn || t.b.changes[n-1].is != legal.NoPiece {
		return
	}
	t.hinted = false
	t.turn(TouchedOwn, turn)
}

// tellEnd tells how the game ended, as a finding.
func (t *Tracker) tellEnd(result, by string) {
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
	t.tellFact(kind, result)
}

// tellFact tells what the committed position itself shows.
func (t *Tracker) tellFact(kind kinds.Kind, note string) {
	base := t.g.last()
	v := t.view(len(t.b.changes))
	sh := shape{kind: kind, proof: rules.Certain, permille: 1000, stands: true, after: base.pos.Setup(), note: words.Verbatim(note)}
	if kind == kinds.Checkmate || kind == kinds.Stalemate {
		sh.side = base.pos.Turn().Other()
	}
	f := t.found(&sh, &v)
	f.Ply = base.ply
	f.Evidence = []Seq{t.now.Seq}
	f.ID = findingID(t.now.Seq, kind)
	if kind == kinds.ResultSignal {
		t.endTakenBack()
	}
	if kind == kinds.ResultSignal || kind == kinds.Checkmate || kind == kinds.Stalemate {
		t.ended = f
	}
	t.openCertain(f)
}

// endTakenBack withdraws what was told of the end of the game.
func (t *Tracker) endTakenBack() {
	if t.ended.ID == "" {
		return
	}
	t.ended.Stamp, t.ended.State = t.now, rules.Withdrawn
	t.emit(t.ended)
	t.ended = Found{}
}

// reportedAfterStop says that the last change was reported after the clock was stopped: it may have been made when the
// game had ended.
func (t *Tracker) reportedAfterStop() bool {
	n := len(t.b.changes)
	return n > 0 && t.b.changes[n-1].win.Hi > t.c.stopped
}

func (t *Tracker) kingOn(set uint64) bool {
	for ; set != 0; set &= set - 1 {
		if t.b.live[lowest(set)].Kind() == legal.King {
			return true
		}
	}
	return false
}
