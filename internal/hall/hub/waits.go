package hub

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"sync"
	"time"

	"boardwatchd/internal/hall/wire"
	"boardwatchd/internal/secretfile"
)

// A Waiting is a decision for a board that could not be reached: it is on the hall's disk, and in no journal yet.
type Waiting struct {
	Computer string `json:"computer"`
	Board    string `json:"board"`   // its name at the computer
	Journal  string `json:"journal"` // the one that the decision is about
	Request  string `json:"request"`
	Body     string `json:"body"`
	Tried    bool   `json:"tried,omitempty"`  // the board was asked and has not answered: it may have it
	Failed   string `json:"failed,omitempty"` // why the board will never take it; "": it waits
}

// What Decide and TakeBack answer.
var (
	ErrWaits    = errors.New("kept until the board can be reached")
	ErrNoWait   = errors.New("no such decision waits")
	ErrOnItsWay = errors.New("the board was asked already and may have it")
)

// mostWaits bounds the list.
const mostWaits = 2000

// waits are the decisions that wait, in the order in which they were made, and their file. Whoever is answered ErrWaits has it on the
// disk.
type waits struct {
	path string

	mu   sync.Mutex // held while the file is written
	list []Waiting
	busy map[*worker]bool // a goroutine hands over what waits for the board
	open map[string]bool  // requests that a board was asked for without answer
}

func openWaits(path string) (*waits, error) {
	s := &waits{path: path, busy: map[*worker]bool{}, open: map[string]bool{}}
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err == nil {
		err = json.Unmarshal(b, &s.list)
	}
	if err != nil {
		return nil, fmt.Errorf("the decisions that wait for boards: %w: mend %s, or put it away", err, path)
	}
	return s, nil
}

// change changes the list on the disk first; where that fails nothing is changed.
func (s *waits) change(do func([]Waiting) []Waiting) error {
	next := do(slices.Clone(s.list))
	b, err := json.MarshalIndent(next, "", " ")
	if err == nil {
		err = secretfile.Replace(s.path, append(b, '\n'))
	}
	if err == nil {
		s.list = next
	}
	return err
}

func (w *Waiting) same(o Waiting) bool {
	return o.Request == w.Request && o.Computer == w.Computer && o.Board == w.Board
}

func (w *Waiting) of(at *worker) bool { return w.Computer == at.computer && w.Board == at.board }

// waiting says whether something waits for a board.
func (s *waits) waiting(w *worker) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.ContainsFunc(s.list, func(o Waiting) bool { return o.of(w) && o.Failed == "" })
}

// keep puts a decision on the list, once.
func (s *waits) keep(o Waiting) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if slices.ContainsFunc(s.list, o.same) {
		return nil
	}
	if len(s.list) >= mostWaits {
		return fmt.Errorf("%d decisions wait already", mostWaits)
	}
	o.Tried = s.open[o.Request]
	return s.change(func(l []Waiting) []Waiting { return append(l, o) })
}

// asked notes whether a board has left a request without an answer.
func (s *waits) asked(request string, unanswered bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if delete(s.open, request); unanswered && len(s.open) < mostWaits {
		s.open[request] = true
	}
}

// next is the first decision that waits for a board, marked as one that the board is asked for.
func (s *waits) next(w *worker) (o Waiting, ok bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.list, func(o Waiting) bool { return o.of(w) && o.Failed == "" })
	if i < 0 {
		return o, false, nil
	}
	if !s.list[i].Tried {
		err = s.change(func(l []Waiting) []Waiting { l[i].Tried = true; return l })
	}
	return s.list[i], err == nil, err
}

// done takes one out that is in the board's journal.
func (s *waits) done(o Waiting) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.change(func(l []Waiting) []Waiting { return slices.DeleteFunc(l, o.same) })
}

func (s *waits) edit(o Waiting, do func(*Waiting)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.change(func(l []Waiting) []Waiting {
		if i := slices.IndexFunc(l, o.same); i >= 0 {
			do(&l[i])
		}
		return l
	})
}

// wait keeps a decision for a board that cannot be reached.
func (h *Hub) wait(w *worker, request, body string) error {
	journal := w.shownJournal()
	if request == "" || journal == "" {
		return ErrNoBoard
	}
	if err := h.waits.keep(Waiting{Computer: w.computer, Board: w.board, Journal: journal, Request: request, Body: body}); err != nil {
		h.opt.Log.Error().Err(err).Msg("a decision for a board that cannot be reached is not kept")
		return fmt.Errorf("%w: %w", ErrNotKept, err)
	}
	h.opt.Waits(w.shown)
	return ErrWaits
}

// ErrNotKept says that the hall's own disk did not take a decision.
var ErrNotKept = errors.New("the hall's disk does not take it")

// Waiting are the decisions that wait for a board, the oldest first.
func (h *Hub) Waiting(board string) (list []Waiting) {
	w := h.worker(board)
	if w == nil {
		return nil
	}
	h.waits.mu.Lock()
	defer h.waits.mu.Unlock()
	for _, o := range h.waits.list {
		if o.of(w) {
			list = append(list, o)
		}
	}
	return list
}

// TakeBack takes back a decision that waits. Nil means that no board will hear of it.
func (h *Hub) TakeBack(board, request string) error {
	w := h.worker(board)
	if w == nil {
		return ErrNoWait
	}
	s := h.waits
	s.mu.Lock()
	i := slices.IndexFunc(s.list, func(o Waiting) bool { return o.of(w) && o.Request == request })
	var err error
	switch {
	case i < 0:
		err = ErrNoWait
	case s.list[i].Tried && s.list[i].Failed == "":
		err = ErrOnItsWay
	default:
		err = s.change(func(l []Waiting) []Waiting { return slices.Delete(l, i, i+1) })
	}
	s.mu.Unlock()
	if err == nil {
		h.opt.Waits(board)
	}
	return err
}

// handOver gives a board what waits for it, one after the other, unless that is under way. It is called with every beat.
func (h *Hub) handOver(w *worker) {
	h.waits.mu.Lock()
	busy := h.waits.busy[w] || !slices.ContainsFunc(h.waits.list, func(o Waiting) bool { return o.of(w) && o.Failed == "" })
	if !busy {
		h.waits.busy[w] = true
	}
	h.waits.mu.Unlock()
	if busy {
		return
	}
	h.work.Go(func() {
		defer func() {
			h.waits.mu.Lock()
			delete(h.waits.busy, w)
			h.waits.mu.Unlock()
		}()
		for h.ctx.Err() == nil && h.handOne(w) {
			h.opt.Waits(w.shown)
		}
	})
}

// handTime is how long a board may take for a decision that has waited.
const handTime = 15 * time.Second

// handOne hands the first one over. False: there is none, or the board cannot be reached.
func (h *Hub) handOne(w *worker) bool {
	o, ok, err := h.waits.next(w)
	if err != nil {
		h.opt.Log.Error().Err(err).Msg("the decisions that wait for boards")
	}
	if !ok {
		return false
	}
	ctx, cancel := context.WithTimeout(h.ctx, handTime)
	defer cancel()
	err = h.askToDecide(ctx, w, wire.Question{Do: wire.DoDecide, Board: o.Board, Journal: o.Journal, Body: o.Body, Request: o.Request})
	log := h.opt.Log.With().Str("board", w.shown).Str("request", o.Request).Logger()
	var refused *RefusedError
	switch {
	case err == nil:
		log.Info().Msg("a decision that has waited is in the board's journal")
		err = h.waits.done(o)
	case errors.As(err, &refused):
		log.Error().Err(err).Msg("the board does not take a decision that has waited: it is shown until somebody takes it back")
		err = h.waits.edit(o, func(x *Waiting) { x.Failed = refused.Error() })
	case errors.Is(err, ErrNoBoard), errors.Is(err, ErrLost):
		if e := h.waits.edit(o, func(x *Waiting) { x.Tried = false }); e != nil {
			log.Error().Err(e).Msg("the decisions that wait for boards")
		}
		return false
	default:
		return false // its outcome is not known: the board is asked again with the next beat, and knows the request
	}
	if err != nil {
		log.Error().Err(err).Msg("the decisions that wait for boards")
	}
	return err == nil
}
