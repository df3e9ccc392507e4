package hub

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
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
	Journal  string `json:"journal"` // the journal that the decision is about
	Request  string `json:"request"`
	Body     string `json:"body"`
	Tried    bool   `json:"tried,omitempty"`  // the board was asked, has not answered, and may have it
	Failed   string `json:"failed,omitempty"` // why the board will never take it; "": it waits
}

// Results of Decide and TakeBack.
var (
	ErrWaits    = errors.New("kept until the board can be reached")
	ErrNoWait   = errors.New("no such decision waits")
	ErrOnItsWay = errors.New("the board was asked already and may have it")
	ErrTaken    = errors.New("the decision was taken back")
)

// maxWaits is how many decisions may wait.
const maxWaits = 2000

// waits are the waiting decisions, in the order in which they were made, and their file. A decision that was answered
// with ErrWaits is on the disk.
type waits struct {
	path string

	mu        sync.Mutex // held while the file is written
	list      []Waiting
	busy      map[*worker]bool // a goroutine is handing over the decisions of the board
	unsettled []requestMark    // requests that were sent to a board and whose outcome is not known
	takenBack []requestMark    // decisions that were taken back: a phone that repeats its request does not bring them back
}

// waitsFile is the content of the file.
type waitsFile struct {
	Waiting []Waiting     `json:"waiting"`
	Asked   []requestMark `json:"asked,omitempty"`
	Back    []requestMark `json:"back,omitempty"`
}

// A requestMark remembers a request to a board for a day.
type requestMark struct {
	Computer string    `json:"computer"`
	Board    string    `json:"board"`
	Request  string    `json:"request"`
	At       time.Time `json:"at"`
}

// markLife is how long a request is remembered. A phone repeats its request within minutes.
const markLife = 24 * time.Hour

func find(l []requestMark, w *worker, request string) int {
	return slices.IndexFunc(l, func(m requestMark) bool {
		return m.Request == request && m.Computer == w.computer && m.Board == w.board
	})
}

// add adds a request to a list, and removes the old ones.
func add(l []requestMark, w *worker, request string) []requestMark {
	now := time.Now()
	l = slices.DeleteFunc(l, func(m requestMark) bool { return now.Sub(m.At) > markLife })
	if find(l, w, request) < 0 {
		l = append(l, requestMark{w.computer, w.board, request, now})
	}
	return l[max(0, len(l)-maxWaits):]
}

// drop removes a request from a list. The file may have it for a while longer.
func drop(l []requestMark, w *worker, request string) []requestMark {
	if i := find(l, w, request); i >= 0 {
		return slices.Delete(l, i, i+1)
	}
	return l
}

func openWaits(path string) (*waits, error) {
	s := &waits{path: path, busy: map[*worker]bool{}}
	var k waitsFile
	err := readJSON(path, &k)
	s.list, s.unsettled, s.takenBack = k.Waiting, k.Asked, k.Back
	return s, err
}

// change writes a changed list to the disk and puts it into force if that succeeds.
func (s *waits) change(do func([]Waiting) []Waiting) error {
	next := do(slices.Clone(s.list))
	err := s.write(next, s.takenBack)
	if err == nil {
		s.list = next
	}
	return err
}

func (s *waits) write(list []Waiting, back []requestMark) error {
	b, err := json.MarshalIndent(waitsFile{list, s.unsettled, back}, "", " ")
	if err != nil {
		return err
	}
	return secretfile.Replace(s.path, append(b, '\n'))
}

func (w *Waiting) same(o Waiting) bool {
	return o.Request == w.Request && o.Computer == w.Computer && o.Board == w.Board
}

func (w *Waiting) of(at *worker) bool { return w.Computer == at.computer && w.Board == at.board }

// waiting reports whether a decision waits for a board.
func (s *waits) waiting(w *worker) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.ContainsFunc(s.list, func(o Waiting) bool { return o.of(w) && o.Failed == "" })
}

// over returns why no board will get a request any more: ErrTaken, or ErrNever with the reason. The caller holds the
// lock.
func (s *waits) over(w *worker, request string) error {
	if find(s.takenBack, w, request) >= 0 {
		return ErrTaken
	}
	for _, o := range s.list {
		if o.of(w) && o.Request == request && o.Failed != "" {
			return &RefusedError{o.Failed, true}
		}
	}
	return nil
}

// keep puts a decision on the list, once.
func (s *waits) keep(w *worker, o Waiting) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.over(w, o.Request); err != nil {
		return err
	}
	if slices.ContainsFunc(s.list, o.same) {
		return nil
	}
	if len(s.list) >= maxWaits {
		return fmt.Errorf("%d decisions wait already", maxWaits)
	}
	o.Tried = find(s.unsettled, w, o.Request) >= 0
	return s.change(func(l []Waiting) []Waiting { return append(l, o) })
}

// asking notes on the disk that a request is about to be sent to a board, and reports whether it was sent earlier. If
// the disk does not take the note, it lasts until the program ends.
func (s *waits) asking(w *worker, request string) (earlier bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.over(w, request); err != nil {
		return false, err
	}
	if request == "" || find(s.unsettled, w, request) >= 0 {
		return true, nil
	}
	s.unsettled = add(s.unsettled, w, request)
	return false, s.write(s.list, s.takenBack)
}

// settled notes that the outcome of a request is known.
func (s *waits) settled(w *worker, request string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.unsettled = drop(s.unsettled, w, request)
}

// next is the first decision that waits for a board, in its state before next marks it as tried.
func (s *waits) next(w *worker) (o Waiting, ok bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.list, func(o Waiting) bool { return o.of(w) && o.Failed == "" })
	if i < 0 {
		return o, false, nil
	}
	if o = s.list[i]; !o.Tried {
		err = s.change(func(l []Waiting) []Waiting { l[i].Tried = true; return l })
	}
	return o, err == nil, err
}

// done removes a decision that is in the board's journal.
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
	if err := h.waits.keep(w, Waiting{Computer: w.computer, Board: w.board, Journal: journal, Request: request, Body: body}); errors.Is(err, ErrTaken) || errors.Is(err, ErrNever) {
		return err
	} else if err != nil {
		h.opt.Log.Error().Err(err).Msg("a decision for a board that cannot be reached is not kept")
		return fmt.Errorf("%w: %w", ErrNotKept, err)
	}
	h.opt.Waits(w.shownAs)
	return ErrWaits
}

// ErrNotKept means that the hall's own disk did not take a decision.
var ErrNotKept = errors.New("the hall's disk does not take it")

// Waiting are the decisions that wait for a board, the oldest first.
func (h *Hub) Waiting(board string) (list []Waiting) {
	w := h.addressed(board)
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

// notifyWaits reports the boards for which decisions wait since an earlier run of the hall.
func (h *Hub) notifyWaits() {
	h.mu.Lock()
	boards := slices.Sorted(maps.Keys(h.byShownName))
	h.mu.Unlock()
	for _, board := range boards {
		if len(h.Waiting(board)) > 0 {
			h.opt.Waits(board)
		}
	}
}

// addressed is the worker of a board. For a board of an earlier run, for which no worker runs, it is one that only has
// the names.
func (h *Hub) addressed(shown string) *worker {
	h.mu.Lock()
	defer h.mu.Unlock()
	if w := h.byShownName[shown]; w != nil {
		return w
	}
	for _, o := range h.names.list {
		if o.Shown == shown {
			return &worker{computer: o.Computer, board: o.Board, shownAs: shown}
		}
	}
	return nil
}

// ComputerOf is the computer of a board, even if that computer is not in the hall any more; "": there is no such board.
func (h *Hub) ComputerOf(board string) string {
	if w := h.addressed(board); w != nil {
		return w.computer
	}
	return ""
}

// A Stranded decision waits for a board whose computer is not in the hall any more: it was revoked, or has joined under
// another name. No board gets the decision, unless a computer of that name joins.
type Stranded struct {
	Waiting
	ShownAs string // the name of the board in the hall
}

// Stranded are the decisions that wait for a computer outside the hall, the oldest first.
func (h *Hub) Stranded() (list []Stranded) {
	h.waits.mu.Lock()
	all := slices.Clone(h.waits.list)
	h.waits.mu.Unlock()
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, o := range all {
		if !h.member(o.Computer) {
			list = append(list, Stranded{o, h.names.of(o.Computer, o.Board)})
		}
	}
	return list
}

// TakeBack takes back a decision that waits. Nil means that no board will receive it, unless it was already sent to a
// computer that is not in the hall any more.
func (h *Hub) TakeBack(board, request string) error {
	w := h.addressed(board)
	if w == nil {
		return ErrNoWait
	}
	h.mu.Lock()
	stranded := !h.member(w.computer)
	h.mu.Unlock()
	s := h.waits
	s.mu.Lock()
	i := slices.IndexFunc(s.list, func(o Waiting) bool { return o.of(w) && o.Request == request })
	var err error
	switch {
	case i < 0:
		err = ErrNoWait
	case s.list[i].Tried && s.list[i].Failed == "" && !stranded:
		err = ErrOnItsWay
	default:
		list, back := slices.Delete(slices.Clone(s.list), i, i+1), add(slices.Clone(s.takenBack), w, request)
		if err = s.write(list, back); err == nil {
			s.list, s.takenBack = list, back
		}
	}
	s.mu.Unlock()
	if err == nil {
		h.opt.Waits(board)
	}
	return err
}

// handOver sends a board its waiting decisions, one after the other, unless that is under way. It is called with every
// beat.
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
	h.background(func() {
		defer func() {
			h.waits.mu.Lock()
			delete(h.waits.busy, w)
			h.waits.mu.Unlock()
		}()
		for h.ctx.Err() == nil && h.handOne(w) {
			h.opt.Waits(w.shownAs)
		}
	})
}

// handTime is how long a board may take for a decision that has waited.
const handTime = 15 * time.Second

// handOne hands the first waiting decision over. It returns false if there is none, or if the board cannot be reached.
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
	err = h.deliver(ctx, w, wire.Question{Do: wire.DoDecide, Board: o.Board, Journal: o.Journal, Body: o.Body, Request: o.Request})
	log := h.opt.Log.With().Str("board", w.shownAs).Str("request", o.Request).Logger()
	var refused *RefusedError
	switch {
	case err == nil:
		log.Info().Msg("a decision that has waited is in the board's journal")
		err = h.waits.done(o)
	case errors.As(err, &refused):
		log.Error().Err(err).Msg("the board does not take a decision that has waited: it is shown until somebody takes it back")
		err = h.waits.edit(o, func(x *Waiting) { x.Failed = refused.Why })
	case errors.Is(err, ErrNoBoard), errors.Is(err, ErrLost):
		tried := o.Tried && !notInJournal(err) // only the board's journal shows the outcome of an earlier attempt
		if e := h.waits.edit(o, func(x *Waiting) { x.Tried = tried }); e != nil {
			log.Error().Err(e).Msg("the decisions that wait for boards")
		}
		return false
	default:
		return false // the outcome is not known: the board is asked again with the next beat, and recognises the request
	}
	if err != nil {
		log.Error().Err(err).Msg("the decisions that wait for boards")
	}
	return err == nil
}
