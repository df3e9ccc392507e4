package replay_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"boardwatchd/internal/config"
	"boardwatchd/internal/record"
	"boardwatchd/internal/replay"
	"boardwatchd/internal/watch"
)

// judgedUnder replays and returns the names of the rules in each opening record, and everything that was said.
func judgedUnder(t *testing.T, src replay.Source, o replay.Options) (openings []string, said string) {
	t.Helper()
	var b strings.Builder
	o.Input = func(r record.Record) {
		if r.Kind != record.Open {
			return
		}
		open, err := watch.ParseOpening(r.Body)
		if err != nil {
			t.Fatal(err)
		}
		var conf struct {
			Event, Profile string
			Rules          []struct{ Name string }
		}
		if len(open.Config) > 0 {
			if err := json.Unmarshal(open.Config, &conf); err != nil {
				t.Fatal(err)
			}
		}
		openings = append(openings, fmt.Sprint(conf))
	}
	o.Effect = func(_ record.Record, e watch.Effect) { fmt.Fprintf(&b, "%v %s\n", e.Kind, e.Body) }
	if _, _, err := replay.Run(src, o); err != nil {
		t.Fatal(err)
	}
	return openings, b.String()
}

func under(t *testing.T, word string) (o replay.Options) {
	t.Helper()
	var err error
	if o.Profile, o.Rules, err = config.Rules(word); err != nil {
		t.Fatal(err)
	}
	return o
}

// journalWith are two segments of a journal; the second has no configuration.
func journalWith(src *rows, conf string) *rows {
	open := func(segment int, conf string) []byte {
		o := watch.Opening{Format: watch.Format, Segment: segment, Core: watch.Revision, Source: watch.Capture, Board: "1"}
		if conf != "" {
			o.Config = json.RawMessage(conf)
		}
		return o.Body()
	}
	half := len(src.recs) / 2
	recs := []record.Record{{Kind: record.Open, Body: open(1, conf)}}
	recs = append(recs, src.recs[:half]...)
	recs = append(recs, record.Record{At: src.recs[half].At, Kind: record.Open, Body: open(2, "")})
	recs = append(recs, src.recs[half:]...)
	for i := range recs {
		recs[i].Seq = record.Seq(i + 1)
	}
	return &rows{recs: recs, journal: true}
}

func TestWhatIfReplacesTheRulesOfEveryOpening(t *testing.T) {
	old := `{"event":"Open","profile":"fide-standard"}`
	ruled := string(config.Default().Core(config.NewBoard("1", "")).Canonical())
	for _, c := range []struct {
		claim, conf string
		o           replay.Options
		want        []string
	}{
		{"a journal from before there were rules, under none", old, replay.Options{}, []string{"{Open fide-standard []}", "{  []}"}},
		{"the same, what if", old, under(t, "uscf-blitz"), []string{"{Open uscf-blitz [{uscf-blitz}]}", "{ uscf-blitz [{uscf-blitz}]}"}},
		{"its own rules", ruled, replay.Options{}, []string{"{ auto [{fide-standard} {fide-rapid} {fide-blitz}]}", "{  []}"}},
		{"other rules than its own", ruled, under(t, "caa-3strike"), []string{"{ caa-3strike [{caa-3strike}]}", "{ caa-3strike [{caa-3strike}]}"}},
	} {
		t.Run(c.claim, func(t *testing.T) {
			got, _ := judgedUnder(t, journalWith(capture(t, 6, 1), c.conf), c.o)
			if fmt.Sprint(got) != fmt.Sprint(c.want) {
				t.Errorf("judged under %v, want %v", got, c.want)
			}
		})
	}
}

func TestWhatIfOfACapture(t *testing.T) {
	conf := config.Default().Core(config.NewBoard("1", "")).Canonical()
	got, _ := judgedUnder(t, capture(t, 6, 1), replay.Options{Board: "1", Config: conf})
	if want := "[{ auto [{fide-standard} {fide-rapid} {fide-blitz}]}]"; fmt.Sprint(got) != want {
		t.Errorf("judged under %v, want %v", got, want)
	}
	o := under(t, "wbca-blitz")
	o.Board, o.Config = "1", conf
	got, _ = judgedUnder(t, capture(t, 6, 1), o)
	if want := "[{ wbca-blitz [{wbca-blitz}]}]"; fmt.Sprint(got) != want {
		t.Errorf("judged under %v, want %v", got, want)
	}
}

// The rules that were asked about are in the journal that such a replay writes: it verifies, and is judged by them
// again.
func TestAJournalOfAWhatIfKeepsItsRules(t *testing.T) {
	path := filepath.Join(t.TempDir(), "if.bwj")
	c, err := replay.NewCopier(path)
	if err != nil {
		t.Fatal(err)
	}
	o := under(t, "fide-rapid")
	c.Tee(&o)
	if _, _, err := replay.Run(capture(t, 7, 1), o); err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if v, err := replay.Verify(open(t, path)); err != nil || v.First != nil {
		t.Errorf("%v, %v", v.First, err)
	}
	if got, _ := judgedUnder(t, open(t, path), replay.Options{}); fmt.Sprint(got) != "[{ fide-rapid [{fide-rapid}]}]" {
		t.Errorf("judged under %v", got)
	}
}

// Moves do not depend on the rules.
func TestWhatIfChangesNoMove(t *testing.T) {
	moves := func(o replay.Options) (list []string) {
		_, said := judgedUnder(t, capture(t, 8, 2), o)
		for _, line := range strings.Split(said, "\n") {
			if strings.HasPrefix(line, `say {"type":"move"`) {
				list = append(list, line)
			}
		}
		return list
	}
	none := moves(replay.Options{})
	if len(none) < 40 {
		t.Fatalf("only %d moves", len(none))
	}
	for _, word := range []string{"auto", "fide-standard", "uscf-regular"} {
		if got := moves(under(t, word)); strings.Join(got, "\n") != strings.Join(none, "\n") {
			t.Errorf("other moves under %s", word)
		}
	}
}
