//go:build unix

package people

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"

	"boardwatchd/internal/secretfile"
)

// lock keeps other programs from changing the file, and waits for none: what cannot be written now is written later.
func lock(path string) (release func(), err error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, secretfile.Mode)
	if err != nil {
		return nil, err
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		return nil, errors.Join(&os.PathError{Op: "lock", Path: path, Err: err}, f.Close())
	}
	return func() { _ = f.Close() }, nil // nothing was written
}
