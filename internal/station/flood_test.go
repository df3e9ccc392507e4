package station_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"boardwatchd/dgt"
	"boardwatchd/internal/record"
	"boardwatchd/internal/recording"
	"boardwatchd/internal/replay"
	"boardwatchd/internal/station"
	"boardwatchd/internal/watch"
)

// noise returns bytes that are no message, some of which begin one.
func noise(rng *rand.Rand, n int) []byte {
	p := make([]byte, n)
	for i := range p {
		if p[i] = byte(rng.Uint32()); i > 0 && p[i-1] >= 0x80 {
			p[i] |= 0x40 // a length that no message has
		}
	}
	return p
}

func (b *bench) gaps(t *testing.T) (sum int64, gaps int, over bool) {
	t.Helper()
	src, err := recording.Open(b.path(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	err = replay.Inputs(src, func(r record.Record) {
		if r.Kind != record.Gap {
			return
		}
		var a struct {
			LeftOut int64 `json:"left_out"`
			Sample  string
			Since   int64
			Over    bool
		}
		if err := json.Unmarshal(r.Body, &a); err != nil {
			t.Fatal(err)
		}
		if a.LeftOut > 0 && (len(a.Sample) == 0 || a.Since == 0 || a.Since > r.At) {
			t.Errorf("gap %s at %d", r.Body, r.At)
		}
		sum, gaps, over = sum+a.LeftOut, gaps+1, a.Over
	})
	if err != nil {
		t.Fatal(err)
	}
	return sum, gaps, over
}

// TestAFloodOfGarbageStaysOutOfTheJournal: garbage at the full speed of the line for an hour. Every message in it is in
// the journal, all bytes are accounted for, a replay gives the same output, and the journal stays small.
func TestAFloodOfGarbageStaysOutOfTheJournal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &bench{t: t, dir: t.TempDir()}
		s := b.open()
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- s.Run(ctx) }()
		rx := func(p []byte) { s.Put(station.Input{At: s.Now(), Kind: record.Rx, Body: p}) }
		s.Put(station.Input{At: s.Now(), Kind: record.Up, Body: watch.Annotation{Device: "x"}.Body()})
		time.Sleep(time.Second)
		rx(startDump)
		rng := rand.New(rand.NewPCG(17, 8))
		messages, sent := 1, int64(len(startDump))
		const seconds = 3600
		var line dgt.Decoder // decodes the whole line, with nothing removed
		line.Feed(startDump)
		line.Next()
		for i := range seconds {
			p := noise(rng, 960)
			if i%600 == 300 { // a message in the garbage, in two chunks
				cut := rng.IntN(len(startDump))
				p = append(append(append(p[:400:400], 0), startDump...), p[400:]...)
				feed(&line, p, &messages)
				rx(p[:401+cut])
				time.Sleep(10 * time.Millisecond)
				rx(p[401+cut:])
			} else {
				feed(&line, p, &messages)
				rx(p)
			}
			sent += int64(len(p))
			time.Sleep(time.Second)
		}
		time.Sleep(30 * time.Second)
		if b.heard(`"what":"flood_over"`) != 1 {
			t.Error("the end of the flood is not said")
		}
		rx(startDump) // normal messages follow
		messages, sent = messages+1, sent+int64(len(startDump))
		time.Sleep(2 * time.Second)
		cancel()
		if err := <-done; err != nil {
			t.Fatal(err)
		}
		b.verify()
		info, err := os.Stat(b.path())
		if err != nil {
			t.Fatal(err)
		}
		left, gaps, over := b.gaps(t)
		t.Logf("%d bytes came, %d are left out in %d records; the journal has %d", sent, left, gaps, info.Size())
		if got := b.replayed(t); got.Bytes != sent || got.Frames != int64(messages) {
			t.Errorf("of %d bytes and %d messages the journal knows %d and %d", sent, messages, got.Bytes, got.Frames)
		}
		if !over || left < sent*9/10 || gaps > seconds/60+3 {
			t.Errorf("%d bytes left out in %d gaps, over: %v", left, gaps, over)
		}
		if info.Size() > sent/2 {
			t.Errorf("%d bytes of garbage make a journal of %d", sent, info.Size())
		}
	})
}

func feed(d *dgt.Decoder, p []byte, n *int) {
	d.Feed(p)
	for _, ok := d.Next(); ok; _, ok = d.Next() {
		*n++
	}
}

func (b *bench) replayed(t *testing.T) replay.Summary {
	t.Helper()
	src, err := recording.Open(b.path(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	_, sum, err := replay.Run(src, replay.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

// TestNoMessageIsTakenForGarbage feeds chunks of any length around the moments at which a flood begins, is recorded and
// ends. The machine receives the messages of the line, in order, and no others.
func TestNoMessageIsTakenForGarbage(t *testing.T) {
	seeds := uint64(8)
	if testing.Short() {
		seeds = 1
	}
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { floodAndMessages(t, seed) })
		})
	}
}

func floodAndMessages(t *testing.T, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 1))
	b := &bench{t: t, dir: t.TempDir()}
	s := b.open()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	s.Put(station.Input{At: s.Now(), Kind: record.Up, Body: watch.Annotation{Device: "x"}.Body()})
	var line dgt.Decoder
	var want [][]byte
	for range 4 {
		for range 120 {
			var p []byte
			for range 1 + rng.IntN(4) {
				p = append(p, noise(rng, rng.IntN(1500))...)
				p = append(p, e4[:10*(1+rng.IntN(3))]...)
			}
			line.Feed(p)
			for f, ok := line.Next(); ok; f, ok = line.Next() {
				want = append(want, append([]byte{byte(f.ID)}, f.Data...))
			}
			for len(p) > 0 {
				n := min(len(p), 1+rng.IntN(400))
				s.Put(station.Input{At: s.Now(), Kind: record.Rx, Body: bytes.Clone(p[:n])})
				p = p[n:]
				time.Sleep(time.Duration(rng.IntN(50)) * time.Millisecond)
			}
		}
		time.Sleep(time.Duration(rng.IntN(20_000)) * time.Millisecond)
		line.Abort()
		time.Sleep(time.Second)
	}
	cancel()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	b.verify()
	if b.heard(`"what":"flood"`) == 0 {
		t.Error("there was no flood")
	}
	src, err := recording.Open(b.path(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	var dec dgt.Decoder
	var got [][]byte
	err = replay.Inputs(src, func(r record.Record) {
		switch r.Kind {
		case record.Gap:
			dec.Abort()
		case record.Rx:
			dec.Feed(r.Body)
			for f, ok := dec.Next(); ok; f, ok = dec.Next() {
				got = append(got, append([]byte{byte(f.ID)}, f.Data...))
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || !bytes.Equal(got[i], want[i]) {
			t.Fatalf("message %d of %d on the line, of %d in the journal, differs: % x; % x", i, len(want), len(got), want[i:min(i+2, len(want))], got[i:min(i+2, len(got))])
		}
	}
	if strings.Contains(strings.Join(b.said, "\n"), `"type":"finding"`) {
		t.Error("somebody is accused")
	}
}
