package detector

import (
	"slices"

	"boardwatchd/detector/evidence"
	"boardwatchd/detector/play"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// phase is where the board is in the life of a game.
type phase uint8

const (
	_       phase = iota
	idle          // no game: the start position has not been seen, or a game was joined in the middle
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

	reversed bool // White sits at the far side: squares are turned before anything looks at them
	games    int

	turn  inTurn // forgotten with the next move
	trust trust  // of the record

	pend pending   // a press that the board does not explain yet
	line []waiting // the presses after it
	alt  branch    // the board as it stood at a press that was never explained
	sync resync
	join joining

	twiceAt  int64          // when the last presses were reported of which one reading told two
	mergedAt int64          // since the last commit, when a reading of the clock may have held two presses; 0 is never
	follower *play.Follower // without a clock: what is being played since the last move of the record; nil with one

	playedOnBy int      // presses, with pieces moved, since a person entered the result
	pressedAt  int64    // when the last move was committed by its press
	judgedAt   int64    // when the press that was judged last was reported
	judgedOf   [3]int64 // when the last press of each player was
	reported   [8]int64 // how long after their plies the last reports of presses came, latest first; 0: unknown
	ahead      int64    // until then a press may be reported that was taken for forgotten
	pace       int64    // how long the players take for a ply, about
	turnSince  int64    // when the press of the last move was reported, 0: by none

	quietAt, kingsAt, mismatchAt int64  // deadlines, 0 is none
	noted                        bool   // a mismatch note is open
	piece                        string // the result that a special piece tells, until pieceAt
	pieceAt                      int64

	gained     int            // what the press that is judged added to the presser's time
	pressClock evidence.Times // and what it showed
	pressSeq   evidence.Seq
	runSince   int64     // when the clock was started last, by a button or by its lever while it stood
	leverSeen  bool      // a later reading of the clock shows the lever where that press left it
	await      []awaited // findings that must still be confirmed
	fault      fault
	asked      int       // dumps that came soon after a press: in a recording, somebody asks for them
	strange    Found     // a press that nothing explained, told since the last move
	nothing    Found     // the last press without a move
	ended      Found     // how the game ended
	held       bool      // nothing is judged
	hinted     bool      // something is open that the opponent's touch of a piece ends (FIDE Laws 4.8)
	array      Found     // a start position with an error, before the game
	drawsTold  drawsTold // the automatic draws that have been told
	kingsSaid  bool      // that the kings show the result of a game that is over
	lookAt     int64     // when to look whether the board shows more than the record: after a stop or a flag
	stopped    bool      // a stop is to be told then
	flagTold   [3]bool
	holes      bool       // plies of the record were not seen, and the board's log has not been asked for them
	openUnseen bool       // the last ply of such a row stands on the board and is not committed yet
	hands      handsWatch // how the board scans, how fast the players' hands are

	now      evidence.Stamp
	out      []Outcome
	wantDump bool
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

// SetParams changes the widths and the configured facts; what is known of the game stays.
func (t *Tracker) SetParams(p Params) {
	t.p = p
	if p.White != evidence.NoClockSide {
		t.c.White, t.c.Fixed = p.White, true
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

// Playing says that a game is on.
func (t *Tracker) Playing() bool { return t.phase == playing }

// Seen says that the board has been read once, so that Live means something.
func (t *Tracker) Seen() bool { return t.b.Known }

// Live returns what the board reads now, seen from White's side.
func (t *Tracker) Live() legal.Placement { return t.b.Live }

// Reversed says that White sits at the far side of the board.
func (t *Tracker) Reversed() bool { return t.reversed }

// Game returns the number of the current game, 0 before the first.
func (t *Tracker) Game() int { return t.games }

// Side returns the player at a side of the clock, or NoSide while that is not known.
func (t *Tracker) Side(s evidence.ClockSide) legal.Side { return t.c.Player(s) }

// Field takes one field update. Squares are numbered as if White sat at the near side; the tracker turns them. Seen
// is when the change can have happened.
func (t *Tracker) Field(st evidence.Stamp, sq legal.Square, p legal.Piece, seen evidence.Window) {
	t.now = st
	sq = t.oriented(sq)
	odd := t.hands.reported(st)
	t.b.Unreadable = t.b.Unreadable || odd
	if t.b.Known && t.promotionReported(sq, p) {
		return
	}
	if t.b.Reads(sq) == p {
		t.trust.noisy = true // a board reports changes: one report before this was lost, or is invented
		t.turn.cameUnreported = t.turn.cameUnreported || p == legal.NoPiece
		t.moveReports(sq, p)
		return
	}
	if t.phase == playing && p == legal.NoPiece && t.b.Reads(sq).Side() == t.g.last().pos.Turn() {
		if t.pend.on {
			t.nextBegun(sq)
		} else {
			t.putRightOtherwise() // the opponent begins to answer what stands there
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

// Dump takes a whole board. Where it differs from what the updates said, the dump is right: the difference becomes
// changes that happened some time since the last agreement. It returns how many squares were wrong.
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
		t.wantDump = true // a dump has no checksum: a start position must not be missed for one damaged square
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
	t.sync.dumped, t.sync.sure = true, n == 0
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

// changed reacts to a board that reads differently. The common case, a change in the middle of a turn, is only a
// timer.
func (t *Tracker) changed(king bool) {
	t.quietAt = t.now.At + t.p.QuietUS
	t.pieceAt = 0
	switch t.phase {
	case playing:
		if t.waits() {
			t.lookSoon()
		}
		if t.pend.on {
			t.judgeAgain()
		}
		if t.hinted {
			t.lookForTouch()
		}
		t.movedAfterPassed()
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

// A clockRow is one thing that a reading of the clock can say. The first row that holds decides.
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
	awaited, known := t.clockWillTell(), t.c.None
	l := t.c.Take(r, st.At)
	if l.Merged {
		t.mergedAt = st.At
	}
	t.leverStays(l)
	t.clockTurns(l)
	if l.Ticked {
		t.b.Ticks++
		if t.pend.ticked() {
			t.pressExpired()
		}
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
	switch {
	case t.sync.on && !t.sync.clocked:
		t.sync.clocked = true
		t.tryResync()
	case awaited && t.sync.on && t.sync.since != 0:
		t.lookSoon() // its times bound what can have been played
	}
	t.catchUpInHaste()
}

// shownTwice: where the times alone tell it, a piece must have been moved as well.
func (t *Tracker) shownTwice(l *evidence.Lever) bool {
	return t.phase == playing && l.Running && l.WasRunning && (l.Twice || l.Ran && t.g.last().place != t.b.Live)
}

// pressedTwice: the player to move pressed, and the other answered. If only the time of the resting side shows it, both
// had pressed when the reading before this one came.
func (t *Tracker) pressedTwice(l evidence.Lever) {
	if l.Ran && !l.Twice {
		l.Earlier, t.mergedAt = t.mergedAt, 0
	}
	l.Pressed = t.c.Last.Up
	t.twiceAt = t.waitingFor(l).at.At
	t.leverWhileRunning(l)
	l.Pressed = t.c.Last.Up.Other()
	t.leverWhileRunning(l)
}

// begunAndPressed takes the side that has gained time for White's, and its press.
func (t *Tracker) begunAndPressed(l evidence.Lever) {
	l.Pressed = t.c.Last.Up.Other()
	l.Gained, l.WasRunning = t.c.Last.Seconds(l.Pressed)-l.Before.Seconds(l.Pressed), true
	t.c.Assume(l.Pressed)
	t.leverWhileRunning(l)
}

// Gap says that the link was lost, or that the daemon or the board was restarted: reports are missing and the next
// dump is the truth. The first clock reading after it is a state, never a press.
func (t *Tracker) Gap(st evidence.Stamp) {
	t.now = st
	t.cutOff()
	t.b.Folded = true
	if t.b.Unheard == 0 {
		t.b.Unheard = len(t.b.Changes) + 1
	}
	if t.c.Valid {
		t.sync.before, t.sync.beforeAt, t.sync.readAt = t.c.Last, t.c.Heard, 0
	}
	t.c.Valid, t.c.None, t.c.Rested, t.c.Fell = false, false, 0, false
	t.sync.on, t.sync.dumped, t.sync.clocked, t.sync.sure, t.sync.at = true, false, false, false, 0
	t.cutAt()
	t.lose()
}

// Noise says that bytes were lost or damaged although the link stayed up: updates may be missing or false until a
// dump has been seen.
func (t *Tracker) Noise(st evidence.Stamp) {
	t.now = st
	t.b.Folded, t.trust.noisy = true, true
	t.lose()
}

// Finish says that the recording ends: whatever waits for quiet time is decided now, and a legal move that stood on
// the board belongs to the record although nobody pressed after it.
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
			t.letGo(at)
			continue
		}
		done[at] = true
		if at < st.At {
			at = st.At
		}
		t.expire(evidence.Stamp{Seq: st.Seq, At: st.At}, at)
	}
}

// letGo decides a press that is due again at a time, and forgets what else is: it was looked at then, and waits for what a
// recording that has ended does not bring.
func (t *Tracker) letGo(at int64) {
	if t.pend.deadline() == at {
		t.giveUp()
		t.nextPress()
		return
	}
	for _, due := range [...]*int64{&t.sync.at, &t.lookAt, &t.alt.stays, &t.turn.emptied.due, &t.quietAt, &t.kingsAt, &t.pieceAt, &t.mismatchAt} {
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

// quietDeadline is the earliest one that the end of a recording brings forward: without a clock, how long the board has
// stood then counts as it is.
func (t *Tracker) quietDeadline() (int64, bool) {
	var first int64
	for _, d := range [...]int64{t.pend.deadline(), t.quietAt, t.kingsAt, t.pieceAt, t.mismatchAt, t.sync.at, t.lookAt, t.awaitDue(), t.turn.emptied.due, t.alt.stays} {
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
	case due(t.alt.stays):
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
		t.trust.moves = movesUntilSound
	}
	t.emit(Note{Stamp: t.now, Game: t.games, What: what, Detail: detail})
}

// noteBreak tells that the game goes on from a position that the recorded moves do not lead to.
// Why is the key of a sentence that names it.
func (t *Tracker) noteBreak(why string, pos *legal.Position) {
	fen := pos.FEN()
	t.emit(Note{Stamp: t.now, Game: t.games, What: "record_broken", Detail: words.Say(why, fen), FEN: fen})
}

func (t *Tracker) emitPress(s legal.Side, judged string) {
	if judged == string(kinds.NotUnderstood) {
		t.trust.moves = movesUntilSound // the record and the board differ, and nobody knows why
	}
	if t.trust.guessed > 0 && judged != "ok" {
		t.trust.guessed = max(t.trust.guessed, guessMoves+1) // the move that it completes, if it does, is none in order
	}
	t.emit(Pressed{Stamp: t.now, Game: t.games, Side: s, Judged: judged, Gained: t.gained, Clock: t.pressClock})
}
