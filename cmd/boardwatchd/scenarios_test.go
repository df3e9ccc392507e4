package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"boardwatchd/internal/scenario"
)

// runLine runs a command line in this process.
func runLine(t *testing.T, in string, args ...string) (code int, out, errs string) {
	t.Helper()
	var o, x bytes.Buffer
	code = run(context.Background(), &env{in: strings.NewReader(in), out: &o, err: &x, getenv: func(string) string { return "" }}, args)
	return code, o.String(), x.String()
}

// twoCases are one that every version answers rightly and one that none does.
const twoCases = `scenarios:
- {id: good, title: a quiet move, profile: fide-standard, tc: 90+30, start: startpos, actions: [W move e2e4, W press], press_results: [ok], expect: {finding: none}}
- {id: bad, title: wants what is not there, profile: fide-standard, tc: 90+30, start: startpos, actions: [W move e2e4, W press], press_results: [ok2], expect: {finding: none}}
`

func TestScenarios(t *testing.T) {
	for _, row := range []struct {
		name      string
		args      string
		code      int
		out, errs string
	}{
		{"all as expected", "scenarios --only good -", 0, "ok   good a quiet move\n1 of 1 cases as expected\n", ""},
		{"one is not", "scenarios -", 1, "ok   good a quiet move\nFAIL bad  wants what is not there\n         press_results: expected [ok2], got [ok]\n1 of 2 cases as expected\n", ""},
		{"an id that is none", "scenarios --only goood -", 2, "", "did you mean good?"},
		{"no file", "scenarios", 2, "", "name at least one file"},
		{"a file that is not there", "scenarios nowhere.yaml", 1, "", "nowhere.yaml"},
		{"a rule set that is none", "scenarios --profile nonsense --only good -", 2, "", "nonsense"},
		{"an own case that is none", "simulate --case knight-diagonl", 2, "", "did you mean knight-diagonal?"},
		{"the list", "emulate --case list", 0, "knight-diagonal", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			code, out, errs := runLine(t, twoCases, strings.Fields(row.args)...)
			if code != row.code || !strings.Contains(out, row.out) || !strings.Contains(errs, row.errs) {
				t.Errorf("status %d\n%s%s", code, out, errs)
			}
		})
	}
}

// The journal of every own case is kept, whatever its id.
func TestScenariosKeepEveryJournal(t *testing.T) {
	dir := t.TempDir()
	if code, _, errs := runLine(t, "", "scenarios", "--journal", dir, "own"); code != 0 {
		t.Fatalf("status %d: %s", code, errs)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.bwj"))
	if err != nil || len(files) != len(scenario.Own()) {
		t.Errorf("%d journals of %d cases, %v", len(files), len(scenario.Own()), err)
	}
	if code, out, errs := runLine(t, "", "verify", filepath.Join(dir, "early-0_30-at-225.bwj")); code != 0 || !strings.Contains(out, "equal") {
		t.Errorf("verify: status %d\n%s%s", code, out, errs)
	}
}

// TestScenariosObjects is section 4 of the contract.
func TestScenariosObjects(t *testing.T) {
	dir := t.TempDir()
	code, out, errs := runLine(t, twoCases, "scenarios", "--format", "jsonl", "--journal", dir, "-")
	if code != 1 {
		t.Fatalf("status %d: %s", code, errs)
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	want := []string{
		`{"id":"good","press_results":["ok"],"finding":null,"ruling":null,"pass":true,"differences":[]}`,
		`{"id":"bad","press_results":["ok"],"finding":null,"ruling":null,"pass":false,"differences":["press_results: expected [ok2], got [ok]"]}`,
	}
	if strings.Join(lines, "\n") != strings.Join(want, "\n") {
		t.Errorf("%s\nwant\n%s", out, strings.Join(want, "\n"))
	}
	for _, id := range []string{"good", "bad"} {
		if _, err := os.Stat(filepath.Join(dir, id+".bwj")); err != nil {
			t.Error(err)
		}
		if code, out, errs := runLine(t, "", "verify", filepath.Join(dir, id+".bwj")); code != 0 {
			t.Errorf("verify %s: status %d %s%s", id, code, out, errs)
		}
	}
	code, out, _ = runLine(t, twoCases, "scenarios", "--format", "jsonl", "-v", "--only", "good", "-")
	var a answer
	if err := json.Unmarshal([]byte(out), &a); err != nil || code != 0 || len(a.Said) == 0 {
		t.Errorf("with -v: %v, %d lines", err, len(a.Said))
	}
}
