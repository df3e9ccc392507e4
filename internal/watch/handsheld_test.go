package watch_test

import (
	"strings"
	"testing"

	"boardwatchd/internal/emulator"
	"boardwatchd/internal/record"
	"boardwatchd/internal/watch"
)

// bothHandsGames are two games at a board of people who use both hands for everything.
func bothHandsGames(seed uint64) emulator.Options {
	habits := emulator.Tidy
	habits.TwoHands = 1000
	o := emulator.Options{Seed: seed, Count: 2, Habits: &habits, Generator: emulator.GeneratorOptions{MinPlies: 80}}
	o.Tempo, o.Clock.BaseSec, o.Clock.BonusSec = emulator.Classical, 5400, 30
	return o
}

// What an arbiter decides reaches the board, and words that say nothing change nothing.
func TestADecisionIsBelieved(t *testing.T) {
	r, _ := play(t, bothHandsGames(3))
	if held := r.m.View().Scan.Held; held != "board" {
		t.Fatalf("held back: %q", held)
	}
	var finding string
	for _, v := range r.said {
		if strings.HasPrefix(v.Kind, "suspect.") {
			finding = v.ID
		}
	}
	at := int64(1) << 41
	decide := func(id, word string) string {
		from := len(r.lines)
		r.step(at, record.Decide, watch.Decision{Finding: id, Decision: word}.Body())
		var lines string
		for _, l := range r.lines[from:] {
			if strings.Contains(l, `"hands_held"`) {
				lines += l
			}
		}
		return lines
	}
	for _, c := range []struct{ finding, word string }{
		{finding, "unseen"}, {finding, "later"}, {finding, "undo"}, {finding, "sudo"}, {"7:" + strings.SplitN(finding, ":", 2)[1], "confirm"},
		{strings.Replace(finding, "suspect.two_hands", "illegal.knight", 1), "confirm"}, {"", "confirm"},
	} {
		if got := decide(c.finding, c.word); got != "" || r.m.View().Scan.Held != "board" {
			t.Errorf("%s %s: %s", c.finding, c.word, got)
		}
	}
	got := decide(finding, "confirm")
	if !strings.Contains(got, `"scope":"board","held":false`) || r.m.View().Scan.Held != "" {
		t.Errorf("confirmed: %s, held back: %q", got, r.m.View().Scan.Held)
	}
}

// A recording is not watched by an arbiter who could be called too often: all is told.
func TestOfARecordingEverythingIsTold(t *testing.T) {
	r, _ := passive(t, bothHandsGames(3))
	suspected, told := 0, 0
	for _, l := range handLines(t, r) {
		switch {
		case l.What == "hands_held", l.Untold != "":
			t.Errorf("%+v", l)
		case l.Type == "hands" && l.Suspected:
			suspected++
		case l.Type == "finding":
			told++
		}
	}
	if told != suspected || told < 8 {
		t.Errorf("%d of %d are told", told, suspected)
	}
}
