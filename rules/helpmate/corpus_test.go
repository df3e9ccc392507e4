package helpmate

import (
	"bufio"
	"os"
	"sort"
	"strconv"
	"strings"
	"testing"
	"time"

	"boardwatchd/internal/sharedtest"
	"boardwatchd/rules/legal"
)

func mustPosition(t testing.TB, fen string) legal.Position {
	t.Helper()
	s, err := legal.ParseFEN(fen)
	if err != nil {
		t.Fatalf("ParseFEN(%q): %v", fen, err)
	}
	p, err := s.Position()
	if err != nil {
		t.Fatalf("Position of %q: %v", fen, err)
	}
	return p
}

type labelled struct {
	fen  string
	side legal.Side
	can  bool
}

func corpus(t testing.TB, name string) (out []labelled) {
	f, err := os.Open(sharedtest.Path(t, "data", "unwinnable", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	sc := bufio.NewScanner(f)
	for sc.Scan() {
		line := sc.Text()
		if strings.HasPrefix(line, "#") || len(line) < 4 {
			continue
		}
		fen := line[3:]
		out = append(out, labelled{fen, legal.White, line[0] == 'W'}, labelled{fen, legal.Black, line[1] == 'B'})
	}
	return out
}

// question is a labelled position that was set up.
type question struct {
	labelled
	pos legal.Position
}

// positions sets the boards up; one that no game can reach is set up as standing (legal.Setup.Standing).
func positions(t testing.TB, list []labelled) (out []question) {
	t.Helper()
	for _, l := range list {
		setup, err := legal.ParseFEN(l.fen)
		if err != nil {
			t.Fatal(err)
		}
		pos, err := setup.Position()
		if err != nil {
			pos, err = setup.Standing()
		}
		if err != nil {
			t.Fatalf("%s: %v", l.fen, err)
		}
		out = append(out, question{l, pos})
	}
	return out
}

func limitOf() int {
	if n, err := strconv.Atoi(os.Getenv("LIMIT")); err == nil {
		return n
	}
	return DefaultLimit
}

func TestCorpus(t *testing.T) {
	for _, name := range []string{"lichess.txt", "positions.txt"} {
		t.Run(name, func(t *testing.T) {
			var never, possible, unknownCan, unknownNot, wrong, refused int
			var times []time.Duration
			plies := 0
			for _, q := range corpus(t, name) {
				setup, err := legal.ParseFEN(q.fen)
				if err != nil {
					refused++
					continue
				}
				p, err := setup.Position()
				if err != nil {
					p, err = setup.Standing()
					if err != nil {
						t.Log(q.fen, err)
						refused++
						continue
					}
				}
				start := time.Now()
				v, line := CanMate(&p, q.side, limitOf())
				times = append(times, time.Since(start))
				switch {
				case v == Unknown && q.can:
					unknownCan++
				case v == Unknown:
					unknownNot++
				case v == Never && q.can, v == Possible && !q.can:
					wrong++
					t.Errorf("wrong: %v %v %v", q.fen, q.side, v)
				case v == Never:
					never++
				default:
					possible++
					plies += len(line)
				}
				if v == Unknown && testing.Verbose() && os.Getenv("SHOW") != "" {
					t.Log("unknown", q.fen, q.side, q.can)
				}
			}
			sort.Slice(times, func(i, j int) bool { return times[i] < times[j] })
			var sum time.Duration
			for _, d := range times {
				sum += d
			}
			n := len(times)
			t.Logf("%d questions: never %d possible %d unknown(can) %d unknown(cannot) %d wrong %d refused %d; mean %v p50 %v p90 %v p99 %v max %v; plies %d", n, never, possible, unknownCan, unknownNot, wrong, refused,
				sum/time.Duration(n), times[n/2], times[n*9/10], times[n*99/100], times[n-1], plies/max(possible, 1))
		})
	}
}
