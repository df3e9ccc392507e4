package hub

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"boardwatchd/internal/hall/members"
	"boardwatchd/internal/hall/roster"
	"boardwatchd/internal/hall/wire"
	"boardwatchd/internal/journal"
)

// computer is a computer that has joined and was heard. The hub's lock guards its fields.
type computer struct {
	h             *Hub
	name          string
	key           string
	beat          time.Time // zero: away
	version       string
	core          string
	workers       map[string]*worker // by the board's name there
	names         map[string]string
	compare       time.Time // when its journals were last compared
	round         string    // the mark of the round that the computer has
	giveRoundAt   time.Time // the round is not sent before
	noRound       roster.NoRound
	refusalLogged bool // a board of this computer was refused, and the log says so

	// The fields below are for the operator's list.
	seen    time.Time // when it was last heard, even if it is away now
	self    wire.Self
	runs    roster.Runs
	offset  roster.Offset
	boards  []wire.BoardBeat // of the last beat
	watches []string         // likewise: the boards that the computer is to watch; nil: it does not say
	last    map[string]lastBeat
	// refusedBoards are the boards of the last beat that the hall cannot show, maxBoards at most.
	refusedBoards []string
	// tooLarge is the journal of the last file that the hall refused since the computer's program was started; "":
	// none.
	tooLarge string
}

// computer returns the computer of a name if it is in the hall. The caller holds the lock.
func (h *Hub) computer(name string) *computer {
	in, ok := h.inRoll[name]
	if !ok {
		return nil
	}
	if c := h.computers[name]; c != nil { // it may have been revoked, or have joined anew: its boards are still shown
		c.key = in.Key
		return c
	}
	c := &computer{h: h, name: name, key: in.Key, workers: map[string]*worker{}, names: map[string]string{}, last: map[string]lastBeat{}}
	h.computers[name] = c
	return c
}

// These bounds are more than any computer needs, so that a broken one does not use up the hall.
const (
	maxBoards      = 64   // at a time, for the operator's list
	maxPlayerNames = 1000 // of players
)

// worker returns the worker of a board, and starts one for a new board. It returns nil if the computer cannot have the
// board. The caller holds the lock.
func (c *computer) worker(board string) *worker {
	w := c.workers[board]
	if w == nil {
		if why := c.h.names.refuses(c.name, board, c.h.shows); why != "" {
			if !c.refusalLogged {
				c.refusalLogged = true
				c.h.opt.Log.Error().Str("computer", c.name).Str("board", board).Msg("a board is not shown: " + why)
			}
			return nil
		}
		w = newWorker(c, board)
		c.workers[board] = w
		c.h.byShownName[w.shownAs] = w
		c.h.background(func() { w.run(c.h.ctx) })
	}
	return w
}

// refuse notes, for the operator's list, a board that is not shown. A text that cannot be the name of a board is left
// out. The caller holds the lock.
func (c *computer) refuse(board string) {
	if isName(board) && len(c.refusedBoards) < maxBoards {
		c.refusedBoards = append(c.refusedBoards, board)
	}
}

// shows reports whether a board is shown. The caller holds the lock.
func (h *Hub) shows(shown string) bool { return h.byShownName[shown] != nil }

// Bounds of the bytes of chunks that wait for all workers together, and for one worker.
const (
	maxWaiting        = 12 << 20
	maxWaitingOfBoard = 1 << 20
	pulled            = 4 << 20 // bytes that may come from the stream at once
	patience          = 200 * time.Millisecond
)

// put brings a computer's chunk into the stream. The chunk's reply subject must be the computer's own inbox: no
// permission limits where JetStream sends its answer, so a computer that chose another subject could make the server
// send anything there.
func (h *Hub) put(m *nats.Msg) {
	if !wire.RepliesToOwnInbox(m.Reply, wire.Sender(m.Subject)) {
		return
	}
	if h.full.Load() {
		return // the computer gets no answer and sends it again
	}
	if h.putDirectly(m) {
		return
	}
	in := nats.NewMsg(wire.RecordsOf(m.Subject))
	in.Reply, in.Data = m.Reply, m.Data
	// Other headers that JetStream acts on are dropped. Older programs ask it to compare the sequence of a subject's
	// last message, for which it reads a block of 8 MiB.
	for k, v := range m.Header {
		if strings.HasPrefix(k, "Bw-") || k == nats.ExpectedStreamHdr {
			in.Header[k] = v
		}
	}
	_ = h.nc.PublishMsg(in) // otherwise the computer asks for its last chunk
}

// last queues a computer's question for its last chunk of a board until the board's turn. See put for the reply
// subject.
func (h *Hub) last(m *nats.Msg) {
	if wire.RepliesToOwnInbox(m.Reply, wire.Sender(m.Subject)) {
		h.bringing.ask(m, time.Now())
	}
}

// answerLast has the worker of the board answer from the mirror. For a board without a worker the stream is asked.
func (h *Hub) answerLast(m *nats.Msg) {
	h.mu.Lock()
	var w *worker
	if c := h.computers[wire.Sender(m.Subject)]; c != nil {
		w = c.workers[wire.BoardOf(m.Subject)]
	}
	h.mu.Unlock()
	if w == nil {
		h.askStream(m)
	} else if w.asksLast.Swap(m) == nil && !w.put(task{answerLast: true}) {
		w.asksLast.Store(nil) // the computer asks again
	}
}

// askStream has JetStream answer. For that the server reads a block of 8 MiB and keeps it for 10 seconds.
func (h *Hub) askStream(m *nats.Msg) {
	_ = h.nc.PublishRequest(wire.LastOf(wire.RecordsOf(m.Subject)), m.Reply, nil) // else the computer asks again
}

// chunk takes a chunk out of the stream. While the queues of the workers are full it waits, but not for long: the
// stream keeps the next chunks. A board with a busy worker does not delay the others: chunks beyond its bound are
// dropped.
func (h *Hub) chunk(m jetstream.Msg) {
	h.given.Add(1)
	if m.Subject() == wire.Probe {
		select {
		case h.probed <- struct{}{}:
		default:
		}
		return
	}
	c, err := wire.ReadChunk(m.Headers(), m.Data())
	name := wire.Sender(m.Subject())
	if err != nil || m.Subject() != wire.Records(name, c.Board) {
		h.opt.Log.Warn().Err(err).Str("computer", name).Msg("a chunk that cannot be read is dropped")
		return
	}
	for until := time.Now().Add(patience); h.waiting.Load() > maxWaiting && time.Now().Before(until); {
		time.Sleep(time.Millisecond)
	}
	h.handChunk(&c, name, m.Headers(), func() {})
}

// handChunk gives a chunk of a computer to the worker of its board. The worker calls taken when the mirror has the
// chunk.
func (h *Hub) handChunk(c *wire.Chunk, name string, sealed nats.Header, taken func()) {
	h.mu.Lock()
	from := h.computer(name)
	if from == nil {
		h.mu.Unlock()
		return // the computer was revoked
	}
	key, w := from.key, from.worker(c.Board)
	h.mu.Unlock()
	if w == nil {
		return
	}
	size := int64(len(c.Data))
	check := func() error { return wire.CheckSeal(wire.Records(name, c.Board), sealed, c.Data, key) }
	if h.waiting.Add(size) > maxWaiting+pulled || w.waiting.Load() > maxWaitingOfBoard || !w.put(task{chunk: c, check: check, taken: taken}) {
		h.waiting.Add(-size) // dropped: the next chunk shows the hole
	}
}

// beat takes in a computer's report about itself and its boards.
func (h *Hub) beat(m *nats.Msg) {
	name := wire.Sender(m.Subject)
	h.mu.Lock()
	c, key := h.computer(name), ""
	if c != nil {
		key = c.key
	}
	h.mu.Unlock()
	var b wire.BeatBody
	if c == nil || wire.CheckSeal(m.Subject, m.Header, m.Data, key) != nil || json.Unmarshal(m.Data, &b) != nil {
		return
	}
	if b.Over {
		h.ends(c, name, key, b.Left)
		return
	}
	if b.Between {
		h.mu.Lock()
		for _, one := range b.Boards {
			if w := c.workers[one.Board]; w != nil {
				w.put(task{countedOf: one.Journal, counted: one.Counted})
			}
		}
		h.mu.Unlock()
		return
	}
	h.mu.Lock()
	now := time.Now()
	appeared := c.beat.IsZero()
	c.beat, c.version, c.core, c.round = now, b.Version, b.Core, b.Round
	h.heard(c, &b, now)
	compare := appeared || now.Sub(c.compare) > compareEvery
	if compare {
		c.compare = now
	}
	learnt := c.learn(b.Names)
	h.mu.Unlock()
	anew := len(learnt) > 0 && h.opt.Names(learnt) // before anything is read with the names
	h.mu.Lock()
	if c.beat.IsZero() { // it has left in between
		h.mu.Unlock()
		return
	}
	var tasks []func()
	c.refusedBoards = nil
	for _, one := range b.Boards {
		w := c.worker(one.Board)
		if w == nil {
			c.refuse(one.Board)
			continue
		}
		w.notWatched.Store(false)
		head, _ := journal.ParseHead(one.Head)
		head.Journal = one.Journal
		w.note(head, one.Trouble != "")
		epoch := w.epoch.Load()
		tasks = append(tasks, func() { h.handOver(w) })
		tasks = append(tasks, func() {
			w.put(task{here: one.Journal, trouble: one.Trouble, counted: one.Counted, newNames: anew, behind: w.behind(head), silent: one.Silent, head: int64(head.Seq), epoch: epoch})
		})
	}
	for board, w := range c.workers {
		if !slices.ContainsFunc(b.Boards, func(o wire.BoardBeat) bool { return o.Board == board }) && !c.isOtherPrograms(board, now) && !c.opensAgain(board, now) {
			w.notWatched.Store(true)
			w.epoch.Add(1)
			tasks = append(tasks, w.left)
		}
	}
	h.mu.Unlock()
	for _, do := range tasks {
		do()
	}
	c.giveRound(b.Round)
	if appeared {
		h.opt.Log.Info().Str("computer", name).Str("version", b.Version).Str("core", b.Core).Int("boards", len(b.Boards)).Msg("the computer is there")
		h.opt.Changed()
	}
	if appeared && len(h.opt.Standby) > 0 {
		h.background(func() { c.standBy(h.ctx) })
	}
	if compare {
		h.background(func() { c.compareJournals(h.ctx) })
	}
}

// ends handles the last message of a computer's program: it has ended in order, or (left) it has left the hall.
func (h *Hub) ends(c *computer, name, key string, left bool) {
	h.mu.Lock()
	two := c.runs.TwoAtOnce(time.Now())
	h.mu.Unlock()
	c.markAway()
	switch {
	case left && two: // two programs use the same key, and the other one may be the right one
		h.opt.Log.Warn().Str("computer", name).Msg("a computer has left the hall while another one speaks with the same key: it stays in the list of computers")
	case left:
		h.background(func() { h.letGo(name, key) })
	}
}

// letGo removes a computer that has left from the list of computers.
func (h *Hub) letGo(name, key string) {
	err := h.list.Change(func(r *members.Roll) error {
		if in, _ := r.Computer(name); in.Key != key { // another computer has that name by now
			return nil
		}
		return r.Leave(name)
	})
	if err != nil {
		h.opt.Log.Error().Err(err).Str("computer", name).Msg("a computer has left the hall, and the list of computers does not say so: boardwatchd hall revoke")
		return
	}
	h.opt.Log.Info().Str("computer", name).Msg("a computer has left the hall")
}

// learn takes in the names that ids of players stand for, and returns the new ones. The caller holds the lock.
func (c *computer) learn(list map[string]string) map[string]string {
	learnt := map[string]string{}
	for id, text := range list {
		if old, ok := c.names[id]; old != text && (ok || len(c.names) < maxPlayerNames) {
			c.names[id], learnt[id] = text, text
		}
	}
	return learnt
}

// missing marks computers as away that have not been heard for too long.
func (h *Hub) missing(now time.Time) {
	var gone []*computer
	all := map[*worker]bool{} // the value: its computer says that it is watched
	h.mu.Lock()
	for _, c := range h.computers {
		for _, w := range c.workers {
			all[w] = !c.beat.IsZero() && !w.notWatched.Load()
		}
		if !c.beat.IsZero() && now.Sub(c.beat) > awayAfter {
			gone = append(gone, c)
		}
	}
	h.mu.Unlock()
	for _, c := range gone {
		c.markAway()
	}
	for w, here := range all {
		w.unconfirmed(now)
		w.checkStall(here, now)
	}
}

// markAway notes that a computer cannot be reached.
func (c *computer) markAway() {
	c.h.mu.Lock()
	was := !c.beat.IsZero()
	c.beat = time.Time{}
	var workers []*worker
	for _, w := range c.workers {
		if !c.h.member(c.name) {
			w.notWatched.Store(true)
		}
		w.epoch.Add(1)
		workers = append(workers, w)
	}
	c.h.mu.Unlock()
	for _, w := range workers {
		w.left()
	}
	if was {
		c.h.opt.Log.Warn().Str("computer", c.name).Msg("the computer cannot be reached; its boards are watched there all the same, and what they say comes later")
		c.h.opt.Changed()
	}
}

// standByTries is how often standBy sends its message, ten seconds apart at most.
const standByTries = 6

// standBy sends a computer the instructions for alerts while the hall is away.
func (c *computer) standBy(ctx context.Context) {
	var err error
	for range standByTries { // an answer is lost while another computer joins: the server then reads its list anew
		one, cancel := context.WithTimeout(ctx, fetchTime)
		_, _, err = c.h.ask(one, c.name, wire.Question{Do: wire.DoStandby, Body: string(c.h.opt.Standby)})
		cancel()
		if err == nil || ctx.Err() != nil {
			return
		}
	}
	if err != nil {
		c.h.opt.Log.Warn().Err(err).Str("computer", c.name).Msg("the computer does not know how to alert while the hall is away; it is told when it appears again")
	}
}

// compareEvery is how often the journals of a computer are compared as a whole.
const compareEvery = 24 * time.Hour

// compareSoon has the journals of a computer compared with its next beat.
func (h *Hub) compareSoon(computer string) {
	h.mu.Lock()
	if c := h.computers[computer]; c != nil {
		c.compare = time.Time{}
	}
	h.mu.Unlock()
}

// compareRest is the pause after a comparison that failed.
const compareRest = 30 * time.Second

// compareAgain has the journals of a computer compared again after compareRest. Segments that were compared lately are
// not read again.
func (h *Hub) compareAgain(computer string) {
	h.mu.Lock()
	if c := h.computers[computer]; c != nil {
		if at := time.Now().Add(compareRest - compareEvery); c.compare.After(at) {
			c.compare = at // a comparison that is due sooner stays so
		}
	}
	h.mu.Unlock()
}

// compareJournals asks for all journals of a computer and has the workers compare them.
func (c *computer) compareJournals(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	a, _, err := c.h.ask(ctx, c.name, wire.Question{Do: wire.DoList})
	if err != nil {
		c.h.opt.Log.Debug().Err(err).Str("computer", c.name).Msg("its journals are compared later")
		c.h.mu.Lock()
		c.compare = time.Time{}
		c.h.mu.Unlock()
		return
	}
	wanted := c.h.wanted(c.name, a.Journals)
	c.h.mu.Lock()
	defer c.h.mu.Unlock()
	for _, j := range wanted {
		if j.Board != "" && journal.CheckName(j.Name) == nil {
			if w := c.worker(j.Board); w != nil {
				w.compareLater(j)
			}
		}
	}
}

// Errors of requests to a board or its computer.
var (
	ErrNoBoard  = errors.New("that board cannot be reached")
	ErrNotSaved = errors.New("in force, but not on the board's disk yet")
	ErrLost     = errors.New("the board's journal had to drop it")
	errNotThere = errors.New("its journal does not have it")
	errNoBytes  = errors.New("the computer cannot read the file")
)

// ask sends a question to a computer and returns its answer.
func (h *Hub) ask(ctx context.Context, computer string, q wire.Question) (a wire.Answer, data []byte, err error) {
	q.ID = nats.NewInbox()
	h.mu.Lock()
	in := h.inRoll[computer]
	h.mu.Unlock()
	m, err := wire.Sealed(wire.Ask(computer), q, h.key)
	if err != nil {
		return a, nil, err
	}
	back, err := h.nc.RequestMsgWithContext(ctx, m)
	switch {
	case errors.Is(err, nats.ErrNoResponders):
		return a, nil, fmt.Errorf("%w: computer %s is not connected", ErrNoBoard, computer)
	case err != nil:
		return a, nil, fmt.Errorf("ask computer %s: %w", computer, err)
	}
	if err := wire.CheckSeal(q.ID, back.Header, back.Data, in.Key); err != nil {
		return a, nil, fmt.Errorf("the answer of computer %s: %w", computer, err)
	}
	if err := json.Unmarshal([]byte(back.Header.Get(wire.HAnswer)), &a); err != nil {
		return a, nil, fmt.Errorf("computer %s answers in a way that is not known: %w", computer, err)
	}
	return a, back.Data, errorOf(a)
}

// A RefusedError is a board's refusal of a decision or an instruction.
type RefusedError struct {
	Why   string
	final bool // the board writes another journal, or has refused for good what has waited
}

func (e *RefusedError) Error() string { return "the board does not take it: " + e.Why }

// An unwrittenError is the reason why the disk of a computer does not take one of its own files.
type unwrittenError struct{ why string }

func (e *unwrittenError) Error() string { return e.why }

// ErrNever matches a RefusedError that is final: no journal of the board has the request, and none ever will.
var ErrNever = errors.New("the board will never take it")

// Is reports whether the refusal is final.
func (e *RefusedError) Is(target error) bool { return target == ErrNever && e.final }

func errorOf(a wire.Answer) error {
	switch a.Error {
	case "":
		return nil
	case wire.ENoBoard:
		return fmt.Errorf("%w: %w: %s", ErrNoBoard, errNotThere, a.Text)
	case wire.EReading:
		return fmt.Errorf("%w: %s", ErrNoBoard, a.Text)
	case wire.ENone:
		return fmt.Errorf("%w: %s", errNoBytes, a.Text)
	case wire.ENotSaved:
		return fmt.Errorf("%w: %s", ErrNotSaved, a.Text)
	case wire.ELost:
		return fmt.Errorf("%w: %s", ErrLost, a.Text)
	case wire.EDisk:
		return &unwrittenError{a.Text}
	case wire.EOther, wire.ERefused:
		return &RefusedError{cmp.Or(a.Text, a.Error), a.Error == wire.EOther}
	}
	return fmt.Errorf("%s: %s", a.Error, a.Text)
}
