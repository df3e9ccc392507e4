package watch

import (
	"boardwatchd/detector"
	"boardwatchd/detector/hands"
	"boardwatchd/rules/kinds"
)

// handsSaid is what the timing of one capture, castling or promotion says (docs/hands.md). Nobody is alerted by it.
type handsSaid struct {
	head
	Ply        int        `json:"ply"`
	Side       string     `json:"side"`
	UCI        string     `json:"uci"`
	Kind       string     `json:"kind"`
	Play       string     `json:"play"`
	Raw        *nats      `json:"raw"`        // of the model
	LLR        *nats      `json:"llr"`        // calibrated, before the cap
	Confidence *ppm       `json:"confidence"` // with prior and cap
	Abstained  *string    `json:"abstained"`
	InAir      string     `json:"in_air"`
	Suspected  bool       `json:"suspected"`
	Windows    []spanSaid `json:"windows"`
	Later      bool       `json:"later,omitempty"`  // said again: the scan was not known when the move was made
	Untold     string     `json:"untold,omitempty"` // board: suspected, and nobody was told, because suspicions were paused
}

// spanSaid is when one square changed: not before lo and not after hi.
type spanSaid struct {
	Square string  `json:"square"`
	Piece  string  `json:"piece"`
	Lift   bool    `json:"lift"`
	Seen   bool    `json:"seen"` // false: the change was never reported by itself
	Lo     Seconds `json:"lo"`
	Hi     Seconds `json:"hi"`
}

// nats are written with three decimals, ppm as a number from 0 to 1.
type (
	nats int32
	ppm  int32
)

func (n nats) MarshalJSON() ([]byte, error) { return Seconds(int64(n) * 1000).AppendTo(nil), nil }
func (p ppm) MarshalJSON() ([]byte, error)  { return Seconds(p).AppendTo(nil), nil }

func (m *Machine) handsSaid(o *detector.HandsJudged) handsSaid {
	s := handsSaid{
		head: m.headed("hands", o.Stamp, o.Game), Ply: o.Ply, Side: o.Side.String(), UCI: o.UCI, Kind: o.Kind.String(),
		Play: o.Play.String(), InAir: o.InAir.String(), Suspected: o.Suspected, Windows: []spanSaid{}, Later: o.Later,
	}
	if o.Abstain != hands.Spoke {
		s.Abstained = known(o.Abstain.String())
	}
	if !o.Silent() {
		raw, llr := nats(o.LLR), nats(o.Stated)
		s.Raw, s.LLR, s.Windows = &raw, &llr, spans(o.Windows)
	}
	s.Untold = heldWord(o.Untold)
	if o.Known { // nothing is calibrated for a scan that is too slow
		p := ppm(o.PPM)
		s.Confidence = &p
	}
	return s
}

func spans(list []hands.Window) (out []spanSaid) {
	for _, w := range list {
		out = append(out, spanSaid{w.Square.String(), letter(w.Piece), w.Lift, !w.Hidden, Seconds(w.LoUS), Seconds(w.HiUS)})
	}
	return out
}

// airWord is empty where nobody asked.
func airWord(a hands.Air) string {
	if a == hands.NotAsked {
		return ""
	}
	return a.String()
}

// scanSaid is the health line about the board's scan.
type scanSaid struct {
	healthSaid
	scanWire
}

type scanWire struct {
	PeriodMS Seconds `json:"period_ms"`
	Order    string  `json:"order"`
	Fit      nats    `json:"fit"`
	Moves    int     `json:"moves"`
	Hands    string  `json:"hands"`
	Verdict  string  `json:"verdict"` // new, judged, record_only, not_judged
}

func scanOf(s *detector.ScanKnown) scanWire {
	// Milliseconds with three decimals are microseconds.
	return scanWire{Seconds(s.Sensor.PeriodUS * 1000), s.Sensor.Order.String(), nats(s.Sensor.Fit), s.Sensor.Moves, s.Hands(), s.Verdict.String()}
}

// heldSaid is the health line about suspicions that are paused, or told again.
type heldSaid struct {
	healthSaid
	Scope   string `json:"scope"` // board; a journal of an earlier program may also name a player
	Held    bool   `json:"held"`
	Unusual int    `json:"unusual"`
	Of      int    `json:"of"` // so many that were judged
}

func (m *Machine) heldSaid(o *detector.HandsHeld) heldSaid {
	return heldSaid{healthSaid{m.headed("health", o.Stamp, o.Game), "hands_held", o.Detail(), ""}, heldWord(true), o.Held, o.Count.Unusual, o.Count.Judged}
}

// aboutHands says whether a kind of finding is a suspicion of two hands, or a report of them.
func aboutHands(kind kinds.Kind) bool {
	return kind.Family() == kinds.Hand || kind == kinds.IllegalTwoHands || kind == kinds.TwoHandsWBCA
}

// handsDecided tells the tracker that the arbiter has answered a suspicion of two hands of this game, or a report of them: also by not having
// seen anything. To put it off is no answer.
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
