package rules

import (
	"slices"

	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// The kinds of rulings (contract, section 3).
const (
	kindIllegal   = "illegal_move"
	kindIrregular = "irregularity"
	kindDecides   = "arbiter_decides"
	kindFact      = "fact"
	kindNone      = "none"

	restore = "restore"
	stands  = "stands"
	queen   = "queen"
)

// judge returns a matter's entry in its present state. A suspicion is always quiet (contract, section 3).
func (d *Docket) judge(m *matter) Entry {
	e := d.asItStands(m)
	if m.past && m.kept == nil && e.State != Withdrawn && e.Ruling != nil {
		reduceToRecord(&e, d.pastText(m))
	}
	if d.ended && d.endedBy == "arbiter" && m.decision == "" && (familyOf(&m.c) == kinds.Flag || d.ends(m) && familyOf(&m.c) == kinds.End) {
		e.Alert = min(e.Alert, Log) // a person has entered the result
	}
	if isSuspicion(&m.c) {
		e.Alert = Advise
	}
	return e
}

func (d *Docket) asItStands(m *matter) Entry {
	if m.kept != nil {
		return *m.kept
	}
	e := d.propose(m)
	switch m.decision {
	case doLater:
		e.Alert = min(e.Alert, Advise)
	case doUnseen:
		if e.Ruling.Advice == LookFirst && e.State == Confirmed {
			unseen(&e, d.Strikes())
		}
	}
	return e
}

// propose applies the rule set to a matter.
func (d *Docket) propose(m *matter) Entry {
	if m.carried != nil && m.sameAs == "" {
		return d.proposeCarried(m)
	}
	s := &sheet{
		d: d, p: d.p, m: m,
		e: Entry{Case: m.c, Alert: Log, Edition: d.p.Edition, Decided: m.decision, Order: m.order, Carried: m.carried != nil},
		r: Ruling{Profile: d.p.Name, Kind: kindFact, Strikes: m.before},
	}
	s.e.Reason = s.reason()
	if m.c.State == Withdrawn {
		s.e.Ruling = &s.r
		s.cite(s.own()...)
		withdrawn(&s.e, m.before)
		if !m.c.Note.IsZero() {
			s.e.Ruling.Text = words.Say("rule.withdrawn_for", m.c.Note)
		}
		return s.e
	}
	s.byFamily()
	s.r.Before, s.r.Limit = m.before, s.limit()
	if s.r.Kind == kindIllegal || s.r.Kind == kindDecides {
		s.r.Before = d.Strikes()
	}
	if m.c.State == Suspected && m.c.Kind != kinds.PauseNoReason {
		s.e.Alert = min(s.e.Alert, Log) // a fresh dump of the board is awaited
	}
	if s.e.Articles == nil {
		s.cite(s.own()...)
	}
	s.e.Ruling = &s.r
	return s.e
}

func (s *sheet) byFamily() {
	if handOnly(&s.m.c) && !isSuspicion(&s.m.c) && (s.d.blind || s.d.assisted) || s.d.noTouch && familyOf(&s.m.c) == kinds.Touch {
		s.nothing(words.Say("rule.switched_off"))
		return
	}
	if s.m.held {
		s.propose(Log, kindNone, words.Say("rule.held"))
		s.r.Deadline, s.r.Until = words.Say("due.press"), UntilPress
		s.r.Closer = s.m.c.Side
		return
	}
	if s.m.sameAs != "" {
		s.sameIncident()
		return
	}
	if s.d.reportedByPerson(s.m) {
		s.propose(Log, kindNone, words.Say("rule.by_person"))
		return
	}
	switch familyOf(&s.m.c) {
	case kinds.Illegal:
		s.illegal()
	case kinds.Hand:
		s.hands()
	case kinds.Touch:
		s.touchMove()
	case kinds.Turn:
		s.outOfTurn()
	case kinds.Displacement:
		s.displaced()
	case kinds.End:
		s.end()
	case kinds.Flag:
		s.flag()
	case kinds.SetUp:
		s.setup()
	case kinds.Draw:
		s.draw()
	case kinds.Sensor:
		s.sensor()
	default:
		s.other()
	}
}

// A sheet is an entry that is being written.
type sheet struct {
	d *Docket
	p *Profile
	m *matter
	e Entry
	r Ruling

	remark   words.Sentence // the position by which a flag was judged, if it is not the one on the board
	posAfter legal.Position // the position that the ruling leaves or sets up
	dead     bool           // under a table of material: neither player can ever mate
	first    *matter        // the earlier illegal move that is still open and before which the game goes back; nil: none
}

// propose sets the alert, and the kind and text of the ruling.
func (s *sheet) propose(a Alert, kind string, text words.Sentence) {
	s.e.Alert, s.r.Kind, s.r.Text = a, kind, text
}

// also adds a sentence to a ruling's text.
func (r *Ruling) also(more words.Sentence) { r.Text = beside(r.Text, more) }

// beside joins sentences, without empty ones.
func beside(list ...words.Sentence) words.Sentence {
	var said []words.Sentence
	for _, s := range list {
		switch {
		case s.IsZero():
		case s.Key == " ":
			said = append(said, s.Args...)
		default:
			said = append(said, s)
		}
	}
	switch len(said) {
	case 0:
		return words.Sentence{}
	case 1:
		return said[0]
	}
	return words.List(" ", said)
}

// nothing marks an entry that needs no alert.
func (s *sheet) nothing(text words.Sentence) { s.propose(NoAlert, kindNone, text) }

// stand rules that the position of the case stays.
func (s *sheet) stand() {
	s.r.Position = stands
	if after, ok := s.after(); ok {
		s.posAfter, s.r.PositionFEN, s.r.RunClock = after, after.FEN(), after.Turn()
	}
}

// back rules that the position before is to be set up.
func (s *sheet) back() {
	s.r.Position = restore
	if before, ok := s.before(); ok {
		s.r.PositionFEN, s.r.RunClock = before.FEN(), before.Turn()
	}
}

// before and after are the case's positions, where it has them.
func (s *sheet) before() (legal.Position, bool) {
	c := &s.m.c
	return c.Before, c.Known && c.Before != legal.Position{}
}

func (s *sheet) after() (legal.Position, bool) {
	c := &s.m.c
	return c.After, c.Stands && c.After != legal.Position{}
}

func (s *sheet) opponent() legal.Side { return s.m.c.Side.Other() }

// alertInTime returns the alert for an offence that can still be dealt with. Under some rule sets only a claim counts.
func (s *sheet) alertInTime() Alert {
	switch {
	case s.p.Arbiter == "never", s.p.Arbiter == "calm" && s.d.tight:
		return OnClaim
	}
	return Now
}

// usual returns the default alert of the kind.
func (s *sheet) usual() Alert { return s.m.c.Kind.Row().Alert }

// sameEntry reports whether two entries have the same content.
func sameEntry(a, b *Entry) bool {
	return a.Alert == b.Alert && a.Edition == b.Edition && a.Reason.Equal(b.Reason) && a.Decided == b.Decided &&
		slices.Equal(a.Articles, b.Articles) && sameCase(&a.Case, &b.Case) && sameRuling(a.Ruling, b.Ruling)
}

func sameCase(a, b *Case) bool {
	return a.ID == b.ID && a.Kind == b.Kind && a.Game == b.Game && a.Ply == b.Ply && a.Side == b.Side && a.State == b.State &&
		a.Proof == b.Proof && a.Permille == b.Permille && a.UCI == b.UCI && a.Known == b.Known && a.Stands == b.Stands &&
		a.Completed == b.Completed && a.Answered == b.Answered && a.Clock == b.Clock && a.Gained == b.Gained && a.Move == b.Move && a.When == b.When &&
		a.Note.Equal(b.Note) && a.Reason.Equal(b.Reason) && slices.Equal(a.Articles, b.Articles) && slices.Equal(a.Squares, b.Squares) &&
		slices.Equal(a.Touched, b.Touched) && a.Before == b.Before && a.After == b.After && a.At == b.At
}

func sameRuling(a, b *Ruling) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Profile == b.Profile && a.Kind == b.Kind && a.Position == b.Position && a.PositionFEN == b.PositionFEN &&
		slices.Equal(a.MustPlay, b.MustPlay) && a.Bonus == b.Bonus && a.TakeBack == b.TakeBack && a.Clocks == b.Clocks &&
		a.RunClock == b.RunClock && a.Strikes == b.Strikes && a.Result == b.Result && a.Deadline.Equal(b.Deadline) &&
		a.Until == b.Until && a.Advice == b.Advice && a.Closer == b.Closer && a.Before == b.Before && a.Limit == b.Limit && a.Text.Equal(b.Text) &&
		sameMate(a.Mate, b.Mate)
}
