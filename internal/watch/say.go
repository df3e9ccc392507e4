package watch

import (
	"boardwatchd/detector"
	"boardwatchd/detector/evidence"
	"boardwatchd/internal/said"
	"boardwatchd/rules"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// This file turns the tracker's outcomes into the objects of contract section 3. The order of the fields is the order
// in the bytes.

func (m *Machine) newHead(kind string, st evidence.Stamp, game int) said.Head {
	return said.Head{Type: kind, Seq: int64(st.Seq), T: said.Seconds(st.At), Board: m.board, Game: game}
}

// newHealth returns a health object.
func (m *Machine) newHealth(st evidence.Stamp, game int, what string, detail words.Sentence) said.Health {
	return said.Health{Head: m.newHead("health", st, game), What: what, Detail: detail.String(), Say: orNil(detail)}
}

// said returns the object for an outcome, or nil.
func (m *Machine) said(o detector.Outcome) any {
	h := m.newHead
	switch o := o.(type) {
	case detector.GameStarted:
		return said.Game{Head: h("game", o.Stamp, o.Game), FEN: o.FEN, Reversed: o.Reversed, Chess960: o.Chess960()}
	case detector.Moved:
		uci, san := o.Before.UCI(o.Move), o.Before.SAN(o.Move)
		return said.Move{
			Head: h("move", o.Stamp, o.Game), Ply: o.Ply, Side: o.Before.Turn().String(), UCI: &uci, SAN: &san, Clock: clockTimes(o.Clock),
			CommittedBy: o.By.String(), Corrects: o.Corrects,
		}
	case detector.IllegalMoveStands:
		return said.Move{
			Head: h("move", o.Stamp, o.Game), Ply: o.Ply, Side: o.Side.String(), UCI: known(o.UCI), SAN: known(o.SAN), Clock: clockTimes(o.Clock),
			CommittedBy: detector.ByPress.String(), Corrects: o.Corrects,
			StandingIllegalMove: &said.StandingIllegalMove{Illegal: o.Finding != "", Finding: known(o.Finding), FENAfter: o.After.FEN()},
		}
	case detector.NotKnown:
		return m.notKnownSaid(&o)
	case detector.Pressed:
		return said.Press{Head: h("press", o.Stamp, o.Game), Side: sideName(o.Side), Judged: o.Judged}
	case detector.Result:
		state := o.State.String()
		if o.By == "arbiter" && o.State == detector.Proposed {
			state = m.resultState()
		}
		return said.Result{Head: h("result", o.Stamp, o.Game), Result: o.Result, By: o.By, State: state}
	case detector.TakenBack:
		return said.Takeback{Head: h("takeback", o.Stamp, o.Game), Ply: o.Ply}
	case detector.Note:
		row := m.newHealth(o.Stamp, o.Game, o.What, o.Detail)
		row.FEN = o.FEN
		return row
	case detector.HandsJudged:
		return m.handsSaid(&o)
	case detector.HandsHeld:
		return m.heldSaid(&o)
	case detector.ScanKnown:
		return said.Scan{Health: m.newHealth(o.Stamp, o.Game, "scan", o.Detail()), ScanWire: scanOf(&o)}
	case detector.Found, detector.Turn:
		return nil // reported by the docket, see judge.go
	}
	panic("watch: internal error: unknown outcome")
}

// clockTimes returns the display of a clock; nil: not known.
func clockTimes(c evidence.Times) *said.Sides {
	if !c.Known {
		return nil
	}
	return &said.Sides{White: c.White, Black: c.Black}
}

func sideName(s legal.Side) *string {
	if s == legal.NoSide {
		return nil
	}
	n := s.String()
	return &n
}

// known returns nil, which is null in JSON, for an unknown value.
func known(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// orNil returns nil for a text that exists only in the words of an older program; JSON leaves it out or writes null.
func orNil(s words.Sentence) *words.Sentence {
	if s.Key == "" {
		return nil
	}
	return &s
}

// notNull returns an empty list, which is [] in JSON, for nil.
func notNull(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

func (m *Machine) findingSaid(st evidence.Stamp, e *rules.Entry, p *proof) said.Finding {
	w, evidence := p.window, p.evidence
	s := said.Finding{
		Head: m.newHead("finding", st, e.Game),
		ID:   e.ID, Kind: e.Kind, Side: sideName(e.Side), Ply: e.Ply, State: e.State.String(), Proof: e.Proof.String(),
		Confidence: said.Permille(e.Permille), Articles: notNull(e.Articles), Edition: e.Edition, Reason: e.Reason.String(), Say: orNil(e.Reason),
		UCI: known(e.UCI), Squares: []string{}, Window: said.Window{Lo: said.Seconds(w.Lo), Hi: said.Seconds(w.Hi)}, Alert: e.Alert.String(),
		Evidence: []int64{}, Decided: known(e.Decided), Timeline: spans(p.timeline), InAir: airWord(p.air), Timing: p.timing.String(), TimingSay: orNil(p.timing),
	}
	for _, sq := range e.Squares {
		s.Squares = append(s.Squares, sq.String())
	}
	for _, seq := range evidence {
		s.Evidence = append(s.Evidence, int64(seq))
	}
	if e.Known {
		s.FENBefore = known(e.Before.FEN())
		at := e.Before.Setup()
		at.Placement, at.EnPassant = e.At, legal.NoSquare
		if e.Completed {
			at.Turn = at.Turn.Other()
		}
		if e.Stands {
			at.Castling = e.After.Setup().Castling
		}
		s.FENAt = known(at.FEN())
	}
	return s
}

func (m *Machine) rulingSaid(st evidence.Stamp, e *rules.Entry) said.Ruling {
	r := e.Ruling
	s := said.Ruling{
		Head:    m.newHead("ruling", st, e.Game),
		Finding: e.ID, Profile: r.Profile, Kind: r.Kind, Position: known(r.Position), PositionFEN: known(r.PositionFEN),
		MustPlay: notNull(r.MustPlay), Bonus: sides(r.Bonus), TakeBackIncrement: sides(r.TakeBack),
		RunClock: sideName(r.RunClock), StrikesAfter: strikes(r.Strikes),
		Result: known(r.Result), Deadline: known(r.Deadline.String()), Text: r.Text.String(), DeadlineSay: orNil(r.Deadline), Say: orNil(r.Text),
		Until: known(string(r.Until)), UntilSide: sideName(r.Closer),
		StrikesBefore: strikes(r.Before), StrikesToLose: r.Limit, Advice: known(string(r.Advice)),
	}
	if a := r.Mate; a != nil {
		s.Mate = &said.Mate{Side: a.Side.String(), Verdict: a.Verdict, Reason: a.Reason, Line: notNull(a.Line), FEN: a.FEN, Text: a.Text.String(), Say: orNil(a.Text)}
	}
	if r.Clocks.Known {
		s.ClocksToSet = &said.Sides{White: r.Clocks.White, Black: r.Clocks.Black}
	}
	return s
}

func sides(v [3]int) said.Given { return said.Given{White: v[legal.White], Black: v[legal.Black]} }

func strikes(v [3]int) said.Sides { return said.Sides(sides(v)) }
