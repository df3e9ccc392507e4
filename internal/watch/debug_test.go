package watch_test

import (
	"os"
	"strconv"
	"testing"

	"boardwatchd/dgt"
	"boardwatchd/internal/emulator"
	"boardwatchd/internal/players"
	"boardwatchd/internal/show"
	"boardwatchd/internal/watch"
)

// TestShowSeed is not a test but a tool for a seed that another test names: it plays that seed again and prints the
// actual actions, the board's messages and the machine's output, from two plies before the given one to two after it.
//
//	BOARDWATCHD_SHOW=60 BOARDWATCHD_PLY=47 BOARDWATCHD_AS='no clock' go test ./internal/watch -run ShowSeed -v
//
// BOARDWATCHD_GAME is the number of the game if there are several. BOARDWATCHD_AS is the name of a row of the tests
// here: of a circumstance, of a fault, or of a set of habits.
func TestShowSeed(t *testing.T) {
	seed, err := strconv.ParseUint(os.Getenv("BOARDWATCHD_SHOW"), 10, 64)
	if err != nil {
		t.Skip("set BOARDWATCHD_SHOW to a seed")
	}
	ply, _ := strconv.Atoi(os.Getenv("BOARDWATCHD_PLY"))
	o := players.Options{Seed: seed, Count: 1, Habits: &players.Restless}
	switch as := os.Getenv("BOARDWATCHD_AS"); as {
	case "as recorded":
		o.Habits = &players.AsRecorded
	case "tidy":
		o.Habits = &players.Tidy
	default:
		for _, c := range circumstances {
			if c.name == as {
				c.tweak(seed, &o)
			}
		}
		for _, c := range faults {
			if c.name == as {
				o.Habits = nil
				o.Generator.MinPlies = faultPlies
				c.tweak(seed, &o)
			}
		}
	}
	showSeed(t, o, ply)
}

func showSeed(t *testing.T, o players.Options, ply int) {
	e, err := players.New(o)
	if err != nil {
		t.Fatal(err)
	}
	type line struct {
		at   int64
		text string
	}
	var lines []line
	var dec dgt.Decoder
	r := newRig(watch.Live)
	e.OnLink(func(at int64, up bool) {
		dec.Abort()
		lines = append(lines, line{at, "link up: " + strconv.FormatBool(up)})
		r.link(at, up)
	})
	told := 0
	emulator.Run(e.Emulator, func(at int64, rx []byte) ([]byte, int64) {
		dec.Feed(rx)
		for f, ok := dec.Next(); ok; f, ok = dec.Next() {
			lines = append(lines, line{at, f.ID.String() + " " + show.Frame(f)})
		}
		tx, wake := r.host(at, rx)
		for ; told < len(r.lines); told++ {
			lines = append(lines, line{at, "      " + r.lines[told]})
		}
		return tx, wake
	}, 12*second, 1<<50)
	truth := e.Truth()
	for _, w := range compare(r, truth) {
		t.Log(w)
	}
	game, _ := strconv.Atoi(os.Getenv("BOARDWATCHD_GAME"))
	moves := truth.Games[max(game-1, 0)].Moves
	first, last := min(max(0, ply-2), len(moves)-1), min(len(moves)-1, ply+2)
	for _, m := range moves[first : last+1] {
		t.Logf("truth: ply %d %s lifted %d placed %d pressed %d extra %b", m.Ply, m.UCI, m.LiftAt, m.PlacedAt, m.PressAt, m.Extra)
	}
	for _, l := range lines {
		if l.at >= moves[first].LiftAt-3*second && l.at <= moves[last].PlacedAt+3*second {
			t.Log(l.at, l.text)
		}
	}
}
