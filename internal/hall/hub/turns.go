package hub

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"boardwatchd/internal/secretfile"
)

// turns lets a few callers in at a time, the urgent ones before the others.
type turns struct {
	mu     sync.Mutex
	free   int
	urgent []chan struct{}
	others []chan struct{}
}

// enter waits for a turn; leave ends it.
func (t *turns) enter(urgent bool) {
	t.mu.Lock()
	if t.free > 0 {
		t.free--
		t.mu.Unlock()
		return
	}
	mine := make(chan struct{})
	if urgent {
		t.urgent = append(t.urgent, mine)
	} else {
		t.others = append(t.others, mine)
	}
	t.mu.Unlock()
	<-mine
}

func (t *turns) leave() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, waiting := range []*[]chan struct{}{&t.urgent, &t.others} {
		if l := *waiting; len(l) > 0 {
			close(l[0])
			*waiting = l[1:]
			return
		}
	}
	t.free++
}

// queued reports whether a caller waits for a turn.
func (t *turns) queued() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.urgent)+len(t.others) > 0
}

func (f Files) urgent() string { return filepath.Join(f.dir, "urgent.json") }

// urgentEvery is how often the hall notes which boards have an alert that no person has seen.
const urgentEvery = 2 * time.Second

// keepUrgent notes which boards are read first when the hall starts. Only that order depends on the file.
func (h *Hub) keepUrgent(now time.Time) {
	if h.opt.Urgent == nil || now.Sub(h.urgentAt) < urgentEvery {
		return
	}
	h.urgentAt = now
	list := h.opt.Urgent()
	slices.Sort(list)
	if list = slices.Compact(list); slices.Equal(list, h.urgent) {
		return
	}
	err := secretfile.WriteJSON(FilesIn(h.opt.Dir).urgent(), list)
	if err != nil {
		h.opt.Log.Debug().Err(err).Msg("which boards are urgent is not noted")
	}
	h.urgent = list
}

// readUrgent returns the boards that keepUrgent has noted, under their shown names.
func (f Files) readUrgent() map[string]bool {
	first := map[string]bool{}
	var list []string
	if b, err := os.ReadFile(f.urgent()); err == nil && json.Unmarshal(b, &list) == nil {
		for _, board := range list {
			first[board] = true
		}
	}
	return first
}
