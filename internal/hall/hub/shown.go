package hub

import (
	"encoding/json"

	"boardwatchd/internal/hall/view"
	"boardwatchd/internal/record"
)

// listener hears the board, and remembers the requests, and which of earlier ones are lost. Those of the reading before stay until this one has come to its
// end.
func (w *worker) listener() view.Listener {
	l := w.h.opt.Hear(w.shownAs, w.journal.Name(), w.rate)
	asked := map[int64]string{}
	lost := readLostEntries(w.h.store.SetAside(w.computer)[w.journal.Name()])
	recovered, told, ready := l.Recovered, l.Entered, l.Ready
	l.Recovered = func(r record.Record) {
		if request := requestOf(r); request != "" {
			asked[int64(r.Seq)] = request
			lost.hear(r)
		}
		recovered(r)
	}
	l.Entered = func(r record.Record) {
		if request := requestOf(r); request != "" {
			w.mu.Lock()
			asked[int64(r.Seq)] = request
			lost.hear(r)
			w.mu.Unlock()
		}
		told(r)
	}
	l.Ready = func() {
		w.mu.Lock()
		w.asked, w.lostEntries = asked, lost
		w.mu.Unlock()
		ready()
	}
	return l
}

// requestOf is the id of the request by which a person told the board a record; "": none did.
func requestOf(r record.Record) string {
	if r.Kind != record.Instruct && r.Kind != record.Decide {
		return "" // before anything is on the heap: of a journal nearly all are
	}
	var o struct {
		Request string `json:"request"`
	}
	if json.Unmarshal(r.Body, &o) != nil {
		return ""
	}
	return o.Request
}

// lost notes that bytes of the mirror were set aside: what was shown stays until the mirror has all that the board has.
// A board that says by its beats that it has more than is here, while nothing comes, is asked for it (behind).
func (w *worker) lost() {
	w.view, w.lacks = nil, true
	w.mu.Lock()
	w.seq = 0
	w.mu.Unlock()
}
