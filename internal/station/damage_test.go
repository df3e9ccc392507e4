package station_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"boardwatchd/internal/journal"
	"boardwatchd/internal/record"
	"boardwatchd/internal/recording"
	"boardwatchd/internal/replay"
	"boardwatchd/internal/sharedtest"
	"boardwatchd/internal/station"
	"boardwatchd/internal/watch"
)

// unopenable replaces a file by something that no user can open, and returns a function that puts the file back.
func unopenable(t *testing.T, path string) (mend func()) {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.Rename(path, path+".away"))
	must(os.Symlink(filepath.Base(path), path))
	return func() {
		must(os.Remove(path))
		must(os.Rename(path+".away", path))
	}
}

// A file of a journal that cannot be opened costs its own records and none of the others', before it or after it.
func TestAFileThatCannotBeOpened(t *testing.T) {
	b := &bench{t: t, dir: t.TempDir()}
	instruct := func(text string) {
		b.run(station.Input{Kind: record.Instruct, Body: watch.Instruction{Do: watch.DoNames, White: watch.Value(text)}.Body()})
	}
	b.run(rx(startDump), rx(e4), station.Input{Kind: record.Instruct, Body: watch.Instruction{Do: watch.DoNames, White: "first"}.Body()})
	instruct("second")
	mend := unopenable(t, b.path())
	if d := b.damage(); !strings.Contains(d, "unreadable") {
		t.Errorf("damage %q", d)
	}
	instruct("third")
	told := strings.Join(b.told(), " ")
	if strings.Contains(told, "first") || !strings.Contains(told, "second") || !strings.Contains(told, "third") {
		t.Errorf("while it cannot be opened: %s", told)
	}
	mend()
	if told := strings.Join(b.told(), " "); !strings.Contains(told, "first") || !strings.Contains(told, "second") || !strings.Contains(told, "third") {
		t.Errorf("when it can be opened again: %s", told)
	}
	if d := b.damage(); d != "" {
		t.Errorf("damage: %s", d)
	}
	src, err := recording.Open(b.path(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close() // read only
	if c, err := replay.Verify(src); err != nil || c.First == nil || !strings.Contains(c.Unread, "unreadable") {
		t.Errorf("why it is not what was said then: %+v %v", c, err)
	}
}

// The last file of a journal is removed after a kill: the start that goes on without it says so.
func TestALastFileThatWasRemoved(t *testing.T) {
	b := &bench{t: t, dir: t.TempDir(), file: 4096}
	last := func() string {
		files, err := filepath.Glob(filepath.Join(b.dir, "*"+journal.Extension))
		if err != nil || len(files) < 2 {
			t.Fatalf("%v %v", files, err)
		}
		return filepath.Join(b.dir, journal.SegmentName("1", len(files)))
	}
	b.run(slices.Repeat([]station.Input{rx(startDump)}, 60)...)
	const missing = "the file with which it goes on is not there"
	if n := b.heard(missing); n != 0 {
		t.Errorf("a whole journal is called incomplete %d times", n)
	}
	if err := os.Remove(last()); err != nil {
		t.Fatal(err)
	}
	b.run(rx(startDump))
	if n := b.heard(missing); n != 1 {
		t.Errorf("reported %d times", n)
	}
	b.verify()
}

// damage is what a start finds.
func (b *bench) damage() string {
	b.t.Helper()
	s := b.open()
	ctx, cancel := context.WithCancel(b.t.Context())
	cancel()
	if err := s.Run(ctx); err != nil {
		b.t.Fatal(err)
	}
	return s.Damage()
}

// A journal that began in memory, because its disk was not there, and finds its name taken says which name it has.
func TestAJournalThatTakesAnotherName(t *testing.T) {
	parent := t.TempDir()
	dir, disk := filepath.Join(parent, "there"), filepath.Join(parent, "disk")
	if err := errors.Join(os.Mkdir(disk, 0o700), os.WriteFile(dir, nil, 0o600)); err != nil { // no directory can be there
		t.Fatal(err)
	}
	(&bench{t: t, dir: disk}).run(rx(startDump)) // an earlier journal "1"
	renamed, start := make(chan string, 1), time.Now()
	s, err := station.Open(station.Options{
		Board: "1", Dir: dir, Journal: "1", Wall: time.Now, Log: zerolog.Nop(), Renamed: func(name string) { renamed <- name },
		Mono: func() int64 { return time.Since(start).Microseconds() },
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(sharedtest.Context(t))
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	link := filepath.Join(parent, "link") // takes the place in one step: a station makes the directory where none is
	if err := errors.Join(os.Symlink(disk, link), os.Rename(link, dir)); err != nil {
		t.Fatal(err)
	}
	select {
	case name := <-renamed:
		if name != "1--2" || s.Head().Journal != name {
			t.Errorf("%s; the head is %v of %s", name, s.Head(), s.Head().Journal)
		}
	case <-ctx.Done():
		t.Error("nobody hears of the other name")
	}
	cancel()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}

// The listeners hear why the journal is not on the disk, and that it is there again: a notice that never ends hides the
// next one.
func TestADiskThatTakesTheJournalAgainIsReported(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "there")
	if err := os.WriteFile(dir, nil, 0o600); err != nil { // no directory can be there
		t.Fatal(err)
	}
	disk, start := make(chan string, 10), time.Now()
	s, err := station.Open(station.Options{
		Board: "1", Dir: dir, Journal: "1", Wall: time.Now, Log: zerolog.Nop(),
		Disk: func(trouble string) { disk <- trouble },
		Mono: func() int64 { return time.Since(start).Microseconds() },
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(sharedtest.Context(t))
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	next := func() string {
		select {
		case trouble := <-disk:
			return trouble
		case <-ctx.Done():
			t.Fatal("nothing is reported")
			return ""
		}
	}
	if next() == "" {
		t.Error("the first report has no reason")
	}
	if err := os.Remove(dir); err != nil {
		t.Fatal(err)
	}
	if trouble := next(); trouble != "" || s.Degraded() != nil {
		t.Errorf("when it is on the disk again: %q, %v", trouble, s.Degraded())
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
