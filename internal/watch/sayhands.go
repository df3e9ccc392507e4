package watch

import (
	"strings"

	"boardwatchd/detector"
	"boardwatchd/detector/hands"
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
	Untold     string     `json:"untold,omitempty"` // player, board: suspected, and nobody was told, because there were too many
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
	if o.Held != detector.NobodyHeld {
		s.Untold = o.Held.String()
	}
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

// heldSaid is the health line about suspicions that are held back, or told again.
type heldSaid struct {
	healthSaid
	Scope   string `json:"scope"` // white, black: the player, in this game; board
	Held    bool   `json:"held"`
	Unusual int    `json:"unusual"`
	Of      int    `json:"of"` // so many that were judged
}

func (m *Machine) heldSaid(o *detector.HandsHeld) heldSaid {
	s := heldSaid{
		healthSaid: healthSaid{m.headed("health", o.Stamp, o.Game), "hands_held", o.Detail()}, Scope: o.Scope.String(),
		Held: o.Held, Unusual: o.Count.Unusual, Of: o.Count.Judged,
	}
	if o.Scope == detector.PlayerHeld {
		s.Scope = o.Side.String()
	}
	return s
}

// handsDecided tells the tracker what the arbiter made of two hands: of a suspicion, or of a report of them.
func (m *Machine) handsDecided(d Decision) {
	_, kind, _ := strings.Cut(d.Finding, ":")
	if !strings.HasPrefix(kind, "suspect.two_hands") && kind != "illegal.two_hands" && kind != "irreg.two_hands_wbca" {
		return
	}
	v := detector.HandsOpen
	switch d.Decision {
	case "confirm":
		v = detector.HandsTrue
	case "reject", "accident", "sensor":
		v = detector.HandsFalse
	case "undo", "later", "unseen": // who has not seen it says nothing (timing notes 4.6)
	default:
		return
	}
	for i := range m.proofs {
		if p := &m.proofs[i]; p.id == d.Finding {
			m.tr.HandsDecided(m.now, p.game, p.ply, p.side, v)
		}
	}
}
