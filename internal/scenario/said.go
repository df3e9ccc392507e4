package scenario

import (
	"encoding/json"
	"slices"

	"boardwatchd/internal/said"
)

// A Finding is what the machine said about something it found, last state.
type Finding struct {
	said.Any
	Ruling  *Ruling         // nil: none was said
	Decided bool            // the arbiter has decided about it
	Body    json.RawMessage // the object as said
}

// A Ruling is what the machine proposed about a finding.
type Ruling struct {
	said.Any
	Body json.RawMessage
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
