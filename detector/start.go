package detector

import (
	"slices"

	"boardwatchd/detector/array"
	"boardwatchd/detector/evidence"
	"boardwatchd/detector/play"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// lookForStart opens a game when the start position stands on the board, either way round. While a game is in
// progress it is only asked with the clock stopped or absent; a start position that the game itself leads back to
// (1 Nf3 Nf6 2 Ng1 Ng8) is not a new game.
func (t *Tracker) lookForStart() {
	// Two pieces of the near side's pawn row decide nearly every call.
	if t.b.Live[8].Kind() != legal.Pawn || t.b.Live[51].Kind() != legal.Pawn {
		return
	}
	turned := false
	n, ok := array.Number(&t.b.Live)
	if !ok {
		r := play.Rotated(t.b.Live)
		if n, ok = array.Number(&r); !ok {
			return
		}
		turned = true
	}
	if !t.p.Chess960.Opens(n) {
		return
	}
	if t.phase == playing && !turned && t.sameGame(n) {
		return
	}
	t.endBeforeSetUp()
	t.openGame(n, turned)
}

// endBeforeSetUp ends the record of a game whose pieces have been set up for the next one: a last move that stood there before the
// clock was stopped belongs to it, the journeys of the pieces to their squares do not.
func (t *Tracker) endBeforeSetUp() {
	if t.phase == playing && !t.c.Running() && !t.c.Absent() && t.g.last().by == ByPress {
		t.commitLastMove()
	}
	if t.phase == playing {
		t.dropSetUp()
	}
}

// maxOfTwoPlies is how many squares a ply and the answer change at most.
const maxOfTwoPlies = 8

// turnedRound says that what the record ends with stands the other way round: the board was turned, with its pieces or
// by setting them up again. No play leads there so soon, so that the clock may run. After a gap the next move may have
// been begun or made by then.
func (t *Tracker) turnedRound() bool {
	base := t.g.last()
	if !t.b.Known || t.pend.on || play.Count(play.Difference(&base.place, &t.b.Live)) <= maxOfTwoPlies {
		return false
	}
	r := play.Rotated(t.b.Live)
	if r == base.place || !t.sync.on || t.sync.presses > 0 {
		return r == base.place
	}
	_, made := play.OnePly(&base.pos, &r)
	return made || play.InProgressScan(&base.place, &r, base.pos.Turn())
}

// turnRound reads the squares the other way round from now on. Where nothing was played the game begins anew.
func (t *Tracker) turnRound() {
	if t.atStart() {
		t.openGame(t.g.start, true)
		return
	}
	t.reversed = !t.reversed
	t.b.Rotate()
	t.b.Clear()
	t.settled()
	t.note("board_turned", words.Say("row.board_turned"))
}

// dropSetUp takes back what was read as plies while the pieces were set up again: after the last press, from the first
// piece on that came to a square of the start array on which such a piece stands there. Where more plies have no press
// than players forget in a row while a clock runs, the game had ended, and of these plies none is known.
func (t *Tracker) dropSetUp() {
	home := legal.StartSetup(max(t.g.start, 0)).Placement
	nodes := t.g.nodes
	unpressed := len(nodes)
	for unpressed > 1 && nodes[unpressed-1].by == ByReply {
		unpressed--
	}
	if len(nodes)-unpressed > maxForgotten && nodes[unpressed].clock.Known {
		t.takeBack(len(nodes) - unpressed)
		t.endNotKnown()
		return
	}
	for i := unpressed; i < len(nodes); i++ {
		was, is := &nodes[i-1].place, &nodes[i].place
		for sq, piece := range is {
			if piece != legal.NoPiece && piece != was[sq] && piece == home[sq] {
				t.takeBack(len(nodes) - i)
				return
			}
		}
	}
}

// maxForgotten is how many presses in a row are forgotten up to a game's end.
const maxForgotten = 3

// setUpAgain says that all the pieces stand on the board, though some were captured in this game: nobody plays back to
// that. Or they stand in the array that the game was begun from, at least two plies ago, and the next two plies do not
// lead there.
func (t *Tracker) setUpAgain() bool {
	base := t.g.last()
	if pieces(&t.b.Live) < 32 {
		return false
	}
	if pieces(&base.place) < 32 {
		return true
	}
	if t.playedBack() {
		return false
	}
	n, start := array.Number(&t.b.Live)
	return start && n == t.g.start && base.ply > 1 && base.place != t.b.Live && !play.CanBePlies(&base.pos, &t.b.Live, 1, 0) && !play.CanBePlies(&base.pos, &t.b.Live, 2, 0)
}

// playedBack says that moves of this game had led back to what stands on the board not more than two plies ago: an illegal
// move or an agreed one was put back.
func (t *Tracker) playedBack() bool {
	nodes := t.g.nodes[max(len(t.g.nodes)-3, 0):]
	return slices.ContainsFunc(nodes, func(n node) bool { return n.ply > 0 && !n.wrong.on && n.place == t.b.Live })
}

func pieces(p *legal.Placement) (n int) {
	for _, piece := range p {
		if piece != legal.NoPiece {
			n++
		}
	}
	return n
}

// sameGame says that the start position on the board, array n, belongs to the game in progress.
func (t *Tracker) sameGame(n int) bool {
	base := t.g.last()
	if base.place == t.b.Live || t.playedBack() {
		return true // nothing played yet, or repeated by legal moves
	}
	if n != t.g.start && t.atStart() {
		return false // another array
	}
	if !t.c.Absent() {
		return false // the clock stands still: the pieces were set up again
	}
	if _, ok := play.OnePly(&base.pos, &t.b.Live); ok {
		return true
	}
	return t.atStart()
}

func (t *Tracker) openGame(n int, turned bool) {
	if turned {
		t.reversed = !t.reversed
		t.b.Rotate()
	}
	setup := legal.StartSetup(n)
	pos, err := setup.Position()
	if err != nil {
		panic("detector: internal error: start position refused: " + err.Error())
	}
	t.dropArray()
	t.begin(pos, n, 0)
	t.forgetSides()
	t.emit(GameStarted{Stamp: t.now, Game: t.games, FEN: setup.FEN(), Start: n, Reversed: t.reversed})
}

// forgetSides makes White's side of the clock an assumption again: players and clocks change places between games.
func (t *Tracker) forgetSides() {
	if t.c.Against, t.c.Turned = 0, false; t.p.White != evidence.NoClockSide {
		return
	}
	t.c.Fixed, t.c.Lean, t.c.Agreed = false, 0, 0
	t.c.DropAssumption()
	if t.c.Running() {
		t.c.Assume(t.c.Last.Up) // White has the move, so the running side is White's
	}
}

// leverAtStart is a lever that is moved while the clock stands. White has pressed if his first move stands there.
func (t *Tracker) leverAtStart(l evidence.Lever) {
	if t.phase != playing || !t.atStart() || t.waits() {
		return
	}
	base := t.g.last()
	if _, ok := play.OnePly(&base.pos, &t.b.Live); ok {
		t.c.Assume(l.Pressed)
	}
}

// resumed is a clock that starts to run: the start of the game, the end of a pause or of an adjournment.
func (t *Tracker) resumed() {
	switch {
	case t.phase == over:
		if !t.beginWrong() && !t.beginUnread() {
			t.reopen()
		}
	case t.phase == idle:
		if !t.beginWrong() {
			t.beginUnread()
		}
	case t.waits():
		// what the board reads is not known
	case t.beginWrong() || t.setUpAnew() && t.beginUnread():
		// the next game
	case t.atStart():
		if !t.liesOnItsSide() {
			t.dropArray()
		}
		if !t.dropStart() {
			t.firstTurn()
		}
	default:
		t.pauseOver(t.c.Turn())
	}
}

// dropStart gives up a start position that was seen before the clock was started, where the pieces were set up otherwise since: a
// game that nothing is known of is joined at its first press. It reports whether that is so.
func (t *Tracker) dropStart() bool {
	base, live := t.g.last(), &t.b.Live
	if t.g.started || base.place == *live || t.now.At-t.b.LastAt < evidence.StoodUS {
		return false
	}
	if _, unread := readsEmpty(&base.place, live); unread || play.InProgressScan(&base.place, live, legal.White) || play.CanBePlies(&base.pos, live, 1, 0) || play.CanBePlies(&base.pos, live, 2, 0) {
		return false
	}
	t.phase, t.join = idle, joining{}
	t.b.Clear()
	return true
}

// setUpAnew reports whether the pieces of a game have been set up for another one, in an array with an error
// or with squares that read empty. No moves of the game lead there.
func (t *Tracker) setUpAnew() bool {
	if t.phase != playing || t.atStart() || t.c.Absent() || !t.b.Known {
		return false
	}
	base := t.g.last()
	if play.Count(play.Difference(&base.place, &t.b.Live)) <= maxOfTwoPlies || t.g.earlier(&t.b.Live, legal.NoSide) > 0 {
		return false
	}
	_, _, wrong := t.arrayFault()
	return wrong || t.unreadStart()
}

// firstTurn takes the side whose time is started first for White's.
func (t *Tracker) firstTurn() {
	base := t.g.last()
	switch {
	case base.place == t.b.Live || play.InProgressScan(&base.place, &t.b.Live, legal.White) && !t.whiteHasMoved() || t.startToldLate():
		t.c.Assume(t.c.Last.Up) // nothing stands elsewhere, White's piece is still in the air, or it was lifted after the start
	case t.whiteHasMoved():
		t.c.Assume(t.c.Last.Up.Other()) // before: it is Black's time that was started
	case t.c.Turn() != legal.Black:
		t.c.DropAssumption()
	}
}

// startToldLate reports whether White's first move may have been begun after the clock was started: a clock tells its
// start up to a second late.
func (t *Tracker) startToldLate() bool {
	return len(t.b.Changes) > 0 && t.b.Changes[0].Window.Hi >= t.now.At-t.p.ClockLagUS
}

// movedSinceStart reports whether White may have begun his first move after the clock was started, before its start was
// told.
func (t *Tracker) movedSinceStart() bool {
	return t.startToldLate() && t.b.Changes[0].Of(legal.White)
}

// paused says that since the last move the clock was started on another board than that move left, perhaps put right by
// the arbiter.
func (t *Tracker) paused() bool { return t.turn.pausedAs != legal.Placement{} }

// pauseOver explains the board on which the clock was started again.
func (t *Tracker) pauseOver(turn legal.Side) {
	t.sidesAfterPause(turn)
	if t.putRightInPause(turn) {
		return
	}
	live := &t.b.Live
	if good, ok := t.beneath(); ok && good.place == *live {
		if good.pos.Turn() == turn {
			t.takeBack(1)
		}
		return // else the lever is still to be put right
	}
	if t.restoredWithErrors(turn) {
		t.takeBack(1)
	}
	base := t.g.last()
	if base.place == *live || turn == legal.NoSide {
		t.turnGiven(turn)
		return
	}
	t.turn.pausedAs = *live
	if t.sync.unknown {
		t.unsettle(turn)
		return
	}
	if m, ok := play.OnePly(&base.pos, live); ok {
		if turn != base.pos.Turn() {
			t.commit(m, ByPress, -1) // the lever was moved while the clock stood: that completes it
		}
		return // else made, and not pressed yet
	}
	if k := t.g.earlier(live, turn); k > 0 {
		t.takeBack(k)
		return
	}
	if t.putBackAndPlayed(turn) || t.playedInPause(turn) {
		return
	}
	t.lose() // the position may have been set up or corrected in the pause
	t.unsettle(turn)
}

// turnGiven notes that the time of the player was started who does not have the move, and no piece stands elsewhere: the
// arbiter may have given it to him, or the lever is still to be put right.
func (t *Tracker) turnGiven(turn legal.Side) {
	if pos := t.g.pos(); turn == pos.Turn().Other() && !t.alt.on {
		t.mayPlayOnFrom(t.b.Live, turn, 1)
	}
}

// putBackAndPlayed takes moves back where the position before them has stood on the board in the pause, and the player whose
// time was started has made his move since: a clock tells its start late.
func (t *Tracker) putBackAndPlayed(turn legal.Side) bool {
	for k := 1; k <= mostPutBack && k < len(t.g.nodes); k++ {
		n := &t.g.nodes[len(t.g.nodes)-1-k]
		_, played := play.OnePly(&n.pos, &t.b.Live)
		if changes := t.b.Seen(&n.place); played && n.pos.Turn() == turn && changes > 0 && t.b.Stood(changes) >= evidence.StoodUS {
			t.takeBackTo(k, changes)
			return true
		}
	}
	return false
}

// mostPutBack is how many plies of the record are looked through for that.
const mostPutBack = 4

// playedInPause commits plies that were made while the clock stood and nobody minded: the board has shown one after the
// other, and the turn is that of the player whose time was started.
func (t *Tracker) playedInPause(turn legal.Side) bool {
	steps := t.shownOnBoard(t.now.At)
	if len(steps) == 0 || slices.ContainsFunc(steps, func(s play.Step) bool { return s.Broken }) {
		return false
	}
	pos := steps[len(steps)-1].After
	m, ok := play.OnePly(&pos, &t.b.Live)
	if !ok || pos.Turn() != turn.Other() {
		return false
	}
	t.commitSteps(steps)
	t.commit(m, ByReply, -1)
	return true
}

// whiteHasMoved says that the board shows White's first move.
func (t *Tracker) whiteHasMoved() bool {
	pos := t.g.pos()
	_, moved := play.OnePly(&pos, &t.b.Live)
	return moved
}

// unsettle says that the board was changed while nobody judged, and that the record does not explain how: nothing is
// said against anybody until a move has been made from what stands now (laws notes 5.3).
func (t *Tracker) unsettle(turn legal.Side) {
	t.trust.unsure = true
	if turn == legal.NoSide {
		return
	}
	presses := 0
	if pos := t.g.pos(); pos.Turn() != turn {
		presses = 1
	}
	t.mayPlayOnFrom(t.b.Live, turn, max(t.alt.presses, presses))
}

// foundRunning is a clock whose first reading, after a connect or after it was plugged in, says that it runs. That is a
// state and nothing that happened just now: the lever may have been pressed since.
func (t *Tracker) foundRunning(l evidence.Lever) {
	switch {
	case t.phase == playing && t.sync.on:
		// the dump and the lever together tell what was missed
	case t.phase == playing && t.atStart() && t.c.White != evidence.NoClockSide:
		// White's side was learnt before
	case t.phase == playing && l.Out && !t.waits():
		t.clockIsBack(l)
	default:
		t.resumed()
	}
}

// reopen takes a proposed result back when the clock runs on and the board stands as it was: the signal was none.
// A mate or stalemate is taken back only where its piece was not read: promoted.go. What a person has entered, a person
// takes back.
func (t *Tracker) reopen() {
	p := t.g.proved
	if p.By == "mate" || p.By == "stalemate" || p.By == "arbiter" || len(t.g.nodes) == 0 || t.g.last().place != t.b.Live {
		return
	}
	t.takeResultBack()
	t.b.Clear()
}

// takeResultBack ends a proposed result: the game is not over.
func (t *Tracker) takeResultBack() {
	p := t.g.proved
	t.phase, t.playedOnBy = playing, 0
	if p.By == "mate" || p.By == "stalemate" {
		t.ended.Note = words.Say("withdrawn.game_on")
	}
	t.endTakenBack()
	p.Stamp, p.State = t.now, Withdrawn
	t.g.proved = Result{}
	t.emit(p)
}
