package live_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"boardwatchd/internal/live"
	"boardwatchd/internal/record"
	"boardwatchd/internal/watch"
)

func say(b *live.Board, format string, a ...any) { b.Said([]byte(fmt.Sprintf(format, a...))) }

func summary(t testing.TB, bs *live.Boards) live.Summary {
	t.Helper()
	list := bs.Summaries()
	if len(list) != 1 {
		t.Fatalf("%d boards", len(list))
	}
	return list[0]
}

// finding reports a finding that waits for a person, or one with the given keys.
func finding(b *live.Board, id, state, alert, decided string) {
	say(b, `{"type":"finding","seq":5,"t":1,"game":1,"id":%q,"kind":"illegal.knight","state":%q,"alert":%q,"decided":%s,`+
		`"window":{"lo":0,"hi":1}}`, id, state, alert, decided)
}

func TestASummaryIsReadAsTheContractSays(t *testing.T) {
	d := newDesk(live.Options{})
	s := d.station("12")
	for _, r := range journal(t, ownCase(t, "knight-diagonal")) {
		s.live(r)
	}
	s.board.Entered(record.Record{Seq: 9999, At: 20e6, Kind: record.Instruct, Body: []byte(`{"do":"names","white":"A","black":"B"}`)})
	text, err := json.Marshal(summary(t, d.Boards))
	if err != nil {
		t.Fatal(err)
	}
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(text, &keys); err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{
		"board": `"12"`, "watching": "true", "health": `"ok"`, "health_what": `""`, "link": `"up"`, "journal": `"ok"`, "game": "1",
		"playing": "true", "result": "null", "names": `{"white":"A","black":"B"}`, "profile": `"fide-standard"`,
		"strikes_to_lose": "2", "rate": "1", "chess960": "false", "signed": "false",
	} {
		if string(keys[key]) != want {
			t.Errorf("%s is %s, want %s", key, keys[key], want)
		}
	}
	for _, key := range []string{
		"health_detail", "ply", "turn", "last", "last_uci", "fen", "placement", "reversed", "clock", "strikes", "open", "t", "wall_ms",
	} {
		if len(keys[key]) == 0 || string(keys[key]) == "null" {
			t.Errorf("%s is %s", key, keys[key])
		}
	}
	if len(keys) != 34 {
		t.Errorf("%d keys: %s", len(keys), text)
	}
}

func TestOpenCountsWhatWaitsForAPerson(t *testing.T) {
	tests := map[string]struct {
		state, alert, decided string
		open                  int
	}{
		"confirmed, to be told now":        {"confirmed", "now", "null", 1},
		"confirmed, advice":                {"confirmed", "advise", "null", 1},
		"put off":                          {"confirmed", "now", `"later"`, 1},
		"decided":                          {"confirmed", "now", `"confirm"`, 0},
		"rejected":                         {"confirmed", "now", `"reject"`, 0},
		"only suspected":                   {"suspected", "now", "null", 0},
		"withdrawn":                        {"withdrawn", "now", "null", 0},
		"expired":                          {"expired", "now", "null", 0},
		"opened by a claim and not before": {"confirmed", "on_claim", "null", 0},
		"for the record":                   {"confirmed", "log", "null", 0},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			bs := live.New(live.Options{})
			b := bs.Add("1", live.Info{})
			finding(b, "a", tt.state, tt.alert, tt.decided)
			if s := summary(t, bs); s.Open != tt.open {
				t.Errorf("open %d, want %d", s.Open, tt.open)
			}
			it, ok := bs.Finding("1", "a")
			if !ok || it.Waits != (tt.open == 1) {
				t.Errorf("item %+v, %v", it, ok)
			}
		})
	}
}

func TestTheLastWordOfAFindingStands(t *testing.T) {
	bs := live.New(live.Options{})
	b := bs.Add("1", live.Info{})
	finding(b, "a", "confirmed", "now", "null")
	say(b, `{"type":"ruling","seq":7,"game":0,"finding":"a","profile":"fide-blitz"}`)
	b.Seen(watch.View{Profile: "fide-blitz", Strikes: [2]int{1, 0}, ToLose: 2}, nil)
	finding(b, "b", "suspected", "now", "null")
	finding(b, "a", "withdrawn", "now", "null")
	s, _ := bs.State("1")
	if len(s.Findings) != 2 || s.Findings[0].ID != "b" || s.Findings[1].ID != "a" {
		t.Fatalf("findings %+v", s.Findings)
	}
	if it := s.Findings[1]; !strings.Contains(string(it.Finding), "withdrawn") || it.Ruling == nil || it.Seq != 5 {
		t.Errorf("item %s %s %d", it.Finding, it.Ruling, it.Seq)
	}
	if s.Board.Open != 0 || s.Board.Strikes.White != 1 || s.Board.StrikesToLose != 2 || s.Board.Profile != "fide-blitz" {
		t.Errorf("summary %+v", s.Board)
	}
}

func TestAnOlderProgramsFindingsAreDecidedByTheDecisions(t *testing.T) {
	bs := live.New(live.Options{})
	b := bs.Add("1", live.Info{})
	say(b, `{"type":"finding","id":"a","state":"confirmed","alert":"now"}`)
	for i, step := range []struct {
		decision string
		open     int
	}{{"later", 1}, {"confirm", 0}, {"undo", 1}, {"reject", 0}} {
		b.Entered(record.Record{Seq: record.Seq(i + 1), Kind: record.Decide, Body: watch.Decision{Finding: "a", Decision: step.decision}.Body()})
		if s := summary(t, bs); s.Open != step.open {
			t.Errorf("after %s: open %d", step.decision, s.Open)
		}
	}
	if it, _ := bs.Finding("1", "a"); len(it.Decisions) != 4 {
		t.Errorf("%d decisions", len(it.Decisions))
	}
}

func TestADecisionIsAnEventWithItsRequestAndWallTime(t *testing.T) {
	d := newDesk(live.Options{Epoch: "e"})
	b := d.Add("1", live.Info{})
	b.Seen(watch.View{At: 1e6}, nil)
	finding(b, "a", "confirmed", "now", "null")
	f := d.Follow(d.Last())
	defer f.Close()
	b.Entered(record.Record{Seq: 7, At: 3e6, Kind: record.Decide, Body: []byte(`{"finding":"a","decision":"later","by":"Ann","note":"n","request":"r1"}`)})
	b.Entered(record.Record{Seq: 8, At: 4e6, Kind: record.Decide, Body: []byte(`{"finding":"a","decision":"confirm","wall_ms":42}`)})
	batch := next(t, f)
	want := fmt.Sprintf(`{"type":"decision","board":"1","seq":7,"t":3,"finding":"a","decision":"later","by":"Ann","note":"n",`+
		`"request":"r1","wall_ms":%d}`, noon.UnixMilli()+2000)
	if batch[0].Name != "decision" || string(batch[0].Data) != want {
		t.Errorf("event %s, want %s", batch[0].Data, want)
	}
	if it, _ := d.Finding("1", "a"); len(it.Decisions) != 2 || it.Decisions[1].WallMS != 42 {
		t.Errorf("decisions %+v", it.Decisions)
	}
	if s := d.Stats(); fmt.Sprint(s.Decisions) != "[{confirm 1} {later 1}]" || fmt.Sprint(s.Findings) != "[{illegal.knight confirmed 1}]" {
		t.Errorf("stats %+v", s)
	}
}

func TestFindingsAreBoundedAndThoseThatWaitStayLongest(t *testing.T) {
	bs := live.New(live.Options{})
	b := bs.Add("1", live.Info{})
	for i := range 700 {
		decided := `"reject"`
		if i < 10 {
			decided = "null"
		}
		finding(b, fmt.Sprint(i), "confirmed", "now", decided)
	}
	s, _ := bs.State("1")
	if len(s.Findings) != 512 || s.Board.Open != 10 {
		t.Errorf("%d findings, %d open", len(s.Findings), s.Board.Open)
	}
	for _, id := range []string{"0", "9", "699", "198"} {
		if _, ok := bs.Finding("1", id); !ok {
			t.Errorf("finding %s is gone", id)
		}
	}
	if _, ok := bs.Finding("1", "10"); ok {
		t.Error("the oldest decided finding is still there")
	}
}

func TestTakeBacksAndCorrectionsShortenTheMoves(t *testing.T) {
	bs := live.New(live.Options{})
	b := bs.Add("1", live.Info{})
	say(b, `{"type":"game","game":1,"fen":"x"}`)
	for i, san := range []string{"e4", "e5", "Nf3", "Nc6"} {
		say(b, `{"type":"move","ply":%d,"san":%q,"uci":"u"}`, i+1, san)
	}
	before, _ := bs.State("1")
	say(b, `{"type":"takeback","ply":2}`)
	if s := summary(t, bs); s.Ply != 2 || s.Last != "e5" {
		t.Errorf("after the take-back: ply %d, last %s", s.Ply, s.Last)
	}
	say(b, `{"type":"move","ply":3,"san":"Bc4"}`)
	say(b, `{"type":"move","ply":3,"san":"d4"}`)
	after, _ := bs.State("1")
	if len(after.Moves) != 3 || !strings.Contains(string(after.Moves[2]), "d4") {
		t.Errorf("moves %s", after.Moves)
	}
	if len(before.Moves) != 4 || !strings.Contains(string(before.Moves[2]), "Nf3") {
		t.Errorf("a state that was handed out has changed: %s", before.Moves)
	}
	say(b, `{"type":"result","result":"1-0","state":"proposed"}`)
	if s := summary(t, bs); s.Result != "1-0" {
		t.Errorf("result %q", s.Result)
	}
	say(b, `{"type":"result","result":"1-0","state":"withdrawn"}`)
	if s := summary(t, bs); s.Result != "" {
		t.Errorf("result %q", s.Result)
	}
	say(b, `{"type":"game","game":2,"fen":"x","chess960":true}`)
	if s := summary(t, bs); s.Game != 2 || s.Ply != 0 || s.Last != "" || !s.Chess960 {
		t.Errorf("after the new game: %+v", s)
	}
}

const array = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

func TestNamesAreNotCarriedToTheNextGame(t *testing.T) {
	bs := live.New(live.Options{})
	b := bs.Add("1", live.Info{})
	b.Entered(record.Record{Kind: record.Instruct, Body: []byte(`{"do":"names","white":"A","black":"B"}`)})
	say(b, `{"type":"game","game":1,"fen":%q}`, array)
	say(b, `{"type":"game","game":2,"fen":%q}`, array)
	if s := summary(t, bs); s.Names == nil || s.Names.White != "A" {
		t.Errorf("a game that was not played took the names along: %v", s.Names)
	}
	say(b, `{"type":"result","result":"1-0","state":"proposed"}`)
	say(b, `{"type":"game","game":3,"fen":%q}`, array)
	if s := summary(t, bs); s.Names != nil {
		t.Errorf("names %v", s.Names)
	}
}

// The signatures of both players belong to that game and no other.
func TestASummarySaysThatTheGameIsSigned(t *testing.T) {
	bs := live.New(live.Options{})
	b := bs.Add("1", live.Info{})
	sign := record.Record{Kind: record.Instruct, Body: watch.Instruction{Do: watch.DoSign}.Body()}
	for _, step := range []struct {
		name string
		do   func()
		want bool
	}{
		{"signed before any game", func() { b.Entered(sign) }, false},
		{"a game", func() { say(b, `{"type":"game","game":1,"fen":"x"}`) }, false},
		{"its result", func() { say(b, `{"type":"result","game":1,"result":"1-0","by":"arbiter","state":"confirmed"}`) }, false},
		{"signed", func() { b.Entered(sign) }, true},
		{"the result taken back by the board", func() { say(b, `{"type":"result","game":1,"result":"1-0","by":"kings","state":"withdrawn"}`) }, true},
		{"the result taken back by a person", func() {
			say(b, `{"type":"result","game":1,"result":"1-0","by":"arbiter","state":"withdrawn"}`)
			say(b, `{"type":"health","what":"result_taken_back"}`)
		}, false},
		{"signed again", func() { b.Entered(sign) }, true},
		{"the next game", func() { say(b, `{"type":"game","game":2,"fen":"x"}`) }, false},
	} {
		step.do()
		if s := summary(t, bs); s.Signed != step.want {
			t.Errorf("%s: signed %v", step.name, s.Signed)
		}
	}
}

func TestABoardThatIsAddedAgainIsReadAnew(t *testing.T) {
	bs := live.New(live.Options{Epoch: "e"})
	b := bs.Add("1", live.Info{Journal: "j"})
	finding(b, "gone", "confirmed", "now", "null")
	f := bs.Follow("")
	defer f.Close()
	bs.Remove("1")
	if again := bs.Add("1", live.Info{Journal: "j"}); again != b {
		t.Fatal("another board")
	}
	b.Recovered(opening(1, 0, 0))
	b.Recovered(record.Record{Seq: 2, At: 1e6, Kind: record.Say, Body: []byte(`{"type":"finding","id":"kept","state":"confirmed","alert":"now"}`)})
	b.Seen(watch.View{At: 1e6}, nil)
	stale := bs.Last()
	b.Seen(watch.View{At: 2e6, Link: "up"}, nil)
	if _, err := f.Next(t.Context()); !errors.Is(err, live.ErrFellBehind) {
		t.Errorf("a follower of the old picture: %v", err)
	}
	if f := bs.Follow(stale); f.Resumed() {
		t.Error("a follower goes on from the old picture")
	}
	s, _ := bs.State("1")
	if len(s.Findings) != 1 || s.Findings[0].ID != "kept" || !s.Board.Watching {
		t.Errorf("state %+v", s)
	}
	if f := bs.Follow(s.Last); !f.Resumed() {
		t.Error("a follower of the new picture is not resumed")
	}
}

// A phone has the board open while its journal is being read at the start.
func TestAnExpectedBoardWhoseJournalCannotBeRead(t *testing.T) {
	bs := live.New(live.Options{})
	bs.Expect("1")
	bs.Away("1", true)
	if s, _ := bs.One("1"); s.HealthWhat != "not_watched" || s.Watching {
		t.Errorf("%+v", s)
	}
}

func TestAStateOfAJournalThatIsBeingReadIsFetchedAgain(t *testing.T) {
	bs := live.New(live.Options{Epoch: "e"})
	bs.Expect("1")
	bs.Expect("2")
	b, other := bs.Add("1", live.Info{Journal: "j"}), bs.Add("2", live.Info{Journal: "k"})
	b.Recovered(opening(1, 0, 0))
	s, _ := bs.State("1")
	f := bs.Follow(s.Last)
	defer f.Close()
	if !f.Resumed() || s.Board.HealthWhat != live.JournalRead {
		t.Fatalf("resumed %v, %+v", f.Resumed(), s.Board)
	}
	other.Ready()
	b.Recovered(record.Record{Seq: 2, At: 1e6, Kind: record.Say, Body: []byte(`{"type":"finding","id":"kept","state":"confirmed","alert":"now"}`)})
	if late := bs.Follow(s.Last); !late.Resumed() {
		t.Error("sent away although nobody has seen a part of that board")
	}
	b.Ready()
	if late := bs.Follow(s.Last); late.Resumed() {
		t.Error("whoever has seen a part goes on from it")
	}
	for {
		if _, err := f.Next(t.Context()); errors.Is(err, live.ErrFellBehind) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if s, _ = bs.State("1"); len(s.Findings) != 1 || !bs.Follow(s.Last).Resumed() {
		t.Errorf("state %+v", s)
	}
}

func TestATimeLineWithoutTouchesSaysSo(t *testing.T) {
	bs := live.New(live.Options{})
	b := bs.Add("1", live.Info{})
	for i, body := range []string{
		`{"type":"press","t":1,"side":"black","judged":"ok"}`,
		`{"type":"press","t":9,"side":"white","judged":"illegal.knight"}`,
		`{"type":"finding","id":"a","kind":"illegal.knight","t":9,"window":{"lo":8,"hi":9}}`,
	} {
		b.Recovered(record.Record{Seq: record.Seq(i + 1), At: 9e6, Kind: record.Say, Body: []byte(body)})
	}
	b.Seen(watch.View{At: 9e6}, nil)
	it, _ := bs.Finding("1", "a")
	if it.TimelineComplete || len(it.Timeline) != 2 || it.ClockAt != nil {
		t.Errorf("item %+v", it)
	}
}

func TestATimeLineGrowsForThreeSecondsAndThenStands(t *testing.T) {
	bs := live.New(live.Options{})
	b := bs.Add("1", live.Info{})
	touch := func(at int64) {
		b.Seen(watch.View{At: at, Placement: "8"}, []watch.Touch{{Lo: at - 1, At: at, Square: "e4", Is: "P"}})
	}
	b.Seen(watch.View{Placement: "8"}, nil)
	touch(1e6)
	finding(b, "a", "confirmed", "now", "null") // its window ends at 1 s
	touch(3.9e6)
	if it, _ := bs.Finding("1", "a"); len(it.Timeline) != 2 {
		t.Errorf("%d moments before the end", len(it.Timeline))
	}
	touch(4.1e6)
	for i := range int64(2000) {
		touch(5e6 + i)
	}
	it, _ := bs.Finding("1", "a")
	if len(it.Timeline) != 2 || !it.TimelineComplete {
		t.Errorf("%d moments, complete %v", len(it.Timeline), it.TimelineComplete)
	}
	finding(b, "b", "confirmed", "now", "null")
	if it, _ := bs.Finding("1", "b"); it.TimelineComplete {
		t.Error("a time line whose touches are gone says that it is complete")
	}
}

// FuzzBodies gives a board arbitrary bodies: its data can be encoded, and its counts agree.
func FuzzBodies(f *testing.F) {
	for _, s := range []string{
		`{"type":"finding","id":"a","state":"confirmed","alert":"now","decided":null,"t":1e308,"window":{"lo":-1e300,"hi":5}}`,
		`{"type":"ruling","finding":"a","strikes_before":null}`, `{"type":"move","ply":-5,"san":"e4"}`, `{"type":"takeback","ply":-1}`,
		`{"type":"game","fen":"//","game":9}`, `{"type":"health","what":"link_down"}`, `{"do":"strikes","white":-1}`, `{}`, `[]`, "",
		`{"type":"press","side":"white","t":-1}`, `{"finding":"a","decision":"confirm","wall_ms":-9}`, `{"format":"boardwatchd-journal/1","wall":"x"}`,
	} {
		f.Add([]byte(s), int64(5), uint8(0))
		f.Add([]byte(s), int64(-5), uint8(9))
	}
	f.Fuzz(func(t *testing.T, body []byte, at int64, kind uint8) {
		bs := live.New(live.Options{})
		b := bs.Add("1", live.Info{})
		r := record.Record{Seq: 1, At: at, Kind: record.Kind(kind % 14), Body: body}
		b.Recovered(r)
		b.Seen(watch.View{At: at}, []watch.Touch{{At: at, Square: string(body)}})
		b.Entered(r)
		b.Said(body)
		b.Said([]byte(`{"type":"finding","id":"a","state":"confirmed","alert":"now","t":1}`))
		b.Said(body)
		b.Seen(watch.View{At: at + 1}, nil)
		s, _ := bs.State("1")
		if _, err := json.Marshal(s); err != nil {
			t.Fatalf("state: %v", err)
		}
		open := 0
		for _, it := range s.Findings {
			if it.Waits {
				open++
			}
		}
		if open != s.Board.Open {
			t.Fatalf("%d wait, the summary says %d", open, s.Board.Open)
		}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		w := bs.Follow(bs.Epoch() + "-0")
		defer w.Close()
		batch, err := w.Next(ctx)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range batch {
			if !json.Valid(e.Data) {
				t.Fatalf("event %s: %q", e.Name, e.Data)
			}
		}
	})
}

func TestOnlyAChangeOfMeaningOutdatesADecision(t *testing.T) {
	bs := live.New(live.Options{})
	b := bs.Add("1", live.Info{})
	finding(b, "a", "confirmed", "now", "null")
	rules := func(seq int, ruling string) live.Item {
		say(b, `{"type":"ruling","seq":%d,"finding":"a",%s}`, seq, ruling)
		it, ok := bs.Finding("1", "a")
		if !ok || it.Seq != int64(seq) {
			t.Fatalf("%+v %v", it, ok)
		}
		return it
	}
	const same = `"kind":"illegal_move","must_play":["Nd4"],"until":"reply","strikes_after":{"white":1,"black":0}`
	first := rules(100, same+`,"clocks_to_set":{"white":60,"black":60}`)
	if it := rules(101, same+`,"clocks_to_set":{"white":60,"black":50}`); it.Since != first.Seq {
		t.Errorf("other clocks to set: since %d, not %d", it.Since, first.Seq)
	}
	for i, other := range []string{
		strings.Replace(same, "illegal_move", "none", 1), strings.Replace(same, "Nd4", "Ne5", 1), strings.Replace(same, "reply", "closed", 1),
		strings.Replace(same, `"white":1`, `"white":2`, 1), same + `,"result":"0-1"`, same + `,"position":"restore"`,
	} {
		if it := rules(102+2*i, other); it.Since != it.Seq {
			t.Errorf("%s: since %d of %d", other, it.Since, it.Seq)
		}
		rules(103+2*i, same)
	}
}

func TestACorrectedMoveLeavesTheMovesAfterIt(t *testing.T) {
	bs := live.New(live.Options{Epoch: "e"})
	b := bs.Add("1", live.Info{})
	say(b, `{"type":"game","game":1,"fen":%q}`, array)
	for i, san := range []string{"a8=Q", "h3"} {
		say(b, `{"type":"move","ply":%d,"san":%q,"uci":"u"}`, i+1, san)
	}
	say(b, `{"type":"move","ply":1,"san":"a8=R","uci":"u","corrects":true}`)
	s, _ := bs.State("1")
	if len(s.Moves) != 2 || !strings.Contains(string(s.Moves[0]), "a8=R") || s.Board.Ply != 2 || s.Board.Last != "h3" {
		t.Errorf("moves %s, board %+v", s.Moves, s.Board)
	}
}
