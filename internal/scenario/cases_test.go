package scenario

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"boardwatchd/internal/record"
	"boardwatchd/internal/sharedtest"
	"boardwatchd/internal/watch"
)

// judge plays cases and reports every difference.
func judge(t *testing.T, cases []Case) {
	t.Helper()
	for i := range cases {
		c := &cases[i]
		t.Run(c.ID, func(t *testing.T) {
			v, err := c.Judge(Options{})
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range v.Differences {
				t.Error(d)
			}
		})
	}
}

// TestOwnCases: every case that comes with the program gets the expected answer.
func TestOwnCases(t *testing.T) { judge(t, Own()) }

func TestOwnCasesAreWellFormed(t *testing.T) {
	if len(Own()) < 40 {
		t.Errorf("only %d cases", len(Own()))
	}
	seen := map[string]bool{}
	for _, c := range Own() {
		if len(c.Problems) > 0 {
			t.Error(c.Problems)
		}
		if seen[c.ID] {
			t.Errorf("%s is there twice", c.ID)
		}
		seen[c.ID] = true
		if c.Title == "" || strings.HasSuffix(c.Title, ".") {
			t.Errorf("%s: the title %q", c.ID, c.Title)
		}
	}
}

// TestCaseFile plays the arbiters' case file beside the project.
func TestCaseFile(t *testing.T) {
	src, err := os.ReadFile(sharedtest.Path(t, "scenarios", "scenarios.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	f, err := Read("scenarios.yaml", src)
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Cases) < 137 {
		t.Errorf("%d cases", len(f.Cases))
	}
	judge(t, f.Cases)
}

// TestACaseIsAJournal: the record of a case gives the same answers in a replay, and a second time.
func TestACaseIsAJournal(t *testing.T) {
	for i := range Own() {
		c := &Own()[i]
		var records []record.Record
		keep := func(r record.Record) error {
			r.Body = slices.Clone(r.Body)
			records = append(records, r)
			return r.Check()
		}
		said, _, err := c.Play(Options{Record: keep})
		if err != nil {
			t.Fatalf("%s: %v", c.ID, err)
		}
		again, _, err := c.Play(Options{})
		if err != nil {
			t.Fatalf("%s: %v", c.ID, err)
		}
		if !slices.EqualFunc(said.Lines, again.Lines, func(a, b json.RawMessage) bool { return string(a) == string(b) }) {
			t.Errorf("%s: the second time it says something else", c.ID)
		}
		replay(t, c.ID, records)
	}
}

func replay(t *testing.T, id string, records []record.Record) {
	t.Helper()
	m := watch.New()
	var owed []watch.Effect
	for i, r := range records {
		if r.Seq != record.Seq(i+1) {
			t.Fatalf("%s: record %d has the number %d", id, i+1, r.Seq)
		}
		if r.Kind.Input() {
			if len(owed) > 0 {
				t.Fatalf("%s: before record %d something was not said: %s", id, r.Seq, owed[0].Body)
			}
			owed = slices.Clone(m.Step(r))
			continue
		}
		if len(owed) == 0 || owed[0].Kind != r.Kind || string(owed[0].Body) != string(r.Body) {
			t.Fatalf("%s: record %d differs in the replay: %s", id, r.Seq, r.Body)
		}
		owed = owed[1:]
	}
}
