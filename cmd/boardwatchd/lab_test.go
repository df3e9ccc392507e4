package main

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"boardwatchd/internal/research/lab"
)

func TestLabRefuses(t *testing.T) {
	for _, c := range []struct{ name, args, says string }{
		{"two things at once", "--simulate --evaluate x.bwj", "choose one"},
		{"evaluate nothing", "--evaluate", "at least one journal"},
		{"a file without --evaluate", "x.bwj", "lab takes flags only"},
		{"another format", "--evaluate x.bwj --format yaml", "text, json or jsonl"},
		{"a card of nothing", "--simulate --void 5.1", "of one journal only"},
		{"a board and none", "--simulate --board /dev/ttyUSB0", "needs no board"},
		{"people and none", "--simulate --players 3,4", "no people"},
		{"no protocol", "--simulate --protocol nowhere.yaml", "full and short"},
		{"a journal with another ending", "--simulate --out evening.txt", "ends in .bwj"},
		{"one player", "--board nowhere --players Ann --out nowhere/evening.bwj", "two players"},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, out, errs := runLine(t, "", append([]string{"lab"}, strings.Fields(c.args)...)...)
			if code != statusUsage || out != "" || !strings.Contains(errs, c.says) {
				t.Errorf("status %d\n%s%s", code, out, errs)
			}
		})
	}
}

// fakeTable takes instructions.
type fakeTable struct {
	mu     sync.Mutex
	labels []lab.Label
	fails  error // of Run, at once
}

func (f *fakeTable) Instruct(_ context.Context, body []byte) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if l, ok := lab.ParseLabel(body); ok {
		f.labels = append(f.labels, l)
	}
	return nil
}

func (f *fakeTable) Run(ctx context.Context) error {
	if f.fails == nil {
		<-ctx.Done()
	}
	return f.fails
}

func (f *fakeTable) events() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	var list []string
	for _, l := range f.labels {
		list = append(list, string(l.Event))
	}
	return strings.Join(list, " ")
}

func evening(ctx context.Context, t *testing.T, keys io.Reader, f *fakeTable) (string, error) {
	t.Helper()
	s, err := lab.NewSession(lab.Options{Protocol: "short", Seed: 1, Players: []string{"A", "B"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	l := laboratory{env: &env{in: keys, out: &out}}
	err = l.evening(ctx, f, s)
	return out.String(), err
}

// The operator's keys are all that the evening goes by; an unknown one changes nothing.
func TestEveningGoesByTheOperator(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeTable{}
		said, err := evening(context.Background(), t, strings.NewReader("\n\nx\nR\n\ns\nq\n"), f)
		if err != nil || f.events() != "begin sync card done card void card done card skip card end" {
			t.Errorf("%v: %s", err, f.events())
		}
		for _, says := range []string{"SET UP", "White's rook a1", "Block 1 of 6: plain, 24 cards", "PLAIN ·", " to ", "THAT WAS ALL"} {
			if !strings.Contains(said, says) {
				t.Errorf("%q is not in\n%s", says, said)
			}
		}
	})
}

func TestEveningEnds(t *testing.T) {
	t.Run("with the operator's input", func(t *testing.T) {
		f := &fakeTable{}
		if _, err := evening(t.Context(), t, strings.NewReader(""), f); err != nil || f.events() != "begin end" {
			t.Errorf("%v: %s", err, f.events())
		}
	})
	t.Run("with an interrupt, whose label is saved", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		in, operator := io.Pipe()
		defer operator.Close()
		f := &fakeTable{}
		if _, err := evening(ctx, t, in, f); err != nil || f.events() != "begin end" {
			t.Errorf("%v: %s", err, f.events())
		}
	})
	t.Run("with the station, and says why", func(t *testing.T) {
		in, operator := io.Pipe()
		defer operator.Close()
		broken := errors.New("the disk is gone")
		if _, err := evening(t.Context(), t, in, &fakeTable{fails: broken}); !errors.Is(err, broken) {
			t.Errorf("%v", err)
		}
	})
}

// The film has shown that cards were done otherwise.
func TestCardsAreLeftOut(t *testing.T) {
	evening := filepath.Join(t.TempDir(), "evening.bwj")
	if code, _, errs := runLine(t, "", "lab", "--simulate", "--seed", "5", "--out", evening); code != 0 {
		t.Fatal(errs)
	}
	for _, c := range []struct{ void, says string }{
		{"5.1,6.2", "333 cards, 2 void"}, {"5.1,5.1", "no card 5.1 counts"}, {"99.1", "no card 99.1 counts"},
	} {
		if _, out, errs := runLine(t, "", "lab", "--void", c.void, "--evaluate", evening); !strings.Contains(out+errs, c.says) {
			t.Errorf("--void %s: %s%s", c.void, out, errs)
		}
	}
}
