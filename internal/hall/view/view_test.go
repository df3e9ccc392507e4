package view_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"boardwatchd/internal/hall/view"
	"boardwatchd/internal/journal"
	"boardwatchd/internal/record"
	"boardwatchd/internal/scenario"
	"boardwatchd/internal/watch"
)

// records are those of one of the program's own cases.
func records(t *testing.T, c *scenario.Case) (list []record.Record) {
	t.Helper()
	_, _, err := c.Play(scenario.Options{Record: func(r record.Record) error {
		r.Body = bytes.Clone(r.Body)
		list = append(list, r)
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// promotions are the cases in which a piece is read as another one than the board reports, or stands although the board
// does not see it.
var promotions = map[string]bool{
	"wrong-colour-is-illegal-here": true, "wrong-colour-wbca": true, "queen-of-the-other-colour": true, "rook-upside-down": true, "fallen-and-left": true,
}

// An Observer shows of every case what the machine shows that wrote it, at every record: by itself all but the rules'
// account and the position while an illegal move stands, and those with what the board's computer counts.
func TestAnObserverShowsWhatTheMachineShows(t *testing.T) {
	compared, alone := 0, 0
	for i := range scenario.Own() {
		c := &scenario.Own()[i]
		m, was := watch.New(), watch.Counted{}
		var by, with watch.Observer
		var want watch.View
		m.Trace()
		same := func(seq record.Seq) {
			t.Helper()
			now := want.Counted()
			if now.At = 0; now != was { // as the board's computer says it
				was, now.At = now, want.At
				with.Count(now)
			}
			w, g, o := want, with.View(), by.View()
			w.Serial = "" // nobody asks the hall for it
			if promotions[c.ID] {
				g.Placement, o.Placement = w.Placement, w.Placement
			}
			if g != w {
				t.Fatalf("%s, before record %d:\n%+v, the machine shows\n%+v", c.ID, seq, g, w)
			}
			if compared++; o.FEN == w.FEN {
				alone++
			}
			o.FEN, o.Profile, o.Strikes, o.ToLose, o.Finish, o.Hands = w.FEN, w.Profile, w.Strikes, w.ToLose, w.Finish, w.Hands
			if o != w {
				t.Fatalf("%s, before record %d: alone\n%+v, the machine shows\n%+v", c.ID, seq, o, w)
			}
		}
		for n, r := range records(t, c) {
			if n > 0 && r.Kind.Input() {
				same(r.Seq)
			}
			by.Step(r)
			with.Step(r)
			if r.Kind.Input() || r.Kind == record.Say {
				m.Step(r)
			}
			if r.Kind.Input() {
				want = m.View()
			}
		}
		same(0)
	}
	if compared < 100_000 || alone < compared*9/10 {
		t.Errorf("%d views, of which %d have the machine's position without being told", compared, alone)
	}
}

// written puts records into a journal, and returns its path.
func written(t *testing.T, list []record.Record) string {
	t.Helper()
	dir := t.TempDir()
	w, err := journal.Create(dir, "1-r1", journal.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range list {
		if _, err := w.Append(r.At, r.Kind, r.Body); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(list[len(list)-1].At, "end"); err != nil {
		t.Fatal(err)
	}
	return dir + "/1-r1.bwj"
}

// The check finds what the machine would have said otherwise, names the record, judges no other revision, and ends when
// it is asked to.
func TestACheckFindsADifference(t *testing.T) {
	var list []record.Record
	for i := range scenario.Own() {
		if c := &scenario.Own()[i]; c.ID == "knight-diagonal" {
			list = records(t, c)
		}
	}
	on := func() error { return nil }
	if c, err := view.Check(written(t, list), on); err != nil || c.FirstDifference != 0 || c.Core != watch.Revision || int(c.Last) < len(list) {
		t.Errorf("%+v %v", c, err)
	}
	other := bytes.Clone(list[0].Body)
	foreign := append([]record.Record{{At: 0, Kind: record.Open, Body: bytes.Replace(other, []byte(`"core":"`+watch.Revision), []byte(`"core":"1`), 1)}}, list[1:]...)
	if c, err := view.Check(written(t, foreign), on); err != nil || c.FirstDifference != 0 || c.Core == watch.Revision {
		t.Errorf("another revision: %+v %v", c, err)
	}
	for n, r := range list {
		if r.Kind == record.Say && bytes.Contains(r.Body, []byte(`"type":"finding"`)) {
			list[n].Body = bytes.Replace(r.Body, []byte("illegal.knight"), []byte("illegal.bishop"), 1)
			if c, err := view.Check(written(t, list), on); err != nil || c.FirstDifference != r.Seq || c.How == "" {
				t.Errorf("%+v %v, want a difference at %d", c, err, r.Seq)
			}
			break
		}
	}
	stop := errors.New("the hall ends")
	if _, err := view.Check(written(t, list), func() error { return stop }); !errors.Is(err, stop) {
		t.Errorf("ended with %v", err)
	}
}

// A journal that comes piece by piece gives the same output as one that is read: the same words in the same order, and
// the same final state.
func TestAJournalIsHeardPieceByPiece(t *testing.T) {
	list := records(t, &scenario.Own()[0])
	whole := bytes.Join(lines(t, written(t, list)), nil)
	half := bytes.IndexByte(whole[len(whole)/2:], '\n') + len(whole)/2 + 1
	path := written(t, list[:2])
	heard := func() (l view.Listener, last *watch.View, said *int) {
		last, said = new(watch.View), new(int)
		return view.Listener{
			Recovered: func(r record.Record) {
				if r.Kind == record.Say {
					*said++
				}
			},
			Entered: func(record.Record) {}, Seen: func(v watch.View, _ []watch.Touch) { *last = v }, Said: func([]byte) { *said++ }, Ready: func() {},
		}, last, said
	}
	l, want, n := heard()
	if _, err := view.Read(keep(t, path, whole), l, nil, zerolog.Nop()); err != nil {
		t.Fatal(err)
	}
	l, got, m := heard()
	v, err := view.Read(keep(t, path, whole[:half]), l, nil, zerolog.Nop())
	if err != nil {
		t.Fatal(err)
	}
	for at := half; at < len(whole); at += 777 {
		if !v.Feed(1, whole[at:min(at+777, len(whole))]) {
			t.Fatalf("it is to be read anew at %d", at)
		}
	}
	if *got != *want || *m != *n || *n == 0 {
		t.Errorf("%d words, shown %+v; read at once %d and %+v", *m, *got, *n, *want)
	}
}

// A mirror of which a part cannot be read says less than the board has: it is not shown as the board.
func TestAMirrorThatCannotBeReadIsNotShown(t *testing.T) {
	path := written(t, records(t, &scenario.Own()[0]))
	if err := os.Rename(path, strings.Replace(path, ".bwj", ".2.bwj", 1)); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Base(path), path); err != nil { // to itself
		t.Fatal(err)
	}
	quiet := view.Listener{Recovered: func(record.Record) {}, Seen: func(watch.View, []watch.Touch) {}, Ready: func() { t.Error("it is shown") }}
	if v, err := view.Read(path, quiet, nil, zerolog.Nop()); err == nil {
		t.Errorf("read to record %d", v.Seq())
	}
}

func lines(t *testing.T, path string) [][]byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.SplitAfter(b, []byte("\n"))
}

func keep(t *testing.T, path string, text []byte) string {
	t.Helper()
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
