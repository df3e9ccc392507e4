package journal

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"boardwatchd/internal/record"
)

// history holds the records that were given to the writer, by number.
type history map[record.Seq]record.Record

// drive is one run of a writer over a simulated disk.
type drive struct {
	t    *testing.T
	disk *simDisk
	w    *Writer
	rnd  *rand.Rand
	hist history
	at   int64
	last record.Seq
	// acked is the greatest number that WaitDurable has confirmed.
	acked record.Seq
	// doubtful are records that a killed process left in the page cache and that a failed sync of the next process
	// lost: they were never acknowledged.
	doubtful map[record.Seq]bool
	// heads are the heads that were shown to people, by number.
	heads map[record.Seq]record.Chain
}

func (d *drive) append(kind record.Kind, body []byte) {
	d.t.Helper()
	d.at += 1000
	seq, err := d.w.Append(d.at, kind, body)
	if err != nil {
		d.t.Fatalf("append: %v", err)
	}
	if seq <= d.last {
		d.t.Fatalf("append gave number %d after %d", seq, d.last)
	}
	d.last = seq
	d.hist[seq] = record.Record{Seq: seq, At: d.at, Kind: kind, Body: bytes.Clone(body)}
}

// play appends n records with pauses and confirmations in between.
func (d *drive) play(n int) {
	for range n {
		body := make([]byte, 1+d.rnd.IntN(60))
		for i := range body {
			body[i] = byte(d.rnd.Uint32())
		}
		d.append(record.Rx, body)
		switch d.rnd.IntN(6) {
		case 0:
			time.Sleep(time.Duration(d.rnd.IntN(80)) * time.Millisecond)
		case 1:
			d.append(record.Say, []byte(`{"type":"press"}`))
		case 2:
			ctx, cancel := context.WithTimeout(d.t.Context(), time.Second)
			if d.w.WaitDurable(ctx, d.last) == nil {
				d.acked = max(d.acked, d.last)
				d.note()
			}
			cancel()
		}
	}
}

// note stores the head after an answer.
func (d *drive) note() {
	h := d.w.Head()
	if h.Seq < d.last {
		d.t.Errorf("record %d is on the disk, and the head is that of record %d", d.last, h.Seq)
	}
	if d.heads == nil {
		d.heads = map[record.Seq]record.Chain{}
	}
	d.heads[h.Seq] = h.Chain
}

// finding is the result of reading a journal back.
type finding struct {
	records history
	chains  map[record.Seq]record.Chain
	order   []record.Seq
	gaps    []gapBody
	reader  *Reader
}

func readBack(t *testing.T, disk *simDisk) finding {
	t.Helper()
	f := finding{records: history{}, chains: map[record.Seq]record.Chain{}}
	r, err := disk.open("b")
	if err != nil {
		t.Fatalf("open: %v", err)
	}
	f.reader = r
	for r != nil {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("read: %v", err)
		}
		if n := len(f.order); n > 0 && rec.Seq <= f.order[n-1] {
			t.Fatalf("record %d after record %d", rec.Seq, f.order[n-1])
		}
		var g gapBody
		if rec.Kind == record.Gap && announcedBy(rec, &g) {
			f.gaps = append(f.gaps, g)
		}
		rec.Body = bytes.Clone(rec.Body)
		f.records[rec.Seq], f.chains[rec.Seq] = rec, r.Last().Chain
		f.order = append(f.order, rec.Seq)
	}
	return f
}

func announcedBy(rec record.Record, g *gapBody) bool {
	for from := record.Seq(1); from <= rec.Seq; from++ {
		if announces(rec, from) {
			*g = gapBody{From: from, To: rec.Seq}
			return true
		}
	}
	return false
}

// check compares the records read with those written: none invented, none acknowledged and lost.
func (f finding) check(t *testing.T, hist history, acked record.Seq) {
	t.Helper()
	for _, seq := range f.order {
		got, want := f.records[seq], hist[seq]
		own := got.Kind == record.Open || got.Kind == record.Close || got.Kind == record.Gap
		if want.Seq == 0 && own || got.Kind == record.Gap {
			continue
		}
		if got.Kind != want.Kind || got.At != want.At || !bytes.Equal(got.Body, want.Body) {
			t.Fatalf("record %d was invented: %+v, written was %+v", seq, got, want)
		}
	}
	for seq := range hist {
		if _, ok := f.records[seq]; ok || seq > acked {
			continue
		}
		covered := false
		for _, g := range f.gaps {
			covered = covered || g.From <= seq && seq <= g.To
		}
		if !covered {
			t.Errorf("record %d was acknowledged (up to %d) and is lost", seq, acked)
		}
	}
	if t.Failed() {
		t.Log(f.reader.Damage(), f.reader.Segments())
	}
}

// holds fails unless a journal contains every head that was shown, except for records that were never acknowledged.
func (f finding) holds(t *testing.T, heads map[record.Seq]record.Chain, doubtful map[record.Seq]bool) {
	t.Helper()
	for seq, chain := range heads {
		got, ok := f.chains[seq]
		switch {
		case !ok && doubtful[seq]:
			delete(heads, seq)
		case got != chain:
			t.Errorf("head %d:%v was given; the journal has %v there", seq, chain, got)
		}
	}
}

var small = Options{SegmentBytes: 1500}

// TestTheNthCallFails lets the first call of the file system fail, then the second, and so on until the script ends
// before the fault; and the same with several failing calls in a row.
func TestTheNthCallFails(t *testing.T) {
	for _, count := range []int{1, 2, 5, 1 << 30} {
		t.Run(fmt.Sprintf("%d in a row", count), func(t *testing.T) {
			for n := 1; ; n++ {
				reached := true
				synctest.Test(t, func(t *testing.T) { reached = failNth(t, n, count) })
				if t.Failed() {
					t.Fatalf("with call %d failing", n)
				}
				if !reached {
					t.Logf("%d calls", n-1)
					return
				}
			}
		})
	}
}

func failNth(t *testing.T, n, count int) bool {
	disk := newSimDisk(uint64(n))
	disk.failFrom, disk.failCount, disk.syncTime = n, count, 3*time.Millisecond
	opt := small
	opt.Disk = disk
	w, err := Create("d", "b", opt)
	if err != nil {
		// A second try succeeds, or returns an error.
		disk.failFrom = 0
		w, err = Create("d", "b", opt)
		if errors.Is(err, ErrExists) {
			return true
		}
		if err != nil {
			t.Fatalf("second create: %v", err)
		}
	}
	d := &drive{t: t, disk: disk, w: w, rnd: rand.New(rand.NewPCG(1, 2)), hist: history{}}
	d.append(record.Open, []byte(`{}`))
	d.play(60)
	time.Sleep(time.Minute) // outages of few calls are over by then
	degraded, durable := w.Degraded(), w.Durable()
	if durable < d.acked {
		t.Errorf("Durable went back from %d to %d", d.acked, durable)
	}
	calls := disk.calls
	err = w.Close(d.at, "stop")
	f := readBack(t, disk.cut())
	f.check(t, d.hist, max(durable, d.acked))
	f.holds(t, d.heads, nil)
	if count > 5 || count > closeTries && n+count > calls {
		if disk.reached && err == nil && len(f.order) < len(d.hist) {
			t.Error("close says all is well and records are missing")
		}
		return disk.reached
	}
	if degraded != nil {
		t.Errorf("still degraded a minute later: %v", degraded)
	}
	if err != nil {
		t.Fatalf("close: %v", err)
	}
	f.check(t, d.hist, d.last)
	if v := f.reader.Verdict(); v != Closed {
		t.Errorf("verdict %s: %v %v", v, f.reader.Segments(), f.reader.Damage())
	}
	return disk.reached
}

// TestPowerCutsAndKills crashes at random moments, several times in a row, with
// failing calls in between and recoveries that fail themselves.
func TestPowerCutsAndKills(t *testing.T) {
	seeds := 400
	if testing.Short() {
		seeds = 50
	}
	var verdicts [Corrupt + 1]int
	var lost int
	for seed := range seeds {
		synctest.Test(t, func(t *testing.T) { crash(t, uint64(seed), &verdicts, &lost) })
		if t.Failed() {
			t.Fatalf("with seed %d", seed)
		}
	}
	t.Logf("%d seeds: closed %d, unclosed %d, torn %d, corrupt %d; %d unacknowledged records lost",
		seeds, verdicts[Closed], verdicts[Unclosed], verdicts[Torn], verdicts[Corrupt], lost)
}

func crash(t *testing.T, seed uint64, verdicts *[Corrupt + 1]int, lost *int) {
	rnd := rand.New(rand.NewPCG(seed, 7))
	disk := newSimDisk(seed)
	d := &drive{t: t, rnd: rnd, hist: history{}, doubtful: map[record.Seq]bool{}}
	var last Last
	for range 4 {
		disk.syncTime = time.Duration(rnd.IntN(60)) * time.Millisecond
		if rnd.IntN(2) == 0 {
			disk.failRate = 0.05
		}
		opt := small
		opt.Disk = disk
		w, err := Continue("d", "b", last, opt)
		acked := d.acked
		if err == nil {
			d.w, d.disk = w, disk
			d.append(record.Open, []byte(`{}`))
			d.play(rnd.IntN(50))
			time.Sleep(time.Duration(rnd.IntN(40)) * time.Millisecond)
		}
		if disk.wasUnsettled() { // at the start, or later where the disk failed then
			for seq := acked + 1; seq <= last.Seq; seq++ {
				d.doubtful[seq] = true
			}
		}
		next := disk.cut
		if rnd.IntN(3) == 0 {
			next = disk.kill
		}
		after := next()
		if err == nil {
			d.acked = max(d.acked, w.Durable())
			_ = w.Close(d.at, "dead") // the disk is dead: only to end the goroutine
		}
		f := readBack(t, after)
		for seq := range d.doubtful {
			if _, ok := f.records[seq]; !ok {
				delete(d.hist, seq)
			}
		}
		f.check(t, d.hist, d.acked)
		f.holds(t, d.heads, d.doubtful)
		if t.Failed() || f.reader == nil {
			return
		}
		verdicts[f.reader.Verdict()]++
		last = f.reader.Last()
		for seq := range d.hist {
			if _, ok := f.records[seq]; !ok {
				*lost++
				delete(d.hist, seq)
			}
		}
		for seq, rec := range f.records { // the writer's own records are part of the history
			d.hist[seq] = rec
		}
		d.at, d.last, d.acked = max(d.at, last.At), last.Seq, min(d.acked, last.Seq)
		disk = after
	}
}
