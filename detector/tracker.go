package detector

import (
	"slices"

	"boardwatchd/detector/evidence"
	"boardwatchd/detector/play"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// phase is the stage of the game on the board.
type phase uint8

const (
	_       phase = iota
	idle          // no game is known
	playing       // moves are judged
	over          // a result was proposed; nothing is judged until the next start position (reconstruction row 75)
)

// A Tracker follows one board through its games. The zero value is not usable; see New and the package comment for
// the caller's loop. It is not safe for concurrent use.
type Tracker struct {
	p     Params
	b     evidence.Board
	c     evidence.Clock
	g     game
	phase phase

	reversed bool // White sits at the far side: squares are turned as soon as they are reported
	games    int

	turn  inTurn // reset by every move
	trust trust  // how far the record can be trusted

	pend pending   // the press that the board does not explain yet
	line []waiting // presses that came after it and wait for it
	alt  branch    // the board at a press that was never explained: the game may go on from it
	sync resync
	join joining

	twiceAt  int64          // when presses were last reported of which one reading showed two
	mergedAt int64          // when a reading of the clock may have merged two presses, since the last commit; 0: never
	follower *play.Follower // without a clock: the inference over the play since the last move of the record; else nil

	playedOnBy      int      // presses with pieces moved, since a person entered the result
	pressedAt       int64    // when the last move was committed by its press; 0: it was not
	judgedAt        int64    // when the press that was judged last was reported
	judgedOf        [3]int64 // the same for the last press of each player
	reported        [8]int64 // delays between plies and the reports of their presses, latest first; 0: unknown
	lateReportUntil int64    // until this time a press may still be reported for a ply whose press counted as forgotten
	pace            int64    // how long the players take for a ply, roughly
	turnPressedAt   int64    // when the press of the last move was reported; 0: none was

	quietAt, kingsAt, mismatchAt int64  // deadlines; 0: none
	mismatchNoted                bool   // a mismatch is noted and not yet resolved
	piece                        string // the result that a special piece signals; it is proposed at pieceAt
	pieceAt                      int64

	pressGainedSec    int            // seconds that the press under judgement added to the presser's time
	pressClock        evidence.Times // the times that it showed
	pressSeq          evidence.Seq
	clockStartedAt    int64     // when the clock was last started, by its button or by its lever while it was stopped
	leverSeen         bool      // a reading after that press confirms the lever
	await             []awaited // findings that must still be confirmed
	fault             fault
	dumpsAfterPresses int       // dumps that came soon after a press: in a recording they show that a program asked for them
	unexplainedPress  Found     // an unexplained press that was reported since the last move
	lastNullPress     Found     // the last press without a move
	pressedBackAt     int64     // when a press without a move was last pressed back at once; 0: never
	endFinding        Found     // the finding of the game's end
	judgementPaused   bool      // a person has paused judgement: nothing is judged
	hintOpen          bool      // a case is open that ends when the opponent touches a piece (FIDE Laws 4.8)
	array             Found     // a start position with an error, before the game
	drawsTold         drawsTold // the automatic draws already reported
	kingsSaid         bool      // the kings' signal after a person's result has been reported
	lookAt            int64     // when to compare the board with the record, after a stop or a fallen flag
	stopped           bool      // that look reports a stop
	flagTold          [3]bool
	holesUnread       bool       // plies of the record were not seen, and the board's log has not been requested for them
	lastPlyOpen       bool       // the board shows the last ply of such a row, which is not committed yet
	openPly           legal.Move // that ply
	openAfter         int        // the ply of the record after which that row was played
	hands             handsWatch // how the board scans and how fast the players' hands are

	now      evidence.Stamp
	out      []Outcome
	wantDump bool
	answers  play.Answers // since the last move of the record
}

// New returns a tracker that has seen nothing.
func New(p Params) *Tracker {
	t := &Tracker{p: p, phase: idle}
	t.AskHands(true, true)
	if p.White != evidence.NoClockSide {
		t.c.Settle(p.White)
	}
	return t
}

// SetParams changes the widths and the configured facts; the state of the game stays.
func (t *Tracker) SetParams(p Params) {
	t.p = p
	if p.White != evidence.NoClockSide {
		t.c.White, t.c.SidesSettled = p.White, true
	}
}

// Take returns the outcomes since the last call, in order. The slice is reused by later inputs.
func (t *Tracker) Take() []Outcome {
	out := t.out
	t.out = t.out[len(t.out):]
	return out
}

// Release gives the memory of taken outcomes back; call it once they have been used.
func (t *Tracker) Release() { t.out = t.out[:0:cap(t.out)] }

// DumpWanted reports, once, that a fresh dump of the board would help.
func (t *Tracker) DumpWanted() bool {
	w := t.wantDump
	t.wantDump = false
	return w
}

// Position returns the last committed position; ok is false while no game is known.
func (t *Tracker) Position() (pos legal.Position, ok bool) { return t.g.pos(), t.phase != idle }

// Playing reports whether a game is on.
func (t *Tracker) Playing() bool { return t.phase == playing }

// Seen reports whether the board has been read once, so that Live means something.
func (t *Tracker) Seen() bool { return t.b.Known }

// Live returns what the board reads now, seen from White's side.
func (t *Tracker) Live() legal.Placement { return t.b.Live }

// Reversed reports whether White sits at the far side of the board.
func (t *Tracker) Reversed() bool { return t.reversed }

// Game returns the number of the current game, 0 before the first.
func (t *Tracker) Game() int { return t.games }

// Side returns the player at a side of the clock, or NoSide while it is unknown.
func (t *Tracker) Side(s evidence.ClockSide) legal.Side { return t.c.Player(s) }

// Field takes one field update. Squares are numbered as if White sat at the near side; the tracker turns them. The
// change happened within the window seen.
func (t *Tracker) Field(st evidence.Stamp, sq legal.Square, p legal.Piece, seen evidence.Window) {
	t.now = st
	sq = t.oriented(sq)
	odd := t.hands.reported(st)
	t.b.Unreadable = t.b.Unreadable || odd
	if t.b.Known && t.promotionReported(sq, p) {
		return
	}
	if t.b.Reads(sq) == p {
		t.trust.bytesDamaged = true // a board reports changes only: an earlier report was lost, or this one is false
		if !t.countedLeaves(sq, p) {
			t.moveReports(sq, p)
			return
		}
	}
	if t.phase == playing && p == legal.NoPiece && t.b.Reads(sq).Side() == t.g.last().pos.Turn() {
		if t.pend.on {
			t.nextBegun(sq)
		} else {
			t.putRightOtherwise() // the opponent begins to answer this board
		}
	}
	t.unreadMoves(sq, p, seen)
	if t.b.Set(sq, p, seen, st, false) && t.b.Known {
		if n := len(t.b.Changes); n > 0 {
			c := &t.b.Changes[n-1]
			c.UnknownCode, c.Waited = odd, st.Waited
			t.heldBack(n)
		}
		t.changed(p.Kind() == legal.King)
		t.nextPress()
	}
}

// Dump takes a whole board. Where it differs from the updates, the dump is right: the difference becomes changes that
// happened some time since the last agreement. It returns the number of squares that were wrong.
func (t *Tracker) Dump(st evidence.Stamp, pl legal.Placement) int {
	defer t.nextPress()
	t.now = st
	if t.reversed {
		pl = play.Rotated(pl)
	}
	hole := t.holeOpen()
	n := 0
	t.promotionsDumped(&pl)
	seen := evidence.Window{Lo: t.b.Verified, Hi: st.At}
	for i, p := range pl {
		if t.b.Set(legal.Square(i), p, seen, st, t.b.Known) {
			n++
		}
	}
	t.b.Dumped(len(t.b.Changes)-n, t.sync.lostAt+t.p.ScanUS)
	t.b.Verified = st.At
	if !t.b.Known {
		t.b.Known = true
		t.wantDump = true // a dump has no checksum: one damaged square must not hide a start position
		t.b.Clear()
		n = 0
	}
	moved := n > 0 && t.moveDumped()
	plies := len(t.g.nodes)
	if (n > 0 && !moved || t.phase != playing) && !t.correct() {
		t.changed(true)
	} else if n == 0 {
		t.followAgain()
	}
	t.sync.dumped, t.sync.dumpAgreed = true, n == 0
	if t.sync.readAt == 0 {
		t.sync.readAt = t.now.At
	}
	t.dumped(n)
	t.playedBeforeEnd()
	if t.dumpShowsGap(n, hole) && len(t.g.nodes) == plies && t.gapUnreported(hole) {
		return n
	}
	t.tryResync()
	return n
}

// oriented turns a square of the board into a square of the game.
func (t *Tracker) oriented(sq legal.Square) legal.Square {
	if t.reversed {
		return 63 - sq
	}
	return sq
}

// changed reacts to a board that reads differently. The common case, a change in the middle of a turn, only sets a
// timer.
func (t *Tracker) changed(king bool) {
	t.quietAt = t.now.At + t.p.QuietUS
	t.pieceAt = 0
	switch t.phase {
	case playing:
		if t.boardUnknown() {
			t.lookSoon()
		}
		if t.pend.on {
			t.judgeAgain()
		}
		if t.hintOpen {
			t.lookForTouch()
		}
		t.withdrawNullPress()
		t.follow(false)
		t.catchUpUnstarted()
		if king {
			t.lookForKings()
		}
		if t.turnedRound() {
			t.turnRound()
		} else if !t.c.Running() || t.setUpAgain() {
			t.lookForStart()
		}
	case over:
		if t.readAtLast(); t.phase == playing {
			return
		}
		if king {
			t.lookForKings()
		}
		t.lookForStart()
	default:
		t.lookForStart()
	}
}

// A clockRow is one event that a reading of the clock can show. The first row that matches decides.
type clockRow struct {
	situation string
	is        func(*Tracker, *evidence.Lever) bool
	then      func(*Tracker, evidence.Lever)
}

var clockRows = []clockRow{
	{"the lever flips while the time runs", func(_ *Tracker, l *evidence.Lever) bool { return l.Flipped && l.Running }, (*Tracker).leverWhileRunning},
	{"a press and a stop in one message", func(_ *Tracker, l *evidence.Lever) bool { return l.Flipped && l.WasRunning }, (*Tracker).pressThenStop},
	{"a press after a fallen flag", func(t *Tracker, l *evidence.Lever) bool { return l.Flipped && t.c.Flagged() }, (*Tracker).pressAfterFlag},
	{"the lever flips while the clock stands", func(_ *Tracker, l *evidence.Lever) bool { return l.Flipped && !l.Running }, (*Tracker).leverAtStart},
	{"a clock that is polled shows two presses", (*Tracker).shownTwice, (*Tracker).pressedTwice},
	{"a clock is found running", func(_ *Tracker, l *evidence.Lever) bool { return l.Running && !l.Known }, (*Tracker).foundRunning},
	{"the clock was started, and White has pressed since", func(t *Tracker, l *evidence.Lever) bool { return t.phase == playing && l.Begun && t.atStart() }, (*Tracker).begunAndPressed},
	{"the clock is started", func(_ *Tracker, l *evidence.Lever) bool { return l.Running && !l.WasRunning }, func(t *Tracker, _ evidence.Lever) { t.resumed() }},
	{"the clock is stopped", func(_ *Tracker, l *evidence.Lever) bool { return !l.Running && l.WasRunning }, func(t *Tracker, _ evidence.Lever) { t.lookForKings() }},
}

// Clock takes one reading of the clock.
func (t *Tracker) Clock(st evidence.Stamp, r evidence.ClockReading) {
	defer t.nextPress()
	t.now = st
	if t.c.Hole(st, &r) && !(t.p.Passive && t.c.Delayed(&r)) {
		t.foundHole()
	}
	t.turn.unheard = max(t.turn.unheard, t.c.Unheard(st.At))
	awaited, known := t.clockWillTell(), t.c.Disconnected
	l := t.c.Take(r, st.At)
	if l.Merged {
		t.mergedAt = st.At
	}
	t.leverStays(l)
	t.clockTurns(l)
	if l.Ticked {
		t.secondCounted()
	}
	if r.Missing {
		if !known {
			t.note("clock_missing", words.Say("row.clock_missing"))
		}
		return
	}
	if i := slices.IndexFunc(clockRows, func(row clockRow) bool { return row.is(t, &l) }); i >= 0 {
		clockRows[i].then(t, l)
	}
	t.g.started = t.g.started || l.Running && !l.WasRunning
	if t.sync.active {
		t.resyncClocked(awaited)
	}
	t.catchUpInHaste()
}

// resyncClocked uses a reading of the clock while the record is being brought in step with the board. Awaited means
// that the reading was awaited.
func (t *Tracker) resyncClocked(awaited bool) {
	if t.sync.readAt != 0 && t.c.Running() {
		t.sync.ran, t.sync.ranAt = t.c.Last, t.now.At
	}
	switch {
	case !t.sync.clocked:
		t.sync.clocked = true
		t.tryResync()
	case awaited && t.sync.unexplainedSince != 0:
		t.lookSoon() // the clock's times bound what can have been played
	}
}

// shownTwice reports whether the reading shows two presses. Where only the times show them, a piece must have moved as
// well.
func (t *Tracker) shownTwice(l *evidence.Lever) bool {
	return t.phase == playing && l.Running && l.WasRunning && (l.TwoPresses || l.RestingSideRan && t.g.last().place != t.b.Live)
}

// pressedTwice judges two presses that one reading shows: the side to move pressed, and the opponent answered. If only
// the time of the resting side shows them, both had been made by the reading before this one.
func (t *Tracker) pressedTwice(l evidence.Lever) {
	if l.RestingSideRan && !l.TwoPresses {
		l.Earlier, t.mergedAt = t.mergedAt, 0
	}
	l.Pressed = t.c.Last.Up
	t.twiceAt = t.waitingFor(l).at.At
	t.leverWhileRunning(l)
	l.Pressed = t.c.Last.Up.Other()
	t.leverWhileRunning(l)
}

// begunAndPressed judges the press of the side that has gained time, and takes that side for White's.
func (t *Tracker) begunAndPressed(l evidence.Lever) {
	l.Pressed = t.c.Last.Up.Other()
	l.Gained, l.WasRunning = t.c.Last.Seconds(l.Pressed)-l.Before.Seconds(l.Pressed), true
	t.c.Assume(l.Pressed)
	t.leverWhileRunning(l)
}

// secondCounted handles a second that the clock has counted: a recording without times has no other measure.
func (t *Tracker) secondCounted() {
	t.b.Ticks++
	if t.pend.ticked() {
		t.pressExpired()
	}
}

// Gap notes that the link was lost, or that the daemon or the board was restarted: reports are missing, and the next
// dump is the truth. The first clock reading after it is a state, never a press.
func (t *Tracker) Gap(st evidence.Stamp) {
	t.now = st
	t.endWaitForGap()
	t.b.HistoryIncomplete = true
	if t.b.GapFromChange == 0 {
		t.b.GapFromChange = len(t.b.Changes) + 1
	}
	if t.c.Valid {
		t.sync.before, t.sync.beforeAt, t.sync.readAt, t.sync.ranAt = t.c.Last, t.c.ReadAt, 0, 0
	}
	t.c.Valid, t.c.Disconnected, t.c.UnchangedReadings, t.c.RestingFell = false, false, 0, false
	t.sync.active, t.sync.dumped, t.sync.clocked, t.sync.dumpAgreed, t.sync.at = true, false, false, false, 0
	t.noteCut()
	t.noteLoss()
}

// Noise notes that bytes were lost or damaged although the link stayed up: updates may be missing or false until a dump
// has been seen.
func (t *Tracker) Noise(st evidence.Stamp) {
	t.now = st
	t.b.HistoryIncomplete, t.trust.bytesDamaged = true, true
	t.noteLoss()
}

// Finish ends a recording. Everything that waits for quiet time is decided now, and a legal move on the board belongs
// to the record although no press followed it.
func (t *Tracker) Finish(st evidence.Stamp) {
	defer func() {
		if t.phase == playing && !t.pend.on {
			t.now = st
			t.commitLastMove()
			t.notKnownAtEnd()
		}
	}()
	done := map[int64]bool{}
	for {
		at, ok := t.quietDeadline()
		if !ok {
			return
		}
		if done[at] {
			t.now = st
			t.endWait(at)
			continue
		}
		done[at] = true
		if at < st.At {
			at = st.At
		}
		t.expire(evidence.Stamp{Seq: st.Seq, At: st.At}, at)
	}
}

// endWait ends the wait for one deadline of a recording that has ended: a press is decided, and every other deadline is
// dropped, because its handler has run and waits for input that will not come.
func (t *Tracker) endWait(at int64) {
	if t.pend.deadline() == at {
		t.giveUp()
		t.nextPress()
		return
	}
	for _, due := range [...]*int64{&t.sync.at, &t.lookAt, &t.alt.bounceDecidedAt, &t.turn.emptied.due, &t.quietAt, &t.kingsAt, &t.pieceAt, &t.mismatchAt} {
		if *due == at {
			*due = 0
		}
	}
	for i := range t.await {
		a := &t.await[i]
		for _, due := range [...]*int64{&a.due, &a.leverDue} {
			if *due == at {
				*due = 0
			}
		}
	}
}

// Deadline returns the earliest instant at which Wake must be called.
func (t *Tracker) Deadline() (int64, bool) {
	first, ok := t.quietDeadline()
	if d := t.followDue(); d != 0 && (!ok || d < first) {
		return d, true
	}
	return first, ok
}

// quietDeadline is the earliest deadline that the end of a recording brings forward. Deadlines of the follower are not
// among them: without a clock, the time for which the board has rested counts as it is.
func (t *Tracker) quietDeadline() (int64, bool) {
	var first int64
	for _, d := range [...]int64{t.pend.deadline(), t.quietAt, t.kingsAt, t.pieceAt, t.mismatchAt, t.sync.at, t.lookAt, t.awaitDue(), t.turn.emptied.due, t.alt.bounceDecidedAt} {
		if d != 0 && (first == 0 || d < first) {
			first = d
		}
	}
	return first, first != 0
}

// Wake handles every deadline that is not later than now, in order of time.
func (t *Tracker) Wake(now evidence.Stamp) {
	for {
		at, ok := t.Deadline()
		if !ok || at > now.At {
			return
		}
		t.expire(evidence.Stamp{Seq: now.Seq, At: at}, at)
	}
}

// expire runs every deadline that is due at the given instant. Each handler clears its own.
func (t *Tracker) expire(st evidence.Stamp, at int64) {
	defer t.nextPress()
	t.now = st
	due := func(d int64) bool { return d != 0 && d <= at }
	switch {
	case due(t.pend.deadline()):
		t.pressExpired()
		t.lookBehind()
	case due(t.sync.at):
		t.sync.at = 0
		t.resolveResync()
	case due(t.awaitDue()):
		t.awaitOver(at)
	case due(t.lookAt):
		t.lookAt = 0
		t.look()
	case due(t.alt.bounceDecidedAt):
		t.leverStayed()
	case due(t.turn.emptied.due):
		t.emptiedLong()
	case due(t.quietAt):
		t.quietAt = 0
		t.quiet()
	case due(t.kingsAt):
		t.kingsAt = 0
		t.proposeKings()
	case due(t.pieceAt):
		t.pieceAt = 0
		t.proposePiece()
	case due(t.mismatchAt):
		t.mismatchAt = 0
		t.mismatch()
	case due(t.followDue()):
		t.followOn()
	}
}

func (t *Tracker) emit(o Outcome) { t.out = append(t.out, o) }

func (t *Tracker) note(what string, detail words.Sentence) {
	if what == "ambiguous_moves" || what == "board_mismatch" {
		t.trust.movesUntilTrusted = movesUntilSound
	}
	t.emit(Note{Stamp: t.now, Game: t.games, What: what, Detail: detail})
}

// noteBreak reports that the game goes on from a position that the recorded moves do not lead to. Why is the key of the
// sentence that gives the reason.
func (t *Tracker) noteBreak(why string, pos *legal.Position) {
	fen := pos.FEN()
	t.emit(Note{Stamp: t.now, Game: t.games, What: "record_broken", Detail: words.Say(why, fen), FEN: fen})
}

func (t *Tracker) emitPress(s legal.Side, judged string) {
	if judged == string(kinds.NotUnderstood) {
		t.trust.movesUntilTrusted = movesUntilSound // the record and the board differ for an unknown reason
	}
	if t.trust.movesUntilAccusable > 0 && judged != "ok" {
		// If this press completes a move, that move does not count as one in order.
		t.trust.movesUntilAccusable = max(t.trust.movesUntilAccusable, guessMoves+1)
	}
	t.emit(Pressed{Stamp: t.now, Game: t.games, Side: s, Judged: judged, Gained: t.pressGainedSec, Clock: t.pressClock})
}
