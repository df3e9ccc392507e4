package watch

import (
	"boardwatchd/detector"
	"boardwatchd/detector/hands"
	"boardwatchd/internal/said"
	"boardwatchd/rules/kinds"
)

func (m *Machine) handsSaid(o *detector.HandsJudged) said.Hands {
	s := said.Hands{
		Head: m.newHead("hands", o.Stamp, o.Game), Ply: o.Ply, Side: o.Side.String(), UCI: o.UCI, Kind: o.Kind.String(),
		Play: o.Play.String(), InAir: o.InAir.String(), Suspected: o.Suspected, Windows: []said.Change{}, Later: o.Later,
	}
	if o.Abstain != hands.Spoke {
		s.Abstained = known(o.Abstain.String())
	}
	if !o.Silent() {
		raw, llr := said.Nats(o.LLR), said.Nats(o.Stated)
		s.Raw, s.LLR, s.Windows = &raw, &llr, spans(o.Windows)
	}
	s.Unreported = heldWord(o.Unreported)
	if o.Known { // a scan that is too slow has no calibration
		p := said.PPM(o.PPM)
		s.Confidence = &p
	}
	return s
}

func spans(list []hands.Window) (out []said.Change) {
	for _, w := range list {
		out = append(out, said.Change{
			Square: w.Square.String(), Piece: letter(w.Piece), Lift: w.Lift, Seen: !w.Hidden, Lo: said.Seconds(w.LoUS), Hi: said.Seconds(w.HiUS),
		})
	}
	return out
}

// airWord returns the word for the answer, "" if nothing was asked.
func airWord(a hands.Air) string {
	if a == hands.NotAsked {
		return ""
	}
	return a.String()
}

func scanOf(s *detector.ScanKnown) said.ScanWire {
	// Milliseconds with three decimals are microseconds.
	return said.ScanWire{
		PeriodMS: said.Seconds(s.Sensor.PeriodUS * 1000), Order: s.Sensor.Order.String(), Fit: said.Nats(s.Sensor.Fit), Moves: s.Sensor.Moves,
		Hands: s.Hands().String(), Verdict: s.Verdict.String(),
	}
}

func (m *Machine) heldSaid(o *detector.HandsHeld) said.HandsHeld {
	return said.HandsHeld{
		Health: m.newHealth(o.Stamp, o.Game, "hands_held", o.Detail()),
		Scope:  heldWord(true), Held: o.Held, Unusual: o.Count.Unusual, Of: o.Count.Judged,
	}
}

// aboutHands reports whether a kind of finding is a suspicion of two hands, or a report of them.
func aboutHands(kind kinds.Kind) bool {
	return kind.Family() == kinds.Hand || kind == kinds.IllegalTwoHands || kind == kinds.TwoHandsWBCA
}

// handsDecided reports to the tracker that the arbiter has answered a suspicion or a report of two hands in this game,
// also with "unseen". Postponing is not an answer.
func (m *Machine) handsDecided(d Decision) {
	_, kind := kinds.OfID(d.Finding)
	if !aboutHands(kind) {
		return
	}
	switch d.Decision {
	case "confirm", "reject", "accident", "sensor", "unseen":
	default:
		return
	}
	for i := range m.proofs {
		if p := &m.proofs[i]; p.id == d.Finding && p.game == m.tr.Game() {
			m.tr.HandsAnswered(m.now)
		}
	}
}
