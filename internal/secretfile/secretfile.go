package secretfile

import (
	"errors"
	"os"
	"path/filepath"
)

// Mode is the permission of the files.
const Mode = 0o600

// Replace puts body in the place of a file, or makes it; root makes it for the owner of the directory. It returns when
// both the content and the name are on the disk.
func Replace(path string, body []byte) error {
	next := path + ".new"
	f, err := os.OpenFile(next, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, Mode)
	if err != nil {
		return err
	}
	err = f.Chmod(Mode) // one left over from a crash may have another
	GiveToOwner(f, next)
	if err == nil {
		_, err = f.Write(body)
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(next, path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(next))
	}
	return SyncDirectory(filepath.Dir(path))
}

// SyncDirectory puts the names in a directory on the disk.
func SyncDirectory(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
