package people

import (
	"errors"
	"os"
	"time"

	"boardwatchd/internal/filelock"
	"boardwatchd/internal/secretfile"
)

// lockPatience is longer than another program needs to write the file, and too short for a person to notice.
const lockPatience = 500 * time.Millisecond

// lock keeps other programs from changing the file. It waits for a program that is writing, because a note that cannot
// be stored is put into the journal for good. It does not wait for a stopped program: other changes are written later.
func lock(path string) (release func(), err error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, secretfile.Mode)
	if err != nil {
		return nil, err
	}
	secretfile.GiveToOwner(f, path)
	for begun := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		err := filelock.Try(f)
		if err == nil {
			break
		}
		if !errors.Is(err, filelock.ErrHeld) || time.Since(begun) > lockPatience {
			return nil, errors.Join(&os.PathError{Op: "lock", Path: path, Err: err}, f.Close())
		}
	}
	return func() { _ = f.Close() }, nil // nothing was written
}
