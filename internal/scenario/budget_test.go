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

// inputOf plays one of the program's own cases, and returns the inputs of its journal.
func inputOf(t *testing.T, id string) (input []record.Record) {
	t.Helper()
	i := slices.IndexFunc(Own(), func(c Case) bool { return c.ID == id })
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
	return input
}

// TestMatingBudgetIsInTheJournal: the budget of the search for a mate is in the opening record, and a replay of the
// same input with another budget gives another answer.
func TestMatingBudgetIsInTheJournal(t *testing.T) {
	input := inputOf(t, "flag-beside-a-hole")
	usual := []byte(`"mating_budget":` + strconv.Itoa(rules.MatingBudget) + `,`)
	if !bytes.Contains(input[0].Body, usual) {
		t.Fatalf("no %s in %s", usual, input[0].Body)
	}
	for _, tt := range []struct{ instead, result, verdict string }{
		{string(usual), "0-1", "possible"},
		{`"mating_budget":2,`, "", "unknown"},
		{"", "0-1", "possible"}, // recorded before the budget existed
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

// TestAnotherMatingBudgetKeepsTheFindings: open findings stay unchanged when only the budget of the configuration
// changes, and after an upgrade from before the budget existed.
func TestAnotherMatingBudgetKeepsTheFindings(t *testing.T) {
	input := inputOf(t, "knight-diagonal")
	usual := `"mating_budget":` + strconv.Itoa(rules.MatingBudget) + `,`
	opening, last := input[0], input[len(input)-1]
	with := func(budget string) record.Record {
		r := opening
		r.Body = bytes.Replace(r.Body, []byte(usual), []byte(budget), 1)
		return r
	}
	for _, tt := range []struct{ name, was, is string }{
		{"the same", usual, usual},
		{"an upgrade", "", usual},
		{"another one", usual, `"mating_budget":2000000,`},
	} {
		m, id := watch.New(), ""
		input[0] = with(tt.was)
		for _, r := range input {
			for _, e := range m.Step(r) {
				var f struct{ Type, ID string }
				if err := json.Unmarshal(e.Body, &f); err == nil && f.Type == "finding" {
					id = f.ID
				}
			}
		}
		again := with(tt.is)
		again.Seq, again.At = last.Seq+1, last.At+1
		m.Step(again)
		decision := record.Record{
			Seq: last.Seq + 2, At: last.At + 2, Kind: record.Decide, Body: []byte(`{"finding":"` + id + `","decision":"confirm","by":"x"}`),
		}
		if said := m.Step(decision); id == "" || len(said) == 0 {
			t.Errorf("%s: nothing follows from confirming the finding %q", tt.name, id)
		}
	}
}
