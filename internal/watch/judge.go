package watch

import (
	"bytes"
	"slices"

	"boardwatchd/detector"
	"boardwatchd/detector/evidence"
	"boardwatchd/detector/hands"
	"boardwatchd/internal/said"
	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// This file connects the tracker, which knows the board, with the docket, which knows the Laws.

// proof is the evidence of a finding. The arbiter needs it, the docket does not.
type proof struct {
	id       string
	window   evidence.Window
	evidence []evidence.Seq
	game     int
	ply      int
	side     legal.Side
	timeline []hands.Window // of a suspicion about hands, or of a report of them
	air      hands.Air
	timing   words.Sentence // of a report: the timing evidence for and against
}

// maxProofs bounds the evidence stored for one game. A game has a handful of findings; a board on which children play
// has more, and the oldest have been reported already.
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
			base += p[i].Base // the class depends on all periods together (FIDE Laws A.1, B.1)
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

// newRules continues under the rules of a corrected configuration. Reported findings stay; the strikes are carried
// over. A change of the budget alone does not change the rules: the docket stays.
func (m *Machine) newRules(old *Settings) {
	was, err1 := encode(old.Rules)
	is, err2 := encode(m.settings.Rules)
	if err1 == nil && err2 == nil && bytes.Equal(was, is) && slices.Equal(old.Periods, m.settings.Periods) {
		if m.docket != nil {
			m.docket.SetMatingBudget(m.settings.MatingBudget)
		}
		return
	}
	m.keepStrikes(m.openDocket)
}

// keepStrikes opens a new ledger with the strikes of the old one.
func (m *Machine) keepStrikes(open func()) {
	var strikes [3]int
	if m.docket != nil {
		strikes = m.docket.Strikes()
	}
	open()
	if m.docket != nil && strikes != [3]int{} {
		m.enter(rules.SetStrikes{White: strikes[legal.White], Black: strikes[legal.Black]})
	}
}

// judge passes an outcome of the tracker to the docket. Next are the outcomes that follow at once.
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
		m.enter(rules.Moved{Seq: int64(o.Seq), Ply: o.Ply, Before: o.Before, Move: o.Move, Clock: rules.Clocks(o.Clock), Differs: o.Differs})
	case detector.IllegalMoveStands: // the docket needs only Rebased, which follows
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
		m.result, m.resultBy = o.Result, o.By
		if o.State == detector.Withdrawn {
			m.result = ""
			m.enter(rules.Reopened{Unsigned: m.unsign})
			m.unsign = false
		} else {
			m.enter(rules.Ended{Result: o.Result, By: o.By})
		}
		m.resultByDecision()
	}
}

// resultByDecision proposes the result of a confirmed ruling. If the decision is taken back, so is the result, and a
// result that the board had shown is proposed again.
func (m *Machine) resultByDecision() {
	if m.docket == nil {
		return
	}
	result, by, stands, changed := m.docket.ResultByDecision()
	switch {
	case !changed:
	case stands:
		m.propose(rules.Ended{Result: result, By: by, Ruled: true})
	default:
		m.emit(said.Result{Head: m.newHead("result", m.now, m.tr.Game()), Result: result, By: by, State: detector.Withdrawn.String()})
		m.enter(rules.Reopened{})
		if m.result != "" {
			m.propose(rules.Ended{Result: m.result, By: m.resultBy})
		}
	}
}

func (m *Machine) propose(e rules.Ended) {
	m.emit(said.Result{Head: m.newHead("result", m.now, m.tr.Game()), Result: e.Result, By: e.By, State: detector.Proposed.String()})
	m.enter(e)
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
		m.enter(rules.Restored{Ply: t.Ply})
	case detector.ClockStopped:
		m.stopAt = t.At
		m.enter(rules.Stopped{Seq: int64(t.Seq), Turn: t.Side, Clock: clock, Promoting: t.Promoting, NotStarted: t.NotStarted})
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

// remember stores the evidence of a finding.
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

// enterAt passes an event to the docket and reports the changed entries.
func (m *Machine) enterAt(st evidence.Stamp, e rules.Event) {
	if m.docket == nil {
		if f, ok := e.(rules.Found); ok {
			alert := rules.Log
			if f.Case.Kind.Family() == kinds.Hand {
				alert = rules.Advise
			}
			m.emitEntry(st, &rules.Entry{Case: f.Case, Alert: alert, Articles: f.Case.Kind.Row().FIDE})
		}
		return
	}
	for _, entry := range m.docket.Step(e) {
		m.emitEntry(st, &entry)
	}
}

func (m *Machine) emitEntry(st evidence.Stamp, e *rules.Entry) {
	p := proof{id: e.ID, window: evidence.Window{Lo: st.At, Hi: st.At}, evidence: []evidence.Seq{st.Seq}}
	found := false
	for i := range m.proofs {
		if m.proofs[i].id == e.ID {
			p, found = m.proofs[i], true
		}
	}
	if !found { // a person's report: its evidence is its own record
		m.remember(detector.Found{Case: e.Case, Window: p.window, Evidence: p.evidence})
	}
	m.addHandsEvidence(e, &p)
	s := m.findingSaid(st, e, &p)
	if e.Carried {
		s = m.asHeard(s)
	}
	m.emit(s)
	if e.Ruling != nil {
		m.emit(m.rulingSaid(st, e))
	}
}

// addHandsEvidence adds to a person's report of two hands the timing evidence for and against it about that move.
func (m *Machine) addHandsEvidence(e *rules.Entry, p *proof) {
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

// answerHands answers a claim of two hands with the timing of a move: the named one, or else the opponent's last
// capture, castling or promotion.
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

// instruct carries out a person's instruction.
func (m *Machine) instruct(i Instruction) {
	side := sideOf(i.Side)
	switch i.Do {
	case DoPosition, DoResume, DoRestore:
		if m.link.boardID.away {
			m.watchOtherBoard(m.link.serial) // a person is at the board
		}
	}
	switch i.Do {
	case DoFinish:
		m.tr.Finish(m.now)
	case DoPosition:
		m.setPosition(i)
	case DoReport:
		m.reported(i, side)
	case DoClaim:
		m.claimed(i, side)
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

// reported enters a person's observation, and answers if it leads to no finding.
func (m *Machine) reported(i Instruction, side legal.Side) {
	m.tr.Look(m.now)
	m.settle()
	said := len(m.out)
	m.enter(rules.Report{
		Seq: int64(m.now.Seq), What: i.What, Side: side, Move: i.Move, Note: i.Squares, InProgress: m.tr.Moving(side),
	})
	if len(m.out) == said {
		m.health("report_noted", words.Say("row.report_noted"))
	}
	if i.What == "two-hands" {
		m.tr.HandsAnswered(m.now)
	}
}

// claimed examines the board for a claim, and notes the claim if no finding answers it.
func (m *Machine) claimed(i Instruction, side legal.Side) {
	m.tr.Look(m.now)
	m.tr.Claim(m.now, i.What, side)
	m.tr.ClaimMove(m.now, i.What, side)
	m.settle()
	m.enter(rules.Claim{Seq: int64(m.now.Seq), What: i.What, Side: side})
	switch i.What {
	case "two-hands":
		m.answerHands(side, i.Move)
	case "illegal", "touch", "flag":
		if m.docket != nil && !m.docket.ClaimMet() {
			m.health("claim_noted", words.Say("row.claim_noted"))
		}
	}
}

// concluded handles a result entered by a person. A result that contradicts the position is questioned first; a result
// of a game that has ended already replaces the earlier one, and "*" takes it back.
func (m *Machine) concluded(i Instruction) {
	if i.Result == goesOn {
		if m.unsign = m.tr.GoOn(m.now); !m.unsign {
			m.health("instruction_refused", words.Say("row.refused_no_result"))
		}
		return
	}
	m.resigned, m.gameEnded = sideOf(i.Side), false
	m.tr.Conclude(m.now, i.Result)
	m.settle()
	if m.gameEnded || m.result == "" || m.tr.Playing() {
		return
	}
	switch i.Result {
	case "1-0", "0-1", "1/2-1/2":
	default:
		return
	}
	m.enter(rules.ResultEntered{Seq: int64(m.now.Seq), Result: i.Result, Resigned: m.resigned, Position: m.onTheBoard()})
	m.replaceResult(i.Result)
}

// replaceResult reports a result in place of an earlier one.
func (m *Machine) replaceResult(result string) {
	m.result, m.resultBy = result, "arbiter"
	m.emit(said.Result{Head: m.newHead("result", m.now, m.tr.Game()), Result: result, By: "arbiter", State: m.resultState()})
	m.enter(rules.Ended{Result: result, By: "arbiter"})
}

// resultState returns proposed, or questioned while the entered result contradicts the position.
func (m *Machine) resultState() string {
	if m.docket != nil && m.docket.Questioned() {
		return stateQuestioned
	}
	return detector.Proposed.String()
}

// onTheBoard returns the position of the record, or the one after a legal move that is on the board without a press. It
// returns the zero Position if the board shows neither.
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

// goesOn is the result of a game that has no result, as in PGN.
const goesOn = "*"

// stateQuestioned is the state of a result that is not accepted until the arbiter has answered.
const stateQuestioned = "questioned"

// question asks about a result before it is reported.
func (m *Machine) question(o detector.Outcome) {
	if r, ok := o.(detector.Result); ok && r.By == "arbiter" && r.State == detector.Proposed {
		m.enter(rules.ResultEntered{Seq: int64(r.Seq), Result: r.Result, Resigned: m.resigned, Position: m.onTheBoard()})
		m.gameEnded = true
	}
}

// maxStrikes is more than any rule set uses.
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
	begin := func() {
		if i.Reversed || i.WhiteClock != "" {
			m.tr.Seated(i.Reversed, clockSide(i.WhiteClock))
		}
		m.tr.SetPosition(m.now, pos)
		m.settle()
	}
	if m.tr.Playing() && m.result == "" {
		m.keepStrikes(begin) // the arbiter sets the record right, and the game goes on
		return
	}
	begin()
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
