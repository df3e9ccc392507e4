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

// This file is what the keeper does where files are removed, moved or put in its place while it writes: nothing is called saved that
// stands in a file without a name, and nothing of somebody else's is written over.

// restore has a file written anew that has lost its name. The open file still holds all of it: its durable part is read from there,
// and what is behind that is in memory.
func (k *keeper) restore() {
	k.nameless, k.file, k.dirty, k.replaced = k.file, nil, time.Time{}, false
	w := k.w
	w.mu.Lock()
	w.stats.Errors++
	w.stats.Restored++
	w.stream.rewind()
	w.trouble = fmt.Errorf("journal %s: %w", w.name, errNameless)
	w.asking = time.Time{}
	k.owed = errNameless.Error()
	w.mu.Unlock()
	k.later()
	k.tell()
}

// copyHeld writes the first bytes of one file to another one, and waits for the disk. Unread says that the first one is to blame: it was
// emptied before it was removed, and there is nothing to wait for.
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

// hold takes the lock of the journal where the writer has none: the disk failed when it began. A lock that has lost its name holds
// nobody off, and is taken again.
func (k *keeper) hold() error {
	w := k.w
	if w.lock != nil && (k.nameless == nil || !w.lock.Nameless()) {
		return nil
	}
	lock, err := w.opt.Disk.Lock(filepath.Join(w.dir, w.name+lockExtension))
	switch {
	case errors.Is(err, ErrLocked) && w.lock != nil: // another process has begun where everything was removed
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

// isTaken says that a directory has a segment of a journal, packed or not.
func isTaken(dir, name string) bool {
	entries, err := List(dir)
	return err == nil && slices.ContainsFunc(entries, func(e Entry) bool { return e.Name == name })
}

// taken says what to do about a file that is there already: it is ours and could not be removed, or it was put in the place of
// ours: then the next number is free; or a journal of that name came to light that could not be seen when this one began: then
// another name is.
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

// rename takes the next name for the journal, with its own segments. The lock of the writer is held.
func (k *keeper) rename() {
	w := k.w
	k.names++
	w.name, w.number, k.replaced = fmt.Sprintf("%s--%d", k.base, k.names), 0, true
	if w.lock != nil {
		_ = w.lock.Close() // nothing was written to it
		w.lock = nil
	}
}
