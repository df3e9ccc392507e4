package main

import (
	"os"
	"path/filepath"
	"testing"

	"boardwatchd/internal/config"
	"boardwatchd/internal/journal"
	"boardwatchd/internal/record"
	"boardwatchd/internal/watch"
)

// Two computers of a hall have the same journal, because a card was copied, and have gone on in it: its game is one.
func TestPGNHasAGameOfTwoCopiesOnce(t *testing.T) {
	dir, name := t.TempDir(), "1-r4"
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	var files []string
	for _, computer := range []string{"table-1", "table-9"} {
		of := filepath.Join(dir, "hall", "mirror", computer)
		must(os.MkdirAll(of, 0o700))
		w, err := journal.Create(of, name, journal.Options{})
		must(err)
		opening := func(segment int, boot string) []byte {
			return watch.Opening{Format: watch.Format, Journal: name, Segment: segment, Core: watch.Revision, Source: watch.Live, Board: "1", Boot: boot,
				Config: config.Default().Core(config.NewBoard("1", "")).Canonical()}.Body()
		}
		_, err = w.Add(0, record.Open, opening(1, "one"))
		must(err)
		_, err = w.Add(1, record.Instruct, watch.Instruction{Do: watch.DoPosition, FEN: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"}.Body())
		must(err)
		_, err = w.Add(2, record.Say, []byte(`{"type":"game","seq":2,"t":0,"board":"1","game":1,"fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"}`))
		must(err)
		_, err = w.Add(3, record.Open, opening(1, computer))
		must(err)
		must(w.Close(4, "end"))
		files = append(files, filepath.Join(of, name+journal.Extension))
	}
	counts := countedGames(files)
	if one, two := counts(files[0], 1), counts(files[1], 1); one == two {
		t.Errorf("the game counts at the first: %v, and at the second: %v", one, two)
	}
	if counts := countedGames(files[:1]); !counts(files[0], 1) {
		t.Error("a journal that is alone is left out")
	}
}
