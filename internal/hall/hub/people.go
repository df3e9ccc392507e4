package hub

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"boardwatchd/internal/hall/mirror"
	"boardwatchd/internal/hall/wire"
	"boardwatchd/internal/journal"
)

// Decide hands the arbiter's decision to a board. Nil means that it is in the board's journal, on the board's disk, and
// was shown here. ErrWaits means that the board cannot be reached and the decision is on the hall's disk: the board
// gets it once, when it is back, unless it is taken back before. ErrTaken means that it was taken back, ErrNever that
// no board will take it.
func (h *Hub) Decide(ctx context.Context, board string, body []byte) error {
	w, request, err := h.addressee(board, body)
	if err != nil {
		return err
	}
	if h.reachable(w) && !h.waits.waiting(w) {
		err := h.askDirectly(ctx, w, wire.Question{Do: wire.DoDecide, Board: w.board, Journal: w.shownJournal(), Body: string(body), Request: request})
		if !errors.Is(err, ErrNoBoard) {
			return err
		}
	}
	return h.wait(w, request, string(body))
}

// askDirectly sends a board a decision that does not wait, and remembers the request for as long as its outcome is
// unknown.
func (h *Hub) askDirectly(ctx context.Context, w *worker, q wire.Question) error {
	earlier, err := h.waits.asking(w, q.Request)
	if errors.Is(err, ErrTaken) || errors.Is(err, ErrNever) {
		return err
	}
	if err != nil {
		h.opt.Log.Error().Err(err).Msg("that a board is asked for a decision is not on the disk; the board is asked all the same")
	}
	err = h.deliver(ctx, w, q)
	var refused *RefusedError
	if err == nil || notInJournal(err) || !earlier && (errors.Is(err, ErrNoBoard) || errors.As(err, &refused)) {
		h.waits.settled(w, q.Request)
	}
	return err
}

// notInJournal reports that the board's journal does not have the request, and that no earlier attempt will bring it
// there.
func notInJournal(err error) bool { return errors.Is(err, errNotThere) || errors.Is(err, ErrLost) }

// Instruct hands an instruction to a board, as Decide does, but keeps none for a board that cannot be reached.
func (h *Hub) Instruct(ctx context.Context, board string, body []byte) error {
	w, request, err := h.addressee(board, body)
	if err != nil {
		return err
	}
	if !h.reachable(w) {
		return ErrNoBoard
	}
	err = h.deliver(ctx, w, wire.Question{Do: wire.DoInstruct, Board: w.board, Journal: w.shownJournal(), Body: string(body), Request: request})
	if errors.Is(err, ErrNever) { // another game has begun that is not shown here yet
		return fmt.Errorf("%w: %w", ErrNoBoard, err)
	}
	return err
}

func (h *Hub) addressee(board string, body []byte) (w *worker, request string, err error) {
	var o struct {
		Request string `json:"request"`
	}
	if err := json.Unmarshal(body, &o); err != nil {
		return nil, "", err
	}
	if w = h.worker(board); w == nil {
		return nil, "", ErrNoBoard
	}
	return w, o.Request, nil
}

// reachable reports whether a board's computer is heard.
func (h *Hub) reachable(w *worker) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	c := h.computers[w.computer]
	return c != nil && !c.beat.IsZero()
}

// Behind reports that a board may have written more than is shown: the last beat named a later record, or no beat has
// come. It cannot report bytes that a mirror lacks after an older copy was restored.
func (h *Hub) Behind(board string) bool {
	w := h.worker(board)
	if w == nil || !h.reachable(w) {
		return true
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.name == "" || w.name != w.head.Journal || w.seq < int64(w.head.Seq)
}

// Saved waits until a record is on the board's disk.
func (h *Hub) Saved(ctx context.Context, board string, seq int64) error {
	w := h.worker(board)
	if w == nil {
		return ErrNoBoard
	}
	w.mu.Lock()
	q := wire.Question{Do: wire.DoSaved, Board: w.board, Journal: w.name, Seq: seq, Request: w.requestOfRecord[seq]}
	w.mu.Unlock()
	_, _, err := h.ask(ctx, w.computer, q) // by request: a rolled back board has another record of this number
	return err
}

// Head is the last record on the board's disk, as its computer last reported.
func (h *Hub) Head(board string) journal.Head {
	w := h.worker(board)
	if w == nil {
		return journal.Head{}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.head
}

// Path is the first file of the mirrored journal that is shown for a board; "": none yet.
func (h *Hub) Path(board string) string {
	w := h.worker(board)
	if w == nil {
		return ""
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.path
}

func (h *Hub) worker(board string) *worker {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.byShownName[board]
}

// deliver sends a person's input to the board's computer and waits until its record is shown here.
func (h *Hub) deliver(ctx context.Context, w *worker, q wire.Question) error {
	a, _, err := h.ask(ctx, w.computer, q)
	if err != nil && !errors.Is(err, ErrNotSaved) {
		return err
	}
	if head, e := journal.ParseHead(a.Head); e == nil {
		w.mu.Lock()
		head.Journal = w.head.Journal
		w.head = head
		w.mu.Unlock()
	}
	if a.Seq > 0 && a.Journal == "" && !h.full.Load() { // neither an earlier journal nor, without room, this one is shown
		if e := w.await(ctx, a.Seq); err == nil {
			err = e
		}
	}
	return err
}

// await waits until a record has come back from the board and is shown.
func (w *worker) await(ctx context.Context, seq int64) error {
	for {
		w.mu.Lock()
		there, moved := w.seq >= seq, w.shownMoved
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

// showMirrors shows the boards of all computers of the hall as they were when the hall last ran.
func (h *Hub) showMirrors() {
	for _, name := range h.store.Computers() {
		newest := map[string]journal.Entry{}
		for _, e := range h.store.List(name) {
			board := mirror.BoardOf(e)
			if board != "" && e.LastWrite.After(newest[board].LastWrite) {
				newest[board] = e
			}
		}
		var read []func()
		h.mu.Lock()
		if c := h.computer(name); c != nil {
			for board, e := range newest {
				if w := c.worker(board); w != nil {
					read = append(read, func() { h.opt.Expect(w.shownAs); w.put(task{mirrored: e.Name}) })
				}
			}
		}
		h.mu.Unlock()
		for _, do := range read {
			do()
		}
	}
}

// A Computer describes a computer of the hall to people.
type Computer struct {
	Name    string
	Here    bool
	Beat    time.Time
	Version string
	Core    string
	Boards  int
	Round   string   // the mark of the round that it has
	Renamed []string // boards shown under another name than their own, because another computer has a board of that name
}

// Computers are those of the hall that have been heard or have a mirror.
func (h *Hub) Computers() (list []Computer) {
	h.mu.Lock()
	defer h.mu.Unlock()
	renamed := h.renamed()
	for _, c := range h.computers {
		if !h.member(c.name) {
			continue
		}
		list = append(list, Computer{c.name, !c.beat.IsZero(), c.beat, c.version, c.core, len(c.workers), c.round, renamed[c.name]})
	}
	return list
}
