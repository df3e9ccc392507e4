package hub

import (
	"slices"

	"boardwatchd/internal/hall/wire"
	"boardwatchd/internal/journal"
)

// ShownJournals returns the journals that the pages of a computer's boards show now: they are in use.
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

// wanted are those of a computer's journals that the mirror is to have. One that was removed here is not fetched again,
// unless the computer has gone on with it: then some of it is here.
func (h *Hub) wanted(computer string, list []wire.Journal) []wire.Journal {
	if h.opt.Removed == nil {
		return list
	}
	removed, here := h.opt.Removed(computer), h.store.List(computer)
	return slices.DeleteFunc(list, func(j wire.Journal) bool {
		return removed(j.Name) && !slices.ContainsFunc(here, func(e journal.Entry) bool { return e.Name == j.Name })
	})
}
