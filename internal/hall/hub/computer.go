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

// computer is one that has joined and was heard. Its fields are guarded by the hub's lock.
type computer struct {
	h       *Hub
	name    string
	key     string
	beat    time.Time // zero: away
	version string
	core    string
	workers map[string]*worker // by the board's name there
	names   map[string]string
	compare time.Time // when its journals were last compared
	round   string    // the mark of the round that it has taken
	give    time.Time // the round is given not before
	noRound roster.NoRound
	refused bool // a board of this computer was refused, and the log says so

	// What the operator's list says of it.
	seen   time.Time // when it was last heard, also of one that is away
	self   wire.Self
	runs   roster.Runs
	offset roster.Offset
	boards []wire.BoardBeat // of the last beat
	has    []string         // likewise: the boards that are to be watched there; nil: it does not say
	last   map[string]lastBeat
	// refusedBoards are the boards of the last beat that the computer cannot have any more, maxBoards at most.
	refusedBoards []string
	// tooLarge is the journal of which a file was refused last, since its program was started; "": none.
	tooLarge string
}

// computer returns the one of a name, if it is in the hall. The caller holds the lock.
func (h *Hub) computer(name string) *computer {
	in, ok := h.inRoll[name]
	if !ok {
		return nil
	}
	if c := h.computers[name]; c != nil { // also one that was revoked, or joined anew: its boards are still shown
		c.key = in.Key
		return c
	}
	c := &computer{h: h, name: name, key: in.Key, workers: map[string]*worker{}, names: map[string]string{}, last: map[string]lastBeat{}}
	h.computers[name] = c
	return c
}

// What one computer may have: more than any has, so that a broken one does not take the hall with it.
const (
	maxBoards      = 64   // at a time, for the operator's list
	maxPlayerNames = 1000 // of players
)

// worker returns that of a board, and makes it where it is a new one. Nil: the computer cannot have it. The caller
// holds the lock.
func (c *computer) worker(board string) *worker {
	w := c.workers[board]
	if w == nil {
		if why := c.h.names.refuses(c.name, board, c.h.shows); why != "" {
			if !c.refused {
				c.refused = true
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

// refuse notes a board that is not shown for the operator's list, which names none that could not have its name. The
// caller holds the lock.
func (c *computer) refuse(board string) {
	if isName(board) && len(c.refusedBoards) < maxBoards {
		c.refusedBoards = append(c.refusedBoards, board)
	}
}

// shows reports whether a board is shown. The caller holds the lock.
func (h *Hub) shows(shown string) bool { return h.byShownName[shown] != nil }

// Bounds of the bytes of chunks that wait for all workers together, and for one.
const (
	maxWaiting  = 12 << 20
	maxOfWorker = 1 << 20
	pulled      = 4 << 20 // that come from the stream at once
	patience    = 200 * time.Millisecond
)

// put brings a computer's chunk into the stream. JetStream answers into the computer's own inbox, and into nothing
// else: what it sends, no permission bounds, and a computer that chose where it answers could have it ask JetStream
// whatever its chunk says.
func (h *Hub) put(m *nats.Msg) {
	if !wire.Answerable(m.Reply, wire.Sender(m.Subject)) {
		return
	}
	if h.full.Load() {
		return // without an answer the computer sends it again
	}
	if h.putDirectly(m) {
		return
	}
	in := nats.NewMsg(wire.RecordsOf(m.Subject))
	in.Reply, in.Data = m.Reply, m.Data
	// None by which the server is asked for more: to compare the sequence of a subject's last message, which older
	// programs ask for, it reads a block of 8 MiB.
	for k, v := range m.Header {
		if strings.HasPrefix(k, "Bw-") || k == nats.ExpectedStreamHdr {
			in.Header[k] = v
		}
	}
	_ = h.nc.PublishMsg(in) // else the computer asks for its last chunk
}

// last asks for a computer's last chunk of a board, as put, when it is the board's turn.
func (h *Hub) last(m *nats.Msg) {
	if wire.Answerable(m.Reply, wire.Sender(m.Subject)) {
		h.bringing.ask(m, time.Now())
	}
}

// answerLast has the worker of the board answer, who knows the mirror. Of a board without one the stream is asked.
func (h *Hub) answerLast(m *nats.Msg) {
	h.mu.Lock()
	var w *worker
	if c := h.computers[wire.Sender(m.Subject)]; c != nil {
		w = c.workers[wire.BoardOf(m.Subject)]
	}
	h.mu.Unlock()
	if w == nil {
		h.askStream(m)
	} else if w.asksLast.Swap(m) == nil && !w.put(task{last: true}) {
		w.asksLast.Store(nil) // the computer asks again
	}
}

// askStream has JetStream answer. It reads a block of 8 MiB for that, and keeps it for 10 seconds.
func (h *Hub) askStream(m *nats.Msg) {
	_ = h.nc.PublishRequest(wire.LastOf(wire.RecordsOf(m.Subject)), m.Reply, nil) // else the computer asks again
}

// chunk takes a chunk out of the stream. Where much waits for the workers it waits as well, but not long: the stream
// keeps what comes. A board whose worker is at something else delays no other: what is too much for it is dropped.
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

// handChunk hands a chunk of a computer to the worker of its board, which calls taken when the mirror has it.
func (h *Hub) handChunk(c *wire.Chunk, name string, sealed nats.Header, taken func()) {
	h.mu.Lock()
	from := h.computer(name)
	if from == nil {
		h.mu.Unlock()
		return // was revoked
	}
	key, w := from.key, from.worker(c.Board)
	h.mu.Unlock()
	if w == nil {
		return
	}
	size := int64(len(c.Data))
	check := func() error { return wire.CheckSeal(wire.Records(name, c.Board), sealed, c.Data, key) }
	if h.waiting.Add(size) > maxWaiting+pulled || w.waiting.Load() > maxOfWorker || !w.put(task{chunk: c, check: check, taken: taken}) {
		h.waiting.Add(-size) // dropped: the next one shows the hole
	}
}

// beat takes what a computer says of itself.
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
				w.put(task{between: one.Journal, counted: one.Counted})
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
	anew := len(learnt) > 0 && h.opt.Names(learnt) // before anything is read with them
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
		w.dropped.Store(false)
		head, _ := journal.ParseHead(one.Head)
		head.Journal = one.Journal
		w.note(head, one.Trouble != "")
		epoch := w.epoch.Load()
		tasks = append(tasks, func() { h.handOver(w) })
		tasks = append(tasks, func() {
			w.put(task{here: one.Journal, trouble: one.Trouble, counted: one.Counted, names: anew, behind: w.behind(head), silent: one.Silent, head: int64(head.Seq), epoch: epoch})
		})
	}
	for board, w := range c.workers {
		if !slices.ContainsFunc(b.Boards, func(o wire.BoardBeat) bool { return o.Board == board }) && !c.isOtherPrograms(board, now) {
			w.dropped.Store(true)
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

// ends takes that a computer's program has ended in order, or that the computer is not one of the hall any more.
func (h *Hub) ends(c *computer, name, key string, left bool) {
	h.mu.Lock()
	two := c.runs.Two(time.Now())
	h.mu.Unlock()
	c.markAway()
	switch {
	case left && two: // one of two with the same key, and the other one may be the right one
		h.opt.Log.Warn().Str("computer", name).Msg("a computer has left the hall while another one speaks with the same key: it stays in the list of computers")
	case left:
		h.background(func() { h.letGo(name, key) })
	}
}

// letGo takes a computer out of the hall that has left it.
func (h *Hub) letGo(name, key string) {
	err := h.list.Change(func(r *members.Roll) error {
		if in, _ := r.Computer(name); in.Key != key { // another one has its name by now
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

// learn takes what ids of players stand for, and returns what is new. The caller holds the lock.
func (c *computer) learn(list map[string]string) map[string]string {
	learnt := map[string]string{}
	for id, text := range list {
		if old, ok := c.names[id]; old != text && (ok || len(c.names) < maxPlayerNames) {
			c.names[id], learnt[id] = text, text
		}
	}
	return learnt
}

// missing notices computers of which nothing is heard.
func (h *Hub) missing(now time.Time) {
	var gone []*computer
	all := map[*worker]bool{} // the board is watched, as its computer says
	h.mu.Lock()
	for _, c := range h.computers {
		for _, w := range c.workers {
			all[w] = !c.beat.IsZero() && !w.dropped.Load()
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
			w.dropped.Store(true)
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

// standByTries is how often a computer is told of that, ten seconds each.
const standByTries = 6

// standBy tells a computer what to do with alerts while the hall is away.
func (c *computer) standBy(ctx context.Context) {
	var err error
	for range standByTries { // an answer is lost when another computer joins in that moment: the server reads its list anew
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

// compareRest is how long a comparison that failed is left alone.
const compareRest = 30 * time.Second

// compareAgain has the journals of a computer compared when some time has passed: segments that were compared lately
// are not read again.
func (h *Hub) compareAgain(computer string) {
	h.mu.Lock()
	if c := h.computers[computer]; c != nil {
		if at := time.Now().Add(compareRest - compareEvery); c.compare.After(at) {
			c.compare = at // what is to come sooner does not wait for it
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
				w.later(j)
			}
		}
	}
}

// What the hall says of a computer that did not answer as it should.
var (
	ErrNoBoard  = errors.New("that board cannot be reached")
	ErrNotSaved = errors.New("in force, but not on the board's disk yet")
	ErrLost     = errors.New("the board's journal had to drop it")
	errNotThere = errors.New("its journal does not have it")
	errNoBytes  = errors.New("the computer cannot read the file")
)

// ask asks a computer.
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

// A RefusedError is what a board does not take.
type RefusedError struct {
	Why   string
	never bool // the board writes another journal, or has refused for good what has waited
}

func (e *RefusedError) Error() string { return "the board does not take it: " + e.Why }

// An unwrittenError is why the disk of a computer does not take a file of its own.
type unwrittenError struct{ why string }

func (e *unwrittenError) Error() string { return e.why }

// ErrNever is a RefusedError for good: nothing of it is in any journal of the board, and will be.
var ErrNever = errors.New("the board will never take it")

// Is says whether it is for good.
func (e *RefusedError) Is(target error) bool { return target == ErrNever && e.never }

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
