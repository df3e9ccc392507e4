package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"time"
)

// ErrChanged says that a journal has grown since the caller looked at it, or does not consist of regular files.
var ErrChanged = errors.New("it has changed since it was looked at")

// Remove removes all files of a journal if none of them was written after a time. If one was, or is a link and not a
// file, it removes none and returns ErrChanged; if the journal is being written, ErrLocked. Files outside the directory
// are not touched, wherever a link leads.
//
// The last segment goes first: after a crash the beginning of the journal is left, and a second call removes it.
func Remove(dir, name string, until time.Time) (err error) {
	if err := CheckName(name); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	lock, err := holdLock(root, name+lockExtension)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	type segment struct {
		file   string
		number int
	}
	var segments []segment
	list, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return err
	}
	for _, f := range list {
		n, number, ok := ParseSegmentName(f.Name())
		if !ok || n != name {
			continue
		}
		info, err := root.Lstat(f.Name())
		if err != nil {
			return err
		}
		if !info.Mode().IsRegular() || info.ModTime().After(until) {
			return fmt.Errorf("%s: %w", f.Name(), ErrChanged)
		}
		segments = append(segments, segment{f.Name(), number})
	}
	slices.SortStableFunc(segments, func(a, b segment) int { return b.number - a.number })
	for _, s := range segments {
		if err := root.Remove(s.file); err != nil {
			return err
		}
	}
	if err := root.Remove(name + lockExtension); err != nil { // a process that opened it finds it nameless
		return err
	}
	d, err := root.Open(".")
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// holdLock locks a journal within a directory, following no link out of it.
func holdLock(root *os.Root, file string) (*os.File, error) {
	if info, err := root.Lstat(file); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: %w", file, ErrChanged)
	}
	f, err := root.OpenFile(file, os.O_CREATE|os.O_RDWR, fileMode)
	if err != nil {
		return nil, err
	}
	if err := tryLock(f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}
