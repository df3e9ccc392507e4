package hub

import (
	"slices"

	"boardwatchd/internal/hall/wire"
	"boardwatchd/internal/journal"
)

// ShownJournals returns the journals that are shown now for a computer's boards: they are in use.
func (h *Hub) ShownJournals(computer string) (names []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	c := h.computers[computer]
	if c == nil {
		return nil
	}
	for _, w := range c.workers {
		if name := w.shownJournal(); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// wanted are the journals of a computer that the mirror is to have. A journal that was removed here is not fetched
// again, unless the computer has gone on with it: then part of it is here.
func (h *Hub) wanted(computer string, list []wire.Journal) []wire.Journal {
	if h.opt.Removed == nil {
		return list
	}
	removed, here := h.opt.Removed(computer), h.store.List(computer)
	return slices.DeleteFunc(list, func(j wire.Journal) bool {
		return removed(j.Name) && !slices.ContainsFunc(here, func(e journal.Entry) bool { return e.Name == j.Name })
	})
}
