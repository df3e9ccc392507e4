package live_test

import (
	"testing"

	"boardwatchd/internal/live"
	"boardwatchd/internal/watch"
)

// TestMovesThatAreNotKnownStay: until somebody has entered them, the players went back before them, or the round ends;
// where the journal is of no round, until the next game.
func TestMovesThatAreNotKnownStay(t *testing.T) {
	const (
		begin   = `{"type":"game","seq":1,"t":0,"game":%d,"fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"}`
		filled  = `{"type":"health","seq":9,"t":21,"game":1,"what":"filled","detail":"","ply_from":1,"moves":[{"uci":"d2d4","san":"d4"},{"uci":"d7d5","san":"d5"},{"uci":"g1f3","san":"Nf3"}]}`
		back    = `{"type":"health","seq":9,"t":21,"game":1,"what":"filled","detail":"","ply_from":1,"moves":[]}`
		tooBack = `{"type":"takeback","seq":11,"t":23,"game":1,"ply":0}`
	)
	type step = func(*live.Board)
	said := func(object string, args ...any) step { return func(b *live.Board) { say(b, object, args...) } }
	span := func(b *live.Board) { b.Said([]byte(spanSaid(1))) }
	later := func(b *live.Board) { b.Seen(watch.View{At: 500e6, Link: "up"}, nil) }
	round := open("1", "0", "0")
	for name, tt := range map[string]struct {
		steps []step
		want  string
	}{
		"nobody entered them":            {[]step{said(begin, 1), span, later}, "not_known"},
		"entered":                        {[]step{said(begin, 1), span, said(filled), later}, ""},
		"entered, and taken back":        {[]step{said(begin, 1), span, said(filled), said(back), later}, "not_known"},
		"the players went back":          {[]step{said(begin, 1), span, said(tooBack), later}, ""},
		"another game":                   {[]step{said(begin, 1), span, said(begin, 2), later}, ""},
		"another game of a round":        {[]step{round, said(begin, 1), span, said(begin, 2), later}, "not_known"},
		"another game of it, entered":    {[]step{round, said(begin, 1), span, said(begin, 2), said(filled), later}, ""},
		"of another one, worse just now": {[]step{said(begin, 1), span, said(`{"type":"health","t":490,"what":"noise"}`), later}, "noise"},
	} {
		bs := live.New(live.Options{})
		b := bs.Add("1", live.Info{})
		for _, s := range tt.steps {
			s(b)
		}
		if s := summary(t, bs); s.HealthWhat != tt.want {
			t.Errorf("%s: told is %q, want %q", name, s.HealthWhat, tt.want)
		}
	}
}

// TestARestartIsNoFaultOfACable: squares that differ when the program is back were played meanwhile.
func TestARestartIsNoFaultOfACable(t *testing.T) {
	type step = func(*live.Board)
	word := func(at float64, what string) step {
		return func(b *live.Board) { say(b, `{"type":"health","t":%v,"what":%q,"detail":"d"}`, at, what) }
	}
	for name, tt := range map[string]struct {
		steps []step
		want  string
	}{
		"after a restart":               {[]step{word(1, "link_up"), word(5, "gap"), word(6, "link_up"), word(7, "updates_lost"), word(8, "updates_lost")}, ""},
		"long after a restart":          {[]step{word(5, "gap"), word(6, "link_up"), word(17, "updates_lost")}, "updates_lost"},
		"after a restart and a cable":   {[]step{word(5, "gap"), word(6, "link_up"), word(7, "link_down"), word(8, "link_up"), word(9, "updates_lost")}, ""},
		"after a cable":                 {[]step{word(5, "link_down"), word(6, "link_up"), word(7, "updates_lost")}, ""},
		"long after a cable":            {[]step{word(5, "link_down"), word(6, "link_up"), word(17, "updates_lost")}, "updates_lost"},
		"the program was never stopped": {[]step{word(6, "link_up"), word(20, "updates_lost")}, "updates_lost"},
	} {
		bs := live.New(live.Options{})
		b := bs.Add("1", live.Info{})
		for _, s := range tt.steps {
			s(b)
		}
		b.Seen(watch.View{At: 30e6, Link: "up"}, nil)
		s := summary(t, bs)
		if s.HealthWhat != tt.want {
			t.Errorf("%s: told is %q, want %q", name, s.HealthWhat, tt.want)
		}
		if state, _ := bs.State("1"); len(state.Health) != len(tt.steps) {
			t.Errorf("%s: the log has %d lines of %d", name, len(state.Health), len(tt.steps))
		}
	}
}
