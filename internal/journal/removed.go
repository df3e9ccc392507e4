package journal

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"time"
)

// This file handles files that are removed, moved or replaced while the keeper writes them: records in a file without a
// name are never reported as saved, and files of others are never overwritten.

// restore writes again a file that has lost its name. The open file still has all of its content: the durable part is
// read from there, and the rest is in memory.
func (k *keeper) restore() {
	k.nameless, k.file, k.dirty, k.replaced = k.file, nil, time.Time{}, false
	w := k.w
	w.mu.Lock()
	w.stats.Errors++
	w.stats.Restored++
	w.stream.rewind()
	w.trouble = fmt.Errorf("journal %s: %w", w.name, errNameless)
	w.syncSince = time.Time{}
	k.owed = errNameless.Error()
	w.mu.Unlock()
	k.later()
	k.signalWritten()
}

// copyHeld copies the first bytes of one file to another one and syncs it. Unread says that the first file could not be
// read: it was emptied before it was removed, and waiting does not help.
func copyHeld(to, from DiskFile, held int64) (unread bool, err error) {
	buf := make([]byte, readSize)
	for off := int64(0); off < held; {
		n, err := from.ReadAt(buf[:min(held-off, readSize)], off)
		if n == 0 {
			return true, fmt.Errorf("%w: %w", errUnread, cmp.Or(err, io.ErrNoProgress))
		}
		if _, err := to.Write(buf[:n]); err != nil {
			return false, err
		}
		off += int64(n)
	}
	return false, to.Sync()
}

// hold locks the journal if the writer has no lock, because the disk failed when it began. A lock file that has lost
// its name protects nothing, and the lock is taken again.
func (k *keeper) hold() error {
	w := k.w
	if w.lock != nil && (k.nameless == nil || !w.lock.Nameless()) {
		return nil
	}
	lock, err := w.opt.Disk.Lock(filepath.Join(w.dir, w.name+lockExtension))
	switch {
	case errors.Is(err, ErrLocked) && w.lock != nil: // another process has begun after all files were removed
		w.mu.Lock()
		k.rename()
		w.mu.Unlock()
		return err
	case errors.Is(err, ErrLocked):
		k.taken(1)
		return err
	case err != nil:
		return err
	}
	if w.lock != nil {
		if err := w.lock.Close(); err != nil {
			k.count() // nothing was written to it
		}
	}
	w.lock = lock
	if k.late && w.Stats().Segments == 0 && w.number == 0 && isTaken(w.dir, w.name) {
		k.taken(1)
		return fmt.Errorf("journal %s: %w", w.name, fs.ErrExist)
	}
	return nil
}

// isTaken reports whether a directory has a segment of a journal, compressed or not.
func isTaken(dir, name string) bool {
	entries, err := List(dir)
	return err == nil && slices.ContainsFunc(entries, func(e Entry) bool { return e.Name == name })
}

// taken handles an existing file of the wanted name. If it is ours and could not be removed, or has replaced ours, the
// next number is used. If it belongs to a journal of that name that could not be found when this one began, another
// name is.
func (k *keeper) taken(number int) {
	w := k.w
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case k.nameless != nil && !k.replaced:
		k.replaced = true
	case w.stats.Segments > 0 || k.left || k.late && number > 1:
		w.number, k.left = number, false
	case k.late:
		k.rename()
	}
}

// rename moves the journal to its next name, with its own segments. The lock of the writer is held.
func (k *keeper) rename() {
	w := k.w
	k.names++
	w.name, w.number, k.replaced = fmt.Sprintf("%s--%d", k.base, k.names), 0, true
	if w.lock != nil {
		_ = w.lock.Close() // nothing was written to it
		w.lock = nil
	}
}
