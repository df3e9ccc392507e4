package replay_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"boardwatchd/internal/config"
	"boardwatchd/internal/emulator"
	"boardwatchd/internal/playback"
	"boardwatchd/internal/players"
	"boardwatchd/internal/record"
	"boardwatchd/internal/recording"
	"boardwatchd/internal/replay"
	"boardwatchd/internal/watch"
	"boardwatchd/rules/legal"
)

// offended are two games in which people err, as a journal under a profile.
func offended(t *testing.T, profile string) (path string) {
	t.Helper()
	src := &rows{}
	_, err := players.Record(players.Options{Seed: 11, Count: 2, Offences: players.Offences{PerMille: 60}}, func(at int64, dir byte, p []byte) {
		if dir == emulator.FromBoard {
			src.recs = append(src.recs, record.Record{At: at, Kind: record.Rx, Body: append([]byte(nil), p...)})
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(t.TempDir(), "game.bwj")
	c, err := replay.NewCopier(path)
	if err != nil {
		t.Fatal(err)
	}
	rules, err := config.Profile(profile)
	if err != nil {
		t.Fatal(err)
	}
	o := replay.Options{Board: "7", Profile: profile}
	o.Rules = append(o.Rules, rules)
	c.Tee(&o)
	if _, _, err = replay.Run(src, o); err == nil {
		err = c.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// TestPlaybackShowsWhatTheMachineSees: the rows of a game, gone through one by one, lead to the squares, positions,
// clocks and words that a machine has that reads the same journal.
func TestPlaybackShowsWhatTheMachineSees(t *testing.T) {
	path := offended(t, "fide-rapid")
	rec, err := replay.Playback(open(t, path), replay.Options{}, nil)
	if err != nil || len(rec.Games) != 2 || rec.Board != "7" {
		t.Fatalf("%v: %d games of board %q", err, len(rec.Games), rec.Board)
	}
	said := map[string]int{}
	kinds := map[int64]record.Kind{}
	src := open(t, path)
	for {
		it, err := src.Next()
		if err != nil {
			break
		}
		kinds[int64(it.Record.Seq)] = it.Record.Kind
		var o struct{ Type string }
		if it.Record.Kind == record.Say && json.Unmarshal(it.Record.Body, &o) == nil {
			said[o.Type]++
		}
	}
	m, _, err := replay.Run(open(t, path), replay.Options{})
	if err != nil {
		t.Fatal(err)
	}
	v := m.View()
	last := rec.Games[1]
	if have := follow(t, last, kinds); have != v.Placement {
		t.Errorf("the squares lead to %s, the machine has %s", have, v.Placement)
	}
	if have := last.Positions[len(last.Positions)-1].FEN; have != v.FEN {
		t.Errorf("the record leads to %s, the machine has %s", have, v.FEN)
	}
	if white, black := lastClock(last); white != v.Clock.White || black != v.Clock.Black {
		t.Errorf("the clocks lead to %d, %d, the machine has %d, %d", white, black, v.Clock.White, v.Clock.Black)
	}
	judged, moves := 0, 0
	for _, g := range rec.Games {
		moves += len(g.Moves)
		for _, p := range g.Presses {
			if p.Judged != "" {
				judged++
			}
		}
		if g.Result == "" || g.Plies == 0 || g.From > g.To {
			t.Errorf("game %d: result %q, %d plies, %d to %d", g.Game, g.Result, g.Plies, g.From, g.To)
		}
	}
	if judged != said["press"] || moves != said["move"] || judged < 50 {
		t.Errorf("%d presses of %d, %d moves of %d", judged, said["press"], moves, said["move"])
	}
}

// follow applies the touches of a game, each of which must find what the one before has left, and come from bytes of
// the board.
func follow(t *testing.T, g *playback.Game, kinds map[int64]record.Kind) string {
	t.Helper()
	var squares legal.Placement
	set := func(text string) {
		if text != "" {
			s, err := legal.ParseFEN(text + " w - - 0 1")
			if err != nil {
				t.Fatal(err)
			}
			squares = s.Placement
		}
	}
	set(g.Placement)
	for _, x := range g.Touches {
		if x.Square == "" {
			set(x.Is)
			continue
		}
		sq, _ := legal.ParseSquare(x.Square)
		was := ""
		if p := squares[sq]; p != legal.NoPiece {
			was = p.String()
		}
		if was != x.Was || kinds[x.Seq] != record.Rx || x.Width < 0 {
			t.Fatalf("%+v, of a record %s: before it %q stands there", x, kinds[x.Seq], was)
		}
		squares[sq] = piece(x.Is)
	}
	return squares.String()
}

func piece(letter string) legal.Piece {
	s, err := legal.ParseFEN("8/8/8/8/8/8/8/" + letter + "7 w - - 0 1")
	if letter == "" || err != nil {
		return legal.NoPiece
	}
	return s.Placement[0]
}

func lastClock(g *playback.Game) (white, black int) {
	for i := 0; i+4 < len(g.Clock); i += 5 {
		white, black = white+int(g.Clock[i+2]), black+int(g.Clock[i+3])
	}
	return white, black
}

// TestPlaybackOfACapture is the same as of the journal that was made of it.
func TestPlaybackOfACapture(t *testing.T) {
	src := capture(t, 5, 1)
	path := journalOf(t, src)
	src.at = 0
	var both [2]string
	for i, s := range [...]replay.Source{src, open(t, path)} {
		rec, err := replay.Playback(s, replay.Options{Board: "1"}, nil)
		if err != nil || len(rec.Games) != 1 {
			t.Fatal(err)
		}
		g := rec.Games[0]
		for k := range g.Touches {
			g.Touches[k].Seq = 0 // a journal's numbers count effects too
		}
		text, err := json.Marshal(g.Touches)
		if err != nil {
			t.Fatal(err)
		}
		both[i] = string(text)
	}
	if both[0] != both[1] || len(both[0]) < 1000 {
		t.Errorf("the capture has\n%.300s\nthe journal\n%.300s", both[0], both[1])
	}
}

// TestWhatIf: other rules make a difference, the same ones none.
func TestWhatIf(t *testing.T) {
	path := offended(t, "fide-rapid")
	compare := func(profile string) *playback.WhatIf {
		p, err := config.Profile(profile)
		if err != nil {
			t.Fatal(err)
		}
		o := replay.Options{Profile: profile}
		o.Rules = append(o.Rules, p)
		w, err := replay.WhatIf(func() (replay.Reading, error) { return recording.Open(path, nil) }, o)
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	if w := compare("fide-rapid"); len(w.Differences) != 0 {
		t.Errorf("its own rules differ: %+v", w.Differences[0])
	}
	w := compare("fide-blitz-supervised")
	if len(w.Differences) == 0 {
		t.Fatal("other rules make no difference")
	}
	for i, d := range w.Differences {
		if i > 0 && (d.Game < w.Differences[i-1].Game || d.Game == w.Differences[i-1].Game && d.T < w.Differences[i-1].T) {
			t.Errorf("difference %d is out of order", i)
		}
		if d.Was == nil && d.Now == nil {
			t.Errorf("difference %d has no side", i)
		}
	}
}

// TestPlaybackFile writes what a browser opens; that it does is tried in internal/e2e. A name with markup ends no
// block.
func TestPlaybackFile(t *testing.T) {
	src := capture(t, 5, 1)
	names := record.Record{Seq: 2, Kind: record.Instruct, Body: watch.Instruction{Do: watch.DoNames, White: "</script><b>", Black: "B"}.Body()}
	rec, err := replay.Playback(&rows{recs: append([]record.Record{names}, src.recs...)}, replay.Options{Board: "</title>"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := playback.WriteFile(&out, []*playback.Recording{rec, rec}); err != nil {
		t.Fatal(err)
	}
	page := out.String()
	if strings.Count(page, "</script>") != strings.Count(page, "<script") || strings.Count(page, "</title>") != 1 || strings.Contains(page, "<b>") {
		t.Error("what was recorded ends a block")
	}
	for _, want := range []string{`id="game-0-0"`, `id="game-1-0"`, `id="texts-hi"`, "default-src 'none'; script-src 'sha256-"} {
		if !strings.Contains(page, want) {
			t.Errorf("the file has no %s", want)
		}
	}
	for _, bad := range []string{"http://", "https://", "src=", "href=\"", "unsafe-inline"} {
		if rest := strings.ReplaceAll(page, "http://www.w3.org/2000/svg", ""); strings.Contains(rest, bad) {
			t.Errorf("the file has %s", bad)
		}
	}
}
