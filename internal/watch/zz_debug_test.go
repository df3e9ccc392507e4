package watch_test

import (
	"fmt"
	"os"
	"strconv"
	"testing"

	"boardwatchd/dgt"
	"boardwatchd/internal/emulator"
	"boardwatchd/internal/record"
	"boardwatchd/internal/show"
	"boardwatchd/internal/watch"
)

func TestDebugSeed(t *testing.T) {
	s := os.Getenv("DBG_SEED")
	if s == "" {
		t.Skip()
	}
	seed, _ := strconv.Atoi(s)
	ply, _ := strconv.Atoi(os.Getenv("DBG_PLY"))
	habits := map[string]*emulator.Habits{"as": &emulator.AsRecorded, "tidy": &emulator.Tidy, "restless": &emulator.Restless}[os.Getenv("DBG_H")]
	o := emulator.Options{Seed: uint64(seed), Count: 1, Habits: habits}
	debugTweak(&o)
	e, _ := emulator.New(o)
	r := newRig(watch.Live)
	type line struct {
		at int64
		s  string
	}
	var lines []line
	var dec dgt.Decoder
	n := 0
	note := func(at int64) {
		for ; n < len(r.lines); n++ {
			lines = append(lines, line{at, "      " + r.lines[n]})
		}
	}
	e.OnLink(func(at int64, up bool) {
		dec.Abort()
		if up {
			r.step(at, record.Up, watch.Annotation{Device: "emulated"}.Body())
		} else {
			r.step(at, record.Down, watch.Annotation{Cause: "unplugged"}.Body())
		}
	})
	emulator.Run(e, func(at int64, rx []byte) ([]byte, int64) {
		dec.Feed(rx)
		for f, ok := dec.Next(); ok; f, ok = dec.Next() {
			lines = append(lines, line{at, f.ID.String() + " " + show.Frame(f)})
		}
		tx, w := r.host(at, rx)
		note(at)
		return tx, w
	}, 12_000_000, 1<<50)
	truth := e.Truth()
	for _, w := range compare(r, truth) {
		fmt.Println(w)
	}
	g := truth.Games[0]
	lo, hi := g.Moves[max(0, ply-2)].LiftAt-3_000_000, g.Moves[min(len(g.Moves)-1, ply+2)].PlacedAt+3_000_000
	for _, m := range g.Moves[max(0, ply-2):min(len(g.Moves), ply+3)] {
		fmt.Printf("truth ply %d %s lift %d placed %d press %d extra %b\n", m.Ply, m.UCI, m.LiftAt, m.PlacedAt, m.PressAt, m.Extra)
	}
	for _, l := range lines {
		if l.at >= lo && l.at <= hi {
			fmt.Println(l.at, l.s)
		}
	}
}

func debugTweak(o *emulator.Options) {
	switch os.Getenv("DBG_T") {
	case "lost":
		o.Generator.MinPlies = 60
		o.Faults.LoseField = 20_000
	case "none":
		o.Clock.Lag = emulator.LagNone
	}
}
