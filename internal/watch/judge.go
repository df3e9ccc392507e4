package watch

import (
	"bytes"
	"slices"
	"strings"

	"boardwatchd/detector"
	"boardwatchd/detector/hands"
	"boardwatchd/rules"
	"boardwatchd/rules/legal"
)

// This file is between the tracker, which knows the board, and the docket, which knows the Laws.

// proof is what a finding rests on; the docket does not need it, the arbiter does.
type proof struct {
	id       string
	window   detector.Window
	evidence []detector.Seq
	game     int
	ply      int
	side     legal.Side
	timeline []hands.Window // of a suspicion about hands
	air      hands.Air
}

// maxProofs bounds what is remembered of one game. A game has a handful of findings; a board on which children play has
// more, and the oldest are told already.
const maxProofs = 512

// openDocket begins a docket with the rules of the opening record.
func (m *Machine) openDocket() {
	m.docket, m.proofs = nil, nil
	switch s := &m.settings; len(s.Rules) {
	case 0:
		return
	case 1:
		m.docket = rules.NewDocket(s.Rules[0])
	default:
		m.docket = rules.NewDocketAuto(s.Rules)
	}
	m.docket.SetMatingBudget(m.settings.MatingBudget)
	if p := m.settings.Periods; len(p) > 0 {
		const second = 1_000_000
		base := int64(0)
		for i := range p {
			base += p[i].Base // the class goes by all periods together (FIDE Laws A.1, B.1)
		}
		m.docket.SetTimeControl(int(base/second), int(p[0].Increment/second), int(p[0].Delay/second))
	}
	if pos, ok := m.tr.Position(); ok {
		m.enter(rules.Begun{Game: m.tr.Game(), Position: pos})
	}
}

// newRules goes on under the rules of a corrected configuration. What was found stays told; the strikes are carried over. Another
// budget alone is no other rule: the docket goes on with it.
func (m *Machine) newRules(old *Settings) {
	was, err1 := encode(old.Rules)
	is, err2 := encode(m.settings.Rules)
	if err1 == nil && err2 == nil && bytes.Equal(was, is) && slices.Equal(old.Periods, m.settings.Periods) {
		if m.docket != nil {
			m.docket.SetMatingBudget(m.settings.MatingBudget)
		}
		return
	}
	var strikes [3]int
	if m.docket != nil {
		strikes = m.docket.Strikes()
	}
	m.openDocket()
	if m.docket != nil && strikes != [3]int{} {
		m.enter(rules.SetStrikes{White: strikes[legal.White], Black: strikes[legal.Black]})
	}
}

// judge tells the docket about an outcome of the tracker. Next are the outcomes that follow at once.
func (m *Machine) judge(o detector.Outcome, next []detector.Outcome) {
	switch o := o.(type) {
	case detector.GameStarted:
		if s, err := legal.ParseFEN(o.FEN); err == nil {
			if pos, err := s.Standing(); err == nil {
				m.enter(rules.Begun{Game: o.Game, Position: pos, Clock: rules.Clocks(m.tr.Times())})
			}
		}
	case detector.Moved:
		m.enter(rules.Moved{Seq: int64(o.Seq), Ply: o.Ply, Before: o.Before, Move: o.Move, Clock: rules.Clocks(o.Clock)})
	case detector.TakenBack:
		m.enter(rules.TakenBack{Ply: o.Ply})
	case detector.Pressed:
		if len(next) > 0 {
			if t, ok := next[0].(detector.Turn); ok && t.What == detector.PressedBack {
				return
			}
		}
		m.enter(rules.Pressed{Side: o.Side, Judged: o.Judged, Gained: o.Gained, Clock: rules.Clocks(o.Clock)})
	case detector.Found:
		m.remember(o)
		o.Case.When = o.Window.Hi
		m.enterAt(o.Stamp, rules.Found{Case: o.Case})
	case detector.Turn:
		m.turned(o)
	case detector.Result:
		if o.State == detector.Withdrawn {
			m.enter(rules.Reopened{})
			return
		}
		m.enter(rules.Ended{Result: o.Result, By: o.By})
	}
}

func (m *Machine) turned(t detector.Turn) {
	clock := rules.Clocks(t.Clock)
	switch t.What {
	case detector.MadeReply:
		m.enter(rules.Answered{Side: t.Side})
	case detector.TouchedOwn:
		m.enter(rules.TouchedPiece{Side: t.Side})
	case detector.PressedBack:
		m.enter(rules.PressedBack{Side: t.Side, Gained: t.Gained, Clock: clock})
	case detector.PutBack:
		m.enter(rules.Restored{})
	case detector.ClockStopped:
		m.enter(rules.Stopped{Seq: int64(t.Seq), Turn: t.Side, Clock: clock, Promoting: t.Promoting})
	case detector.ClockStarted:
		m.enter(rules.Started{Seq: int64(t.Seq), Turn: t.Side, Clock: clock})
	case detector.ClockEdited:
		m.enter(rules.ClockSet{From: rules.Clocks(t.Before), To: clock})
	case detector.LeverMoved:
		m.enter(rules.LeverMoved{Seq: int64(t.Seq), Turn: t.Side, Clock: clock})
	case detector.RecordRebased:
		m.enter(rules.Rebased{Ply: t.Ply, Position: t.Position})
	}
}

// remember keeps what a finding rests on.
func (m *Machine) remember(f detector.Found) {
	for i := range m.proofs {
		if m.proofs[i].id == f.ID {
			m.proofs[i].evidence = f.Evidence
			return
		}
	}
	if len(m.proofs) == maxProofs {
		m.proofs = m.proofs[:copy(m.proofs, m.proofs[maxProofs/2:])]
	}
	m.proofs = append(m.proofs, proof{
		id: f.ID, window: f.Window, evidence: f.Evidence, game: f.Game, ply: f.Ply, side: f.Side, timeline: f.Timeline, air: f.InAir,
	})
}

func (m *Machine) enter(e rules.Event) { m.enterAt(m.now, e) }

// enterAt gives an event to the docket and says what changed in it.
func (m *Machine) enterAt(st detector.Stamp, e rules.Event) {
	if m.docket == nil {
		if f, ok := e.(rules.Found); ok {
			alert := rules.Log
			if strings.HasPrefix(f.Case.Kind, "suspect.") {
				alert = rules.Advise
			}
			m.sayEntry(st, &rules.Entry{Case: f.Case, Alert: alert, Articles: legal.Articles(f.Case.Kind)})
		}
		return
	}
	for _, entry := range m.docket.Step(e) {
		m.sayEntry(st, &entry)
	}
}

func (m *Machine) sayEntry(st detector.Stamp, e *rules.Entry) {
	p := proof{id: e.ID, window: detector.Window{Lo: st.At, Hi: st.At}, evidence: []detector.Seq{st.Seq}}
	found := false
	for i := range m.proofs {
		if m.proofs[i].id == e.ID {
			p, found = m.proofs[i], true
		}
	}
	if !found { // a person's report: it rests on the record that brought it
		m.remember(detector.Found{Case: e.Case, Window: p.window, Evidence: p.evidence})
	}
	m.borrow(e, &p)
	m.say(m.findingSaid(st, e, &p))
	if e.Ruling != nil {
		m.say(m.rulingSaid(st, e))
	}
}

// borrow gives a person's report of two hands what the timing of that move has shown.
func (m *Machine) borrow(e *rules.Entry, p *proof) {
	if e.Proof != rules.Reported || e.Kind != "illegal.two_hands" && e.Kind != "irreg.two_hands_wbca" {
		return
	}
	for i := range m.proofs {
		if q := &m.proofs[i]; len(q.timeline) > 0 && q.ply == e.Ply && q.side == e.Side {
			p.timeline, p.air = q.timeline, q.air
			p.evidence = slices.Concat(q.evidence, p.evidence)
			slices.Sort(p.evidence) // oldest first
			p.evidence = slices.Compact(p.evidence)
		}
	}
}

// instruct carries out what a person tells.
func (m *Machine) instruct(i Instruction) {
	side := sideOf(i.Side)
	seq := int64(m.now.Seq)
	switch i.Do {
	case DoFinish:
		m.tr.Finish(m.now)
	case DoPosition:
		m.setPosition(i.FEN)
	case DoReport:
		m.tr.Look(m.now)
		m.settle()
		m.enter(rules.Report{
			Seq: seq, What: i.What, Side: side, Move: i.Move, Note: i.Squares, InProgress: m.tr.Moving(side),
		})
	case DoClaim:
		m.tr.Look(m.now)
		m.tr.Claim(m.now, i.What, side)
		m.settle()
		m.enter(rules.Claim{Seq: seq, What: i.What, Side: side})
	case DoResult:
		m.tr.Conclude(m.now, i.Result)
	case DoSign:
		m.enter(rules.Signed{})
	case DoStrikes:
		w, b := i.White.Number(), i.Black.Number()
		if w < 0 || w > maxStrikes || b < 0 || b > maxStrikes {
			m.health("instruction_refused", "strikes: a number from 0 to 9 for each side")
			return
		}
		m.enter(rules.SetStrikes{White: w, Black: b})
	case DoPause:
		m.tr.Hold(m.now, true)
	case DoResume:
		m.tr.Hold(m.now, false)
	case DoRestore:
		m.tr.PutBack(m.now)
	case DoFlag:
		m.enter(rules.Flag{Name: i.Name, On: i.On})
	}
}

// maxStrikes is more than any rule set needs.
const maxStrikes = 9

func (m *Machine) setPosition(fen string) {
	s, err := legal.ParseFEN(fen)
	if err != nil {
		m.health("instruction_refused", "position: "+err.Error())
		return
	}
	pos, err := s.Position()
	if err != nil {
		m.health("instruction_refused", "position: "+err.Error())
		return
	}
	m.tr.SetPosition(m.now, pos)
}

func sideOf(s string) legal.Side {
	switch s {
	case "white":
		return legal.White
	case "black":
		return legal.Black
	}
	return legal.NoSide
}
