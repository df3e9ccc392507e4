package scenario

import (
	"encoding/json"
	"slices"

	"boardwatchd/internal/said"
)

// A Finding is the machine's last output about a finding.
type Finding struct {
	said.Any
	Ruling  *Ruling         // nil: there was none
	Decided bool            // the arbiter has decided it
	Body    json.RawMessage // the object as output
}

// A Ruling is the machine's proposal about a finding.
type Ruling struct {
	said.Any
	Body json.RawMessage
}

// Said collects the machine's output: every finding and ruling in its present state, in the order of their first
// appearance.
type Said struct {
	Presses  []string
	Findings []*Finding
	Lines    []json.RawMessage // all output, unchanged
}

// Take adds one Say effect.
func (s *Said) Take(body []byte) {
	body = slices.Clone(body)
	s.Lines = append(s.Lines, body)
	var o said.Any
	if json.Unmarshal(body, &o) != nil {
		return
	}
	switch o.Type {
	case "press":
		s.Presses = append(s.Presses, o.Judged)
	case "finding":
		s.finding(Finding{Any: o, Body: body})
	case "ruling":
		if f := s.find(o.Finding); f != nil {
			f.Ruling = &Ruling{o, body}
		}
	}
}

// finding notes a finding or its new state. A ruling holds until another one comes.
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

// Confirm returns the finding that an arbiter confirms by putting the position back, and marks it as decided: the one
// that is shown, if it is an offence; "" for none.
func (s *Said) Confirm() string {
	f := Principal(s.Findings)
	if f == nil || f.Decided || f.Ruling == nil || f.State == expired || f.Ruling.Kind != illegalMove && f.Ruling.Kind != arbiterDecides {
		return ""
	}
	f.Decided = true
	return f.ID
}
