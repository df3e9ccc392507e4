package daemon

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"boardwatchd/internal/secretfile"
)

// ownFiles is where the page's own files are: who is paired, and the keys. The journals do not restore them, and without them a phone
// that was paired is let in no more. So a copy is kept in a second place, on another file system, which outlives this program though
// not the computer: $RUNTIME_DIRECTORY (systemd's), else $XDG_RUNTIME_DIR/boardwatchd. Below it each state directory has one of its
// own.
//
// Where the state directory takes no file when the program starts, the files live in the second place until the next start, and
// where there is none, in a temporary directory until the end. When both can be used again, the newer file counts.
type ownFiles struct {
	dir      string
	spare    string // "": no copies are kept
	temp     bool   // dir goes at the end
	unusable error  // why the state directory takes no file, or nil
}

// openOwnFiles chooses the directory, and makes it.
func openOwnFiles(state string, getenv func(string) string) ownFiles {
	fresh := isEmpty(state)
	spare, err := spareDir(state, getenv)
	if err != nil {
		spare = ""
	}
	unusable := os.MkdirAll(state, 0o700)
	if unusable == nil {
		unusable = probe(state)
	}
	if unusable == nil {
		if spare == "" {
			return ownFiles{dir: state}
		}
		if !fresh { // what somebody has taken out of the directory is gone; what a new disk does not have is not
			dropMissing(spare, state)
		}
		copyNewer(state, spare, fresh)
		return ownFiles{dir: state, spare: spare}
	}
	o := ownFiles{dir: spare, unusable: unusable}
	if spare == "" {
		if o.dir, err = os.MkdirTemp("", "boardwatchd-"); err != nil {
			return ownFiles{dir: state, unusable: errors.Join(unusable, err)}
		}
		o.temp = true
	}
	copyNewer(o.dir, state, true)
	return o
}

// close removes the temporary directory, if that is where the files are.
func (o ownFiles) close() error {
	if !o.temp {
		return nil
	}
	return os.RemoveAll(o.dir)
}

// keep brings the copies up to date.
func (o ownFiles) keep() {
	if o.spare != "" {
		copyNewer(o.spare, o.dir, true)
	}
}

// isEmpty says that a directory is missing, or has nothing in it.
func isEmpty(dir string) bool {
	list, err := os.ReadDir(dir)
	return len(list) == 0 && (err == nil || errors.Is(err, fs.ErrNotExist))
}

// probe says why a directory takes no file, or nil.
func probe(dir string) error {
	f, err := os.CreateTemp(dir, ".probe-")
	if err != nil {
		return err
	}
	_, err = f.Write(make([]byte, 64<<10)) // more than all of the page's files
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close(), os.Remove(f.Name()))
}

// spareDir is the second place of a state directory.
func spareDir(state string, getenv func(string) string) (string, error) {
	base := filepath.SplitList(getenv("RUNTIME_DIRECTORY"))
	switch run := getenv("XDG_RUNTIME_DIR"); {
	case len(base) > 0 && filepath.IsAbs(base[0]):
	case filepath.IsAbs(run):
		base = []string{filepath.Join(run, "boardwatchd")}
	default:
		return "", errors.New("no runtime directory")
	}
	abs, err := filepath.Abs(state)
	if err != nil {
		return "", err
	}
	dir := filepath.Join(base[0], fmt.Sprintf("%x", sha256.Sum256([]byte(abs)))[:16])
	return dir, os.MkdirAll(dir, 0o700)
}

// copyNewer copies those of the page's files that are newer, with their times, and with missing those that are not there. What cannot be
// read or written stays as it is: what follows from that is told by whoever opens the file.
func copyNewer(to, from string, missing bool) {
	names := []string{devicesFile, alertKeyFile, vapidFile}
	if keys, err := os.ReadDir(filepath.Join(from, trustDir)); err == nil {
		for _, k := range keys {
			names = append(names, filepath.Join(trustDir, k.Name()))
		}
	}
	for _, name := range names {
		source, target := filepath.Join(from, name), filepath.Join(to, name)
		info, err := os.Lstat(source)
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		there, err := os.Lstat(target)
		switch {
		case err == nil && !info.ModTime().After(there.ModTime()), err != nil && !missing:
			continue
		}
		_ = copyFile(target, source, info.ModTime())
	}
}

// dropMissing removes copies whose file is gone.
func dropMissing(copies, files string) {
	for _, name := range []string{devicesFile, alertKeyFile, vapidFile, trustDir} {
		if _, err := os.Lstat(filepath.Join(files, name)); errors.Is(err, fs.ErrNotExist) {
			_ = os.RemoveAll(filepath.Join(copies, name)) // it is tried again at the next start
		}
	}
}

// mostOwn bounds what is taken for one of the page's files.
const mostOwn = 8 << 20

func copyFile(target, source string, at time.Time) error {
	f, err := os.Open(source)
	if err != nil {
		return err
	}
	defer f.Close() // read only
	body, err := io.ReadAll(io.LimitReader(f, mostOwn))
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(target), 0o700); err != nil {
		return err
	}
	if err := secretfile.Replace(target, body); err != nil {
		return err
	}
	return os.Chtimes(target, at, at)
}
