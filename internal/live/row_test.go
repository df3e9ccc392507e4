package live_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"boardwatchd/internal/live"
	"boardwatchd/internal/watch"
)

func TestARowLeavesOutWhatIsUsual(t *testing.T) {
	s := live.Summary{
		Board: "17", Watching: true, Health: live.Good, Link: "up", Journal: "ok", Game: 1, Ply: 3, Last: "Nf3", FEN: "x", Placement: "x",
		Clock: &live.Clock{White: 5400, Black: 5399, Running: "white", Age: 1.234567}, Rate: 1, T: 12.5, WallMS: 1e12,
	}
	if got, want := rowText(t, &s), `{"board":"17","game":1,"ply":3,"last":"Nf3","clock":{"white":5400,"black":5399,"running":"white","age":1.2}}`; got != want {
		t.Errorf("a row is\n%s, want\n%s", got, want)
	}
	s = live.Summary{Board: "17", Health: live.Bad, HealthWhat: "link_down", Link: "down", Journal: "degraded", Rate: 4, T: 12.5, WallMS: 1e12}
	if got, want := rowText(t, &s), `{"board":"17","watching":false,"health":"bad","health_what":"link_down","link":"down","journal":"degraded","t":12.5,"wall_ms":1000000000000,"rate":4}`; got != want {
		t.Errorf("a row is\n%s, want\n%s", got, want)
	}
}

func rowText(t *testing.T, s *live.Summary) string {
	t.Helper()
	b, err := json.Marshal(s.Row())
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestAFollowerOfRows(t *testing.T) {
	now := time.UnixMilli(1e12)
	bs := live.New(live.Options{Wall: func() time.Time { return now }})
	boards := map[string]*live.Board{}
	for _, name := range []string{"1", "2", "3"} {
		boards[name] = bs.Add(name, live.Info{Journal: "j"})
		boards[name].Ready()
	}
	for _, at := range []int64{5e5, 1e6} { // it is watched from the second on
		now = now.Add(500 * time.Millisecond)
		for _, b := range boards {
			b.Seen(watch.View{At: at}, nil)
		}
	}
	f := bs.Follow("")
	defer f.Close()
	f.Rows("2", map[string]bool{"3": true})
	lifted := watch.View{At: 15e5, Placement: "8/8/8/8/8/8/8/8"}
	now = now.Add(500 * time.Millisecond)
	for _, b := range boards {
		b.Seen(lifted, nil) // only the board that is open shows it
	}
	names := func() (got string) {
		batch, err := f.Next(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range batch {
			got += e.Board + ":" + map[bool]string{true: "summary", false: "row"}[strings.Contains(string(e.Data), "placement")] + " "
		}
		return got
	}
	if got := names(); got != "2:summary " {
		t.Errorf("after a lift: %s", got)
	}
	now = now.Add(time.Second)
	for _, b := range boards {
		v := lifted
		v.At, v.Held = 25e5, true
		b.Seen(v, nil)
	}
	if got := names(); got != "1:row 2:summary " {
		t.Errorf("after a change that a list shows: %s", got)
	}
}
