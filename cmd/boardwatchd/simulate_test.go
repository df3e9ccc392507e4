package main

import (
	"strings"
	"testing"

	"boardwatchd/internal/pairing"
	"boardwatchd/internal/players"
)

func TestSimulateRefuses(t *testing.T) {
	for _, c := range []struct{ name, args, says string }{
		{"no board", "--boards 0", "1 to 64"},
		{"more boards than there are", "--boards 65", "1 to 64"},
		{"fewer than no offences", "--offences -1", "0 to 20"},
		{"nothing but offences", "--offences 21", "0 to 20"},
		{"several boards for one case", "--boards 2 --case knight-diagonal", "one after the other"},
		{"offences beside a case", "--offences 1 --case knight-diagonal", "what the case says"},
		{"a profile for a case", "--profile fide-blitz --case knight-diagonal", "its own rules"},
		{"a word", "now", "flags only"},
	} {
		t.Run(c.name, func(t *testing.T) {
			args := append([]string{"simulate", "-c", "nowhere.yaml"}, strings.Fields(c.args)...) // what is not refused ends there
			code, out, errs := runLine(t, "", args...)
			if code != statusUsage || out != "" || !strings.Contains(errs, c.says) {
				t.Errorf("status %d\n%s%s", code, out, errs)
			}
		})
	}
}

// Of a hundred moves about as many are offences as were asked for, and the games go on and on: each game that ends is
// followed by another one.
func TestOffencesAreAsOftenAsAskedFor(t *testing.T) {
	if testing.Short() {
		t.Skip("many games, in one goroutine")
	}
	for _, wanted := range []int{1, 5, 10, 20} {
		guilty, innocent := offenceRates(wanted)
		moves, offences, lookalikes := 0, 0, 0
		for seed := range uint64(4) {
			truth := play(t, seed, guilty, innocent, 15)
			for _, g := range truth.Games[:15] {
				if g.EndAt == 0 || len(g.Moves) == 0 {
					t.Fatalf("seed %d: a game without an end", seed)
				}
				moves += g.Moves[len(g.Moves)-1].Ply
				offences += len(g.Offences)
				lookalikes += len(g.Innocents)
			}
		}
		t.Logf("%d wanted: %d moves, %d offences, %d look-alikes", wanted, moves, offences, lookalikes)
		for what, n := range map[string]int{"offences": offences, "look-alikes": lookalikes} {
			if 100*n < moves*wanted*7/10 || 100*n > moves*wanted*13/10 {
				t.Errorf("%d %s in %d moves, want about %d in a hundred", n, what, moves, wanted)
			}
		}
	}
	if guilty, innocent := offenceRates(0); guilty != 0 || innocent != 0 {
		t.Errorf("honest players are tempted: %d, %d", guilty, innocent)
	}
}

// play lets games be played, one after the other, until that many are over.
func play(t *testing.T, seed uint64, guilty, innocent, games int) players.Truth {
	t.Helper()
	em, err := players.New(players.Options{
		Seed: seed, Count: -1, Offences: players.Offences{PerMille: guilty}, Innocents: players.Innocents{PerMille: innocent},
	})
	if err != nil {
		t.Fatal(err)
	}
	const hour = 3_600_000_000
	for at := int64(0); at < 20*hour; at += hour / 60 {
		em.Advance(at, func(int64, []byte) {})
		if truth := em.Truth(); len(truth.Games) > games {
			return truth
		}
	}
	t.Fatalf("seed %d: after 20 hours there are only %d games", seed, len(em.Truth().Games))
	return players.Truth{}
}

func TestInvent(t *testing.T) {
	s := simulation{boards: maxBoards}
	all := inventPairing(999_999, s.tableNames()).Games
	if len(all) != maxBoards || all[0].Board != "1" || all[63].Board != "64" {
		t.Fatalf("tables %v", all)
	}
	seen := map[string]bool{}
	for i, g := range all {
		for _, p := range []pairing.Player{g.White, g.Black} {
			if seen[p.Name] || strings.Count(p.Name, ", ") != 1 {
				t.Errorf("table %s: %q, twice or no name", g.Board, p.Name)
			}
			seen[p.Name] = true
		}
		if again := inventPairing(999_999, s.tableNames()[:i+1]).Games[i]; again != g {
			t.Errorf("table %s: %v among fewer tables, %v among all", g.Board, again, g)
		}
	}
	if other := inventPairing(7, s.tableNames()).Games[0]; other == all[0] {
		t.Errorf("another seed seats the same people: %v", other)
	}
}

// Names hold for one game: another game is reported, at its own board and only once until the board has heard.
func TestAnotherGameIsIntroduced(t *testing.T) {
	them := introductions{}
	them.introduce(nil, "1")
	them.introduce(nil, "2")
	for _, body := range []string{
		`{"type":"game","board":"1","game":1}`, `{"type":"move","board":"1","game":2}`, `not JSON`, `{"type":"game","board":"3","game":2}`,
	} {
		them.hear([]byte(body))
	}
	if len(them["1"]) != 0 || len(them["2"]) != 0 {
		t.Error("told again before another game began")
	}
	for range 2 {
		them.hear([]byte(`{"type":"game","board":"2","game":2}`))
	}
	if len(them["1"]) != 0 || len(them["2"]) != 1 {
		t.Errorf("board 1 is told %d times, board 2 %d times", len(them["1"]), len(them["2"]))
	}
}
