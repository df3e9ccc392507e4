package rules

import (
	"strconv"

	"boardwatchd/rules/legal"
)

const (
	kindPause = "irreg.pause_no_reason"
	kindLever = "clock.lever_changed_in_pause"
)

// clockStopped is a clock that was stopped. Open matters start from the times that it shows now. A stop soon after an
// offence became too late is a call for the arbiter: he is told again. A stop that nothing explains is told quietly
// (FIDE Laws 6.11.2, 6.11.4); its reason may still come.
func (d *Docket) clockStopped(e Stopped) {
	d.see(e.Clock)
	d.stopped, d.edited, d.stopTurn = true, false, e.Turn
	d.lever = ""
	called := e.Promoting
	for _, m := range d.matters {
		if !m.live() || m.kept != nil {
			continue
		}
		if m.closed == stillOpen && e.Clock.Known {
			m.shown = e.Clock
		}
		if m.closed == byReply && d.ply <= m.c.Ply+2 && d.offence(&m.c) {
			m.recalled = true
		}
		called = called || d.reasonToStop(m)
	}
	d.explains = called
	if called || !d.begun || d.ended || !d.known {
		return
	}
	c := Case{
		ID: strconv.FormatInt(e.Seq, 10) + ":" + kindPause, Kind: kindPause, Game: d.game, Ply: d.ply, Side: e.Turn,
		State: Suspected, Proof: Reported, Permille: 500, Known: true, Before: d.pos, At: d.pos.Placement(), Clock: d.clock, Gained: -1,
		Note: "the reason is not known",
	}
	if d.find(c.ID) == nil {
		d.paused = d.add(c).c.ID
	}
}

// reasonToStop says that a matter explains why the clock was stopped just now.
func (d *Docket) reasonToStop(m *matter) bool {
	if !m.live() || m.held || m.c.Kind == kindPause || m.c.Kind == kindLever || m.c.Kind == "irreg.adjust_off_turn" || familyOf(&m.c) == setupFamily {
		return false
	}
	return m.open() && d.offence(&m.c) || m.recalled || m.c.Ply >= d.ply
}

// dropPause withdraws the finding that the clock was stopped for no reason.
func (d *Docket) dropPause(why string) {
	if m := d.find(d.paused); m != nil && d.paused != "" && m.kept == nil {
		m.c.State, m.c.Note = Withdrawn, why
	}
	d.paused = ""
	if m := d.find(d.lever); m != nil && d.lever != "" && m.kept == nil {
		m.routine = true
	}
}

// clockStarted is a clock that runs again: if its times were edited after a ruling, they are compared with it.
func (d *Docket) clockStarted(e Started) {
	d.see(e.Clock)
	edited := d.edited
	if d.stopped && d.begun && !d.ended {
		d.leverMoved(e)
	}
	d.stopped, d.edited, d.paused, d.lever = false, false, "", ""
	if !edited || !e.Clock.Known {
		return
	}
	m := d.latest(func(m *matter) bool {
		return familyOf(&m.c) == illegalFamily && m.live() && !m.checked && m.closed == stillOpen && (m.decision == doConfirm || m.decision == "" && m.restored)
	})
	if m == nil {
		return
	}
	if r := m.entry.Ruling; r != nil && r.Clocks.Known && r.Result == "" {
		m.checked = true
		if !d.timesRight(r, e.Clock) {
			d.bonusWrong(m, e)
		}
	}
}

// leverMoved notes that the clock of the player runs who does not have the move, after a stop in which nobody saw the lever
// move. He may have moved and not pressed: it is a line in the record.
func (d *Docket) leverMoved(e Started) {
	if e.Turn == d.stopTurn || d.stopTurn == legal.NoSide || !d.known || e.Turn == d.pos.Turn() {
		return
	}
	if m := d.leverFound(e.Seq, e.Turn); m != nil {
		m.routine = true
	}
}

// leverInStop notes a lever that was moved while the clock stood. It explains the stop better than that nobody knows why;
// where the stop has a reason, whoever corrects the clock moves the lever as well.
func (d *Docket) leverInStop(e LeverMoved) {
	d.see(e.Clock)
	if !d.stopped || !d.begun || d.ended {
		return
	}
	if m := d.leverFound(e.Seq, e.Turn); m != nil {
		d.dropPause("the lever was moved while the clock stood")
		m.routine = d.explains
	}
}

// leverFound adds the finding about the lever, one for each stop; nil where there is none to add.
func (d *Docket) leverFound(seq int64, turn legal.Side) *matter {
	if d.lever != "" || turn == legal.NoSide || d.wanted(turn) {
		return nil
	}
	c := Case{
		ID: strconv.FormatInt(seq, 10) + ":" + kindLever, Kind: kindLever, Game: d.game, Ply: d.ply, State: Confirmed, Proof: Certain,
		Permille: 1000, Known: d.known, Clock: d.clock, Gained: -1,
	}
	if d.known {
		c.Before, c.At = d.pos, d.pos.Placement()
	}
	if d.find(c.ID) != nil {
		return nil
	}
	d.lever = c.ID
	return d.add(c)
}

// wanted says that a ruling about the last moves asks for that side's clock.
func (d *Docket) wanted(turn legal.Side) bool {
	return d.latest(func(m *matter) bool {
		r := m.entry.Ruling
		return m.live() && m.closed == stillOpen && r != nil && r.RunClock == turn && familyOf(&m.c) != endFamily &&
			(m.c.Ply >= d.ply || m.decision == doConfirm && !m.checked || m.open() && d.offence(&m.c))
	}) != nil
}

// editTolerance is how many seconds a corrected time may be off without a word: the clock may have counted one already. It
// must be less than the smallest increment in use, which is two.
const editTolerance = 1

func (d *Docket) timesRight(r *Ruling, c Clocks) bool {
	for _, s := range [...]legal.Side{legal.White, legal.Black} {
		if off := c.Of(s) - r.Clocks.Of(s); off > editTolerance || off < -editTolerance {
			return false
		}
	}
	return true
}

func (d *Docket) bonusWrong(m *matter, e Started) {
	const kind = "clock.bonus_wrong"
	n := e.Seq
	if n == 0 {
		n = numberOf(m.c.ID)
	}
	id := strconv.FormatInt(n, 10) + ":" + kind
	if d.find(id) != nil {
		return
	}
	r := m.entry.Ruling
	w := d.add(Case{
		ID: id, Kind: kind, Game: d.game, Ply: m.c.Ply, State: Confirmed, Proof: Certain, Permille: 1000, Known: m.c.Known,
		Before: m.c.Before, At: m.c.At, Clock: e.Clock, Gained: -1,
		Note: "expected " + shownTimes(r.Clocks) + ", the clock shows " + shownTimes(e.Clock),
	})
	w.from = m.c.ID
	w.fen = r.PositionFEN
}
