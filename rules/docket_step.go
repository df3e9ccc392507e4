package rules

import (
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// Step takes one event and returns every entry that is new or has changed, in the order of their appearance. The
// entries share memory with the docket: read only.
func (d *Docket) Step(e Event) []Entry {
	switch e.(type) {
	case Moved, Corrected, Pressed, Bounced, Answered, TouchedPiece, OtherCore, OtherSaid, OtherGame, OtherMoved:
	case Stopped, Claim, Decision:
		for _, m := range d.matters {
			d.count(m)
		}
		d.all = true
	default:
		d.all = true
	}
	switch e := e.(type) {
	case Begun:
		left := d.begin(e)
		return append(left, d.news()...)
	case Found:
		d.foundCase(e.Case)
	case Moved:
		d.moved(e)
	case Corrected:
		d.corrected(e)
	case TakenBack:
		d.takenBack(e.Ply)
	case Rebased:
		d.rebase(e)
	case Pressed:
		d.pressed(e)
	case Bounced:
		d.bounced(e)
	case Answered:
		d.answered(e.Side)
	case TouchedPiece:
		d.touched(e.Side)
	case PressedBack:
		d.pressedBack(e)
	case Restored:
		d.restored(e.Ply)
	case Stopped:
		d.clockStopped(e)
	case Started:
		d.clockStarted(e)
	case LeverMoved:
		d.leverInStop(e)
	case ClockSet:
		d.stop.edited = d.stop.on
		d.explain(words.Say("explained.edited"))
		d.see(e.To)
	case LongStop:
		d.longStop()
	case ResultEntered:
		d.resultEntered(e)
	case Ended:
		d.ended, d.result, d.endedBy, d.ruled = true, e.Result, e.By, e.Ruled
		d.explain(words.Say("explained.ended"))
		d.endPast()
	case Reopened:
		d.reopened(e)
	case Signed:
		d.sign()
	case Report:
		d.report(e)
	case Claim:
		d.claim(e)
	case Decision:
		d.explain(words.Say("explained.decided"))
		d.decide(e)
	case SetStrikes:
		d.setStrikes(e)
	case Flag:
		d.flag(e)
	case OtherCore:
		d.otherCore(e.On)
	case OtherSaid:
		d.otherSaid(e)
	case OtherGame:
		d.otherGame(e.Game)
	case OtherMoved:
		d.other.ledger.moved()
	}
	return d.news()
}

// news judges again the matters whose entries may have changed, and returns those that did. A game has hundreds of
// moves, presses and touches; they concern open matters only, unless d.all is set.
func (d *Docket) news() (list []Entry) {
	all := d.all
	d.all = false
	for _, m := range d.matters {
		if m.said && !all && !d.changesByPlay(m) {
			continue
		}
		e := d.judge(m)
		if m.said && sameEntry(&m.entry, &e) {
			continue
		}
		m.said, m.entry = true, e
		list = append(list, e)
	}
	return list
}

// changesByPlay reports whether moves, presses and touches by themselves can change the entry of a matter.
func (d *Docket) changesByPlay(m *matter) bool {
	return m.kept == nil && m.carried == nil && m.live() && (m.closed == stillOpen && d.offence(&m.c) || familyOf(&m.c) == kinds.SetUp || familyOf(&m.c) == kinds.End && m.restored)
}

// Entries returns all entries of the game in their present state: the principal one first, the rest in the order of
// Principal.
func (d *Docket) Entries() []Entry {
	list := make([]Entry, len(d.matters))
	for i, m := range d.matters {
		list[i] = m.entry
	}
	return inOrder(list)
}

// begin opens a game. Findings on the board before its clock was started belong to it, and so do strikes entered by
// hand before.
func (d *Docket) begin(e Begun) []Entry {
	var kept, gone []*matter
	for _, m := range d.matters {
		if m.c.Game == e.Game && (!d.begun || d.game != e.Game) {
			kept = append(kept, m)
		} else {
			gone = append(gone, m)
		}
	}
	d.matters = gone
	left := d.leave()
	d.ledger.begin()
	if !d.other.on {
		d.other = other{}
	}
	d.game, d.begun, d.matters = e.Game, true, kept
	d.pos, d.known = e.Position, e.Position != legal.Position{}
	d.ply = 0
	if d.known {
		d.ply = plyOf(&e.Position) - 1
	}
	d.last, d.presser = [3]lastMove{}, legal.NoSide
	d.clock.begin(e.Clock)
	d.see(e.Clock)
	d.tight = false
	d.stop, d.startPly = stop{}, d.ply
	d.ended, d.result, d.endedBy, d.signed, d.ruled = false, "", "", false, false
	d.stranger, d.early = stranger{}, earlyClaim{}
	d.choose()
	return left
}

// plyOf returns the number of the ply that is to be played.
func plyOf(p *legal.Position) int {
	n := 2*p.FullMoves() - 1
	if p.Turn() == legal.Black {
		n++
	}
	return n
}

// see notes the displayed times.
func (d *Docket) see(c Clocks) {
	if d.clock.see(c) {
		d.choose()
	}
	if c.Known && !d.tight && d.clock.tight(d.p) {
		d.tight, d.all = true, true
	}
}

// noteIncrement notes the seconds that a press added. The first increments observed may show another class of time
// control.
func (d *Docket) noteIncrement(n int) {
	if d.clock.noteIncrement(n) && d.turns == 0 {
		d.choose()
	}
}

func (d *Docket) moved(e Moved) {
	side := e.Before.Turn()
	d.see(e.Clock)
	d.ledger.moved()
	d.clock.idle = tally{}
	legalMove := e.Before != legal.Position{} && e.Before.IsLegal(e.Move)
	d.last[side] = lastMove{
		on: legalMove, seq: e.Seq, ply: e.Ply, before: e.Before, move: e.Move, pressed: d.presser == side, clock: d.clock.shows,
	}
	d.presser = legal.NoSide
	var after legal.Position
	if legalMove {
		after = e.Before.After(e.Move)
		d.pos, d.known = after, true
	}
	d.ply = e.Ply
	d.leverFits(e.Ply)
	var replaced []*matter
	for _, m := range d.matters {
		if m.live() && m.restored && e.Ply == m.c.Ply && side == m.c.Side {
			if !m.replaced {
				replaced = append(replaced, m)
				m.pressedOnce = !d.last[side].pressed
			}
			m.replaced = true
			d.count(m)
		}
	}
	for _, m := range replaced {
		d.moveAfterRuling(m, e, &after)
	}
	d.movedPast(e.Ply, e.Differs)
	d.bindHeldReports(side)
	d.nextMove(side, e.Ply, e.Seq, &after, legalMove, nil)
	d.closeOldMatters()
	d.notCarriedOut(e, &after)
}

// corrected puts another piece into the record. Entries about earlier positions stay as they were.
func (d *Docket) corrected(e Corrected) {
	if l := &d.last[e.Before.Turn()]; l.on && l.ply == e.Ply {
		l.before, l.move = e.Before, e.Move
	}
	if d.known && e.Position != (legal.Position{}) {
		d.pos = e.Position
	}
}

func (d *Docket) takenBack(ply int) {
	d.withdrawHeldReports()
	for _, m := range d.matters {
		if m.live() && m.c.Ply > ply && m.closed == stillOpen {
			m.restored = true
		}
		d.endPlayedOn(m)
	}
	d.ply = ply
	d.leverFits(ply)
	d.last, d.known, d.presser = [3]lastMove{}, false, legal.NoSide
}

func (d *Docket) rebase(e Rebased) {
	for _, m := range d.matters {
		if d.offence(&m.c) && m.c.Ply <= e.Ply && m.c.Side != e.Position.Turn() {
			d.close(m, byReply)
		}
	}
	d.ply = e.Ply
	d.leverFits(e.Ply)
	d.pos, d.known = e.Position, e.Position != legal.Position{}
}

// pressed counts the increments that presses after an open offence have credited (laws notes, section 2).
func (d *Docket) pressed(e Pressed) {
	d.see(e.Clock)
	d.clock.notePress(e.Side, e.Gained, e.Clock)
	d.restarted = restarted{}
	d.noteIncrement(e.Gained)
	d.presser = e.Side
	d.pressedIdle(e)
	for _, m := range d.matters {
		d.overtake(m)
	}
	if !kinds.Kind(e.Judged).Illegal() {
		d.clock.bounces = tally{}
	}
	if l := &d.last[e.Side]; l.on && l.ply == d.ply {
		l.pressed = true
	}
	d.completeReports(e.Side)
	for _, m := range d.matters {
		if m.live() && d.offence(&m.c) && !m.restored {
			m.tally.add(e.Side, e.Gained)
			if m.back && e.Side == m.c.Side && e.Judged == "ok_late" {
				d.count(m) // the player presses again after the opponent's press back: the displayed times include it
			}
		}
	}
}

// bounced counts presses by a bouncing lever, which no player made. They belong to the press that is being judged.
func (d *Docket) bounced(e Bounced) {
	d.see(e.Clock)
	d.clock.bounces.add(e.Side, e.Gained)
	for _, m := range d.matters {
		if m.live() && d.offence(&m.c) && !m.restored {
			m.tally.add(e.Side, e.Gained)
		}
	}
}

// pressedIdle counts the presses of a lever that goes back and forth while the position does not change: by a person
// outside the game, or by a bounce.
func (d *Docket) pressedIdle(e Pressed) {
	if kinds.Kind(e.Judged) == kinds.IllegalNoMove || d.clock.idle.presses != [3]int{} {
		d.clock.idle.add(e.Side, e.Gained)
	}
}

// pressedBack handles the opponent's restart after an illegal move, or after a piece was knocked over.
func (d *Docket) pressedBack(e PressedBack) {
	d.see(e.Clock)
	d.noteIncrement(e.Gained)
	m := d.latest(func(m *matter) bool {
		return m.live() && m.c.Side == e.Side.Other() && m.c.Side != legal.NoSide && m.closed == stillOpen && !m.restored &&
			(d.offence(&m.c) || m.c.Kind == kinds.Unreadable || familyOf(&m.c) == kinds.Displacement)
	})
	if m == nil {
		return
	}
	m.back = true
	m.tally.add(e.Side, e.Gained)
	d.count(m)
	if e.Clock.Known {
		m.correctedFrom = e.Clock
	}
	d.displacedBy(m)
}

// restored handles the return of the board to the last good position. Every illegal move after it is then undone, also
// both of a pair: the capture of a king and the illegal move that it answered.
func (d *Docket) restored(ply int) {
	d.withdrawHeldReports()
	d.presser = legal.NoSide // an earlier press is not the press of the move that comes now
	var first *matter
	for _, m := range d.matters {
		if familyOf(&m.c) != kinds.Illegal || m.c.Proof == Reported || !m.live() || m.closed != stillOpen || m.restored || m.c.Ply <= ply {
			continue
		}
		m.restored = true
		if first == nil {
			first = m
		}
	}
	if first != nil && first.c.Known && first.c.Before != (legal.Position{}) {
		d.pos, d.known, d.ply = first.c.Before, true, first.c.Ply-1
	}
}

// sign ends every window.
func (d *Docket) sign() {
	d.signed, d.ended = true, true
	d.explain(words.Say("explained.over"))
	d.endPast()
	for _, m := range d.matters {
		if d.offence(&m.c) {
			d.close(m, bySigning)
		}
	}
}

// reopened cancels the end of the game, and also the signing if a person says that the game goes on.
func (d *Docket) reopened(e Reopened) {
	d.ended, d.result, d.endedBy, d.ruled = false, "", "", false
	d.unquestioned()
	if !e.Unsigned {
		return
	}
	d.signed = false
	for _, m := range d.matters {
		if m.closed == bySigning {
			m.closed = stillOpen
		}
	}
}

func (d *Docket) setStrikes(e SetStrikes) {
	d.ledger.write(e.White, e.Black, d.confirmed())
	if o := &d.other; o.on {
		o.ledger.write(e.White, e.Black, o.confirmed())
	}
}

func (d *Docket) flag(e Flag) {
	switch e.Name {
	case "appendix_d":
		d.blind = e.On
	case "assistant":
		d.assisted = e.On
	case "no_touch":
		d.noTouch = e.On
	}
}

// Switched returns the switches that people have set at this board (Flag, and the report of an assistant).
func (d *Docket) Switched() (appendixD, assistant, noTouch bool) {
	return d.blind, d.assisted, d.noTouch
}
