package populations

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"testing"

	"boardwatchd/detector/hands"
)

// belief counts the results about the scans of many boards.
type belief struct {
	boards, wrong int
	first         []int   // number of moves until acceptance, for the accepted ones
	off           []int64 // error of the period then, µs
}

// watch plays a game and checks the scan after each move.
func (b *belief) watch(o GameOptions) (wrong string) {
	b.boards++
	var scan hands.Scan
	for _, p := range Play(o).Plies {
		if !p.Handling.Teach(&scan, nil) {
			continue
		}
		s := scan.Sensor()
		if !s.Trusted() {
			continue
		}
		off := max(s.PeriodUS-o.Board.PeriodUS, o.Board.PeriodUS-s.PeriodUS)
		b.first, b.off = append(b.first, s.Moves), append(b.off, off)
		if s.Order != o.Board.Order || off*20 > o.Board.PeriodUS {
			b.wrong++
			return fmt.Sprintf("seed %d: %+v", o.Seed, s)
		}
		return ""
	}
	return ""
}

// by returns the share accepted after that number of moves, in per cent.
func (b *belief) by(moves int) int {
	n := 0
	for _, f := range b.first {
		if f <= moves {
			n++
		}
	}
	return 100 * n / b.boards
}

// TestAScanIsBelievedSoonAndRightly: the number of moves needed, and the error of the period when it is first accepted.
//
//	HANDS_BOARDS=200 go test ./internal/research/populations -run BelievedSoon -v     (the figures of docs/hands.md)
func TestAScanIsBelievedSoonAndRightly(t *testing.T) {
	boards := 6
	if n, err := strconv.Atoi(os.Getenv("HANDS_BOARDS")); err == nil {
		boards = n
	}
	for _, c := range []struct{ scan, by, share int64 }{
		{50, 60, 60}, {75, 40, 60}, {100, 24, 60}, {150, 16, 80}, {225, 12, 80}, {250, 12, 80}, {290, 12, 80}, {450, 12, 80},
	} {
		var b belief
		for _, family := range []Family{Jerk, TwoPhase} {
			for _, pace := range []Pace{Blitz, Classical} {
				for seed := range uint64(boards) {
					base, bonus := control(pace)
					board := Board{PeriodUS: c.scan * 1000, Order: hands.Raster + hands.Order(seed%4)}
					o := GameOptions{Options: Options{Seed: 7000 + seed, Family: family, Pace: pace, Board: board}, BaseSec: base, BonusSec: bonus}
					if wrong := b.watch(o); wrong != "" {
						t.Errorf("%v ms: %s", c.scan, wrong)
					}
				}
			}
		}
		if got := b.by(int(c.by)); got < int(c.share) {
			t.Errorf("%v ms: %d %% are believed after %d moves", c.scan, got, c.by)
		}
		line := fmt.Sprintf("%3d ms, %d boards: believed after", c.scan, b.boards)
		for _, n := range []int{8, 10, 12, 16, 20, 35, 50, 120} {
			line += fmt.Sprintf(" %d: %d %%,", n, b.by(n))
		}
		if slices.Sort(b.off); len(b.off) > 0 {
			line += fmt.Sprintf(" period off by %d µs in the middle, %d at most", b.off[len(b.off)/2], b.off[len(b.off)-1])
		}
		t.Log(line)
	}
}
