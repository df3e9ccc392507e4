//go:build unix

package secretfile

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// What root changes stays readable for whoever the directory is of.
func TestWhatRootWritesIsTheDirectorysOwners(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root")
	}
	dir := t.TempDir()
	if err := os.Chown(dir, 12345, 12346); err != nil {
		t.Skip(err) // root of a container without that right
	}
	path := filepath.Join(dir, "key")
	for range 2 {
		if err := Replace(path, []byte("x")); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if of := info.Sys().(*syscall.Stat_t); of.Uid != 12345 || of.Gid != 12346 || info.Mode().Perm() != Mode {
			t.Errorf("%d %d %v", of.Uid, of.Gid, info.Mode())
		}
	}
	elsewhere := filepath.Join(t.TempDir(), "other")
	if err := os.WriteFile(elsewhere, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink(elsewhere, link); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(link, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close() // nothing was written
	GiveToOwner(f, link)
	if info, err := os.Stat(elsewhere); err != nil || info.Sys().(*syscall.Stat_t).Uid != 0 {
		t.Errorf("a file elsewhere was given away: %v, %v", info, err)
	}
}
