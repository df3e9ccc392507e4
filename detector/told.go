package detector

import (
	"slices"

	"boardwatchd/detector/evidence"
	"boardwatchd/detector/offence"
	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// This file records what a person enters: the position of a game, its result, a pause of judgement.

// Seated keeps White's side of the board and of the clock from the journal before this one: players and clock have not
// moved.
func (t *Tracker) Seated(reversed bool, white evidence.ClockSide) {
	if reversed != t.reversed {
		t.reversed = reversed
		t.b.Rotate()
	}
	t.c.Settle(white)
}

// SetPosition opens a game at a position: an adjourned game, or a case that is played through. The board may show it
// already or be set up later.
func (t *Tracker) SetPosition(st evidence.Stamp, pos legal.Position) {
	t.now = st
	t.dropArray()
	ply := 2 * (pos.FullMoves() - 1)
	if pos.Turn() == legal.Black {
		ply++
	}
	t.begin(pos, -1, ply)
	if t.c.Running() {
		up := t.c.Last.Up
		if pos.Turn() == legal.Black {
			up = up.Other()
		}
		t.c.Assume(up)
	}
	start := -1
	if pos.Chess960() {
		start = noArray
	}
	t.emit(GameStarted{Stamp: t.now, Game: t.games, FEN: pos.FEN(), Start: start, Reversed: t.reversed})
	t.wantDump = true
}

// begin opens the record of a new game at a position, with the number of its array and the plies played before.
func (t *Tracker) begin(pos legal.Position, start, ply int) {
	if t.phase == playing && t.playUnseen() {
		t.endNotKnown()
	}
	t.b.Clear()
	t.games++
	t.phase = playing
	t.g.open(pos, start, ply)
	t.g.started = t.games == 1 && t.c.Running() // else it may run since the game before
	t.newGame()
	if t.follower != nil {
		t.beginToFollow()
	}
	t.clearDoubts()
	t.kingsAt, t.pieceAt, t.join = 0, 0, joining{}
	t.sync.active = false
}

// newGame drops the state of the game before.
func (t *Tracker) newGame() {
	t.await, t.fault, t.flagTold, t.hintOpen, t.drawsTold, t.kingsSaid = nil, fault{}, [3]bool{}, false, drawsTold{}, false
	t.lastNullPress, t.endFinding, t.turn.outOfTurn, t.unexplainedPress = Found{}, Found{}, Found{}, Found{}
	t.trust, t.judgementPaused, t.playedOnBy = trust{}, false, 0
	t.lookAt, t.stopped, t.line, t.sync.gapPastFromPly = 0, false, nil, 0
	t.pace = 0
	if !t.c.Running() {
		t.clockStartedAt = 0
	}
	t.holesUnread, t.lastPlyOpen = false, false
	t.hands.newGame()
	t.resumeHands(words.Say("row.hands_next_game")) // the questions about the last game can no longer be answered
	for i := range t.b.Readings {
		t.b.Readings[i] = evidence.Reading{}
	}
	t.b.CountedUnread = 0
}

// Conclude ends the game with a result that a person enters.
func (t *Tracker) Conclude(st evidence.Stamp, result string) {
	t.now = st
	if t.phase != playing || result != "1-0" && result != "0-1" && result != "1/2-1/2" {
		return
	}
	for t.pend.on {
		t.giveUp() // a press just before belongs to the game
		t.nextPress()
	}
	t.Look(st)
	if t.phase == playing {
		t.commitLastMove()
	}
	if t.phase == playing {
		t.sync.resultEntered = t.boardUnknown()
		t.end(result, "arbiter")
	}
}

// playedBeforeEnd reports plies at the end as not known, where a person entered the result during a gap and the first
// dump after it shows that plies were played.
func (t *Tracker) playedBeforeEnd() {
	if was := t.sync.resultEntered; was && t.phase == over && t.showsPlies() {
		t.endNotKnown()
	}
	t.sync.resultEntered = false
}

// GoOn withdraws the result: it was entered at the wrong board, or read from pieces that were no signal. Moves made
// meanwhile are found as after a pause. It reports whether there was a result to withdraw.
func (t *Tracker) GoOn(st evidence.Stamp) bool {
	t.now = st
	if t.phase != over {
		return false
	}
	t.takeResultBack()
	t.note("result_taken_back", words.Say("row.result_taken_back"))
	t.watchAgain()
	return true
}

// playedOnPresses is the number of presses, with pieces moved, that show that a game goes on after its result was
// entered: a single press may be a hand on the lever while the players talk.
const playedOnPresses = 2

// playedOn counts a press after a result that a person entered, and reports that the players have gone on.
func (t *Tracker) playedOn() {
	if p := t.g.proved; p.By != "arbiter" || t.g.last().place == t.b.Live {
		return
	}
	if t.playedOnBy++; t.playedOnBy == playedOnPresses {
		t.note("played_on", words.Say("row.played_on", t.g.proved.Result))
	}
}

// Look makes the look that is due after a stop of the clock or a flag happen at once: a person at the board is about to
// enter something.
func (t *Tracker) Look(st evidence.Stamp) {
	t.now = st
	if t.lookAt != 0 {
		t.look()
	}
}

// PutBack records the arbiter's word that the last good position has been set up again.
func (t *Tracker) PutBack(st evidence.Stamp) {
	t.now = st
	t.wantDump = true
	if good, ok := t.beneath(); ok && good.place == t.b.Live {
		t.takeBack(1)
	}
}

// Moving reports whether the side has the move and has begun or made it without pressing.
func (t *Tracker) Moving(s legal.Side) bool {
	if t.phase != playing {
		return false
	}
	base := t.g.last()
	return base.pos.Turn() == s && base.place != t.b.Live
}

// Hold stops all judgement, or resumes it with a fresh look at the board.
func (t *Tracker) Hold(st evidence.Stamp, on bool) {
	t.now = st
	if t.judgementPaused == on {
		return
	}
	t.judgementPaused = on
	if !on && t.phase == playing {
		t.watchAgain()
	}
}

// watchAgain resumes a game after judgement was off: the board shows what has been played.
func (t *Tracker) watchAgain() {
	if t.g.last().place != t.b.Live {
		t.noteLoss()
		t.noteUnexplainedBoard(t.c.Turn())
	}
}

// Held reports whether judgement is off.
func (t *Tracker) Held() bool { return t.judgementPaused }

// Times returns what the clock shows, by player.
func (t *Tracker) Times() evidence.Times { return t.c.Times() }

// Face returns the last reading of a connected clock, by its own sides.
func (t *Tracker) Face() (evidence.ClockReading, bool) { return t.c.Last, t.c.Valid }

// Running returns whose time runs, and when the clock was last read.
func (t *Tracker) Running() (legal.Side, int64) {
	if !t.c.Running() {
		return legal.NoSide, t.c.ReadAt
	}
	return t.c.Turn(), t.c.ReadAt
}

// earlierUnknown reports whether positions since the last capture or pawn move may be missing from the record: plies
// are not known, the line was cut, or the game was joined after that move.
func (t *Tracker) earlierUnknown() bool {
	base := t.g.last()
	first := base.ply - base.pos.HalfMoves()
	cut := t.sync.gapPastFromPly > 0 && t.sync.gapPastFromPly-gapPlies >= first
	return cut || t.join.told && t.g.nodes[0].ply >= first ||
		slices.ContainsFunc(t.g.nodes, func(n node) bool { return n.ply >= first && n.unseen != 0 })
}

// Claim evaluates a claim of a draw, draw3 or draw50 (FIDE Laws 9.2, 9.3). The player must have the move
// and not have made one on the board (9.4).
func (t *Tracker) Claim(st evidence.Stamp, what string, side legal.Side) {
	t.now = st
	if t.phase != playing || what != "draw3" && what != "draw50" || len(t.g.nodes) == 0 {
		return
	}
	base := t.g.last()
	c := claims(t.g.nodes)
	holds, by, kind := c.threefold, c.threefoldBy, kinds.Threefold
	if what == "draw50" {
		holds, by, kind = c.fifty, c.fiftyBy, kinds.Fifty
	}
	note := words.Say("claim.by_position")
	switch {
	case side != base.pos.Turn():
		holds, note = false, words.Say("claim.not_to_move")
	case base.place != t.b.Live:
		holds, note = false, words.Say("claim.moved_already")
	case !holds && by != legal.NoMove:
		holds, note = true, words.Say(rules.OnlyByMove, base.pos.SAN(by))
	case !holds && t.earlierUnknown():
		t.note("claim_noted", words.Say("row.claim_not_known"))
		return
	case !holds:
		note = words.Say("claim.by_nothing")
	}
	if !holds {
		kind = kinds.ClaimIncorrect
	}
	v := t.view(len(t.b.Changes))
	sh := offence.Shape{Kind: kind, Proof: rules.Certain, Permille: 1000, Side: side, Note: note, Stands: true, After: base.pos.Setup()}
	f := t.newFinding(&sh, &v)
	f.Evidence = []evidence.Seq{t.now.Seq}
	f.ID = findingID(t.now.Seq, kind)
	t.openCertain(f)
}
