package hub

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"boardwatchd/internal/hall/view"
	"boardwatchd/internal/hall/wire"
	"boardwatchd/internal/record"
	"boardwatchd/internal/watch"
)

// listening lets a hub of a test read what is mirrored.
func (h *Hub) listening() {
	h.reading.free = 1
	h.opt.Here, h.opt.Late, h.opt.Speak = func(string, bool) {}, func(string, bool) {}, func(string, bool) {}
	h.opt.Hear = func(string, string, int) view.Listener {
		return view.Listener{
			Recovered: func(record.Record) {}, Entered: func(record.Record) {}, Seen: func(watch.View, []watch.Touch) {}, Said: func([]byte) {}, Ready: func() {},
		}
	}
}

// aJournal writes the records of a board.
type aJournal struct {
	text  []byte
	chain record.Chain
	seq   record.Seq
}

func (j *aJournal) add(kind record.Kind, body string) {
	j.seq++
	j.text, j.chain = record.AppendLine(j.text, record.Record{Seq: j.seq, At: int64(j.seq), Kind: kind, Body: []byte(body)}, j.chain)
}

func (j *aJournal) decide(decision, finding, request string) {
	j.add(record.Decide, fmt.Sprintf(`{"finding":%q,"decision":%q,"request":%q}`, finding, decision, request))
}

func beginJournal() *aJournal {
	j := &aJournal{}
	j.add(record.Open, string(watch.Opening{Format: watch.Format, Journal: "1-r1", Segment: 1, Core: watch.Revision, Source: watch.Live, Board: "1", Cause: "start"}.Body()))
	return j
}

// Entries of people that the board's computer has lost are named, even after a restart of the hall, until they were
// made again, until the strikes were set, or until the next journal. Entries that only the mirror has lost are not.
func TestEntriesThatABoardHasLostAreNamed(t *testing.T) {
	t.Parallel()
	h, c, w := mirroringHub(t, t.TempDir())
	h.listening()
	sent := map[*aJournal]int{}
	send := func(j *aJournal) {
		t.Helper()
		at := sent[j]
		if err := w.take(t.Context(), &wire.Chunk{Board: "1", Journal: "1-r1", Segment: 1, Offset: int64(at), Data: j.text[at:]}, func() {}); err != nil {
			t.Fatal(err)
		}
		sent[j] = len(j.text)
	}
	want := func(why string, lost ...string) {
		t.Helper()
		if got := w.lostOf(); !slices.Equal(got, lost) {
			t.Errorf("%s: lost are %q, want %q", why, got, lost)
		}
	}
	first := beginJournal()
	first.add(record.Instruct, `{"do":"strikes","white":1,"black":0,"request":"request-0"}`)
	send(first)
	older := *first
	first.decide("confirm", "60:illegal.knight", "request-1")
	first.decide("confirm", "88:illegal.bishop", "request-2")
	first.add(record.Instruct, `{"do":"result","result":"1-0","request":"request-3"}`)
	send(first)
	want("nothing is lost")

	second := &older // the computer has an older copy of its directory
	sent[second] = sent[first]
	second.add(record.Gap, `{}`)
	for len(second.text) <= len(first.text) {
		second.add(record.Wall, ``)
	}
	sent[second] = len(first.text) / 2 // the chunk goes over what differs
	send(second)
	want("an older copy", "confirm 60:illegal.knight", "confirm 88:illegal.bishop", "result")
	second.decide("confirm", "60:illegal.knight", "request-4")
	send(second)
	want("one is decided again", "confirm 88:illegal.bishop", "result")
	w.close()
	w = newWorker(c, "1") // the hall is started again
	send(second)
	if w.view == nil {
		t.Fatal("it is not read")
	}
	want("after a restart", "confirm 88:illegal.bishop", "result")
	second.add(record.Instruct, `{"do":"strikes","white":2,"black":0,"request":"request-5"}`)
	send(second)
	want("the strikes are set")

	third := *second // the mirror is damaged: the board has everything
	path := w.journal.Path(1)
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)-2] ^= 1
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	sent[&third] = len(third.text) / 2
	send(&third)
	if lost, err := filepath.Glob(path + ".lost-*"); err != nil || len(lost) != 2 {
		t.Errorf("set aside are %q, %v", lost, err)
	}
	want("a mirror that was damaged")
}
