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
// its place, or its disk has lost what it had taken. The mirror sets its own bytes aside then. What people had decided
// and entered is in these files, and the board goes on without it.

// A word is what a person said to a board.
type word struct {
	key   string // what counts as the same: a decision may be made again
	shown string
	sets  bool // the strikes
}

// wordOf reads the word of a record; false: nobody has said it.
func wordOf(r record.Record) (o word, ok bool) {
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
	return word{b.Request, b.Do, b.Do == watch.DoStrikes}, true
}

// lostWords are those of the files of a journal that were set aside.
type lostWords struct {
	all     map[string]bool
	missing []word // in the journal
}

// maxWords bounds them.
const maxWords = 1000

// readLost reads the files that were set aside of a journal. What cannot be read of them is left out.
func readLost(paths []string) *lostWords {
	l := &lostWords{all: map[string]bool{}}
	slices.Sort(paths)
	for _, path := range paths {
		f, err := os.Open(path)
		if err != nil {
			continue
		}
		var parser record.Parser
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, record.MaxLine)
		for lines.Scan() && len(l.missing) < maxWords {
			r, _, err := parser.Parse(lines.Bytes())
			if err != nil {
				continue
			}
			if o, ok := wordOf(r); ok && !l.all[o.key] {
				l.all[o.key], l.missing = true, append(l.missing, o)
			}
		}
		_ = f.Close() // read only
	}
	return l
}

// hear takes a record of the journal. Strikes that were set since what is missing was lost say that a person has seen it.
func (l *lostWords) hear(r record.Record) {
	if len(l.missing) == 0 {
		return
	}
	if o, ok := wordOf(r); ok {
		l.missing = slices.DeleteFunc(l.missing, func(m word) bool { return m.key == o.key || o.sets && !l.all[o.key] })
	}
}

// lostOf are the words that the board's computer has lost, as they are shown.
func (w *worker) lostOf() (shown []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.lostWords != nil {
		for _, o := range w.lostWords.missing {
			shown = append(shown, o.shown)
		}
	}
	return shown
}
