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
	wrong wrong // how it came about, if not by a legal move

	guess promotion // that led here, if its piece was not read

	unseen howKnown // whether the plies to here were seen

	made  int64          // when its last square was reported; 0: it was not
	via   stay           // where its piece had stood before
	clock evidence.Times // as it was told with the ply that led here
	by    CommittedBy
	empty uint64 // squares that read empty when it was committed, where a piece should stand
}

// wrong says that a position came about by something else than a legal move: an illegal move that was pressed, a press
// without a move. The position before it may be restored, or the opponent may play on from it: both futures are open
// until then. The zero value is a legal move.
type wrong struct {
	on    bool
	null  bool         // pressed without a move: the same pieces, the other side to move
	promo legal.Square // where a pawn waits for its piece, or NoSquare
	stays bool         // the opponent has answered: it is the game now
	done  illegalPly   // what was done
}

// An illegalPly is what was found where the record has no legal move.
type illegalPly struct {
	finding string // its identity; empty: withdrawn, or the finding is none of a move
	side    legal.Side
	uci     string
	clock   evidence.Times
}

// nodes are the positions of a game as the checks see them.
type nodes []node

func (n nodes) Len() int                       { return len(n) }
func (n nodes) Position(i int) *legal.Position { return &n[i].pos }

// game is one game's line of committed positions. The last node is the base that live boards are compared with.
type game struct {
	nodes  []node
	start  int // Chess960 number, or -1
	proved Result
}

// with is the game with one more position, that is not part of the record.
func (g *game) with(n node) nodes { return append(slices.Clip(g.nodes), n) }

// maxBack is how many plies back a take-back is recognised (reconstruction notes 7.3).
const maxBack = 12

// The positions that are kept. What moved the pieces for weeks (a board in a club) does not fill the memory.
const (
	recentNodes = 4 * maxBack // at least this many: a finding is looked at again a few plies later
	maxNodes    = 2048        // at most; then the older half goes, and repetitions are counted from there
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

// before are the positions before the last one to which moves may be taken back, oldest first.
func (g *game) before() (list []legal.Position) {
	for i := max(0, len(g.nodes)-1-maxBack); i < len(g.nodes)-1; i++ {
		list = append(list, g.nodes[i].pos)
	}
	return list
}

// kingPressed says that a move of the player's king was seen and pressed.
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
	g.start = start
	g.proved = Result{}
}

func (g *game) push(m legal.Move) {
	l := g.last()
	pos := l.pos.After(m)
	g.grow(node{pos: pos, place: pos.Placement(), ply: l.ply + 1})
}

func (g *game) grow(n node) {
	if len(g.nodes) == cap(g.nodes) && len(g.nodes) > recentNodes {
		kept := g.nodes[g.oldest():] // moved, and not within its array: a caller may hold a node
		g.nodes = append(make([]node, 0, len(kept)+maxBack), kept...)
	}
	g.nodes = append(g.nodes, n)
}

// oldest is the index of the first node that may still be asked for: a recent one, or one that the last position, or
// one that a take-back may lead to, could repeat. What stood before the last capture or pawn move cannot appear again.
// A part of the record that nobody saw is kept, with what is before it, until the board's log has told it.
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

// earlier returns how many plies back the placement stood with the given side to move, nearest first; 0 is never.
func (g *game) earlier(live *legal.Placement, turn legal.Side) int {
	for k := 1; k <= maxBack && k < len(g.nodes); k++ {
		n := &g.nodes[len(g.nodes)-1-k]
		if n.place == *live && (turn == legal.NoSide || n.pos.Turn() == turn) {
			return k
		}
	}
	return 0
}

// commit takes m as played. At is how many changes of the history led to the placement after it, or -1 where that
// placement was not seen by itself.
func (t *Tracker) commit(m legal.Move, by CommittedBy, at int) {
	if by == ByPress && t.begunInCalm() {
		t.trust.guessed = 0
	}
	if t.alt.stays != 0 {
		t.note("lever_bounced", words.Say("row.lever_bounced"))
	}
	is := t.orderOf(m, at)
	t.dropUnexplained()
	t.letStand()
	before := t.g.pos()
	t.tellHints(m, by, at, t.tellHands(m, by, at))
	touched := t.b.Touched()
	left := emptied{}
	if by == ByPress {
		left = t.emptiedBy(m)
	}
	t.join.eitherWay = t.join.eitherWay && t.g.last().place[m.From()].Kind() != legal.Pawn
	via, gone := t.stoodOn(m), t.goneBefore(m, at)
	t.g.push(m)
	t.g.last().made, t.g.last().via = t.b.ReportedAt(at), via
	t.learnReportDelay(by, at)
	t.fault = fault{} // a legal move in place of what was wrong is none
	if at >= 0 {
		t.b.Rebase(at)
	} else {
		t.b.Clear()
	}
	t.settled()
	t.turn.emptied, t.turn.goneBefore = left, gone
	if by == ByPress && t.turnSince > 0 {
		t.paced(t.judgedAt - t.turnSince)
	}
	t.pressedAt, t.turnSince, t.mergedAt = 0, 0, 0
	if by == ByPress {
		t.pressedAt, t.turnSince = t.now.At, t.judgedAt
		t.trust.moves = max(t.trust.moves-1, 0)
		switch is {
		case inOrder:
			t.trust.guessed = max(t.trust.guessed-1, 0)
		case outOfOrder:
			t.guess()
		}
	}
	if by == ByReply && t.trust.guessed > 0 {
		t.trust.guessed = max(t.trust.guessed, guessMoves+1) // a move and its answer at one press are no moves in order
	}
	n := t.g.last()
	n.clock, n.by = t.c.Times(), by
	if t.openUnseen {
		t.openUnseen = false
		t.markChosen(n.ply - 1)
	}
	t.emit(Moved{
		Stamp: t.now, Game: t.games, Ply: n.ply, Before: before, Move: m, Clock: t.timesOf(n), By: by, Differs: t.b.Differs(),
	})
	t.tellStillEmpty(touched)
	t.checkEnd()
}

// timesOf is what the clock shows at a ply; nothing where it runs and is not heard: what it showed last was earlier.
func (t *Tracker) timesOf(n *node) evidence.Times {
	if n.by != ByPress && t.c.Silent(t.now) {
		return evidence.Times{}
	}
	return n.clock
}

// settled forgets every doubt: the board has been explained.
func (t *Tracker) settled() {
	t.b.Settle()
	t.pend, t.alt, t.turn, t.trust.unsure = pending{}, branch{}, inTurn{}, false
	t.sync.lost, t.sync.unknown = false, false
	t.understood()
}

// understood ends the doubt about a board that matched nothing.
func (t *Tracker) understood() {
	t.mismatchAt = 0
	if t.noted {
		t.noted = false
		t.note("board_explained", words.Say("row.board_explained"))
	}
}

// checkEnd ends the game that the last move ended (FIDE Laws 5.1.1, 5.2.1): no press is needed for that.
func (t *Tracker) checkEnd() {
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

// checkDraw tells each automatic draw once, and nothing more of a dead position: it stays dead, whatever is played on.
func (t *Tracker) checkDraw() {
	if t.drawsTold.dead != 0 {
		return
	}
	kind, ok := drawn(t.g.nodes)
	if !ok && proveDead(t.g.nodes) {
		kind, ok = kinds.Dead, true
	}
	if ok && t.drawsTold.tell(kind, t.g.last().ply) {
		t.tellFact(kind, "")
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
	t.tellEnd(result, by)
	t.g.proved = Result{Stamp: t.now, Game: t.games, Result: result, By: by, State: Proposed}
	t.emit(t.g.proved)
}

// takeBack returns to the position k plies ago. Where only what was wrong goes, no move is taken back: the last good
// position has been restored.
func (t *Tracker) takeBack(k int) { t.takeBackTo(k, len(t.b.Changes)) }

// takeBackTo does so where the first changes, as many as that, have led there.
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
	t.settled()
	if moves > 0 {
		t.drawsTold.goBack(t.g.last().ply)
		t.emit(TakenBack{Stamp: t.now, Game: t.games, Ply: t.g.last().ply})
	}
	if wrong {
		t.toldPutBack()
	}
}

// quiet runs when the board has not changed for a while. It commits a move that ended the game without a press, lets
// a game without a clock catch up, and starts to wonder where nothing explains the board.
func (t *Tracker) quiet() {
	if t.phase != playing {
		t.checkInitialArray()
		return
	}
	if t.waits() {
		return
	}
	if t.sync.unknown {
		t.restedAfter()
		return
	}
	t.slidFurther(legal.NoSide)
	t.catchUpInQuiet()
	if t.phase == playing && !t.putBackAfterFault() && !t.putRightOtherwise() {
		t.restsOn()
	}
}

// restsOn looks at a board that rests during a game: it stands as the record has it, or one ply further, or nothing
// explains it.
func (t *Tracker) restsOn() {
	t.lookAround()
	if t.putRightAndOver() {
		return
	}
	if t.tellBehind() {
		return
	}
	base := t.g.last()
	if base.place == t.b.Live {
		t.understood()
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
	if t.phase == playing && t.mismatchAt == 0 && !t.noted && (t.c.Running() || t.c.Absent()) && !t.explained() {
		t.mismatchAt = t.now.At + t.p.MismatchUS - t.p.QuietUS
		t.wantDump = true
	}
}

// putBackAfterFault takes back a ply with which something was found, once its player has put everything back while the
// opponent, who has pressed back, lets that player's time run; and plies that nobody has pressed, which were shown on
// the board only.
func (t *Tracker) putBackAfterFault() bool {
	turn := t.c.Turn()
	if !t.c.Running() || t.g.earlier(&t.b.Live, turn) != 1 || !t.faultOf(turn) && t.unpressedPlies() == 0 {
		return false
	}
	t.takeBack(1)
	return true
}

// replacedAfterFault is the same at that player's press, where everything was put back for a moment only before another
// move was made. After a press without a move, what was taken for the reply to it is put back as well: the player who
// pressed may have moved that piece of the opponent's.
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
		if n := len(t.g.nodes); n < 3 || !t.g.nodes[n-2].wrong.null || t.g.nodes[n-2].wrong.done.side != s {
			return
		}
	}
	t.replacedFrom(plies, s, false)
}

// agreedToTakeBack takes back the last move of s, and the opponent's press after it, where he has pressed without a move
// and s has put his own move back before he made another one, or had its piece in the hand at that press: the opponent
// let his time run for that, and has not forgotten to move.
func (t *Tracker) agreedToTakeBack(s legal.Side) bool {
	top, passed := t.g.last(), t.alt.passed
	w := top.wrong
	if passed.ID != "" && passed.Side == s.Other() && t.replacedFrom(1, s, t.lastMovePutBack()) {
		if passed.State == rules.Confirmed {
			t.drop(passed, words.Say("withdrawn.taken_back"))
		}
		return true
	}
	if !w.open() || !w.null || w.done.side != s.Other() || t.nothing.ID != w.done.finding {
		return false
	}
	if !t.replacedFrom(2, s, t.lastMoveInHand(&t.nothing.Case.At)) {
		return false
	}
	t.withdraw(&t.nothing, words.Say("withdrawn.taken_back"))
	return true
}

// lastMovePutBack says that each square of the last move was reported as it was before that move, be it while the next one was
// being made.
func (t *Tracker) lastMovePutBack() bool {
	n := len(t.g.nodes)
	return n >= 2 && t.b.Reported(&t.g.nodes[n-1].place, &t.g.nodes[n-2].place)
}

// lastMoveInHand says that at a press without a move, on top of the record, a square of the opponent's move before it read
// otherwise than that move left it.
func (t *Tracker) lastMoveInHand(at *legal.Placement) bool {
	n := len(t.g.nodes)
	return n >= 3 && play.Difference(&t.g.nodes[n-3].place, &t.g.nodes[n-2].place)&play.Difference(at, &t.g.nodes[n-1].place) != 0
}

// replacedFrom takes back that number of plies where the position before them was set up for a moment, or is known to
// have been left otherwise, and then a legal move of s stood there, after which only the opponent has moved pieces.
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
		place := play.Landing(before.place, m)
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

// puts says that from one placement to another a piece of s has come to some square.
func puts(from, to *legal.Placement, s legal.Side) bool {
	for sq, is := range to {
		if is != from[sq] && is.Side() == s {
			return true
		}
	}
	return false
}

// unpressedPlies is how many plies the record ends with that no press has completed and none can any more: they stood
// there, and were answered.
func (t *Tracker) unpressedPlies() (n int) {
	for nodes := t.g.nodes; t.pressedAt == 0 && n < len(nodes)-1; n++ {
		if last := &nodes[len(nodes)-1-n]; last.by != ByReply || last.wrong.on {
			break
		}
	}
	return n
}

// faultOf reports whether something was found with the last ply, which is legal and which the side has made.
func (t *Tracker) faultOf(s legal.Side) bool {
	base := t.g.last()
	return s != legal.NoSide && s != base.pos.Turn() && t.fault.side == s && t.fault.ply == base.ply && !base.wrong.on
}

// endsGame says whether a legal move ends the game when it is made, with no press (FIDE Laws 5.1.1, 5.2.1, 5.2.2, 9.6).
func (t *Tracker) endsGame(m legal.Move) bool {
	base := t.g.last()
	after := base.pos.After(m)
	switch after.Outcome() {
	case legal.Checkmate, legal.Stalemate:
		return true
	}
	return dead(&after) || after.HalfMoves() >= seventyFiveMoves || repetitionsAfter(t.g.nodes, m) >= 5
}

// pressedBefore judges a press that still waits, for a move that has now explained itself.
func (t *Tracker) pressedBefore(m legal.Move) {
	if p := t.pend; p.on {
		t.pend = pending{}
		t.emitPress(t.presser(p.side), t.lateness(p.at, len(t.b.Changes), m))
	}
}

// explained says whether some innocent reading of the board exists, a turn half done included.
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

// mismatch notes that the board has been unexplained for long. It is a note on the board's health, not an offence.
func (t *Tracker) mismatch() {
	if t.phase != playing || t.sync.unknown && t.goOnAfter() || t.noted || t.explained() {
		return
	}
	t.tellMismatch()
}

// tellMismatch notes how the board differs from the record.
func (t *Tracker) tellMismatch() {
	t.noted = true
	what, detail := "board_mismatch", words.Say("row.board_mismatch")
	place := t.g.last().place
	if n := play.Count(play.Difference(&place, &t.b.Live)); n >= 5 {
		what, detail = "board_disturbed", words.Say("row.board_disturbed")
	}
	t.note(what, detail)
	t.wantDump = true
}
