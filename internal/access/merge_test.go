package access

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestListsAreJoined: the devices of both are known, in memory and in the file, and nobody else.
func TestListsAreJoined(t *testing.T) {
	earlier, b := newBench(t), newBench(t)
	ann, annSecret := earlier.device(Arbiter, "Ann")
	gone, goneSecret := earlier.device(Viewer, "Gone")
	if err := earlier.Revoke(gone.ID); err != nil {
		t.Fatal(err)
	}
	b.SetUnread(true)
	if !b.Unread() || !says(b.Warning(), "notice.devices_unread") {
		t.Errorf("unread: %v, %q", b.Unread(), b.Warning())
	}
	_, bobSecret := b.device(Viewer, "Bob")
	if _, ok := b.Check(annSecret); ok {
		t.Error("somebody is let in whom the list does not have")
	}
	changed := b.Changed()
	for range 2 {
		if err := b.Merge(earlier.path); err != nil {
			t.Fatal(err)
		}
	}
	b.SetUnread(false)
	select {
	case <-changed:
	default:
		t.Error("the change is not reported")
	}
	for _, again := range []bool{false, true} {
		if again {
			b.open()
		}
		got, ok := b.Check(annSecret)
		if !ok || got.ID != ann.ID || got.Role != Arbiter || len(b.Devices()) != 2 || !b.Warning().IsZero() {
			t.Errorf("%+v %v, %d devices, %q", got, ok, len(b.Devices()), b.Warning())
		}
		if _, ok := b.Check(bobSecret); !ok {
			t.Error("the phone that was paired meanwhile is not known")
		}
		if _, ok := b.Check(goneSecret); ok {
			t.Error("a phone that was removed is let in")
		}
	}
}

func TestFilesAreJoined(t *testing.T) {
	earlier, later := newBench(t), newBench(t)
	_, annSecret := earlier.device(Arbiter, "Ann")
	_, bobSecret := later.device(Viewer, "Bob")
	if err := MergeFiles(earlier.path, later.path, later.time); err != nil {
		t.Fatal(err)
	}
	earlier.open()
	for _, secret := range []string{annSecret, bobSecret} {
		if _, ok := earlier.Check(secret); !ok {
			t.Error("a phone is not known")
		}
	}
	if err := MergeFiles(earlier.path, later.path+"x", later.time); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

// TestJoinedListsHaveALimit: a list with more devices would not be read at the next start.
func TestJoinedListsHaveALimit(t *testing.T) {
	b := newBench(t)
	_, secret := b.device(Arbiter, "Bob")
	var list []string
	for i := range maxDevices {
		list = append(list, fmt.Sprintf(`{"id":"d%d","name":"A","role":"viewer","secret_sha256":"%064x","paired_at":"2026-11-21T13:00:00Z","seen_at":"2026-11-21T13:%02d:00Z"}`, i, i, 1+i%59))
	}
	path := filepath.Join(t.TempDir(), "list.json")
	if err := os.WriteFile(path, []byte(listOf(list...)), mode); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(b.Merge(path), Check(b.path)); err != nil {
		t.Fatal(err)
	}
	if _, ok := b.Check(secret); !ok || len(b.Devices()) != maxDevices || strings.Contains(b.body(), `"d0"`) {
		t.Errorf("known: %v, %d devices", ok, len(b.Devices()))
	}
}

func TestADamagedListIsNotJoined(t *testing.T) {
	b := newBench(t)
	_, secret := b.device(Arbiter, "Bob")
	path := filepath.Join(t.TempDir(), "list.json")
	if err := os.WriteFile(path, []byte(listOf(deviceA, deviceA)), mode); err != nil {
		t.Fatal(err)
	}
	if b.Merge(path) == nil || Check(path) == nil || MergeFiles(path, b.path, b.time) == nil {
		t.Error("it was joined")
	}
	if _, ok := b.Check(secret); !ok || len(b.Devices()) != 1 {
		t.Errorf("known: %v, %d devices", ok, len(b.Devices()))
	}
}
