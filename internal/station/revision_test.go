package station_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"boardwatchd/internal/journal"
	"boardwatchd/internal/live"
	"boardwatchd/internal/record"
	"boardwatchd/internal/recording"
	"boardwatchd/internal/replay"
	"boardwatchd/internal/station"
	"boardwatchd/internal/watch"
)

// These tests continue testdata/revision5.bwj.gz, a journal written by revision 5 of the core: four generated games on
// one board, 28 decisions about 18 findings, strikes and a result entered by a person. It ends in the fourth game. Its
// decisions hold for ever, whatever a later core finds.

// upgraded is a station that continues the journal, with the state shown on phones.
type upgraded struct {
	*old
	t       testing.TB
	dir     string
	hub     *live.Boards
	view    watch.View
	said    []string
	station *station.Station
}

func (o *old) upgrade(t testing.TB) *upgraded {
	t.Helper()
	u := &upgraded{old: o, t: t, dir: t.TempDir(), hub: live.New(live.Options{})}
	o.write(t, u.dir)
	u.open()
	return u
}

func (u *upgraded) open() {
	u.t.Helper()
	board := u.hub.Add("1", live.Info{Journal: "1"})
	start := time.Now()
	var err error
	u.station, err = station.Open(station.Options{
		Board: "1", Dir: u.dir, Journal: "1", Software: "test", Wall: time.Now, Log: zerolog.Nop(), Config: u.config,
		Mono:      func() int64 { return time.Since(start).Microseconds() },
		Recovered: board.Recovered, Entered: board.Entered,
		Seen: func(v watch.View, touches []watch.Touch) { u.view = v; board.Seen(v, touches) },
		Said: func(body []byte) { u.said = append(u.said, string(body)); board.Said(body) },
	})
	if err != nil {
		u.t.Fatal(err)
	}
}

// run runs the station while f acts as the board.
func (u *upgraded) run(f func()) {
	u.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- u.station.Run(ctx) }()
	f()
	cancel()
	if err := <-done; err != nil {
		u.t.Fatal(err)
	}
}

func (u *upgraded) decide(id, do string) {
	u.t.Helper()
	if err := u.station.Decide(u.t.Context(), watch.Decision{Finding: id, Decision: do, By: "device-1"}.Body()); err != nil {
		u.t.Fatal(err)
	}
}

// shown returns a finding as the phone shows it.
func (u *upgraded) shown(id string) (f lastSaid, it live.Item) {
	u.t.Helper()
	it, ok := u.hub.Finding("1", id)
	if !ok {
		u.t.Fatalf("%s is not shown", id)
	}
	_ = json.Unmarshal(it.Finding, &f)
	var r struct {
		After  map[string]int `json:"strikes_after"`
		Result string
	}
	_ = json.Unmarshal(it.Ruling, &r)
	f.strikes, f.result = r.After[f.Side], r.Result
	return f, it
}

// holds checks that all decisions are unchanged. Decisions that are made again follow the ledger of that time.
func (u *upgraded) holds(again bool) {
	u.t.Helper()
	if u.view.Strikes != strikesOld {
		u.t.Errorf("the ledger is %v, was %v", u.view.Strikes, strikesOld)
	}
	s, _ := u.hub.State("1")
	if s.Board.Strikes != (live.Sides{White: strikesOld[0], Black: strikesOld[1]}) {
		u.t.Errorf("the phone shows %+v", s.Board.Strikes)
	}
	for _, id := range u.order {
		was := u.findings[id]
		is, it := u.shown(id)
		var r struct{ Result string }
		_ = json.Unmarshal([]byte(was.ruling), &r)
		if is.Decided != was.Decided || is.State != was.State || !again && (is.Alert != was.Alert || is.strikes != was.strikes || is.result != r.Result) {
			u.t.Errorf("%s: shown %s\n%s\nwas %s\n%s", id, it.Finding, it.Ruling, was.finding, was.ruling)
		}
		if len(it.Decisions) == 0 || it.Waits && was.Decided != "later" && was.Decided != "" {
			u.t.Errorf("%s: %d decisions, waits %v", id, len(it.Decisions), it.Waits)
		}
	}
}

// verified compares a replay of the part after the journal of revision 5 with the recorded output, byte for byte.
func (u *upgraded) verified() {
	u.t.Helper()
	src, err := recording.Open(filepath.Join(u.dir, "1"+journal.Extension), nil)
	if err != nil {
		u.t.Fatal(err)
	}
	defer src.Close()
	last := u.records[len(u.records)-1].Seq
	var now, then []string
	if _, _, err := replay.Run(src, replay.Options{
		Effect: func(cause record.Record, e watch.Effect) {
			if cause.Seq > last && cause.Kind.Input() {
				now = append(now, e.Kind.String()+" "+string(e.Body))
			}
		},
		Recorded: func(r record.Record) {
			if r.Seq > last {
				then = append(then, r.Kind.String()+" "+string(r.Body))
			}
		},
	}); err != nil {
		u.t.Fatal(err)
	}
	if !slices.Equal(now, then) {
		u.t.Errorf("now:\n%s\nthen:\n%s", strings.Join(now, "\n"), strings.Join(then, "\n"))
	}
	if len(then) == 0 {
		u.t.Error("nothing was said after it")
	}
}

// ofGame returns the findings of the current game that have one of the decisions.
func (u *upgraded) ofGame(do ...string) (ids []string) {
	for _, id := range u.order {
		if f := u.findings[id]; f.Game == u.game && slices.Contains(do, f.Decided) {
			ids = append(ids, id)
		}
	}
	return ids
}

// goOn does everything that a phone can do: every decision of this game is taken back, and made again.
func (u *upgraded) goOn() {
	u.t.Helper()
	u.run(func() {
		for _, id := range u.ofGame("confirm", "reject") {
			was, before := u.findings[id], u.view.Strikes
			u.decide(id, "undo")
			if is, it := u.shown(id); is.Decided != "" || !it.Waits || is.State != "confirmed" {
				u.t.Errorf("%s taken back: %s", id, it.Finding)
			}
			if was.Decided == "confirm" && u.view.Strikes[0]+u.view.Strikes[1] != before[0]+before[1]-1 {
				u.t.Errorf("%s taken back: the ledger was %v, is %v", id, before, u.view.Strikes)
			}
			u.decide(id, was.Decided)
			if u.view.Strikes != before {
				u.t.Errorf("%s decided again: the ledger was %v, is %v", id, before, u.view.Strikes)
			}
		}
	})
}

// A decision that cannot count any more is refused and in no journal: about a finding of an earlier game, or another
// one after the players have signed.
func TestADecisionThatCannotCount(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		u := revision5(t).upgrade(t)
		refused := func(why, id string) {
			before := u.station.Durable()
			if err := u.station.Decide(t.Context(), watch.Decision{Finding: id, Decision: "undo"}.Body()); !errors.Is(err, station.ErrPast) {
				t.Errorf("%s, %s: %v", why, id, err)
			}
			if now := u.station.Durable(); now != before {
				t.Errorf("%s, %s: it is in the journal, %d, %d", why, id, before, now)
			}
		}
		u.run(func() {
			earlier := 0
			for _, id := range u.order {
				if u.findings[id].Game < u.game {
					earlier++
					refused("of an earlier game", id)
				}
			}
			if earlier == 0 {
				t.Error("no finding is of an earlier game")
			}
			u.decide(u.ofGame("confirm")[0], "accident")
			if err := u.station.Instruct(t.Context(), watch.Instruction{Do: watch.DoSign}.Body()); err != nil {
				t.Fatal(err)
			}
			refused("signed", u.ofGame("confirm")[0])
		})
	})
}

// alerts returns the alerts raised since the start that are not in the journal of revision 5.
func (u *upgraded) alerts() (list []string) {
	for _, body := range u.said {
		var v struct{ Type, ID, State, Alert, Decided string }
		if json.Unmarshal([]byte(body), &v) == nil && v.Type == "finding" && u.findings[v.ID] == nil && (v.Alert == "now" || v.Alert == "advise") {
			list = append(list, body)
		}
	}
	return list
}

func TestAJournalOfRevision5(t *testing.T) {
	o := revision5(t)
	decisions, kinds := 0, map[string]bool{}
	for _, r := range o.records {
		if r.Kind == record.Decide {
			var d watch.Decision
			_ = json.Unmarshal(r.Body, &d)
			decisions++
			kinds[d.Decision] = true
		}
	}
	if decisions < 20 || len(kinds) != 7 || o.game != 4 {
		t.Fatalf("%d decisions, %v, %d games", decisions, kinds, o.game)
	}
	ways := map[string]func(string) way{
		"as it is": func(string) way { return equal },
		"kinds":    func(string) way { return kind },
		"evidence": func(string) way { return earlier },
		"nothing":  func(string) way { return nothing },
	}
	for name, how := range ways {
		t.Run(name, func(t *testing.T) { hold(t, o.renamed(how), name != "nothing") })
	}
}

func TestARevisionThatFindsNothingAfterRevision5(t *testing.T) {
	o := revision5(t)
	for name, from := range map[string]record.Seq{"from the first game on": 300, "from the third game on": 1500, "after the beginning of the fourth game": 2300} {
		t.Run(name, func(t *testing.T) {
			hold(t, o.blind(from), false)
			var results []string
			n := o.blind(from)
			dir := t.TempDir()
			n.write(t, dir)
			src, err := recording.Open(filepath.Join(dir, "1"+journal.Extension), nil)
			if err != nil {
				t.Fatal(err)
			}
			defer src.Close()
			decided := map[string]string{}
			if _, _, err := replay.Run(src, replay.Options{Effect: func(_ record.Record, e watch.Effect) {
				var v struct{ Type, ID, Decided, Result, By string }
				_ = json.Unmarshal(e.Body, &v)
				switch {
				case v.Type == "finding":
					decided[v.ID] = v.Decided
				case v.Type == "result" && v.By == "arbiter":
					results = append(results, v.Result)
				}
			}}); err != nil {
				t.Fatal(err)
			}
			if !slices.Contains(results, "0-1") {
				t.Errorf("the result that was told is not in a replay: %v", results)
			}
			for _, id := range n.order {
				if decided[id] != n.findings[id].Decided {
					t.Errorf("%s: replayed as %q, was %q", id, decided[id], n.findings[id].Decided)
				}
			}
		})
	}
}

// The output of another revision may be nonsensical.
func TestWhateverAnotherRevisionSaid(t *testing.T) {
	o := revision5(t)
	words := []string{"null", `""`, "-1", "1e9", "7", "{}", "[]", `"white"`, `"black"`, `"confirm"`, `"illegal_move"`, `"8/8/8/8/8/8/8/8 w - - 0 1"`, "true"}
	for seed := range 30 {
		rng := rand.New(rand.NewPCG(uint64(seed), 2))
		m := watch.New()
		for _, r := range o.records {
			if r.Kind == record.Say && rng.IntN(3) == 0 {
				var keys map[string]json.RawMessage
				_ = json.Unmarshal(r.Body, &keys)
				for _, key := range slices.Sorted(maps.Keys(keys)) {
					if key != "type" && rng.IntN(4) == 0 {
						r.Body = bytes.Replace(r.Body, append([]byte(`"`+key+`":`), keys[key]...), []byte(`"`+key+`":`+words[rng.IntN(len(words))]), 1)
					}
				}
			}
			m.Step(r)
		}
		seq, at := record.Seq(1_000_000), o.records[len(o.records)-1].At
		tell := func(k record.Kind, body []byte) {
			seq++
			for _, e := range m.Step(record.Record{Seq: seq, At: at, Kind: k, Body: body}) {
				if e.Kind == record.Say && !json.Valid(e.Body) {
					t.Fatalf("seed %d: %s", seed, e.Body)
				}
			}
		}
		tell(record.Open, watch.Opening{Format: watch.Format, Journal: "1", Core: watch.Revision, Source: watch.Live, Board: "1", Config: o.config}.Body())
		for id := range o.findings {
			for _, do := range [...]string{"undo", "confirm", "undo", "reject", "later", "accident"} {
				tell(record.Decide, watch.Decision{Finding: id, Decision: do}.Body())
			}
			tell(record.Instruct, watch.Instruction{Do: watch.DoClaim, What: "illegal"}.Body())
			tell(record.Instruct, watch.Instruction{Do: watch.DoResult, Result: "1-0"}.Body())
		}
	}
}

// The last decision was confirm, undo, confirm: it is in force even without its effects.
func TestADecisionOfRevision5ThatNobodyAnswered(t *testing.T) {
	o := revision5(t)
	for name, how := range map[string]way{"known": equal, "another kind": kind, "nothing": nothing} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				u := o.renamed(func(string) way { return how }).cut().upgrade(t)
				if u.view.Strikes != strikesOld {
					t.Errorf("the ledger is %v, was %v", u.view.Strikes, strikesOld)
				}
				u.run(func() {})
				u.open()
				if u.view.Strikes != strikesOld {
					t.Errorf("started again: the ledger is %v, was %v", u.view.Strikes, strikesOld)
				}
				u.run(func() {})
				u.verified()
			})
		})
	}
}

// hold upgrades after a journal and starts twice more.
func hold(t *testing.T, o *old, quiet bool) {
	synctest.Test(t, func(t *testing.T) {
		u := o.upgrade(t)
		u.holds(false)
		u.goOn()
		u.holds(true)
		for range 2 {
			u.open()
			u.holds(true)
			u.run(func() {})
		}
		u.verified()
		if list := u.alerts(); quiet && len(list) > 0 {
			t.Errorf("told anew: %s", list)
		}
	})
}

func TestAnyFindingsOfRevision5CanBeUnknown(t *testing.T) {
	o := revision5(t)
	for seed := range 8 {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(uint64(seed), 1))
			ways := map[string]way{}
			for _, id := range slices.Sorted(maps.Keys(o.findings)) {
				ways[id] = way(rng.IntN(4))
			}
			hold(t, o.renamed(func(id string) way { return ways[id] }), false)
		})
	}
}
