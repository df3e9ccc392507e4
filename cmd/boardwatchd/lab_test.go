package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"boardwatchd/internal/research/lab"
	"boardwatchd/internal/watch"
	"boardwatchd/rules/legal"
)

func TestLabRefuses(t *testing.T) {
	for _, c := range []struct{ name, args, says string }{
		{"two things at once", "--simulate --evaluate x.bwj", "choose one"},
		{"evaluate nothing", "--evaluate", "at least one labelled capture or journal"},
		{"a file without --evaluate", "x.bwj", "lab takes flags only"},
		{"fewer than no people", "--generated -1", "1 to 200000"},
		{"another format", "--evaluate x.bwj --format jsonl", "text or json"},
		{"a card of nothing", "--simulate --void 5.1", "of an evaluation only"},
		{"a scan in no time", "--simulate --scan 1ms", "10ms to 600ms"},
		{"another family", "--simulate --family two", "jerk, two-phase, stroke, coast"},
		{"a board and none", "--simulate --board /dev/ttyUSB0", "needs no board"},
		{"people and none", "--simulate --players 3,4", "people at a board"},
		{"no protocol", "--simulate --protocol nowhere.yaml", "full, short, or a YAML file"},
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

// A letter comes alone from a terminal that lets single keys through, and with the end of a line elsewhere.
func TestNextKey(t *testing.T) {
	for _, c := range []struct {
		in   string
		want []lab.Key
	}{
		{"\n", []lab.Key{lab.Enter}},
		{"\r", []lab.Key{lab.Enter}},
		{"r\n\n", []lab.Key{lab.RepeatKey, lab.Enter}},
		{"rsPq", []lab.Key{lab.RepeatKey, lab.SkipKey, lab.PauseKey, lab.QuitKey}},
		{"x\n\x04", []lab.Key{lab.NoKey, lab.QuitKey}},
	} {
		in := bufio.NewReader(strings.NewReader(c.in))
		var got []lab.Key
		for {
			k, err := nextKey(in)
			if errors.Is(err, io.EOF) {
				break
			}
			got = append(got, k)
		}
		if len(got) != len(c.want) {
			t.Errorf("%q: %v, want %v", c.in, got, c.want)
			continue
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("%q: %v, want %v", c.in, got, c.want)
			}
		}
	}
}

// fakeTable takes instructions.
type fakeTable struct {
	start  time.Time
	mu     sync.Mutex
	labels []lab.Label
	fails  error // of Run, at once
}

func (f *fakeTable) Now() int64 { return time.Since(f.start).Microseconds() }

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

func evening(t *testing.T, keys io.Reader, f *fakeTable, boards chan labBoard, ctx context.Context) (string, error) {
	t.Helper()
	var out, errs bytes.Buffer
	l := laboratory{env: &env{in: keys, out: &out, err: &errs, getenv: func(string) string { return "" }}}
	p := lab.Protocol{Name: "t", Blocks: []lab.Block{{What: lab.Drop, Cards: []lab.Pile{{Style: "drop", Count: 2}}}}}
	err := l.evening(ctx, f, boards, func(now int64) (*lab.Session, error) {
		return lab.NewSession(p, lab.Options{Seed: 1, Players: []string{"A", "B"}}, now)
	}, "evening.bwj")
	return out.String() + errs.String(), err
}

// The board alone shows that a card is done: nine tenths of a second after the piece stands, and not before.
func TestEveningGoesByTheBoard(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, operator := io.Pipe()
		f := &fakeTable{start: time.Now()}
		boards := make(chan labBoard, 1)
		var people sync.WaitGroup
		people.Go(func() {
			defer operator.Close()
			var empty, stands legal.Placement
			boards <- labBoard{read: true, squares: empty}
			synctest.Wait()
			if got := f.events(); got != "begin block" {
				t.Errorf("with an empty board: %s", got)
			}
			if _, err := operator.Write([]byte("\n")); err != nil { // the mark for the film
				t.Error(err)
			}
			for range 2 {
				synctest.Wait()
				f.mu.Lock()
				card := f.labels[len(f.labels)-1]
				f.mu.Unlock()
				if card.Event != lab.Shown {
					t.Errorf("%s: no card", f.events())
					return
				}
				sq, _ := legal.ParseSquare(card.Deed.To)
				stands = empty
				stands[sq] = legal.WhiteRook
				before := f.events()
				boards <- labBoard{read: true, squares: stands}
				time.Sleep(700 * time.Millisecond)
				if f.events() != before {
					t.Errorf("done after 0.7 s: %s", f.events())
				}
				time.Sleep(500 * time.Millisecond)
				boards <- labBoard{read: true, squares: empty}
			}
		})
		said, err := evening(t, in, f, boards, context.Background())
		people.Wait()
		if err != nil || f.events() != "begin block sync card done card done end" {
			t.Errorf("%v: %s", err, f.events())
		}
		for _, says := range []string{"SET UP", "The board has not been read yet.", "SYNC MARK", "White's rook to", "PUT BACK", "THAT WAS ALL", "boardwatchd lab --evaluate evening.bwj"} {
			if !strings.Contains(said, says) {
				t.Errorf("%q is not in\n%s", says, said)
			}
		}
	})
}

func TestEveningEnds(t *testing.T) {
	t.Run("with the operator's input", func(t *testing.T) {
		f := &fakeTable{start: time.Now()}
		if _, err := evening(t, strings.NewReader(""), f, nil, t.Context()); err != nil || f.events() != "begin end" {
			t.Errorf("%v: %s", err, f.events())
		}
	})
	t.Run("with an interrupt, whose label is saved", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		in, operator := io.Pipe()
		defer operator.Close()
		f := &fakeTable{start: time.Now()}
		if _, err := evening(t, in, f, nil, ctx); err != nil || f.events() != "begin end" {
			t.Errorf("%v: %s", err, f.events())
		}
	})
	t.Run("with the station, and says why", func(t *testing.T) {
		in, operator := io.Pipe()
		defer operator.Close()
		broken := errors.New("the disk is gone")
		if _, err := evening(t, in, &fakeTable{start: time.Now(), fails: broken}, nil, t.Context()); !errors.Is(err, broken) {
			t.Errorf("%v", err)
		}
	})
}

// Only the newest board is of interest, and the station never waits.
func TestPost(t *testing.T) {
	box := make(chan labBoard, 1)
	post(box, watch.View{Link: "up"})
	if b := <-box; b.read || b.missed() != "" {
		t.Errorf("a board that was not read: %+v", b)
	}
	for range 3 {
		post(box, watch.View{Placement: "R7/8/8/8/8/8/8/8"})
	}
	post(box, watch.View{Placement: "8/8/8/8/8/8/8/7R", Reversed: true, Link: "down"})
	a8, _ := legal.ParseSquare("a8")
	if b := <-box; !b.read || b.squares[a8] != legal.WhiteRook || !strings.Contains(b.missed(), "cable") {
		t.Errorf("%+v", b)
	}
}

// A journal that is named twice counts once.
func TestAnEveningCountsOnce(t *testing.T) {
	dir := t.TempDir()
	evening := filepath.Join(dir, "evening.bwj")
	if code, _, errs := runLine(t, "", "lab", "--simulate", "--seed", "5", "--out", evening); code != 0 {
		t.Fatal(errs)
	}
	if code, out, errs := runLine(t, "", "lab", "--evaluate", evening, filepath.Join(dir, "evening.bwj")); code != 0 || !strings.Contains(errs, "read already") {
		t.Fatalf("status %d\n%s%s", code, out, errs)
	}
	// The film has shown that a card was done otherwise.
	for _, c := range []struct{ void, says string }{
		{"5.1,evening.bwj:6.2", "333 cards by 2 people, 7 void"}, {"5.1,5.1", "no card 5.1 counts"}, {"99.1", "no card 99.1 counts"}, {"morning.bwj:5.1", "none of the recordings"},
	} {
		if _, out, errs := runLine(t, "", "lab", "--void", c.void, "--evaluate", evening); !strings.Contains(out+errs, c.says) {
			t.Errorf("--void %s: %s%s", c.void, out, errs)
		}
	}
}
