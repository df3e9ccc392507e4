package rules

import (
	"slices"

	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// This file keeps decisions that were made while another revision of the core judged a part of the game. The journal
// holds the output of that revision: its findings, its rulings and the decisions about them. A decided case that this
// core does not find is carried over with the case and the ruling of that time. If both revisions find it, the outcome
// of the decision is kept.

// other holds the output of another revision of the core in the present game.
type other struct {
	on     bool // its part of the journal is being read
	game   int  // the number of the game in the other revision's output
	said   []*said
	ledger ledger
}

// said holds the other revision's entries about one case.
type said struct {
	undecided  Entry // the last entry before a decision, or the first entry
	last       Entry // the last entry
	decision   string
	strikeFor  legal.Side // the side to which the decision gives a strike
	unanswered bool       // the journal has the decision, but not yet the response to it
	at         int64      // sequence number of the decision, or of the input before the last entry
}

func (d *Docket) otherCase(id string) *said {
	for _, x := range d.other.said {
		if x.last.ID == id {
			return x
		}
	}
	return nil
}

// otherCore begins or ends the part that another revision judged. When it ends, every decision of the game holds in
// this docket, and the ledger is set to that revision's, because this core may have found another beginning of the
// game.
func (d *Docket) otherCore(on bool) {
	o := &d.other
	switch {
	case on == o.on:
	case on:
		was := o.said
		d.other = other{on: true, game: d.game, ledger: d.ledger}
		for _, m := range d.matters {
			if m.said {
				o.said = append(o.said, &said{undecided: m.entry, last: m.entry, decision: m.decision, strikeFor: m.strikeFor})
			}
		}
		for _, x := range was {
			if d.find(x.last.ID) == nil {
				o.said = append(o.said, x)
			}
		}
	default:
		for _, x := range o.said {
			d.uphold(x)
		}
		if d.ledger.agree(o.ledger.strikes(o.confirmed()), d.confirmed()) {
			d.ledger.fresh, d.all = o.ledger.fresh, true
		}
		o.on = false
	}
}

// confirmed counts the strikes that the decisions about its cases have added.
func (o *other) confirmed() (by [3]int) {
	for _, x := range o.said {
		if x.strikeFor != legal.NoSide {
			by[x.strikeFor]++
		}
	}
	return by
}

// otherGame notes a game that the other revision began.
func (d *Docket) otherGame(game int) {
	o := &d.other
	if !o.on {
		return
	}
	o.said = slices.DeleteFunc(o.said, func(x *said) bool { return x.last.Game != game || o.game == game })
	o.game = game
	o.ledger.begin()
}

// otherSaid notes the other revision's entry about a case.
func (d *Docket) otherSaid(e OtherSaid) {
	if !d.other.on || e.Entry.Ruling == nil {
		return
	}
	x := d.otherCase(e.Entry.ID)
	if x == nil {
		x = &said{undecided: e.Entry, last: e.Entry}
		d.keepSaid(x)
	}
	x.last, x.at = e.Entry, e.Seq
	if e.Entry.Decided == "" {
		x.undecided = e.Entry
	}
	m := d.find(e.Entry.ID)
	if m != nil && m.sameAs != "" {
		m.sameAs, d.all = "", true // both revisions have found it: it is a case of its own
	}
	if m != nil && m.carried != nil && e.Entry.Decided == "" {
		d.setCarried(m, x)
	}
	if !e.Decides || x.unanswered && e.Entry.Decided == "" {
		return
	}
	x.decision, x.strikeFor, x.unanswered = e.Entry.Decided, struckIn(&e.Entry), false
	d.uphold(x)
}

// keepSaid adds a case. Above the limit the oldest undecided one is dropped, or else the oldest.
func (d *Docket) keepSaid(x *said) {
	list := d.other.said
	if len(list) >= maxMatters {
		drop := max(slices.IndexFunc(list, func(x *said) bool { return x.decision == "" }), 0)
		list = slices.Delete(list, drop, drop+1)
	}
	d.other.said = append(list, x)
}

// struckIn returns the side to which a decided entry gives a strike.
func struckIn(e *Entry) legal.Side {
	r, s := e.Ruling, e.Side
	if e.Decided != doConfirm || e.State == Withdrawn || r.Kind != kindIllegal && r.Kind != kindDecides || r.Strikes[s] <= r.Before[s] {
		return legal.NoSide
	}
	return s
}

// uphold makes the decision about a case, and its outcome, hold in this docket.
func (d *Docket) uphold(x *said) {
	m := d.find(x.last.ID)
	if m == nil {
		if x.decision == "" {
			return
		}
		m = d.carry(x)
	}
	switch {
	case x.unanswered && m.decision == x.decision, !x.unanswered && x.heldBy(m):
		return
	case x.unanswered:
		d.apply(m, x.decision)
		return
	}
	d.all = true
	d.turns++
	m.decision, m.strikeFor, m.kept, m.rank, m.checked = x.decision, x.strikeFor, nil, d.turns, false
	m.decidedAt, m.decidedPly, m.startedAt = d.serial, d.ply, 0
	switch x.decision {
	case "":
		m.rank = 0
	case doLater, doUnseen:
	default:
		e := d.propose(m)
		e.State, e.Alert, e.Articles, e.Edition, e.Reason = x.last.State, x.last.Alert, x.last.Articles, x.last.Edition, x.last.Reason
		e.Decided, e.Ruling = x.decision, x.last.Ruling
		m.kept = &e
	}
}

// heldBy reports whether a matter has the same decision with the same outcome.
func (x *said) heldBy(m *matter) bool {
	if m.decision != x.decision || m.strikeFor != x.strikeFor {
		return false
	}
	if m.kept == nil {
		return true
	}
	r, was := m.kept.Ruling, x.last.Ruling
	return (m.kept.State == Withdrawn) == (x.last.State == Withdrawn) && r.Kind == was.Kind && r.Position == was.Position &&
		r.Result == was.Result && r.Strikes == was.Strikes && r.Bonus == was.Bonus
}

// decided stores a decision until the journal shows the other revision's response to it.
func (d *Docket) decided(m *matter, seq int64) {
	x := d.otherCase(m.c.ID)
	if x == nil && d.other.on {
		x = &said{undecided: m.entry, last: m.entry}
		d.keepSaid(x)
	}
	if x != nil {
		x.decision, x.strikeFor, x.unanswered, x.at = m.decision, m.strikeFor, true, seq
	}
}

// carryDecided opens a matter for a decision about a case that only the other revision found; nil: there is no such
// case.
func (d *Docket) carryDecided(e Decision) *matter {
	x := d.otherCase(e.Finding)
	if x == nil || e.Do == doUndo && x.decision == "" {
		return nil
	}
	x.at = e.Seq
	if d.uphold(x); x.decision != "" {
		return d.find(e.Finding)
	}
	return d.carry(x)
}

// carry opens a matter for a case that only the other revision found.
func (d *Docket) carry(x *said) *matter {
	m := d.add(x.undecided.Case)
	m.carriedAt = x.at
	d.setCarried(m, x)
	d.matchCarried(m)
	return m
}

// setCarried sets a matter's case and proposal to the last entry of the other revision before a decision.
func (d *Docket) setCarried(m *matter, x *said) {
	told := x.undecided
	told.Carried, told.Decided = true, ""
	m.carried, m.c, d.all = &told, told.Case, true
	if m.c.Game = d.game; d.other.game != 0 {
		m.c.Game += max(told.Game-d.other.game, 0) // it may have been found before its game began
	}
}

// proposeCarried returns the proposal of that time with the present ledger. Where the offender's strikes differ from
// that time, no result is proposed.
func (d *Docket) proposeCarried(m *matter) Entry {
	e, r := *m.carried, *m.carried.Ruling
	e.Case, e.Decided, e.Order, e.Ruling = m.c, m.decision, m.order, &r
	if ledger := d.Strikes(); (r.Kind == kindIllegal || r.Kind == kindDecides) && ledger != r.Before {
		changed := ledger[m.c.Side] != r.Before[m.c.Side]
		for s := range ledger {
			r.Strikes[s] += ledger[s] - r.Before[s]
		}
		if r.Before = ledger; changed {
			r.Result = ""
			r.also(words.Say("rule.strikes_changed"))
		}
	}
	return e
}

// matchCarried looks for this core's case about the incident of a carried matter. An incident is reported under one
// name, and is one strike at most.
func (d *Docket) matchCarried(m *matter) {
	var best *matter
	for _, n := range d.matters {
		if n != m && n.carried == nil && n.sameAs == "" && d.otherCase(n.c.ID) == nil && mayBeSame(n, m) && (best == nil || closer(n, best, m)) {
			best = n
		}
	}
	switch {
	case best == nil:
	case best.decision != "":
		m.sameAs = best.c.ID
	default:
		best.sameAs = m.c.ID
	}
	d.all = true
}

// matchFound does the same for a case that this core finds after the other revision's matter was carried over.
func (d *Docket) matchFound(n *matter) {
	if d.otherCase(n.c.ID) != nil {
		return
	}
	for _, m := range d.matters {
		if m.carried != nil && m.sameAs == "" && mayBeSame(n, m) && !slices.ContainsFunc(d.matters, func(k *matter) bool { return k.sameAs == m.c.ID }) {
			n.sameAs = m.c.ID
			return
		}
	}
}

// mayBeSame reports whether a case of this core can be about the incident of a carried matter: both rest on the same
// record, or both are about the same ply and the evidence is older than the decision.
func mayBeSame(n, carried *matter) bool {
	a, b := &n.c, &carried.c
	if a.Side != b.Side && a.Side != legal.NoSide && b.Side != legal.NoSide {
		return false
	}
	if !oneIncident(familyOf(a), familyOf(b)) {
		return false
	}
	return numberOf(a.ID) == numberOf(b.ID) || a.Ply == b.Ply && numberOf(a.ID) <= carried.carriedAt
}

// closer reports whether a matter fits better than another: the same kind of finding first, then the nearest first
// evidence.
func closer(n, best, carried *matter) bool {
	kin := func(m *matter) bool { return familyOf(&m.c) == familyOf(&carried.c) }
	if kin(n) != kin(best) {
		return kin(n)
	}
	far := func(m *matter) int64 {
		gap := numberOf(m.c.ID) - numberOf(carried.c.ID)
		return max(gap, -gap)
	}
	return far(n) < far(best)
}

// oneIncident reports whether findings of these families can be about one incident: one fault on the board after a
// press may be found under several names.
func oneIncident(a, b kinds.Family) bool {
	press := func(f kinds.Family) bool {
		return f == kinds.Illegal || f == kinds.Turn || f == kinds.Displacement || f == kinds.Sensor
	}
	return a == b || press(a) && press(b)
}

// sameIncident rules on a case whose incident was decided under another name.
func (s *sheet) sameIncident() {
	s.propose(Log, kindNone, words.Say("rule.same_incident"))
}
