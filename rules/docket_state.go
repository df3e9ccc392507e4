package rules

import (
	"slices"

	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

// A Docket is one board's book of cases. It belongs to one caller. A game has a handful of matters; beyond maxMatters
// the oldest that are not shown are dropped.
type Docket struct {
	choice []Profile // to choose from; a single one leaves no choice
	guess  bool      // the rule set was chosen by the clock
	windows

	clock     clock
	stop      stop
	restarted restarted

	game     int
	begun    bool
	ply      int            // plies played
	startPly int            // plies played before the game began here
	pos      legal.Position // after them
	known    bool           // pos is a position
	last     [3]lastMove    // by side
	presser  legal.Side     // of a press whose move has not been received yet

	ended   bool
	result  string
	endedBy string
	ruled   bool // the result is that of a confirmed ruling
	signed  bool

	ledger ledger
	turns  int // number of decisions so far
	serial int

	early    earlyClaim
	claimMet bool // a finding was known that the last claim can be about
	stranger stranger
	other    other // entries of another revision of the core

	blind, assisted, noTouch bool // Appendix D; 4.9; an event without touch-move

	matters []*matter
	all     bool // every matter is to be judged again
	mates   []mateAnswer
	budget  int // limit of moves tried for one question about mate
}

// lastMove is a side's last committed move.
type lastMove struct {
	on      bool
	seq     int64
	ply     int
	before  legal.Position
	move    legal.Move
	pressed bool
	clock   Clocks
}

const maxMatters = 256

// NewDocket opens a docket under one rule set.
func NewDocket(p Profile) *Docket { return NewDocketAuto([]Profile{p}) }

// NewDocketAuto opens a docket that chooses its rule set at the beginning of each game: the first whose class of time
// control fits the clock, or the first of all if none fits. Until then the first of all is in force.
func NewDocketAuto(ps []Profile) *Docket {
	d := &Docket{choice: slices.Clone(ps), clock: newClock(), budget: MatingBudget}
	if len(d.choice) == 0 {
		d.choice = []Profile{{}}
	}
	d.choose()
	return d
}

// SetTimeControl sets the clock's time control in seconds; -1: not known.
func (d *Docket) SetTimeControl(baseSec, incrementSec, delaySec int) {
	d.clock.base, d.clock.increment, d.clock.delay = baseSec, incrementSec, delaySec
	d.choose()
}

// Profile returns the rule set in force.
func (d *Docket) Profile() Profile { return *d.p }

// Limit returns the number of strikes that loses the game; 0: none does.
func (d *Docket) Limit() int { return d.p.strikes(d.class) }

// choose picks the rule set that fits the time control, or else the times at the beginning of the game.
func (d *Docket) choose() {
	base, increment := d.clock.timeControl()
	p, class := d.p, d.class
	defer func() { d.all = d.all || p != d.p || class != d.class }()
	d.p, d.guess = &d.choice[0], false
	for i := range d.choice {
		p := &d.choice[i]
		if c := ClassOf(base, increment, d.clock.delay, p.us()); c != NoClass && p.allows(c) {
			d.p, d.guess = p, len(d.choice) > 1
			break
		}
	}
	d.class = d.classFor(base, increment)
}

// classFor returns the class whose keys apply: that of the clock if the rule set covers it, else the rule set's own
// first.
func (d *Docket) classFor(base, increment int) Class {
	c := ClassOf(base, increment, d.clock.delay, d.p.us())
	if c == NoClass || !d.p.allows(c) {
		if len(d.p.Classes) == 0 {
			return Standard
		}
		c = classNamed(d.p.Classes[0])
		if d.p.Book == bookDraft {
			c = Rapid // the draft is about rapid play; its usual time control is 15+10
		}
	}
	return c.fide()
}

// Strikes returns the ledger: the completed illegal moves that the arbiter has confirmed, by side.
func (d *Docket) Strikes() (by [3]int) { return d.ledger.strikes(d.confirmed()) }

// confirmed counts the strikes added by this docket's decisions.
func (d *Docket) confirmed() (by [3]int) {
	for _, m := range d.matters {
		if m.strikeFor != legal.NoSide {
			by[m.strikeFor]++
		}
	}
	return by
}

// find returns the matter with that identity, or nil.
func (d *Docket) find(id string) *matter {
	for i := len(d.matters) - 1; i >= 0; i-- {
		if d.matters[i].c.ID == id {
			return d.matters[i]
		}
	}
	return nil
}

// latest returns the latest matter for which is returns true, or nil.
func (d *Docket) latest(is func(*matter) bool) *matter {
	for i := len(d.matters) - 1; i >= 0; i-- {
		if is(d.matters[i]) {
			return d.matters[i]
		}
	}
	return nil
}

// add opens a matter.
func (d *Docket) add(c Case) *matter {
	if len(d.matters) >= maxMatters {
		d.forget()
	}
	d.serial++
	m := &matter{c: c, order: d.serial, before: d.Strikes(), correctedFrom: c.Clock}
	if !m.correctedFrom.Known {
		m.correctedFrom = d.clock.shows
	}
	if c.Completed && c.Side != legal.NoSide {
		m.tally.add(c.Side, c.Gained)
	}
	if c.Kind == kinds.IllegalNoMove && d.clock.idle.presses[c.Side] > 0 {
		m.tally = d.clock.idle
	}
	if familyOf(&c) == kinds.Draw && d.clock.shows.Known {
		m.correctedFrom = d.clock.shows // the times at the stop, not at the press
	}
	if d.offence(&c) && c.Completed && c.Proof != Reported {
		m.tally.join(d.clock.bounces)
		d.clock.bounces = tally{}
	}
	m.plyAt = d.ply
	d.count(m)
	d.matters = append(d.matters, m)
	return m
}

// count updates the number of increments that a correction takes back. It runs when a person looks (a stop, a claim, a
// decision, a press back) and not at each press: otherwise an illegal move that stays for thirty moves would be
// reported thirty times.
func (d *Docket) count(m *matter) {
	for s := range m.counted {
		n := m.tally.credits(legal.Side(s), d.clock.increment >= 0)
		if n != m.counted[s] && m.said && d.clock.shows.Known {
			m.correctedFrom = d.clock.shows // the times belong with the presses
		}
		m.counted[s], m.period[s] = n, m.tally.period[s]
	}
	if m.replaced && d.known {
		m.resumedFrom = d.pos
	}
}

// forget drops the oldest undecided matter that is only in the record, or else the oldest undecided one.
func (d *Docket) forget() {
	drop := slices.IndexFunc(d.matters, func(m *matter) bool { return m.decision == "" && (m.entry.Alert <= Log || m.entry.State == Withdrawn) })
	if drop < 0 {
		drop = slices.IndexFunc(d.matters, func(m *matter) bool { return m.strikeFor == legal.NoSide })
	}
	d.matters = slices.Delete(d.matters, max(drop, 0), max(drop, 0)+1)
}
