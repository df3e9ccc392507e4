package lab

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"boardwatchd/detector/hands"
	"boardwatchd/internal/journal"
	"boardwatchd/internal/recording"
	"boardwatchd/internal/replay"
	"boardwatchd/internal/research/populations"
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

// rehearsed plays a protocol and returns the journal's path.
func rehearsed(t *testing.T, r Rehearsal) string {
	t.Helper()
	r.Dir, r.Name = t.TempDir(), "evening"
	if err := r.Play(); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(r.Dir, r.Name+journal.Extension)
}

// The whole protocol, on boards of several kinds: the journal verifies, every card is in it with its label, and the scan that is
// measured from it is the board's.
func TestARehearsalIsReadBack(t *testing.T) {
	for _, c := range []struct {
		name   string
		family populations.Family
		board  populations.Board
	}{
		{"jerk, the usual board", populations.Jerk, populations.Board{}},
		{"two-phase, White at the far side", populations.TwoPhase, populations.Board{Reversed: true, Order: hands.RasterReverse}},
		{"stroke, a fast board, by columns", populations.Stroke, populations.Board{PeriodUS: 100_000, Order: hands.Column, JitterUS: 2000}},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := rehearsed(t, Rehearsal{Protocol: Full(), Seed: 11, Family: c.family, Board: c.board})
			v, err := replay.Verify(open(t, path))
			if err != nil || v.First != nil || v.Missing || v.Lost > 0 {
				t.Errorf("verify: %+v, %v", v, err)
			}
			rec, err := Read(open(t, path))
			if err != nil {
				t.Fatal(err)
			}
			if want := Full().Cards(); len(rec.Cases) != want || !strings.Contains(rec.Made, c.family.String()) {
				t.Errorf("%d cards by %q, want %d", len(rec.Cases), rec.Made, want)
			}
			got, want := map[string]int{}, map[string]int{}
			for _, k := range rec.Cases {
				got[string(k.What)+" "+k.Style]++
				if s, _ := populations.StyleOf(k.Style); k.Deed.Kind != hands.NoKind && k.Two != s.Two() {
					t.Errorf("%+v: two hands %v", k.Card, k.Two)
				}
				if len(k.Deed.Reports) == 0 || k.Deed.Trouble {
					t.Errorf("card %s: %d reports, trouble %v", k.Card, len(k.Deed.Reports), k.Deed.Trouble)
				}
			}
			for _, b := range Full().Blocks {
				for _, pile := range b.Cards {
					want[string(b.What)+" "+pile.Style] += pile.Count
				}
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("styles\n got %v\nwant %v", got, want)
			}
			_, line := rec.judge(hands.Standard())
			period, order := max(float64(c.board.PeriodUS)/1000, 0), c.board.Order
			if period == 0 {
				period = 225
			}
			if order == hands.UnknownOrder {
				order = hands.Raster
			}
			if !line.Trusted || line.Order != order.String() || line.PeriodMS < period*0.99 || line.PeriodMS > period*1.01 || line.People != 2 {
				t.Errorf("%+v", line)
			}
		})
	}
}

// Half a session is a whole journal, and what was played twice counts once.
func TestAStoppedRehearsal(t *testing.T) {
	path := rehearsed(t, Rehearsal{Protocol: Short(), Seed: 2, Halt: func(cards int) bool { return cards == 70 }})
	rec, err := Read(open(t, path))
	if err != nil || len(rec.Cases) != 70 {
		t.Errorf("%d cards, %v", len(rec.Cases), err)
	}
	var m Memory
	if err := m.Read(open(t, path)); err != nil || m.cards() != 70 {
		t.Errorf("%d cards remembered, %v", m.cards(), err)
	}
	ids := map[string]bool{}
	for _, c := range rec.Cases {
		if ids[c.Card] {
			t.Errorf("card %s counts twice", c.Card)
		}
		ids[c.Card] = true
	}
}

// captured writes a game, and returns the file.
func captured(t *testing.T, g *populations.Game) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "game.jsonl")
	var out bytes.Buffer
	if err := g.WriteCapture(&out); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// A capture with labels in its header, as the families write it, gives the deeds as they were made.
func TestAHeaderWithLabelsIsRead(t *testing.T) {
	for _, board := range []populations.Board{{}, {Reversed: true, Order: hands.Column}} {
		g := populations.Play(populations.GameOptions{
			Options: populations.Options{Seed: 12, Board: board}, Plies: 110,
			TwoHanded: map[hands.Kind]float64{hands.Capture: 0.5, hands.Castling: 0.5},
		})
		rec, err := Read(open(t, captured(t, g)))
		if err != nil || len(rec.Cases) != len(g.Plies) || rec.Made == "" {
			t.Fatalf("%d of %d half-moves, made %q: %v", len(rec.Cases), len(g.Plies), rec.Made, err)
		}
		for i, p := range g.Plies {
			c, want := rec.Cases[i], p.Deed
			if c.Two != p.Two || c.Style != p.Style.String() || c.Deed.Kind != want.Kind || c.Deed.From != want.From || c.Deed.Victim != want.Victim ||
				c.Deed.Taken != want.Taken || c.Deed.Put != want.Put || c.Deed.RookTo != want.RookTo || c.Deed.Reversed != want.Reversed {
				t.Errorf("half-move %d %s:\n got %+v\nwant %+v", i+1, p.UCI, c.Deed, want)
			}
			if !slices.EqualFunc(c.Deed.Reports, want.Reports, sameChange) {
				t.Errorf("half-move %d %s:\n got %+v\nwant %+v", i+1, p.UCI, c.Deed.Reports, want.Reports)
			}
		}
	}
}

// sameChange: a recording's time begins with its first line, the game's a little before.
func sameChange(a, b hands.Report) bool {
	return a.Square == b.Square && a.Was == b.Was && a.Is == b.Is && a.At+300_000 == b.At
}

func TestRecordingsWithoutLabels(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"capture.jsonl":    `{"t":0.1,"dir":"rx","hex":"8e00051402"}` + "\n",
		"header.jsonl":     `{"source":"a board"}` + "\n" + `{"t":0.1,"dir":"rx","hex":"8e00051402"}` + "\n",
		"impossible.jsonl": `{"labels":[{"uci":"e2e5"}]}` + "\n" + `{"t":0.1,"dir":"rx","hex":"8e00051402"}` + "\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Read(open(t, path))
		if err == nil || !strings.Contains(err.Error(), path) || errors.Is(err, io.EOF) {
			t.Errorf("%s: %v", name, err)
		}
		if name != "impossible.jsonl" && !errors.Is(err, ErrNoLabels) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A label is what it was after a journey through a journal.
func TestLabelRoundTrip(t *testing.T) {
	p := Short()
	two := true
	for _, l := range []Label{
		{Event: Begin, Protocol: &p, Seed: 1<<63 + 5, Operator: "Zoë <&>", Players: []string{"7", "12"}},
		{Event: Done, Card: "3.4", Block: 3, Attempt: 2, What: Capture, Kind: "capture", Two: &two, Style: "hold first", Tempo: Max, Reversed: true,
			Performer: "7", Resetter: "12", Deed: &Deed{From: "a1", To: "a2", Victim: "a2", Mover: "R", Taken: "p", Put: "R"}, By: "board", Note: "a\x7fb"},
		{Event: Void, Card: "3.4", Attempt: 2},
	} {
		body := l.Body()
		back, ok := ParseLabel(body)
		l.Do = Do
		if !ok || !reflect.DeepEqual(back, l) {
			t.Errorf("%s\n got %+v\nwant %+v", body, back, l)
		}
		if bytes.ContainsAny(body, "\n\x7f") || bytes.Contains(body, []byte(`\u003c`)) {
			t.Errorf("%s cannot stand in a journal, or be read there", body)
		}
	}
	for _, other := range []string{`{"do":"pause"}`, `{"do":"label"}`, `{"do":"alert","event":"label"}`, `"label"`, ``} {
		if l, ok := ParseLabel([]byte(other)); ok {
			t.Errorf("%s is read as %+v", other, l)
		}
	}
}

// A and B of one evening are not those of another; a number is the same person everywhere.
func TestWhoIsWho(t *testing.T) {
	r := reader{out: Recording{Name: "one.bwj"}}
	r.label(Label{Event: Begin, Players: []string{"A", "17"}})
	if a, b := r.person("A"), r.person("17"); a != "one.bwj A" || b != "17" {
		t.Errorf("%q and %q", a, b)
	}
}

func FuzzProtocol(f *testing.F) {
	f.Add(Short().YAML())
	f.Add([]byte("blocks: [{what: capture, layout: 2, tempi: [max], cards: [{style: swap, count: 3}]}]"))
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := ParseProtocol("f", text)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "f: ") {
				t.Errorf("without its place: %v", err)
			}
			return
		}
		for i := range p.Blocks {
			if cards, lanes := deal(p, i, 1); len(cards) != p.Blocks[i].cards() || len(lanes) == 0 {
				t.Errorf("block %d: %d cards, want %d", i+1, len(cards), p.Blocks[i].cards())
			}
		}
	})
}

func TestProtocolIsRefused(t *testing.T) {
	for _, c := range []struct{ text, says string }{
		{"", "nothing in it"},
		{"blocks: []", "1 to 60"},
		{"blocks: [{what: chess, cards: [{style: swap, count: 3}]}]", "block 1: what"},
		{"blocks: [{what: capture}]", "cards: none"},
		{"blocks: [{what: capture, cards: [{style: plain, count: 3}]}]", `"plain" is no style of capture; it has swap`},
		{"blocks: [{what: capture, cards: [{style: swap, count: 0}]}]", "count 0"},
		{"blocks: [{what: capture, layout: 3, cards: [{style: swap, count: 1}]}]", "layout: 3"},
		{"blocks: [{what: capture, tempi: [slow], cards: [{style: swap, count: 1}]}]", "relaxed, fast, max"},
		{"blocks: [{what: capture, minutes: -1, cards: [{style: swap, count: 1}]}]", "minutes"},
		{"blocks: [{what: capture, colour: red, cards: [{style: swap, count: 1}]}]", "line 1: field colour is no key there"},
		{"blocks: [{what: capture, cards: [{style: swap, count: 900}]}, {what: capture, cards: [{style: swap, count: 900}]}]", "1800 cards"},
	} {
		if _, err := ParseProtocol("p.yaml", []byte(c.text)); err == nil || !strings.Contains(err.Error(), c.says) || !strings.HasPrefix(err.Error(), "p.yaml: ") {
			t.Errorf("%s\n%v", c.text, err)
		}
	}
	for _, p := range []Protocol{Full(), Short()} {
		back, err := ParseProtocol("p", p.YAML())
		if err != nil || !reflect.DeepEqual(back, p) {
			t.Errorf("%s: read back %+v, %v", p.Name, back, err)
		}
	}
	if n := Full().Cards(); n != 335 {
		t.Errorf("%d cards", n)
	}
}

// Every style meets every lane it fits and every tempo, and the same seed deals the same.
func TestTheDeckIsBalanced(t *testing.T) {
	p := Protocol{Name: "t", Blocks: []Block{{What: Capture, Cards: []Pile{{"swap", 24}, {"scoop", 12}}}}}
	cards, lanes := deal(p, 0, 9)
	count := map[string]int{}
	for _, c := range cards {
		count[c.Style+" "+string(c.Tempo)]++
		count[c.Style+" "+c.lane.from.String()+" "+string(c.Tempo)]++
		if c.Style == "scoop" && !c.lane.spanned() {
			t.Errorf("a scoop from %v to %v", c.lane.from, c.lane.to)
		}
	}
	for _, tempo := range tempi {
		for _, l := range lanes {
			if n := count["swap "+l.from.String()+" "+string(tempo)]; n != 2 {
				t.Errorf("%d swaps from %v, %s", n, l.from, tempo)
			}
		}
		if n := count["scoop "+string(tempo)]; n != 4 {
			t.Errorf("%d scoops, %s", n, tempo)
		}
	}
	again, _ := deal(p, 0, 9)
	other, _ := deal(p, 0, 10)
	if !slices.Equal(again, cards) || slices.Equal(other, cards) {
		t.Error("the seed does not decide")
	}
}

// No two pieces of a set-up stand on one square, and no lane leads over a piece of another.
func TestLayouts(t *testing.T) {
	for what, sets := range layouts {
		for n, lanes := range sets {
			board := setUp(lanes)
			used, want := 0, 0
			for _, p := range board {
				if p != 0 {
					used++
				}
			}
			for _, l := range lanes {
				if !l.off {
					want++
				}
				if l.victim < 64 {
					want++
				}
				if l.rookFrom < 64 && (what != Castling || l.to.File() == 6) {
					want++ // both castlings share the king
				} else if l.rookFrom < 64 {
					continue
				}
				if !l.off && l.victim >= 64 && board[l.to] != 0 {
					t.Errorf("%s %d: %v is taken", what, n+1, l.to)
				}
				if l.mover == 0 || l.put == 0 || l.to > 63 {
					t.Errorf("%s %d: %+v", what, n+1, l)
				}
			}
			if used != want {
				t.Errorf("%s %d: %d pieces on the board, %d in the lanes", what, n+1, used, want)
			}
		}
	}
}
