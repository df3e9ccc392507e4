package live_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"boardwatchd/internal/live"
	"boardwatchd/internal/record"
	"boardwatchd/internal/watch"
	"boardwatchd/rules/words"
)

func TestHealth(t *testing.T) {
	up := watch.View{At: 1e6, Link: "up"}
	seen := func(v watch.View) func(*live.Board) { return func(b *live.Board) { b.Seen(v, nil) } }
	word := func(t float64, what string) func(*live.Board) {
		return func(b *live.Board) { say(b, `{"type":"health","t":%v,"what":%q,"detail":"d"}`, t, what) }
	}
	later := func(at int64) func(*live.Board) { return seen(watch.View{At: at, Link: "up"}) }
	low := func(t float64, key string) func(*live.Board) {
		return func(b *live.Board) { say(b, `{"type":"health","t":%v,"what":"battery_low","say":[%q]}`, t, key) }
	}
	reading := func(at int64, low bool) func(*live.Board) {
		return seen(watch.View{At: at, Link: "up", Clock: watch.ClockView{Read: true, Low: low, At: at}})
	}
	const clocks, boards = "row.clock_battery", "row.board_battery"
	tests := map[string]struct {
		steps []func(*live.Board)
		want  string
	}{
		"never connected":                 {nil, "warn not_connected unknown"},
		"connected":                       {[]func(*live.Board){seen(up)}, "ok  up"},
		"lost":                            {[]func(*live.Board){seen(watch.View{Link: "down"}), word(1, "link_down")}, "bad link_down down"},
		"lost and there again":            {[]func(*live.Board){word(1, "link_down"), seen(up), word(2, "link_up")}, "ok  up"},
		"after a restart, not yet there":  {[]func(*live.Board){seen(watch.View{Link: "down"}), word(1, "gap")}, "bad gap down"},
		"silent":                          {[]func(*live.Board){seen(watch.View{Link: "silent"}), word(1, "no_answer")}, "bad no_answer silent"},
		"silent, and no word of it":       {[]func(*live.Board){seen(watch.View{Link: "silent"})}, "bad no_answer silent"},
		"another board":                   {[]func(*live.Board){seen(watch.View{Link: "wrong_board"}), word(1, "wrong_board")}, "bad wrong_board wrong_board"},
		"not identified":                  {[]func(*live.Board){seen(watch.View{Link: "wrong_board"}), word(1, "not_identified")}, "bad not_identified silent"},
		"the words alone":                 {[]func(*live.Board){word(1, "link_up"), word(2, "no_answer")}, "bad no_answer silent"},
		"the words alone, healed":         {[]func(*live.Board){word(1, "no_answer"), word(2, "answering")}, "ok  up"},
		"the disk":                        {[]func(*live.Board){seen(up), func(b *live.Board) { b.Degraded("disk full", "pi") }}, "bad journal_degraded up"},
		"the disk, healed":                {[]func(*live.Board){seen(up), func(b *live.Board) { b.Degraded("disk full", "pi"); b.Degraded("", "pi") }}, "ok  up"},
		"answers that come late":          {[]func(*live.Board){seen(watch.View{At: 1e6, Link: "up", SlowUS: 2_400_000})}, "warn slow_answers up"},
		"answers in time again":           {[]func(*live.Board){seen(watch.View{At: 1e6, Link: "up", SlowUS: 2_400_000}), later(2e6)}, "ok  up"},
		"noise just now":                  {[]func(*live.Board){word(1, "noise"), later(60e6)}, "warn noise up"},
		"noise a minute ago":              {[]func(*live.Board){word(1, "noise"), later(61e6)}, "ok  up"},
		"garbage":                         {[]func(*live.Board){word(1, "flood"), later(500e6)}, "warn flood up"},
		"garbage, over":                   {[]func(*live.Board){word(1, "flood"), word(2, "flood_over"), seen(up)}, "ok  up"},
		"garbage, and no answer":          {[]func(*live.Board){word(1, "flood"), word(2, "no_answer"), seen(watch.View{At: 3e6, Link: "silent"})}, "bad flood silent"},
		"lost updates":                    {[]func(*live.Board){word(1, "updates_lost"), seen(up)}, "warn updates_lost up"},
		"no clock":                        {[]func(*live.Board){word(1, "clock_missing"), later(500e6)}, "warn clock_missing up"},
		"no clock, and a reading":         {[]func(*live.Board){word(1, "clock_missing"), seen(watch.View{At: 2e6, Link: "up", Clock: watch.ClockView{Read: true, At: 2e6}})}, "ok  up"},
		"battery":                         {[]func(*live.Board){word(1, "battery_low"), later(500e6)}, "warn battery_low up"},
		"battery, connected again":        {[]func(*live.Board){word(1, "battery_low"), word(2, "link_up"), seen(up)}, "ok  up"},
		"the clock's battery":             {[]func(*live.Board){low(1, clocks), reading(1e6, true), reading(500e6, true)}, "warn battery_low up"},
		"the clock's battery, changed":    {[]func(*live.Board){low(1, clocks), reading(1e6, true), reading(2e6, false)}, "ok  up"},
		"the clock's battery, low again":  {[]func(*live.Board){low(1, clocks), reading(2e6, false), reading(3e6, true)}, "warn battery_low up"},
		"the board's battery":             {[]func(*live.Board){low(1, boards), reading(2e6, false)}, "warn battery_low up"},
		"unexplained":                     {[]func(*live.Board){word(1, "board_mismatch"), later(500e6)}, "warn board_mismatch up"},
		"unexplained, explained":          {[]func(*live.Board){word(1, "board_disturbed"), word(2, "board_explained"), seen(up)}, "ok  up"},
		"a remark":                        {[]func(*live.Board){word(1, "board_identified"), word(1, "lever_bounced"), seen(up)}, "ok  up"},
		"the worse one is shown":          {[]func(*live.Board){word(1, "noise"), word(1, "clock_missing"), seen(up)}, "warn clock_missing up"},
		"the link is worse than the disk": {[]func(*live.Board){seen(watch.View{Link: "down"}), func(b *live.Board) { b.Degraded("x", "pi") }}, "bad link_down down"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			bs := live.New(live.Options{})
			b := bs.Add("1", live.Info{})
			for _, step := range tt.steps {
				step(b)
			}
			s := summary(t, bs)
			if got := fmt.Sprintf("%s %s %s", s.Health, s.HealthWhat, s.Link); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
			bs.Remove("1")
			if s := summary(t, bs); s.Watching || s.Health != live.Bad || s.HealthWhat != "not_watched" {
				t.Errorf("after the end: %+v", s)
			}
		})
	}
}

func TestHealthKeepsTheLastTwentyRemarks(t *testing.T) {
	bs := live.New(live.Options{})
	b := bs.Add("1", live.Info{})
	for i := range 30 {
		say(b, `{"type":"health","what":"noise","detail":"%d"}`, i)
	}
	s, _ := bs.State("1")
	if len(s.Health) != 20 || !strings.Contains(string(s.Health[0]), `"10"`) {
		t.Errorf("%d remarks, the first %s", len(s.Health), s.Health[0])
	}
}

// Words in a form that this program cannot read hide nothing: a remark has its detail, a finding waits for a person.
func TestWordsThatCannotBeRead(t *testing.T) {
	bs := live.New(live.Options{})
	b := bs.Add("12", live.Info{Journal: "12-r1"})
	b.Seen(watch.View{At: 1e6, Link: "down"}, nil)
	say(b, `{"type":"health","t":1,"what":"link_down","detail":"d","say":{"new":1}}`)
	say(b, `{"type":"finding","seq":2,"t":1,"id":"2:illegal.knight","kind":"illegal.knight","state":"confirmed","alert":"now","say":7}`)
	if s := summary(t, bs); s.HealthDetail != "d" || s.HealthSay != nil || s.Open != 1 {
		t.Errorf("%+v", s)
	}
}

// A follower hears nothing of the states that a board had while its journal is read, and its end.
func TestAJournalThatIsReadIsShownAtItsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bs := live.New(live.Options{})
		b := bs.Add("12", live.Info{Journal: "12-r1"})
		f := bs.Follow("")
		defer f.Close()
		for n := int64(1); n < 100; n++ {
			b.Recovered(record.Record{Seq: record.Seq(n), At: n * 1e6, Kind: record.Wake})
			b.Seen(watch.View{At: n * 1e6, Link: "up", Game: int(n), Held: n%2 == 1}, nil)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if batch, err := f.Next(ctx); err == nil {
			t.Fatalf("while it is read: %s", batch[0].Data)
		}
		b.Ready()
		if batch := next(t, f); len(batch) != 1 || !strings.Contains(string(batch[0].Data), `"paused":true`) {
			t.Errorf("%d events", len(batch))
		}
	})
}

// A disk that takes nothing is shown with what to do against its error, on the computer that it is in.
func TestADiskThatTakesNothingHasItsRemedy(t *testing.T) {
	boards := live.New(live.Options{})
	b := boards.Add("7", live.Info{Journal: "7-r1"})
	b.Ready()
	b.Seen(watch.View{Link: "up"}, nil)
	b.Degraded("write 7-r1.bwj: no space left on device", "table-1")
	s, _ := boards.One("7")
	if s.HealthWhat != "journal_degraded" || s.HealthDo == nil || !s.HealthDo.Equal(words.Say("hall.journal_degraded.do", "table-1")) {
		t.Errorf("%+v, do %+v", s, s.HealthDo)
	}
	b.Degraded("write 7-r1.bwj: no space left on device", "table-1") // a hall hears it with each beat
	if again, _ := boards.One("7"); again.HealthDo != s.HealthDo {
		t.Error("what was so already counts as news")
	}
	b.Degraded("", "table-1")
	if s, _ = boards.One("7"); s.HealthDo != nil || s.Journal != "ok" {
		t.Errorf("the disk takes it again: %+v", s)
	}
}

// A board of which a hall has not all shows that before anything else, also where nothing of it was ever read, until
// the hall has all.
func TestABoardThatStandsStillInAHall(t *testing.T) {
	since := time.Date(2026, 11, 29, 12, 30, 0, 0, time.Local)
	boards := live.New(live.Options{})
	boards.SetStalled("8", since, "table-8")
	b := boards.Add("7", live.Info{Journal: "7-r1"})
	boards.SetStalled("7", since, "table-7")
	boards.Add("7", live.Info{Journal: "7-r1"}) // it is read anew
	b.Seen(watch.View{Link: "down"}, nil)
	for name, computer := range map[string]string{"7": "table-7", "8": "table-8"} {
		s, _ := boards.One(name)
		if s.Health != live.Bad || s.HealthWhat != live.MirrorStalled || !strings.Contains(s.HealthDetail, "12:30") || !s.HealthDo.Equal(words.Say("hall.stands_still.do", computer)) {
			t.Errorf("%+v, do %+v", s, s.HealthDo)
		}
	}
	if f := boards.Facts(); len(f) != 2 || len(f[1].Remarks) != 1 {
		t.Errorf("%+v", f)
	}
	boards.SetStalled("7", time.Time{}, "table-7")
	if s, _ := boards.One("7"); s.HealthWhat != "link_down" {
		t.Errorf("over, it is %+v", s)
	}
}
