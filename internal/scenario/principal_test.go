package scenario

import (
	"testing"

	"boardwatchd/internal/said"
	"boardwatchd/rules/kinds"
)

func found(id, kind, state, proof, alert string, r *Ruling) *Finding {
	return &Finding{Any: said.Any{Brief: said.Brief{ID: id, Kind: kinds.Kind(kind), State: state, Proof: proof, Alert: alert, Side: "white"}}, Ruling: r}
}

func TestPrincipal(t *testing.T) {
	strike := &Ruling{Any: said.Any{Brief: said.Brief{Kind: illegalMove}}}
	lost := &Ruling{Any: said.Any{Brief: said.Brief{Kind: "fact", Result: "0-1"}}}
	nothing := &Ruling{Any: said.Any{Brief: said.Brief{Kind: noKind}}}
	fact := &Ruling{Any: said.Any{Brief: said.Brief{Kind: "fact"}}}
	illegal := found("1", "illegal.knight", "confirmed", "certain", "now", strike)
	later := found("2", "illegal.rook", "confirmed", "certain", "now", strike)
	for _, row := range []struct {
		name string
		in   []*Finding
		want string
	}{
		{"nothing was found", nil, ""},
		{"a withdrawn one is not shown", []*Finding{found("1", "illegal.knight", withdrawn, "certain", "now", strike)}, ""},
		{"nothing to deal with, and told to nobody", []*Finding{found("1", "illegal.knight", "confirmed", "certain", "log", nothing)}, ""},
		{"nothing to deal with, but somebody claims", []*Finding{found("1", "irreg.touch_move", expired, "hint", "on_claim", nothing)}, "1"},
		{"a fact that is told to nobody is shown when asked", []*Finding{found("1", "clock.flag", "confirmed", "certain", "none", fact)}, "1"},
		{"the later of two", []*Finding{illegal, later}, "2"},
		{"the one that can still be dealt with", []*Finding{illegal, found("2", "illegal.rook", expired, "certain", "now", fact)}, "1"},
		{"the one that is not decided", []*Finding{illegal, {Any: said.Any{Brief: said.Brief{ID: "2", Kind: "illegal.rook", Alert: "now"}}, Decided: true, Ruling: strike}}, "1"},
		{"a wrong bonus before what is decided", []*Finding{{Any: said.Any{Brief: said.Brief{ID: "1", Kind: "illegal.rook", Alert: "now"}}, Decided: true, Ruling: strike}, found("2", "clock.bonus_wrong", "confirmed", "certain", "advise", fact)}, "2"},
		{"a flag before an illegal move", []*Finding{found("1", "clock.flag", "confirmed", "certain", "now", lost), later}, "1"},
		{"the end of the game before a flag", []*Finding{found("1", "end.checkmate", "confirmed", "certain", "now", lost), found("2", "clock.flag", "confirmed", "certain", "now", lost)}, "1"},
		{"a report that counts before the end", []*Finding{found("1", "end.checkmate", "confirmed", "certain", "now", lost), found("2", "illegal.two_hands", "confirmed", "report", "now", strike)}, "2"},
		{"a report that does not count after it", []*Finding{found("1", "end.checkmate", "confirmed", "certain", "now", lost), found("2", "illegal.two_hands", "confirmed", "report", "log", fact)}, "1"},
		{"at once before quietly before the rest", []*Finding{illegal, found("2", "sensor.unreadable", "confirmed", "certain", "advise", fact), found("3", "irreg.touch_move", "confirmed", "hint", "log", fact)}, "1"},
		{"without a ruling", []*Finding{found("1", "illegal.knight", "suspected", "certain", "now", nil)}, "1"},
	} {
		t.Run(row.name, func(t *testing.T) {
			got := ""
			if f := Principal(row.in); f != nil {
				got = f.ID
			}
			if got != row.want {
				t.Errorf("%q, want %q", got, row.want)
			}
		})
	}
}

func TestSaidKeepsTheLastState(t *testing.T) {
	var s Said
	for _, line := range []string{
		`{"type":"press","side":"white","judged":"illegal.knight"}`,
		`{"type":"finding","id":"7:illegal.knight","kind":"illegal.knight","side":"white","state":"suspected","alert":"now"}`,
		`{"type":"ruling","finding":"7:illegal.knight","kind":"illegal_move","bonus":{"black":120},"result":null}`,
		`{"type":"ruling","finding":"9:unknown","kind":"illegal_move"}`,
		`{"type":"finding","id":"7:illegal.knight","kind":"illegal.knight","side":"white","state":"confirmed","alert":"now"}`,
		`{"type":"health","what":"gap"}`,
		`not JSON`,
	} {
		s.Take([]byte(line))
	}
	if len(s.Findings) != 1 || s.Findings[0].State != "confirmed" || s.Findings[0].Ruling == nil || s.Findings[0].Ruling.Bonus.Black != 120 {
		t.Errorf("%+v", s.Findings[0])
	}
	if len(s.Presses) != 1 || len(s.Lines) != 7 {
		t.Errorf("%v, %d lines", s.Presses, len(s.Lines))
	}
	if got := s.Confirm(); got != "7:illegal.knight" {
		t.Errorf("to be confirmed: %q", got)
	}
	if got := s.Confirm(); got != "" {
		t.Errorf("confirmed twice: %q", got)
	}
}
