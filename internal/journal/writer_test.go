package journal

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"boardwatchd/internal/record"
)

// start begins a journal on a simulated disk.
func start(t *testing.T, disk *simDisk, opt Options) *Writer {
	t.Helper()
	opt.Disk = disk
	w, err := Create("d", "b", opt)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func appendOne(t *testing.T, w *Writer, at int64) record.Seq {
	t.Helper()
	seq, err := w.Append(at, record.Rx, []byte{0x8e, 0, 5, 0x34, 0})
	if err != nil {
		t.Fatal(err)
	}
	return seq
}

// set changes the disk while a writer uses it.
func (d *simDisk) set(change func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	change()
}

func (d *simDisk) count(what string) (n int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, l := range d.log {
		if l == what {
			n++
		}
	}
	return n
}

func TestRecordsAreSyncedInGroups(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := newSimDisk(1)
		w := start(t, disk, Options{})
		began := time.Now()
		for range 5 {
			appendOne(t, w, 0)
			time.Sleep(4 * time.Millisecond)
		}
		synctest.Wait()
		if n := disk.count("sync"); n != 0 || w.Durable() != 0 || disk.count("write") != 5 {
			t.Errorf("after 20 ms: %d syncs, %d writes, durable %d", n, disk.count("write"), w.Durable())
		}
		time.Sleep(25*time.Millisecond - time.Since(began))
		synctest.Wait()
		if n := disk.count("sync"); n != 1 || w.Durable() != 5 {
			t.Errorf("after 25 ms: %d syncs, durable %d", n, w.Durable())
		}
		time.Sleep(time.Hour)
		if n := disk.count("sync"); n != 1 {
			t.Errorf("an idle journal was synced %d times", n-1)
		}
		if err := w.Close(1, "stop"); err != nil {
			t.Error(err)
		}
	})
}

func TestASlowSyncDelaysNoWriteAndIsFollowedByOneForTheRest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := newSimDisk(1)
		disk.syncTime = 30 * time.Second
		w := start(t, disk, Options{})
		appendOne(t, w, 0)
		time.Sleep(500 * time.Millisecond)
		began := time.Now()
		for range 10 {
			appendOne(t, w, 0)
		}
		if waited := time.Since(began); waited != 0 || w.Degraded() != nil {
			t.Errorf("appending during a sync took %v, degraded: %v", waited, w.Degraded())
		}
		time.Sleep(time.Second)
		if !errors.Is(w.Degraded(), ErrStalled) || w.Durable() != 0 {
			t.Errorf("after 1.5 s: %v, durable %d", w.Degraded(), w.Durable())
		}
		time.Sleep(29 * time.Second)
		if w.Durable() != 1 {
			t.Errorf("durable %d after the first sync", w.Durable())
		}
		time.Sleep(30 * time.Second)
		if w.Durable() != 11 || w.Degraded() != nil {
			t.Errorf("durable %d after the second sync; %v", w.Durable(), w.Degraded())
		}
		if err := w.Close(1, "stop"); err != nil {
			t.Error(err)
		}
	})
}

// The computer was busy elsewhere, and the goroutine that writes did not run: no disk trouble is reported, because no
// call was made.
func TestABusyComputerIsNoDiskThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := newSimDisk(1)
		disk.syncTime = 300 * time.Millisecond
		w, k, err := open("d", "b", Last{}, Options{Disk: disk})
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			time.Sleep(5 * time.Second)
			k.run()
		}()
		began := time.Now()
		go func() {
			time.Sleep(4 * time.Second)
			if err := w.Degraded(); err != nil {
				t.Errorf("told: %v", err)
			}
		}()
		appendOne(t, w, 0)
		if waited := time.Since(began); waited != 5*time.Second || w.Degraded() != nil || disk.count("write") != 1 {
			t.Errorf("written (%d) after %v: %v", disk.count("write"), waited, w.Degraded())
		}
		if err := w.Close(1, "stop"); err != nil {
			t.Error(err)
		}
	})
}

func TestAHangingDiskDoesNotDelayForLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := newSimDisk(1)
		w := start(t, disk, Options{})
		disk.set(func() { disk.writeTime = 30 * time.Second })
		began := time.Now()
		appendOne(t, w, 0)
		if waited := time.Since(began); waited != 100*time.Millisecond || !errors.Is(w.Degraded(), ErrStalled) {
			t.Errorf("the first append took %v: %v", waited, w.Degraded())
		}
		began = time.Now()
		for range 100 {
			appendOne(t, w, 0)
		}
		if waited := time.Since(began); waited != 0 {
			t.Errorf("the others took %v", waited)
		}
		disk.set(func() { disk.writeTime = 0 })
		time.Sleep(31 * time.Second)
		if w.Durable() != 101 || w.Degraded() != nil {
			t.Errorf("durable %d: %v", w.Durable(), w.Degraded())
		}
		if err := w.Close(1, "stop"); err != nil {
			t.Error(err)
		}
	})
}

func TestWaitDurableHastensTheSync(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := newSimDisk(1)
		disk.syncTime = time.Millisecond
		w := start(t, disk, Options{})
		began := time.Now()
		if err := w.WaitDurable(t.Context(), appendOne(t, w, 0)); err != nil || time.Since(began) != time.Millisecond {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := w.WaitDurable(ctx, 99); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a record to come: %v", err)
		}
		if err := w.Close(1, "stop"); err != nil {
			t.Error(err)
		}
		if err := w.WaitDurable(t.Context(), 2); err != nil {
			t.Errorf("a record of a closed journal: %v", err)
		}
		if err := w.WaitDurable(t.Context(), 99); !errors.Is(err, ErrClosed) {
			t.Errorf("a record that will never be: %v", err)
		}
	})
}

func TestAFullDiskCostsNothingWhileMemoryLasts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := newSimDisk(1)
		disk.room = 500
		w := start(t, disk, Options{})
		for i := range 200 {
			appendOne(t, w, int64(i))
			time.Sleep(time.Second)
		}
		if w.Degraded() == nil || !strings.Contains(w.Degraded().Error(), "no space left") {
			t.Errorf("degraded: %v", w.Degraded())
		}
		if len(disk.files) > 3 {
			t.Errorf("%d files were left behind: %v", len(disk.files), disk.paths())
		}
		disk.set(func() { disk.room = -1 })
		time.Sleep(11 * time.Second)
		if w.Degraded() != nil || w.Durable() < 200 {
			t.Errorf("after space came back: durable %d, %v", w.Durable(), w.Degraded())
		}
		if err := w.Close(300, "stop"); err != nil {
			t.Error(err)
		}
		if f := readBack(t, disk); f.reader.Verdict() != Closed || len(f.order) != 202 { // with an open and a close record
			t.Errorf("%d records, %s, %v", len(f.order), f.reader.Verdict(), f.reader.Damage())
		}
	})
}

func TestDroppedRecordsAreNamedByAGapRecord(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := newSimDisk(1)
		disk.room = 200
		w := start(t, disk, Options{Backlog: func() int { return 2000 }})
		for i := range 100 {
			appendOne(t, w, int64(i))
		}
		lost := w.Stats().Lost
		if lost == 0 || w.Degraded() == nil {
			t.Fatalf("%d lost, %v", lost, w.Degraded())
		}
		if err := w.WaitDurable(t.Context(), 100); !errors.Is(err, ErrLost) {
			t.Errorf("waiting for a dropped record: %v", err)
		}
		disk.set(func() { disk.room = -1 })
		time.Sleep(time.Minute)
		if err := w.WaitDurable(t.Context(), 100); !errors.Is(err, ErrLost) {
			t.Errorf("waiting for a dropped record afterwards: %v", err)
		}
		if seq := appendOne(t, w, 100); seq <= 100 {
			t.Errorf("number %d was given twice", seq)
		}
		if err := w.Close(101, "stop"); err != nil {
			t.Error(err)
		}
		f := readBack(t, disk)
		if f.reader.Verdict() != Closed || len(f.gaps) != 1 || int64(f.gaps[0].To-f.gaps[0].From+1) != lost {
			t.Errorf("%d lost, gaps %v, %s %v", lost, f.gaps, f.reader.Verdict(), f.reader.Damage())
		}
	})
}

func TestACallerFasterThanTheDiskIsSlowedDownAndLosesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := newSimDisk(1)
		disk.syncTime = 20 * time.Millisecond
		w := start(t, disk, Options{Backlog: func() int { return 4000 }})
		for i := range 1000 {
			appendOne(t, w, int64(i))
		}
		if s := w.Stats(); s.Lost > 0 {
			t.Errorf("%d records lost", s.Lost)
		}
		if err := w.Close(2000, "stop"); err != nil {
			t.Error(err)
		}
	})
}

func TestSegmentsTurnOnlyBeforeAnInput(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := newSimDisk(1)
		var asked []string
		w := start(t, disk, Options{SegmentBytes: 300, OpenBody: func(n int, cause string) []byte {
			asked = append(asked, fmt.Sprintf("%d %s", n, cause))
			return []byte(`{"again":true}`)
		}})
		for i := range 8 {
			if _, err := w.Add(int64(i), record.Rx, []byte{1}); err != nil {
				t.Fatal(err)
			}
			for range 4 {
				if _, err := w.Add(int64(i), record.Say, []byte(`{}`)); err != nil {
					t.Fatal(err)
				}
			}
			w.Flush()
		}
		if err := w.Close(9, "round_end"); err != nil {
			t.Fatal(err)
		}
		f := readBack(t, disk)
		for _, s := range f.reader.Segments() {
			if first := f.records[s.First]; s.Number > 1 && (first.Kind != record.Open || string(first.Body) != `{"again":true}` ||
				f.records[s.First+1].Kind != record.Rx || f.records[s.First-1].Kind != record.Close) {
				t.Errorf("segment %d begins with %s %s, then %s", s.Number, first.Kind, first.Body, f.records[s.First+1].Kind)
			}
			if s.Verdict != Closed {
				t.Errorf("segment %d is %s", s.Number, s.Verdict)
			}
		}
		if len(asked) < 2 || asked[0] != "2 rotate" || asked[1] != "3 rotate" {
			t.Errorf("asked for %v", asked)
		}
	})
}

func TestTheBodyOfAnUnforeseenSegmentNamesTheCause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := newSimDisk(1)
		w := start(t, disk, Options{OpenBody: func(int, string) []byte { return []byte("no object") }})
		appendOne(t, w, 0)
		disk.set(func() { disk.failFrom, disk.failCount = disk.calls+1, 1 })
		appendOne(t, w, 1)
		time.Sleep(time.Second)
		if err := w.Close(2, "stop"); err != nil {
			t.Fatal(err)
		}
		f := readBack(t, disk)
		var body struct {
			Cause   string
			Segment int
		}
		open := f.records[3]
		if err := json.Unmarshal(open.Body, &body); err != nil || open.Kind != record.Open || body.Segment != 2 || !strings.Contains(body.Cause, "simulated") {
			t.Errorf("%s %s", open.Kind, open.Body)
		}
	})
}

func TestAppendRefusesWhatCannotBeWritten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := start(t, newSimDisk(1), Options{})
		appendOne(t, w, 10)
		for claim, r := range map[string]record.Record{
			"time runs backwards":    {At: 9, Kind: record.Up},
			"not a kind of record":   {At: 10, Kind: 77},
			"begins with {":          {At: 10, Kind: record.Say, Body: []byte("x")},
			"does not fit a line of": {At: 10, Kind: record.Rx, Body: make([]byte, record.MaxLine)},
		} {
			if _, err := w.Append(r.At, r.Kind, r.Body); err == nil || !strings.Contains(err.Error(), claim) {
				t.Errorf("%q is expected: %v", claim, err)
			}
		}
		if seq := appendOne(t, w, 10); seq != 2 {
			t.Errorf("refused records took numbers: the next is %d", seq)
		}
		if err := w.Close(5, "stop"); err != nil { // at the last record's time then
			t.Error(err)
		}
		if _, err := w.Append(11, record.Up, nil); !errors.Is(err, ErrClosed) {
			t.Error(err)
		}
		if err := w.Close(11, "stop"); !errors.Is(err, ErrClosed) {
			t.Error(err)
		}
	})
}

// The tests from here on use the real file system.

func TestOneJournalHasOneWriter(t *testing.T) {
	dir := t.TempDir()
	w, err := Create(dir, "b", Options{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = Create(dir, "b", Options{})
	if want := fmt.Sprintf("(process %d); stop that one first", os.Getpid()); !errors.Is(err, ErrLocked) || !strings.Contains(err.Error(), want) {
		t.Errorf("a second writer: %v", err)
	}
	other, err := Create(dir, "c", Options{})
	if err != nil {
		t.Fatalf("another journal beside it: %v", err)
	}
	appendOne(t, w, 0)
	if err := errors.Join(w.Close(0, "stop"), other.Close(0, "stop")); err != nil {
		t.Fatal(err)
	}
	if _, err := Create(dir, "b", Options{}); !errors.Is(err, ErrExists) {
		t.Errorf("created twice: %v", err)
	}
	if _, err := Create(dir, "../b", Options{}); err == nil || !strings.Contains(err.Error(), "use letters, digits") {
		t.Errorf("a name that leaves the directory: %v", err)
	}
}

func TestAJournalIsContinuedAfterAKill(t *testing.T) {
	dir := t.TempDir()
	torn := game(30).bytes(0, 30)
	path := filepath.Join(dir, "b.bwj")
	if err := os.WriteFile(path, torn[:len(torn)-5], 0o600); err != nil {
		t.Fatal(err)
	}
	for round := 2; round <= 3; round++ {
		r, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		readAll(r)
		w, err := Continue(dir, "b", r.Last(), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Append(r.Last().At, record.Open, []byte(`{}`)); err != nil {
			t.Fatal(err)
		}
		appendOne(t, w, int64(round)*1_000_000)
		if err := w.WaitDurable(t.Context(), 31); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(int64(round)*1_000_000, "stop"); err != nil {
			t.Fatal(err)
		}
		if _, err := Continue(dir, "b", r.Last(), Options{}); !errors.Is(err, ErrExists) {
			t.Errorf("continued from what is not the end any more: %v", err)
		}
	}
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	o := readAll(r)
	if o.verdict != Closed || !slices.Equal(o.seqs, span1(35)) || len(o.damage) != 1 || o.damage[0].Cause != TornTail {
		t.Errorf("%+v", o)
	}
	if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, torn[:len(torn)-5]) {
		t.Errorf("the torn segment was changed: %v", err)
	}
}

func TestAppendDoesNotAllocate(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	w, err := Create(t.TempDir(), "b", Options{})
	if err != nil {
		t.Fatal(err)
	}
	body := []byte{0x8d, 0, 0x0a, 0x20, 0x03, 0x02, 0x20, 0x03, 0x02, 0x08}
	add := func() {
		if _, err := w.Append(0, record.Rx, body); err != nil {
			t.Fatal(err)
		}
	}
	for range 1000 {
		add()
	}
	// A sync every 25 ms allocates a little, one append does not.
	if n := testing.AllocsPerRun(2000, add); n != 0 {
		t.Errorf("%v allocations per append", n)
	}
	if err := w.Close(0, "stop"); err != nil {
		t.Fatal(err)
	}
}
