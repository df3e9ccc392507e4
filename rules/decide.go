package rules

import (
	"slices"

	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// The arbiter's decisions. Only confirm changes the ledger, and undo takes that back.
const (
	doConfirm  = "confirm"
	doReject   = "reject"
	doAccident = "accident"
	doSensor   = "sensor"
	doUndo     = "undo"
	doLater    = "later"
	doUnseen   = "unseen"
)

// decide takes a decision. Every decision can be taken back or replaced until the players have signed (laws notes 5.1,
// 5.3).
func (d *Docket) decide(e Decision) {
	switch e.Do {
	case doConfirm, doReject, doAccident, doSensor, doLater, doUnseen, doUndo:
	default:
		return
	}
	m := d.find(e.Finding)
	if m == nil {
		m = d.carryDecided(e)
	}
	if m == nil || !d.Decides(e.Finding) {
		return
	}
	if e.Do == doUndo && m.decision == "" {
		return
	}
	if m.kept != nil && e.Do == m.decision { // two people have decided alike: a ruling of now would give its bonus again
		return
	}
	d.apply(m, e.Do)
	d.decided(m, e.Seq)
}

// Decides reports whether a decision about a finding can count: the finding is one of this game, and the players have
// not signed after a decision about it.
func (d *Docket) Decides(finding string) bool {
	m := d.find(finding)
	if m == nil {
		return d.otherCase(finding) != nil
	}
	return !d.signed || m.decision == ""
}

// apply gives a matter a decision.
func (d *Docket) apply(m *matter, do string) {
	d.turns++
	m.decision, m.strikeFor, m.kept, m.rank, m.checked = "", legal.NoSide, nil, d.turns, false
	m.decidedAt, m.decidedPly, m.startedAt = d.serial, d.ply, 0
	var again []*matter
	for _, n := range d.matters {
		if n.settledBy == m.c.ID {
			n.settledBy, d.all = "", true
			again = append(again, n)
		} else if n.beneath == m && (do == doReject || do == doSensor) {
			again = append(again, n)
		}
	}
	switch do {
	case doUndo:
		m.rank = 0
	case doLater, doUnseen:
		m.decision = do
	default:
		d.keep(m, do)
	}
	for _, n := range d.matters {
		if n != m && (d.losesNoMore(n) || slices.Contains(again, n)) {
			d.confirmAgain(n)
		}
	}
}

// losesNoMore reports whether a confirmed ruling says that the game is lost by a number of strikes that is not there
// any more.
func (d *Docket) losesNoMore(m *matter) bool {
	if m.kept == nil || m.decision != doConfirm || m.c.Side == legal.NoSide {
		return false
	}
	r, side := m.kept.Ruling, m.c.Side
	return r.Kind == kindIllegal && r.Limit > 0 && r.Strikes[side] >= r.Limit && d.Strikes()[side] < r.Limit
}

// confirmAgain rules again on a matter that was confirmed, because another decision has changed its basis.
func (d *Docket) confirmAgain(m *matter) {
	if m.kept == nil || m.decision != doConfirm {
		return
	}
	m.decision, m.strikeFor, m.kept, m.checked, d.all = "", legal.NoSide, nil, false, true
	for _, n := range d.matters {
		if n.settledBy == m.c.ID {
			n.settledBy = "" // it is beneath the ruling again, and goes with it
		}
	}
	d.keep(m, doConfirm)
}

// keep stores the entry as it was decided: later events do not change it.
func (d *Docket) keep(m *matter, do string) {
	e := d.proposeAs(m, do)
	ledger := d.Strikes()
	m.decision = do
	switch s := m.c.Side; do {
	case doConfirm:
		r := e.Ruling
		if s != legal.NoSide && e.State != Withdrawn && (r.Kind == kindIllegal || r.Kind == kindDecides) && r.Strikes[s] > ledger[s] {
			m.strikeFor = s
		}
	case doReject, doSensor:
		withdrawn(&e, ledger)
		e.Ruling.Text = words.Say("rule.no_offence")
		if do == doSensor {
			e.Ruling.Text = words.Say("rule.sensor")
		}
	}
	e.Decided = do
	m.kept, m.beneath = &e, d.earliestBeneath(m)
	if do == doConfirm && e.Ruling.Position == restore && familyOf(&m.c) == kinds.Illegal {
		d.goesWith(m, e.Ruling.PositionFEN)
	}
}

// proposeAs returns the entry of a matter as a decision makes it: confirmed, or an accident.
func (d *Docket) proposeAs(m *matter, do string) Entry {
	state := m.c.State
	if do == doConfirm && state == Suspected {
		m.c.State = Confirmed // a person has looked
	}
	m.mild, m.upheld = do == doAccident, do == doConfirm
	e := d.propose(m)
	m.c.State, m.mild, m.upheld = state, false, false
	if do == doAccident {
		accident(&e, d.Strikes(), m.onClock.given)
	}
	return e
}

// goesWith notes the open illegal moves that disappear when a ruling restores a position before them.
func (d *Docket) goesWith(ruled *matter, fen string) {
	for _, m := range d.matters {
		if m == ruled || !m.open() || !m.c.Completed || familyOf(&m.c) != kinds.Illegal || m.c.Proof < Strong {
			continue
		}
		both := (&sheet{d: d, p: d.p, m: ruled}).laterAlerts() && m.c.Known && m.c.Before.FEN() == fen && m.c.Ply < ruled.c.Ply
		if m.order > ruled.order && m.c.Ply > ruled.c.Ply || both {
			m.settledBy, d.all = ruled.c.ID, true
		}
	}
}

// accident keeps the correction and removes the penalty, also the part of it that is on the clock already.
func accident(e *Entry, ledger, given [3]int) {
	r := *e.Ruling
	for _, s := range [...]legal.Side{legal.White, legal.Black} {
		if r.Clocks.Known {
			t := sideOf(&r.Clocks, s)
			*t = max(*t-r.Bonus[s]-given[s], 0)
		}
		r.Bonus[s] = -given[s]
	}
	r.Kind, r.Strikes, r.Result = kindIrregular, ledger, ""
	r.Text = words.Say("rule.accident")
	e.Alert, e.Ruling = min(e.Alert, Log), &r
}

// unseen is an offence in fast play that the arbiter did not see: without a claim nothing is done (FIDE Laws A.5.2,
// B.3.1; Arbiters' Manual 2025, page 15). The finding stays, and a claim brings the proposal back. Where the arbiter
// must act on every finding (7.5.1), this decision has no effect.
func unseen(e *Entry, ledger [3]int) {
	r := e.Ruling
	e.Alert = min(e.Alert, OnClaim)
	e.Ruling = &Ruling{
		Profile: r.Profile, Kind: kindNone, Strikes: ledger, Before: ledger, Limit: r.Limit, Deadline: r.Deadline, Until: r.Until,
		Closer: r.Closer, Text: words.Say("rule.unseen"),
	}
}

func sideOf(c *Clocks, s legal.Side) *int {
	if s == legal.Black {
		return &c.Black
	}
	return &c.White
}

// withdrawn leaves only the record of an entry.
func withdrawn(e *Entry, ledger [3]int) {
	e.State, e.Alert = Withdrawn, Log
	r := e.Ruling
	e.Ruling = &Ruling{Profile: r.Profile, Kind: kindNone, Strikes: ledger, Before: ledger, Limit: r.Limit, Text: words.Say("rule.withdrawn")}
}
