//go:build linux

package e2e

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestReleasedJournals: a journal of each format that was ever released is verified, becomes PGN, and a round is
// continued after it: names, decisions and notes in it are shown as they were. Each was written by the program of its
// time and ended with kill -9, after an illegal move that somebody called Anna's phone has decided about.
func TestReleasedJournals(t *testing.T) {
	long(t)
	files, err := filepath.Glob("testdata/released/*.bwj.gz")
	if err != nil || len(files) == 0 {
		t.Fatalf("no journals: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			v := newVenue(t)
			v.configure(t, "boards: [{name: b1, port: "+v.path("nothing")+", white_clock: left}]\n")
			if err := os.Mkdir(v.state(), 0o700); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(v.state(), "b1-r1.bwj")
			if err := os.WriteFile(path, unpacked(t, file), 0o640); err != nil {
				t.Fatal(err)
			}
			// From revision 8 on the names are in a file beside the journal.
			if people, err := os.ReadFile(strings.TrimSuffix(file, ".bwj.gz") + ".people.json"); err == nil {
				if err := os.WriteFile(filepath.Join(v.state(), "people.json"), people, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			whole(t, v.run(t, "", "verify", path), "unclosed")
			if pgn := v.run(t, "", "pgn", path).want(t, 0).out; !strings.Contains(pgn, "[White \"Adams, Ann\"]\n[Black \"Bell, Bob\"]") || !strings.Contains(pgn, "1. e4") {
				t.Errorf("the PGN:\n%s", pgn)
			}
			v.open(t)
			bob := v.pair(t, "Bob")
			i := bob.awaitItem(t, "with its decision", func(i apiItem) bool { return i.Finding.Kind == "illegal.knight" && len(i.Decisions) == 1 })
			if d := i.Decisions[0]; i.decided() != "confirm" || d.By != "Anna's phone" || d.Note != "seen by two arbiters" {
				t.Errorf("the decision is %+v, in force is %q", d, i.decided())
			}
			bob.tell(t, report("draw-offer", "black"))
			v.stopped(t)
			whole(t, v.run(t, "", "verify", path), "closed")
		})
	}
}

// whole fails unless verify calls a journal equal, or one of another revision that says something else today.
func whole(t *testing.T, r result, end string) {
	t.Helper()
	if r.status != 0 && r.status != 4 || !strings.Contains(r.out, end) {
		t.Errorf("verify: status %d: %s%s", r.status, r.out, r.err)
	}
}

func unpacked(t *testing.T, file string) []byte {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
