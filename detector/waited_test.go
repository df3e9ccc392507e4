package detector

import (
	"boardwatchd/detector/evidence"
	"math/rand/v2"
	"testing"
)

// A table of readings, one a second, of which a side's display goes down.
func ticks(left, right int, n int) (list []*evidence.ClockReading) {
	for range n {
		list = append(list, &evidence.ClockReading{Left: left, Right: right, Running: true, Up: evidence.LeftSide})
		left--
	}
	return list
}

func TestWaited(t *testing.T) {
	still := evidence.Window{Lo: 100 * SecondUS, Hi: 110 * SecondUS}
	for _, c := range []struct {
		name     string
		readings []*evidence.ClockReading
		want     []evidence.Window
	}{
		{"nothing", nil, nil},
		{"no reading says when", []*evidence.ClockReading{nil, nil}, []evidence.Window{still, still}},
		{"the clock stands", []*evidence.ClockReading{{Left: 9}, nil, {Left: 9}}, []evidence.Window{still, still, still}},
		{"seconds are counted", ticks(50, 60, 9), []evidence.Window{
			{100 * SecondUS, 104_500_000}, {100 * SecondUS, 105_500_000}, {100 * SecondUS, 106_500_000}, {100_500_000, 107_500_000}, {101_500_000, 108_500_000},
			{102_500_000, 109_500_000}, {103_500_000, still.Hi}, {104_500_000, still.Hi}, {105_500_000, still.Hi},
		}},
		{"somebody has set the clock", append(ticks(5000, 60, 1), ticks(60, 60, 1)...), []evidence.Window{still, still}},
		{"the clock was unplugged", []*evidence.ClockReading{{Missing: true}, nil}, []evidence.Window{still, still}},
	} {
		got := Waited(still, c.readings)
		if len(got) != len(c.want) {
			t.Fatalf("%s: %d windows, want %d", c.name, len(got), len(c.want))
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("%s: window %d is %v, want %v", c.name, i, got[i], c.want[i])
			}
		}
	}
}

// A clock of two sides runs and is pressed at random, and shows whole seconds; its messages are late by up to a quarter
// of a second, and some of what waits are no readings. Every window holds the time at which its input arrived, and no
// window begins or ends before the one before it.
func TestWaitedHoldsTheTruth(t *testing.T) {
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 3))
		left := [2]int64{r.Int64N(300*SecondUS) + 100*SecondUS, r.Int64N(300*SecondUS) + 100*SecondUS} // µs that each side has
		bonus := r.Int64N(3) * SecondUS
		run := r.IntN(2)
		still := evidence.Window{Lo: 50 * SecondUS}
		still.Hi = still.Lo + SecondUS + r.Int64N(40*SecondUS)
		var readings []*evidence.ClockReading
		var arrived []int64
		face := func() evidence.ClockReading {
			up := func(us int64) int { return int((us + SecondUS - 1) / SecondUS) }
			return evidence.ClockReading{Left: up(left[0]), Right: up(left[1]), Running: true, Up: evidence.LeftSide + evidence.ClockSide(run)}
		}
		last := face()
		pressAt := still.Lo + r.Int64N(4*SecondUS)
		const step = 10_000
		free := int64(0)
		for at := still.Lo; at+250_000 < still.Hi; at += step {
			left[run] -= step
			if at >= pressAt {
				left[run] += bonus
				run = 1 - run
				pressAt = at + 100_000 + r.Int64N(4*SecondUS)
			}
			if f := face(); f != last {
				last = f
				free = max(free, at+r.Int64N(250_000)) // in order
				readings, arrived = append(readings, &f), append(arrived, free)
			}
			if r.IntN(40) == 0 {
				free = max(free, at)
				readings, arrived = append(readings, nil), append(arrived, free)
			}
		}
		before := evidence.Window{}
		for i, w := range Waited(still, readings) {
			if arrived[i] < w.Lo || arrived[i] > w.Hi || w.Lo < before.Lo || w.Hi < before.Hi || w.Lo < still.Lo || w.Hi > still.Hi {
				t.Fatalf("seed %d: input %d arrived at %d, its window is %v, the one before %v, the standstill %v", seed, i, arrived[i], w, before, still)
			}
			before = w
		}
	}
}
