package journal

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
	"syscall"

	"boardwatchd/internal/filelock"
)

// Disk is what a writer asks of a file system. Tests put one in its place that
// fails at a chosen call or forgets what was not synced.
type Disk interface {
	// Create makes a new file for appending, and its directory where that is missing; it is an error when the file exists.
	Create(path string) (DiskFile, error)
	// SyncDir makes the names in a directory durable.
	SyncDir(dir string) error
	// SyncFile makes durable what an earlier process wrote to a file.
	SyncFile(path string) error
	// Remove takes away a file that Create made and that holds no record.
	Remove(path string) error
	// Lock keeps every other process from the same name until it is closed.
	Lock(path string) (DiskLock, error)
}

// DiskLock is a lock that is held.
type DiskLock interface {
	io.Closer
	// Nameless says that the lock keeps nobody off any more: its file was removed, or another one stands in its place.
	Nameless() bool
}

// DiskFile is one open file of a Disk. Write and Sync may run at the same time.
type DiskFile interface {
	io.WriteCloser
	io.ReaderAt
	Sync() error // everything written so far is durable, as with fdatasync
	// Nameless says that nobody finds in the file what was written to it: it was removed or emptied, or another one stands in its place.
	Nameless() bool
}

// osDisk is the operating system's.
type osDisk struct{}

// Segments are for the daemon's user and its group: names of players are in
// them.
const (
	fileMode = 0o640
	dirMode  = 0o700
)

func (osDisk) Create(path string) (DiskFile, error) {
	f, err := openIn(path, os.O_CREATE|os.O_EXCL|os.O_RDWR|os.O_APPEND)
	if err != nil {
		return nil, err
	}
	return &osFile{File: f}, nil
}

// osFile is a file of the operating system.
type osFile struct {
	*os.File
	written atomic.Int64
}

func (f *osFile) Write(p []byte) (int, error) {
	n, err := f.File.Write(p)
	f.written.Add(int64(n))
	return n, err
}

func (f *osFile) Nameless() bool {
	// Read before the size: the keeper goes on writing while another goroutine syncs and asks this.
	written := f.written.Load()
	if nameless(f.File) {
		return true
	}
	info, err := f.Stat()
	return err == nil && info.Size() < written
}

// openIn opens a file, and makes its directory where somebody has removed that.
func openIn(path string, flag int) (*os.File, error) {
	f, err := os.OpenFile(path, flag, fileMode)
	if !errors.Is(err, fs.ErrNotExist) {
		return f, err
	}
	if err := os.MkdirAll(filepath.Dir(path), dirMode); err != nil {
		return nil, err
	}
	return os.OpenFile(path, flag, fileMode)
}

// nameless says that the name of an open file is gone, or another file's.
func nameless(f *os.File) bool {
	named, err := os.Lstat(f.Name())
	if err != nil {
		return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
	}
	open, err := f.Stat()
	return err == nil && !os.SameFile(named, open)
}

func (osDisk) SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// SyncFile opens the file for reading only: fsync(2) does not mind.
func (d osDisk) SyncFile(path string) error { return d.SyncDir(path) }

func (osDisk) Remove(path string) error { return os.Remove(path) }

// Lock takes a lock on the file at path, which stays there afterwards. One
// that was removed with its journal while it was opened (Remove) is made anew:
// else two processes would lock two files of one name.
func (d osDisk) Lock(path string) (DiskLock, error) {
	f, err := openIn(path, os.O_CREATE|os.O_RDWR)
	if err != nil {
		return nil, err
	}
	err = tryLock(f)
	if err == nil && nameless(f) {
		return d.again(f, path)
	}
	if err == nil {
		err = writeOwner(f)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return osLock{f}, nil
}

// again locks the file that has the name now.
func (d osDisk) again(f *os.File, path string) (DiskLock, error) {
	if err := f.Close(); err != nil {
		return nil, err
	}
	return d.Lock(path)
}

// tryLock takes the lock, or names the process that holds it.
func tryLock(f *os.File) error {
	err := filelock.Try(f)
	if errors.Is(err, filelock.ErrHeld) {
		return heldBy(f)
	}
	return err
}

type osLock struct{ *os.File }

func (l osLock) Nameless() bool { return nameless(l.File) }

// writeOwner notes who holds the lock, for the message that the next one gets.
func writeOwner(f *os.File) error {
	if err := f.Truncate(0); err != nil {
		return err
	}
	_, err := f.WriteAt(fmt.Appendf(nil, "%d\n", os.Getpid()), 0)
	return err
}

// errNameless says what became of a file that is being written.
var errNameless = errors.New("the file was removed or replaced while it was written; it has been written again")

// errUnread says that it could not be.
var errUnread = errors.New("the file was emptied while it was written: the records in it that were on the disk are lost")

// ErrLocked says that another process writes the journal.
var ErrLocked = errors.New("journal is being written by another process")

// heldBy is ErrLocked with the process that holds the lock, when it says so.
func heldBy(f *os.File) error {
	var pid int
	if _, err := fmt.Fscan(f, &pid); err != nil {
		return ErrLocked
	}
	return fmt.Errorf("%w (process %d)", ErrLocked, pid)
}

// hint adds to an error what an operator can do about it.
func hint(err error) error {
	switch {
	case errors.Is(err, ErrLocked):
		return fmt.Errorf("%w; stop that one first, or give this one another state directory", err)
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%w; create the state directory first", err)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%w; the state directory must belong to the user that runs boardwatchd", err)
	case errors.Is(err, fs.ErrExist):
		return fmt.Errorf("%w: %w", ErrExists, err)
	}
	return err
}

// ErrExists says that the journal, or its next segment, is there already.
var ErrExists = errors.New("journal has gone on since it was read; read it again and continue from there")
