package live_test

import (
	"fmt"
	"testing"

	"boardwatchd/internal/live"
	"boardwatchd/internal/record"
	"boardwatchd/internal/watch"
)

// TestAClockThatIsSetOtherwise: a wrong clock is reported before the first move, after the pieces have been ready for a
// while or when it is started. A clock that is right, is being set, still shows the last game, or was set by an arbiter
// later is not reported.
func TestAClockThatIsSetOtherwise(t *testing.T) {
	const (
		array = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
		e4    = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR"
		lone  = "4k3/8/8/8/8/8/8/4K3"
	)
	type step = func(*live.Board)
	at := func(s int64, placement string, white, black int, running string) step {
		return func(b *live.Board) {
			b.Seen(watch.View{At: s * 1e6, Link: "up", Playing: true, Placement: placement, Clock: watch.ClockView{
				Known: true, White: white, Black: black, Running: running, Read: true, Left: black, Right: white, Runs: running != "", At: s * 1e6}}, nil)
		}
	}
	sideless := func(s int64, left, right int, runs bool) step {
		return func(b *live.Board) {
			b.Seen(watch.View{At: s * 1e6, Link: "up", Placement: array, Clock: watch.ClockView{Read: true, Left: left, Right: right, Runs: runs, At: s * 1e6}}, nil)
		}
	}
	game := func(n int) step {
		return func(b *live.Board) { say(b, `{"type":"game","t":1,"game":%d,"fen":"%s w KQkq - 0 1"}`, n, array) }
	}
	moved := func(b *live.Board) {
		say(b, `{"type":"move","t":1,"game":1,"ply":1,"side":"white","uci":"e2e4","san":"e4"}`)
	}
	lost := func(sec int64) step {
		return func(b *live.Board) { b.Seen(watch.View{At: sec * 1e6, Link: "down"}, nil) }
	}
	plies := func(n int) step {
		return func(b *live.Board) {
			for ply := 1; ply <= n; ply++ {
				say(b, `{"type":"move","t":1,"game":1,"ply":%d,"side":"white","uci":"e2e4","san":"e4"}`, ply)
			}
		}
	}
	result := func(b *live.Board) { say(b, `{"type":"result","t":1,"game":1,"result":"1-0","state":"proposed"}`) }
	again := open("2", "5400000000", "30000000")
	const right, short, nothing = 5400, 900, ""
	for name, tt := range map[string]struct {
		steps []step
		want  string
	}{
		"right":                                {[]step{at(1, array, right, right, ""), at(60, array, right, right, "")}, nothing},
		"right, with the first increment":      {[]step{at(1, array, right+30, right+30, ""), at(60, array, right+30, right+30, "")}, nothing},
		"last month's":                         {[]step{at(1, array, short, short, ""), at(21, array, short, short, "")}, "the clock is set to 0:15:00, the round has 1:30:00"},
		"one side only":                        {[]step{at(1, array, right, short, ""), at(21, array, right, short, "")}, "the clock is set to 1:30:00 / 0:15:00, the round has 1:30:00"},
		"sides not known":                      {[]step{sideless(1, short, short, false), sideless(21, short, short, false)}, "the clock is set to 0:15:00, the round has 1:30:00"},
		"sides not known, right":               {[]step{sideless(1, right, right+30, false), sideless(90, right, right+30, false)}, nothing},
		"sides not known, one of them":         {[]step{sideless(1, right, short, false), sideless(21, right, short, false)}, "the clock is set to 1:30:00 on its left and 0:15:00 on its right, the round has 1:30:00"},
		"sides not known, started":             {[]step{sideless(1, short, short, false), sideless(3, short-1, short, true)}, "the clock is set to 0:15:00, the round has 1:30:00"},
		"sides known when it is started":       {[]step{sideless(1, short, right, false), at(3, array, right-1, short, "white")}, "the clock is set to 1:30:00 / 0:15:00, the round has 1:30:00"},
		"somebody may be setting it":           {[]step{at(1, array, short, short, ""), at(20, array, short, short, "")}, nothing},
		"it is being set":                      {[]step{at(1, array, short, short, ""), at(19, array, 1000, short, ""), at(30, array, 2000, short, "")}, nothing},
		"set right afterwards":                 {[]step{at(1, array, short, short, ""), at(30, array, short, short, ""), at(31, array, right, right, "")}, nothing},
		"the pieces do not stand ready":        {[]step{at(1, lone, short, short, ""), at(60, lone, short, short, "")}, nothing},
		"started at once":                      {[]step{at(1, array, short, short, ""), at(3, array, short-1, short, "white")}, "the clock is set to 0:15:00, the round has 1:30:00"},
		"started, stopped and set right":       {[]step{at(1, array, short, short, ""), at(3, array, short-1, short, "white"), at(9, array, right, right, "")}, nothing},
		"found running":                        {[]step{at(1, array, 4000, right, "white"), at(60, array, 3940, right, "white")}, nothing},
		"a penalty for being late":             {[]step{at(1, array, right, right, ""), at(3, array, right-1, right, "white"), at(9, array, 2700, right, ""), at(60, array, 2700, right, "")}, nothing},
		"after the first move":                 {[]step{at(1, array, right, right, ""), game(1), at(3, e4, right, right, "black"), moved, at(9, e4, 600, 600, ""), at(60, e4, 600, 600, "")}, nothing},
		"until ten moves are made":             {[]step{at(1, array, short, short, ""), game(1), at(30, array, short, short, "white"), at(31, e4, short, short, "black"), plies(19), at(900, e4, short, short, "black")}, "the clock is set to 0:15:00, the round has 1:30:00"},
		"and not any more":                     {[]step{at(1, array, short, short, ""), game(1), at(30, array, short, short, "white"), at(31, e4, short, short, "black"), plies(20), at(90, e4, short, short, "black")}, nothing},
		"stopped in the game":                  {[]step{at(1, array, short, short, ""), game(1), at(30, array, short, short, "white"), at(31, e4, short, short, "black"), moved, at(40, e4, short, short, ""), at(41, e4, short, short, "")}, "the clock is set to 0:15:00, the round has 1:30:00"},
		"not heard, and on by itself":          {[]step{at(1, array, short, short, ""), game(1), at(30, array, short, short, "white"), at(31, e4, short, short, "black"), moved, at(40, e4, short, short, ""), lost(41), at(60, e4, short-9, short, "")}, "the clock is set to 0:15:00, the round has 1:30:00"},
		"stopped and set":                      {[]step{at(1, array, short, short, ""), game(1), at(30, array, short, short, "white"), at(31, e4, short, short, "black"), moved, at(40, e4, short, short, ""), at(60, e4, right, short, "")}, nothing},
		"what the last game has left":          {[]step{game(1), moved, at(3, e4, 61, 44, "white"), at(4, e4, 61, 44, ""), result, game(2), at(9, array, 61, 44, ""), at(90, array, 61, 44, "")}, nothing},
		"the last game's in the next round":    {[]step{game(1), moved, at(3, e4, 61, 44, "white"), at(4, e4, 61, 44, ""), result, again, at(9, array, 61, 44, ""), at(90, array, 61, 44, "")}, nothing},
		"the last game's, started":             {[]step{game(1), moved, at(3, e4, 61, 44, "white"), at(4, e4, 61, 44, ""), result, game(2), at(9, array, 61, 44, ""), at(90, array, 60, 44, "white")}, "the clock is set to 0:01:01 / 0:00:44, the round has 1:30:00"},
		"set wrong after the last game":        {[]step{game(1), moved, at(3, e4, 61, 44, "white"), at(4, e4, 61, 44, ""), result, game(2), at(9, array, short, short, ""), at(90, array, short, short, "")}, "the clock is set to 0:15:00, the round has 1:30:00"},
		"set before the round is begun":        {[]step{at(100, array, short, short, ""), at(116, array, short, short, ""), again, at(2, array, short, short, ""), at(22, array, short, short, "")}, "the clock is set to 0:15:00, the round has 1:30:00"},
		"reported, and the round is corrected": {[]step{at(100, array, short, short, ""), at(130, array, short, short, ""), again, at(2, array, short, short, ""), at(22, array, short, short, "")}, "the clock is set to 0:15:00, the round has 1:30:00"},
		"a round of another time control":      {[]step{at(1, array, short, short, ""), open("2", "900000000", "0"), at(30, array, short, short, ""), at(90, array, short, short, "")}, nothing},
		"a round whose time control is no one": {[]step{open("2", "0", "0"), at(30, array, short, short, ""), at(90, array, short, short, "")}, nothing},
	} {
		t.Run(name, func(t *testing.T) {
			bs := live.New(live.Options{})
			b := bs.Add("1", live.Info{Journal: "1-r1"})
			open("1", "5400000000", "30000000")(b)
			for _, s := range tt.steps {
				s(b)
			}
			s := summary(t, bs)
			got := ""
			if s.HealthWhat == "clock_set" {
				got = s.HealthDetail
			}
			if got != tt.want {
				t.Errorf("told is %q, want %q (%s)", got, tt.want, s.HealthWhat)
			}
		})
	}
}

// open is the opening record of a round.
func open(round, base, increment string) func(*live.Board) {
	config := fmt.Sprintf(`{"round":%q,"time_control":[{"moves":0,"base":%s,"increment":%s,"delay":0}]}`, round, base, increment)
	return func(b *live.Board) {
		b.Recovered(record.Record{Seq: 1, Kind: record.Open, Body: watch.Opening{Format: watch.Format, Journal: "1-r" + round, Config: []byte(config)}.Body()})
		b.Ready()
		b.Seen(watch.View{At: 1, Link: "up"}, nil)
	}
}
