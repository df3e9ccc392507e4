package detector

import (
	"boardwatchd/detector/array"
	"boardwatchd/detector/evidence"
	"boardwatchd/detector/offence"
	"boardwatchd/detector/play"
	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// This file continues a game from a board that the record does not lead to.

// branch is the board at a press that nothing explained, taken as a position in its own right: if the opponent plays on
// from it, the record follows (reconstruction notes, row 57).
type branch struct {
	on      bool
	valid   bool // pos is a position that can be played from
	pos     legal.Position
	live    legal.Placement
	until   int64   // when the board was last so
	presses int     // unexplained presses since the last commit
	times   []int64 // when they were reported

	// When the clock was pressed with a piece off the board, if no more is known of it; 0: this is not so.
	inHand int64
	// A press right after the opponent's, if it was a press without a move and no lever that came back by itself.
	nullPress       Found
	bounceDecidedAt int64 // when the lever will have stayed down for so long that it did not bounce; 0: that has been judged
}

// branchAt keeps the last position with the other side to move, after a press by s that moved nothing and whose meaning
// is unknown.
func (t *Tracker) branchAt(s legal.Side) {
	base := t.g.last()
	t.alt = branch{on: true, live: base.place, presses: 1}
	t.alt.pos, t.alt.valid = t.standing(&base.pos, base.place, s.Other())
}

// mayPlayOnFrom keeps a board from which s may play on without an offence: pieces of s were moved before the opponent's
// press, in the opponent's turn, or nothing explained the given number of presses since the last commit.
func (t *Tracker) mayPlayOnFrom(live legal.Placement, s legal.Side, presses int) {
	t.alt = branch{on: true, live: live, presses: presses}
	t.alt.pos, t.alt.valid = t.positionFrom(live, s)
}

// judgeBranch explains a press from the board at an earlier unexplained press: the players went on from there, and so
// does the record.
func (t *Tracker) judgeBranch(s legal.Side, at int64) bool {
	m, n, ok := t.playedFromBranch(s, at)
	if !ok {
		return false
	}
	if f := t.alt.nullPress; f.ID != "" && !t.inPace(&f) && !t.doubtful() && !t.gapLately() && t.trusted(t.judgedAt) {
		t.pressPassed()
		t.alt.bounceDecidedAt = 0
		t.pushNullMove(f.Side, f.ID) // the lever stayed down, and only the player who then had the move has moved
		f.Stamp, f.Proof, f.Permille, f.Note = t.now, rules.Strong, offence.StrongPermille, words.Sentence{}
		t.openCertain(f)
	} else if was := t.alt; n >= 0 || !t.betweenPlies(&was.pos) {
		ply, lost := t.g.last().ply+was.presses, t.sync.reportsLost || t.outOfStep() && t.roomInGap() > 1
		lost = n < 0 && t.refuteGuess() || lost
		t.rebaseOn(was.pos, ply, lost)
		t.noteGuessedPlies() // this press may be that of another ply
	}
	t.emitPress(s, "ok")
	t.commit(m, ByPress, n)
	return true
}

// inPace reports whether a press without a move, not reported yet, came as long after the opponent's press as plies
// take in this game: it may belong to a ply that was not read, or that the record has otherwise.
func (t *Tracker) inPace(f *Found) bool {
	return f.State != rules.Confirmed && f.Window.Hi-t.turnPressedAt >= t.quickPly()*3/4
}

// playedFromBranch returns the move of s that leads from the branch to the board. After a lever that may have come back
// by itself the move may lie n changes back, because the opponent has begun to reply or has replied.
func (t *Tracker) playedFromBranch(s legal.Side, at int64) (m legal.Move, n int, ok bool) {
	if !t.alt.on || !t.alt.valid || t.alt.pos.Turn() != s {
		return 0, 0, false
	}
	if m, ok = play.OnePly(&t.alt.pos, &t.b.Live); ok || t.alt.nullPress.ID == "" {
		return m, -1, ok
	}
	x, tied, ok := t.explainPress(&t.alt.pos, s, at)
	if !ok || tied || x.Seen[0] <= 0 || t.b.Stood(x.Seen[0]) < play.StillUS || t.contrary(&t.alt.pos, x.Moves[:1]) {
		return 0, 0, false
	}
	return x.Moves[0], x.Seen[0], true
}

// putDownLate commits, when the board rests, the legal move of a piece that was off the board at the press and has been
// put down since. It is unknown whether it was in the hand or beside its square meanwhile.
func (t *Tracker) putDownLate(m legal.Move) bool {
	at, base := t.alt.inHand, t.g.last()
	if at == 0 || t.c.Turn() != base.pos.Turn().Other() || t.judgementPaused || t.doubtful() {
		return false
	}
	t.judgedAt = at
	t.commit(m, ByPress, -1)
	return true
}

// nullPressHolds reports whether the lever has stayed down for at least the given time since a press without a move,
// and nothing has moved.
func (t *Tracker) nullPressHolds(us int64) bool {
	f := &t.alt.nullPress
	stayed := f.ID != "" && t.now.At-f.Window.Hi >= us && t.c.Turn() == f.Side.Other()
	return stayed && f.State != rules.Confirmed && !t.judgementPaused && t.b.Live == t.g.last().place && !t.doubtful() && !t.gapLately()
}

// reportNullPressAtStop reports, when the clock is stopped, that the lever has stayed down: the player may have pressed
// without a move, and the clock was stopped for that. It is a hint only, because the press came as soon as a lever
// bounces, which the players do not notice.
func (t *Tracker) reportNullPressAtStop() {
	if !t.nullPressHolds(play.BounceUS) {
		return
	}
	f := &t.alt.nullPress
	t.alt.bounceDecidedAt = 0
	t.pressPassed()
	f.Stamp, f.State, f.Proof, f.Permille, f.Note = t.now, rules.Confirmed, rules.Hint, offence.HintPermille, words.Say("row.lever_bounced")
	t.emit(*f)
}

// leverStayed reports, some seconds after a press right after the opponent's, that it was a press without a move: the
// opponent's time runs. Where it came as soon as a lever bounces, or the sides of the clock are uncertain, it is only
// noted as a bounce.
func (t *Tracker) leverStayed() {
	f, base := &t.alt.nullPress, t.g.last()
	if base.place != t.b.Live {
		t.alt.bounceDecidedAt = t.now.At + stayedUS // the moves under way will show it
		return
	}
	t.alt.bounceDecidedAt = 0
	if t.nullPressHolds(stayedUS) && t.c.Running() && !t.sidesUncertain() && f.Window.Hi-t.turnPressedAt >= swungUS && t.trusted(t.now.At) {
		t.pressPassed()
		f.Stamp, f.Note = t.now, words.Say("row.lever_bounced")
		t.openFinding(*f)
		f.State = rules.Confirmed
		return
	}
	t.note("lever_bounced", words.Say("row.lever_bounced"))
}

// pressPassed reports the press itself, once.
func (t *Tracker) pressPassed() {
	if f := &t.alt.nullPress; f.State != rules.Confirmed {
		t.emit(Pressed{Stamp: t.now, Game: t.games, Side: f.Side, Judged: string(kinds.IllegalNoMove), Gained: f.Gained, Clock: evidence.Times(f.Clock)})
	}
}

// withdrawNullPress withdraws the finding of a press without a move, where that player makes a legal move while the
// opponent's time runs: the lever has come back by itself, and neither player has noticed.
func (t *Tracker) withdrawNullPress() {
	f, base := &t.alt.nullPress, t.g.last()
	if f.State != rules.Confirmed || t.c.Turn() != f.Side.Other() {
		return
	}
	if _, ok := play.OnePly(&base.pos, &t.b.Live); ok {
		t.withdraw(f, words.Say("withdrawn.goes_on"))
	}
}

// leverReturns judges a press that puts the lever back after a press without a move right after the opponent's. It
// reports whether the lever bounced: then neither was a press.
func (t *Tracker) leverReturns(was *branch, s legal.Side) (bounced bool) {
	f := &was.nullPress
	switch {
	case f.ID == "":
		return false
	case f.State == rules.Confirmed:
		t.drop(*f, words.Say("withdrawn.game_on")) // the first press may not have held
		return false
	case was.bounceDecidedAt != 0:
		t.note("lever_bounced", words.Say("row.lever_bounced"))
	}
	if bounced = t.judgedAt-f.Window.Hi < play.BounceUS; bounced {
		t.reportLeverBounce(s)
	}
	return bounced
}

// reportLeverBounce reports the time that a bouncing lever has added for the player whose end went down.
func (t *Tracker) reportLeverBounce(s legal.Side) {
	t.emit(Turn{Stamp: t.now, Game: t.games, What: LeverBounced, Side: s, Clock: t.pressClock, Gained: t.pressGainedSec})
}

// positionFrom makes a position of the board as it is. It has the record's castling rights whose king and rook are
// still at home: a dump never gives a right back (laws notes 1.3), and an illegal move takes none away.
func (t *Tracker) positionFrom(live legal.Placement, turn legal.Side) (legal.Position, bool) {
	base := t.g.pos()
	s := base.Setup()
	s.Castling = play.KeptRights(&s, &live)
	if good, ok := t.beneath(); ok {
		before := good.pos.Setup()
		s.Castling |= play.KeptRights(&before, &live)
	}
	if t.setUpInPause(&live) {
		s.Castling |= array.Rights(&live)
	}
	s.Placement = live
	s.Turn = turn
	s.EnPassant = legal.NoSquare
	pos, err := s.Position()
	if err != nil && t.b.Verified >= t.b.LastAt && !play.Crowded(&live) {
		pos, err = s.Standing() // a dump confirms the board: the game goes on from something illegal
	}
	return pos, err == nil
}

// setUpInPause reports whether a board was set up by hand while the clock was stopped: at least two pieces are on other
// squares than the last move left them. It is then unknown whether a king or a rook on its first square has moved.
func (t *Tracker) setUpInPause(live *legal.Placement) bool {
	base := t.g.last()
	return t.paused() && play.Count(play.Difference(&base.place, live)) >= twoPiecesMoved
}

// twoPiecesMoved is the least number of squares that differ where two pieces have been put elsewhere.
const twoPiecesMoved = 4

// plyFor returns the number of plies played at a position, at least the given number: even where White has the move.
func plyFor(pos *legal.Position, least int) int {
	if (pos.Turn() == legal.White) != (least%2 == 0) {
		least++
	}
	return least
}

// gapPlies is the number of plies after a gap during which the record may have another move than was made, so that each
// press completes another ply. Until then a press right after the opponent's may be a lever that came back, and neither
// calm nor rest ends a doubt.
const gapPlies = 12

// noteCut notes that the line was cut.
func (t *Tracker) noteCut() {
	if t.phase == playing {
		t.sync.gapPastFromPly = t.g.last().ply + gapPlies
	}
}

// cutSinceLastPly reports whether the line was cut since the last ply of the record.
func (t *Tracker) cutSinceLastPly() bool { return t.sync.gapPastFromPly == t.g.last().ply+gapPlies }

// An order tells whether a move can be the one whose press is judged. After a gap, a press that is reported before the
// board shows the move, or after the opponent has put a piece down, is the press of another ply, and the record has
// gone on from the wrong board.
type order uint8

const (
	inOrder order = iota
	mayBeInOrder
	outOfOrder
)

// orderOf returns the order of m, which the first n changes made.
func (t *Tracker) orderOf(m legal.Move, n int) (is order) {
	if t.trust.movesUntilAccusable == 0 && !t.gapLately() || t.judgedAt < t.sync.lostAt {
		return inOrder // or its press was not heard
	}
	if n < 0 {
		n = len(t.b.Changes)
	}
	base := t.g.last().place
	place := play.PlacementAfter(base, m)
	own, by := play.Difference(&base, &place), base[m.From()].Side()
	begun := false
	for i := range t.b.Changes[:n] {
		c := &t.b.Changes[i]
		switch {
		case own>>c.Square&1 != 0:
			begun = true
			is = max(is, t.orderOfSquare(c, place[c.Square]))
		case !begun && c.Is.Side() == by.Other() && t.b.Live[c.Square] == c.Is && base[c.Square] != c.Is:
			return outOfOrder
		}
	}
	return is
}

// orderOfSquare returns the order that one square of a move shows; left is what the move leaves there. A report after
// the press, but within one scan of the board, is undecided where earlier presses were reported after their plies.
func (t *Tracker) orderOfSquare(c *evidence.Change, left legal.Piece) order {
	switch {
	case c.Is != left || c.Window.Hi <= t.judgedAt || c.FromDump:
		return inOrder
	case t.bound().After(t.judgedAt, c) || !t.reportedAfterPlies():
		return outOfOrder
	}
	return mayBeInOrder
}
