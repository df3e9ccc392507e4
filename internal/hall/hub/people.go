package hub

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"boardwatchd/internal/hall/wire"
	"boardwatchd/internal/journal"
	"boardwatchd/internal/watch"
)

// Decide hands the arbiter's decision to a board. Nil means that it is in the board's journal, on the board's disk, and was told here.
func (h *Hub) Decide(ctx context.Context, board string, body []byte) error {
	return h.tell(ctx, wire.DoDecide, board, body)
}

// Instruct hands an instruction to a board, likewise.
func (h *Hub) Instruct(ctx context.Context, board string, body []byte) error {
	return h.tell(ctx, wire.DoInstruct, board, body)
}

// Saved waits until a record is on the board's disk.
func (h *Hub) Saved(ctx context.Context, board string, seq int64) error {
	w := h.worker(board)
	if w == nil {
		return ErrNoBoard
	}
	_, _, err := h.ask(ctx, w.computer, wire.Question{Do: wire.DoSaved, Board: w.board, Seq: seq})
	return err
}

// Head is what the board last said of its disk.
func (h *Hub) Head(board string) journal.Head {
	w := h.worker(board)
	if w == nil {
		return journal.Head{}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.head
}

func (h *Hub) worker(board string) *worker {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.shown[board]
}

func (h *Hub) tell(ctx context.Context, do, board string, body []byte) error {
	w := h.worker(board)
	if w == nil {
		return ErrNoBoard
	}
	var o struct {
		Request string `json:"request"`
	}
	if err := json.Unmarshal(body, &o); err != nil {
		return err
	}
	a, _, err := h.ask(ctx, w.computer, wire.Question{Do: do, Board: w.board, Body: string(body), Request: o.Request})
	if err != nil && !errors.Is(err, ErrNotSaved) {
		return err
	}
	if head, e := journal.ParseHead(a.Head); e == nil {
		w.mu.Lock()
		head.Journal = w.head.Journal
		w.head = head
		w.mu.Unlock()
	}
	if a.Seq > 0 {
		if e := w.await(ctx, a.Seq); err == nil {
			err = e
		}
	}
	return err
}

// await waits until a record has come back from the board, so that whoever asked finds it shown.
func (w *worker) await(ctx context.Context, seq int64) error {
	for {
		w.mu.Lock()
		there, moved := w.seq >= seq, w.moved
		w.mu.Unlock()
		if there {
			return nil
		}
		select {
		case <-moved:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// showMirrors shows the boards of all computers of the hall as they were when the hall was last there.
func (h *Hub) showMirrors() {
	for _, name := range h.store.Computers() {
		newest := map[string]journal.Entry{}
		for _, e := range h.store.List(name) {
			board := boardOf(e)
			if board != "" && e.LastWrite.After(newest[board].LastWrite) {
				newest[board] = e
			}
		}
		h.mu.Lock()
		if c := h.computer(name); c != nil {
			for board, e := range newest {
				c.worker(board).put(task{local: e.Name})
			}
		}
		h.mu.Unlock()
	}
}

// boardOf is the board of a mirrored journal, by its first record.
func boardOf(e journal.Entry) string {
	rd, err := journal.Open(e.Segments[0].Path)
	if err != nil {
		return ""
	}
	defer rd.Close() // read only
	r, err := rd.Next()
	if err != nil {
		return ""
	}
	o, err := watch.ParseOpening(r.Body)
	if err != nil {
		return ""
	}
	return o.Board
}

// A Computer is one of the hall, for people.
type Computer struct {
	Name    string
	Here    bool
	Beat    time.Time
	Version string
	Core    string
	Boards  int
}

// Computers are those of the hall of which something is here.
func (h *Hub) Computers() (list []Computer) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, c := range h.computers {
		if _, in := h.roll.Computer(c.name); !in {
			continue
		}
		list = append(list, Computer{c.name, !c.beat.IsZero(), c.beat, c.version, c.core, len(c.workers)})
	}
	return list
}
