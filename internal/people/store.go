package people

import (
	"errors"
	"os"

	"boardwatchd/internal/secretfile"
	"boardwatchd/rules/words"
)

// load reads the file at the start, and sets a damaged one aside. The lock is held.
func (b *Book) load() {
	e, err := read(b.path)
	var damaged *DamagedError
	if errors.As(err, &damaged) {
		err = b.setAside("notice.people_aside")
	}
	b.unread = err
	b.know(e)
	b.version = stat(b.path)
}

// setAside renames a damaged file, so that nothing overwrites it, and makes Warning report it with the sentence of that
// key.
func (b *Book) setAside(told string) error {
	aside, err := secretfile.SetAside(b.path, b.now())
	if err != nil {
		return err
	}
	b.damaged = words.Say(told, aside)
	return nil
}

// change makes a change in memory, and in the file if it can be written. The lock is held.
func (b *Book) change(do change) {
	b.refresh()
	if b.note(do) {
		b.write()
	}
}

// note makes a change in memory and reports whether it changed anything. The lock is held.
func (b *Book) note(do change) bool {
	e := b.known.clone()
	if !do(&e) {
		return false
	}
	b.know(e)
	b.pending = append(b.pending, do)
	return true
}

// refresh reads the file if another program has changed it, or if it could not be read: a change of permissions or a
// fault of the disk does not change its time. A missing file is written again from memory.
func (b *Book) refresh() {
	now := stat(b.path)
	if now == nil {
		b.unread = nil // write reports the reason why it cannot be written
		return
	}
	if b.unread == nil && same(now, b.version) {
		return
	}
	e, err := read(b.path)
	var damaged *DamagedError
	if errors.As(err, &damaged) {
		b.unread = b.setAside("notice.people_kept")
		return
	}
	if b.unread = err; err != nil {
		return
	}
	for _, do := range b.pending {
		do(&e)
	}
	b.know(e)
	b.version = now
}

// write writes the known entries into the file.
func (b *Book) write() {
	release, err := lock(b.path + ".lock")
	if err == nil {
		defer release()
		b.refresh() // another program may have written meanwhile
		err = b.unread
	}
	if err == nil {
		var body []byte
		if body, err = b.known.encode(); err == nil {
			err = secretfile.Replace(b.path, body)
		}
	}
	if b.unsaved = err; err == nil {
		b.pending, b.version = nil, stat(b.path)
	}
}

// stat returns nil if there is no file, or it is not visible.
func stat(path string) os.FileInfo {
	info, err := os.Stat(path)
	if err != nil {
		return nil
	}
	return info
}

func same(a, b os.FileInfo) bool {
	if a == nil || b == nil {
		return a == b
	}
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}
