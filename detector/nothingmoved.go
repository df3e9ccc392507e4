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

// This file judges a press by the player to move while the board is as before the turn (FIDE Laws 6.2.4, 7.5.3). It is
// certain only that the lever moved and no square did: a lever bounces, or starts the clock, or a piece may not have
// been read.

// nothingMovedRows are the situations of such a press; the first one that matches decides, as in pressRows.
var nothingMovedRows = []pressRow{
	{"the piece of his last move had stood elsewhere until the reply: he has moved it again", false, (*openPress).movedAgain, alreadyReported},
	{"a piece that was told as pushed has been moved", false, (*openPress).movedAfterAll, alreadyReported},
	{"one of the pieces that were told as pushed was moved, and the others stand on their squares again", false, (*openPress).repliedAfterAll, alreadyReported},
	{"a piece stood elsewhere when the clock was started again, and was moved to its square", false, (*openPress).movedFromPause, alreadyReported},
	{"a piece was pushed aside in the opponent's turn, and the player presses back", false, (*openPress).pushedAside, (*openPress).tellPushedAside},
	{"a piece of the player's is not read", false, (*openPress).ownUnread, mayHaveMoved("row.press_unread")},
	{"a piece of the player's that stood elsewhere was put back on its square", false, (*openPress).broughtHome, mayHaveMoved("row.press_home")},
	{"the opponent's turn was wrong, and the player presses back", false, (*openPress).pressesBack, (*openPress).tellPressedBack},
	{"a piece is off the board since the opponent's turn, and the player presses back", false, (*openPress).offSinceTurn, (*openPress).putRightFirst},
	{"the clock has just been started", false, (*openPress).clockJustStarted, judgedAs("ok_start")},
	{"the opponent has just pressed: the lever may have bounced", false, (*openPress).leverBounced, (*openPress).tellLeverBounced},
	{"the lever has come back at once", false, (*openPress).leverSwung, (*openPress).tellLeverBounced},
	{"the lever has come back", false, (*openPress).leverCameBack, judgedAs(string(kinds.IllegalNoMove))},
	{"reports were lost, and no dump has been seen since", false, (*openPress).lossesBefore, reportNothing},
	{"the line was cut not long ago: the press may complete what the record has otherwise", false, (*openPress).cutLately, reportNothing},
	{"it may be the press of an earlier ply", false, (*openPress).mayBeOvertaken, reportNothing},
	{"it may be the press of the opponent's ply: the sides of the clock are not certain", false, func(a *openPress) bool { return a.sidesUncertain() }, reportNothing},
	{"a press without a move was pressed back a moment ago: both players strike the clock, as after a game", false, (*openPress).struckAgain, (*openPress).noteNoMove},
	{"a press without a move", false, always, (*openPress).reportNoMove},
}

// judgedAs reports the press, and nothing else.
func judgedAs(code string) func(*openPress) bool {
	return func(a *openPress) bool {
		a.emitPress(a.by, code)
		return true
	}
}

func (a *openPress) movedAfterAll() bool { return a.b.Unread(a.by) && a.movedNotPushed(a.by) }

// repliedAfterAll judges one of the pieces that were reported as pushed by an unknown hand as the move of the player
// who presses: it is legal.
func (a *openPress) repliedAfterAll() bool {
	raw := a.base.place
	if f := a.turn.knocked.Found; f.ID == "" || f.Side != legal.NoSide || f.Ply != a.base.ply || !a.b.ReadInto(&raw) {
		return false
	}
	m, ok := play.OnePly(&a.base.pos, &raw)
	if !ok {
		return false
	}
	a.b.ReadOnly()
	a.drop(a.turn.knocked.Found, words.Say("withdrawn.moved"))
	return a.pressed(a.by, "ok", a.pend.at, m, 0)
}

func (a *openPress) movedFromPause() bool { return a.playedFromPause(a.by) }

func (a *openPress) ownUnread() bool { return a.b.Unread(a.by) && !a.turn.emptied.told() }

// broughtHome reports whether the press may complete a move to a piece's own square: the piece was left beside it for a
// turn without objection, or had left it before the opponent pressed.
func (a *openPress) broughtHome() bool {
	left := func(c evidence.Change) bool {
		return c.Was.Side() == a.by && c.Is == legal.NoPiece && a.base.place[c.Square] == c.Was && c.Window.Lo <= a.turnPressedAt && !c.FromDump
	}
	return a.turnPressedAt > 0 && (a.b.PutBackAt[a.by] > a.turnPressedAt || slices.ContainsFunc(a.b.Changes, left))
}

// mayHaveMoved reports a press of which it is unknown whether it completes a move.
func mayHaveMoved(why string) func(*openPress) bool {
	return func(a *openPress) bool {
		a.note("cannot_judge", words.Say(why))
		a.emitPress(a.by, string(kinds.NotUnderstood))
		a.branchAt(a.by)
		return true
	}
}

func (a *openPress) pressesBack() bool {
	return a.base.wrong.open() && !a.base.wrong.nullMove || a.fault.side == a.by.Other() && a.fault.ply == a.base.ply
}

// putRightFirst reports that the opponent has to put the piece back.
func (a *openPress) putRightFirst() bool {
	a.emitPress(a.by, string(kinds.NotUnderstood))
	a.branchAt(a.by)
	a.reportTurn(PressedBack, a.by)
	return true
}

// offSinceTurn reports whether a piece left the board before the opponent pressed, and is still off it.
func (a *openPress) offSinceTurn() bool {
	for set := play.Difference(&a.base.place, &a.b.Live); set != 0; set &= set - 1 {
		sq := play.Lowest(set)
		since := func(c evidence.Change) bool { return c.Square == sq && c.Window.Hi > a.turnPressedAt }
		if a.b.Live[sq] == legal.NoPiece && a.turnPressedAt > 0 && !slices.ContainsFunc(a.b.Changes, since) {
			return true
		}
	}
	return false
}

func (a *openPress) tellPressedBack() bool {
	a.emitPress(a.by, string(kinds.IllegalNoMove))
	a.reportTurn(PressedBack, a.by)
	return true
}

// clockJustStarted reports whether the press may start the clock. Before Black has made a move it may also be White's
// press, if the press that counted as White's was the one by which Black started the clock.
func (a *openPress) clockJustStarted() bool {
	return a.atStart() && !a.c.SidesSettled || a.base.ply == 1 && a.p.White == evidence.NoClockSide || a.pend.at-a.clockStartedAt < freshStartUS && (a.atStart() || a.clockStartedAt > 0)
}

func (a *openPress) leverBounced() bool {
	return a.pressedAt > 0 && a.pend.at-a.pressedAt < play.BounceUS && a.noMove().Squares == 0
}

func (a *openPress) tellLeverBounced() bool {
	f, back := a.newFinding(a.noMove(), &a.v), a.leverCameBack()
	a.branchAt(a.by)
	a.alt.nullPress = f
	switch {
	case back:
		a.note("lever_bounced", words.Say("row.lever_bounced"))
		a.reportLeverBounce(a.by)
	case a.b.LastAt > a.turnPressedAt: // the press before may be that of an earlier ply, and this one its own
		a.note("lever_bounced", words.Say("row.lever_bounced"))
	default:
		a.alt.bounceDecidedAt = max(a.pend.at+stayedUS, a.now.At)
	}
	return true
}

func (a *openPress) cutLately() bool { return a.base.ply < a.sync.gapPastFromPly }

func (a *openPress) leverCameBack() bool {
	return a.now.At-a.pend.at < play.BounceUS && a.c.Last.Up == a.pend.side && a.b.Live == a.base.place
}

// leverSwung reports whether the lever came back sooner than a player can press back.
func (a *openPress) leverSwung() bool {
	back := a.now.At
	if len(a.line) > 0 {
		back = a.line[0].at.At
	}
	return a.leverCameBack() && back-a.pend.at < swungUS
}

// struckAgain reports whether the press comes so soon after the opponent has pressed back that nobody plays.
func (a *openPress) struckAgain() bool {
	return a.pressedBackAt > 0 && a.pend.at-a.pressedBackAt < stayedUS
}

// noteNoMove notes the press and reports nothing. The opponent may play on from it.
func (a *openPress) noteNoMove() bool {
	a.emitPress(a.by, string(kinds.IllegalNoMove))
	a.branchAt(a.by)
	return true
}

func (a *openPress) reportNoMove() bool {
	a.emitPress(a.by, string(kinds.IllegalNoMove))
	a.lastNullPress = a.newFinding(a.noMove(), &a.v)
	a.pushNullMove(a.by, a.lastNullPress.ID)
	a.openFinding(a.lastNullPress)
	if reported := a.b.After(a.b.ChangesUntil(a.pend.at)); reported != a.base.place && a.b.GapFromChange == 0 {
		a.mayPlayOnFrom(reported, a.by.Other(), 0)
	}
	return true
}

// noMove returns the shape of the press. Its squares are those on which the opponent's pieces had changed when it was
// reported: that may be a reply, or the player may have moved them.
func (a *openPress) noMove() *offence.Shape {
	reported := a.b.After(a.b.ChangesUntil(a.pend.at))
	sh := noMove(a.by)
	sh.Squares = play.Difference(&a.base.place, &reported)
	return sh
}

// noMove returns the shape of a press by s without a move.
func noMove(s legal.Side) *offence.Shape {
	return &offence.Shape{Kind: kinds.IllegalNoMove, Proof: rules.Strong, Permille: offence.StrongPermille, Side: s}
}

// pushNullMove adds a null move to the record after a press without a move: the same pieces, with the other side's
// clock running.
func (t *Tracker) pushNullMove(s legal.Side, finding string) {
	base := t.g.last()
	t.fault = fault{side: s, ply: base.ply + 1}
	pos, ok := t.standing(&base.pos, base.place, s.Other())
	if !ok {
		return
	}
	w := wrong{on: true, nullMove: true, promo: legal.NoSquare, done: illegalAct{finding: finding, side: s, clock: t.c.Times()}}
	t.g.grow(node{pos: pos, place: base.place, ply: plyFor(&pos, base.ply+1), wrong: w})
}
