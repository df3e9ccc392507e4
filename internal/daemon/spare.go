package daemon

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"boardwatchd/internal/access"
	"boardwatchd/internal/disk"
	"boardwatchd/internal/secretfile"
)

// ownFiles is the place of the page's own files: the paired devices and the keys. The journals cannot restore them, and
// without them a paired phone is not let in any more. So a copy is kept in a second place, on another file system,
// which outlives this program though not the computer: $RUNTIME_DIRECTORY (systemd's), else
// $XDG_RUNTIME_DIR/boardwatchd. Each state directory has its own directory there.
//
// If the state directory takes no file when the program starts, the files live in the second place until the next
// start, or without one in a temporary directory until the end. When the directory takes files again, they are copied
// there at each change, so that they survive the computer's restart. At the next start, files that lived in the second
// place have precedence; otherwise those of the state directory have, and the second place is made equal. A file that
// was removed while no program ran is gone for good. One that disappears while the program runs is put back, and so are
// all if the directory is a new one. The times of files are not used: clocks are set back.
//
// Where the state directory cannot be read either, and there is no copy, the files are made anew in the place where
// they live, until the state directory can be read: see unread.go.
//
// people.json is read and written in the state directory only, even if that takes no file: names must not be lost while
// the journals are kept, and a name that was removed must not come back. Its copy is used if the state directory is a
// new one, and if the file disappears while the program runs.
type ownFiles struct {
	dir             string
	spare           string   // "": no copies are kept
	temp            bool     // dir is removed at the end
	state           string   // the state directory
	unusable        error    // why it took no file at the start, or nil
	takesFilesAgain bool     // it takes files again
	unread          []string // of mayBeUnread
	restored        []restored
}

// livedHere marks in the second place that its files are newer than those of the state directory.
const livedHere = "lived-here"

// openOwnFiles chooses the directory, and makes it. If another program uses the state directory nothing is copied.
func openOwnFiles(state string, getenv func(string) string) ownFiles {
	fresh := isNew(state)
	spare, err := spareDir(state, getenv)
	if err != nil || access.InUse(filepath.Join(state, devicesFile)) {
		spare = ""
	}
	unusable := takesFiles(state)
	if unusable == nil {
		o := ownFiles{dir: state, spare: spare, state: state}
		if spare != "" {
			o.makeEqual(fresh)
			o.restore()
		}
		return o
	}
	o := ownFiles{dir: spare, state: state, unusable: unusable}
	if spare == "" {
		if o.dir, err = os.MkdirTemp("", "boardwatchd-"); err != nil {
			return ownFiles{dir: state, state: state, unusable: errors.Join(unusable, err)}
		}
		o.temp = true
	}
	if !exists(filepath.Join(o.dir, livedHere)) {
		_ = copyFiles(o.dir, state)                                  // what cannot be read is unread
		_ = secretfile.Replace(filepath.Join(o.dir, livedHere), nil) // else the next start ignores the changes
	}
	o.noteUnread()
	return o
}

// makeEqual makes the two places equal when both can be used.
func (o ownFiles) makeEqual(fresh bool) {
	mark := filepath.Join(o.spare, livedHere)
	lived := exists(mark)
	if lived {
		o.join()
	}
	names := ownNames(o.spare)
	if !fresh {
		names = slices.DeleteFunc(names, func(name string) bool {
			counts := lived && name != peopleFile
			if !counts && !exists(filepath.Join(o.dir, name)) {
				_ = os.Remove(filepath.Join(o.spare, name)) // tried again at the next start
			}
			return !counts
		})
	}
	if (lived || fresh) && copyNamed(o.dir, o.spare, names) == nil {
		_ = os.Remove(mark) // otherwise all is copied once more
	}
}

// keep updates the copies, and puts back files that have disappeared. Its error is why the state directory takes no
// file, if it took none at the start.
func (o *ownFiles) keep() error {
	if o.unusable != nil {
		return o.copyBack()
	}
	if o.spare == "" {
		return nil
	}
	_ = copyFiles(o.spare, o.dir) // without a copy the program works as without a second place
	for _, name := range ownNames(o.spare) {
		if !exists(filepath.Join(o.dir, name)) {
			_ = copyFile(filepath.Join(o.dir, name), filepath.Join(o.spare, name)) // reported when it is changed
		}
	}
	return nil
}

// copyBack copies the files into the state directory if it takes files again and no other program uses them there.
func (o *ownFiles) copyBack() error {
	fresh := isNew(o.state)
	if !o.takesFilesAgain {
		if err := takesFiles(o.state); err != nil {
			return err
		}
	}
	o.takesFilesAgain = true
	if o.dir == o.state || access.InUse(filepath.Join(o.state, devicesFile)) {
		return nil
	}
	o.giveUp()
	names := slices.DeleteFunc(ownNames(o.dir), func(name string) bool {
		return name == peopleFile && !fresh || o.isUnread(name) || same(filepath.Join(o.state, name), filepath.Join(o.dir, name))
	})
	if len(names) == 0 {
		return nil
	}
	err := copyNamed(o.state, o.dir, names)
	o.takesFilesAgain = err == nil
	return err
}

// close removes the temporary directory, if that is where the files are.
func (o ownFiles) close() error {
	if !o.temp {
		return nil
	}
	return os.RemoveAll(o.dir)
}

// isNew reports whether a directory is missing, or has only what a new file system has.
func isNew(dir string) bool {
	list, err := os.ReadDir(dir)
	for _, e := range list {
		if e.Name() != "lost+found" {
			return false
		}
	}
	return err == nil || errors.Is(err, fs.ErrNotExist)
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// takesFiles makes a directory if it is missing, and returns why it takes no file, or nil.
func takesFiles(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	return disk.Takes(dir)
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

// ownNames are the names of the page's files in a directory.
func ownNames(dir string) (names []string) {
	for _, name := range []string{devicesFile, alertKeyFile, vapidFile, peopleFile} {
		if exists(filepath.Join(dir, name)) {
			names = append(names, name)
		}
	}
	keys, err := os.ReadDir(filepath.Join(dir, trustDir))
	if err != nil {
		return names // none
	}
	for _, k := range keys {
		if k.Type().IsRegular() {
			names = append(names, filepath.Join(trustDir, k.Name()))
		}
	}
	return names
}

// copyFiles copies the page's files that differ.
func copyFiles(to, from string) error { return copyNamed(to, from, ownNames(from)) }

func copyNamed(to, from string, names []string) error {
	var errs []error
	for _, name := range names {
		if name == devicesFile && access.Check(filepath.Join(from, name)) != nil {
			continue // it does not replace a list that can be used
		}
		errs = append(errs, copyFile(filepath.Join(to, name), filepath.Join(from, name)))
	}
	return errors.Join(errs...)
}

func copyFile(to, from string) error {
	body, err := readOwn(from)
	if err != nil {
		return err
	}
	if same(to, from) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return err
	}
	return secretfile.Replace(to, body)
}

// same reports whether two files can be read and are equal.
func same(a, b string) bool {
	one, errOne := readOwn(a)
	other, errOther := readOwn(b)
	return errOne == nil && errOther == nil && bytes.Equal(one, other)
}

// maxOwn is the largest file that can be one of the page's.
const maxOwn = 8 << 20

func readOwn(path string) ([]byte, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() // read only
	return io.ReadAll(io.LimitReader(f, maxOwn))
}
