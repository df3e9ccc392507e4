package lab

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"boardwatchd/detector"
	detect "boardwatchd/detector/hands"
	"boardwatchd/internal/config"
	"boardwatchd/internal/emulator"
	"boardwatchd/internal/journal"
	"boardwatchd/internal/record"
	"boardwatchd/internal/watch"
)

// watched is the journal of a board at which two emulated people play two games, watched live; they use both hands or one. Behind it the
// arbiter decides on the first suspicions, with these words.
func watched(t *testing.T, board string, twoHands int, decisions ...string) string {
	t.Helper()
	habits := emulator.Tidy
	habits.TwoHands = twoHands
	o := emulator.Options{Seed: 3, Count: 2, Habits: &habits, Generator: emulator.GeneratorOptions{MinPlies: 80}}
	o.Tempo, o.Clock.BaseSec, o.Clock.BonusSec = emulator.Classical, 5400, 30
	e, err := emulator.New(o)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	open := func(int, string) []byte {
		return watch.Opening{
			Format: watch.Format, Journal: "r1", Segment: 1, Core: watch.Revision, Source: watch.Live, Board: board,
			Config: config.Default().Core(config.NewBoard(board, "")).Canonical(),
		}.Body()
	}
	w, err := journal.Create(dir, "r1", journal.Options{OpenBody: open})
	if err != nil {
		t.Fatal(err)
	}
	n := &notebook{w: w, m: watch.New()}
	var said []saidInPlay
	var tx []byte
	take := func(at int64, kind record.Kind, body []byte) {
		n.at = max(n.at, at)
		seq, err := w.Add(n.at, kind, body)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range n.m.Step(record.Record{Seq: seq, At: n.at, Kind: kind, Body: append([]byte(nil), body...)}) {
			if _, err := w.Add(n.at, e.Kind, e.Body); err != nil {
				t.Fatal(err)
			}
			var l saidInPlay
			if e.Kind == record.Tx {
				tx = append(tx, e.Body...)
			} else if json.Unmarshal(e.Body, &l) == nil {
				said = append(said, l)
			}
		}
		w.Flush()
	}
	take(0, record.Open, open(1, ""))
	take(0, record.Up, watch.Annotation{Device: "emulated"}.Body())
	take(0, record.Instruct, watch.Instruction{Do: watch.DoNames, White: "Ann", Black: "Bo"}.Body())
	emulator.Run(e, func(at int64, rx []byte) ([]byte, int64) {
		tx = nil
		if len(rx) > 0 {
			take(at, record.Rx, rx)
		}
		for {
			d, ok := n.m.Deadline()
			if !ok {
				return tx, emulator.Never
			}
			if d > at {
				return tx, d
			}
			take(at, record.Wake, nil)
		}
	}, 40_000_000, 1<<50)
	for _, l := range said {
		if len(decisions) > 0 && strings.HasPrefix(l.Kind, "suspect.") {
			for _, word := range strings.Fields(decisions[0]) {
				take(n.at, record.Decide, watch.Decision{Finding: l.ID, Decision: word, By: "Zoe"}.Body())
			}
			decisions = decisions[1:]
		}
	}
	if err := w.Close(n.at, "stop"); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "r1"+journal.Extension)
}

// A tournament's journals say how often which board suspects whom, and what the arbiters made of it.
func TestWhatCameOfSuspicions(t *testing.T) {
	var list []Recording
	for _, path := range []string{watched(t, "7", 1000, "confirm", "unseen", "later reject", "confirm undo"), watched(t, "8", 0)} {
		r, err := Read(open(t, path))
		if err != nil || len(r.Cases) != 0 {
			t.Fatal(r, err)
		}
		list = append(list, r)
	}
	r := Evaluate(list, detect.Standard(), detector.DefaultHands())
	p := r.InPlay
	if p == nil || p.Games != 4 || len(r.Recordings) != 0 || len(r.Groups) != 0 || r.YAML != "" || len(r.Warnings) != 0 {
		t.Fatalf("%+v", r)
	}
	if len(p.Boards) != 2 || len(p.Arbiters) != 1 || p.Players[0].Name != "Ann" && p.Players[0].Name != "Bo" {
		t.Fatalf("%+v", p)
	}
	bad, good := p.Boards[0], p.Boards[1]
	if bad.Name != "7" || bad.Judged < 20 || bad.Unusual.Count < bad.Judged/3 || !bad.tooMany() || bad.Held == 0 || bad.Told.Count < 3 {
		t.Errorf("%+v", bad)
	}
	if bad.Confirmed != 1 || bad.NotSeen != 1 || bad.Dismissed != 1 || bad.Open != bad.Told.Count-3 {
		t.Errorf("%+v", bad)
	}
	if good.Judged < 20 || good.Told.Count != 0 || good.tooMany() || good.Held != 0 {
		t.Errorf("%+v", good)
	}
	if z := p.Arbiters[0]; z.Name != "Zoe" || z.Confirmed != 1 || z.NotSeen != 1 || z.Dismissed != 1 {
		t.Errorf("%+v", z)
	}
	for _, part := range [][]PlayLine{p.Kinds, p.Boards, p.Players} {
		judged, told := 0, 0
		for _, l := range part {
			judged, told = judged+l.Judged, told+l.Told.Count
		}
		if judged != bad.Judged+good.Judged || told != bad.Told.Count {
			t.Errorf("%d judged and %d told in %+v", judged, told, part)
		}
	}
	var out bytes.Buffer
	if err := r.Print(&out); err != nil {
		t.Fatal(err)
	}
	for _, says := range []string{"IN PLAY: 4 games", "board 7", "decided by Zoe", "confirmed 1, dismissed 1, not seen 1", "! more than twice as many", "of 2 other players nothing"} {
		if !strings.Contains(out.String(), says) {
			t.Errorf("%q is not in\n%s", says, out.String())
		}
	}
}

// Lines of a journal, one by one.
func TestLinesInPlay(t *testing.T) {
	const found = `{"type":"finding","board":"1","game":1,"id":"%s","kind":"%s","side":"black","ply":%d,"state":"%s"}`
	var p played
	for _, l := range []string{
		`{"type":"game","board":"1","game":1}`,
		`{"type":"hands","board":"1","game":1,"ply":4,"side":"black","kind":"capture","play":"rapid","llr":3.5,"confidence":0.1}`,
		`{"type":"hands","board":"1","game":1,"ply":6,"side":"black","kind":"capture","play":"rapid","llr":null,"confidence":null}`,
		`{"type":"hands","board":"1","game":1,"ply":8,"side":"black","kind":"capture","play":"rapid","llr":4.5,"confidence":null}`,
		`{"type":"press","side":null,"judged":"ok"}`, `{"type":"hands"`, `no line`, ``,
		fmt.Sprintf(found, "1:a", "suspect.two_hands_capture", 4, "confirmed"),
		fmt.Sprintf(found, "1:a", "suspect.two_hands_capture", 4, "withdrawn"), // in favour of a report
		fmt.Sprintf(found, "2:b", "suspect.two_hands_castling", 10, "withdrawn"),
		fmt.Sprintf(found, "3:c", "illegal.two_hands", 4, "confirmed"),
		fmt.Sprintf(found, "4:d", "illegal.two_hands", 20, "confirmed"),
	} {
		p.take(record.Record{Kind: record.Say, Body: []byte(l)})
	}
	for _, d := range []string{`{"finding":"3:c","decision":"confirm","by":"Zoe"}`, `{"finding":"4:d","decision":"reject"}`, `{"finding":"1:a","decision":"later"}`, `[]`} {
		p.take(record.Record{Kind: record.Decide, Body: []byte(d)})
	}
	got := inPlay([]Recording{{}, {played: &p}}, &detector.Hands{})
	if got.Games != 1 || len(got.Kinds) != 1 {
		t.Fatalf("%+v", got)
	}
	if l := got.Players[0]; l.Name != "board 1, game 1, black" || l.Judged != 1 || l.Unusual.Count != 1 || l.Told.Count != 1 || l.Confirmed != 1 || l.Open != 0 {
		t.Errorf("%+v", l)
	}
	if inPlay([]Recording{{}}, &detector.Hands{}) != nil {
		t.Error("something of nothing")
	}
}

// Who plays the next game was not told, and a wrong name is worse than none.
func TestNamesAreOfOneGame(t *testing.T) {
	var p played
	names := func() {
		p.take(record.Record{Kind: record.Instruct, Body: watch.Instruction{Do: watch.DoNames, White: "Ann", Black: "Bo"}.Body()})
	}
	say := func(l string) { p.take(record.Record{Kind: record.Say, Body: []byte(l)}) }
	names()
	say(`{"type":"game","board":"1","game":1}`)
	say(`{"type":"game","board":"1","game":2}`) // set up anew
	if got := p.player("black"); got != "Bo" {
		t.Errorf("%q", got)
	}
	say(`{"type":"result","board":"1","game":2,"state":"confirmed"}`)
	say(`{"type":"game","board":"1","game":3}`)
	if got := p.player("white"); got != "board 1, game 3, white" {
		t.Errorf("%q", got)
	}
}
