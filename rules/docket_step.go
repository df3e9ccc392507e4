package rules

import "boardwatchd/rules/legal"

// Step takes one event and returns every entry that is new or says something else than before, in the order of their
// appearance. The entries share memory with the docket: read only.
func (d *Docket) Step(e Event) []Entry {
	switch e.(type) {
	case Moved, Pressed, Answered, TouchedPiece:
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
		d.begin(e)
	case Found:
		d.foundCase(e.Case)
	case Moved:
		d.moved(e)
	case TakenBack:
		d.takenBack(e.Ply)
	case Rebased:
		d.rebased(e)
	case Pressed:
		d.pressed(e)
	case Answered:
		d.answered(e.Side)
	case TouchedPiece:
		d.touched(e.Side)
	case PressedBack:
		d.pressedBack(e)
	case Restored:
		d.restored()
	case Stopped:
		d.clockStopped(e)
	case Started:
		d.clockStarted(e)
	case LeverMoved:
		d.leverInStop(e)
	case ClockSet:
		d.edited = d.stopped || d.edited
		d.see(e.To)
	case Ended:
		d.ended, d.result = true, e.Result
		d.dropPause("the game has ended")
	case Reopened:
		d.ended, d.result = false, ""
	case Signed:
		d.sign()
	case Report:
		d.report(e)
	case Claim:
		d.claim(e)
	case Decision:
		d.decide(e)
	case SetStrikes:
		d.setStrikes(e)
	case Flag:
		d.flag(e)
	}
	return d.news()
}

// news judges the matters again that may say something else now, and returns what changed. A move, a press and a touch come
// by the hundred in a game: they concern what is still open, unless something has set all.
func (d *Docket) news() (list []Entry) {
	all := d.all
	d.all = false
	for _, m := range d.matters {
		if m.said && !all && !d.restless(m) {
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

// restless says that moves, presses and touches by themselves can change what is said about a matter.
func (d *Docket) restless(m *matter) bool {
	return m.kept == nil && m.live() && (m.closed == stillOpen && d.offence(&m.c) || familyOf(&m.c) == setupFamily || familyOf(&m.c) == endFamily && m.restored)
}

// Entries are all entries of the game as they stand now: the principal one first, the rest in its order.
func (d *Docket) Entries() []Entry {
	list := make([]Entry, len(d.matters))
	for i, m := range d.matters {
		list[i] = m.entry
	}
	return inOrder(list)
}

// begin opens a game. What was found on the board before its clock was started belongs to it; so do strikes that were
// written in before.
func (d *Docket) begin(e Begun) {
	var kept []*matter
	for _, m := range d.matters {
		if m.c.Game == e.Game && (!d.begun || d.game != e.Game) {
			kept = append(kept, m)
		}
	}
	if !d.fresh {
		d.given = [3]int{}
	}
	d.game, d.begun, d.matters = e.Game, true, kept
	d.pos, d.known = e.Position, e.Position != legal.Position{}
	d.ply = 0
	if d.known {
		d.ply = plyOf(&e.Position) - 1
	}
	d.last, d.presser, d.clock, d.start = [3]lastMove{}, legal.NoSide, Clocks{}, e.Clock
	d.see(e.Clock)
	d.gain, d.hasGain, d.tight = 0, false, false
	d.stopped, d.edited, d.paused, d.lever = false, false, "", ""
	d.ended, d.result, d.signed = false, "", false
	d.stranger = stranger{}
	d.choose()
}

// plyOf is the number of the ply that is to be played.
func plyOf(p *legal.Position) int {
	n := 2*p.FullMoves() - 1
	if p.Turn() == legal.Black {
		n++
	}
	return n
}

// see notes what the clock shows.
func (d *Docket) see(c Clocks) {
	if !c.Known {
		return
	}
	d.clock = c
	if !d.start.Known {
		d.start = c
		d.choose()
	}
	if p := d.p; !d.tight && p.TimePressureS > 0 && max(d.increment, d.delay, 0) < p.TimePressureFreeS && min(c.White, c.Black) < p.TimePressureS {
		d.tight, d.all = true, true
	}
}

// longestIncrement bounds what a press adds each time, in seconds: more is the time of the next period.
const longestIncrement = 180

// gained notes what a press added. The first increments that are seen may show another class of time control.
func (d *Docket) gained(n int) {
	if n < 0 || n > longestIncrement {
		return
	}
	if d.hasGain = true; n > d.gain {
		d.gain = n
		if d.increment < 0 && d.turns == 0 {
			d.choose()
		}
	}
}

func (d *Docket) moved(e Moved) {
	side := e.Before.Turn()
	d.see(e.Clock)
	d.fresh = false
	legalMove := e.Before != legal.Position{} && e.Before.IsLegal(e.Move)
	d.last[side] = lastMove{
		on: legalMove, seq: e.Seq, ply: e.Ply, before: e.Before, move: e.Move, pressed: d.presser == side, clock: d.clock,
	}
	d.presser = legal.NoSide
	var after legal.Position
	if legalMove {
		after = e.Before.After(e.Move)
		d.pos, d.known = after, true
	}
	d.ply = e.Ply
	for _, m := range d.matters {
		if m.live() && m.restored && e.Ply == m.c.Ply && side == m.c.Side {
			m.replaced = true
			d.count(m)
		}
	}
	d.bind(side)
	d.nextMove(side, e.Ply, e.Seq, &after, legalMove, nil)
	d.lookBack()
}

func (d *Docket) takenBack(ply int) {
	d.release()
	for _, m := range d.matters {
		if m.live() && m.c.Ply > ply && m.closed == stillOpen {
			m.restored = true
		}
	}
	d.ply = ply
	d.last, d.known = [3]lastMove{}, false
}

func (d *Docket) rebased(e Rebased) {
	for _, m := range d.matters {
		if d.offence(&m.c) && m.c.Ply <= e.Ply && m.c.Side != e.Position.Turn() {
			d.close(m, byReply)
		}
	}
	d.ply = e.Ply
	d.pos, d.known = e.Position, e.Position != legal.Position{}
}

// pressed counts the increments that presses after an open offence have credited (laws notes, section 2).
func (d *Docket) pressed(e Pressed) {
	d.see(e.Clock)
	d.gained(e.Gained)
	d.presser = e.Side
	if l := &d.last[e.Side]; l.on && l.ply == d.ply {
		l.pressed = true
	}
	d.completed(e.Side)
	for _, m := range d.matters {
		if m.live() && d.offence(&m.c) && !m.restored {
			m.pressedBy(e.Side, e.Gained)
		}
	}
}

func (m *matter) pressedBy(s legal.Side, gained int) {
	m.presses[s]++
	if gained == 0 {
		m.noGain[s]++
	}
}

// pressedBack is the opponent's restart after an illegal move, or after a piece was knocked over.
func (d *Docket) pressedBack(e PressedBack) {
	d.see(e.Clock)
	d.gained(e.Gained)
	m := d.latest(func(m *matter) bool {
		return m.live() && m.c.Side == e.Side.Other() && m.c.Side != legal.NoSide && m.closed == stillOpen && !m.restored &&
			(d.offence(&m.c) || m.c.Kind == "sensor.unreadable" || familyOf(&m.c) == displaceFamily)
	})
	if m == nil {
		return
	}
	m.back = true
	m.pressedBy(e.Side, e.Gained)
	d.count(m)
	if e.Clock.Known {
		m.shown = e.Clock
	}
	d.displacedBy(m)
}

// restored is the last good position on the board again.
func (d *Docket) restored() {
	d.release()
	m := d.latest(func(m *matter) bool {
		return familyOf(&m.c) == illegalFamily && m.c.Proof != Reported && m.c.State != Withdrawn && m.closed == stillOpen && !m.restored
	})
	if m == nil {
		return
	}
	m.restored = true
	if m.c.Known && m.c.Before != (legal.Position{}) {
		d.pos, d.known, d.ply = m.c.Before, true, m.c.Ply-1
	}
}

// sign ends every window.
func (d *Docket) sign() {
	d.signed, d.ended = true, true
	d.dropPause("the game is over")
	for _, m := range d.matters {
		if d.offence(&m.c) {
			d.close(m, bySigning)
		}
	}
}

func (d *Docket) setStrikes(e SetStrikes) {
	d.given[legal.White] = max(e.White, 0) - d.confirmed(legal.White)
	d.given[legal.Black] = max(e.Black, 0) - d.confirmed(legal.Black)
	d.fresh = true
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
