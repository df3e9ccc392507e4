package hub

import "time"

// This file detects a stalled mirror: the computer of a board has written more than the hall has, and the hall receives
// nothing of it. The cause does not matter: a mirror that cannot be written, the stream, a file that cannot be read.
// The page would show an old state without a warning.

// stallAfter is how long nothing may come before a stall is reported. It is at least the time that a chunk takes on a
// slow network, because beats follow it in the same connection.
const stallAfter = 20 * time.Second

// A stall is what checkStall knows of a board.
type stall struct {
	taken      int64     // how often the mirror had taken something by the last check
	seq        int64     // of the last record that was shown then
	idleChecks int       // in a row: the board had more, and nothing was received
	since      time.Time // before the first of these
	reported   bool
}

// checkStall is called every pollEvery, even while the worker waits. It counts checks instead of time, because a
// program that was suspended has missed nothing. A stall ends when the hall has everything, so that a disk which takes
// a little now and then does not seem repaired.
func (w *worker) checkStall(here bool, now time.Time) {
	taken, awaits := w.putCount.Load(), w.waitsForTurn()
	w.mu.Lock()
	s := &w.stall
	more := here && !w.unwritten && w.head.Seq > 0 && (w.name != w.head.Journal || w.seq < int64(w.head.Seq))
	if !more || taken != s.taken || w.seq != s.seq || awaits {
		s.idleChecks, s.taken, s.seq = 0, taken, w.seq
		if !s.reported {
			s.since = now
		}
	} else {
		s.idleChecks++
	}
	changed := s.reported && !more || !s.reported && s.idleChecks >= int(stallAfter/pollEvery)
	if changed {
		s.reported = !s.reported
	}
	w.mu.Unlock()
	if changed {
		w.h.opt.Stalled(w.shownAs, w.stalledSince(), w.computer)
	}
}

// stalledSince is when the reported stall began; the zero time: no stall is reported.
func (w *worker) stalledSince() (since time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.stall.reported {
		since = w.stall.since
	}
	return since
}
