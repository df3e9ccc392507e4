package scenario

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"testing"

	"boardwatchd/internal/record"
	"boardwatchd/internal/watch"
	"boardwatchd/rules"
)

// TestMatingBudgetIsInTheJournal: what is granted to the search for a mate stands in the opening record, and a replay of the
// same input with another budget says something else.
func TestMatingBudgetIsInTheJournal(t *testing.T) {
	i := slices.IndexFunc(Own(), func(c Case) bool { return c.ID == "flag-beside-a-hole" })
	var input []record.Record
	_, _, err := Own()[i].Play(Options{Record: func(r record.Record) error {
		if r.Kind.Input() {
			r.Body = slices.Clone(r.Body)
			input = append(input, r)
		}
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	usual := []byte(`"mating_budget":` + strconv.Itoa(rules.MatingBudget) + `,`)
	if !bytes.Contains(input[0].Body, usual) {
		t.Fatalf("no %s in %s", usual, input[0].Body)
	}
	for _, tt := range []struct{ instead, result, verdict string }{
		{string(usual), "0-1", "possible"},
		{`"mating_budget":2,`, "", "unknown"},
		{"", "0-1", "possible"}, // recorded before there was a budget
	} {
		input[0].Body, usual = bytes.Replace(input[0].Body, usual, []byte(tt.instead), 1), []byte(tt.instead)
		m := watch.New()
		var last struct {
			Result string
			Mate   struct{ Verdict string }
		}
		for _, r := range input {
			for _, e := range m.Step(r) {
				if bytes.Contains(e.Body, []byte(`"type":"ruling"`)) {
					if err := json.Unmarshal(e.Body, &last); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
		if last.Result != tt.result || last.Mate.Verdict != tt.verdict {
			t.Errorf("with %q: result %q, verdict %q, want %q and %q", tt.instead, last.Result, last.Mate.Verdict, tt.result, tt.verdict)
		}
	}
}
