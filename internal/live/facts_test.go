package live_test

import (
	"fmt"
	"testing"
	"time"

	"boardwatchd/internal/live"
	"boardwatchd/internal/watch"
)

// Facts have everything that lowers the health of a board, not the first of it alone, and what is known of clock and
// batteries.
func TestFacts(t *testing.T) {
	bs := live.New(live.Options{})
	clock := watch.View{At: 2e6, Link: "up", Serial: "02718", LateUS: 3, Clock: watch.ClockView{Read: true, At: 1e6}}
	for name, do := range map[string]func(b *live.Board){
		"fine":   func(b *live.Board) { b.Seen(clock, nil) },
		"unseen": func(*live.Board) {},
		"missing": func(b *live.Board) {
			say(b, `{"type":"health","t":1,"what":"clock_missing"}`)
			b.Seen(watch.View{At: 2e6, Link: "up"}, nil)
		},
		"low clock": func(b *live.Board) {
			say(b, `{"type":"health","t":1,"what":"battery_low","say":["row.clock_battery"]}`)
			say(b, `{"type":"health","t":2,"what":"noise"}`)
			b.Seen(clock, nil)
		},
		"low board": func(b *live.Board) {
			say(b, `{"type":"health","t":1,"what":"battery_low","say":["row.board_battery","9"]}`)
			b.Seen(clock, nil)
		},
		"away": func(b *live.Board) {
			say(b, `{"type":"health","t":1,"what":"battery_low","say":["row.clock_battery"]}`)
			b.Seen(clock, nil)
			bs.Away("away", true)
		},
	} {
		b := bs.Add(name, live.Info{})
		b.Ready()
		do(b)
	}
	got := map[string]string{}
	for _, f := range bs.Facts() {
		if late := f.LateUS > 0; late != (time.Since(f.LateAt) < time.Hour) {
			t.Errorf("%s stood still for %d µs, last at %v", f.Board, f.LateUS, f.LateAt)
		}
		what := ""
		for _, r := range f.Remarks {
			what += " " + string(r.Health) + ":" + r.What
		}
		got[f.Board] = fmt.Sprintf("%s %q late %d, low: clock %v board %v;%s", f.Reading, f.Serial, f.LateUS, f.ClockLow, f.BoardLow, what)
	}
	for name, want := range map[string]string{
		"fine":      `connected "02718" late 3, low: clock false board false;`,
		"unseen":    `unknown "" late 0, low: clock false board false; warn:not_connected`,
		"missing":   `missing "" late 0, low: clock false board false; warn:clock_missing`,
		"low clock": `connected "02718" late 3, low: clock true board false; warn:noise warn:battery_low`,
		"low board": `connected "02718" late 3, low: clock false board true; warn:battery_low`,
		"away":      `connected "02718" late 3, low: clock true board false; bad:not_watched`,
	} {
		if got[name] != want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got[name], want)
		}
	}
}
