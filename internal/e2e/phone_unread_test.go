//go:build linux

package e2e

import (
	"bytes"
	"errors"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"boardwatchd/internal/sharedtest"
)

// TestPhonesAreKnownAgainWhenTheDiskReads: the program is started while nothing in its state directory can be read or
// written. A phone is paired meanwhile. When the disk reads again, the phones of the earlier run are let in without
// another start, nobody else is, and the disk has both lists and the keys that it had.
func TestPhonesAreKnownAgainWhenTheDiskReads(t *testing.T) {
	long(t)
	for name, open := range map[string]func(testing.TB, *venue) (harm, mend func()){
		"the directory cannot be opened": func(t testing.TB, v *venue) (harm, mend func()) { return loopOfLinks(t, v.state()) },
		"every call fails with EIO":      failingExt4,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v := newVenue(t)
			harm, mend := open(t, v)
			v.serveCase(t, "")
			ann := v.pair(t, "Ann")
			sharedtest.Until(t, "the list is on the disk", func() bool { return strings.Contains(v.stateFile(t, "devices.json"), "Ann") })
			key := v.stateFile(t, "alert.key")
			v.kill()
			harm()
			v.open(t)
			if status, text := ann.session(t); status != http.StatusUnauthorized || !strings.Contains(text, "cannot be read") {
				t.Errorf("while the list cannot be read: %d %s", status, text)
			}
			bob := v.pair(t, "Bob")
			if status, text := bob.session(t); status != http.StatusOK {
				t.Errorf("a phone that was paired meanwhile: %d %s", status, text)
			}
			mend()
			sharedtest.Until(t, "the phone is known again", func() bool {
				status, _ := ann.session(t)
				return status == http.StatusOK
			})
			stranger := &handset{v: v, name: "nobody", cookie: strings.Repeat("A", len(ann.cookie)), web: v.client()}
			known := func(when string) {
				t.Helper()
				for h, want := range map[*handset]int{ann: http.StatusOK, bob: http.StatusOK, stranger: http.StatusUnauthorized} {
					if status, text := h.session(t); status != want || strings.Contains(text, "cannot be read") {
						t.Errorf("%s %s: %d %s", h.name, when, status, text)
					}
				}
			}
			sharedtest.Until(t, "the list is no longer reported", func() bool {
				_, text := stranger.session(t)
				return !strings.Contains(text, "cannot be read")
			})
			known("when the disk reads again")
			sharedtest.Until(t, "both are on the disk", func() bool {
				list := v.stateFile(t, "devices.json")
				return strings.Contains(list, "Ann") && strings.Contains(list, "Bob")
			})
			if now := v.stateFile(t, "alert.key"); now != key {
				t.Error("the key on the disk was replaced by one that was made while it could not be read")
			}
			v.kill()
			v.again(t)
			known("after another start")
		})
	}
}

// session asks who this phone is.
func (h *handset) session(t testing.TB) (status int, text string) {
	t.Helper()
	status, answer, err := h.call(t.Context(), "GET", "/api/v1/session", nil)
	if err != nil {
		t.Fatal(err)
	}
	return status, string(answer)
}

// stateFile is a file of the state directory; "": it is not there, or cannot be read.
func (v *venue) stateFile(t testing.TB, name string) string {
	t.Helper()
	body, err := os.ReadFile(filepath.Join(v.state(), name))
	if err != nil {
		return ""
	}
	return string(bytes.TrimSpace(body))
}

// loopOfLinks puts a link to itself in the place of a directory.
func loopOfLinks(t testing.TB, dir string) (harm, mend func()) {
	away := dir + ".away"
	harm = func() {
		if err := errors.Join(os.Rename(dir, away), os.Symlink(dir, dir)); err != nil {
			t.Fatal(err)
		}
	}
	mend = func() {
		// At once: the program would make a directory that is missing.
		if err := unix.Renameat2(unix.AT_FDCWD, away, unix.AT_FDCWD, dir, unix.RENAME_EXCHANGE); err != nil {
			t.Fatal(err)
		}
	}
	return harm, mend
}

// failingExt4 gives the program an ext4 of its own, which ends as it does in the campaign when the power fails.
func failingExt4(t testing.TB, v *venue) (harm, mend func()) {
	image := v.path("ext4")
	mount := func() ([]byte, error) { return exec.Command("mount", "-o", "loop", image, v.state()).CombinedOutput() }
	if err := os.Mkdir(v.state(), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(image, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(image, 64<<20); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("mkfs.ext4", "-q", image).CombinedOutput(); err != nil {
		t.Skipf("no ext4 can be made here: %v: %s", err, out)
	}
	if out, err := mount(); err != nil {
		t.Skipf("no ext4 can be mounted here: %v: %s", err, out)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(v.state(), unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	harm = func() {
		dir, err := os.Open(v.state())
		if err == nil {
			err = unix.IoctlSetPointerInt(int(dir.Fd()), shutExt4, noLogFlush)
			_ = dir.Close() // it is only read
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	mend = func() {
		// Not detached: while something holds it, another mount would be of the file system that has ended.
		sharedtest.Until(t, "nothing holds it", func() bool { return unix.Unmount(v.state(), 0) == nil })
		sharedtest.Until(t, "it is mounted again", func() bool {
			_, err := mount()
			return err == nil
		})
	}
	return harm, mend
}
