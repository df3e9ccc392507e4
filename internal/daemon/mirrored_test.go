package daemon

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"boardwatchd/internal/hall/mirror"
	"boardwatchd/internal/journal"
	"boardwatchd/internal/record"
	"boardwatchd/internal/retention"
	"boardwatchd/internal/watch"
)

// mirroredJournal puts a journal of a board into a computer's directory, written some days ago; what the machine said
// stands in it.
func mirroredJournal(t *testing.T, dir, board, name string, days int, today time.Time, said ...string) {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.MkdirAll(dir, 0o700))
	body := watch.Opening{Format: watch.Format, Journal: name, Segment: 1, Core: watch.Revision, Source: watch.Live, Board: board}.Body()
	w, err := journal.Create(dir, name, journal.Options{OpenBody: func(int, string) []byte { return body }})
	must(err)
	_, err = w.Append(0, record.Open, body)
	must(err)
	for _, text := range said {
		_, err = w.Add(1, record.Say, []byte(text))
		must(err)
	}
	must(w.Close(2, "stop"))
	at := today.AddDate(0, 0, -days)
	must(os.Chtimes(filepath.Join(dir, name+journal.Extension), at, at))
}

// TestMirroredJournalsAreRemovedAsAnnounced: of each computer the old ones go when that was announced on three days;
// never one that is shown, of the last days, the last one of a board, or with a finding that waits for a person; and it
// is known that they are not missing.
func TestMirroredJournalsAreRemovedAsAnnounced(t *testing.T) {
	dir, today := t.TempDir(), time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)
	one, two := filepath.Join(dir, "table-1"), filepath.Join(dir, "table-2")
	mirroredJournal(t, one, "b1", "b1-r1", 60, today)
	mirroredJournal(t, one, "b1", "b1-r2", 50, today, `{"type":"finding","id":"5:illegal.knight","kind":"illegal.knight","state":"confirmed","alert":"now","decided":null}`)
	mirroredJournal(t, one, "b1", "b1-r3", 45, today)
	mirroredJournal(t, one, "b1", "b1-r4", 2, today)
	mirroredJournal(t, two, "b2", "b2-r1", 60, today)
	mirroredJournal(t, two, "b2", "b2-r2", 55, today)

	for _, name := range []string{"b1-r1.bwj.lost-1", "b1-r1.2.bwj.lost-3", "b1-r2.bwj.lost-1", "b1-r9.bwj.lost-1"} { // of r9 it is all that there is
		if err := os.WriteFile(filepath.Join(one, name), []byte("1 0 open"), 0o600); err != nil {
			t.Fatal(err)
		}
	}

	var gone, aside []string
	limits := retention.Limits{Journals: 1 << 30, IsFree: -1, Days: 40}
	for day := range 6 {
		m := newMirrors(dir) // the hall is started anew each day
		m.now = func() time.Time { return today }
		for range 3 {
			of, _ := m.store.Sizes()
			l, err := m.sweep(t.Context(), of, limits, func(computer, journal string) bool { return computer == "table-1" && journal == "b1-r3" })
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range l.removed {
				gone = append(gone, r.Name)
			}
			for _, file := range l.aside {
				aside = append(aside, filepath.Base(file))
			}
			if day < 3 && (len(l.list.Due) != 2 || l.goes != 2) {
				t.Errorf("day %d: announced: %+v, and %d files that were set aside", day, l.list.Due, l.goes)
			}
			if day < 3 && len(gone)+len(aside) > 0 {
				t.Errorf("%v and %v went on day %d", gone, aside, day)
			}
		}
		today = today.AddDate(0, 0, 1)
	}
	if slices.Sort(gone); !slices.Equal(gone, []string{"table-1/b1-r1", "table-2/b2-r1"}) {
		t.Errorf("removed: %v", gone)
	}
	if slices.Sort(aside); !slices.Equal(aside, []string{"b1-r1.2.bwj.lost-3", "b1-r1.bwj.lost-1"}) {
		t.Errorf("of what was set aside went %q", aside)
	}
	if left := mirror.Open(dir).SetAside("table-1"); len(left) != 2 || len(left["b1-r2"]) != 1 || len(left["b1-r9"]) != 1 {
		t.Errorf("of what was set aside is left %v", left)
	}
	m := newMirrors(dir)
	if of, err := m.store.Sizes(); err != nil || len(of) != 2 || sum(of) == 0 {
		t.Errorf("%v: %v", of, err)
	}
	if removed := m.removedOf("table-1"); !removed("b1-r1") || removed("b1-r3") {
		t.Error("what was removed is not known")
	}
	if left := mirror.Open(dir).List("table-1"); len(left) != 3 {
		t.Errorf("%d are left", len(left))
	}
}
