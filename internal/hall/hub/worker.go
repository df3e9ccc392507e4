package hub

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/rs/zerolog"

	"boardwatchd/internal/hall/mirror"
	"boardwatchd/internal/hall/view"
	"boardwatchd/internal/hall/wire"
	"boardwatchd/internal/journal"
	"boardwatchd/internal/watch"
)

// queued is how many chunks wait for a board.
const queued = 256

// nearby is how many bytes of a journal may come after a chunk that is shown at once. With more the board is behind:
// what comes is kept, and read as a whole when the end is near.
const nearby = 256 << 10

// A worker has the mirror of one board's journal and what is shown of it. All fields but those below mu belong to its
// goroutine.
type worker struct {
	h        *Hub
	computer string
	board    string // its name at the computer
	shownAs  string // its name in the hall
	log      zerolog.Logger
	queue    chan *task

	rate       int
	journal    *mirror.Journal // nil: none yet
	view       *view.View      // nil: the journal has to be read
	epochHeard int64           // the epoch of the last beat; 0: none
	silent     bool            // the board's computer leaves alerts to the hall
	target     int64           // the record after which all stands that it did with them
	due        int64           // head of the beat before: what is to be here by the next one
	near       bool            // it was
	far        time.Time       // when a chunk came after which much stands; zero: it was nearer
	late       bool            // what Late was told last
	lacks      bool            // the mirror has lost what is shown: it is read again when it has all that the board has
	compared   map[string]time.Time
	counted    *watch.Counted // of the journal that is watched; nil: nothing was said

	waiting atomic.Int64 // bytes of chunks in the queue
	checked checked      // by the hall's own machine; the hub's lock guards it

	asksLast atomic.Pointer[nats.Msg] // the latest question for the last chunk; nil: answered

	dropped atomic.Bool // its computer, when last heard, did not watch it, or is not in the hall any more

	taken        atomic.Int64 // how often the mirror took something
	awaitsOthers atomic.Bool  // it waits for other workers

	epoch atomic.Int64 // another one whenever the board cannot be reached any more: what was queued before says nothing then

	callMu    sync.Mutex // guards what follows, held while Here and Speak are called
	lastHere  bool       // the last argument of Here
	lastSpeak bool       // the last argument of Speak
	troubled  bool       // the last problem passed to Disk was not empty
	confirmed time.Time  // when the board's computer was told so

	mu                   sync.Mutex
	head                 journal.Head     // on the board's disk, as it said
	seq                  int64            // of the last record that was shown
	name                 string           // of the journal shown
	path                 string           // of its first segment
	asked                map[int64]string // requests of the journal shown, by their records
	unwritten            bool             // the board's own disk takes nothing: its head is not in any file
	stall                stall
	lostEntries          *lostEntries // of the journal shown
	moved                chan struct{}
	jobs                 []wire.Journal // to be compared
	beatsWithoutProgress int            // beats in a row that said the board has more, while nothing came
	takenAtLastBeat      int64          // taken at the last beat
}

// task is one thing to do.
type task struct {
	chunk   *wire.Chunk
	check   func() error    // of the chunk's seal
	taken   func()          // is called when the mirror has it, or never takes it
	here    string          // the board is watched, with this journal
	names   bool            // names of players were learnt
	silent  bool            // see wire.BeatBody
	trouble string          // why the disk of its computer does not take the journal: the board says more than comes; "": it does
	head    int64           // of the board's disk
	behind  bool            // and has more than came
	epoch   int64           // of the beat
	between string          // counted is new of this journal
	counted json.RawMessage // what no record tells
	last    bool            // the board's computer asks for the last chunk: asksLast
	local   string          // read this journal of the mirror, and show it as one of a board that is away
}

func newWorker(c *computer, board string) *worker {
	shown := c.h.names.of(c.name, board)
	w := &worker{
		h: c.h, computer: c.name, board: board, shownAs: shown, rate: 1, compared: map[string]time.Time{}, moved: make(chan struct{}),
		log:   c.h.opt.Log.With().Str("board", board).Str("computer", c.name).Logger(),
		queue: make(chan *task, queued),
	}
	w.epoch.Store(1)
	return w
}

// put hands a task over, or drops it and says so: what is in no chunk is found missing by the next one or by a beat,
// and beats come again.
func (w *worker) put(t task) bool {
	w.waiting.Add(t.size())
	select {
	case w.queue <- &t:
		return true
	default:
		w.waiting.Add(-t.size())
		return false
	}
}

// size is how many bytes a task keeps in memory.
func (t *task) size() int64 {
	if t.chunk == nil {
		return 0
	}
	return int64(len(t.chunk.Data))
}

// later has a journal compared when nothing else waits.
func (w *worker) later(j wire.Journal) {
	w.mu.Lock()
	w.jobs = append(w.jobs, j)
	w.mu.Unlock()
	w.put(task{})
}

func (w *worker) note(h journal.Head, unwritten bool) {
	w.mu.Lock()
	w.head, w.unwritten = h, unwritten
	w.mu.Unlock()
}

// maxCatching is how many boards that are behind are asked for what they have at a time. What all of them together can
// send at once has no room in memory.
const maxCatching = 8

// patientBeats is how many beats a board may have more than the hall without anything coming.
const patientBeats = 6

// behind says that the board has more than came, and that nothing comes: a chunk was dropped, or the stream has lost
// its end. Of a journal that is not shown yet, because much of it is still to come, chunks come all the same.
func (w *worker) behind(head journal.Head) bool {
	taken, awaits := w.taken.Load(), w.awaits()
	w.mu.Lock()
	defer w.mu.Unlock()
	if (w.name == head.Journal && w.seq >= int64(head.Seq)) || taken != w.takenAtLastBeat || len(w.queue) > 0 || awaits {
		w.beatsWithoutProgress = 0
	} else {
		w.beatsWithoutProgress++
	}
	w.takenAtLastBeat = taken
	return w.beatsWithoutProgress >= patientBeats && w.beatsWithoutProgress%patientBeats == 0
}

// awaits reports whether it is not this board's turn to be brought, compared or read.
func (w *worker) awaits() bool {
	return w.awaitsOthers.Load() || w.h.bringing.waits(wire.Records(w.computer, w.board))
}

func (w *worker) run(ctx context.Context) {
	defer w.close()
	for {
		select {
		case <-ctx.Done():
			return
		case t := <-w.queue:
			w.do(ctx, t)
			w.waiting.Add(-t.size())
			w.h.waiting.Add(-t.size())
		}
		w.notifyReachable()
		for len(w.queue) == 0 && ctx.Err() == nil && w.compareOne(ctx) {
		}
	}
}

func (w *worker) close() {
	if w.journal != nil {
		if err := w.journal.Close(); err != nil {
			w.log.Error().Err(err).Msg("the mirrored journal")
		}
	}
}

func (w *worker) do(ctx context.Context, t *task) {
	switch {
	case t.chunk != nil:
		if err := t.check(); err != nil {
			w.log.Warn().Err(err).Msg("a chunk is dropped")
			return
		}
		if err := w.take(ctx, t.chunk, t.taken); err != nil && !errors.Is(err, errFull) && ctx.Err() == nil {
			w.log.Warn().Err(err).Msg("a chunk was not taken; it is asked for again with the next one")
		}
	case t.here != "":
		if t.epoch != w.epochHeard {
			w.epochHeard, w.silent, w.due = t.epoch, false, t.head
		}
		if t.silent && !w.silent {
			w.target = t.head
		}
		w.silent = t.silent
		w.watched(ctx, t)
		w.near = w.view != nil && int64(w.view.Seq()) >= w.due && t.trouble == ""
		w.due = t.head
		w.notifyReachable()
		w.notifyDisk(t.trouble)
		w.confirm()
	case t.between != "":
		if w.journal != nil && w.journal.Name() == t.between {
			w.count(t.counted)
		}
	case t.last:
		w.answerLast()
	case t.local != "":
		if w.turn(t.local) == nil && !w.journal.Empty() {
			w.show()
		}
	}
}

// notifyDisk reports at each beat that the board's page is not updated because its journal is not written: a journal
// that is read again loses that report.
func (w *worker) notifyDisk(why string) {
	if w.view != nil && w.h.opt.Disk != nil && (why != "" || w.troubled) {
		w.troubled = why != ""
		w.h.opt.Disk(w.shownAs, why, w.computer)
	}
}

// notifyReachable reports a change of whether the board can be reached and whether the hall sends its alerts. When the
// hall begins to speak, the board's computer hears it at once.
func (w *worker) notifyReachable() {
	if w.notifyChanges() {
		w.confirm()
	}
}

func (w *worker) notifyChanges() (began bool) {
	w.callMu.Lock()
	defer w.callMu.Unlock()
	here := w.epochHeard == w.epoch.Load()
	if w.view != nil && w.lastHere != here {
		w.lastHere = here
		w.showHere(here)
	}
	speak := w.view != nil && here && w.silent && (w.lastSpeak || w.near && int64(w.view.Seq()) >= w.target)
	if speak == w.lastSpeak {
		return false
	}
	w.lastSpeak, w.confirmed = speak, time.Now()
	w.h.opt.Speak(w.shownAs, speak)
	return speak
}

// left says at once that the board cannot be reached, whatever the worker is at: its epoch is over.
func (w *worker) left() {
	w.callMu.Lock()
	defer w.callMu.Unlock()
	if w.lastHere {
		w.lastHere = false
		w.showHere(false)
	}
	w.hush()
}

// showHere shows whether the board can be reached, or that its computer cannot.
func (w *worker) showHere(here bool) {
	if !here && !w.dropped.Load() && w.h.opt.Away != nil {
		w.h.opt.Away(w.shownAs)
		return
	}
	w.h.opt.Here(w.shownAs, here)
}

// hush ends what the hall sends for the board. The caller holds voice.
func (w *worker) hush() {
	if w.lastSpeak {
		w.lastSpeak = false
		w.h.opt.Speak(w.shownAs, false)
	}
}

// confirm lets the board's computer know that the mirror is near the head, and that the hall sends the alerts, or would
// if the computer did not.
func (w *worker) confirm() {
	w.callMu.Lock()
	ok := w.near && w.view != nil && w.epochHeard == w.epoch.Load() && (w.lastSpeak || !w.silent)
	if ok {
		w.confirmed = time.Now()
	}
	w.callMu.Unlock()
	if !ok {
		return
	}
	q := wire.Question{Do: wire.DoSpeak, Board: w.board, Journal: w.journal.Name()}
	m, err := wire.Sealed(wire.Ask(w.computer), q, w.h.key)
	if err == nil {
		err = w.h.nc.PublishMsg(m)
	}
	if err != nil {
		w.log.Debug().Err(err).Msg("the computer does not hear that the hall speaks; it hears it at the next beat")
	}
}

// unconfirmed ends what the hall sends for a board when that was not confirmed for long: the board's computer begins
// soon.
func (w *worker) unconfirmed(now time.Time) {
	w.callMu.Lock()
	defer w.callMu.Unlock()
	if now.Sub(w.confirmed) > awayAfter {
		w.hush()
	}
}

// turn goes on with a journal.
func (w *worker) turn(name string) (err error) {
	if w.journal != nil && w.journal.Name() == name {
		return nil
	}
	if err := journal.CheckName(name); err != nil {
		return err
	}
	if w.journal != nil && w.epochHeard == w.epoch.Load() {
		w.h.compareSoon(w.computer) // what the board wrote at the end of the earlier one may not have come
	}
	w.close()
	w.view, w.counted, w.lacks = nil, nil, false
	w.mu.Lock()
	w.seq = 0 // of the earlier one: whoever waits for a record waits for one of this one
	w.mu.Unlock()
	w.journal, err = w.h.store.Journal(w.computer, name)
	return err
}

// count takes what the board's computer says of the board that no record tells.
func (w *worker) count(text json.RawMessage) {
	var c watch.Counted
	if len(text) == 0 || json.Unmarshal(text, &c) != nil || w.counted != nil && *w.counted == c {
		return
	}
	w.counted = &c
	if w.view != nil {
		w.view.Count(c)
	}
}

// watched says that the board is watched: it is shown so as far as its journal is here.
func (w *worker) watched(ctx context.Context, t *task) {
	if err := w.turn(t.here); err != nil {
		w.log.Warn().Err(err).Msg("the mirror")
		return
	}
	w.count(t.counted)
	if t.names {
		w.view = nil
	}
	if t.behind && !w.h.full.Load() {
		select {
		case w.h.catching <- struct{}{}:
			if err := w.catchUp(ctx, t.here); err != nil && !errors.Is(err, errFull) && ctx.Err() == nil {
				w.log.Warn().Err(err).Msg("the board has more than came, and does not give it; it is asked again")
			}
			<-w.h.catching
		default: // most of hundreds that come back together bring by themselves what they have
		}
	}
	if w.view == nil && !w.journal.Empty() && time.Since(w.far) > farTime && !w.lacks {
		w.show()
	}
}

// farTime is how long a board is not shown of which much has come and more was announced: it would be read twice.
const farTime = 5 * time.Second

// catchUp asks for what the board has of the journal that it writes.
func (w *worker) catchUp(ctx context.Context, name string) error {
	ctx, cancel := context.WithTimeout(ctx, 3*fetchTime)
	defer cancel()
	a, _, err := w.h.ask(ctx, w.computer, wire.Question{Do: wire.DoList})
	if err != nil {
		return err
	}
	for _, j := range a.Journals {
		if j.Name == name {
			w.log.Info().Str("journal", name).Msg("the board has more than came: it is asked for")
			return w.compare(ctx, j)
		}
	}
	return nil
}

// take puts a chunk into the mirror and shows it.
func (w *worker) take(ctx context.Context, c *wire.Chunk, taken func()) error {
	if w.h.full.Load() {
		return errFull
	}
	if w.tooLarge(c.Journal, c.End()) {
		taken()
		return nil
	}
	if err := w.turn(c.Journal); err != nil {
		return err
	}
	w.rate = max(c.Rate, 1)
	if c.Late != w.late {
		w.late = c.Late
		w.h.opt.Late(w.shownAs, c.Late)
	}
	if err := w.reach(ctx, c.Journal, c.Segment); err != nil {
		return err
	}
	if err := w.putPiece(c.Segment, c.Offset, c.Data, c.Final); errors.Is(err, errHole) {
		if err := w.fill(ctx, c.Journal, c.Segment, c.Offset); err != nil {
			return err
		}
		if err := w.putPiece(c.Segment, c.Offset, c.Data, c.Final); err != nil {
			return err
		}
	} else if err != nil {
		return err
	}
	taken()
	w.far = time.Time{}
	switch {
	case c.Remaining > nearby, w.lacks && (c.Remaining > 0 || c.Final): // after the end of a segment comes another one
		w.far = time.Now()
	case w.view == nil:
		w.lacks = false
		w.show()
	}
	return nil
}

// reach fetches what is missing before a segment of which nothing is here. While the mirror does not take that, it takes
// nothing of the segment either: of a journal with a hole the hall would show and alert as if it had all.
func (w *worker) reach(ctx context.Context, name string, segment int) error {
	if segment == 1 || w.journal.Size(segment) > 0 || w.journal.Ended() >= segment-1 {
		return nil
	}
	err := w.catchUp(ctx, name)
	if errors.Is(err, errNoBytes) { // the board has no better one
		return nil
	}
	return err
}

var errHole = errors.New("bytes before it are missing")

// putPiece puts a piece of the current journal into the mirror, and feeds the view with what is new.
func (w *worker) putPiece(segment int, offset int64, data []byte, final bool) error {
	out, err := w.journal.Put(segment, offset, data, final)
	if out.Lost != "" {
		w.log.Warn().Str("file", out.Lost).Msg("the board has other bytes than the mirror: the mirror's are set aside")
		w.lost()
	}
	if err != nil {
		w.view = nil
		return err
	}
	if out.Hole {
		return errHole
	}
	w.taken.Add(1)
	if w.view != nil && len(out.Fresh) > 0 && !w.view.Feed(segment, out.Fresh) {
		w.view = nil
	}
	w.moving()
	return nil
}

// shownJournal is the one that is shown; "": none yet.
func (w *worker) shownJournal() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.name
}

// moving tells those who wait for a record.
func (w *worker) moving() {
	if w.view == nil {
		return
	}
	w.mu.Lock()
	w.seq, w.name = int64(w.view.Seq()), w.journal.Name()
	w.path = w.journal.Path(w.journal.First())
	close(w.moved)
	w.moved = make(chan struct{})
	w.mu.Unlock()
}

// show reads the journal from the beginning on and shows the board as watched.
func (w *worker) show() {
	w.awaitsOthers.Store(true)
	w.h.reading.enter(w.h.first[w.shownAs])
	w.awaitsOthers.Store(false)
	defer w.h.reading.leave()
	first := w.journal.First()
	if first == 0 {
		return
	}
	v, err := view.Read(w.journal.Path(first), w.listener(), w.counted, w.log)
	if err != nil {
		w.log.Error().Err(err).Msg("the mirrored journal cannot be read")
		w.view = nil
		w.h.opt.Here(w.shownAs, false) // it is not expected any more
		w.mistrust()
		return
	}
	w.h.opt.Late(w.shownAs, w.late) // a comparison that failed has left it so
	w.callMu.Lock()
	w.view, w.lastHere = v, true // Hear begins with a board that is watched
	w.callMu.Unlock()
	w.moving()
	w.notifyReachable()
}

const (
	fetchTime = 10 * time.Second // how long one answer with bytes may take
	fetched   = 256 << 10        // bytes that are asked for at once
)

// fill fetches what is missing of a segment of the current journal before an offset.
func (w *worker) fill(ctx context.Context, name string, segment int, before int64) error {
	w.log.Info().Str("journal", name).Int("segment", segment).Int64("from", w.journal.Size(segment)).Int64("to", before).Msg("filling a hole of the mirror from the board")
	return w.fetch(ctx, w.journal, segment, before)
}

// fetch brings a segment of a journal up to a size.
func (w *worker) fetch(ctx context.Context, j *mirror.Journal, segment int, size int64) error {
	for j.Size(segment) < size {
		if w.h.full.Load() {
			return errFull
		}
		at := j.Size(segment)
		data, err := w.bytesOf(ctx, j.Name(), segment, at, min(size-at, fetched))
		if err != nil {
			return err
		}
		if len(data) == 0 {
			return fmt.Errorf("segment %d of %s ends at %d at the board", segment, j.Name(), at)
		}
		if j == w.journal {
			err = w.putPiece(segment, at, data, false)
		} else {
			_, err = j.Put(segment, at, data, false)
		}
		if err != nil {
			return errors.Join(err, w.cutAfter(j, segment))
		}
		w.taken.Add(1)
	}
	return nil
}

// cutAfter sets aside what is here after a segment that cannot be written, for the reason of reach.
func (w *worker) cutAfter(j *mirror.Journal, segment int) error {
	if j.Last() <= segment {
		return nil
	}
	if j == w.journal {
		w.lost()
	}
	return j.DropAfter(segment)
}

func (w *worker) bytesOf(ctx context.Context, name string, segment int, offset, length int64) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, fetchTime)
	defer cancel()
	_, data, err := w.h.ask(ctx, w.computer, wire.Question{Do: wire.DoFetch, Journal: name, Segment: segment, Offset: offset, Length: length})
	return data, err
}
