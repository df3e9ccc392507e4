package watch_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"boardwatchd/internal/players"
)

const opera = `1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5
11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8#`

// TestTheRecordCatchesUp: the program is away for four to nine plies of players in haste, from every phase of a move to
// every phase of another. The plies played meanwhile may be unknown; at most two unexplained presses later the record
// agrees with the board again, although neither player pauses for a second.
func TestTheRecordCatchesUp(t *testing.T) {
	const phases, phase = 28, 250_000
	for _, away := range []int64{9 * second, 13 * second, 18 * second} {
		t.Run(fmt.Sprint(away/second, " s"), func(t *testing.T) {
			t.Parallel()
			worst, known := 0, 0
			for n := range int64(phases) {
				o := players.Options{
					Seed: uint64(4 + n%3), WaitForHost: true,
					Games: []players.Game{{Moves: players.Moves(opera), End: players.EndKings, Result: "1-0"}},
					Tempo: players.Tempo{Hand: 750, Press: 330_000, Think: 1_000_000, React: 800_000},
				}
				k := kill{at: 9*second + n*phase, away: away}
				r, truth := playKilled(t, o, []kill{k}, hurried)
				for _, v := range r.accusations() {
					t.Errorf("phase %d: accused: %+v", n, v)
				}
				for _, k := range reckonings(r, truth) {
					if k.invented != "" {
						t.Errorf("phase %d: %s", n, k.invented)
					}
				}
				known += knownPlies(r)
				unknown := inARow(r)
				if worst = max(worst, unknown); unknown > 2 {
					t.Errorf("phase %d: %d presses in a row are not understood", n, unknown)
				}
				if last := lastPly(r); last != "d1d8" {
					t.Errorf("phase %d: the last ply is %q", n, last)
				}
			}
			t.Logf("%d of %d plies known, at most %d presses in a row not understood", known, phases*33, worst)
		})
	}
}

// TestTheRecordCatchesUpInHaste: the same in games that nobody has chosen, with restless players, and at the speed of
// life in scrambles, which go on in the first seconds after a gap. The first gap may begin before the sides of the
// clock are known. Nobody is accused, for any number of games. Of 300 games of each row 0, 0, 6, 9, 12 and 3 have more
// than five presses in a row that are not understood, and 2, 2, 0, 3, 12 and 13 a ply that is none of the game.
//
//	BOARDWATCHD_SEEDS=300 go test ./internal/watch -run CatchesUpInHaste -v
func TestTheRecordCatchesUpInHaste(t *testing.T) {
	hasty := players.Tempo{Hand: 750, Press: 330_000, Think: 1_000_000, React: 800_000}
	scramble := players.Tempo{Hand: 750, Press: 330_000, Think: 200_000, React: 250_000}
	for _, c := range []struct {
		name  string
		speed int64
		every int64
		away  [2]int64
		tempo players.Tempo
		first int // of the gaps: 0 may come before the sides are known
		wrong int // games with a ply that is none of the game, of the first six
	}{
		{"three times as fast", hurried, 40 * second, [2]int64{5 * second, 20 * second}, hasty, 1, 0},
		{"three times as fast, from the beginning", hurried, 40 * second, [2]int64{5 * second, 20 * second}, hasty, 0, 0},
		{"a scramble", 1, 40 * second, [2]int64{3 * second, 9 * second}, scramble, 1, 0},
		{"a scramble from the beginning", 1, 40 * second, [2]int64{3 * second, 9 * second}, scramble, 0, 0},
		{"a scramble with many gaps", 1, 15 * second, [2]int64{1 * second, 9 * second}, scramble, 0, 1},
		{"a scramble with many short gaps", 1, 12 * second, [2]int64{second / 2, 3 * second}, scramble, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, last := seeds(t, 6)
			gaps := storm{speed: c.speed, every: c.every, more: 20 * second, away: c.away}
			longest, known, plies, wrong, slow := 0, 0, 0, 0, 0
			for seed := 1; seed <= last; seed++ {
				o := killedGame(seed, &gaps)
				o.Tempo = c.tempo
				_, clean := play(t, o)
				rng := rand.New(rand.NewPCG(uint64(seed), 7))
				kills := gaps.kills(rng, seed%4, 4, clean.Games[0].EndAt)[c.first:]
				r, truth := playKilled(t, o, kills, c.speed)
				for _, v := range r.accusations() {
					t.Errorf("seed %d: accused: %+v", seed, v)
				}
				for _, k := range reckonings(r, truth) {
					if plies += k.plies; k.invented != "" {
						wrong++
						t.Logf("seed %d: %s", seed, k.invented)
					}
				}
				n := inARow(r)
				if longest, known = max(longest, n), known+knownPlies(r); n > 5 {
					slow++
					t.Logf("seed %d: %d presses in a row are not understood", seed, n)
				}
			}
			t.Logf("%d of %d plies known, at most %d presses in a row not understood", known, plies, longest)
			if more := last / 20; wrong > c.wrong+more || slow > more {
				t.Errorf("%d games with a ply that is none of the game, %d that catch up late", wrong, slow)
			}
		})
	}
}

// inARow is how many presses in a row were not understood, at most.
func inARow(r *rig) (most int) {
	n := 0
	for _, v := range r.said {
		switch {
		case v.Type != "press":
		case v.Judged == "sensor.unknown":
			n++
			most = max(most, n)
		default:
			n = 0
		}
	}
	return most
}

// knownPlies counts the plies of all records, without those that are not known.
func knownPlies(r *rig) (n int) {
	for _, g := range r.entries() {
		for _, e := range g {
			if e.uci != "" {
				n++
			}
		}
	}
	return n
}

// lastPly is the last ply of the first game's record, "" where it is not known.
func lastPly(r *rig) string {
	g := r.entries()
	if len(g) == 0 || len(g[0]) == 0 {
		return ""
	}
	return g[0][len(g[0])-1].uci
}
