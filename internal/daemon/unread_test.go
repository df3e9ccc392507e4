package daemon

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"boardwatchd/internal/access"
	"boardwatchd/internal/trust"
)

// loop puts a link to itself in the place of the state directory: every call there fails, and nothing is missing.
func (r *ownFilesRig) loop() (mend func()) {
	r.t.Helper()
	away := r.state + ".away"
	if err := errors.Join(os.Rename(r.state, away), os.Symlink(r.state, r.state)); err != nil {
		r.t.Fatal(err)
	}
	return func() {
		r.t.Helper()
		if err := errors.Join(os.Remove(r.state), os.Rename(away, r.state)); err != nil {
			r.t.Fatal(err)
		}
	}
}

// authority makes the keys of an authority in a directory, and returns that of the certificate.
func (r *ownFilesRig) authority(dir string) string {
	r.t.Helper()
	a, err := trust.Open(filepath.Join(dir, trustDir), []string{"host"}, nil, time.Now)
	if err != nil {
		r.t.Fatal(err)
	}
	return a.Fingerprint()
}

// ids are the devices of a list.
func (r *ownFilesRig) ids(dir string) (ids []string) {
	r.t.Helper()
	s := access.Open(filepath.Join(dir, devicesFile), func() time.Time { return time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC) })
	defer s.Close()
	for _, d := range s.Devices() {
		ids = append(ids, d.ID)
	}
	return ids
}

// TestUnreadFilesAreNotWrittenOver: a program begins while nothing can be read and there is no copy, and ends before
// the disk reads; the next one joins the lists, and has the keys that the disk had.
func TestUnreadFilesAreNotWrittenOver(t *testing.T) {
	r := newOwnFilesRig(t)
	r.write(r.state, devicesFile, listOf(phone("ann")))
	r.write(r.state, alertKeyFile, "the key")
	before := r.authority(r.state)
	mend := r.loop()
	for range 2 { // the second start while it cannot be read
		o := r.open()
		if o.unusable == nil || len(o.unread) != len(mayBeUnread) || len(o.found()) != 0 {
			t.Fatalf("%+v", o)
		}
		r.write(o.dir, devicesFile, listOf(phone("bob")))
		r.write(o.dir, alertKeyFile, "another key")
		r.authority(o.dir)
		if err := o.keep(); err == nil {
			t.Error("it takes files")
		}
	}
	mend()
	o := r.open()
	if got := r.ids(o.dir); o.dir != r.state || !slices.Equal(got, []string{"ann", "bob"}) {
		t.Errorf("%s has %v", o.dir, got)
	}
	r.want(o, alertKeyFile, "the key")
	if r.authority(o.dir) != before {
		t.Error("the authority is another one")
	}
	if exists(filepath.Join(r.run, notRead)) || len(o.unread) != 0 {
		t.Errorf("%+v is still unread", o.unread)
	}
}

// TestUnreadFilesAreFound: as soon as they can be read. Those that are missing then are not waited for.
func TestUnreadFilesAreFound(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	for name, env := range map[string]func(*ownFilesRig) ownFiles{
		"the second place":  (*ownFilesRig).open,
		"a temporary place": func(r *ownFilesRig) ownFiles { return openOwnFiles(r.state, func(string) string { return "" }) },
	} {
		t.Run(name, func(t *testing.T) {
			r := newOwnFilesRig(t)
			r.write(r.state, devicesFile, listOf(phone("ann")))
			mend := r.loop()
			o := env(r)
			r.write(o.dir, devicesFile, listOf(phone("bob")))
			r.write(o.dir, alertKeyFile, "a new key")
			mend()
			if got := o.found(); !slices.Equal(got, []string{devicesFile}) {
				t.Fatalf("found %v", got)
			}
			if err := o.keep(); err != nil {
				t.Error(err)
			}
			state := ownFiles{dir: r.state}
			r.want(state, devicesFile, listOf(phone("ann"))) // not yet in use, and not written over
			r.want(state, alertKeyFile, "a new key")
			r.write(o.dir, devicesFile, listOf(phone("ann"), phone("bob")))
			o.adopted(devicesFile)
			if err := errors.Join(o.keep(), o.close()); err != nil || len(o.unread) != 0 {
				t.Error(err, o.unread)
			}
			r.want(state, devicesFile, listOf(phone("ann"), phone("bob")))
		})
	}
}

// TestAFileThatCannotBeReadIsKept: the disk takes files again, and one of them cannot be read all the same.
func TestAFileThatCannotBeReadIsKept(t *testing.T) {
	r := newOwnFilesRig(t)
	r.write(r.state, devicesFile, "{")
	mend := r.loop()
	o := r.open()
	r.write(o.dir, devicesFile, "one phone")
	mend()
	if err := o.keep(); err != nil || len(o.unread) != 0 {
		t.Error(err, o.unread)
	}
	r.want(ownFiles{dir: r.state}, devicesFile, "one phone")
	if kept, _ := filepath.Glob(filepath.Join(r.state, devicesFile+".damaged-*")); len(kept) != 1 {
		t.Errorf("kept: %v", kept)
	}
}

// TestADamagedListIsReplacedByItsCopy: and does not replace it.
func TestADamagedListIsReplacedByItsCopy(t *testing.T) {
	r := newOwnFilesRig(t)
	o := r.open()
	r.write(o.dir, devicesFile, "two phones")
	if err := o.keep(); err != nil {
		t.Error(err)
	}
	r.write(o.dir, devicesFile, "{")
	if err := o.keep(); err != nil {
		t.Error(err)
	}
	o = r.open()
	r.want(o, devicesFile, "two phones")
	if len(o.restored) != 1 || !strings.Contains(o.restored[0].aside, devicesFile+".damaged-") {
		t.Fatalf("%+v", o.restored)
	}
	if body, err := os.ReadFile(o.restored[0].aside); string(body) != "{" {
		t.Errorf("kept: %q, %v", body, err)
	}
	if n := (&frontend{files: o}).restoredNotices(); len(n) != 1 || !strings.Contains(n[0].Text, "A copy of it counts") {
		t.Errorf("%+v", n)
	}
}
