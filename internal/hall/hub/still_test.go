package hub

import (
	"testing"
	"time"

	"boardwatchd/internal/hall/wire"
	"boardwatchd/internal/journal"
	"boardwatchd/internal/record"
)

// A board of which the hall has not all stands still when nothing of it is taken for long, and not while it catches up,
// waits for others, or cannot be reached; it does so until the hall has all.
func TestABoardThatStandsStill(t *testing.T) {
	t.Parallel()
	h, _, w := mirroringHub(t, t.TempDir())
	h.listening()
	var since time.Time
	times := 0
	h.opt.Stalled = func(board string, at time.Time, computer string) {
		if times++; board != "1" || computer != "table-1" {
			t.Errorf("told is the board %q of %q", board, computer)
		}
		since = at
	}
	now := time.Now()
	begun := now
	look := func(here bool, d time.Duration) {
		for range int(d / pollEvery) {
			now = now.Add(pollEvery)
			w.checkStall(here, now)
		}
	}
	j := beginJournal()
	n := len(j.text)
	j.add(record.Wall, "")
	line, next := j.text[:n], j.text[n:]
	take := func(offset int, data []byte) {
		t.Helper()
		if err := w.take(t.Context(), &wire.Chunk{Board: "1", Journal: "1-r1", Segment: 1, Offset: int64(offset), Data: data}, func() {}); err != nil {
			t.Fatal(err)
		}
	}
	quiet := func(why string) {
		t.Helper()
		if times != 0 {
			t.Fatalf("it stands still %s", why)
		}
	}

	look(true, time.Hour)
	quiet("before its computer has named a record")
	head := journal.Head{Seq: 2, Journal: "1-r1"}
	w.note(head, true)
	look(true, time.Hour)
	quiet("while its own disk takes nothing")
	w.note(head, false)
	look(false, time.Hour)
	quiet("while its computer is away")
	w.awaitsOthers.Store(true)
	look(true, time.Hour)
	quiet("while other journals are read")
	w.awaitsOthers.Store(false)
	for i := range len(line) { // a slow network
		look(true, stallAfter-pollEvery)
		take(i, line[i:i+1])
	}
	look(true, pollEvery)
	quiet("while it catches up")

	begun = now
	look(true, stallAfter)
	if times != 1 || since.Sub(begun).Abs() > pollEvery {
		t.Fatalf("told was %d times that it stands still since %v, %v after the last chunk", times, since, since.Sub(begun))
	}
	if got := w.stalledSince(); !got.Equal(since) {
		t.Errorf("the list says since %v", got)
	}
	take(len(line), next[:len(next)/2])
	look(true, time.Hour)
	if times != 1 {
		t.Error("with a part of what is missing it goes on")
	}
	take(len(line)+len(next)/2, next[len(next)/2:])
	look(true, pollEvery)
	if times != 2 || !since.IsZero() || !w.stalledSince().IsZero() {
		t.Errorf("told was %d times, at last %v, although all is here", times, since)
	}
	head.Seq = 3
	w.note(head, false)
	look(true, stallAfter+pollEvery)
	look(false, pollEvery)
	if times != 4 || !since.IsZero() {
		t.Errorf("told was %d times, at last %v, and its computer is away", times, since)
	}
}
