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

// Disk holds the operations of a file system that a writer needs. Tests use a Disk that fails at a chosen call or loses
// data that was not synced.
type Disk interface {
	// Create makes a new file for appending, and its directory if that is missing; it is an error if the file exists.
	Create(path string) (DiskFile, error)
	// SyncDir makes the names in a directory durable.
	SyncDir(dir string) error
	// SyncFile makes durable what an earlier process wrote to a file.
	SyncFile(path string) error
	// Remove removes a file that Create made and that contains no record.
	Remove(path string) error
	// Lock locks the name against every other process until the lock is closed.
	Lock(path string) (DiskLock, error)
}

// DiskLock is a lock that is held.
type DiskLock interface {
	io.Closer
	// Nameless reports whether the lock has become useless: its file was removed, or another file has its name.
	Nameless() bool
}

// DiskFile is one open file of a Disk. Write and Sync may run at the same time.
type DiskFile interface {
	io.WriteCloser
	io.ReaderAt
	Sync() error // everything written so far is durable, as with fdatasync
	// Nameless reports whether the written data cannot be found under the file's name: the file was removed or emptied,
	// or another file has its name.
	Nameless() bool
}

// osDisk is the Disk of the operating system.
type osDisk struct{}

// Segments are readable for the daemon's user and its group only: they contain players' names.
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
	// Written is read before the size: the keeper goes on writing while another goroutine syncs and calls this.
	written := f.written.Load()
	if nameless(f.File) {
		return true
	}
	info, err := f.Stat()
	return err == nil && info.Size() < written
}

// openIn opens a file, and makes its directory again if that was removed.
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

// nameless reports whether the name of an open file no longer exists or belongs to another file.
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

// SyncFile opens the file for reading only: fsync(2) allows that.
func (d osDisk) SyncFile(path string) error { return d.SyncDir(path) }

func (osDisk) Remove(path string) error { return os.Remove(path) }

// Lock locks the file at path, which remains afterwards. If that file was removed with its journal (Remove) while Lock
// opened it, Lock makes it again: otherwise two processes would lock two files of one name.
func (d osDisk) Lock(path string) (DiskLock, error) {
	f, err := openIn(path, os.O_CREATE|os.O_RDWR)
	if err != nil {
		return nil, err
	}
	err = tryLock(f)
	if err == nil && nameless(f) {
		return d.lockAgain(f, path)
	}
	if err == nil {
		err = writeOwner(f)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return osLock{f}, nil
}

// lockAgain retries with the file that has the name now.
func (d osDisk) lockAgain(f *os.File, path string) (DiskLock, error) {
	if err := f.Close(); err != nil {
		return nil, err
	}
	return d.Lock(path)
}

// tryLock locks the file; its error names the process that holds the lock.
func tryLock(f *os.File) error {
	err := filelock.Try(f)
	if errors.Is(err, filelock.ErrHeld) {
		return heldBy(f)
	}
	return err
}

type osLock struct{ *os.File }

func (l osLock) Nameless() bool { return nameless(l.File) }

// writeOwner writes the process that holds the lock into the file, for the error message of another process.
func writeOwner(f *os.File) error {
	if err := f.Truncate(0); err != nil {
		return err
	}
	_, err := f.WriteAt(fmt.Appendf(nil, "%d\n", os.Getpid()), 0)
	return err
}

// errNameless reports the loss of the name of a file that is being written.
var errNameless = errors.New("the file was removed or replaced while it was written; it has been written again")

// errUnread reports that the content could not be written again.
var errUnread = errors.New("the file was emptied while it was written: the records in it that were on the disk are lost")

// ErrLocked says that another process writes the journal.
var ErrLocked = errors.New("journal is being written by another process")

// heldBy is ErrLocked with the process that holds the lock, if the file names it.
func heldBy(f *os.File) error {
	var pid int
	if _, err := fmt.Fscan(f, &pid); err != nil {
		return ErrLocked
	}
	return fmt.Errorf("%w (process %d)", ErrLocked, pid)
}

// hint adds a remedy for the operator to an error.
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

// ErrExists says that the journal, or its next segment, already exists.
var ErrExists = errors.New("there is a file of that name, and a journal is never written over: name a new one; one that goes on is read again first")
