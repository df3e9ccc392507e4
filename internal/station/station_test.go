package station_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"boardwatchd/internal/journal"
	"boardwatchd/internal/record"
	"boardwatchd/internal/recording"
	"boardwatchd/internal/replay"
	"boardwatchd/internal/station"
	"boardwatchd/internal/watch"
)

// bench is a station whose clock the test controls.
type bench struct {
	t      *testing.T
	dir    string
	mu     sync.Mutex
	sent   []byte
	said   []string
	stands time.Duration // for which the loop stands still after a person's input is in the journal
	file   int64         // size at which the next file is begun; 0: the usual one
}

func (b *bench) Send(p []byte) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.sent = append(b.sent, p...)
	return nil
}

func (b *bench) heard(what string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return strings.Count(strings.Join(b.said, "\n"), what)
}

// open recovers the journal in the bench's directory.
func (b *bench) open() *station.Station {
	b.t.Helper()
	start := time.Now()
	s, err := station.Open(station.Options{
		Board: "1", Dir: b.dir, Journal: "1", Software: "test", Wall: time.Now, Log: zerolog.Nop(),
		Mono: func() int64 { return time.Since(start).Microseconds() }, Segment: b.file,
		Entered: func(record.Record) { time.Sleep(b.stands) },
		Said: func(body []byte) {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.said = append(b.said, string(body))
		},
	})
	if err != nil {
		b.t.Fatal(err)
	}
	s.Attach(b)
	return s
}

func (b *bench) path() string { return filepath.Join(b.dir, "1"+journal.Extension) }

func (b *bench) verify() replay.Comparison {
	b.t.Helper()
	src, err := recording.Open(b.path(), nil)
	if err != nil {
		b.t.Fatal(err)
	}
	defer src.Close()
	c, err := replay.Verify(src)
	if err != nil || c.First != nil {
		b.t.Fatalf("verify: %v, %v", c.First, err)
	}
	if d := src.Damage(); len(d) > 0 {
		b.t.Logf("damage: %v", d)
	}
	return c
}

var startDump = append(append([]byte{0x86, 0x00, 0x43, 8, 9, 10, 12, 11, 10, 9, 8, 7, 7, 7, 7, 7, 7, 7, 7}, make([]byte, 32)...),
	1, 1, 1, 1, 1, 1, 1, 1, 2, 3, 4, 6, 5, 4, 3, 2)

// afterE4 returns the dump of the board after 1 e4.
func afterE4() []byte {
	d := append([]byte(nil), startDump...)
	d[3+0x34], d[3+0x24] = 0, 1
	return d
}

// e4 is the first move with its press, as bytes of a board.
var e4 = []byte{
	0x8d, 0, 0x0a, 0x20, 3, 2, 0x20, 3, 2, 0x09, // left runs
	0x8e, 0, 5, 0x34, 0, 0x8e, 0, 5, 0x24, 1,
	0x8d, 0, 0x0a, 0x20, 3, 2, 0x20, 3, 2, 0x13, // left pressed
}

func TestTheLoopRunsTheProtocolByItsTimer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &bench{t: t, dir: t.TempDir()}
		s := b.open()
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- s.Run(ctx) }()
		s.Put(station.Input{At: s.Now(), Kind: record.Up, Body: watch.Annotation{Device: "x"}.Body()})
		time.Sleep(1500 * time.Millisecond) // virtual: the bubble's clock
		b.mu.Lock()
		sent := string(b.sent)
		b.mu.Unlock()
		if !strings.HasPrefix(sent, "KBAEMU") {
			t.Errorf("sent %q, want the update mode, dump, clock, serial number, version, long serial number", sent)
		}
		s.Put(station.Input{At: s.Now(), Kind: record.Rx, Body: startDump})
		s.Put(station.Input{At: s.Now(), Kind: record.Rx, Body: e4})
		time.Sleep(time.Second)
		if b.heard(`"san":"e4"`) != 1 {
			t.Errorf("e4 is not said: %v", b.said)
		}
		if s.Beats() == 0 {
			t.Error("the loop does not beat")
		}
		cancel()
		if err := <-done; err != nil {
			t.Fatal(err)
		}
		if c := b.verify(); c.Effects < 8 {
			t.Errorf("only %d effects", c.Effects)
		}
	})
}

// run lets a station take the inputs and ends it in order.
func (b *bench) run(inputs ...station.Input) {
	b.t.Helper()
	s := b.open()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	for _, in := range inputs {
		in.At = s.Now()
		s.Put(in)
	}
	cancel()
	if err := <-done; err != nil {
		b.t.Fatal(err)
	}
}

func rx(p []byte) station.Input { return station.Input{Kind: record.Rx, Body: p} }

func TestWhatWasPutBeforeTheEndIsInTheJournal(t *testing.T) {
	b := &bench{t: t, dir: t.TempDir()}
	b.run(rx(startDump), rx(e4))
	if c := b.verify(); c.Bytes != int64(len(startDump)+len(e4)) {
		t.Errorf("%d bytes in the journal, want %d", c.Bytes, len(startDump)+len(e4))
	}
}

func TestTheGameGoesOnAfterARestart(t *testing.T) {
	b := &bench{t: t, dir: t.TempDir()}
	b.run(rx(startDump), rx(e4))
	e5 := []byte{
		0x8d, 0, 0x0a, 0x20, 3, 2, 0x20, 3, 2, 0x13,
		0x8e, 0, 5, 0x0c, 0, 0x8e, 0, 5, 0x1c, 7,
		0x8d, 0, 0x0a, 0x20, 3, 2, 0x20, 3, 2, 0x09,
		0x8e, 0, 5, 0x3e, 0, // White lifts a knight: Black's hand has left the board
	}
	b.run(rx(afterE4()), rx(e5))
	if b.heard(`"ply":2,"side":"black","uci":"e7e5"`) != 1 || b.heard(`"type":"game"`) != 1 || b.heard(`"what":"gap"`) != 1 {
		t.Errorf("said:\n%s", strings.Join(b.said, "\n"))
	}
	b.verify()
}

// TestEffectsThatWereNeverWrittenAreWrittenAtTheNextStart cuts the journal after every record and starts again: the
// daemon may end at any point between an input and the last of its effects.
func TestEffectsThatWereNeverWrittenAreWrittenAtTheNextStart(t *testing.T) {
	whole := &bench{t: t, dir: t.TempDir()}
	whole.run(rx(startDump), rx(e4))
	text, err := os.ReadFile(whole.path())
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(strings.TrimSuffix(string(text), "\n"), "\n")
	for n := 1; n < len(lines); n++ {
		t.Run(fmt.Sprintf("%d of %d records", n, len(lines)), func(t *testing.T) {
			b := &bench{t: t, dir: t.TempDir()}
			if err := os.WriteFile(b.path(), []byte(strings.Join(lines[:n], "")), 0o600); err != nil {
				t.Fatal(err)
			}
			dump := startDump
			if strings.Contains(strings.Join(lines[:n], ""), fmt.Sprintf("%x", e4)) {
				dump = afterE4()
			}
			b.run(rx(dump))
			c := b.verify()
			if c.Owed != 0 {
				t.Errorf("%d effects are still owed", c.Owed)
			}
			told := 0
			for _, l := range lines[:n] {
				told += strings.Count(l, `"type":"game"`)
			}
			if told+b.heard(`"type":"game"`) != 1 {
				t.Errorf("the game was told %d times before and %d times after the restart", told, b.heard(`"type":"game"`))
			}
		})
	}
}

func TestATornTailIsKeptAndTheGameGoesOn(t *testing.T) {
	b := &bench{t: t, dir: t.TempDir()}
	b.run(rx(startDump), rx(e4))
	text, err := os.ReadFile(b.path())
	if err != nil {
		t.Fatal(err)
	}
	torn := text[:len(text)-7]
	if err := os.WriteFile(b.path(), torn, 0o600); err != nil {
		t.Fatal(err)
	}
	b.run()
	kept, err := os.ReadFile(b.path())
	if err != nil || string(kept) != string(torn) {
		t.Errorf("the torn file was changed (%v)", err)
	}
	b.verify()
}

func TestTwoDaemonsCannotWriteOneJournal(t *testing.T) {
	b := &bench{t: t, dir: t.TempDir()}
	s := b.open()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	_, err := station.Open(station.Options{
		Board: "1", Dir: b.dir, Journal: "1", Wall: time.Now, Mono: func() int64 { return 0 }, Log: zerolog.Nop(),
	})
	if err == nil {
		t.Error("a second station writes the same journal")
	} else if !strings.Contains(err.Error(), "1") {
		t.Errorf("the error does not name it: %v", err)
	}
	cancel()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}

// The scan of the last journal of this board is in the opening record of the next, with the serial number recorded
// before it.
func TestTheScanOfTheLastJournalIsFound(t *testing.T) {
	const (
		first  = `{"type":"health","seq":2,"what":"board_identified","detail":"serial number 02718"}`
		scan   = `{"type":"health","seq":9,"what":"scan","detail":"one scan","period_ms":224.7,"order":"raster","fit":0.981,"moves":12,"verdict":"judged"}`
		second = `{"type":"health","seq":12,"what":"board_identified","detail":"serial number 00007"}`
	)
	write := func(dir, name, board string, lines ...string) {
		open := watch.Opening{Format: watch.Format, Board: board}
		w, err := journal.Create(dir, name, journal.Options{OpenBody: func(int, string) []byte { return open.Body() }})
		if err != nil {
			t.Fatal(err)
		}
		w.Add(0, record.Open, open.Body())
		for i, l := range lines {
			w.Add(int64(i), record.Say, []byte(l))
		}
		if err := w.Close(9, "stop"); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name, board string
		lines       []string
		want        string
	}{
		{"the scan and its board", "1", []string{first, scan}, `"scan":{"serial":"02718","period_us":224700,"order":"raster","fit":981,"moves":12}`},
		{"a board that came later has not told it", "1", []string{first, scan, second}, `"serial":"02718"`},
		{"a board without a number", "1", []string{scan}, ""},
		{"no scan", "1", []string{first}, ""},
		{"another board", "2", []string{first, scan}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := &bench{t: t, dir: t.TempDir()}
			write(b.dir, "0", c.board, c.lines...)
			b.open()
			text, err := os.ReadFile(b.path())
			if err != nil || c.want == "" && bytes.Contains(text, []byte(`"scan":{`)) || !bytes.Contains(text, []byte(c.want)) {
				t.Errorf("%v: %s", err, text)
			}
		})
	}
}
