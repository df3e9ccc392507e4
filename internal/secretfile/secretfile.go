package secretfile

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// Mode is the permission of the files.
const Mode = 0o600

// Replace replaces the content of a file, or makes it; root makes it for the owner of the directory. It returns when
// both the content and the name are on the disk.
func Replace(path string, body []byte) error {
	next := path + ".new"
	f, err := os.OpenFile(next, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, Mode)
	if err != nil {
		return err
	}
	err = f.Chmod(Mode) // a file left over from a crash may have another mode
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

// WriteJSON replaces a file by an object, on one line.
func WriteJSON(path string, object any) error {
	b, err := json.Marshal(object)
	if err != nil {
		return err
	}
	return Replace(path, append(b, '\n'))
}

// Missing reports whether an error says that there is no such file, or that its directory is no directory.
func Missing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// ReadJSON reads an object with a "version" that a program has written. Without a file, or where its directory is no
// directory, into stays as it is; after an error it may hold a part.
func ReadJSON(path string, most int64, version int, into any) error {
	info, err := os.Stat(path)
	if Missing(err) {
		return nil
	}
	if err != nil {
		return err
	}
	if info.Size() > most {
		return fmt.Errorf("%d bytes are more than it can have", info.Size())
	}
	body, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var of struct {
		Version int `json:"version"`
	}
	if err := json.Unmarshal(body, &of); err != nil {
		return err
	}
	if of.Version != version {
		return fmt.Errorf("version %d, this program reads %d", of.Version, version)
	}
	return json.Unmarshal(body, into)
}

// SetAside renames a file that cannot be used, so that it is not overwritten, and returns its new name. It may be a
// directory.
func SetAside(path string, now time.Time) (aside string, err error) {
	stem := path + ".damaged-" + now.UTC().Format("20060102T150405Z")
	aside = stem
	for n := 2; ; n++ {
		if _, err := os.Lstat(aside); errors.Is(err, fs.ErrNotExist) {
			break
		} else if err != nil {
			return "", err
		}
		aside = fmt.Sprintf("%s-%d", stem, n)
	}
	if err := os.Rename(path, aside); err != nil {
		return "", err
	}
	return aside, SyncDirectory(filepath.Dir(path))
}

// SyncDirectory syncs the names in a directory to the disk.
func SyncDirectory(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
