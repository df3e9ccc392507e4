package scenario

import (
	"encoding/json"
	"slices"

	"boardwatchd/rules/kinds"
)

// A Finding is what the machine said about something it found, last state. The field names are those of contract section 3.
type Finding struct {
	ID       string     `json:"id"`
	Kind     kinds.Kind `json:"kind"`
	Seq      int64      `json:"seq"`
	Ply      int        `json:"ply"`
	Side     string     `json:"side"`
	State    string     `json:"state"`
	Proof    string     `json:"proof"`
	Alert    string     `json:"alert"`
	Articles []string   `json:"articles"`

	Ruling  *Ruling         `json:"-"` // nil: none was said
	Decided bool            `json:"-"` // the arbiter has decided about it
	Body    json.RawMessage `json:"-"` // the object as said
}

// A Ruling is what the machine proposed about a finding. A side that is not named stands for 0.
type Ruling struct {
	Finding     string         `json:"finding"`
	Kind        string         `json:"kind"`
	Position    string         `json:"position"`
	PositionFEN string         `json:"position_fen"`
	MustPlay    []string       `json:"must_play"`
	Bonus       map[string]int `json:"bonus"`
	TakeBack    map[string]int `json:"take_back_increment"`
	RunClock    string         `json:"run_clock"`
	Strikes     map[string]int `json:"strikes_after"`
	Result      string         `json:"result"`

	Body json.RawMessage `json:"-"`
}

// press is one judged press.
type press struct {
	Side   string `json:"side"`
	Judged string `json:"judged"`
}

// Said collects what the machine says: every finding and ruling as it stands now, in the order of their first appearance.
type Said struct {
	Presses  []string
	Findings []*Finding
	Lines    []json.RawMessage // everything, as said
}

// Take takes one Say effect.
func (s *Said) Take(body []byte) {
	body = slices.Clone(body)
	s.Lines = append(s.Lines, body)
	var head struct {
		Type string `json:"type"`
	}
	if json.Unmarshal(body, &head) != nil {
		return
	}
	switch head.Type {
	case "press":
		var p press
		if json.Unmarshal(body, &p) == nil {
			s.Presses = append(s.Presses, p.Judged)
		}
	case "finding":
		f := Finding{Body: body}
		if json.Unmarshal(body, &f) == nil {
			s.finding(f)
		}
	case "ruling":
		r := Ruling{Body: body}
		if json.Unmarshal(body, &r) == nil {
			if f := s.find(r.Finding); f != nil {
				f.Ruling = &r
			}
		}
	}
}

// finding notes a finding or its new state. A ruling stands until another one is said.
func (s *Said) finding(f Finding) {
	if old := s.find(f.ID); old != nil {
		f.Ruling, f.Decided = old.Ruling, old.Decided
		*old = f
		return
	}
	s.Findings = append(s.Findings, &f)
}

func (s *Said) find(id string) *Finding {
	for _, f := range s.Findings {
		if f.ID == id {
			return f
		}
	}
	return nil
}

// Confirm is the finding that an arbiter confirms when he puts the position back, decided from now on: the one that is
// shown, if it is an offence; "" for none.
func (s *Said) Confirm() string {
	f := Principal(s.Findings)
	if f == nil || f.Decided || f.Ruling == nil || f.State == expired || f.Ruling.Kind != illegalMove && f.Ruling.Kind != arbiterDecides {
		return ""
	}
	f.Decided = true
	return f.ID
}
