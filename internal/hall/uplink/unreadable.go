package uplink

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"boardwatchd/internal/journal"
)

// This file is about places of a journal that its disk cannot read. A reader of the journal goes on after them
// (internal/journal), and so does the uplink: it sends what follows. The hall may have those bytes from before, and
// asks for them if not; then an unreadable page is sent as NUL bytes, which every reader reports as damage. The sum of
// such a file is refused, because the hall would set its own copy aside, which may be complete.

// page is the unit in which a disk and the system can or cannot read.
const page = 4 << 10

// patched is a file whose unreadable pages are NUL bytes, if skips allows it.
type patched struct {
	file
	skips func(at int64, err error) bool
}

// patched opens a segment.
func (f files) patched(segment int) (file, error) {
	path := f.path(segment)
	opened, err := f.open(path)
	if err != nil {
		return nil, err
	}
	return patched{opened, func(at int64, err error) bool { return f.skips(path, at, err) }}, nil
}

func (p patched) ReadAt(b []byte, at int64) (n int, err error) {
	n, err = p.file.ReadAt(b, at)
	if !unreadable(err) {
		return n, err
	}
	info, e := p.Stat()
	if e != nil {
		return 0, err
	}
	want := b[:max(0, min(int64(len(b)), info.Size()-at))]
	for n = 0; n < len(want); {
		from := at + int64(n)
		text, begin := make([]byte, page), from-from%page
		_, err := p.file.ReadAt(text, begin)
		if unreadable(err) {
			if !p.skips(begin, err) {
				return n, err
			}
			clear(text)
		} else if err != nil && !errors.Is(err, io.EOF) {
			return n, err
		}
		n += copy(want[n:], text[from-begin:])
	}
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}

// unreadable reports whether an error of opening or reading is due to the file, or to a place in it.
func unreadable(err error) bool {
	return err != nil && !errors.Is(err, io.EOF) && !journal.Passing(err)
}

// A failure is a file that has had unreadable places since a time, without a long pause.
type failure struct {
	first, last time.Time
	reported    bool
}

const (
	// skipsAfter is how long such a place is tried again: the disk may be readable after it is plugged in anew.
	skipsAfter = 5 * time.Second
	// pauseOfFailure is the pause without errors after which skipsAfter begins again; the hall asks again within it.
	pauseOfFailure = time.Minute
)

// skips reports whether to go on after an unreadable place, and if so notes the damage of its board.
func (u *Uplink) skips(path string, at int64, err error) bool {
	now := time.Now()
	u.mu.Lock()
	defer u.mu.Unlock()
	f := u.failing[path]
	if now.Sub(f.last) > pauseOfFailure {
		f = failure{first: now}
	}
	skips := now.Sub(f.first) >= skipsAfter
	tell := skips && !f.reported
	f.last, f.reported = now, f.reported || skips
	u.failing[path] = f
	if !tell {
		return skips
	}
	place := fmt.Sprintf("%s: byte %d: %s", filepath.Base(path), at, errText(err))
	u.opt.Log.Error().Str("place", place).Msg("a place of a journal cannot be read: the hall gets what comes after it")
	name, _, _ := journal.ParseSegmentName(filepath.Base(path))
	for _, b := range u.boards {
		if b.journal == name {
			b.firstUnread = cmp.Or(b.firstUnread, place)
		}
	}
	return true
}

// damage describes the unreadable part of a board's journal: what its station found at the start, or the first place
// that was left out since.
func (u *Uplink) damage(board string) string {
	u.mu.Lock()
	unread := ""
	if b := u.boards[board]; b != nil {
		unread = b.firstUnread
	}
	u.mu.Unlock()
	return cmp.Or(u.opt.Damage(board), unread)
}

func (u *Uplink) files(journal string) files { return files{u.opt.Dir, journal, u.open, u.skips} }
