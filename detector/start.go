package detector

import (
	"slices"

	"boardwatchd/detector/array"
	"boardwatchd/detector/evidence"
	"boardwatchd/detector/play"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// lookForStart opens a game when the start position is on the board, either way round. During a game it is called only
// with the clock stopped or absent; a start position that the game itself has returned to (1 Nf3 Nf6 2 Ng1 Ng8) is not
// a new game.
func (t *Tracker) lookForStart() {
	// Two pieces of the near side's pawn row decide nearly every call.
	if t.b.Live[8].Kind() != legal.Pawn || t.b.Live[51].Kind() != legal.Pawn {
		return
	}
	n, turned, ok := t.arrayShown()
	if !ok || !t.p.Chess960.Opens(n) {
		return
	}
	if t.phase == playing && !turned && (t.sameGame(n) || t.playedIdly(n)) {
		return
	}
	if due := t.b.LastAt + replayUS; t.mayBeReplayed() && t.now.At < due {
		t.quietAt = due
		return
	}
	t.endBeforeSetUp()
	t.openGame(n, turned)
}

// arrayShown returns the number of the array on the board, and whether it is there the other way round.
func (t *Tracker) arrayShown() (n int, turned, ok bool) {
	if n, ok = array.Number(&t.b.Live); !ok {
		r := play.Rotated(t.b.Live)
		n, ok = array.Number(&r)
		turned = ok
	}
	return n, turned, ok
}

// playedIdly takes back the moves from the start position n, which is on the board again, where they were no game: a
// few moves were made beside a clock that was not started.
func (t *Tracker) playedIdly(n int) bool {
	ply := t.g.last().ply
	if n != t.g.start || ply == 0 || !t.idles() || t.c.Running() || len(t.g.nodes) != ply+1 {
		return false
	}
	t.takeBack(ply)
	t.b.Clear()
	t.newGame()
	return true
}

// idles reports whether moves have been made beside a clock that was not started, few of them, or with the times of the
// game before on it: somebody shows something. That is no game, and nothing ends it.
func (t *Tracker) idles() bool {
	return t.phase == playing && t.notBegun() && !t.c.Absent() && (t.g.oldTimes || t.g.last().ply <= fewIdlePlies)
}

// fewIdlePlies is the greatest number of such plies: more are a game that is played without its clock.
const fewIdlePlies = 9

// endBeforeSetUp ends the record of a game whose pieces have been set up for the next one: a last move that the board
// showed before the clock was stopped belongs to it, the ways of the pieces to their squares do not.
func (t *Tracker) endBeforeSetUp() {
	if t.phase == playing && !t.c.Running() && !t.c.Absent() && t.g.last().by == ByPress {
		t.commitLastMove()
	}
	if t.phase == playing {
		t.dropSetUp()
	}
}

// maxOfTwoPlies is the largest number of squares that a ply and its answer change.
const maxOfTwoPlies = 8

// turnedRound reports whether the last position of the record is on the board the other way round: the board was turned
// with its pieces, or they were set up again. No play leads there so soon, so that this holds while the clock runs.
// After a gap the next move may also have been begun or made.
func (t *Tracker) turnedRound() bool {
	base := t.g.last()
	if !t.b.Known || t.pend.on || play.Count(play.Difference(&base.place, &t.b.Live)) <= maxOfTwoPlies {
		return false
	}
	r := play.Rotated(t.b.Live)
	if r == base.place || !t.sync.active || t.sync.presses > 0 {
		return r == base.place
	}
	_, made := play.OnePly(&base.pos, &r)
	return made || play.InProgressScan(&base.place, &r, base.pos.Turn())
}

// turnRound reads the squares the other way round from now on. If no move was played, the game begins anew.
func (t *Tracker) turnRound() {
	if t.atStart() {
		t.openGame(t.g.start, true)
		return
	}
	t.reversed = !t.reversed
	t.b.Rotate()
	t.b.Clear()
	t.clearDoubts()
	t.note("board_turned", words.Say("row.board_turned"))
}

// dropSetUp takes back plies that were only the pieces being set up again. Among the plies after the last press, these
// begin with the first piece that came to its own square of the start array. If more plies have no press than players
// forget in a row while a clock runs, the game had ended before them, and none of them is known.
func (t *Tracker) dropSetUp() {
	home := legal.StartSetup(max(t.g.start, 0)).Placement
	t.dropUnknownTail(&home)
	nodes := t.g.nodes
	unpressed := len(nodes)
	if t.g.last().by == ByReply {
		unpressed -= t.unpressed()
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

// alike returns the number of pieces that are on the same squares in two placements.
func alike(a, b *legal.Placement) (n int) {
	for sq, piece := range a {
		if piece != legal.NoPiece && piece == b[sq] {
			n++
		}
	}
	return n
}

// dropUnknownTail takes back, without a clock, the spans that are not known at the end of the record, and the plies
// that were read between them: pieces were taken off and set up.
func (t *Tracker) dropUnknownTail(home *legal.Placement) {
	if !t.c.Absent() {
		return
	}
	nodes := t.g.nodes
	first := len(nodes)
	for i := len(nodes) - 1; i > 0 && t.now.At-nodes[i].made <= settingUpUS; i-- {
		if nodes[i].unseen == notKnown && alike(&nodes[i].place, home) >= alike(&nodes[i-1].place, home) {
			first = i
		}
	}
	if first < len(nodes) {
		t.takeBack(len(nodes) - first)
	}
}

// unpressed returns the number of plies at the end of the record, before one that ended the game, that were not
// pressed.
func (t *Tracker) unpressed() (n int) {
	i := len(t.g.nodes) - 1
	if i > 0 && t.g.nodes[i].by == ByTerminal {
		i--
	}
	for ; i > 0 && t.g.nodes[i].by == ByReply; i-- {
		n++
	}
	return n
}

// maxForgotten is the largest number of presses that players forget in a row at the end of a game.
const maxForgotten = 3

// setUpAgain reports whether all the pieces are on the board although some were captured in this game, which no play
// leads to; or whether they are in the array from which the game began, at least two plies ago, and the next two plies
// cannot lead there.
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
	return start && n == t.g.start && base.ply > 1 && base.place != t.b.Live && !withinTwoPlies(&base.pos, &t.b.Live)
}

// withinTwoPlies reports whether a legal move, or a move and its answer, lead from a position to a board.
func withinTwoPlies(pos *legal.Position, live *legal.Placement) bool {
	return play.CanBePlies(pos, live, 1, 0) || play.CanBePlies(pos, live, 2, 0)
}

// playedBack reports whether the moves of this game led to the same board no more than two plies ago: an illegal move
// was put back, or a move by agreement.
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

// sameGame reports whether the start position on the board, array n, belongs to the game in progress.
func (t *Tracker) sameGame(n int) bool {
	base := t.g.last()
	if base.place == t.b.Live || t.playedBack() {
		return true // nothing played yet, or repeated by legal moves
	}
	if good, ok := t.beneath(); ok && good.place == t.b.Live {
		return true // the first ply was illegal, and is put right
	}
	if n != t.g.start && t.atStart() {
		return false // another array
	}
	if !t.c.Absent() {
		return false // the clock is stopped: the pieces were set up again
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
	if t.c.AgainstUS, t.c.Turned = 0, false; t.p.White != evidence.NoClockSide {
		return
	}
	t.c.SidesSettled, t.c.ExchangeGainUS, t.c.ConfirmingPresses = false, 0, 0
	t.c.DropAssumption()
	if t.c.Running() {
		t.c.Assume(t.c.Last.Up) // White has the move, so the running side is White's
	}
}

// leverAtStart judges a lever that moves while the clock is stopped. White has pressed if the board shows White's first
// move.
func (t *Tracker) leverAtStart(l evidence.Lever) {
	if t.phase != playing || !t.atStart() || t.boardUnknown() {
		return
	}
	base := t.g.last()
	if _, ok := play.OnePly(&base.pos, &t.b.Live); ok {
		t.c.Assume(l.Pressed)
	}
}

// resumed judges a clock that starts to run: at the start of the game, or at the end of a pause or an adjournment.
func (t *Tracker) resumed() {
	switch {
	case t.phase == over:
		switch {
		case t.beginWrong() || t.beginUnread():
		case t.nearlyStart():
			t.joinNext()
		default:
			t.reopen()
		}
	case t.phase == idle:
		if !t.beginWrong() {
			t.beginUnread()
		}
	case t.boardUnknown():
		// it is unknown what the board reads
	case t.setUpWithErrors():
		if !t.beginWrong() && !t.beginUnread() {
			t.endBeforeSetUp()
			t.joinNext()
		}
	case t.atStart():
		t.startOfClock()
	default:
		t.pauseOver(t.c.Turn())
	}
}

// startOfClock judges the start of the clock when a start array has been seen and no move is in the record. The pieces
// may have been set up otherwise since.
func (t *Tracker) startOfClock() {
	if t.beginWrong() {
		return
	}
	if !t.liesOnItsSide() {
		t.dropArray()
	}
	if !t.dropStart() {
		t.firstTurn()
	}
}

// dropStart gives up a start position that was seen before the clock was started, if its pieces have been set up
// otherwise since: an unknown game is then joined at its first press. It reports whether it did so.
func (t *Tracker) dropStart() bool {
	base, live := t.g.last(), &t.b.Live
	if !t.notStarted() || base.place == *live || t.now.At-t.b.LastAt < evidence.StoodUS {
		return false
	}
	if _, unread := readsEmpty(&base.place, live); unread || alike(&base.place, live) == pieces(&base.place) || play.InProgressScan(&base.place, live, legal.White) || withinTwoPlies(&base.pos, live) {
		return false
	}
	for d := 3; d <= play.MaxLost; d++ {
		if r, ok := t.bestRow(&base.pos, d); ok && r.seen {
			return false // the players have begun, and the clock was forgotten
		}
	}
	t.joinNext()
	return true
}

// joinNext leaves the record to the game that is joined at the next press.
func (t *Tracker) joinNext() {
	t.phase, t.join, t.pend, t.line = idle, joining{}, pending{}, nil
	t.b.Clear()
}

// setUpWithErrors reports whether the pieces of a game have been set up for another one, in an array with an error or
// with squares that read empty. No moves of the game lead there.
func (t *Tracker) setUpWithErrors() bool {
	if t.phase != playing || t.atStart() || t.c.Absent() || !t.b.Known {
		return false
	}
	base := t.g.last()
	if play.Count(play.Difference(&base.place, &t.b.Live)) <= maxOfTwoPlies {
		return false
	}
	if k := t.g.earlier(&t.b.Live, legal.NoSide); k > 0 && t.g.nodes[len(t.g.nodes)-1-k].ply > 0 {
		return false
	}
	_, _, wrong := t.arrayFault()
	return wrong || t.nearlyStart()
}

// nearlyStart reports whether the board shows the orthodox array, either way round, but for a few squares that read
// empty or have other pieces on them.
func (t *Tracker) nearlyStart() bool {
	home, turned := array.Orthodox(), play.Rotated(t.b.Live)
	for _, p := range t.b.Live[16:48] {
		if p != legal.NoPiece {
			return false
		}
	}
	return max(alike(&home, &t.b.Live), alike(&home, &turned)) >= pieces(&home)-maxUnread
}

// firstTurn assumes White's side of the clock: the side whose time is started first.
func (t *Tracker) firstTurn() {
	base := t.g.last()
	switch {
	case base.place == t.b.Live || play.InProgressScan(&base.place, &t.b.Live, legal.White) && !t.whiteHasMoved() || t.startToldLate():
		// Nothing has moved, White's piece is still in the hand, or it was lifted after the start.
		t.c.Assume(t.c.Last.Up)
	case t.whiteHasMoved():
		t.c.Assume(t.c.Last.Up.Other()) // the move came before: Black's time was started
	case t.c.Turn() != legal.Black:
		t.c.DropAssumption()
	}
}

// startToldLate reports whether White's first move may have been begun after the clock was started: a clock reports its
// start up to a second late.
func (t *Tracker) startToldLate() bool {
	return len(t.b.Changes) > 0 && t.b.Changes[0].Window.Hi >= t.now.At-t.p.ClockLagUS
}

// movedSinceStart reports whether White may have begun the first move after the clock was started and before that was
// reported.
func (t *Tracker) movedSinceStart() bool {
	return t.startToldLate() && t.b.Changes[0].Of(legal.White)
}

// whiteHasMoved reports whether the board shows White's first move.
func (t *Tracker) whiteHasMoved() bool {
	pos := t.g.pos()
	_, moved := play.OnePly(&pos, &t.b.Live)
	return moved
}

// foundRunning judges a clock that runs at its first reading, after a connect or after it was plugged in. That is a
// state, not an event of this moment: the lever may have been pressed since.
func (t *Tracker) foundRunning(l evidence.Lever) {
	switch {
	case t.phase == playing && t.sync.active:
		// the dump and the lever together show what was missed
	case t.phase == playing && t.atStart() && t.c.White != evidence.NoClockSide:
		// White's side was learnt before
	case t.phase == playing && l.WasDisconnected && !t.boardUnknown():
		t.clockIsBack(l)
	default:
		t.resumed()
	}
}

// reopen withdraws a proposed result when the clock runs on and the board is as it was: there was no signal. A mate or
// stalemate is withdrawn only where its piece was not read (promoted.go), and a result that a person entered only by a
// person.
func (t *Tracker) reopen() {
	p := t.g.proved
	if p.By == "mate" || p.By == "stalemate" || p.By == "arbiter" || len(t.g.nodes) == 0 || t.g.last().place != t.b.Live {
		return
	}
	t.takeResultBack()
	t.b.Clear()
}

// takeResultBack withdraws a proposed result: the game is not over.
func (t *Tracker) takeResultBack() {
	p := t.g.proved
	t.phase, t.playedOnBy = playing, 0
	if p.By == "mate" || p.By == "stalemate" {
		t.endFinding.Note = words.Say("withdrawn.game_on")
	}
	t.endTakenBack()
	p.Stamp, p.State = t.now, Withdrawn
	t.g.proved = Result{}
	t.emit(p)
}
