package daemon

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// ownFilesRig is a state directory, a runtime directory beside it, and what the environment says of it.
type ownFilesRig struct {
	t          *testing.T
	state, run string
}

func newOwnFilesRig(t *testing.T) *ownFilesRig {
	return &ownFilesRig{t: t, state: filepath.Join(t.TempDir(), "state"), run: t.TempDir()}
}

func (r *ownFilesRig) open() ownFiles {
	return openOwnFiles(r.state, func(key string) string {
		if key == "RUNTIME_DIRECTORY" {
			return r.run + ":/elsewhere"
		}
		return ""
	})
}

// phones is a list of devices: "two phones".
func phones(howMany string) string {
	var list []string
	for i := range slices.Index([]string{"no", "one", "two", "three", "four"}, strings.Fields(howMany)[0]) {
		list = append(list, phone("p"+strconv.Itoa(i)))
	}
	return listOf(list...)
}

func phone(id string) string {
	return fmt.Sprintf(`{"id":%q,"name":"A","role":"arbiter","secret_sha256":"%x","paired_at":"2026-11-21T14:00:00Z","seen_at":"2026-11-21T14:00:00Z"}`,
		id, sha256.Sum256([]byte(id)))
}

func listOf(devices ...string) string {
	return `{"version":1,"devices":[` + strings.Join(devices, ",") + "]}"
}

func (r *ownFilesRig) write(dir, name, body string) {
	r.t.Helper()
	if strings.HasSuffix(body, " phones") || strings.HasSuffix(body, " phone") {
		body = phones(body)
	}
	path := filepath.Join(dir, name)
	err := os.MkdirAll(filepath.Dir(path), 0o700)
	if err == nil {
		err = os.WriteFile(path, []byte(body), 0o600)
	}
	if err != nil {
		r.t.Fatal(err)
	}
}

func (r *ownFilesRig) want(o ownFiles, name, body string) {
	r.t.Helper()
	if strings.HasSuffix(body, " phones") || strings.HasSuffix(body, " phone") {
		body = phones(body)
	}
	if b, err := os.ReadFile(filepath.Join(o.dir, name)); string(b) != body || body != "" && err != nil {
		r.t.Errorf("%s: %q, %v; want %q", name, b, err, body)
	}
}

// block puts a file in the place of the state directory: nothing in it can be read or written.
func (r *ownFilesRig) block() {
	r.t.Helper()
	if err := os.RemoveAll(r.state); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(r.state, nil, 0o600); err != nil {
		r.t.Fatal(err)
	}
}

func (r *ownFilesRig) unblock() {
	r.t.Helper()
	if err := os.Remove(r.state); err != nil {
		r.t.Fatal(err)
	}
}

func TestPairedPhonesAreKnownFromTheSecondPlace(t *testing.T) {
	r := newOwnFilesRig(t)
	o := r.open()
	if o.dir != r.state || o.unusable != nil {
		t.Fatalf("%+v", o)
	}
	r.write(o.dir, devicesFile, "two phones")
	r.write(o.dir, filepath.Join(trustDir, "root.pem"), "key")
	o.keep()

	r.block() // the disk is dead
	o = r.open()
	if o.dir == r.state || o.unusable == nil {
		t.Fatalf("%+v", o)
	}
	r.want(o, devicesFile, "two phones")
	r.want(o, filepath.Join(trustDir, "root.pem"), "key")
	r.write(o.dir, devicesFile, "three phones")

	r.unblock() // the disk is back: with the old list, and with a journal that the writer has put there
	r.write(r.state, devicesFile, "two phones")
	r.write(r.state, "12-r1.bwj", "a journal")
	o = r.open()
	if o.dir != r.state || o.unusable != nil {
		t.Fatalf("%+v", o)
	}
	r.want(o, devicesFile, "three phones")
	r.write(o.dir, devicesFile, "one phone") // from now on this one counts
	r.want(r.open(), devicesFile, "one phone")
}

func TestANewDiskGetsTheCopies(t *testing.T) {
	r := newOwnFilesRig(t)
	o := r.open()
	r.write(o.dir, devicesFile, "two phones")
	o.keep()
	if err := os.RemoveAll(r.state); err != nil {
		t.Fatal(err)
	}
	r.write(r.state, "lost+found/x", "")
	r.want(r.open(), devicesFile, "two phones")
}

// TestARevokedPhoneStaysAway: even if the computer's clock is wrong, or an older file was put back.
func TestARevokedPhoneStaysAway(t *testing.T) {
	r := newOwnFilesRig(t)
	o := r.open()
	r.write(o.dir, devicesFile, "two phones")
	o.keep()
	r.write(o.dir, devicesFile, "one phone")
	before := time.Now().Add(-time.Hour)
	if err := os.Chtimes(filepath.Join(o.dir, devicesFile), before, before); err != nil {
		t.Fatal(err)
	}
	o = r.open()
	r.want(o, devicesFile, "one phone")
	o.keep()
	r.block()
	r.want(r.open(), devicesFile, "one phone")
}

func TestAFileRemovedWhileTheProgramRunsIsPutBack(t *testing.T) {
	r := newOwnFilesRig(t)
	o := r.open()
	r.write(o.dir, devicesFile, "two phones")
	o.keep()
	if err := os.RemoveAll(o.dir); err != nil {
		t.Fatal(err)
	}
	o.keep()
	r.want(o, devicesFile, "two phones")
}

func TestAFileRemovedByAPersonStaysAway(t *testing.T) {
	r := newOwnFilesRig(t)
	o := r.open()
	r.write(o.dir, devicesFile, "two phones")
	r.write(o.dir, "12-r1.bwj", "a journal")
	o.keep()
	if err := os.Remove(filepath.Join(o.dir, devicesFile)); err != nil {
		t.Fatal(err)
	}
	r.want(r.open(), devicesFile, "")
	r.block()
	r.want(r.open(), devicesFile, "")
}

// TestAForgottenNameStaysForgotten: also where the other files have lived in the second place meanwhile.
func TestAForgottenNameStaysForgotten(t *testing.T) {
	r := newOwnFilesRig(t)
	o := r.open()
	r.write(o.dir, devicesFile, "one phone")
	r.write(o.dir, peopleFile, "Ann, Bob")
	o.keep()
	r.block()
	o = r.open()
	r.write(o.dir, devicesFile, "two phones")
	o.keep()
	r.unblock()
	r.write(r.state, peopleFile, "Ann")
	o = r.open()
	r.want(o, devicesFile, "two phones")
	r.want(o, peopleFile, "Ann")
	o.keep()
	if err := os.RemoveAll(r.state); err != nil {
		t.Fatal(err)
	}
	r.want(r.open(), peopleFile, "Ann")
}

func TestWithoutASecondPlaceThePageHasATemporaryOne(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	r := newOwnFilesRig(t)
	r.block()
	o := openOwnFiles(r.state, func(string) string { return "" })
	if o.unusable == nil || filepath.Dir(o.dir) != os.Getenv("TMPDIR") {
		t.Errorf("%+v", o)
	}
	r.write(o.dir, devicesFile, "one phone")
	if err := o.close(); err != nil || !isNew(os.Getenv("TMPDIR")) {
		t.Errorf("%v; it is still there", err)
	}
}

// TestPhonesAreBackWhenTheDiskIs: in the state directory, at each change and without another start, whether they live
// in the second place or in a temporary one; names only where the directory is a new one.
func TestPhonesAreBackWhenTheDiskIs(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	for name, second := range map[string]bool{"the second place": true, "a temporary place": false} {
		t.Run(name, func(t *testing.T) {
			r := newOwnFilesRig(t)
			r.block()
			o := openOwnFiles(r.state, func(string) string { return "" })
			if second {
				o = r.open()
			}
			r.write(o.dir, devicesFile, "two phones")
			r.write(o.dir, filepath.Join(trustDir, "root.pem"), "key")
			r.write(o.dir, peopleFile, "Ann, Bob")
			if err := o.keep(); err == nil {
				t.Error("the state directory is a file, and takes files")
			}
			r.unblock()
			r.write(r.state, peopleFile, "Ann")
			state := ownFiles{dir: r.state}
			for _, phones := range []string{"two phones", "three phones"} {
				r.write(o.dir, devicesFile, phones)
				if err := o.keep(); err != nil {
					t.Error(err)
				}
				r.want(state, devicesFile, phones)
			}
			r.want(state, filepath.Join(trustDir, "root.pem"), "key")
			r.want(state, peopleFile, "Ann")
			r.block()
			r.write(o.dir, devicesFile, "four phones")
			if err := o.keep(); err == nil {
				t.Error("the state directory is a file again, and takes files")
			}
			r.unblock()
			if err := o.keep(); err != nil {
				t.Error(err)
			}
			r.want(state, devicesFile, "four phones")
			r.want(state, peopleFile, "Ann, Bob")
			if err := o.close(); err != nil {
				t.Error(err)
			}
		})
	}
}
