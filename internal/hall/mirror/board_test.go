package mirror

import (
	"os"
	"testing"

	"boardwatchd/internal/journal"
	"boardwatchd/internal/record"
	"boardwatchd/internal/watch"
)

// A journal whose first record is torn belongs to its board all the same: it is compared and shown.
func TestTheBoardOfATornJournal(t *testing.T) {
	dir := t.TempDir()
	opening := func(segment int, cause string) []byte {
		return watch.Opening{Format: watch.Format, Journal: "1-r1", Segment: segment, Core: watch.Revision, Source: watch.Live, Board: "1", Cause: cause}.Body()
	}
	w, err := journal.Create(dir, "1-r1", journal.Options{SegmentBytes: 1 << 10, OpenBody: opening})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Append(1, record.Open, opening(1, "start")); err != nil {
		t.Fatal(err)
	}
	for n := range 100 {
		if _, err := w.Append(int64(2+n), record.Wall, nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(200, "stop"); err != nil {
		t.Fatal(err)
	}
	list, err := journal.List(dir)
	if err != nil || len(list) != 1 || len(list[0].Segments) < 2 {
		t.Fatal(list, err)
	}
	if err := os.Truncate(list[0].Segments[0].Path, 50); err != nil {
		t.Fatal(err)
	}
	if got := BoardOf(list[0]); got != "1" {
		t.Errorf("the board is %q", got)
	}
	if got := BoardOf(journal.Entry{Segments: list[0].Segments[:1]}); got != "" {
		t.Errorf("of the torn segment alone the board is %q", got)
	}
}
