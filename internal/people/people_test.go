package people

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"boardwatchd/internal/sharedtest"
)

var november = time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)

func at(t time.Time) func() time.Time { return func() time.Time { return t } }

func file(t *testing.T) string {
	t.Helper()
	return filepath.Join(t.TempDir(), "people.json")
}

// The hall takes all beats in one goroutine, and they bring names: a disk that stalls must not stop them.
func TestNamesOfOtherComputersDoNotWaitForTheDisk(t *testing.T) {
	path := file(t)
	b := Open(path, at(november))
	b.mu.Lock() // as while the file is written
	fresh := make(chan bool, 2)
	go func() {
		fresh <- b.Named(map[string]string{"p-7k3m9q2x4v": "Adams, Ann", "p-bad\n": "x", "n-1": "no player", "p-empty": ""})
		fresh <- b.Named(map[string]string{"p-7k3m9q2x4v": "Adams, Ann"})
	}()
	for _, want := range []bool{true, false} {
		select {
		case got := <-fresh:
			if got != want {
				t.Errorf("new: %t, want %t", got, want)
			}
		case <-sharedtest.Hung(t):
			t.Fatal("it waits for the disk")
		}
	}
	if got := b.Said("p-7k3m9q2x4v"); got != "Adams, Ann" {
		t.Errorf("it is not known at once: %q", got)
	}
	b.mu.Unlock()
	b.Flush()
	again, err := Read(path)
	if list := again.Players(); err != nil || len(list) != 1 || list[0] != (Entry{ID: "p-7k3m9q2x4v", Name: "Adams, Ann", Day: "2026-11-23"}) {
		t.Errorf("on the disk: %v, %v", list, err)
	}
	b.Named(map[string]string{"p-0000000000": "Bell, Bob", "p-7k3m9q2x4v": "Adams, Anna"})
	if unknown, err := b.Forget("p-0000000000"); err != nil || len(unknown) != 0 || b.Said("p-0000000000") != "p-0000000000" {
		t.Errorf("forgotten before it was on the disk: %v, %v, %q", unknown, err, b.Said("p-0000000000"))
	}
	if got := Open(path, at(november)).Said("p-7k3m9q2x4v"); got != "Adams, Anna" {
		t.Errorf("the next change writes it: %q", got)
	}
}

func TestEverythingIsReadAgain(t *testing.T) {
	path := file(t)
	b := Open(path, at(november))
	ann, bob := b.Player("Adams, Ann"), b.Player("Bell, Bob")
	b.Device("7k3m9q2x4v", "Anna's phone")
	b.Device("7k3m9q2x4v", "Anna's new phone")
	note := b.Note("seen by two arbiters\nand a player")
	if ann == bob || b.Player("Adams, Ann") != ann || !strings.HasPrefix(ann, "p-") || !strings.HasPrefix(note, "n-") {
		t.Fatalf("ids: %q %q %q", ann, bob, note)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	again, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, book := range []*Book{b, again, Open(path, at(november))} {
		for id, want := range map[string]string{
			ann: "Adams, Ann", bob: "Bell, Bob", "7k3m9q2x4v": "Anna's new phone", note: "seen by two arbiters\nand a player",
			"": "", "Carter, C": "Carter, C", "p-0000000000": "p-0000000000",
		} {
			if got := book.Said(id); got != want {
				t.Errorf("%q stands for %q, want %q", id, got, want)
			}
		}
	}
	var none *Book
	if none.Said("x") != "x" {
		t.Error("nobody's book knows somebody")
	}
}

func TestTheSameNoteHasAnotherIDEachTime(t *testing.T) {
	b := Open(file(t), at(november))
	if one, other := b.Note("x"), b.Note("x"); one == other {
		t.Error("who knows one id finds the other note")
	}
	if b.Note("") != "" || b.Player("") != "" {
		t.Error("nothing has an id")
	}
	long := strings.Repeat("x", maxText+1)
	if b.Note(long) != long || b.Player("a\nb") != "a\nb" {
		t.Error("what cannot be kept must stand in the journal")
	}
}

func TestForget(t *testing.T) {
	path := file(t)
	daemon, operator := Open(path, at(november)), Open(path, at(november))
	ann, note := daemon.Player("Adams, Ann"), daemon.Note("x")
	unknown, err := operator.Forget(note, "n-0")
	if err != nil || len(unknown) != 1 || unknown[0] != "n-0" {
		t.Fatalf("%q, %v", unknown, err)
	}
	daemon.Flush()
	if daemon.Said(note) != note || daemon.Said(ann) != "Adams, Ann" {
		t.Error("the other program does not know")
	}
	daemon.Device("d", "phone") // and does not bring it back
	body, err := os.ReadFile(path)
	if err != nil || strings.Contains(string(body), note) || !strings.Contains(string(body), "phone") {
		t.Errorf("%s %v", body, err)
	}
}

func TestExpire(t *testing.T) {
	path := file(t)
	old := Open(path, at(november.AddDate(0, 0, -40)))
	ann, bob := old.Player("Adams, Ann"), old.Player("Bell, Bob")
	note := old.Note("x")
	now := november
	b := Open(path, func() time.Time { return now })
	if b.Player("Adams, Ann") != ann {
		t.Fatal("another id after a month")
	}
	if gone, err := b.Expire(0); gone != 0 || err != nil {
		t.Errorf("%d are gone, %v", gone, err)
	}
	for range 2 {
		if gone, err := b.Expire(30); gone != 0 || err != nil || b.Said(bob) == bob {
			t.Errorf("on the first day of all %d are gone, %v", gone, err)
		}
		b = Open(path, func() time.Time { return now })
	}
	now = november.AddDate(0, 0, 1)
	gone, err := b.Expire(30)
	if gone != 2 || err != nil || b.Said(ann) == ann || b.Said(bob) != bob || b.Said(note) != note {
		t.Errorf("%d are gone, %v: %q %q %q", gone, err, b.Said(ann), b.Said(bob), b.Said(note))
	}
}

// A clock that is wrong at the start removes nothing, and entries dated by it stay as long as the others.
func TestExpireByAWrongClock(t *testing.T) {
	path := file(t)
	now := november
	b := Open(path, func() time.Time { return now })
	ann := b.Player("Adams, Ann")
	expire := func(what string, want int) {
		t.Helper()
		if gone, err := b.Expire(365); gone != want || err != nil {
			t.Errorf("%s: %d are gone, %v; want %d", what, gone, err, want)
		}
	}
	expire("the first day", 0)
	now = november.AddDate(2, 0, 0)
	expire("a clock that is two years ahead", 0)
	expire("a restart on that day", 0)
	now = november.AddDate(0, 0, 1)
	expire("mended", 0)
	now = time.Unix(0, 0)
	note := b.Note("x")
	expire("a clock that begins in 1970", 0)
	now = november.AddDate(0, 0, 2)
	expire("mended", 0)
	expire("and the day after", 0)
	if b.Said(ann) == ann || b.Said(note) == note {
		t.Error("a wrong clock has removed something")
	}
	now = november.AddDate(1, 0, 3)
	expire("a year later", 2)
}

func TestADamagedFileIsSetAside(t *testing.T) {
	for _, body := range []string{"", "{", `{"version":2}`, `{"version":1,"players":[{"id":"","name":"x"}]}`,
		`{"version":1,"devices":[{"id":"d","name":"a\u0007b"}]}`, `{"version":1,"notes":[{"id":"n-1","salt":"s","text":"not what was written"}]}`} {
		path := file(t)
		if err := os.WriteFile(path, []byte(body), 0o600); err != nil {
			t.Fatal(err)
		}
		var damaged *DamagedError
		if _, err := Read(path); !errors.As(err, &damaged) {
			t.Errorf("%s: %v", body, err)
		}
		b := Open(path, at(november))
		if b.Warning().IsZero() {
			t.Errorf("%s: nothing is said", body)
		}
		ann := b.Player("Adams, Ann")
		aside, err := filepath.Glob(path + ".damaged-*")
		if err != nil || len(aside) != 1 {
			t.Fatalf("%s: %q, %v", body, aside, err)
		}
		if kept, err := os.ReadFile(aside[0]); err != nil || string(kept) != body {
			t.Errorf("%q became %q, %v", body, kept, err)
		}
		if got := Open(path, at(november)).Said(ann); got != "Adams, Ann" {
			t.Errorf("%s: %q", body, got)
		}
	}
}

// The file cannot be written: names are known in memory, notes go into the journal, and everything is written later.
func TestNoDisk(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "missing")
	path := filepath.Join(dir, "people.json")
	b := Open(path, at(november))
	ann := b.Player("Adams, Ann")
	if b.Said(ann) != "Adams, Ann" || b.Player("Adams, Ann") != ann || b.Warning().IsZero() {
		t.Fatalf("%q %q", b.Said(ann), b.Warning())
	}
	if got := b.Note("not lost"); got != "not lost" || len(b.Notes()) != 0 {
		t.Errorf("the journal holds %q, the book %v", got, b.Notes())
	}
	if _, err := b.Forget("x"); err == nil {
		t.Error("nothing is said of what the file still has")
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	b.Flush()
	if got := Open(path, at(november)).Said(ann); got != "Adams, Ann" || !b.Warning().IsZero() {
		t.Errorf("%q %q", got, b.Warning())
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	b.Flush() // a removed file is written again
	if got := Open(path, at(november)).Said(ann); got != "Adams, Ann" {
		t.Error(got)
	}
}

// The file cannot be read at the start, and is repaired in either way while the program runs.
func TestMended(t *testing.T) {
	for name, mend := range map[string]func(path string) error{
		"removed": os.Remove,
		"put back": func(path string) error {
			other := Open(filepath.Join(filepath.Dir(path), "other"), at(november))
			other.Device("d", "Anna's phone")
			return errors.Join(os.Remove(path), os.Rename(other.path, path))
		},
		"damaged": func(path string) error { return errors.Join(os.Remove(path), os.WriteFile(path, []byte("{"), 0o600)) },
	} {
		path := file(t)
		if err := os.Mkdir(path, 0o700); err != nil {
			t.Fatal(err)
		}
		b := Open(path, at(november))
		ann := b.Player("Adams, Ann")
		if got := b.Note("not lost"); got != "not lost" || b.Warning().IsZero() {
			t.Errorf("%s: the journal holds %q, %q", name, got, b.Warning())
		}
		if err := mend(path); err != nil {
			t.Fatal(err)
		}
		b.Flush()
		note := b.Note("kept")
		again := Open(path, at(november))
		if again.Said(ann) != "Adams, Ann" || note == "kept" || again.Said(note) != "kept" {
			t.Errorf("%s: %q %q", name, again.Said(ann), again.Said(note))
		}
		if (!b.Warning().IsZero()) != (name == "damaged") || (again.Said("d") == "d") == (name == "put back") {
			t.Errorf("%s: %q %q", name, b.Warning(), again.Said("d"))
		}
	}
}

// A person makes a mistake in the file while the program runs.
func TestDamagedWhileItIsKnown(t *testing.T) {
	path := file(t)
	b := Open(path, at(november))
	ann := b.Player("Adams, Ann")
	if err := os.WriteFile(path, []byte(`{"version":1,}`), 0o600); err != nil {
		t.Fatal(err)
	}
	b.Flush()
	aside, err := filepath.Glob(path + ".damaged-*")
	if err != nil || len(aside) != 1 || b.Warning().IsZero() {
		t.Errorf("%q, %v, %q", aside, err, b.Warning())
	}
	if got := Open(path, at(november)).Said(ann); got != "Adams, Ann" {
		t.Error(got)
	}
}

// A note that could not be written goes into the journal; when files can be written again, the warning ends.
func TestTheWarningEndsWithItsCause(t *testing.T) {
	path := file(t)
	b := Open(path, at(november))
	b.Player("Adams, Ann")
	if err := os.Mkdir(path+".new", 0o700); err != nil { // blocks the new file
		t.Fatal(err)
	}
	if b.Note("x") != "x" || b.Warning().IsZero() {
		t.Errorf("%q", b.Warning())
	}
	if err := os.Remove(path + ".new"); err != nil {
		t.Fatal(err)
	}
	if b.Flush(); !b.Warning().IsZero() {
		t.Error(b.Warning())
	}
}

// Two programs write at the same time: no note has to go into a journal because of that.
func TestNotesWhileAnotherProgramWrites(t *testing.T) {
	path := file(t)
	var all sync.WaitGroup
	for range 4 {
		b := Open(path, at(november))
		all.Go(func() {
			for range 5 {
				if b.Note("x") == "x" {
					t.Error(b.Warning())
				}
			}
		})
	}
	all.Wait()
	if n := len(Open(path, at(november)).Notes()); n != 20 {
		t.Errorf("%d notes are kept", n)
	}
}

func TestTooMany(t *testing.T) {
	var e entries
	for i := range maxEntries + 3 {
		e.Players = append(e.Players, Entry{ID: "p", Name: "n", Day: november.AddDate(0, 0, i%2).Format(dayLayout)})
	}
	body, err := e.encode()
	if err != nil || len(e.Players) != maxEntries || e.Players[0].Day != "2026-11-23" {
		t.Errorf("%d entries, %v", len(e.Players), err)
	}
	if _, err := decode(body); err != nil {
		t.Error(err)
	}
}

// With long notes the file stays readable, and the newest are in it.
func TestTooLong(t *testing.T) {
	if testing.Short() {
		t.Skip("much text, in one goroutine")
	}
	path := file(t)
	b := Open(path, at(november))
	ann, text := b.Player("Adams, Ann"), strings.Repeat("ж", 500)
	b.change(func(e *entries) bool {
		for i := range maxFile / len(text) {
			salt := strconv.Itoa(i)
			e.Notes = append(e.Notes, Note{ID: noteID(salt, text), Salt: salt, Text: text, Day: "2026-11-23"})
		}
		return true
	})
	last := b.Note("the last one")
	again := Open(path, at(november))
	if again.Said(ann) != "Adams, Ann" || again.Said(last) != "the last one" || !again.Warning().IsZero() {
		t.Errorf("%q %q %q", again.Said(ann), again.Said(last), again.Warning())
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"version":1,"players":[{"id":"p-1","name":"A","day":"2026-11-23"}],"devices":[],"notes":[]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		e, err := decode(body)
		if err != nil {
			return
		}
		again, err := e.encode()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := decode(again); err != nil {
			t.Errorf("%q becomes %q: %v", body, again, err)
		}
	})
}
