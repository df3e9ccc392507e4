package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"testing"
	"time"

	"boardwatchd/internal/config"
	"boardwatchd/internal/journal"
	"boardwatchd/internal/live"
	"boardwatchd/internal/people"
	"boardwatchd/internal/record"
	"boardwatchd/internal/recording"
	"boardwatchd/internal/watch"
)

// TestResultsOfTheBoards: an analysis after the game, or a new beginning without a result, does not take its result
// away.
func TestResultsOfTheBoards(t *testing.T) {
	r := Report{Journals: []*Journal{
		{Games: []Game{
			{Board: "1", White: "A", Black: "B", Result: "1-0"}, {Board: "1", Result: "0-1"}, {Board: "1", White: "A", Black: "B"},
		}},
		{Games: []Game{{Board: "2", White: "C", Black: "D"}, {Board: "2", White: "C", Black: "D", Result: "1/2-1/2"}, {Board: "3"}}},
	}}
	if got := fmt.Sprint(r.Results()); got != "[{1 A B 1-0} {2 C D 1/2-1/2}]" {
		t.Errorf("the results are %s", got)
	}
}

// TestOneResultForAPairing: after the first game with a result, the same players' games do not count. A short game that
// was given up does not take the place of the one that was played. Where a longer one has no result, the later one may be
// a game for fun, and the result is left open unless a person has entered it.
func TestOneResultForAPairing(t *testing.T) {
	game := func(plies int, result, by string) Game {
		return Game{Board: "1", White: "A", Black: "B", Plies: plies, Result: live.Word(result), By: live.Word(by), begins: true}
	}
	middle := game(60, "1-0", "kings")
	middle.begins = false
	for name, c := range map[string]struct {
		games []Game
		want  string
	}{
		"the return game":                           {[]Game{game(40, "1-0", "kings"), game(60, "0-1", "kings")}, "[{1 A B 1-0}] []"},
		"a false start":                             {[]Game{game(1, "", ""), game(60, "0-1", "kings")}, "[{1 A B 0-1}] []"},
		"two false starts":                          {[]Game{game(1, "", ""), game(8, "", ""), game(60, "0-1", "kings")}, "[{1 A B 0-1}] []"},
		"a false start and a return game":           {[]Game{game(1, "", ""), game(60, "0-1", "kings"), game(80, "1-0", "mate")}, "[{1 A B 0-1}] []"},
		"nobody entered the first result":           {[]Game{game(10, "", ""), game(8, "1-0", "kings")}, "[{1 A B }] [1]"},
		"nobody entered the first, and a third":     {[]Game{game(10, "", ""), game(8, "1-0", "kings"), game(9, "0-1", "mate")}, "[{1 A B }] [1]"},
		"begun again late, and a person entered it": {[]Game{game(12, "", ""), game(60, "1-0", "arbiter")}, "[{1 A B 1-0}] []"},
		"entered after an unclear one":              {[]Game{game(10, "", ""), game(8, "1-0", "kings"), game(9, "0-1", "arbiter")}, "[{1 A B 0-1}] []"},
		"the game goes on from its middle":          {[]Game{game(30, "", ""), middle}, "[{1 A B 1-0}] []"},
		"other players, who have no result yet":     {[]Game{game(30, "1-0", "kings"), {Board: "1", White: "C", Black: "D"}}, "[{1 A B 1-0}] []"},
		"other players":                             {[]Game{game(30, "1-0", "kings"), {Board: "1", White: "C", Black: "D", Result: "0-1"}}, "[{1 C D 0-1}] []"},
	} {
		r := Report{Journals: []*Journal{{Games: c.games}}}
		if got := fmt.Sprint(r.Results(), r.Unclear()); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// TestPiecesThatWereSetUpAreNoGame: the printed list has what was played, and the board at which nothing was.
func TestPiecesThatWereSetUpAreNoGame(t *testing.T) {
	r := Report{opt: Options{Lang: "en"}, Journals: []*Journal{
		{Games: []Game{{Board: "1", Game: 1, Plies: 40, Result: "1-0"}, {Board: "1", Game: 2}, {Board: "1", Game: 3}}, Findings: []Finding{{Game: 3}}},
		{Games: []Game{{Board: "2", Game: 1}}},
	}}
	var got []string
	for _, g := range r.Played() {
		got = append(got, fmt.Sprint(g.Board, ":", g.Game))
	}
	if fmt.Sprint(got) != "[1:1 1:3 2:1]" || len(r.Games()) != 4 {
		t.Errorf("printed: %v of %d", got, len(r.Games()))
	}
}

// A part of a journal is what a run of the program writes: an opening record with an event, and a game, or the result
// of the game before.
type part struct {
	wall   time.Time
	event  string
	white  string // "": the game before goes on
	result string // "": none
}

// TestResultsOfTheEventOnly: a journal that was begun in an earlier event has games of that one; where only the event's
// name was corrected, they are of this one.
func TestResultsOfTheEventOnly(t *testing.T) {
	noon := time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		parts []part
		want  string
	}{
		"one event":                   {[]part{{noon, "Open", "A", "1-0"}}, "[{1 A Z 1-0}]"},
		"the next event, no result":   {[]part{{noon, "Open", "A", "1-0"}, {noon.AddDate(0, 1, 0), "Club", "B", ""}}, "[{1 B Z }]"},
		"the next event, nobody yet":  {[]part{{noon, "Open", "A", "1-0"}, {noon.AddDate(0, 1, 0), "Club", "", ""}}, "[]"},
		"the next event, a result":    {[]part{{noon, "Open", "A", "1-0"}, {noon.AddDate(0, 1, 0), "Club", "B", "0-1"}}, "[{1 B Z 0-1}]"},
		"an adjourned game":           {[]part{{noon, "Open", "A", ""}, {noon.AddDate(0, 0, 3), "Open", "", "1-0"}}, "[{1 A Z 1-0}]"},
		"its name was corrected":      {[]part{{noon, "Opne", "A", "1-0"}, {noon.Add(time.Hour), "Open", "", ""}}, "[{1 A Z 1-0}]"},
		"corrected during the game":   {[]part{{noon, "Opne", "A", ""}, {noon.AddDate(0, 0, 3), "Open", "", "1-0"}}, "[{1 A Z 1-0}]"},
		"two events after each other": {[]part{{noon, "Open", "A", "1-0"}, {noon.AddDate(0, 1, 0), "Club", "B", ""}, {noon.AddDate(0, 1, 0).Add(time.Hour), "Club 2", "", ""}}, "[{1 B Z }]"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			writeParts(t, dir, c.parts)
			src, err := recording.Open(filepath.Join(dir, "1-r1.bwj"), nil)
			if err != nil {
				t.Fatal(err)
			}
			var collected Collector
			err = collected.Add("1-r1.bwj", src, "", people.Open(filepath.Join(dir, "people.json"), time.Now))
			if list := collected.Reports(); err != nil || src.Close() != nil || len(list) != 1 || fmt.Sprint(list[0].Results()) != c.want {
				t.Errorf("%d reports, %v: the results are %v, want %s", len(list), err, list[0].Results(), c.want)
			}
		})
	}
}

func writeParts(t *testing.T, dir string, parts []part) {
	t.Helper()
	w, err := journal.Create(dir, "1-r1", journal.Options{})
	if err != nil {
		t.Fatal(err)
	}
	game := 0
	for i, p := range parts {
		at := int64(i) * 10_000_000
		if i > 0 { // in another run
			rd, err := journal.Open(filepath.Join(dir, "1-r1.bwj"))
			for err == nil {
				_, err = rd.Next()
			}
			if !errors.Is(err, io.EOF) {
				t.Fatal(err)
			}
			if w, err = journal.Continue(dir, "1-r1", rd.Last(), journal.Options{}); err != nil {
				t.Fatal(err)
			}
		}
		add := func(kind record.Kind, body []byte) {
			if _, err := w.Add(at, kind, body); err != nil {
				t.Fatal(err)
			}
		}
		conf := config.Default()
		conf.Event, conf.Round = p.event, "1"
		add(record.Open, watch.Opening{
			Format: watch.Format, Journal: "1-r1", Segment: i + 1, Core: watch.Revision, Source: watch.Live, Board: "1", Wall: p.wall.Format(time.RFC3339Nano),
			Config: json.RawMessage(conf.Core(config.NewBoard("1", "")).Canonical()),
		}.Body())
		if p.white != "" {
			game++
			add(record.Instruct, watch.Instruction{Do: watch.DoNames, White: watch.Value(p.white), Black: "Z"}.Body())
			add(record.Say, fmt.Appendf(nil, `{"type":"game","seq":2,"t":0,"board":"1","game":%d,"fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"}`, game))
			add(record.Say, fmt.Appendf(nil, `{"type":"move","seq":2,"t":1,"board":"1","game":%d,"ply":1,"side":"white","uci":"e2e4","san":"e4","clock":{"white":90,"black":90},"committed_by":"press"}`, game))
		}
		if p.result != "" {
			add(record.Say, fmt.Appendf(nil, `{"type":"result","seq":2,"t":2,"board":"1","game":%d,"result":%q,"by":"kings","state":"proposed"}`, game, p.result))
		}
		if err := w.Close(at+1, "end"); err != nil {
			t.Fatal(err)
		}
	}
}
