package hub

import (
	"errors"

	"boardwatchd/internal/config"
)

// This file protects the disk of the hall, which the computers could fill: nothing is taken while there is too little
// room, and each file is limited to the size that a board writes.

// errFull means that the hall's disk has too little room for more journals. It is in the operator's list and is not
// reported for each board.
var errFull = errors.New("the hall's disk has too little room for more journals")

// checkRoom follows whether there is room. When there is again, everything is compared: the dropped chunks may have
// been the end of a journal that its board no longer mentions.
func (h *Hub) checkRoom() {
	full := h.opt.Full()
	if h.full.Swap(full) == full {
		return
	}
	if full {
		h.opt.Log.Error().Msg("the hall's disk has no room, or takes no file: the hall takes no more journals, and the boards keep them")
		return
	}
	h.opt.Log.Info().Msg("the hall's disk takes files, and has room: the hall takes the journals")
	h.mu.Lock()
	var names []string
	for name := range h.computers {
		names = append(names, name)
	}
	h.mu.Unlock()
	for _, name := range names {
		h.compareSoon(name)
	}
}

// maxSegment is the largest possible segment: a board begins the next one with the first input after the size that its
// configuration sets.
const maxSegment = config.MaxSegment + 64<<20

// tooLarge reports that no board writes a segment of that size, and notes the computer for the operator's list. The
// rest of that segment is not taken.
func (w *worker) tooLarge(journal string, size int64) bool {
	if size <= maxSegment {
		return false
	}
	w.h.mu.Lock()
	c := w.h.computers[w.computer]
	fresh := c != nil && c.tooLarge != journal
	if fresh {
		c.tooLarge = journal
	}
	w.h.mu.Unlock()
	if fresh {
		w.log.Error().Str("journal", journal).Int64("bytes", size).Msg("a file is larger than any board writes: the hall takes no more of it")
	}
	return true
}
