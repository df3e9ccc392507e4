package watch_test

import (
	"encoding/json"
	"strings"
	"testing"

	"boardwatchd/internal/players"
	"boardwatchd/internal/record"
	"boardwatchd/internal/watch"
)

// bothHandsGames returns blitz games of players who use both hands for everything.
func bothHandsGames(seed uint64, count int) players.Options {
	habits := players.Tidy
	habits.TwoHands = 1000
	o := players.Options{Seed: seed, Count: count, Habits: &habits, Generator: players.GeneratorOptions{MinPlies: 80}}
	o.Tempo, o.Clock.BaseSec, o.Clock.BonusSec = players.Classical, 5400, 30
	return o
}

// An arbiter's answer reaches the tracker, and other decisions change nothing.
func TestAnAnswerIsHeard(t *testing.T) {
	for seed := uint64(1); ; seed++ {
		r, _ := play(t, bothHandsGames(seed, 1))
		if r.m.View().Scan.Held != "board" {
			if seed == 20 {
				t.Fatal("no board has told two suspicions")
			}
			continue // the castlings came before the tempo of the players was known
		}
		var finding string
		for _, v := range r.said {
			if strings.HasPrefix(v.Kind, "suspect.") {
				finding = v.ID
			}
		}
		decide := func(id, word string) (lines string) {
			from := len(r.lines)
			r.step(int64(1)<<41, record.Decide, watch.Decision{Finding: id, Decision: word}.Body())
			for _, l := range r.lines[from:] {
				if strings.Contains(l, `"hands_held"`) {
					lines += l
				}
			}
			return lines
		}
		for _, c := range []struct{ finding, word string }{
			{finding, "later"}, {finding, "undo"}, {finding, "sudo"}, {"7:" + strings.SplitN(finding, ":", 2)[1], "confirm"},
			{strings.Replace(finding, "suspect.two_hands", "illegal.knight", 1), "confirm"}, {"", "confirm"},
		} {
			if got := decide(c.finding, c.word); got != "" || r.m.View().Scan.Held != "board" {
				t.Errorf("%s %s: %s", c.finding, c.word, got)
			}
		}
		// A claim is answered with the timing; a report contains it in the finding.
		var told struct {
			ID, Side string
			Ply      int
		}
		for _, line := range r.lines {
			if body, ok := strings.CutPrefix(line, "say "); ok && strings.Contains(body, `"id":"`+finding+`"`) {
				if err := json.Unmarshal([]byte(body), &told); err != nil {
					t.Fatal(err)
				}
			}
		}
		claimant := map[string]string{"white": "black", "black": "white"}[told.Side]
		tell := func(i watch.Instruction) string {
			from := len(r.lines)
			r.step(int64(1)<<41, record.Instruct, i.Body())
			return strings.Join(r.lines[from:], "\n")
		}
		if got := tell(watch.Instruction{Do: watch.DoClaim, What: "two-hands", Side: claimant, Move: (told.Ply + 1) / 2}); !strings.Contains(got, `"what":"hands_timing"`) ||
			!strings.Contains(got, "speaks for two hands: of 100 castlings") {
			t.Errorf("a claim: %s", got)
		}
		if got := tell(watch.Instruction{Do: watch.DoClaim, What: "two-hands", Side: claimant, Move: 500}); strings.Contains(got, "hands_timing") {
			t.Errorf("a claim about no move: %s", got)
		}
		got := decide(finding, "unseen")
		if !strings.Contains(got, `"scope":"board","held":false`) || r.m.View().Scan.Held != "" {
			t.Errorf("answered: %s, held back: %q", got, r.m.View().Scan.Held)
		}
		if got := tell(watch.Instruction{Do: watch.DoReport, What: "two-hands", Side: told.Side, Move: (told.Ply + 1) / 2}); !strings.Contains(got, `"timing":"The timing speaks for two hands`) {
			t.Errorf("a report: %s", got)
		}
		return
	}
}

// For a recording there is no arbiter who could be alerted too often: everything is reported.
func TestEverythingOfARecordingIsReported(t *testing.T) {
	suspected, told := 0, 0
	for seed := range uint64(6) {
		r, _ := passive(t, bothHandsGames(seed, 2))
		for _, l := range handLines(t, r) {
			switch {
			case l.What == "hands_held", l.Untold != "":
				t.Errorf("%+v", l)
			case l.Type == "hands" && l.Suspected:
				suspected++
			case l.Type == "finding" && l.State != "expired": // expired: the next game has begun
				told++
			}
		}
	}
	if told != suspected || told < 4 {
		t.Errorf("%d of %d are told", told, suspected)
	}
}
