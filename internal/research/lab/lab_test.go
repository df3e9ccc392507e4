package lab

import (
	"encoding/json"
	"errors"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"boardwatchd/detector"
	"boardwatchd/detector/hands"
	"boardwatchd/internal/config"
	"boardwatchd/internal/journal"
	"boardwatchd/internal/record"
	"boardwatchd/internal/recording"
	"boardwatchd/internal/replay"
	"boardwatchd/internal/research/populations"
	"boardwatchd/internal/research/score"
	"boardwatchd/internal/watch"
	"boardwatchd/rules/legal"
)

func open(t *testing.T, path string) *recording.Source {
	t.Helper()
	src, err := recording.Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := src.Close(); err != nil {
			t.Error(err)
		}
	})
	return src
}

// rehearsed plays a protocol and returns the path of the journal.
func rehearsed(t *testing.T, r Rehearsal) string {
	t.Helper()
	r.Dir, r.Name = t.TempDir(), "evening"
	if err := r.Play(); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(r.Dir, r.Name+journal.Extension)
}

func read(t *testing.T, r Rehearsal) Recording {
	t.Helper()
	rec, err := Read(open(t, rehearsed(t, r)))
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

// The whole protocol, on boards of several kinds: the journal verifies, every card is in it with its label, and the
// scan measured from it is the board's.
func TestARehearsalIsReadBack(t *testing.T) {
	for _, c := range []struct {
		name   string
		family populations.Family
		board  populations.Board
	}{
		{"jerk, the usual board", populations.Jerk, populations.Board{PeriodUS: 225_000, Order: hands.Raster}},
		{"two-phase, White at the far side", populations.TwoPhase, populations.Board{PeriodUS: 225_000, Reversed: true, Order: hands.RasterReverse}},
		{"stroke, a fast board, by columns", populations.Stroke, populations.Board{PeriodUS: 100_000, Order: hands.Column, JitterUS: 2000}},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := rehearsed(t, Rehearsal{Protocol: "full", Seed: 11, Family: c.family, Board: c.board})
			v, err := replay.Verify(open(t, path))
			if err != nil || v.First != nil || v.Missing || v.Lost > 0 {
				t.Errorf("verify: %+v, %v", v, err)
			}
			rec, err := Read(open(t, path))
			if err != nil {
				t.Fatal(err)
			}
			if len(rec.Cases) != 335 || !strings.Contains(rec.Made, c.family.String()) {
				t.Errorf("%d cards by %q", len(rec.Cases), rec.Made)
			}
			got, want, judged := map[string]int{}, map[string]int{}, 0
			for _, k := range rec.Cases {
				got[string(k.What)+" "+k.Style]++
				if len(k.Handling.Reports) == 0 || k.Handling.Trouble {
					t.Errorf("card %s: %d reports, trouble %v", k.ID, len(k.Handling.Reports), k.Handling.Trouble)
				}
			}
			for _, b := range full().Blocks {
				for _, pile := range b.Cards {
					want[string(b.What)+" "+pile.Style] += pile.Count
				}
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("styles\n got %v\nwant %v", got, want)
			}
			list, line := rec.judge(detector.DefaultHands())
			for _, v := range list {
				if v.Judgement.Known {
					judged++
				}
			}
			period := float64(c.board.PeriodUS) / 1000
			if !line.Trusted || line.Order != c.board.Order.String() || math.Abs(line.PeriodMS-period) > period/100 || judged*10 < len(list)*8 {
				t.Errorf("%d of %d judged, %+v", judged, len(list), line)
			}
		})
	}
}

// An evening of cards is not a game: the pieces stand in any way, and the core is paused from the first label to the
// last.
func TestAnEveningIsNoGame(t *testing.T) {
	_, _, err := replay.Run(open(t, rehearsed(t, Rehearsal{Protocol: "short", Seed: 2})), replay.Options{
		Board: "1", Config: config.Default().Core(config.NewBoard("1", "")).Canonical(),
		Effect: func(_ record.Record, e watch.Effect) {
			var l struct{ Type string }
			if err := json.Unmarshal(e.Body, &l); err != nil || l.Type == "hands" || l.Type == "finding" {
				t.Errorf("%v: %s", err, e.Body)
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestRecordingsWithoutLabels(t *testing.T) {
	dir := t.TempDir()
	w, err := journal.Create(dir, "game", journal.Options{OpenBody: func(int, string) []byte { return []byte("{}") }})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(0, "stop"); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(open(t, filepath.Join(dir, "game.bwj"))); !errors.Is(err, ErrNoLabels) || !strings.Contains(err.Error(), "game.bwj") {
		t.Errorf("%v", err)
	}
}

// As in live play, nothing is judged before the scan is known, and no card is judged by later ones.
func TestTheSensorComesFromWhatWasBefore(t *testing.T) {
	rec, conf := read(t, Rehearsal{Protocol: "short", Seed: 6}), detector.DefaultHands()
	list, line := rec.judge(conf)
	if !line.Trusted || len(list) == 0 {
		t.Fatalf("%+v, %d verdicts", line, len(list))
	}
	half := rec
	half.Cases = rec.Cases[:len(rec.Cases)*3/4]
	part, _ := half.judge(conf)
	for i, v := range part {
		if !reflect.DeepEqual(v.Judgement, list[i].Judgement) {
			t.Errorf("card %s: %+v, with what came later %+v", v.ID, v.Judgement, list[i].Judgement)
		}
	}
	only := Recording{Cases: slices.DeleteFunc(slices.Clone(rec.Cases), func(c Case) bool { return c.Handling.Kind == hands.NoKind })}
	only.Cases = only.Cases[:7]
	first, _ := only.judge(conf)
	if first[0].Judgement.Abstain != hands.NoSensor || first[5].Judgement.Abstain != hands.NoSensor {
		t.Errorf("the first cards are judged on an unknown board: %+v", first[0].Judgement)
	}
	if text := strings.Join(Evaluate([]Recording{only}, conf).Warnings, "\n"); !strings.Contains(text, "scan is not known") {
		t.Errorf("%s", text)
	}
}

// verdicts makes 600 captures, one third of them with two hands.
func verdicts(llr func(two bool) int32) (list []Verdict) {
	conf := detector.DefaultHands()
	for i := range 600 {
		two := i%3 == 0
		v := Verdict{Case: Case{Card: Card{What: Capture, Style: map[bool]string{false: "swap", true: "together"}[two]}, Handling: hands.Handling{Kind: hands.Capture}}}
		v.Judgement = hands.Judgement{Known: true, Kind: hands.Capture, LLR: llr(two)}
		v.Said = conf.State(&v.Judgement, v.class())
		list = append(list, v)
	}
	return list
}

func TestWhatLabelsEarn(t *testing.T) {
	key, conf := [2]string{"capture", "blitz"}, detector.DefaultHands()
	list := verdicts(func(two bool) int32 {
		if two {
			return 7000
		}
		return -3000
	})
	g := newGroup(key, list, conf)
	// Timing notes, 4.2: TPR·n/3, with the lower bound of the former.
	if g.One != 400 || g.Two != 200 || g.Found.Count != 200 || g.False.Count != 0 || g.Earned < 0.95*400/3.01 || g.Earned > 400.0/2.99 || g.Styles["together"].Count != 200 {
		t.Errorf("%+v", g)
	}
	// The frequency of cards is not the real frequency: look-alikes have their real weight in the earned ratio.
	for i := range list {
		if !list[i].Two() && i%4 == 0 {
			list[i].Style, list[i].Said.Advisory = "scoop", true
		}
	}
	if g = newGroup(key, list, conf); g.One != 300 || g.False.Count != 0 || g.Earned < 70 || g.Earned > 300.0/3 || g.Styles["scoop"].Count != 100 {
		t.Errorf("%+v", g)
	}
	for i := range list {
		list[i].Judgement, list[i].Said = hands.Judgement{Abstain: hands.Bounce}, detector.Statement{}
	}
	if g = newGroup(key, list, conf); g.Earned != 1 || g.Abstained["bounce"] != 600 || g.Found.Count+g.False.Count != 0 {
		t.Errorf("%+v", g)
	}
}

// Floors: half of the shipped model's detections (docs/hands.md), so that only a break of the chain (labels, sensor,
// tempo, judge) is reported.
func TestEveningsAreJudged(t *testing.T) {
	var list []Recording
	for seed := range uint64(3) {
		list = append(list, read(t, Rehearsal{Protocol: "full", Seed: seed + 1, Family: populations.Families()[seed%4]}))
	}
	var out strings.Builder
	r := Evaluate(list, detector.DefaultHands())
	if err := r.Print(&out); err != nil || len(r.Groups) != 6 {
		t.Fatalf("%v\n%s", err, out.String())
	}
	for _, g := range r.Groups {
		if g.Kind == "castling" && shareRate(g.Found) < 0.1 || g.Kind != "promotion" && g.False.Low > 0.003 {
			t.Errorf("%s", out.String())
		}
	}
}

func TestTheDeckIsBalanced(t *testing.T) {
	p := Protocol{Blocks: []Block{{What: Capture, Cards: []Pile{{"swap", 24}, {"scoop", 12}}}}}
	cards, list := p.deal(0, 9)
	count := map[string]int{}
	for _, c := range cards {
		count[c.Style+" "+string(c.Tempo)]++
		count[c.Style+" "+c.lane.From.String()+" "+string(c.Tempo)]++
		if c.Style == "scoop" && !c.lane.spanned() {
			t.Errorf("a scoop from %v to %v", c.lane.From, c.lane.To)
		}
	}
	for _, tempo := range tempi {
		for _, l := range list {
			if n := count["swap "+l.From.String()+" "+string(tempo)]; n != 2 {
				t.Errorf("%d swaps from %v, %s", n, l.From, tempo)
			}
		}
		if n := count["scoop "+string(tempo)]; n != 4 {
			t.Errorf("%d scoops, %s", n, tempo)
		}
	}
	again, _ := p.deal(0, 9)
	other, _ := p.deal(0, 10)
	if !reflect.DeepEqual(again, cards) || reflect.DeepEqual(other, cards) {
		t.Error("the seed does not decide")
	}
}

// Every card has its texts, no two pieces of a set-up share a square, and every action can be undone.
func TestProtocols(t *testing.T) {
	for name, minutes := range map[string]float64{"full": 27, "short": 6} {
		p, ok := Named(name)
		for n, b := range p.Blocks {
			minutes -= b.Minutes
			cards, list := p.deal(n, 3)
			board := setUp(list)
			for _, l := range list {
				if l.before(board) != board || l.Mover == legal.NoPiece || l.To > 63 {
					t.Errorf("%s: %+v", b.What, l)
				}
			}
			for _, c := range cards {
				if styleWords[c.What][c.Style] == "" || c.What.Kind() != 0 && c.Two() != populations.StyleOf(c.Style).Two() {
					t.Errorf("%+v", c)
				}
			}
		}
		if !ok || minutes > 0 || minutes < -3 {
			t.Errorf("%s takes %.1f minutes more than it should", name, -minutes)
		}
	}
}

// play presses keys, and returns the labels.
func play(t *testing.T, s *Session, keys string) (events string, labels []Label) {
	t.Helper()
	for _, k := range keys {
		s.Key(map[rune]Key{'e': Enter, 'r': RepeatKey, 's': SkipKey, 'q': QuitKey}[k])
		s.Screen()
	}
	labels = s.Take()
	var words []string
	for _, l := range labels {
		back, ok := ParseLabel(l.Body())
		if !ok || back.Event != l.Event || back.Card != l.Card {
			t.Fatalf("%s is read as %+v", l.Body(), back)
		}
		word := string(l.Event)
		if l.Card != "" {
			word += ":" + l.Card + map[bool]string{true: "#"}[l.Attempt > 1]
		}
		words = append(words, word)
	}
	return strings.Join(words, " "), labels
}

func session(t *testing.T, o Options, before []Label) *Session {
	t.Helper()
	s, err := NewSession(o, before)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

var people2 = Options{Protocol: "short", Seed: 4, Players: []string{"Ann", "Bo"}}

func TestSession(t *testing.T) {
	for _, c := range []struct{ name, keys, events string }{
		{"nothing begins before the pieces stand", "srs", "begin"},
		{"a card is done with Enter", "ee", "begin sync card:1.1 done:1.1 card:1.2"},
		{"skipped", "ese", "begin sync card:1.1 skip:1.1 card:1.2 done:1.2 card:1.3"},
		{"the last one is void, and comes again", "eere", "begin sync card:1.1 done:1.1 card:1.2 void:1.1 card:1.1# done:1.1# card:1.2"},
		{"only the last one can be void", "eeerr", "begin sync card:1.1 done:1.1 card:1.2 done:1.2 card:1.3 void:1.2 card:1.2#"},
		{"nothing can be void before the first", "er", "begin sync card:1.1"},
		{"stopped is stopped", "eqeer", "begin sync card:1.1 end"},
	} {
		if got, _ := play(t, session(t, people2, nil), c.keys); got != c.events {
			t.Errorf("%s\n got %s\nwant %s", c.name, got, c.events)
		}
	}
	s := session(t, people2, nil)
	got, labels := play(t, s, strings.Repeat("e", 48+38+7+5+6))
	if !s.Over() || !strings.HasSuffix(got, "done:6.5 end") || labels[2].Performer != "Ann" || labels[len(labels)-2].Performer != "Bo" {
		t.Errorf("%s", got)
	}
}

// The journal's labels are sufficient to continue, and a different session is refused.
func TestASessionGoesOn(t *testing.T) {
	_, labels := play(t, session(t, people2, nil), "eeeserq")
	s := session(t, Options{}, labels)
	if got, _ := play(t, s, "ee"); got != "begin sync card:1.4# done:1.4# card:1.5#" {
		t.Error(got)
	}
	for _, c := range []struct {
		o    Options
		says string
	}{
		{Options{Protocol: "full"}, "another protocol"}, {Options{Seed: 5}, "seed 4"}, {Options{Players: []string{"Bo", "Ann"}}, "[Ann Bo]"}, {Options{Made: "generated"}, "one journal"},
	} {
		if _, err := NewSession(c.o, labels); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v", err)
		}
	}
	_, all := play(t, session(t, people2, nil), strings.Repeat("e", 104))
	if _, err := NewSession(Options{}, all); err == nil || !strings.Contains(err.Error(), "to the end") {
		t.Errorf("a finished session goes on: %v", err)
	}
	for _, players := range [][]string{nil, {"Ann"}, {"Ann", "Ann"}, {"", "Bo"}, {"a", "b", "c"}} {
		if _, err := NewSession(Options{Protocol: "short", Players: players}, nil); err == nil {
			t.Errorf("%q play", players)
		}
	}
}

// shareRate returns the observed share.
func shareRate(s score.Share) float64 { return float64(s.Count) / float64(max(s.Of, 1)) }
