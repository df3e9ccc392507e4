//go:build unix

package secretfile

import (
	"os"
	"path/filepath"
	"syscall"
)

// GiveToOwner gives a file that root has opened to the owner of its directory. Otherwise the daemon, which mostly runs
// as another user, could not read what root has changed. A file that is not the one of that name, or has other names,
// is left alone, because a user who may write in the directory could put a link there. If root must not change the
// owner, the file stays as it is.
func GiveToOwner(f *os.File, path string) {
	if os.Geteuid() != 0 {
		return
	}
	dir, err := os.Stat(filepath.Dir(path))
	if err != nil {
		return
	}
	named, err := os.Lstat(path)
	if err != nil {
		return
	}
	opened, err := f.Stat()
	if err != nil {
		return
	}
	owner, file := dir.Sys().(*syscall.Stat_t), opened.Sys().(*syscall.Stat_t)
	if !named.Mode().IsRegular() || !os.SameFile(named, opened) || file.Nlink != 1 || file.Uid == owner.Uid && file.Gid == owner.Gid {
		return
	}
	_ = f.Chown(int(owner.Uid), int(owner.Gid))
}
