package detector

import (
	"boardwatchd/detector/evidence"
	"boardwatchd/detector/play"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

// resync is the state after a gap: the next dump is the truth about the squares, the next clock reading about the turn.
// Both are awaited, the dump for as long as it takes, the clock for ResyncUS. A dump may be taken while a piece is in a
// hand, and the players do not wait: until the board is explained, presses are counted and not judged.
type resync struct {
	active, dumped, clocked bool
	before                  evidence.ClockReading // the clock's last reading before the gap
	beforeAt                int64                 // when that was; 0: nothing is known
	readAt                  int64                 // when the first dump after the gap came
	ran                     evidence.ClockReading // the clock's last reading after that dump in which it ran
	ranAt                   int64                 // when that was; 0: there was none
	pliesUnknown            bool                  // the plies of the gap cannot be known
	reportsLost             bool                  // reports may have been lost since the last commit
	lostAt                  int64
	gapPastFromPly          int // from this ply on the last gap of the line, marked or shown by a dump, no longer matters
	at                      int64
	dumpAgreed              bool            // the last dump agreed with what was known before it
	live                    legal.Placement // an unexplained dump of a recording, kept to compare with the next
	presses                 int             // presses since the gap began, counted and not judged
	pressedAt               [2]int64        // when the last two of them were reported
	allPressesConfirmed     bool            // the lever had confirmed all presses of the record when the gap began
	resultEntered           bool            // a person entered the result before the board was known again
	unexplainedSince        int64           // when the present board was first looked at in vain
}

// boardUnknown reports whether the board is unknown since a gap, and a requested dump will show it. The wait ends where
// a board does not answer; then its reports have to do.
func (t *Tracker) boardUnknown() bool {
	return t.sync.active && t.phase == playing && !t.p.Passive && (t.sync.dumped || t.now.At-t.sync.lostAt < t.p.MismatchUS)
}

// heldBack widens the windows of the last of n changes and the one before it to the beginning of the gap, where they
// come in one read before the first dump after it: the line may have held them back.
func (t *Tracker) heldBack(n int) {
	if n < 2 || !t.sync.active || t.sync.dumped || t.sync.beforeAt == 0 || t.b.Changes[n-2].Window.Hi != t.b.Changes[n-1].Window.Hi {
		return
	}
	for i := n - 2; i < n; i++ {
		t.b.Changes[i].Window.Lo = min(t.b.Changes[i].Window.Lo, t.sync.beforeAt)
	}
}

// lookSoon schedules another look for when the last change can have come to rest.
func (t *Tracker) lookSoon() {
	if t.sync.dumped && t.sync.clocked {
		t.sync.at = t.now.At + t.p.LateUS
	}
}

// endWaitForGap ends the wait of a press, because a gap begins. Where dumps are requested, the dump will show what was
// played: the piece may have been on its way at its last report.
func (t *Tracker) endWaitForGap() {
	if t.phase == playing && t.atStart() && t.c.White == evidence.NoClockSide && t.c.Valid && !t.c.Last.Running && t.movedOnlyBy(legal.White) {
		t.c.Assume(t.c.Last.Up) // the clock is stopped as it will be started, perhaps without a report
	}
	if !t.boardUnknown() {
		t.countAnew()
	}
	for t.pend.on {
		p := t.pend
		t.pend = pending{}
		if !t.p.Passive && t.presser(p.side) == t.g.last().pos.Turn() && t.g.last().place != t.b.Live {
			t.sync.presses += 1 + len(t.line)
			t.line = nil
			return
		}
		if !t.judge(p.side, p.at, true) {
			t.emitPress(t.presser(p.side), string(kinds.NotUnderstood))
		}
		t.nextPress()
	}
	t.line = nil
}

// movedOnlyBy reports whether no piece of the opponent of s is on another square than in the record.
func (t *Tracker) movedOnlyBy(s legal.Side) bool {
	base := t.g.last().place
	for set := play.Difference(&base, &t.b.Live); set != 0; set &= set - 1 {
		if sq := play.Lowest(set); base[sq].Side() == s.Other() || t.b.Live[sq].Side() == s.Other() {
			return false
		}
	}
	return true
}

// countAnew begins to count the presses that are reported while the board is unknown.
func (t *Tracker) countAnew() {
	pos := t.g.pos()
	t.sync.presses, t.sync.unexplainedSince = 0, 0
	t.sync.allPressesConfirmed = t.phase == playing && t.trust.movesUntilAccusable == 0 && !t.trust.boardUnexplained && (t.pend.on || t.c.Turn() == pos.Turn())
}

// pressedUnseen counts a press while the board is unknown.
func (t *Tracker) pressedUnseen(l evidence.Lever) {
	if !l.WasRunning {
		return // the arbiter's business
	}
	t.countUnseen()
	t.pressGainedSec, t.pressClock, t.pressSeq = l.Gained, t.c.Times(), t.now.Seq
	t.wantDump = true
	t.lookSoon()
}

// countUnseen counts such a press. A lever that came back and is down again has bounced: the three are one press.
func (t *Tracker) countUnseen() {
	if t.sync.presses >= 2 && t.now.At-t.sync.pressedAt[1] < swungUS*t.speed()/1000 {
		t.sync.presses--
		t.sync.pressedAt = [2]int64{t.sync.pressedAt[1]}
		return
	}
	t.sync.presses++
	t.sync.pressedAt = [2]int64{t.now.At, t.sync.pressedAt[0]}
}

// noteLoss notes that reports may have been lost up to now.
func (t *Tracker) noteLoss() {
	t.sync.reportsLost, t.sync.lostAt = true, t.now.At
	t.wantDump = true
}

// tryResync decides once both the dump and the reading have come.
func (t *Tracker) tryResync() {
	if !t.sync.active || !t.sync.dumped {
		return
	}
	if t.sync.clocked {
		t.resolveResync()
		return
	}
	if t.sync.at == 0 {
		t.sync.at = t.now.At + t.p.ResyncUS
	}
}

// completed returns the least number of plies completed since the last one of the record: the presses that were
// reported, or that the increments of the clock account for, and one more where the lever shows that there was one.
func (t *Tracker) completed(turn legal.Side) int {
	n := 0
	if t.sync.allPressesConfirmed {
		n = max(t.sync.presses, t.fewestInGap())
		if n < 2 && t.restingRan() {
			n = 2
		}
	}
	if pos := t.g.pos(); turn != legal.NoSide && (n%2 == 1) != (turn != pos.Turn()) {
		n++
	}
	return n
}

// A gapLook is one look at the board after a gap.
type gapLook struct {
	*Tracker
	turn  legal.Side // by the lever
	base  *node
	least int // the least number of plies that have been completed
}

// gapRows are the situations that a board after a gap can show, tried in this order until one decides.
var gapRows = []struct {
	situation string
	decides   func(*gapLook) bool
}{
	{"an illegal move was put back, and a legal one made in its place", (*gapLook).madeAnew},
	{"an illegal move is put back while the clock stands", (*gapLook).putBackInPause},
	{"more plies may have been played than the board tells: the clock will say more, or they are not known", (*gapLook).tooLong},
	{"the board stands as the record has it", (*gapLook).unchanged},
	{"no press was missed, and a turn has begun", (*gapLook).turnBegun},
	{"an earlier position stands there", (*gapLook).takenBack},
	{"a row of legal plies leads to the board", func(g *gapLook) bool { return g.commitUnseen(&g.base.pos, g.turn, g.least) }},
	{"a legal move from a board that nothing had explained", (*gapLook).onFromBranch},
	{"an illegal move that was pressed", func(g *gapLook) bool { return g.offenceInGap(g.turn, g.least) }},
	{"nothing explains it", (*gapLook).goOnUnexplained},
}

// resolveResync finds the plies that were played in the gap.
func (t *Tracker) resolveResync() {
	t.sync.active, t.sync.at = false, 0
	t.quietAt = t.now.At + t.p.QuietUS // nothing was looked for while the board was unknown
	if t.phase != playing {
		return
	}
	if t.followsBoard() {
		t.follow(true)
		return
	}
	defer t.countWaiting()()
	g := gapLook{Tracker: t, turn: t.c.Turn(), base: t.g.last(), least: t.completed(t.c.Turn())}
	for i := range gapRows {
		if gapRows[i].decides(&g) {
			return
		}
	}
}

// illegalBefore reports whether the board shows an illegal move whose reports had begun before the gap, and the gap
// contains at most its own press.
func (g *gapLook) illegalBefore() bool {
	_, _, illegal := g.shownInGap(g.turn, g.least)
	return illegal && g.onePlyInGap()
}

func (g *gapLook) tooLong() bool {
	if g.sync.pliesUnknown = g.sync.pliesUnknown || g.sync.presses > play.MaxLost || g.lostTrack() && !g.illegalBefore() || g.wentRound(); !g.sync.pliesUnknown {
		return false
	}
	if g.clockWillTell() {
		g.sync.pliesUnknown, g.sync.active, g.sync.unexplainedSince = false, true, g.now.At
		g.sync.at = g.sync.readAt + evidence.TickUS*g.speed()/1000
		return true
	}
	g.trust.boardUnexplained, g.holesUnread = true, true
	g.noteGuessedPlies()
	g.mismatchAt = g.now.At + g.p.MismatchUS
	return true
}

// wentRound reports whether the board is as before the gap, while the clock shows more presses than two, or may still
// show them: the pieces have moved and come back.
func (g *gapLook) wentRound() bool {
	if g.base.place != g.b.Live || g.c.Bonus == 0 || g.roomInGap() < 4 {
		return false
	}
	least, _ := g.countedInGap()
	return least > 2 || g.clockWillTell()
}

func (g *gapLook) unchanged() bool {
	if g.base.place != g.b.Live {
		return false
	}
	g.sync.reportsLost = false
	if g.least > 0 { // a ply was completed, and the board shows none
		g.trust.boardUnexplained = true
		if !g.alt.on && !g.base.wrong.open() {
			g.branchAt(g.base.pos.Turn())
		}
	}
	return true
}

// turnBegun reports whether no press was missed, or two were, and a turn has begun. Such a turn needs no repair.
func (g *gapLook) turnBegun() bool {
	if g.least > 0 {
		return false
	}
	pos := &g.base.pos
	if _, one := play.OnePly(pos, &g.b.Live); one {
		return true
	}
	if !play.InProgressScan(&g.base.place, &g.b.Live, pos.Turn()) || !play.MayTake(pos, &g.b.Live) {
		return false
	}
	if len(play.LostPlies(pos, &g.b.Live, 3, 1)) > 0 {
		g.noteGuessedPlies() // or three plies were played
	}
	return true
}

// takenBack judges an earlier position on the board as a take-back where the clock is stopped or the number of plies is
// odd: legal moves would need three or more plies to lead there.
func (g *gapLook) takenBack() bool {
	turn := g.turn
	if !g.c.Running() && g.base.wrong.open() {
		turn = legal.NoSide // an illegal move is put back first, and the lever after it
	}
	k := g.g.earlier(&g.b.Live, turn)
	if k == 0 || g.c.Running() && k%2 == 0 {
		return false
	}
	g.takeBack(k)
	return true
}

// madeAnew judges a legal move in place of an illegal last one, which was pressed according to the lever.
func (g *gapLook) madeAnew() bool {
	n := len(g.g.nodes)
	if n < 2 || !g.base.wrong.open() {
		return false
	}
	before := &g.g.nodes[n-2].pos
	if _, one := play.OnePly(before, &g.b.Live); !one || g.turn != before.Turn().Other() {
		return false
	}
	g.takeBack(1)
	g.base = g.g.last()
	return g.commitUnseen(&g.base.pos, g.turn, 1)
}

// putBackInPause judges the position before an illegal last move as that move put back, where the clock stands: the
// pieces are put back first, and the lever after them. Where they are only partly back, the rest decides. Where they
// were back before the gap and the clock runs again for that player, the game has gone on from there.
func (g *gapLook) putBackInPause() bool {
	good, ok := g.beneath()
	if !ok || g.base.wrong.nullMove || g.sync.pliesUnknown {
		return false
	}
	if g.c.Running() {
		if n := g.b.Seen(&good.place); n > 0 && g.turn == good.pos.Turn() && !g.sync.before.Running && g.b.Changes[n-1].Window.Hi <= g.sync.lostAt {
			g.takeBackTo(1, n)
			g.base, g.sync.reportsLost = g.g.last(), true
			g.least = g.completed(g.turn)
		}
		return false
	}
	if good.place == g.b.Live {
		g.takeBack(1)
		return true
	}
	return g.beingRestored(good)
}

func (g *gapLook) onFromBranch() bool {
	if g.sync.presses == 0 || !g.judgeBranch(g.turn.Other(), g.now.At) {
		return false
	}
	g.noteGuessedPlies()
	return true
}

// goOnUnexplained makes the present board a branch that the next press may go on from.
func (g *gapLook) goOnUnexplained() bool {
	g.trust.boardUnexplained, g.holesUnread = true, true
	g.noteGuessedPlies()
	if g.turn != legal.NoSide && (!g.alt.on || g.sync.presses > 0) {
		g.alt.on = true
		g.alt.presses = max(g.alt.presses, 1)
		g.alt.live = g.b.Live
		g.alt.pos, g.alt.valid = g.positionFrom(g.b.Live, g.turn)
	}
	if !g.lookOn(g.turn) {
		g.mismatchAt = g.now.At + g.p.MismatchUS
	}
	return true
}

// restsSincePress reports whether neither a piece nor the lever has been touched since the waiting press for so long
// that no report of an earlier press can come any more: it is the press of the present board, or the hand has rested on
// an illegal square for all that time.
func (t *Tracker) restsSincePress() bool {
	return t.pend.at > 0 && t.now.At >= t.pend.at+t.latestUS() && t.b.LastAt <= t.pend.at+t.p.LateUS && len(t.line) == 0 && !t.outOfStep() &&
		t.c.Player(t.pend.side) == t.c.Turn().Other() && t.b.Origin == t.g.last().place
}

// graceUS returns how long a press waits for an explanation: where reports of earlier presses may still come, until
// they have.
func (t *Tracker) graceUS() int64 {
	if t.trust.movesUntilAccusable > 0 && !t.p.Passive && t.doubtful() && !t.trust.boardUnexplained && !t.outOfStep() && t.b.Origin == t.g.last().place {
		return max(t.p.GraceUS, t.latestUS())
	}
	return t.p.GraceUS
}

// begunInCalm reports whether the turn on the board began from the last position of the record, after the press of the
// move before was reported and no report of another could come any more: the next press is then its own. After a gap
// that is no proof until a move has been made in order, because the lever may have been touched in the gap.
func (t *Tracker) begunInCalm() bool {
	began := t.judgedAt - t.p.ClockLagUS
	if len(t.b.Changes) > 0 {
		began = t.b.Changes[0].Window.Lo
	}
	return t.turnPressedAt > 0 && began-t.turnPressedAt > t.latestUS() && t.b.Origin == t.g.last().place && !t.alt.on && !t.outOfStep()
}

// lookOn waits for the next change, press or dump, where nothing explains the board and moves may be under way. It
// gives up where all has been quiet for MismatchUS.
func (t *Tracker) lookOn(turn legal.Side) bool {
	if t.p.Passive || turn == legal.NoSide || !t.c.Running() {
		return false
	}
	if t.sync.unexplainedSince == 0 {
		t.sync.unexplainedSince = t.now.At
	}
	end := max(t.sync.unexplainedSince, t.b.LastAt) + t.p.MismatchUS
	if t.now.At >= end {
		return false
	}
	t.sync.active, t.sync.at = true, end
	return true
}

// lookedBriefly reports whether moves may still be under way that explain the board.
func (t *Tracker) lookedBriefly() bool {
	return t.sync.unexplainedSince == 0 || t.now.At-t.sync.unexplainedSince < slideUS
}

// stillScans is the number of scans without a report that is required before a long row is believed: most hands have
// put down by then what they lifted (timing notes 1.2: 0.24 s, 0.76 s in a capture).
const stillScans = 3

// believable reports whether a row of unseen plies may be committed. There is nearly always some row that explains a
// piece in the hand: where a piece that was captured in it may as well be in a hand, there is another look later. A
// dump has no checksum: for a long row a second one must agree.
func (t *Tracker) believable(r *row, open bool) bool {
	if t.p.Passive {
		return t.stoodInRecord()
	}
	long, turn := len(r.moves) > 1, t.c.Turn()
	if still := t.b.ReportedLast() + stillScans*t.p.ScanUS; (open || long) && t.now.At < still {
		t.sync.active, t.sync.at = true, still
		return false
	}
	if len(r.moves) > t.completed(turn)+1 && t.clockMayRuleOut(turn) {
		return false
	}
	if len(r.moves) > 2 && !t.sync.dumpAgreed {
		t.sync.active, t.sync.dumped, t.wantDump = true, false, true
		return false
	}
	odd := r.odd > 0 && t.lookedBriefly() || !r.seen && t.mayBeInHand(r.moves)
	return !odd || !t.lookOn(turn)
}

// clockMayRuleOut waits for the times of the clock, which bound what can have been played, where a shorter explanation
// has an illegal move.
func (t *Tracker) clockMayRuleOut(turn legal.Side) bool {
	if !t.clockWillTell() {
		return false
	}
	_, _, illegal := t.shownInGap(turn, t.completed(turn))
	return illegal && t.lookOn(turn)
}

// stoodInRecord reports whether the board has been like this for a while, or for two dumps, in a recording, where a
// second dump may never come.
func (t *Tracker) stoodInRecord() bool {
	if t.now.At-t.b.LastAt >= evidence.StoodUS || t.sync.live == t.b.Live {
		t.sync.live = legal.Placement{}
		return true
	}
	t.sync.live = t.b.Live
	t.sync.active, t.sync.dumped = true, false
	t.wantDump = true
	return false
}

// commitUnseen looks for rows of plies that lead to the board and fit the lever, the shortest first: rows that were
// completed, then those after which the next turn has begun, then rows whose last ply is not pressed yet. Where the
// next turn has begun in more than one way no longer row is tried: it would be an invention in which the piece in the
// hand is captured.
func (t *Tracker) commitUnseen(pos *legal.Position, turn legal.Side, least int) bool {
	for d := max(least, 1); d <= play.MaxLost; d++ {
		if done, wait := t.commitUnseenOf(pos, turn, least, d); done || wait {
			return done
		}
	}
	return false
}

// commitUnseenOf is commitUnseen for rows of d plies.
func (t *Tracker) commitUnseenOf(pos *legal.Position, turn legal.Side, least, d int) (done, wait bool) {
	mover := pos.Turn() // the player of the last of d plies
	if d%2 == 0 {
		mover = mover.Other()
	}
	open := turn == mover || turn == legal.NoSide // it is unknown whether the last ply was pressed
	if !t.holds(d, open) {
		return false, false
	}
	if !open || d > max(least, 1) {
		if r, ok := t.bestRow(pos, d); ok {
			t.takeWholeRow(&r, open)
			return true, false
		}
	}
	if open && turn != legal.NoSide {
		return false, false
	}
	r, n := t.begunRow(pos, d)
	if n != 1 || open {
		return false, n > 0
	}
	// The board may already show the next ply; then the next reports decide.
	if _, whole := t.bestRow(pos, d+1); whole {
		return t.lookedBriefly() && t.lookOn(turn), false
	}
	return t.takeBegunRow(pos, turn, &r), false
}

// takeWholeRow commits a row that leads to the board, or looks again later.
func (t *Tracker) takeWholeRow(r *row, open bool) {
	plies := len(r.moves)
	if (plies > 1 || r.odd > 0) && !t.believable(r, open) {
		return
	}
	t.trust.castlingRightsDoubtful = t.trust.castlingRightsDoubtful || t.mayHaveStayed(r.moves)
	t.commitUnseenRow(r, open)
	// A longer row, which ends with the other side's move, may lead here as well.
	t.trust.boardUnexplained = t.phase == playing && plies > 1
	if plies > 1 {
		t.noteGuessedPlies()
	}
}

// takeBegunRow commits the only row after which the next turn has begun.
func (t *Tracker) takeBegunRow(pos *legal.Position, turn legal.Side, r *row) (done bool) {
	if last := r.moves[len(r.moves)-1]; r.odd > 0 || t.b.Live[last.To()] == legal.NoPiece && !r.seen || t.takenInTheAir(pos, r.moves) {
		// A piece was where the row never has it, or is in its player's hand.
		return t.lookedBriefly() && t.lookOn(turn)
	}
	t.trust.castlingRightsDoubtful = t.trust.castlingRightsDoubtful || t.mayHaveStayed(r.moves)
	t.pressOfUnseen(turn)
	if len(r.moves) > 1 && !r.seen {
		defer t.markChosen(t.g.last().ply)
	}
	t.commitRow(r.moves, ByPress)
	t.b.HistoryIncomplete = true
	t.noteGuessedPlies()
	return true
}

// takenInTheAir reports whether a row needs a missing piece to be captured although no piece of the opponent's was
// lifted: the missing piece may as well be in its player's hand.
func (t *Tracker) takenInTheAir(pos *legal.Position, row []legal.Move) bool {
	end := play.After(*pos, row)
	place := end.Placement()
	gone := false
	for set := play.Difference(&place, &t.b.Live); set != 0; set &= set - 1 {
		if place[play.Lowest(set)].Side() == end.Turn() {
			return false
		}
		gone = true
	}
	return gone
}

// mayHaveStayed reports whether a row moves a king or a rook, so that a right to castle may be lost in the record only.
func (t *Tracker) mayHaveStayed(row []legal.Move) bool {
	p := t.g.last().place
	for _, m := range row {
		if k := p[m.From()].Kind(); k == legal.King || k == legal.Rook {
			return true
		}
		p = play.PlacementAfter(p, m)
	}
	return false
}

// pressOfUnseen reports the press that completed the last ply of a row, if it was reported.
func (t *Tracker) pressOfUnseen(turn legal.Side) {
	if t.sync.presses > 0 && turn != legal.NoSide {
		t.emitPress(turn.Other(), "ok")
	}
}

// mayBeInHand reports whether the piece that the last ply of a row captured may be in its player's hand instead,
// because it had moved without a capture before. A piece captured earlier is not in the hand, since its player has
// moved another piece since; and a pawn leaves its file only by capturing.
func (t *Tracker) mayBeInHand(row []legal.Move) bool {
	last := row[len(row)-1]
	victim := last.Victim()
	if victim == legal.NoSquare || last.IsEnPassant() || t.b.Live[last.To()].Kind() == legal.Pawn {
		return false
	}
	moved := false
	for _, m := range row {
		if m.To() == victim && m != last {
			moved = m.Victim() == legal.NoSquare
		}
	}
	return moved
}

// commitUnseenRow commits a row; the last ply stays open where its press is unknown.
func (t *Tracker) commitUnseenRow(r *row, open bool) {
	if !open {
		t.pressOfUnseen(t.c.Turn())
		t.commitFitting(r, len(r.moves), ByPress)
		return
	}
	t.openAfter, t.openPly = t.g.last().ply, r.moves[len(r.moves)-1]
	t.commitFitting(r, len(r.moves)-1, ByReply)
	t.b.HistoryIncomplete, t.lastPlyOpen = true, len(r.moves) > 1 && !r.seen
}
