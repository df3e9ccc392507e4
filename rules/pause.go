package rules

import (
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// longStopS is the number of seconds after which the reason for a stopped clock is asked. Half a minute is enough to
// call the arbiter, or to agree on a result and enter it.
const longStopS = 30

// LongStopUS is the same in microseconds, for the caller of Docket.Stands.
const LongStopUS = longStopS * 1_000_000

// earlyPlies is the least length of a game that may have ended by agreement or resignation. After that number of plies
// a stop counts as the end of the game while it lasts, and its reason is not asked.
const earlyPlies = 20

// A stop is a period in which the clock is stopped.
type stop struct {
	on       bool
	seq      int64 // of the record that shows it; a finding about the stop takes its identity from it
	turn     legal.Side
	ply      int
	explains bool // something explains it: a finding, a claim, a report, an edit of the times, a decision, a result
	long     bool // it has lasted for longStopS
	quiet    bool // only an entry without an alert explains it: the game may be over nevertheless

	shows  Clocks // the times at its beginning
	edited bool   // the times were set during it
	paused string // the finding that the reason is unknown; ""
	lever  string // the finding about the lever; ""
}

// clockStopped handles a stopped clock. Corrections of open matters start from the times displayed now. A stop soon
// after an offence became too late is a call for the arbiter: the alert is raised again. An unexplained stop is
// reported quietly once it lasts (FIDE Laws 6.11.2, 6.11.4): see longStop.
func (d *Docket) clockStopped(e Stopped) {
	d.see(e.Clock)
	d.recomputeTimes(e.Clock)
	called, loud := e.Promoting, e.Promoting
	for _, m := range d.matters {
		if !m.live() || m.kept != nil {
			continue
		}
		if m.closed == stillOpen && e.Clock.Known {
			m.correctedFrom = e.Clock
		}
		if m.closed == byReply && d.ply <= m.c.Ply+2 && d.offence(&m.c) {
			m.recalled = true
		}
		reason := d.reasonToStop(m)
		called, loud = called || reason, loud || reason && m.entry.Alert > Log
	}
	d.stop = stop{on: true, seq: e.Seq, turn: e.Turn, ply: d.ply, shows: e.Clock, explains: called || e.NotStarted || d.noneGoesOn(), quiet: called && !loud}
}

// noneGoesOn reports whether no game is known that goes on.
func (d *Docket) noneGoesOn() bool { return !d.begun || d.ended || !d.known }

// carriesOut reports whether the present stop of the clock is the one in which a decision is carried out: the decision
// was made while the clock ran, and the clock has not been started since.
func (d *Docket) carriesOut(m *matter) bool {
	return m.kept != nil && m.live() && (m.decision == doConfirm || m.decision == doAccident) && m.closed == stillOpen && m.startedAt == 0 &&
		!m.replaced && m.kept.Ruling.Clocks.Known
}

// recomputeTimes updates the times of rulings that are carried out now: they start from the times on the clock, less
// the increments of presses since the decision. The rest stays as decided.
func (d *Docket) recomputeTimes(shown Clocks) {
	for _, m := range d.matters {
		if !shown.Known || !d.carriesOut(m) {
			continue
		}
		e, r := *m.kept, *m.kept.Ruling
		m.correctedFrom = shown
		if now := d.ruledNow(m).Ruling; now.Position == r.Position && now.PositionFEN == r.PositionFEN && now.Strikes == r.Strikes && now.Bonus == r.Bonus {
			r.TakeBack, r.Text = now.TakeBack, now.Text
		}
		r.Clocks = shown
		r.addTimes()
		e.Ruling, m.kept = &r, &e
	}
}

// ruledNow returns the entry that the same decision about a matter would give now.
func (d *Docket) ruledNow(m *matter) Entry {
	was := *m
	defer func() { *m = was }()
	m.decision, m.strikeFor, m.kept = "", legal.NoSide, nil
	return d.proposeAs(m, was.decision)
}

// Stands reports whether the clock is stopped without an explanation so far. The caller sends LongStop when the stop
// has lasted for LongStopUS.
func (d *Docket) Stands() bool { return d.stop.on && !d.stop.explains && !d.stop.long }

// mayBeOver reports whether the clock may be stopped because the players have ended the game and the result is not
// entered yet.
func (d *Docket) mayBeOver() bool { return d.ply-d.startPly >= earlyPlies }

// longStop handles a clock that has been stopped for LongStopUS.
func (d *Docket) longStop() {
	if !d.Stands() {
		return
	}
	if d.stop.long = true; !d.mayBeOver() {
		d.askReason()
	}
}

// askReason opens the finding that the clock was stopped for an unknown reason.
func (d *Docket) askReason() {
	s := &d.stop
	if s.explains || d.stop.paused != "" || d.noneGoesOn() {
		return
	}
	c := Case{
		ID: kinds.ID(s.seq, kinds.PauseNoReason), Kind: kinds.PauseNoReason, Game: d.game, Ply: s.ply, Side: s.turn,
		State: Confirmed, Proof: Reported, Permille: 500, Known: true, Before: d.pos, At: d.pos.Placement(), Clock: d.clock.shows, Gained: -1,
	}
	if d.find(c.ID) == nil {
		d.stop.paused = d.add(c).c.ID
	}
}

// explain notes that the stop has a reason, and withdraws the question about it.
func (d *Docket) explain(why words.Sentence) {
	d.stop.explains, d.stop.quiet = d.stop.explains || d.stop.on, false
	d.dropPause(why)
}

// reasonToStop reports whether a matter explains the present stop.
func (d *Docket) reasonToStop(m *matter) bool {
	if !m.live() || m.held || m.c.Kind == kinds.PauseNoReason || m.c.Kind == kinds.LeverInPause || m.c.Kind == kinds.AdjustOffTurn || familyOf(&m.c) == kinds.SetUp {
		return false
	}
	return m.open() && d.offence(&m.c) || m.recalled || m.c.Ply >= d.ply
}

// dropPause withdraws the finding that the clock was stopped for no known reason.
func (d *Docket) dropPause(why words.Sentence) {
	if m := d.find(d.stop.paused); m != nil && d.stop.paused != "" && m.kept == nil {
		m.c.State, m.c.Note = Withdrawn, why
	}
	d.stop.paused = ""
	if m := d.find(d.stop.lever); m != nil && d.stop.lever != "" && m.kept == nil {
		m.routine = true
	}
}

// clockStarted handles a clock that runs again: if its times were edited after a ruling, they are compared with it.
func (d *Docket) clockStarted(e Started) {
	d.see(e.Clock)
	edited, before, decided := d.stop.edited, d.stop.shows, false
	for _, m := range d.matters {
		if m.c.Kind == kinds.ForeignPress {
			m.overtaken = true
		}
		decided = decided || d.carriesOut(m)
		if m.kept != nil && m.startedAt == 0 {
			m.startedAt, m.carriedOut = d.serial, true
		}
		d.endPlayedOn(m)
	}
	if d.stop.on && d.begun && !d.ended {
		if d.stop.long {
			d.askReason() // it was not the end of the game
		}
		d.leverMoved(e)
	}
	d.restarted = restarted{lever: d.stop.lever, turn: e.Turn}
	d.stop = stop{}
	d.settingCorrected(edited, before, e.Clock)
	if edited && !decided && before.Known && e.Clock.Known { // else the times of that decision were set
		d.setInStop(before, e.Clock)
	}
	d.clockAfterRuling(e, edited)
}

// restarted is the start of the clock after a stop in which the lever was moved, until the next press.
type restarted struct {
	lever string     // the finding about the lever; "": there is none
	turn  legal.Side // whose time was started
}

// leverFits makes the finding about a lever that was moved in a stop a line of the record where that player has the move
// after the given ply: a move was taken back in the stop, or made in it.
func (d *Docket) leverFits(ply int) {
	if m := d.find(d.restarted.lever); m != nil && d.restarted.lever != "" && (ply%2 == 0) == (d.restarted.turn == legal.White) {
		m.routine, d.all = true, true
	}
}

// settingCorrected chooses the rule set again where both times were set anew in an early stop: the clock had been set
// otherwise than the time control says, and shows it now (FIDE Laws 6.10.2, A.5.1.1).
func (d *Docket) settingCorrected(edited bool, before, now Clocks) {
	white, black := now.White-before.White, now.Black-before.Black
	both := min(white, black) >= otherSettingS || max(white, black) <= -otherSettingS
	if edited && before.Known && now.Known && both && d.ply-d.startPly <= earlyPlies && d.turns == 0 {
		d.clock.start = now
		d.choose()
	}
}

// otherSettingS is the least change of both times in one stop that no bonus explains, in seconds.
const otherSettingS = 150

// leverMoved notes that after a stop the clock of the player who is not to move runs, although no move of the lever was
// observed. The player may have moved without pressing, so it is only a line in the record.
func (d *Docket) leverMoved(e Started) {
	if m := d.find(d.stop.lever); m != nil && d.stop.lever != "" && d.known && e.Turn == d.pos.Turn() {
		m.routine = true // the clock of the player who has the move runs: it was corrected
	}
	if e.Turn == d.stop.turn || d.stop.turn == legal.NoSide || !d.known || e.Turn == d.pos.Turn() {
		return
	}
	if m := d.leverFound(e.Seq, e.Turn); m != nil {
		m.routine = true
	}
}

// leverInStop notes a lever that was moved while the clock was stopped. It explains the stop better than "reason
// unknown". If the stop has another reason, the lever was probably moved by the person who corrected the clock.
func (d *Docket) leverInStop(e LeverMoved) {
	d.see(e.Clock)
	if !d.stop.on || !d.begun || d.ended {
		return
	}
	if m := d.find(d.stop.lever); m != nil && d.stop.lever != "" && e.Turn == d.stop.turn {
		m.routine = true // it was put back
	}
	if m := d.leverFound(e.Seq, e.Turn); m != nil {
		d.dropPause(words.Say("explained.lever"))
		m.routine = d.stop.explains || d.mayBeOver()
		d.stop.explains = d.stop.explains || !m.routine
	}
}

// leverFound adds the finding about the lever, one for each stop; nil: none was added.
func (d *Docket) leverFound(seq int64, turn legal.Side) *matter {
	if d.stop.lever != "" || turn == legal.NoSide || d.wanted(turn) || d.ply == d.startPly { // before the first move it is set right
		return nil
	}
	c := Case{
		ID: kinds.ID(seq, kinds.LeverInPause), Kind: kinds.LeverInPause, Game: d.game, Ply: d.ply, State: Confirmed, Proof: Certain,
		Permille: 1000, Known: d.known, Clock: d.clock.shows, Gained: -1,
	}
	if d.known {
		c.Before, c.At = d.pos, d.pos.Placement()
	}
	if d.find(c.ID) != nil {
		return nil
	}
	d.stop.lever = c.ID
	return d.add(c)
}

// wanted reports whether a ruling about the last moves says that this side's clock is to run.
func (d *Docket) wanted(turn legal.Side) bool {
	return d.latest(func(m *matter) bool {
		r := m.entry.Ruling
		return m.live() && m.closed == stillOpen && r != nil && r.RunClock == turn && familyOf(&m.c) != kinds.End &&
			(m.c.Ply >= d.ply || m.decision == doConfirm && !m.checked || m.open() && d.offence(&m.c))
	}) != nil
}

// editTolerance is the difference in seconds of a corrected time that is not reported, because the clock may have
// counted a second already. It must be less than the smallest increment in use, which is two.
const editTolerance = 1

func (d *Docket) timesRight(r *Ruling, c Clocks) bool {
	for _, s := range [...]legal.Side{legal.White, legal.Black} {
		if off := c.Of(s) - r.Clocks.Of(s); off > editTolerance || off < -editTolerance {
			return false
		}
	}
	return true
}
