package station_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"boardwatchd/internal/journal"
	"boardwatchd/internal/record"
	"boardwatchd/internal/station"
)

// The log contains the journal's head at each end of a segment, and at the end: the log may be kept on another
// computer.
func TestTheLogHasTheHead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		dir, start := t.TempDir(), time.Now()
		s, err := station.Open(station.Options{
			Board: "1", Dir: dir, Journal: "1", Software: "test", Wall: time.Now, Log: zerolog.New(&log), Segment: 4096,
			Mono: func() int64 { return time.Since(start).Microseconds() },
		})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- s.Run(ctx) }()
		time.Sleep(2 * time.Second)
		s.Put(station.Input{At: s.Now(), Kind: record.Rx, Body: bytes.Repeat([]byte{7}, 3000)})
		s.Put(station.Input{At: s.Now(), Kind: record.Rx, Body: e4})
		time.Sleep(3 * time.Second)
		if h := s.Head(); h.Seq < 4 || h.Seq != s.Durable() {
			t.Errorf("the head is %v, and record %d is on the disk", h, s.Durable())
		}
		cancel()
		if err := <-done; err != nil {
			t.Fatal(err)
		}
		heads := chains(t, dir)
		var logged []string
		for line := range strings.Lines(log.String()) {
			var l struct{ Journal, Head, Message string }
			if err := json.Unmarshal([]byte(line), &l); err != nil {
				t.Fatalf("%v: %s", err, line)
			}
			if l.Head == "" {
				continue
			}
			if l.Journal != "1" || !heads[l.Head] || !strings.Contains(l.Message, "verify --head") {
				t.Errorf("not in the journal: %s", line)
			}
			logged = append(logged, l.Head)
		}
		if end := s.Head().String(); len(logged) != 2 || logged[1] != end {
			t.Errorf("logged heads %q; the last one is %s", logged, end)
		}
	})
}

// chains returns all heads of the journal.
func chains(t *testing.T, dir string) map[string]bool {
	t.Helper()
	r, err := journal.Open(dir + "/1.bwj")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]bool{}
	for {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		all[journal.Head{Seq: rec.Seq, Chain: r.Last().Chain}.String()] = true
	}
}
