package detector

import (
	"slices"

	"boardwatchd/detector/evidence"
	"boardwatchd/detector/offence"
	"boardwatchd/detector/play"
	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// A fault is the last thing that was found against a side. A press without a move that only restarts that side's clock
// answers it and is no offence.
type fault struct {
	side legal.Side
	ply  int // the ply that it is about
}

// An openPress is a waiting press that no legal play explains, during one look at it.
type openPress struct {
	*Tracker
	by    legal.Side
	base  *node
	v     offence.View
	sh    offence.Shape // what the checks recognise in the view; set by the row "no check recognises the board"
	final bool          // the last look: no further reports are awaited
}

// A pressRow is one situation of a press that no legal play explains. The first row that matches decides.
type pressRow struct {
	situation string
	waits     bool                  // the row does not match at the last look
	is        func(*openPress) bool // whether the situation is there
	then      func(*openPress) bool // what it reports; false: nothing, or not yet
}

// pressRows begin with situations that are innocent or cannot be judged; a row for an offence that needs a narrower
// guard goes before the last one.
var pressRows = []pressRow{
	{"it is not known who pressed, or from where the game goes on", false, (*openPress).fromNowhere, abstain("row.press_from_nowhere")},
	{"nothing has moved, and the lever may come back", true, (*openPress).leverMayComeBack, reportNothing},
	{"nothing has moved", false, (*openPress).nothingHasMoved, (*openPress).judgeNothingMoved},
	{"the player's own pieces have just moved", true, (*openPress).stillPutting, reportNothing},
	{"a move and its reply lead to the board", true, (*openPress).movedAndAnswered, reportNothing},
	{"a move explains the board, and more of the reply may come", true, (*openPress).movedAndMore, reportNothing},
	{"an earlier position stands there: moves may be taken back", true, (*openPress).stoodEarlier, reportNothing},
	{"reports were lost, and no dump has been seen since", false, (*openPress).lossesBefore, abstain("row.press_after_loss")},
	{"a legal move of the pieces as they read, or from the board of a pause", false, (*openPress).playedOtherwise, alreadyReported},
	{"nothing had moved, and the opponent has moved since", false, (*openPress).answeredNothing, (*openPress).judgeNothingMoved},
	{"a move and its reply stood at the press, and more has been played", false, (*openPress).playedOn, reportNothing},
	{"the player goes on from an own illegal move, after the opponent has pressed", false, (*openPress).movedOnFromIllegal, alreadyReported},
	{"no check recognises the board", false, (*openPress).unrecognised, reportNothing},
	{"squares read empty, and plies that nobody pressed explain that", false, (*openPress).playedUnpressed, alreadyReported},
	{"who had the move is not certain", false, (*openPress).turnNotCertain, reportNothing},
	{"a piece is not read: it may be in the hand that captures it", false, (*openPress).mayBeCaptured, reportNothing},
	{"no offence, or another one, by the pieces as they read", false, (*openPress).otherwiseAsRead, reportNothing},
	{"after a while in which nothing was heard a dump alone shows it", false, (*openPress).onlyDumped, reportNothing},
	{"a castling right may be lost in the record only", false, (*openPress).rightMayHold, reportNothing},
	{"a further act may complete or explain it", true, (*openPress).mayBeCompleted, askForDump},
	{"the player who pressed did not have the move", false, (*openPress).notToMove, reportNothing},
	{"it may be the press of an earlier ply, and a further act completes the move", false, (*openPress).mayBeOvertaken, abstain("row.press_of_earlier")},
	{"the piece was read there on its way only, and stands elsewhere", false, (*openPress).readOnTheWay, reportNothing},
	{"a legal move stood there by itself when the clock may have been pressed", false, (*openPress).playedBefore, alreadyReported},
	{"a piece stood beside its square when the opponent pressed, and its move from there is legal", false, (*openPress).playedFromElsewhere, alreadyReported},
	{"an offence or an irregularity", false, always, (*openPress).reportShape},
}

// accuse judges a waiting press that no legal play explains. It returns false where nothing can be reported, or not
// yet: the press then waits on, and in the end it is sensor.unknown.
func (t *Tracker) accuse(final bool) bool {
	s := t.presser(t.pend.side)
	return (&openPress{Tracker: t, by: s, base: t.g.last(), v: t.viewAtPress(s, final), final: final}).decide(pressRows)
}

func (a *openPress) decide(rows []pressRow) bool {
	for i := range rows {
		if r := &rows[i]; !(r.waits && a.final) && r.is(a) {
			return r.then(a)
		}
	}
	return false
}

func always(*openPress) bool          { return true }
func alreadyReported(*openPress) bool { return true }
func reportNothing(*openPress) bool   { return false }

// abstain notes, at the last look, why nothing is reported.
func abstain(why string) func(*openPress) bool {
	return func(a *openPress) bool {
		if a.final {
			a.note("cannot_judge", words.Say(why))
		}
		return false
	}
}

// askForDump requests a dump, so that the look at the end of the wait sees a fresh board.
func askForDump(a *openPress) bool {
	a.wantDump = a.wantDump || a.b.Verified < max(a.b.LastAt, a.pend.at+a.p.LateUS)
	return false
}

func (a *openPress) judgeNothingMoved() bool {
	a.mayBeReply(a.by)
	return a.decide(nothingMovedRows)
}

func (a *openPress) reportShape() bool {
	a.reportOffence(a.by, &a.sh, &a.v)
	return true
}

// The situations of pressRows.

func (a *openPress) fromNowhere() bool {
	return a.doubtful() || a.c.Player(a.pend.side) == legal.NoSide
}

// nothingHasMoved reports whether the player who had the move has moved no piece. An opponent's piece may have been
// taken off, or pushed before the player's turn.
func (a *openPress) nothingHasMoved() bool {
	return (a.v.At == a.base.place || a.onlyTakenOff() || a.pushedAside()) && a.by == a.base.pos.Turn()
}

// onlyTakenOff reports whether the board differs from the record only by an opponent's piece that is off the board. It
// does not hold where some piece has been on another square meanwhile, where the piece has also been on the square that
// it came from (its own player then holds it), or where a piece of the player who pressed has come to its square, from
// a square that reads empty.
func (a *openPress) onlyTakenOff() bool {
	rest := play.Difference(&a.base.place, &a.v.At)
	sq := play.Lowest(rest)
	off := play.Count(rest) == 1 && a.base.place[sq].Side() == a.by.Other() && a.v.At[sq] == legal.NoPiece
	elsewhere := func(c evidence.Change) bool { return c.Is != legal.NoPiece && a.base.place[c.Square] != c.Is }
	taken := func(c evidence.Change) bool { return c.Square == sq && c.Is.Side() == a.by }
	return off && !a.base.wrong.open() && !a.stoodEarlier() && !slices.ContainsFunc(a.v.Changes, elsewhere) && !slices.ContainsFunc(a.v.Later, taken)
}

func (a *openPress) leverMayComeBack() bool {
	return a.nothingHasMoved() && a.now.At < a.pend.at+play.BounceUS && a.pend.ticks < lateTicks
}

func (a *openPress) stillPutting() bool {
	for i := len(a.b.Changes) - 1; i >= 0; i-- {
		c := &a.b.Changes[i]
		if c.Is.Side() == a.by || c.Was.Side() == a.by && c.Is == legal.NoPiece {
			return a.now.At < c.Window.Hi+putUS && a.pend.ticks < lateTicks
		}
	}
	return false
}

func (a *openPress) movedAndAnswered() bool {
	return play.CanBePlies(&a.base.pos, &a.b.Live, 2, 0)
}

func (a *openPress) movedAndMore() bool {
	if a.by != a.base.pos.Turn() {
		return false
	}
	x, _, ok := a.explainPress(&a.base.pos, a.by, a.pend.at)
	return ok && !a.pushed(x.Moves[0]) && !a.putBeside(x.Moves[0])
}

func (a *openPress) stoodEarlier() bool { return a.putBackAtPress(a.by) > 0 }

func (a *openPress) lossesBefore() bool { return !a.trusted(a.pend.at) }

// playedOtherwise explains the press by another reading of the board, and commits the move.
func (a *openPress) playedOtherwise() bool { return a.playedAsRead(a.by) || a.playedFromPause(a.by) }

// answeredNothing reports whether no piece of the player who pressed has moved, and the board shows a legal move of the
// opponent's, as if it were the opponent's turn.
func (a *openPress) answeredNothing() bool {
	s, base := a.by, a.base
	if s != base.pos.Turn() || base.wrong.open() || a.atStart() {
		return false
	}
	if slices.ContainsFunc(a.b.Changes, a.byOwnHand) {
		return false
	}
	together := len(a.line) > 0 && a.line[0].at.At == a.pend.at // one reading of the clock has shown both presses
	first := slices.IndexFunc(a.b.Changes, func(c evidence.Change) bool { return c.Of(s.Other()) })
	if first < 0 || a.b.Changes[first].Window.Hi < a.v.Press.Lo && !together {
		return false // the opponent moved before the press: out of turn, and the press answers that
	}
	_, _, ok := a.moveFrom(&base.place, s.Other(), &a.b.Live)
	return ok && a.v.Pos == &base.pos
}

// byOwnHand reports whether the player who pressed has lifted or put down one of their own pieces, and not put it back.
// A lifted piece counts as captured by the opponent instead, if an opponent's piece is on its square now and it was
// lifted after the press can have been made; before the report of the press that also needs an opponent's piece lifted
// by then.
func (a *openPress) byOwnHand(c evidence.Change) bool {
	if a.base.place[c.Square] == a.b.Live[c.Square] && (c.Is == legal.NoPiece || c.Is == a.b.Live[c.Square]) {
		return false // it was touched, and stands on its square
	}
	own := c.Was.Side() == a.by && a.base.place[c.Square] == c.Was
	captured := func() bool {
		lifted := func(c evidence.Change) bool { return c.Was.Side() == a.by.Other() && c.Window.Hi <= a.pend.at }
		return a.b.Live[c.Square].Side() == a.by.Other() && c.Window.Hi > a.pend.at-a.usualUS(0) &&
			(c.Window.Hi > a.pend.at || slices.ContainsFunc(a.b.Changes, lifted))
	}
	return c.Is.Side() == a.by || own && !captured()
}

func (a *openPress) playedOn() bool {
	return a.v.Scramble(a.by) || a.v.At != a.b.Live && a.by == a.v.Pos.Turn() && play.CanBePlies(a.v.Pos, &a.v.At, 2, 0)
}

// playedUnpressed commits plies that were on the board one after the other, and the last one as completed by the press,
// where that is the best explanation at the last look.
func (a *openPress) playedUnpressed() bool {
	if a.sh.Kind != kinds.Unreadable || !a.final {
		return false
	}
	list := a.explanations(&a.base.pos, a.by, a.pend.at, a.merged(a.pend.at), a.latestUS())
	if len(list) == 0 || len(list) > 1 && list[1].Cost-list[0].Cost < explainMargin {
		return false
	}
	x := &list[0]
	n := unpressedOf(x)
	unseen := func(image int) bool { return image <= 0 }
	if n < 2 || x.Kind != "" || !x.Press || !x.Whole || slices.Contains(x.Moves, legal.NoMove) || slices.ContainsFunc(x.Seen, unseen) {
		return false
	}
	at := a.pend.at
	a.commitRowSeen(x, n)
	place := play.PlacementAfter(a.g.last().place, x.Moves[n])
	return a.phase != playing || a.pressed(a.by, "ok", at, x.Moves[n], a.b.Seen(&place))
}

func (a *openPress) unrecognised() bool {
	sh, ok := a.recognise(&a.v)
	if w := &a.base.wrong; sh.Kind == kinds.Displaced && w.open() && w.nullMove {
		sh.NameNeither() // two odd presses in a row: the clock may have been turned round, and both are the other player's
	}
	a.sh = sh
	return !ok
}

// turnNotCertain reports whether it is uncertain who had the move. A player whose time ran until the press had the move
// by the clock, whatever the opponent's press before it was.
func (a *openPress) turnNotCertain() bool {
	switch a.sh.Kind {
	case kinds.OutOfTurn:
		return a.alt.on || a.base.wrong.open() || a.sh.Side == a.by && a.clockStartedAt != a.pend.at
	case kinds.DoubleMove:
		return a.alt.on || a.base.wrong.open()
	}
	return false
}

func (a *openPress) mayBeCaptured() bool {
	if a.sh.Kind != kinds.Unreadable || a.now.At >= a.pend.at+a.p.GraceUS {
		return false
	}
	if promotion := len(a.sh.UCI) == len("e7e8q"); promotion {
		return a.v.MayTake(a.by.Other(), a.sh.Squares) // no other lifted piece explains the new piece
	}
	return a.v.OpponentTouched(a.by)
}

func (a *openPress) otherwiseAsRead() bool {
	if a.sh.Kind == kinds.PressBeforeDone && a.sh.UCI == "" {
		return a.b.Misreads() // the piece may have come to a square that already reads like it
	}
	return a.sh.Kind.Illegal() && !a.sameAsRead(&a.sh, &a.v)
}

// onlyDumped reports whether, after an interruption of a recording, only the dump shows the offence: more than one ply
// may have been made, and the dump shows them as one.
func (a *openPress) onlyDumped() bool {
	return a.sh.Kind.Illegal() && a.p.Passive && a.cutSinceLastPly() && !reportedOn(a.v.Changes, a.sh.Squares)
}

// rightMayHold reports whether the castling right is lost in the record only: king and rook may not have moved at all.
func (a *openPress) rightMayHold() bool {
	return a.sh.Kind == kinds.IllegalCastleRightLost && a.trust.castlingRightsDoubtful && !a.g.kingPressed(a.by)
}

// mayBeOvertaken reports whether the press may be that of an earlier ply, so that what the board shows (nothing, or
// half a move) may only be on its way.
func (a *openPress) mayBeOvertaken() bool {
	switch a.sh.Kind {
	case "", kinds.IllegalPromoIncomplete, kinds.IllegalPromoBadPiece, kinds.IllegalPromoTwo, kinds.IllegalCastleKingOnly, kinds.IllegalEPPawnLeft:
		return a.overtaken(a.pend.at)
	}
	return false
}

func (a *openPress) mayBeCompleted() bool { return a.sh.MayBeCompleted }

func (a *openPress) notToMove() bool { return a.v.Pos.Turn() != a.by && a.sh.Kind != kinds.OutOfTurn }

// readOnTheWay reports whether the piece of an illegal move was read on its square only in passing: its own player has
// put it further on within the time for which a slow board reads a piece on squares that it passes.
func (a *openPress) readOnTheWay() bool {
	if !a.sh.Kind.Illegal() || len(a.sh.UCI) != len("e2e4") {
		return false
	}
	to, _ := legal.ParseSquare(a.sh.UCI[2:])
	piece, put := a.v.At[to], int64(0)
	passed := false
	for i := range a.b.Changes {
		switch c := &a.b.Changes[i]; {
		case c.Square == to && c.Is == piece:
			put, passed = c.Window.Hi, false
		case c.Square == to:
			passed = c.Is == legal.NoPiece && put > 0 && c.Window.Hi-put < passingUS
		}
	}
	elsewhere := func(c evidence.Change) bool {
		return c.Square != to && c.Is == piece && a.b.Live[c.Square] == piece && c.Window.Hi > put
	}
	return passed && piece != legal.NoPiece && slices.ContainsFunc(a.b.Changes, elsewhere)
}

// playedBefore commits the legal move that was on the board when the clock may have been pressed. Presses are reported
// late, and the changes since then may be the opponent's hand, which captures the piece and lays it aside, or knocks
// another one over. No opponent's hand castles: there king and rook are both the player's, whichever of them was first
// on its square by itself.
func (a *openPress) playedBefore() bool {
	if !a.sh.Kind.Illegal() || a.sh.Kind.Row().Castling || a.base.pos.Turn() != a.by || a.v.Pos != &a.base.pos || a.base.wrong.open() {
		return false
	}
	m, n, ok := a.stoodAtPress(a.pend.at)
	return ok && a.pressed(a.by, "ok", a.pend.at, m, n)
}

// stoodAtPress returns the legal move of the side to move that was on the board by itself, after n changes, when a
// press reported at the given time can have been made. Its player has not moved on before the report.
func (t *Tracker) stoodAtPress(at int64) (m legal.Move, n int, ok bool) {
	from, reported := at-t.usualUS(0), t.b.After(t.b.ChangesUntil(at))
	base := t.g.last().place
	return t.plySeen(func(m legal.Move, n int) bool {
		if m.Promotion() != legal.NoKind || n == len(t.b.Changes) || t.b.Stood(n) < t.stillUS() || t.b.Changes[n].Window.Hi <= from || t.b.Changes[n-1].Window.Hi > at {
			return false
		}
		place := play.PlacementAfter(base, m)
		p := place[m.To()]
		return reported[m.To()] == p || play.CountOf(&reported, p) != play.CountOf(&place, p)
	})
}

// stoodAndWasTaken is such a move whose piece the opponent has captured since: a captured piece that is read on another
// square meanwhile looks as if it had moved there.
func (t *Tracker) stoodAndWasTaken(s legal.Side, at int64) (m legal.Move, n int, ok bool) {
	if m, n, ok = t.stoodAtPress(at); !ok {
		return m, n, false
	}
	taken := func(c evidence.Change) bool { return c.Square == m.To() && c.Is.Side() == s.Other() }
	return m, n, slices.ContainsFunc(t.b.Changes[n:], taken)
}

// viewAtPress returns the turn that the waiting press ended.
func (t *Tracker) viewAtPress(s legal.Side, final bool) offence.View {
	n := t.pend.n
	if n < 0 || n > len(t.b.Changes) {
		n = len(t.b.Changes)
	}
	v := t.view(t.untilTaken(n, s))
	v.Press = evidence.Window{Lo: t.pend.at - t.p.ClockLagUS, Hi: t.pend.at}
	v.Final, v.By, v.OpponentPressed = final, s, t.c.Turn() == s
	v.PressMerged = t.pend.at == t.twiceAt || t.merged(t.pend.at)
	v.Answered, v.Unheard = t.judgedOf[s.Other()], t.turn.unheard
	carriedOff(&v, s)
	// After an illegal move the same player may press again, having restored the position and moved anew.
	if k := len(t.g.nodes); k >= 2 && t.g.nodes[k-1].wrong.open() && t.g.nodes[k-2].pos.Turn() == s {
		last := &t.g.nodes[k-2]
		v.Line, v.Ply, v.ReadEmpty = nodes(t.g.nodes[:k-1]), last.ply, last.empty
		v.Pos = &last.pos
	}
	return v
}

// untilTaken returns how many of the first n changes count as made before a press by s. Where the opponent has answered
// at once by capturing the piece that s had put down, its lift and what follows come after the press, even if they were
// reported before it.
func (t *Tracker) untilTaken(n int, s legal.Side) int {
	k := n - 1
	for k > 0 && t.b.Changes[k].Is == legal.NoPiece && t.b.Changes[k].Was.Side() == s.Other() {
		k-- // the piece that captures
	}
	if k <= 0 || t.b.Changes[k].Is != legal.NoPiece || t.b.CountedUnread != 0 || t.b.FromDump() {
		return n
	}
	lift := t.b.Changes[k]
	stood := slices.ContainsFunc(t.b.Changes[:k], func(c evidence.Change) bool {
		return c.Square == lift.Square && c.Is == lift.Was && lift.Window.Hi-c.Window.Hi >= play.StillUS
	})
	taken := func(c evidence.Change) bool { return c.Square == lift.Square && c.Is.Side() == s.Other() }
	wentOn := func(c evidence.Change) bool { return c.Is.Side() == s }
	if !stood || !slices.ContainsFunc(t.b.Changes[k:], taken) || slices.ContainsFunc(t.b.Changes[k:], wentOn) {
		return n
	}
	return k
}

// carriedOff removes from the board of a press each opponent's piece that was on an empty square then and was lifted
// after it: a captured piece is read beside its square while it is carried off (reconstruction notes, row 20).
func carriedOff(v *offence.View, s legal.Side) {
	base := v.Pos.Placement()
	for _, c := range v.Later {
		if c.Is == legal.NoPiece && c.Was.Side() == s.Other() && v.At[c.Square] == c.Was && base[c.Square] == legal.NoPiece {
			v.At[c.Square] = legal.NoPiece
		}
	}
}

// view returns the turn on the board, of which the first n changes count.
func (t *Tracker) view(n int) offence.View {
	last := t.g.last()
	return offence.View{
		Pos: &last.pos, Line: nodes(t.g.nodes), Ply: last.ply, ReadEmpty: last.empty, Origin: t.b.Origin, At: t.b.After(n), Changes: t.b.Changes[:n],
		Later: t.b.Changes[n:], Since: t.turnPressedAt, Press: evidence.Window{Lo: t.now.At, Hi: t.now.At}, Now: t.now.At, LateUS: t.p.LateUS,
		Bound: t.bound(), ReportsDoubtful: t.b.HistoryIncomplete || t.trust.bytesDamaged || t.sync.reportsLost || t.b.Unreadable,
	}
}

func (w wrong) open() bool { return w.on && !w.answered }

// reportOffence reports what a press shows: the judgement of the press, the finding, and the position from which the
// game goes on if nothing is done.
func (t *Tracker) reportOffence(s legal.Side, sh *offence.Shape, v *offence.View) {
	code := string(sh.Kind)
	if sh.Answered {
		code += "+reply"
	}
	t.emitPress(s, code)
	t.openOffence(s, sh, v)
}

// openOffence is reportOffence without the judgement of the press, which was emitted before.
func (t *Tracker) openOffence(s legal.Side, sh *offence.Shape, v *offence.View) {
	f := t.newFinding(sh, v)
	at, n := v.At, len(v.Changes)
	if m, ok := t.legalBeneath(sh, v); ok {
		target := sh.After.Placement
		t.g.last().empty = 0 // this finding reports it
		t.commit(m, ByPress, n)
		t.b.Count(&at, &target)
		if m.Promotion() != legal.NoKind && at[m.To()] != target[m.To()] {
			t.assume(m)
		}
		t.fault = fault{side: sh.Side, ply: t.g.last().ply}
		if sh.Side == legal.NoSide {
			t.fault.side = s // a player who presses back without a move has a reason
		}
		if sh.Kind == kinds.Displaced {
			t.turn.knocked = knockedBy(v, f, &target)
		}
		t.openFinding(f)
		return
	}
	if sh.Stands && sh.After.Placement == t.g.last().place || sh.Kind.Family() == kinds.Sensor {
		t.mayPlayOnFrom(at, s.Other(), t.alt.presses+1) // it is unknown whether a move was made
		if sh.Kind == kinds.Unreadable {
			t.alt.inHand = v.Press.Hi
		}
		t.fault = fault{side: sh.Side, ply: t.g.last().ply}
		t.openFinding(f)
		return
	}
	if v.Pos != &t.g.last().pos {
		t.putBack() // the position before was restored, and then this was played
	}
	t.branchOff(s, sh, v, f.ID)
	t.fault = fault{side: sh.Side, ply: t.g.last().ply}
	t.openFinding(f)
}

// legalBeneath returns the legal move that was played beneath an irregularity: a piece knocked over, a square that
// reads wrong, a promotion piece of the other colour.
func (t *Tracker) legalBeneath(sh *offence.Shape, v *offence.View) (legal.Move, bool) {
	if !sh.Stands || sh.Kind.Illegal() || v.Pos != &t.g.last().pos {
		return 0, false
	}
	return play.OnePly(v.Pos, &sh.After.Placement)
}

// branchOff continues the record from the board that an illegal move has left, until the case is dealt with.
func (t *Tracker) branchOff(s legal.Side, sh *offence.Shape, v *offence.View, finding string) {
	base := t.g.last()
	at, n := v.At, len(v.Changes)
	w := wrong{on: true, promo: legal.NoSquare, done: illegalAct{side: sh.Side, uci: sh.UCI, clock: t.c.Times()}}
	if isMove(sh.Kind) {
		w.done.finding = finding
	}
	if sh.Board != (legal.Placement{}) && sh.Board != at {
		at = sh.Board // the reply is on the board as well, or has begun
		n = max(t.b.Seen(&at), 0)
	}
	target := at
	if sh.Kind == kinds.IllegalPromoIncomplete {
		w.promo = promotionSquare(sh)
		if sq := w.promo; sq != legal.NoSquare && target[sq] == legal.NoPiece {
			if target[sq] = t.b.Live[sq]; target[sq].Side() != sh.Side {
				target[sq] = legal.PieceOf(sh.Side, legal.Queen)
			}
		}
	}
	pos, ok := t.standing(v.Pos, target, s.Other())
	if !ok {
		t.alt = branch{on: true, live: at, presses: t.alt.presses + 1}
		return
	}
	left := emptied{}
	if v.Pos == &base.pos {
		left = t.emptiedBeside(&target, v.Press.Hi, func(v *offence.View) offence.Shape {
			return v.ShapeOf(kinds.Unreadable, rules.Hint, play.Difference(&target, &t.b.Live))
		})
	}
	t.g.grow(node{pos: pos, place: target, ply: plyFor(&pos, base.ply+1), wrong: w})
	t.b.Rebase(n)
	t.b.Count(&at, &target)
	t.clearDoubts()
	t.turn.emptied = left
	if sh.Answered {
		t.turn.reply, t.turn.replyAt = sh.Reply, t.now.At
	}
}

// promotionSquare returns the square of the queen that the Laws put there.
func promotionSquare(sh *offence.Shape) legal.Square {
	for set := sh.Squares; set != 0; set &= set - 1 {
		sq := play.Lowest(set)
		if r := sq.Rank(); (r == 0 || r == 7) && sh.After.Placement[sq] == legal.PieceOf(sh.Side, legal.Queen) {
			return sq
		}
	}
	return legal.NoSquare
}

// standing makes a position of a board that shows something illegal. The counters go on, and a castling right is never
// given back (laws notes 1.3).
func (t *Tracker) standing(from *legal.Position, place legal.Placement, turn legal.Side) (legal.Position, bool) {
	s := from.Setup()
	s.Castling = play.KeptRights(&s, &place)
	s.Placement = place
	if s.Turn == legal.Black && turn == legal.White {
		s.FullMoves++
	}
	s.Turn = turn
	s.EnPassant = legal.NoSquare
	pos, err := s.Standing()
	return pos, err == nil
}
