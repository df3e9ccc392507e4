package uplink

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"boardwatchd/internal/journal"
)

// An answer is one message. Of more journals than one can name, the hall hears of those that are written now, and of
// the last ones.
func TestAListOfManyJournalsFitsIntoAMessage(t *testing.T) {
	const many, message = 8000, 1 << 20
	dir := t.TempDir()
	u := New(Options{Dir: dir})
	u.boards["1"] = &board{journal: "1-r1"}
	write := func(name string, at time.Time) {
		t.Helper()
		path := filepath.Join(dir, journal.SegmentName(name, 1))
		if err := os.WriteFile(path, []byte("\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	first := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	write("1-r1", first.Add(-time.Hour))
	long := strings.Repeat("x", 60)
	for i := range many {
		write(fmt.Sprintf("%04d-%s", i, long), first.Add(time.Duration(i)*time.Minute))
	}
	a := u.list()
	text, err := json.Marshal(a)
	if err != nil || len(text) > message*9/10 {
		t.Errorf("the answer has %d bytes, %v", len(text), err)
	}
	if n := len(a.Journals); n < many/2 || n > many {
		t.Fatalf("%d journals of %d", n, many)
	}
	if a.Journals[0].Name != "1-r1" || a.Journals[1].Name != fmt.Sprintf("%04d-%s", many-1, long) {
		t.Errorf("the first ones are %s and %s", a.Journals[0].Name, a.Journals[1].Name)
	}
	u = New(Options{Dir: dir})
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if a := u.list(); a.Error == "" {
		t.Error("a directory that cannot be read has no journals")
	}
}
