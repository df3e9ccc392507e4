package uplink

import (
	"bytes"
	"os"
	"testing"

	"boardwatchd/internal/hall/wire"
	"boardwatchd/internal/journal"
	"boardwatchd/internal/record"
)

// The board's disk was rolled back over the border of a segment: the journal is sent again, because segments
// before may have lost their ends.
func TestAfterAChunkOfALostSegment(t *testing.T) {
	f := files{t.TempDir(), "1-r1"}
	for n := 1; n <= 3; n++ {
		if err := os.WriteFile(f.path(n), []byte("line\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for segment := 1; segment <= 5; segment++ {
		c := wire.Chunk{Journal: f.name, Segment: segment, Data: []byte("lost\n")}
		if at := f.after(&c); at != (place{segment: 1}) {
			t.Errorf("after a chunk of segment %d: %+v, want the first", segment, at)
		}
	}
}

// What an earlier journal does not show where it is damaged may stand there: nobody is told that it was not taken.
func TestARequestInADamagedJournal(t *testing.T) {
	dir := t.TempDir()
	w, err := journal.Create(dir, "1-r1", journal.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, body := range []string{"{}", `{"request":"here"}`, `{"request":"gone"}`, "{}"} {
		if _, err := w.Append(1, record.Decide, []byte(body)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(1, "stop"); err != nil {
		t.Fatal(err)
	}
	if seq, err := requestIn(dir, "1-r1", "other"); seq != 0 || err != nil {
		t.Errorf("one that it never had: %d %v", seq, err)
	}
	path := files{dir, "1-r1"}.path(1)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, bytes.Replace(text, []byte("gone"), []byte("g?ne"), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	if seq, err := requestIn(dir, "1-r1", "here"); seq != 2 || err != nil {
		t.Errorf("one that can be read: %d %v", seq, err)
	}
	if seq, err := requestIn(dir, "1-r1", "gone"); seq != 0 || err == nil {
		t.Errorf("one that cannot be read: %d %v", seq, err)
	}
}

// A journal that takes another name is brought under that one, and what it has is not forgotten.
func TestAJournalThatTakesAnotherName(t *testing.T) {
	u := New(Options{})
	u.Watch("1", "1-r1")
	u.Told("1", record.Record{Seq: 2, Kind: record.Decide, Body: []byte(`{"request":"here"}`)})
	u.Ready("1")
	u.Renamed("1", "1-r1--2")
	u.Counted("1", []byte("{}"))
	if b := u.between(); len(b.Boards) != 1 || b.Boards[0].Journal != "1-r1--2" {
		t.Errorf("%+v", b)
	}
	if b := u.boards["1"]; b.said.seqs["here"] != 2 || !b.read {
		t.Error("what it has is forgotten")
	}
}
