package hub

import (
	"bufio"
	"encoding/json"
	"os"
	"slices"

	"boardwatchd/internal/record"
	"boardwatchd/internal/watch"
)

// This file is about a board's computer that has lost what it had saved: an older copy of its state directory was put in
// its place, or its disk has lost what it had taken. The mirror sets its own bytes aside then. These files have the
// decisions and entries of people, and the board goes on without them.

// An entry is a decision, or something else that a person has entered at a board.
type entry struct {
	key   string // what counts as the same: a decision may be made again
	shown string
	sets  bool // the strikes
}

// entryOf reads the entry in a record; false: no person has made it.
func entryOf(r record.Record) (o entry, ok bool) {
	if requestOf(r) == "" {
		return o, false
	}
	var b struct{ Request, Finding, Decision, Do string }
	if json.Unmarshal(r.Body, &b) != nil {
		return o, false
	}
	if r.Kind == record.Decide {
		o.shown = b.Decision + " " + b.Finding
		o.key = o.shown
		return o, true
	}
	return entry{b.Request, b.Do, b.Do == watch.DoStrikes}, true
}

// lostEntries are the entries in the files of a journal that were set aside.
type lostEntries struct {
	all     map[string]bool
	missing []entry // those that the journal does not have
}

// maxLostEntries bounds how many are remembered.
const maxLostEntries = 1000

// readLostEntries reads the files that were set aside of a journal. What cannot be read of them is left out.
func readLostEntries(paths []string) *lostEntries {
	l := &lostEntries{all: map[string]bool{}}
	slices.Sort(paths)
	for _, path := range paths {
		f, err := os.Open(path)
		if err != nil {
			continue
		}
		var parser record.Parser
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, record.MaxLine)
		for lines.Scan() && len(l.missing) < maxLostEntries {
			r, _, err := parser.Parse(lines.Bytes())
			if err != nil {
				continue
			}
			if o, ok := entryOf(r); ok && !l.all[o.key] {
				l.all[o.key], l.missing = true, append(l.missing, o)
			}
		}
		_ = f.Close() // read only
	}
	return l
}

// hear takes a record of the journal. Where somebody has set the strikes since the loss, a person has seen it.
func (l *lostEntries) hear(r record.Record) {
	if len(l.missing) == 0 {
		return
	}
	if o, ok := entryOf(r); ok {
		l.missing = slices.DeleteFunc(l.missing, func(m entry) bool { return m.key == o.key || o.sets && !l.all[o.key] })
	}
}

// lostOf returns the entries that the board's computer has lost, as they are shown.
func (w *worker) lostOf() (shown []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.lostEntries != nil {
		for _, o := range w.lostEntries.missing {
			shown = append(shown, o.shown)
		}
	}
	return shown
}
