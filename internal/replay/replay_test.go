package replay_test

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"boardwatchd/internal/emulator"
	"boardwatchd/internal/record"
	"boardwatchd/internal/recording"
	"boardwatchd/internal/replay"
	"boardwatchd/internal/watch"
)

// rows is a source in memory.
type rows struct {
	recs    []record.Record
	journal bool
	at      int
}

func (r *rows) Next() (recording.Item, error) {
	if r.at == len(r.recs) {
		return recording.Item{}, io.EOF
	}
	r.at++
	return recording.Item{Record: r.recs[r.at-1]}, nil
}

func (r *rows) Journal() bool { return r.journal }

// capture records generated games as a passive listener would.
func capture(t testing.TB, seed uint64, games int) *rows {
	t.Helper()
	src := &rows{}
	_, err := emulator.Record(emulator.Options{Seed: seed, Count: games}, func(at int64, dir byte, p []byte) {
		if dir == emulator.FromBoard {
			src.recs = append(src.recs, record.Record{Seq: record.Seq(len(src.recs) + 2), At: at, Kind: record.Rx, Body: append([]byte(nil), p...)})
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return src
}

// journal runs a capture into a journal on disk and opens that.
func journalOf(t *testing.T, src *rows) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "game.bwj")
	c, err := replay.NewCopier(path)
	if err != nil {
		t.Fatal(err)
	}
	opt := replay.Options{Board: "1"}
	c.Tee(&opt)
	_, _, err = replay.Run(src, opt)
	if err := errors.Join(err, c.Close()); err != nil {
		t.Fatal(err)
	}
	return path
}

func open(t *testing.T, path string) *recording.Source {
	t.Helper()
	src, err := recording.Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { src.Close() })
	return src
}

func TestAJournalMadeFromACaptureVerifies(t *testing.T) {
	path := journalOf(t, capture(t, 3, 2))
	c, err := replay.Verify(open(t, path))
	if err != nil || c.First != nil || c.Effects < 50 || c.Core != watch.Revision {
		t.Fatalf("%+v, %v", c, err)
	}
}

func TestAnyCutOfAJournalVerifies(t *testing.T) {
	var all []record.Record
	src := open(t, journalOf(t, capture(t, 4, 1)))
	for {
		it, err := src.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		it.Record.Body = append([]byte(nil), it.Record.Body...)
		all = append(all, it.Record)
	}
	for n := range all {
		c, err := replay.Verify(&rows{recs: all[:n], journal: true})
		if err != nil || c.First != nil {
			t.Fatalf("the first %d records: %v, %v", n, c.First, err)
		}
	}
}

func TestVerifyShowsTheFirstDifference(t *testing.T) {
	at := func(seq record.Seq, k record.Kind, body string) record.Record {
		return record.Record{Seq: seq, Kind: k, Body: []byte(body)}
	}
	open := record.Record{Seq: 1, Kind: record.Open, Body: watch.Opening{Format: watch.Format, Source: watch.Capture, Core: "0", Board: "1"}.Body()}
	start := append([]byte{0x86, 0x00, 0x43, 8, 9, 10, 12, 11, 10, 9, 8, 7, 7, 7, 7, 7, 7, 7, 7}, make([]byte, 32)...)
	start = append(start, 1, 1, 1, 1, 1, 1, 1, 1, 2, 3, 4, 6, 5, 4, 3, 2)
	rx := record.Record{Seq: 2, Kind: record.Rx, Body: start}
	for _, c := range []struct {
		name string
		recs []record.Record
		want string
	}{
		{"an effect that is not said now", []record.Record{open, at(2, record.Wake, ""), at(3, record.Say, `{"type":"x"}`)}, `record 3`},
		{"another effect than then", []record.Record{open, rx, at(3, record.Say, `{"type":"x"}`)}, `record 3`},
		{"an effect that is missing before the next input", []record.Record{open, rx, at(3, record.Wake, "")}, `then: nothing`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := replay.Verify(&rows{recs: c.recs, journal: true})
			if err != nil || got.First == nil || !strings.Contains(got.First.String(), c.want) || got.Core != "0" {
				t.Errorf("%v, %v; want %q", got.First, err, c.want)
			}
		})
	}
	t.Run("an effect that the writer did not live to write", func(t *testing.T) {
		got, err := replay.Verify(&rows{recs: []record.Record{open, rx}, journal: true})
		if err != nil || got.First != nil || got.Owed != 1 {
			t.Errorf("%+v, %v", got, err)
		}
	})
}

func TestReplayIsTheSameTwice(t *testing.T) {
	said := func() string {
		var b strings.Builder
		_, sum, err := replay.Run(capture(t, 5, 2), replay.Options{Board: "1", Effect: func(_ record.Record, e watch.Effect) {
			fmt.Fprintf(&b, "%v %s\n", e.Kind, e.Body)
		}})
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("%s%+v", b.String(), sum)
	}
	if a, b := said(), said(); a != b || !strings.Contains(a, `"type":"move"`) {
		t.Error("two replays of one capture differ")
	}
}

func TestGamesBecomePGN(t *testing.T) {
	var games replay.Games
	games.Opening(watch.Opening{Format: watch.Format, Wall: "2026-11-21T09:00:00Z", Config: []byte(`{"event":"Open","round":"3"}`)}.Body())
	for _, body := range []string{
		`{"type":"game","board":"7","game":1,"fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"}`,
		`{"type":"move","game":1,"ply":1,"uci":"e2e4","clock":{"white":181,"black":180}}`,
		`{"type":"move","game":1,"ply":2,"uci":"e7e5","clock":{"white":181,"black":179}}`,
		`{"type":"move","game":1,"ply":3,"uci":"g1f3","clock":null}`,
		`{"type":"takeback","game":1,"ply":2}`,
		`{"type":"move","game":1,"ply":3,"uci":"f1c4","clock":null}`,
		`{"type":"result","game":1,"result":"1-0","by":"kings","state":"proposed"}`,
	} {
		games.Said([]byte(body))
	}
	text, err := games.PGN()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`[Board "7"]`, `[Event "Open"]`, `[Date "2026.11.21"]`, `[Round "3"]`, `[Result "1-0"]`, `1. e4 {[%clk 0:03:01]} 1... e5 {[%clk 0:02:59]} 2. Bc4 1-0`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}
