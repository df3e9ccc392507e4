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

// queued is how many tasks may wait for a board's worker.
const queued = 256

// nearby is how many bytes of a journal may follow a chunk that is shown at once. With more the board is behind: chunks
// are only stored, and the journal is read as a whole when its end is near.
const nearby = 256 << 10

// A worker has the mirror of one board's journal and the view that shows it. Its goroutine owns all fields above
// waiting.
type worker struct {
	h        *Hub
	computer string
	board    string // its name at the computer
	shownAs  string // its name in the hall
	log      zerolog.Logger
	queue    chan *task

	rate          int
	journal       *mirror.Journal // nil: none yet
	view          *view.View      // nil: the journal has to be read
	epochHeard    int64           // the epoch of the last beat; 0: none
	silent        bool            // the board's computer leaves alerts to the hall
	alertsFromSeq int64           // the hall sends no alerts before it has this record
	dueSeq        int64           // head of the previous beat: the records that must be here by the next one
	nearHead      bool            // they were
	farSince      time.Time       // when a chunk came that many bytes were to follow; zero: the last one was near the end
	late          bool            // the last argument of Late
	incomplete    bool            // the mirror has lost bytes that are shown: it is read again when it is complete
	comparedAt    map[string]time.Time
	counted       *watch.Counted // for the watched journal; nil: nothing was reported

	waiting atomic.Int64 // bytes of chunks in the queue
	checked checked      // result of the check by the hall's own machine; the hub's lock guards it

	asksLast atomic.Pointer[nats.Msg] // the latest question for the last chunk; nil: none is open

	notWatched atomic.Bool // its computer, when last heard, did not watch it, or is not in the hall any more

	putCount     atomic.Int64 // how often the mirror took something
	awaitsOthers atomic.Bool  // it waits for other workers

	epoch atomic.Int64 // increases when the board becomes unreachable, so that earlier tasks do not show it as here

	callMu    sync.Mutex // guards the four fields below, held while Here and Speak are called
	lastHere  bool       // the last argument of Here
	lastSpeak bool       // the last argument of Speak
	troubled  bool       // the last problem passed to Disk was not empty
	confirmed time.Time  // when the board's computer last received DoSpeak

	mu                   sync.Mutex
	head                 journal.Head     // on the board's disk, as last reported
	seq                  int64            // of the last record that was shown
	name                 string           // of the journal shown
	path                 string           // of the first segment of that journal
	requestOfRecord      map[int64]string // requests of the shown journal, by their records
	unwritten            bool             // the board's own disk takes nothing: its head is not in any file
	stall                stall
	lostEntries          *lostEntries // of the journal shown
	shownMoved           chan struct{}
	jobs                 []wire.Journal // to be compared
	beatsWithoutProgress int            // beats in a row that said the board has more, while nothing came
	putCountAtLastBeat   int64          // putCount at the last beat
}

// task is one thing for a worker to do.
type task struct {
	chunk      *wire.Chunk
	check      func() error    // checks the chunk's seal
	taken      func()          // called when the mirror has the chunk, or will never take it
	here       string          // the board is watched, with this journal
	newNames   bool            // new names of players have come
	silent     bool            // see wire.BeatBody
	trouble    string          // why the disk of its computer does not take the journal; "": it does
	head       int64           // of the board's disk
	behind     bool            // the board has more records than came
	epoch      int64           // of the beat
	countedOf  string          // counted is new for this journal
	counted    json.RawMessage // counts that no record holds
	answerLast bool            // the board's computer asks for the last chunk: asksLast
	mirrored   string          // read this journal of the mirror, and show its board as away
}

func newWorker(c *computer, board string) *worker {
	shown := c.h.names.of(c.name, board)
	w := &worker{
		h: c.h, computer: c.name, board: board, shownAs: shown, rate: 1, comparedAt: map[string]time.Time{}, shownMoved: make(chan struct{}),
		log:   c.h.opt.Log.With().Str("board", board).Str("computer", c.name).Logger(),
		queue: make(chan *task, queued),
	}
	w.epoch.Store(1)
	return w
}

// put queues a task, and returns false if the queue is full. A dropped task does no harm: the next chunk or beat shows
// missing bytes, and beats come again.
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

// compareLater has a journal compared when no task waits.
func (w *worker) compareLater(j wire.Journal) {
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

// maxCatching is how many boards may be asked at a time for missing bytes. The answers of all boards at once would not
// fit into memory.
const maxCatching = 8

// patientBeats is the number of beats for which a board may have more than the hall while nothing comes.
const patientBeats = 6

// behind reports that the board has more than came, and that nothing comes: a chunk was dropped, or the stream has lost
// its end. A journal that is not shown yet, because many bytes are still to come, does not count while its chunks come.
func (w *worker) behind(head journal.Head) bool {
	taken, awaits := w.putCount.Load(), w.waitsForTurn()
	w.mu.Lock()
	defer w.mu.Unlock()
	if (w.name == head.Journal && w.seq >= int64(head.Seq)) || taken != w.putCountAtLastBeat || len(w.queue) > 0 || awaits {
		w.beatsWithoutProgress = 0
	} else {
		w.beatsWithoutProgress++
	}
	w.putCountAtLastBeat = taken
	return w.beatsWithoutProgress >= patientBeats && w.beatsWithoutProgress%patientBeats == 0
}

// waitsForTurn reports whether this board waits for its turn to send, to be compared or to be read.
func (w *worker) waitsForTurn() bool {
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
			w.epochHeard, w.silent, w.dueSeq = t.epoch, false, t.head
		}
		if t.silent && !w.silent {
			w.alertsFromSeq = t.head
		}
		w.silent = t.silent
		w.watched(ctx, t)
		w.nearHead = w.view != nil && int64(w.view.Seq()) >= w.dueSeq && t.trouble == ""
		w.dueSeq = t.head
		w.notifyReachable()
		w.notifyDisk(t.trouble)
		w.confirm()
	case t.countedOf != "":
		if w.journal != nil && w.journal.Name() == t.countedOf {
			w.count(t.counted)
		}
	case t.answerLast:
		w.answerLast()
	case t.mirrored != "":
		if w.switchTo(t.mirrored) == nil && !w.journal.Empty() {
			w.show()
		}
	}
}

// notifyDisk repeats with each beat why the board's journal is not written and its page not updated, because a journal
// that is read again loses that report.
func (w *worker) notifyDisk(why string) {
	if w.view != nil && w.h.opt.Disk != nil && (why != "" || w.troubled) {
		w.troubled = why != ""
		w.h.opt.Disk(w.shownAs, why, w.computer)
	}
}

// notifyReachable reports changes of whether the board can be reached and whether the hall sends its alerts. When the
// hall begins to send them, the board's computer is informed at once.
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
	speak := w.view != nil && here && w.silent && (w.lastSpeak || w.nearHead && int64(w.view.Seq()) >= w.alertsFromSeq)
	if speak == w.lastSpeak {
		return false
	}
	w.lastSpeak, w.confirmed = speak, time.Now()
	w.h.opt.Speak(w.shownAs, speak)
	return speak
}

// left reports at once that the board cannot be reached, even if the worker is busy. Its epoch has ended.
func (w *worker) left() {
	w.callMu.Lock()
	defer w.callMu.Unlock()
	if w.lastHere {
		w.lastHere = false
		w.showHere(false)
	}
	w.endSpeaking()
}

// showHere reports whether the board can be reached, or that its computer cannot.
func (w *worker) showHere(here bool) {
	if !here && !w.notWatched.Load() && w.h.opt.Away != nil {
		w.h.opt.Away(w.shownAs)
		return
	}
	w.h.opt.Here(w.shownAs, here)
}

// endSpeaking ends the hall's alerts for the board. The caller holds callMu.
func (w *worker) endSpeaking() {
	if w.lastSpeak {
		w.lastSpeak = false
		w.h.opt.Speak(w.shownAs, false)
	}
}

// confirm informs the board's computer that the mirror is near the head, and that the hall sends the alerts, or would
// if the computer did not.
func (w *worker) confirm() {
	w.callMu.Lock()
	ok := w.nearHead && w.view != nil && w.epochHeard == w.epoch.Load() && (w.lastSpeak || !w.silent)
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

// unconfirmed ends the hall's alerts for a board if they were not confirmed for a while: the board's computer soon
// sends them itself.
func (w *worker) unconfirmed(now time.Time) {
	w.callMu.Lock()
	defer w.callMu.Unlock()
	if now.Sub(w.confirmed) > awayAfter {
		w.endSpeaking()
	}
}

// switchTo makes a journal the current one.
func (w *worker) switchTo(name string) (err error) {
	if w.journal != nil && w.journal.Name() == name {
		return nil
	}
	if err := journal.CheckName(name); err != nil {
		return err
	}
	if w.journal != nil && w.epochHeard == w.epoch.Load() {
		w.h.compareSoon(w.computer) // the end of the earlier journal may not have come
	}
	w.close()
	w.view, w.counted, w.incomplete = nil, nil, false
	w.mu.Lock()
	w.seq = 0 // of the earlier journal: callers of await wait for a record of the new one
	w.mu.Unlock()
	w.journal, err = w.h.store.Journal(w.computer, name)
	return err
}

// count takes in what the board's computer counts and no record holds.
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

// watched handles a beat that names the board as watched: the board is shown as far as its journal is here.
func (w *worker) watched(ctx context.Context, t *task) {
	if err := w.switchTo(t.here); err != nil {
		w.log.Warn().Err(err).Msg("the mirror")
		return
	}
	w.count(t.counted)
	if t.newNames {
		w.view = nil
	}
	if t.behind && !w.h.full.Load() {
		select {
		case w.h.catching <- struct{}{}:
			if err := w.catchUp(ctx, t.here); err != nil && !errors.Is(err, errFull) && ctx.Err() == nil {
				w.log.Warn().Err(err).Msg("the board has more than came, and does not give it; it is asked again")
			}
			<-w.h.catching
		default: // most of the hundreds of boards that come back together send their backlog by themselves
		}
	}
	if w.view == nil && !w.journal.Empty() && time.Since(w.farSince) > farTime && !w.incomplete {
		w.show()
	}
}

// farTime is how long a board with many announced bytes is not shown: it would be read twice.
const farTime = 5 * time.Second

// catchUp fetches the missing part of the journal that the board writes.
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
	if err := w.switchTo(c.Journal); err != nil {
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
	w.farSince = time.Time{}
	switch {
	case c.Remaining > nearby, w.incomplete && (c.Remaining > 0 || c.Final): // after the end of a segment comes another one
		w.farSince = time.Now()
	case w.view == nil:
		w.incomplete = false
		w.show()
	}
	return nil
}

// reach fetches what is missing before a segment of which nothing is here. If that fails, nothing of the segment is
// taken either: the hall would show a journal with a hole, and send alerts, as if it were complete.
func (w *worker) reach(ctx context.Context, name string, segment int) error {
	if segment == 1 || w.journal.Size(segment) > 0 || w.journal.Ended() >= segment-1 {
		return nil
	}
	err := w.catchUp(ctx, name)
	if errors.Is(err, errNoBytes) { // the board has no better copy
		return nil
	}
	return err
}

var errHole = errors.New("bytes before it are missing")

// putPiece puts bytes of the current journal into the mirror, and feeds new ones to the view.
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
	w.putCount.Add(1)
	if w.view != nil && len(out.Fresh) > 0 && !w.view.Feed(segment, out.Fresh) {
		w.view = nil
	}
	w.notifyShown()
	return nil
}

// shownJournal is the journal that is shown; "": none yet.
func (w *worker) shownJournal() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.name
}

// notifyShown wakes the callers that wait for a record.
func (w *worker) notifyShown() {
	if w.view == nil {
		return
	}
	w.mu.Lock()
	w.seq, w.name = int64(w.view.Seq()), w.journal.Name()
	w.path = w.journal.Path(w.journal.First())
	close(w.shownMoved)
	w.shownMoved = make(chan struct{})
	w.mu.Unlock()
}

// show reads the journal from the beginning and shows the board as watched.
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
		w.h.opt.Here(w.shownAs, false) // the hall does not wait for it any more
		w.mistrust()
		return
	}
	w.h.opt.Late(w.shownAs, w.late) // a comparison that failed has left it changed
	w.callMu.Lock()
	w.view, w.lastHere = v, true // Hear begins with a board that is watched
	w.callMu.Unlock()
	w.notifyShown()
	w.notifyReachable()
}

const (
	fetchTime = 10 * time.Second // how long one answer with bytes may take
	fetched   = 256 << 10        // bytes in one request
)

// fill fetches the part of a segment of the current journal before an offset.
func (w *worker) fill(ctx context.Context, name string, segment int, before int64) error {
	w.log.Info().Str("journal", name).Int("segment", segment).Int64("from", w.journal.Size(segment)).Int64("to", before).Msg("filling a hole of the mirror from the board")
	return w.fetch(ctx, w.journal, segment, before)
}

// fetch extends a segment of a journal to a size.
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
		w.putCount.Add(1)
	}
	return nil
}

// cutAfter sets aside the segments after one that cannot be written, so that the mirror has no hole (reach).
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
