package hub

import "time"

// This file is about boards of which the page would stand still without a word: their computers have written more than
// the hall has, and it takes nothing of it. Why is not asked: the mirror that cannot be written, the stream, a file that
// cannot be read, whatever it is.

// stillAfter is how long nothing is taken before that is said. It is not less than what a chunk on a slow network takes:
// beats follow it in the same connection.
const stillAfter = 20 * time.Second

// A standstill is what lookStill has seen of a board.
type standstill struct {
	taken    int64     // by the mirror, at the last look
	seq      int64     // of the last record that was shown then
	looks    int       // in a row at which the board had more, and nothing had been taken
	since    time.Time // before the first of these
	reported bool
}

// lookStill is called every lookEvery, whatever the worker waits for. Looks are counted, because a program that stood
// still itself has missed nothing but time. What is said is over when the hall has all, so that a disk which takes a
// little now and then does not look mended.
func (w *worker) lookStill(here bool, now time.Time) {
	taken := w.taken.Load()
	w.mu.Lock()
	s := &w.still
	more := here && !w.unwritten && w.head.Seq > 0 && (w.name != w.head.Journal || w.seq < int64(w.head.Seq))
	if !more || taken != s.taken || w.seq != s.seq || w.queues.Load() {
		s.looks, s.taken, s.seq = 0, taken, w.seq
		if !s.reported {
			s.since = now
		}
	} else {
		s.looks++
	}
	changed := s.reported && !more || !s.reported && s.looks >= int(stillAfter/lookEvery)
	if changed {
		s.reported = !s.reported
	}
	w.mu.Unlock()
	if changed {
		w.h.opt.Still(w.shown, w.stillSince(), w.computer)
	}
}

// stillSince is since when the hall has not all of the board, or the zero time: nothing is said of that.
func (w *worker) stillSince() (since time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.still.reported {
		since = w.still.since
	}
	return since
}
