//go:build unix

package access

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// lock takes the lock beside the file, which the kernel releases when the process ends, however it ends. Shared says that
// another one has it. Where there can be no lock, there is none: a directory that takes no file takes no change either, and
// that is said when a change comes.
func lock(path string) (held *os.File, shared bool) {
	f, err := os.OpenFile(path+".lock", os.O_RDWR|os.O_CREATE, mode)
	if err != nil {
		return nil, false
	}
	for {
		err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if !errors.Is(err, unix.EINTR) {
			break
		}
	}
	if err != nil {
		_ = f.Close() // nothing was written
		return nil, errors.Is(err, unix.EWOULDBLOCK)
	}
	return f, false
}
