//go:build linux

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"boardwatchd/dgt"
)

// Recordings of programs that ask only for the whole board: nothing tells which square changed, who pressed, or, in two
// of the three forms, when.

// A dumpedGame is a game as such a program records it.
type dumpedGame struct {
	name  string
	dumps [][]byte // whole messages, about one a second
	moves []string // in standard or in coordinate notation
	san   bool
	end   string // the result that the board shows
}

// dumpsOf makes a game of dumps out of one of field updates: the board is asked whenever the clock tells something,
// once a second at least.
func dumpsOf(t *testing.T, messages [][]byte) (dumps [][]byte) {
	t.Helper()
	var board []byte
	for _, m := range messages {
		var d dgt.Decoder
		d.Feed(m)
		f, ok := d.Next()
		if !ok {
			t.Fatalf("no message: %x", m)
		}
		u, isField := f.Field()
		switch {
		case f.ID == dgt.MsgBoard:
			board = append([]byte(nil), m...)
		case isField:
			board[3+int(u.Square)] = byte(u.Piece)
			continue
		}
		dumps = append(dumps, append([]byte(nil), board...))
	}
	return append(dumps, append([]byte(nil), board...))
}

// forms writes the dumps in the three forms.
func (g *dumpedGame) forms() map[string]string {
	var plain, timed, updates strings.Builder
	for i, d := range g.dumps {
		fmt.Fprintf(&plain, "%x\n", d)
		fmt.Fprintf(&timed, `{"t":%d,"dir":"rx","hex":"%x"}`+"\n", i, d)
		if i == 0 {
			fmt.Fprintf(&updates, "%x\n", d)
			continue
		}
		for _, lifted := range [...]bool{true, false} {
			for sq, is := range d[3:] {
				if is != g.dumps[i-1][3+sq] && (is == 0) == lifted {
					fmt.Fprintf(&updates, "8e0005%02x%02x\n", sq, is)
				}
			}
		}
	}
	return map[string]string{"untimed.hex": plain.String(), "timed.jsonl": timed.String(), "updates.hex": updates.String()}
}

// check compares what the program finds in each form with what was played.
func (g *dumpedGame) check(t *testing.T) {
	t.Helper()
	w := newPlace(t)
	for name, text := range g.forms() {
		file := w.write(t, name, text)
		seen := said(t, w.run(t, "", "replay", "--format", "jsonl", file).want(t, 0).out)
		moves := seen.uci
		if g.san {
			moves = seen.san
		}
		if got, want := strings.Join(moves, " "), strings.Join(g.moves, " "); got != want {
			t.Errorf("%s, %s: %d plies, want %d\n got %s\nwant %s", g.name, name, len(moves), len(g.moves), got, want)
		}
		if len(seen.games) != 1 || seen.broken || len(seen.findings) > 0 || seen.result != g.end {
			t.Errorf("%s, %s: %d games, health %v, findings %v, result %q, want %q", g.name, name, len(seen.games), seen.health, seen.findings, seen.result, g.end)
		}
		pgn := movesOfPGN(w.run(t, "", "pgn", file).want(t, 0).out)
		if got, want := strings.Join(pgn, " "), strings.Join(seen.san, " "); got != want {
			t.Errorf("%s, %s: the PGN has\n     %s\nwant %s", g.name, name, got, want)
		}
	}
}

// TestDumpsOfRecordedGames: what was played on real boards is found in dumps alone, with times, without, and as field
// updates.
func TestDumpsOfRecordedGames(t *testing.T) {
	t.Parallel()
	for _, r := range recorded {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			g := dumpedGame{name: r.name, dumps: dumpsOf(t, wire(t, r.name)), moves: listed(t, r.moves), san: strings.HasSuffix(r.moves, ".pgn"), end: r.result}
			g.check(t)
		})
	}
}

// TestDumpsAlone: the same for recordings that hold nothing but dumps.
func TestDumpsAlone(t *testing.T) {
	t.Parallel()
	games := dumpsAlone(t, filepath.Dir(shared(t, "captures/README.md")))
	if len(games) == 0 {
		t.Skip("no recording of dumps alone is among the captures: one is a .bin of 67-byte messages with the moves in a .uci or .pgn beside it")
	}
	for _, g := range games {
		g.check(t)
	}
}

// dumpsAlone finds the recordings of dumps alone, with what was played.
func dumpsAlone(t *testing.T, folder string) (games []dumpedGame) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.bin"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		all, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		g := dumpedGame{name: filepath.Base(file)}
		for len(all) >= 67 && all[0] == 0x86 {
			g.dumps, all = append(g.dumps, all[:67]), all[67:]
		}
		if len(all) > 0 || len(g.dumps) == 0 {
			continue
		}
		stem := strings.TrimSuffix(g.name, ".bin")
		list := stem + ".uci"
		if _, err := os.Stat(filepath.Join(folder, list)); err != nil {
			list, g.san = stem+".pgn", true
		}
		g.moves = listed(t, list)
		games = append(games, g)
	}
	return games
}
