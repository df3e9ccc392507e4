package station_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"boardwatchd/internal/journal"
	"boardwatchd/internal/players"
	"boardwatchd/internal/record"
	"boardwatchd/internal/recording"
	"boardwatchd/internal/replay"
	"boardwatchd/internal/station"
	"boardwatchd/internal/watch"
)

// A dayBoard is a table with endless games, and the station that watches it.
type dayBoard struct {
	name string
	s    *station.Station
	sent chan []byte // to the board
}

func (b *dayBoard) Send(p []byte) error {
	select {
	case b.sent <- bytes.Clone(p):
		return nil
	default:
		return fmt.Errorf("board %s takes nothing", b.name)
	}
}

// play plays games until ctx ends. Every hour the cable is pulled, and the players change.
func (b *dayBoard) play(ctx context.Context, seed uint64) error {
	start := time.Now()
	for hour := uint64(0); ctx.Err() == nil; hour++ {
		table, err := players.New(players.Options{
			Seed: seed + hour<<16, Count: -1, Innocents: players.Innocents{PerMille: 20}, Offences: players.Offences{PerMille: 5},
		})
		if err != nil {
			return err
		}
		began := time.Since(start)
		now := func() int64 { return (time.Since(start) - began).Microseconds() }
		b.s.Put(station.Input{At: b.s.Now(), Kind: record.Up, Body: watch.Annotation{Device: "table"}.Body()})
		for ctx.Err() == nil && time.Since(start)-began < time.Hour {
			table.Advance(now(), func(_ int64, p []byte) {
				b.s.Put(station.Input{At: b.s.Now(), Kind: record.Rx, Body: bytes.Clone(p)})
			})
			next := time.Hour
			if at, ok := table.NextEvent(); ok {
				next = time.Duration(at-now()) * time.Microsecond
			}
			select {
			case <-time.After(next):
			case p := <-b.sent:
				table.Input(now(), p)
			case <-ctx.Done():
			}
		}
		b.s.Put(station.Input{At: b.s.Now(), Kind: record.Down, Body: watch.Annotation{Cause: "unplugged"}.Body()})
	}
	return nil
}

// proofs is what a board keeps of its findings in the course of a day: the evidence of the last 512 of its journal,
// some 250 bytes each.
const proofs = 128 << 10

// TestADayOfBoards: the memory and open files of boards do not grow with the hours, and a replay of their journals
// gives the same output. With a few boards for some minutes it is short; a day of a hall takes an hour of a computer:
//
//	BOARDWATCHD_DAY=24 TMPDIR=/dev/shm go test -v -timeout 4h -run ADayOfBoards ./internal/station
func TestADayOfBoards(t *testing.T) {
	boards, hours, part := 4, 3, 10*time.Minute
	if n, _ := strconv.Atoi(os.Getenv("BOARDWATCHD_DAY")); n > 0 {
		boards, hours, part = 20, n, time.Hour
	} else if testing.Short() {
		part = 3 * time.Minute
	}
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		var done sync.WaitGroup
		start := time.Now()
		for i := range boards {
			b := &dayBoard{name: fmt.Sprintf("b%d", i+1), sent: make(chan []byte, 64)}
			s, err := station.Open(station.Options{
				Board: b.name, Dir: dir, Journal: b.name, Software: "test", Wall: time.Now, Log: zerolog.Nop(),
				Mono: func() int64 { return time.Since(start).Microseconds() },
			})
			if err != nil {
				t.Fatal(err)
			}
			b.s = s
			s.Attach(b)
			ends, end := context.WithCancel(t.Context())
			done.Go(func() {
				if err := s.Run(ends); err != nil {
					t.Error(err)
				}
			})
			done.Go(func() {
				if err := b.play(ctx, uint64(i+1)); err != nil {
					t.Error(err)
				}
				end()
			})
		}
		var first held
		for hour := range hours {
			time.Sleep(part) // virtual
			h := holds(t)
			t.Logf("after %v: %v", time.Since(start), h)
			if hour == 0 {
				first = h
			}
			if h.heap > first.heap*5/4+1<<20+uint64(boards)*proofs || h.files > first.files || h.routines > first.routines {
				t.Errorf("after %v: %v, and %v after %v", time.Since(start), h, first, part)
			}
		}
		cancel()
		done.Wait()
	})
	for i := range boards {
		src, err := recording.Open(filepath.Join(dir, fmt.Sprintf("b%d", i+1)+journal.Extension), nil)
		if err != nil {
			t.Fatal(err)
		}
		c, err := replay.Verify(src)
		if err != nil || c.First != nil || len(src.Damage()) > 0 {
			t.Errorf("b%d: verify: %v, %v, %v", i+1, c.First, err, src.Damage())
		}
		if c.Effects == 0 {
			t.Errorf("b%d said nothing", i+1)
		}
		src.Close()
	}
}

// held counts the resources of a process.
type held struct {
	heap     uint64
	files    int
	routines int
}

func (h held) String() string {
	return fmt.Sprintf("%.1f MB, %d files, %d goroutines", float64(h.heap)/(1<<20), h.files, h.routines)
}

func holds(t *testing.T) held {
	t.Helper()
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	files, err := os.ReadDir("/proc/self/fd")
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return held{m.HeapAlloc, len(files), runtime.NumGoroutine()}
}
