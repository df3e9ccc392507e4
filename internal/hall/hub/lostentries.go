package hub

import (
	"bufio"
	"encoding/json"
	"os"
	"slices"

	"boardwatchd/internal/record"
	"boardwatchd/internal/watch"
)

// This file is about a board's computer that has lost saved data: an older copy of its state directory was restored, or
// its disk has lost writes that it had confirmed. The mirror then sets its own bytes aside. These files hold decisions
// and entries of people without which the board goes on.

// An entry is a decision or another input of a person at a board.
type entry struct {
	key         string // equal for entries that count as the same: a decision may be made again
	shown       string
	setsStrikes bool // it sets the strikes
}

// entryOf reads the entry in a record. It returns false for a record that no person has caused.
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

// maxLostEntries is how many are remembered.
const maxLostEntries = 1000

// readLostEntries reads the files of a journal that were set aside. What cannot be read of them is left out.
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

// hear takes in a record of the journal. Strikes that were set after the loss show that a person knows of it.
func (l *lostEntries) hear(r record.Record) {
	if len(l.missing) == 0 {
		return
	}
	if o, ok := entryOf(r); ok {
		l.missing = slices.DeleteFunc(l.missing, func(m entry) bool { return m.key == o.key || o.setsStrikes && !l.all[o.key] })
	}
}

// lostOf returns, as texts, the entries that the board's computer has lost.
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
