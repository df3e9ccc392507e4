package access

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestSecondProgramErasesNothing(t *testing.T) {
	b := newBench(t)
	first, firstSecret := b.device(Arbiter, "A")
	second := b.another()
	if b.Shared() || !b.Warning().IsZero() || !second.Shared() || !says(second.Warning(), "notice.devices_shared") {
		t.Fatalf("first: %v %q; second: %v %q", b.Shared(), b.Warning(), second.Shared(), second.Warning())
	}
	if d, ok := second.Check(firstSecret); !ok || d.ID != first.ID {
		t.Error("the second program does not know the devices")
	}
	body := b.body()
	code, err := second.NewCode(Viewer, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, own, err := second.Pair(ThisComputer, code.Text, "B")
	if err := errors.Join(err, second.Rename(first.ID, "C"), second.Revoke(first.ID), second.Flush()); err != nil {
		t.Errorf("a change in memory: %v", err)
	}
	if _, ok := second.Check(own); !ok || len(second.Devices()) != 1 {
		t.Error("its own changes are not in force there")
	}
	if b.body() != body {
		t.Error("the second program wrote the file")
	}
	if err := errors.Join(second.Close(), second.Close()); err != nil {
		t.Error(err)
	}
	_, later := b.device(Viewer, "D")
	if third := b.another(); !third.Shared() {
		t.Error("the end of the second program has freed the first one's file")
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	b.open()
	for _, secret := range []string{firstSecret, later} {
		if _, ok := b.Check(secret); !ok || b.Shared() || len(b.Devices()) != 2 {
			t.Errorf("after both: known %v, shared %v, %d devices", ok, b.Shared(), len(b.Devices()))
		}
	}
}

func TestSecondProgramLeavesADamagedFileToItsOwner(t *testing.T) {
	b := newBench(t)
	b.write("{")
	if second := b.another(); !second.Shared() || !says(second.Warning(), "notice.devices_list_damaged") || len(second.Devices()) != 0 {
		t.Errorf("shared %v, %q", second.Shared(), second.Warning())
	}
	if aside, _ := filepath.Glob(b.path + ".damaged*"); len(aside) != 0 || b.body() != "{" {
		t.Errorf("put aside: %v", aside)
	}
}

func TestCloseWritesAndNothingAfterIt(t *testing.T) {
	b := newBench(t)
	d, secret := b.device(Arbiter, "A")
	b.time = b.time.Add(time.Hour)
	b.Check(secret)
	if err := b.Close(); err != nil || !strings.Contains(b.body(), b.time.Format(time.RFC3339)) {
		t.Errorf("%v; the file is %s", err, b.body())
	}
	body := b.body()
	if err := b.Rename(d.ID, "B"); !errors.Is(err, ErrNotSaved) || b.body() != body {
		t.Errorf("after Close: %v", err)
	}
	if info, err := os.Stat(b.path + ".lock"); err != nil || info.Mode().Perm() != mode {
		t.Errorf("the lock's file: %v %v", info, err)
	}
}

func TestFileThatCannotBeLockedIsUsedAllTheSame(t *testing.T) {
	b := newBench(t)
	b.crash()
	if err := errors.Join(os.Remove(b.path+".lock"), os.Mkdir(b.path+".lock", 0o700)); err != nil {
		t.Fatal(err)
	}
	b.Store = b.another()
	b.device(Arbiter, "A")
	if b.Shared() || !b.Warning().IsZero() || !strings.Contains(b.body(), `"A"`) {
		t.Errorf("shared %v, %q", b.Shared(), b.Warning())
	}
}

func TestCodeIsOpenUntilItIsUsedOrExpires(t *testing.T) {
	b := newBench(t)
	typed, scanned, left := b.code(Viewer), b.code(Viewer), b.code(Viewer)
	_, _, _ = b.Pair(ThisComputer, "WRONG-00", "")
	for _, c := range []Code{typed, scanned, left} {
		if !b.CodeOpen(c) {
			t.Error("a fresh code is not open")
		}
	}
	for used, c := range map[string]Code{typed.Text: typed, scanned.Link: scanned} {
		if _, _, err := b.Pair(ThisComputer, used, ""); err != nil || b.CodeOpen(c) {
			t.Errorf("used: %v, open %v", err, b.CodeOpen(c))
		}
	}
	if !b.CodeOpen(left) || b.CodeOpen(Code{}) {
		t.Error("another code was closed, or none is open")
	}
	if b.time = left.Expires; b.CodeOpen(left) {
		t.Error("it is open after its time")
	}
}

func TestChangedTellsOfTheWarning(t *testing.T) {
	b := newBench(t)
	_, secret := b.device(Arbiter, "A")
	dir := filepath.Dir(b.path)
	if err := os.Rename(dir, dir+"-away"); err != nil {
		t.Fatal(err)
	}
	b.Check(secret)
	before := b.Changed()
	if err := b.Flush(); !errors.Is(err, ErrNotSaved) || b.Warning().IsZero() || !closed(before) {
		t.Errorf("the disk has gone: %v, %q, told %v", err, b.Warning(), closed(before))
	}
	before = b.Changed()
	if _ = b.Flush(); closed(before) {
		t.Error("the same warning was told twice")
	}
	if err := os.Rename(dir+"-away", dir); err != nil {
		t.Fatal(err)
	}
	if err := b.Flush(); err != nil || !b.Warning().IsZero() || !closed(before) {
		t.Errorf("the disk is back: %v, %q, told %v", err, b.Warning(), closed(before))
	}
}
