package station_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"boardwatchd/internal/record"
	"boardwatchd/internal/station"
	"boardwatchd/internal/watch"
)

// unopenable puts something in a file's place that cannot be opened, whoever tries, and returns how to put the file back.
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

// A file of a journal that cannot be opened costs its own records and none of the others', before it or behind it.
func TestAFileThatCannotBeOpened(t *testing.T) {
	b := &bench{t: t, dir: t.TempDir()}
	instruct := func(text string) {
		b.run(station.Input{Kind: record.Instruct, Body: watch.Instruction{Do: watch.DoNames, White: watch.Value(text)}.Body()})
	}
	instruct("first")
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
