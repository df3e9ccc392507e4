package detector

import (
	"slices"

	"boardwatchd/detector/evidence"
	"boardwatchd/detector/play"
	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// A node is a position of the game as committed.
type node struct {
	pos   legal.Position
	place legal.Placement
	ply   int
	wrong wrong // how the position came about, if not by a legal move

	assumedPromotion promotion // the promotion that led here, if its piece was not read

	unseen howKnown // whether the plies to here were seen

	made       int64          // when the last square of its move was reported; 0: it was not
	stayedOn   stay           // a square on which its piece stayed on the way
	readBeyond uint64         // squares further on, on which its piece was read and no longer is
	clock      evidence.Times // the times reported with the ply that led here
	by         CommittedBy
	empty      uint64 // squares that read empty when it was committed, although a piece counts there
}

// wrong describes a position that did not come about by a legal move: an illegal move that was pressed, or a press
// without a move. The arbiter may have the position before it restored, or the opponent may play on from it: both
// futures stay open until one of them happens. The zero value is a legal move.
type wrong struct {
	on       bool
	nullMove bool         // pressed without a move: the same pieces, the other side to move
	promo    legal.Square // where a pawn waits for its promotion piece, or NoSquare
	answered bool         // the opponent has answered: the game goes on from here
	done     illegalAct   // the illegal move, or the press without a move
}

// An illegalAct is the finding of a ply that is not a legal move.
type illegalAct struct {
	finding string // its identity; empty: it was withdrawn, or its kind is not a move
	side    legal.Side
	uci     string
	clock   evidence.Times
}

// nodes are the positions of a game in the form that the checks read.
type nodes []node

func (n nodes) Len() int                       { return len(n) }
func (n nodes) Position(i int) *legal.Position { return &n[i].pos }

// game is one game's line of committed positions. The last node is the base that live boards are compared with.
type game struct {
	nodes    []node
	start    int // Chess960 number, or -1
	proved   Result
	started  bool // the clock was started for this game; until then one that runs counts the time of the game before
	timesSet bool // the clock was set since its last press
	oldTimes bool // the clock shows the times at which the game before ended
}

// with returns the positions of the game and one more, which is not part of the record.
func (g *game) with(n node) nodes { return append(slices.Clip(g.nodes), n) }

// maxBack is the number of plies within which a take-back is recognised (reconstruction notes 7.3).
const maxBack = 12

// These bounds limit the positions that are kept, so that a club board on which pieces are moved for weeks does not
// fill the memory.
const (
	recentNodes = 4 * maxBack // at least these: a finding is looked at again a few plies later
	maxNodes    = 2048        // at most these; then the older half is dropped, and repetitions are counted from there
)

func (g *game) last() *node {
	return &g.nodes[len(g.nodes)-1]
}

func (g *game) pos() legal.Position {
	if len(g.nodes) == 0 {
		return legal.Position{}
	}
	return g.last().pos
}

// before returns the positions before the last one to which moves may be taken back, oldest first.
func (g *game) before() (list []legal.Position) {
	for i := max(0, len(g.nodes)-1-maxBack); i < len(g.nodes)-1; i++ {
		list = append(list, g.nodes[i].pos)
	}
	return list
}

// kingPressed reports whether a move of the player's king was seen and pressed.
func (g *game) kingPressed(s legal.Side) bool {
	for i := 1; i < len(g.nodes); i++ {
		n, from := &g.nodes[i], &g.nodes[i-1].pos
		if n.by == ByPress && !n.wrong.on && n.unseen == 0 && from.Turn() == s && n.place[from.KingSquare(s)] != legal.PieceOf(s, legal.King) {
			return true
		}
	}
	return false
}

func (g *game) open(pos legal.Position, start, ply int) {
	g.nodes = append(g.nodes[:0], node{pos: pos, place: pos.Placement(), ply: ply})
	g.oldTimes = g.started && !g.timesSet
	g.start, g.started, g.timesSet = start, false, false
	g.proved = Result{}
}

func (g *game) push(m legal.Move) {
	l := g.last()
	pos := l.pos.After(m)
	g.grow(node{pos: pos, place: pos.Placement(), ply: l.ply + 1})
}

func (g *game) grow(n node) {
	if len(g.nodes) == cap(g.nodes) && len(g.nodes) > recentNodes {
		kept := g.nodes[g.oldest():] // copied to a new array: a caller may hold a node of the old one
		g.nodes = append(make([]node, 0, len(kept)+maxBack), kept...)
	}
	g.nodes = append(g.nodes, n)
}

// oldest is the index of the first node that may still be needed: a recent one, or one that the last position, or a
// position before it that a take-back restores, could repeat. A position from before the last capture or pawn move
// cannot occur again. Plies that were not seen are kept, with the plies before them, until the board's log has shown
// what they were.
func (g *game) oldest() int {
	n := len(g.nodes)
	if n >= maxNodes {
		return n / 2
	}
	oldest := n - recentNodes
	for i := n - 1 - maxBack; i < n; i++ {
		oldest = min(oldest, i-g.nodes[i].pos.HalfMoves())
	}
	if i := slices.IndexFunc(g.nodes, func(n node) bool { return n.unseen != 0 }); i >= 0 {
		oldest = min(oldest, i-1-pliesBefore)
	}
	return max(oldest, 0)
}

// earlier returns how many plies ago the board was placed so with the given side to move, nearest first; 0: never.
func (g *game) earlier(live *legal.Placement, turn legal.Side) int {
	for k := 1; k <= maxBack && k < len(g.nodes); k++ {
		n := &g.nodes[len(g.nodes)-1-k]
		if n.place == *live && (turn == legal.NoSide || n.pos.Turn() == turn) {
			return k
		}
	}
	return 0
}

// commit enters m into the record. At is the number of changes of the history that led to the placement after it, or -1
// where that placement was not seen by itself.
func (t *Tracker) commit(m legal.Move, by CommittedBy, at int) {
	if by == ByPress && t.begunInCalm() {
		t.trust.movesUntilAccusable = 0
	}
	if t.alt.bounceDecidedAt != 0 {
		t.note("lever_bounced", words.Say("row.lever_bounced"))
	}
	is := t.orderOf(m, at)
	t.dropUnexplained()
	t.keepIllegalPlies()
	before := t.g.pos()
	t.reportHints(m, by, at, t.tellHands(m, by, at))
	touched := t.b.Touched()
	left := emptied{}
	if by == ByPress {
		left = t.emptiedBy(m)
	}
	t.join.eitherWay = t.join.eitherWay && t.g.last().place[m.From()].Kind() != legal.Pawn
	via, gone, beyond := t.stoodOn(m), t.goneBefore(m, at), t.readBeyond(m)
	t.g.push(m)
	t.g.last().made, t.g.last().stayedOn, t.g.last().readBeyond = t.b.ReportedAt(at), via, beyond
	t.learnReportDelay(by, at)
	t.fault = fault{} // a legal move replaces the illegal one
	if at >= 0 {
		t.b.Rebase(at)
	} else {
		t.b.Clear()
	}
	t.clearDoubts()
	t.turn.emptied, t.turn.goneBefore = left, gone
	if by == ByPress && t.turnPressedAt > 0 {
		t.paced(t.judgedAt - t.turnPressedAt)
	}
	t.pressedAt, t.turnPressedAt, t.mergedAt = 0, 0, 0
	if by == ByPress {
		t.pressedAt, t.turnPressedAt = t.now.At, t.judgedAt
		t.trust.movesUntilTrusted = max(t.trust.movesUntilTrusted-1, 0)
		switch is {
		case inOrder:
			t.trust.movesUntilAccusable = max(t.trust.movesUntilAccusable-1, 0)
		case outOfOrder:
			t.noteGuessedPlies()
		}
	}
	if by == ByReply && t.trust.movesUntilAccusable > 0 {
		t.trust.movesUntilAccusable = max(t.trust.movesUntilAccusable, guessMoves+1) // a move and its answer at one press are not in order
	}
	n := t.g.last()
	n.clock, n.by = t.c.Times(), by
	if t.lastPlyOpen {
		t.lastPlyOpen = false
		t.markChosen(n.ply - 1)
	}
	t.emit(Moved{
		Stamp: t.now, Game: t.games, Ply: n.ply, Before: before, Move: m, Clock: t.timesOf(n), By: by, Differs: t.b.Differs(),
	})
	t.reportStillEmpty(touched)
	t.checkEnd()
}

// timesOf returns the times at a ply. They are unknown where the clock runs and was not heard: its last reading is too
// old.
func (t *Tracker) timesOf(n *node) evidence.Times {
	if n.by != ByPress && t.c.Silent(t.now) {
		return evidence.Times{}
	}
	return n.clock
}

// clearDoubts clears every doubt, because the board has been explained.
func (t *Tracker) clearDoubts() {
	t.b.Settle()
	t.pend, t.alt, t.turn, t.trust.boardUnexplained = pending{}, branch{}, inTurn{}, false
	t.answers.Forget()
	t.sync.reportsLost, t.sync.pliesUnknown = false, false
	t.endMismatch()
}

// endMismatch ends the doubt about a board that nothing explained.
func (t *Tracker) endMismatch() {
	t.mismatchAt = 0
	if t.mismatchNoted {
		t.mismatchNoted = false
		t.note("board_explained", words.Say("row.board_explained"))
	}
}

// checkEnd ends the game that the last move ended (FIDE Laws 5.1.1, 5.2.1): no press is needed for that.
func (t *Tracker) checkEnd() {
	if t.idles() || t.unpressed() > maxForgotten && t.g.last().clock.Known {
		return // a mate that is only shown on the board, beside a clock that was not started or without presses
	}
	pos := t.g.pos()
	switch pos.Outcome() {
	case legal.Checkmate:
		result := "1-0"
		if pos.Turn() == legal.White {
			result = "0-1"
		}
		t.end(result, "mate")
	case legal.Stalemate:
		t.end("1/2-1/2", "stalemate")
	default:
		t.checkDraw()
	}
}

// checkDraw reports each automatic draw once. It reports none after a dead position, which stays dead whatever is
// played.
func (t *Tracker) checkDraw() {
	if t.drawsTold.dead != 0 {
		return
	}
	kind, ok := drawn(t.g.nodes)
	if !ok && proveDead(t.g.nodes) {
		kind, ok = kinds.Dead, true
	}
	if ok && t.drawsTold.tell(kind, t.g.last().ply) {
		t.reportFact(kind, "")
	}
}

func (t *Tracker) end(result, by string) {
	if t.pend.on {
		s := t.presser(t.pend.side)
		t.pend = pending{}
		t.emitPress(s, string(kinds.NotUnderstood))
	}
	t.notKnownAtEnd()
	t.phase = over
	t.withdrawOutOfTurn()
	t.kingsAt, t.mismatchAt, t.pieceAt = 0, 0, 0
	t.reportEnd(result, by)
	t.g.proved = Result{Stamp: t.now, Game: t.games, Result: result, By: by, State: Proposed}
	t.emit(t.g.proved)
}

// takeBack returns to the position k plies ago. Where only an illegal ply is removed, no move is taken back: the last
// good position has been restored.
func (t *Tracker) takeBack(k int) { t.takeBackTo(k, len(t.b.Changes)) }

// takeBackTo is takeBack where the given number of changes have led to that position.
func (t *Tracker) takeBackTo(k, changes int) {
	moves := 0
	wrong := false
	for _, n := range t.g.nodes[len(t.g.nodes)-k:] {
		wrong = wrong || n.wrong.on
		if !n.wrong.open() {
			moves++
		}
	}
	t.g.nodes = t.g.nodes[:len(t.g.nodes)-k]
	t.b.Rebase(changes)
	if moves > 0 {
		t.withdrawOutOfTurn()
	}
	t.clearDoubts()
	if moves > 0 {
		t.drawsTold.goBack(t.g.last().ply)
		t.emit(TakenBack{Stamp: t.now, Game: t.games, Ply: t.g.last().ply})
	}
	if wrong {
		t.reportPutBack()
	}
}

// quiet runs when the board has not changed for a while. It commits a move that ended the game without a press, lets a
// game without a clock catch up, and starts the wait for a note where nothing explains the board.
func (t *Tracker) quiet() {
	if t.beforeStart() {
		t.checkInitialArray()
	}
	if t.phase != playing || t.boardUnknown() {
		return
	}
	if t.sync.pliesUnknown {
		t.restedAfter()
		return
	}
	if t.mayBeReplayed() && t.arrayStands() {
		t.lookForStart()
		return
	}
	t.slidFurther(legal.NoSide)
	t.catchUpInQuiet()
	if t.phase == playing && !t.putBackAfterFault() && !t.putRightOtherwise() {
		t.restsOn()
	}
}

// restsOn judges a board that rests during a game: it equals the record, or is one ply ahead of it, or nothing explains
// it.
func (t *Tracker) restsOn() {
	t.lookAround()
	if t.putRightAndOver() {
		return
	}
	if t.reportBehind() {
		return
	}
	base := t.g.last()
	if base.place == t.b.Live {
		t.endMismatch()
		t.inStep()
		return
	}
	if m, ok := play.OnePly(&base.pos, &t.b.Live); ok {
		if !t.putDownLate(m) && t.endsGame(m) && !t.afterStop(len(t.b.Changes)) {
			t.pressedBefore(m)
			t.commit(m, ByTerminal, -1)
		}
		return
	}
	if t.phase == playing && t.mismatchAt == 0 && !t.mismatchNoted && (t.c.Running() || t.c.Absent()) && !t.explained() {
		t.mismatchAt = t.now.At + t.p.MismatchUS - t.p.QuietUS
		t.wantDump = true
	}
}

// putBackAfterFault takes back the last ply where its player has restored the position before it while that player's
// time runs: a ply with a finding, after which the opponent has pressed back, or a ply without a press, which only the
// board has shown.
func (t *Tracker) putBackAfterFault() bool {
	turn := t.c.Turn()
	if !t.c.Running() || t.g.earlier(&t.b.Live, turn) != 1 || !t.faultOf(turn) && t.unpressedPlies() == 0 {
		return false
	}
	t.takeBack(1)
	return true
}

// replacedAfterFault does so at that player's press, where the position was restored only for a moment and another move
// followed. After a press without a move, the ply that counts as the reply goes as well: the player who pressed may
// have moved that piece of the opponent's.
func (t *Tracker) replacedAfterFault(s legal.Side) {
	for k := t.unpressedPlies(); k > 0; k-- {
		if t.replacedFrom(k, s, false) {
			return
		}
	}
	if t.agreedToTakeBack(s) || t.takenBackByBoth(s) {
		return
	}
	plies := 1
	if !t.faultOf(s) {
		plies = 2
		if n := len(t.g.nodes); n < 3 || !t.g.nodes[n-2].wrong.nullMove || t.g.nodes[n-2].wrong.done.side != s {
			return
		}
	}
	t.replacedFrom(plies, s, false)
}

// agreedToTakeBack takes back the last move of s and the press without a move by which the opponent allowed that: the
// opponent has not forgotten to move. It requires that s restored the position before making another move, or held the
// piece of the last move at that press.
func (t *Tracker) agreedToTakeBack(s legal.Side) bool {
	top, passed := t.g.last(), t.alt.nullPress
	w := top.wrong
	if passed.ID != "" && passed.Side == s.Other() && t.replacedFrom(1, s, t.lastMovePutBack()) {
		if passed.State == rules.Confirmed {
			t.drop(passed, words.Say("withdrawn.taken_back"))
		}
		return true
	}
	if !w.open() || !w.nullMove || w.done.side != s.Other() || t.lastNullPress.ID != w.done.finding {
		return false
	}
	if !t.replacedFrom(2, s, t.lastMoveInHand(&t.lastNullPress.Case.At)) {
		return false
	}
	t.withdraw(&t.lastNullPress, words.Say("withdrawn.taken_back"))
	return true
}

// lastMovePutBack reports whether each square of the last move was reported as it was before that move, perhaps while
// the next move was being made.
func (t *Tracker) lastMovePutBack() bool {
	n := len(t.g.nodes)
	return n >= 2 && t.b.Reported(&t.g.nodes[n-1].place, &t.g.nodes[n-2].place)
}

// lastMoveInHand reports whether a square of the last move before a press without a move read otherwise at that press
// than the move had left it. The press without a move is the last ply of the record.
func (t *Tracker) lastMoveInHand(at *legal.Placement) bool {
	n := len(t.g.nodes)
	return n >= 3 && play.Difference(&t.g.nodes[n-3].place, &t.g.nodes[n-2].place)&play.Difference(at, &t.g.nodes[n-1].place) != 0
}

// replacedFrom takes back the given number of plies, where the position before them was on the board for a moment (or
// is known to have been changed), a legal move of s followed it, and only the opponent has put pieces down since.
func (t *Tracker) replacedFrom(plies int, s legal.Side, known bool) bool {
	if len(t.g.nodes) <= plies {
		return false
	}
	before := &t.g.nodes[len(t.g.nodes)-1-plies]
	back := t.b.Seen(&before.place)
	if before.pos.Turn() != s || !known && back <= 0 {
		return false
	}
	back = max(back, 0)
	anew := play.AnyMove(&before.pos, func(m legal.Move) bool {
		place := play.PlacementAfter(before.place, m)
		return t.b.Seen(&place) > back && !puts(&place, &t.b.Live, s)
	})
	if p := t.pend; anew {
		t.takeBackTo(plies, back)
		if t.pend = p; p.n > 0 {
			t.pend.n = max(p.n-back, 0)
		}
	}
	return anew
}

// puts reports whether between two placements a piece of s has come to some square.
func puts(from, to *legal.Placement, s legal.Side) bool {
	for sq, is := range to {
		if is != from[sq] && is.Side() == s {
			return true
		}
	}
	return false
}

// unpressedPlies counts the plies at the end of the record that no press has completed or can still complete: the board
// showed them, and their answers.
func (t *Tracker) unpressedPlies() (n int) {
	for nodes := t.g.nodes; t.pressedAt == 0 && n < len(nodes)-1; n++ {
		if last := &nodes[len(nodes)-1-n]; last.by != ByReply || last.wrong.on {
			break
		}
	}
	return n
}

// faultOf reports whether a finding is open about the last ply, which is a legal move of s.
func (t *Tracker) faultOf(s legal.Side) bool {
	base := t.g.last()
	return s != legal.NoSide && s != base.pos.Turn() && t.fault.side == s && t.fault.ply == base.ply && !base.wrong.on
}

// endsGame reports whether a legal move ends the game when it is made, without a press (FIDE Laws 5.1.1, 5.2.1, 5.2.2,
// 9.6).
func (t *Tracker) endsGame(m legal.Move) bool {
	base := t.g.last()
	after := base.pos.After(m)
	switch after.Outcome() {
	case legal.Checkmate, legal.Stalemate:
		return true
	}
	return dead(&after) || after.HalfMoves() >= seventyFiveMoves || repetitionsAfter(t.g.nodes, m) >= 5
}

// pressedBefore judges a waiting press as the press of m, which now explains the board.
func (t *Tracker) pressedBefore(m legal.Move) {
	if p := t.pend; p.on {
		t.pend = pending{}
		t.emitPress(t.presser(p.side), t.lateness(p.at, len(t.b.Changes), m))
	}
}

// explained reports whether some innocent reading of the board exists, a move half made included.
func (t *Tracker) explained() bool {
	if t.follower != nil && t.followsBoard() {
		return t.follower.Explains()
	}
	base := t.g.last()
	live := &t.b.Live
	turn := base.pos.Turn()
	if base.place == *live || play.InProgress(&base.place, live, turn) || play.InProgress(&base.place, live, turn.Other()) {
		return true
	}
	if _, ok := play.OnePly(&base.pos, live); ok {
		return true
	}
	if _, _, ok := t.explainPress(&base.pos, turn, t.now.At); ok {
		return true
	}
	if good, ok := t.beneath(); ok {
		if _, one := play.OnePly(&good.pos, live); one || good.place == *live || play.InProgress(&good.place, live, good.pos.Turn()) {
			return true // the last good position is being restored
		}
	}
	return play.CanBePlies(&base.pos, live, 2, 0)
}

// mismatch notes that the board has been unexplained for long. The note is about the board's health, not an offence.
func (t *Tracker) mismatch() {
	if t.phase != playing || t.sync.pliesUnknown && t.goOnAfter() || t.mismatchNoted || t.explained() {
		return
	}
	t.tellMismatch()
}

// farFromRecord reports whether many squares differ from the record.
func (t *Tracker) farFromRecord() bool {
	place := t.g.last().place
	return play.Count(play.Difference(&place, &t.b.Live)) >= 5
}

// cleared reports whether the board has long differed from the record in many squares: the players have put the pieces
// away, or use them for something else.
func (t *Tracker) cleared() bool { return t.mismatchNoted && t.farFromRecord() }

// tellMismatch notes how the board differs from the record.
func (t *Tracker) tellMismatch() {
	t.mismatchNoted = true
	what, detail := "board_mismatch", words.Say("row.board_mismatch")
	if t.farFromRecord() {
		what, detail = "board_disturbed", words.Say("row.board_disturbed")
	}
	t.note(what, detail)
	t.wantDump = true
}
