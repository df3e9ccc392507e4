package watch

import (
	"bytes"
	"slices"

	"boardwatchd/detector"
	"boardwatchd/detector/hands"
	"boardwatchd/internal/said"
	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
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
	timeline []hands.Window // of a suspicion about hands, or of a report of them
	air      hands.Air
	timing   words.Sentence // of a report: what the timing says for and against
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
	if m.other.on {
		m.enter(rules.OtherCore{On: true})
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
		m.result = ""
		if s, err := legal.ParseFEN(o.FEN); err == nil {
			if pos, err := s.Standing(); err == nil {
				m.enter(rules.Begun{Game: o.Game, Position: pos, Clock: rules.Clocks(m.tr.Times())})
			}
		}
	case detector.Moved:
		if o.Corrects {
			pos, _ := m.tr.Position()
			m.enter(rules.Corrected{Ply: o.Ply, Before: o.Before, Move: o.Move, Position: pos})
			return
		}
		m.enter(rules.Moved{Seq: int64(o.Seq), Ply: o.Ply, Before: o.Before, Move: o.Move, Clock: rules.Clocks(o.Clock)})
	case detector.Stood: // Rebased, which follows, is all that the docket needs
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
		m.result = o.Result
		if o.State == detector.Withdrawn {
			m.result = ""
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
		m.stopAt = t.At
		m.enter(rules.Stopped{Seq: int64(t.Seq), Turn: t.Side, Clock: clock, Promoting: t.Promoting})
	case detector.ClockStarted:
		m.enter(rules.Started{Seq: int64(t.Seq), Turn: t.Side, Clock: clock, Seen: m.tr.Seen(), Placement: m.tr.Live()})
	case detector.ClockEdited:
		m.enter(rules.ClockSet{From: rules.Clocks(t.Before), To: clock})
	case detector.LeverBounced:
		m.enter(rules.Bounced{Side: t.Side, Gained: t.Gained, Clock: clock})
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
			if f.Case.Kind.Family() == kinds.Hand {
				alert = rules.Advise
			}
			m.sayEntry(st, &rules.Entry{Case: f.Case, Alert: alert, Articles: f.Case.Kind.Row().FIDE})
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
	s := m.findingSaid(st, e, &p)
	if e.Carried {
		s = m.asHeard(s)
	}
	m.say(s)
	if e.Ruling != nil {
		m.say(m.rulingSaid(st, e))
	}
}

// borrow gives a person's report of two hands what the timing of that move says, for and against.
func (m *Machine) borrow(e *rules.Entry, p *proof) {
	if e.Proof != rules.Reported || e.Kind != kinds.IllegalTwoHands && e.Kind != kinds.TwoHandsWBCA || e.Ply == 0 {
		return
	}
	if o, ok := m.tr.HandsOf(e.Ply, e.Side); ok && o.Game == e.Game {
		p.timeline, p.air, p.timing = o.Windows, o.InAir, o.Meaning()
	}
	for i := range m.proofs {
		if q := &m.proofs[i]; q.game == e.Game && len(q.timeline) > 0 && q.ply == e.Ply && q.side == e.Side {
			p.evidence = slices.Concat(q.evidence, p.evidence)
			slices.Sort(p.evidence) // oldest first
			p.evidence = slices.Compact(p.evidence)
		}
	}
}

// answerHands says what the timing of a move says to a claim of two hands: of the move that is named, or else of the opponent's last capture,
// castling or promotion.
func (m *Machine) answerHands(claimant legal.Side, move int) {
	for _, side := range []legal.Side{legal.White, legal.Black} {
		if side == claimant {
			continue
		}
		ply := 0
		if move > 0 {
			ply = 2*move - 1
			if side == legal.Black {
				ply++
			}
		}
		if o, ok := m.tr.HandsOf(ply, side); ok {
			m.health("hands_timing", words.Say("row.hands_timing", side, (o.Ply+1)/2, o.UCI, o.Meaning()))
		}
	}
}

// instruct carries out what a person tells.
func (m *Machine) instruct(i Instruction) {
	side := sideOf(i.Side)
	seq := int64(m.now.Seq)
	switch i.Do {
	case DoPosition, DoResume, DoRestore:
		if m.link.whose.away {
			m.takeBoard(m.link.serial) // a person is at the board
		}
	}
	switch i.Do {
	case DoFinish:
		m.tr.Finish(m.now)
	case DoPosition:
		m.setPosition(i)
	case DoReport:
		m.tr.Look(m.now)
		m.settle()
		m.enter(rules.Report{
			Seq: seq, What: i.What, Side: side, Move: i.Move, Note: i.Squares, InProgress: m.tr.Moving(side),
		})
		if i.What == "two-hands" {
			m.tr.HandsAnswered(m.now)
		}
	case DoClaim:
		m.tr.Look(m.now)
		m.tr.Claim(m.now, i.What, side)
		m.tr.ClaimMove(m.now, i.What, side)
		m.settle()
		m.enter(rules.Claim{Seq: seq, What: i.What, Side: side})
		if i.What == "two-hands" {
			m.answerHands(side, i.Move)
		}
	case DoResult:
		m.concluded(i)
	case DoSign:
		m.enter(rules.Signed{})
	case DoStrikes:
		w, b := i.White.Number(), i.Black.Number()
		if w < 0 || w > maxStrikes || b < 0 || b > maxStrikes {
			m.health("instruction_refused", words.Say("row.refused_strikes"))
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
	case DoFill:
		m.fill(i)
	}
}

// concluded takes a result that a person enters. What the position contradicts is questioned before it is taken; a result of a game
// that has ended already replaces that one.
func (m *Machine) concluded(i Instruction) {
	m.resigned, m.taken = sideOf(i.Side), false
	m.tr.Conclude(m.now, i.Result)
	m.settle()
	if m.taken || m.result == "" || m.tr.Playing() {
		return
	}
	switch i.Result {
	case "1-0", "0-1", "1/2-1/2":
	default:
		return
	}
	m.enter(rules.ResultTold{Seq: int64(m.now.Seq), Result: i.Result, Resigned: m.resigned, Position: m.onTheBoard()})
	m.overrule(i.Result)
}

// overrule says a result in the place of the one that was said before.
func (m *Machine) overrule(result string) {
	m.result = result
	m.say(said.Result{Head: m.headed("result", m.now, m.tr.Game()), Result: result, By: "arbiter", State: m.resultState()})
	m.enter(rules.Ended{Result: result, By: "arbiter"})
}

// resultState is proposed, or questioned while the position contradicts what was entered.
func (m *Machine) resultState() string {
	if m.docket != nil && m.docket.Questioned() {
		return stateQuestioned
	}
	return detector.Proposed.String()
}

// onTheBoard is the position of the record, or after a legal move that stands on the board and was not pressed; none: something else
// stands there.
func (m *Machine) onTheBoard() (pos legal.Position) {
	pos, ok := m.tr.Position()
	if !ok || !m.tr.Seen() || pos.Placement() == m.tr.Live() {
		return pos
	}
	var list legal.MoveList
	pos.Moves(&list)
	for _, move := range list.Slice() {
		if after := pos.After(move); after.Placement() == m.tr.Live() {
			return after
		}
	}
	return pos
}

// stateQuestioned is the state of a result that is not taken before the arbiter has answered.
const stateQuestioned = "questioned"

// question asks about a result before it is said.
func (m *Machine) question(o detector.Outcome) {
	if r, ok := o.(detector.Result); ok && r.By == "arbiter" && r.State == detector.Proposed {
		m.enter(rules.ResultTold{Seq: int64(r.Seq), Result: r.Result, Resigned: m.resigned, Position: m.onTheBoard()})
		m.taken = true
	}
}

// maxStrikes is more than any rule set needs.
const maxStrikes = 9

func (m *Machine) setPosition(i Instruction) {
	s, err := legal.ParseFEN(i.FEN)
	if err != nil {
		m.health("instruction_refused", words.Say("row.refused_position", err))
		return
	}
	check := s.Position
	if i.Unchecked {
		check = s.Standing
	}
	pos, err := check()
	if err != nil {
		m.health("instruction_refused", words.Say("row.refused_position", err))
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
