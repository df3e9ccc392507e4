package hub

import (
	"encoding/json"

	"boardwatchd/internal/hall/view"
	"boardwatchd/internal/record"
)

// listener makes the board's listener. It also collects the requests and the lost entries of the journal; those of the
// previous reading stay in use until this reading ends.
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
		w.requestOfRecord, w.lostEntries = asked, lost
		w.mu.Unlock()
		ready()
	}
	return l
}

// requestOf is the id of the request by which a person caused a record; "": none did.
func requestOf(r record.Record) string {
	if r.Kind != record.Instruct && r.Kind != record.Decide {
		return "" // before anything is on the heap: nearly all records of a journal come here
	}
	var o struct {
		Request string `json:"request"`
	}
	if json.Unmarshal(r.Body, &o) != nil {
		return ""
	}
	return o.Request
}

// lost notes that bytes of the mirror were set aside. The shown state stays until the mirror is complete again. When
// beats name more records than the hall has and no chunk comes, the board is asked (behind).
func (w *worker) lost() {
	w.view, w.incomplete = nil, true
	w.mu.Lock()
	w.seq = 0
	w.mu.Unlock()
}
