package journal

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"time"

	"boardwatchd/internal/record"
)

// Waiting times after a failure: at once, then 100 ms, doubled up to 10 s, so that a disk which accepts data but never
// syncs gets 360 segments an hour.
const (
	firstRetry = 100 * time.Millisecond
	lastRetry  = 10 * time.Second
	// closeTries is the number of new files that a writer tries while it is being closed.
	closeTries = 3
	// nameCheckEvery is the interval at which the name of an idle file is checked.
	nameCheckEvery = time.Second
)

// keeper owns the files of a writer. It runs in one goroutine from begin until Close, which waits for it. Besides it
// there is at most one goroutine, which runs one Sync, and the keeper waits for it before it ends.
//
// So a slow sync delays no write, and a hanging disk delays the keeper but not the goroutine that appends (see
// Options.Patience).
type keeper struct {
	w    *Writer
	file DiskFile // nil: none, see retry
	path string
	used bool  // the file contains a whole record
	from int64 // place in the stream where the file begins

	settled  bool     // settleOld is done
	late     bool     // the writer began while no file could be created
	left     bool     // one of our files, without a record, could not be removed
	base     string   // the name at the beginning
	names    int      // number of names taken since
	nameless DiskFile // a file that somebody removed: its content is to be written again, see restore
	replaced bool     // another file has its name

	syncing bool
	target  cursor     // of the running sync
	synced  chan error // its result
	dirty   time.Time  // time of the first record that no sync covers yet

	owed          string // cause of the open record that is to follow the rewritten records
	opened        int64  // the end of the last such open record
	backoff       time.Duration
	retry         time.Time
	nameCheckedAt time.Time // time when the file was last found under its name
	tries         int       // number of new files tried while closing
}

func newKeeper(w *Writer) *keeper {
	return &keeper{w: w, synced: make(chan error, 1), base: w.name, names: 1}
}

// settleOld syncs the files of earlier processes. Without it, a record that exists only in the page cache could be read
// after a kill, be built upon, and be lost in a power cut although later records exist. All segments are synced,
// because it is not known which of them are on the disk already, and those return at once. A failure to sync is no
// reason to stop.
func (k *keeper) settleOld() {
	w := k.w
	for n := 1; n <= w.number; n++ {
		err := w.opt.Disk.SyncFile(filepath.Join(w.dir, SegmentName(w.name, n)))
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // a compressed segment has another name
			w.mu.Lock()
			w.stats.Errors++
			w.trouble = fmt.Errorf("journal %s: %w", w.name, err)
			w.mu.Unlock()
		}
	}
}

// run is the keeper's goroutine.
func (k *keeper) run() {
	defer close(k.w.done)
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		k.busy(time.Now())
		k.work()
		if k.finished() {
			return
		}
		k.busy(time.Time{})
		if due, ok := k.due(); ok {
			timer.Reset(time.Until(due))
		} else {
			timer.Stop()
		}
		select {
		case <-k.w.kick:
		case err := <-k.synced:
			k.busy(time.Now())
			k.finishSync(err)
		case <-timer.C:
		}
	}
}

// busy notes the time since which the keeper waits for the disk; zero: it does not wait.
func (k *keeper) busy(since time.Time) {
	k.w.mu.Lock()
	k.w.busy = since
	k.w.mu.Unlock()
}

// work does all work that needs no waiting.
func (k *keeper) work() {
	if k.file == nil && (k.closing() && k.tries < closeTries || !k.closing() && !time.Now().Before(k.retry)) {
		k.reopen()
	}
	for k.file != nil && k.write() {
	}
	if k.file != nil && !k.syncing && k.syncDue() {
		k.startSync()
	}
	if k.resting() && !time.Now().Before(k.nameCheckedAt.Add(nameCheckEvery)) {
		k.nameCheckedAt = time.Now()
		if k.file.Nameless() {
			k.restore()
		}
	}
}

// resting reports whether all records are on the disk: then no sync checks the file's name.
func (k *keeper) resting() bool { return k.file != nil && !k.syncing && k.dirty.IsZero() }

// due returns the time at which the keeper must work next without a kick.
func (k *keeper) due() (time.Time, bool) {
	switch {
	case k.file == nil && k.closing():
		return time.Now(), true // closeTries bounds this
	case k.file == nil:
		return k.retry, true
	case !k.syncing && !k.dirty.IsZero():
		return k.dirty.Add(k.w.opt.SyncDelay), true
	case k.resting():
		return k.nameCheckedAt.Add(nameCheckEvery), true
	}
	return time.Time{}, false
}

func (k *keeper) closing() bool {
	k.w.mu.Lock()
	defer k.w.mu.Unlock()
	return k.w.closing
}

// finished reports whether the keeper's work is over: all is durable after Close, or no new file could be made for the
// rest.
func (k *keeper) finished() bool {
	w := k.w
	w.mu.Lock()
	over := w.closing && w.stream.durable.off == w.stream.appended.off && k.nameless == nil
	given := w.closing && k.file == nil && k.tries >= closeTries
	w.mu.Unlock()
	if k.syncing || !over && !given {
		return false
	}
	for _, f := range []DiskFile{k.file, k.nameless} {
		if f == nil {
			continue
		}
		if err := f.Close(); err != nil {
			k.count()
		}
	}
	if k.nameless != nil {
		w.mu.Lock()
		w.unrestored = w.trouble
		w.mu.Unlock()
	}
	return true
}

// syncDue reports whether a sync is due.
func (k *keeper) syncDue() bool {
	w := k.w
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.stream.written.off > w.stream.durable.off &&
		(w.urgent || w.closing || time.Since(k.dirty) >= w.opt.SyncDelay)
}

// write writes the waiting lines, and reports whether there may be more.
func (k *keeper) write() bool {
	w := k.w
	w.mu.Lock()
	chunk := w.stream.unwritten(w.nextSegmentAt)
	if len(chunk) == 0 {
		more := k.putOwn()
		turn := w.nextSegmentAt > 0
		w.mu.Unlock()
		if turn {
			k.rotate()
		}
		return more || turn
	}
	w.busy = time.Now()
	w.mu.Unlock()

	n, err := k.file.Write(chunk)
	if n < len(chunk) && err == nil {
		err = io.ErrShortWrite
	}
	if k.dirty.IsZero() {
		k.dirty = time.Now()
	}
	w.mu.Lock()
	w.busy = time.Now()
	k.used = w.stream.wrote(n) || k.used
	w.stats.Bytes += int64(n)
	if err == nil && errors.Is(w.trouble, ErrStalled) {
		w.trouble = nil
	}
	w.mu.Unlock()
	k.signalWritten()
	if err != nil {
		k.fail(err, mayHold)
		return false
	}
	return true
}

// putOwn adds the writer's own pending records, once everything before them is written. After Close there are none: the
// close record is the last. The lock is held.
func (k *keeper) putOwn() bool {
	w := k.w
	if w.nextSegmentAt > 0 || w.closing || k.owed == "" && w.lost.from == 0 {
		return false
	}
	w.settle()
	if k.owed != "" {
		w.own(w.stream.at, record.Open, w.openBody(w.number, k.owed))
		k.owed, k.opened = "", w.stream.appended.off
	}
	return true
}

// signalWritten wakes Flush.
func (k *keeper) signalWritten() {
	select {
	case k.w.wrote <- struct{}{}:
	default:
	}
}

// startSync starts a sync in another goroutine.
func (k *keeper) startSync() {
	w := k.w
	w.mu.Lock()
	k.target = w.stream.written
	w.syncSince = time.Now()
	w.urgent = false
	w.mu.Unlock()
	k.syncing, k.dirty = true, time.Time{}
	go func(f DiskFile) { k.synced <- syncNamed(f) }(k.file)
}

// syncNamed syncs a file and checks that it can be found under its name.
func syncNamed(f DiskFile) error {
	err := f.Sync()
	if err == nil && f.Nameless() {
		err = errNameless
	}
	return err
}

// finishSync handles the result of the running sync.
func (k *keeper) finishSync(err error) {
	k.syncing = false
	switch {
	case errors.Is(err, errNameless):
		k.restore()
	case err != nil:
		k.fail(err, mustNotAsk)
	default:
		k.acknowledge(k.target)
	}
}

// acknowledge moves the durable cursor after a successful sync.
func (k *keeper) acknowledge(c cursor) {
	w := k.w
	w.mu.Lock()
	defer w.mu.Unlock()
	w.stream.synced(c)
	w.stats.Syncs++
	w.syncSince = time.Time{}
	if w.lost.from == 0 {
		w.trouble = nil
	}
	k.backoff = 0
	close(w.moved)
	w.moved = make(chan struct{})
	k.signalWritten()
}

// rotate ends the current segment, all of which is written, and begins the
// next one.
func (k *keeper) rotate() {
	if !k.settleSync() {
		return
	}
	w := k.w
	w.mu.Lock()
	if !k.used { // the segment before failed at this very place, so this is the next one
		w.nextSegmentAt = 0
		w.mu.Unlock()
		return
	}
	end := w.stream.written
	durable := w.stream.durable
	w.mu.Unlock()
	if durable != end {
		switch err := syncNamed(k.file); {
		case errors.Is(err, errNameless):
			k.restore()
			return
		case err != nil:
			k.fail(err, mustNotAsk)
			return
		}
		k.acknowledge(end)
	}
	if err := k.file.Close(); err != nil {
		k.count() // all of it is on the disk
	}
	k.file, k.dirty = nil, time.Time{}
	w.mu.Lock()
	w.nextSegmentAt = 0
	w.mu.Unlock()
	k.reopen()
}

// settleSync waits for the running sync. It reports whether the file is still good.
func (k *keeper) settleSync() bool {
	if k.syncing {
		k.finishSync(<-k.synced)
	}
	return k.file != nil
}

// trust is the use that a failed file may still be.
type trust uint8

const (
	noTrust    trust = iota
	mayHold          // a write failed: earlier data may be in the file, one sync will show it
	mustNotAsk       // a sync failed: the next one could succeed although pages were dropped
)

// fail gives up the current file. Records that are not durable will be written again in a new segment.
func (k *keeper) fail(cause error, t trust) {
	k.count()
	if t == mayHold && k.syncing {
		k.syncing = false
		if err := <-k.synced; err != nil {
			k.count()
			t = mustNotAsk
		} else {
			k.acknowledge(k.target)
		}
	}
	w := k.w
	w.mu.Lock()
	written := w.stream.written
	ask := t == mayHold && written != w.stream.durable
	w.mu.Unlock()
	if ask {
		if err := syncNamed(k.file); err != nil {
			k.count()
		} else {
			k.acknowledge(written)
		}
	}
	if k.file.Nameless() {
		k.restore()
		return
	}
	if err := k.file.Close(); err != nil {
		k.count()
	}
	if !k.used {
		k.remove()
	}
	k.file, k.dirty = nil, time.Time{}

	w.mu.Lock()
	w.stream.rewind()
	w.trouble = fmt.Errorf("journal %s: %w", w.name, cause)
	w.syncSince = time.Time{}
	if k.opened <= w.stream.durable.off {
		k.owed = cause.Error()
	}
	w.mu.Unlock()
	k.later()
	k.signalWritten()
}

// later sets the time of the next try.
func (k *keeper) later() {
	k.retry = time.Now().Add(k.backoff)
	k.backoff = min(max(2*k.backoff, firstRetry), lastRetry)
}

// count counts an error of the file system.
func (k *keeper) count() {
	k.w.mu.Lock()
	k.w.stats.Errors++
	k.w.mu.Unlock()
}

// reopen begins a new segment.
func (k *keeper) reopen() {
	if k.closing() {
		k.tries++
	}
	if err := k.create(); err != nil {
		k.refused(err)
	}
}

// refused handles a file that could not be made, and sets the time of the next try.
func (k *keeper) refused(err error) {
	w := k.w
	w.mu.Lock()
	w.stats.Errors++
	w.trouble = fmt.Errorf("journal %s: %w", w.name, hint(err))
	if k.opened <= w.stream.durable.off {
		k.owed = err.Error()
	}
	w.mu.Unlock()
	k.later()
	k.signalWritten()
}

// create makes the file of the next segment and its name durable. For a file that has lost its name it makes that file
// again, with its content.
func (k *keeper) create() error {
	w := k.w
	if err := k.hold(); err != nil {
		return err
	}
	if !k.settled {
		k.settled = true
		k.settleOld()
	}
	w.mu.Lock()
	number, durable := w.number, w.stream.durable.off
	w.mu.Unlock()
	if k.nameless == nil || k.replaced {
		number++
	}
	path := filepath.Join(w.dir, SegmentName(w.name, number))
	f, err := w.opt.Disk.Create(path)
	if errors.Is(err, fs.ErrExist) {
		k.taken(number)
	}
	if err != nil {
		return err
	}
	k.path = path
	err = w.opt.Disk.SyncDir(w.dir)
	held, unread := int64(0), false
	if err == nil && k.nameless != nil {
		held = durable - k.from
		unread, err = copyHeld(f, k.nameless, held)
	}
	if unread {
		if err := k.nameless.Close(); err != nil {
			k.count()
		}
		k.nameless, k.owed = nil, errUnread.Error()
	}
	if err != nil {
		err = errors.Join(err, f.Close())
		if removed := w.opt.Disk.Remove(path); removed != nil {
			k.count()
			k.left = true
		}
		return err
	}
	if k.nameless != nil {
		if err := k.nameless.Close(); err != nil {
			k.count() // the new file contains all of it
		}
		k.nameless = nil
	}
	k.file, k.used, k.from, k.nameCheckedAt = f, held > 0, durable-held, time.Now()
	w.mu.Lock()
	w.number = number
	w.size = held
	w.stats.Segments++
	w.mu.Unlock()
	return nil
}

// remove removes a file without a record, so that a disk that stays full for hours does not fill up with empty
// segments.
func (k *keeper) remove() {
	if err := k.w.opt.Disk.Remove(k.path); err != nil {
		k.count()
		return
	}
	k.w.mu.Lock()
	if filepath.Base(k.path) == SegmentName(k.w.name, k.w.number) {
		k.w.number--
	}
	k.w.mu.Unlock()
}
