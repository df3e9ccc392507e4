package live

import (
	"bytes"
	"encoding/json"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"boardwatchd/internal/record"
	"boardwatchd/internal/watch"
	"boardwatchd/rules/words"
)

// A Board holds the data of one board. One goroutine writes, that of the station; any number read.
type Board struct {
	boards *Boards
	name   string

	mu           sync.Mutex
	info         Info
	watching     bool
	lost         remark          // not watching: the remark while the computer cannot be reached
	copied       bool            // two programs speak for the board in one name
	expected     bool            // it is to be watched for the first time
	oldJournal   string          // the earlier name of its journal; "": there was none
	reading      bool            // expected, or its journal is being read since the start
	partial      bool            // a reader has fetched the state meanwhile
	degraded     string          // the reason why the journal cannot be written; "": it can
	mend         *words.Sentence // advice against that
	stalled      remark          // the hall does not have everything that the board's computer has written
	lateAt       time.Time       // when the program last stood still
	gone         bool            // it is not to be watched any more
	startsNew    bool            // added again: the next data start a new picture
	unannounced  bool            // the followers have not been informed of the new picture yet
	stepped      bool            // an input of the journal was received, but not yet the machine's view after it
	losses       int64           // of the link
	table        string          // the table; "": the board has only its name
	plain        string          // the plain name without a table; "": the board's own name
	*picture                     // the data that readers get
	coming       *picture        // the data of a journal that is being read again, shown at its end; nil: none
	shown        visible         // the content of version
	shownClockAt int64           // µs of the clock reading in it
	at           int64           // time of version, on the feed's time

	version    atomic.Uint64
	rowVersion atomic.Uint64 // of what a Row shows

	coding  sync.Mutex // for the next two fields; a writer never takes it
	coded   coded      // the summary
	codedIn coded      // the row
}

// coded is a text for all readers.
type coded struct {
	version uint64
	t       int64 // its time, µs
	event   Event
}

// picture holds all data that the journal restores.
type picture struct {
	seq    record.Seq // of the last record received
	t      int64      // the latest time
	wall   wall
	view   watch.View
	viewed bool
	game   game
	docket docket
	trace  trace
	health health
	spans  spans
	names  Names

	stood    int64    // time line moment at which the clock was last not known to run
	clockset clockset // kept from one journal to the next, like the next field
	arrayset arrayset
}

func newBoard(bs *Boards, name string) *Board {
	b := &Board{boards: bs, name: name, picture: &picture{}}
	b.version.Store(1)
	b.rowVersion.Store(1)
	return b
}

func (b *Board) begin(info Info, again bool) {
	b.mu.Lock()
	again, b.expected = again && !b.expected, false
	other := again && info.Journal != b.info.Journal
	b.oldJournal = ""
	b.info, b.watching, b.lost, b.startsNew, b.degraded, b.gone = info, true, remark{}, again, "", false
	b.info.Rate = max(info.Rate, 1)
	if other {
		b.replace()
	}
	b.mu.Unlock()
	b.show()
}

func (b *Board) expect() {
	b.mu.Lock()
	b.expected, b.reading = true, true
	b.mu.Unlock()
	b.show()
}

// Ready says that the journal was read to its end. Readers that fetched the state before must fetch it again, because
// records that were read caused no events.
func (b *Board) Ready() {
	b.mu.Lock()
	b.reading = false
	if b.unannounced {
		b.goOn()
	}
	if b.partial {
		b.partial = false
		b.boards.feed.breakOff(Event{Name: "board", Board: b.name, Data: encode(b.summary()), At: b.boards.Now()})
	}
	b.mu.Unlock()
	b.show()
}

func (b *Board) end() {
	b.mu.Lock()
	b.watching, b.reading, b.partial = false, false, false
	b.mu.Unlock()
	b.show()
}

func (b *Board) away(away bool) {
	b.mu.Lock()
	b.watching, b.lost, b.reading = !away, remark{}, b.reading && !away
	b.mu.Unlock()
	b.show()
}

// setFlag sets one of the board's flags, and shows the board where that changes it.
func (b *Board) setFlag(flag *bool, to bool) {
	b.mu.Lock()
	changed := *flag != to
	*flag = to
	b.mu.Unlock()
	if changed {
		b.show()
	}
}

func (b *Board) setGone(gone bool) { b.setFlag(&b.gone, gone) }

func (b *Board) setCopied(copied bool) { b.setFlag(&b.copied, copied) }

// contradicted reports whether two programs speak for the board by turns, one of which does not have it: what is
// heard of watching and link is now one's word and now the other's, and neither is shown. The caller holds the lock.
func (b *Board) contradicted() bool { return b.copied && b.lost.what == "" }

// setLost notes that the board's computer cannot be reached: since when, and the time of the board's last record.
func (b *Board) setLost(now time.Time) {
	const minutes = "15:04"
	b.mu.Lock()
	heard := now
	if ms := b.wall.ms(b.t, b.rate()); ms != 0 && ms < now.UnixMilli() {
		heard = time.UnixMilli(ms)
	}
	b.watching, b.lost = false, worded(unreachable, words.Say("row.unreachable", now.Local().Format(minutes), heard.Local().Format(minutes)))
	b.mu.Unlock()
	b.show()
}

// Called sets the name that people use for a board: its table, or a plain name; "": neither is known.
func (bs *Boards) Called(board, table, plain string) {
	b, ok := bs.board(board)
	if !ok {
		return
	}
	b.mu.Lock()
	changed := b.table != table || b.plain != plain
	b.table, b.plain = table, plain
	b.mu.Unlock()
	if changed {
		b.show()
	}
}

// replace shows an empty picture, because another journal has begun. The caller holds the lock, here and below.
func (b *Board) replace() {
	b.picture, b.coming = &picture{clockset: b.clockset, arrayset: b.arrayset}, nil
	b.startsNew, b.stepped, b.unannounced = false, false, true
}

// readAnew starts a picture that is not shown until the journal was read to its end: the picture of the same journal
// that a reader sees stays meanwhile.
func (b *Board) readAnew() {
	b.coming = &picture{clockset: b.clockset, arrayset: b.arrayset}
	b.startsNew, b.stepped, b.unannounced = false, false, true
}

// exchange switches the writer to the picture that is being read, and back to the one that is shown.
func (b *Board) exchange() {
	if b.coming != nil {
		b.picture, b.coming = b.coming, b.picture
	}
}

// Recovered handles a record of the journal: an input, or an effect of the machine. It keeps nothing of the body.
func (b *Board) Recovered(r record.Record) {
	var o heard
	if r.Kind == record.Say && o.read(r.Body) {
		o.keep()
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	last := b.seq
	if b.coming != nil {
		last = b.coming.seq
	}
	if b.startsNew || r.Seq <= last {
		b.readAnew()
	}
	b.exchange()
	defer b.exchange()
	b.seq, b.t = r.Seq, max(b.t, r.At)
	if r.Kind == record.Say {
		if o.raw != nil {
			b.apply(&o)
		}
		return
	}
	b.stepped = true
	b.input(r)
}

// Entered handles an Instruct or Decide record of the live loop.
func (b *Board) Entered(r record.Record) {
	b.mu.Lock()
	b.goOn()
	b.t = max(b.t, r.At)
	if d, ok := b.input(r); ok {
		b.boards.counts.decided(d.Decision)
		b.publish("decision", encode(d))
	}
	b.mu.Unlock()
	b.show()
}

// Seen handles the machine's view after a step.
func (b *Board) Seen(v watch.View, touches []watch.Touch) {
	b.mu.Lock()
	if b.startsNew {
		b.replace() // a journal that has just begun
	}
	past := b.stepped // of a journal that is being read: a later view, Ready at the latest, shows its end
	if past {
		b.stepped = false
	} else {
		b.arrive()
		b.wall.see(v.At, b.t, b.boards.wall(), b.info.Rate)
		b.goOn()
	}
	b.exchange()
	b.t = max(b.t, v.At)
	if v.LateUS > b.view.LateUS {
		b.lateAt = b.boards.wall()
	}
	b.trace.see(&v, &b.view, touches)
	if !b.viewed || !v.Clock.Runs || v.Link != "up" {
		b.stood = max(b.stood, v.At)
	}
	b.view, b.viewed = v, true
	b.health.see(&v)
	b.clockset.see(&v, b.game.plies)
	b.arrayset.see(&v, b.game.plies)
	b.freeze()
	b.exchange()
	past = past || b.unannounced
	b.mu.Unlock()
	if !past {
		b.show()
	}
}

// Said handles an object of the machine.
func (b *Board) Said(body []byte) {
	var o heard
	isKnown := o.read(body)
	b.mu.Lock()
	b.goOn()
	if isKnown {
		o.raw = bytes.Clone(body)
		b.t = max(b.t, micros(o.T))
		if entered, ok := b.apply(&o); ok {
			b.boards.counts.found(entered.Kind, entered.State)
		}
		if o.Type == "health" && o.What == "link_down" {
			b.losses++
		}
		b.publish(o.Type, o.raw)
	}
	b.mu.Unlock()
	b.show()
}

// Degraded sets the reason why the journal cannot be written to the disk of a computer, or "" if it can.
func (b *Board) Degraded(problem, computer string) {
	mend := DiskRemedy(problem, computer)
	b.mu.Lock()
	if b.degraded != problem {
		b.degraded, b.mend = problem, &mend
	}
	b.mu.Unlock()
	b.show()
}

// setStalled notes since when the hall lacks some of what the board's computer has written; the zero time: it lacks
// nothing.
func (b *Board) setStalled(since time.Time, computer string) {
	var r remark
	if !since.IsZero() {
		do := words.Say("hall.stands_still.do", computer)
		r = worded(MirrorStalled, words.Say("row.stands_still", since.Local().Format("15:04")))
		r.do = &do
	}
	b.mu.Lock()
	b.stalled = r
	b.mu.Unlock()
	b.show()
}

// publish puts an event into the feed while the board is locked, so that a State agrees with its Last.
func (b *Board) publish(name string, data []byte) {
	b.boards.feed.append(Event{Name: name, Board: b.name, Data: data, At: b.boards.Now()})
}

// arrive shows the picture that was read.
func (b *Board) arrive() {
	if b.coming != nil {
		b.picture, b.coming = b.coming, nil
	}
}

// goOn ends a recovery: readers who fetched the state before it must fetch it again.
func (b *Board) goOn() {
	if b.startsNew {
		b.replace()
	}
	b.arrive()
	if b.unannounced {
		b.unannounced = false
		b.boards.feed.breakOff(Event{Name: "board", Board: b.name, Data: encode(b.summary()), At: b.boards.Now()})
	}
}

// show gives the summary a new version if a reader would see a difference.
func (b *Board) show() {
	b.mu.Lock()
	now := b.visible()
	seen := now
	if b.foreseen(&now) {
		seen.clock = b.shown.clock
	}
	changed := seen != b.shown
	if changed {
		if seen.row() != b.shown.row() {
			b.rowVersion.Add(1)
		}
		b.shown, b.shownClockAt, b.at = now, b.view.Clock.At, b.boards.Now()
		b.version.Add(1)
	}
	b.mu.Unlock()
	if changed {
		b.boards.feed.touch()
	}
}

// maxClockAgeUS is how old the clock in an encoded summary may be; after that it is encoded again with the present
// clock.
const maxClockAgeUS = 1_000_000

// event returns the summary, or the row, as an event and its version. It is encoded once for all readers within
// maxClockAgeUS.
func (b *Board) event(asRow bool) (Event, uint64) {
	b.coding.Lock()
	defer b.coding.Unlock()
	version, c := &b.version, &b.coded
	if asRow {
		version, c = &b.rowVersion, &b.codedIn
	}
	b.mu.Lock()
	v, t, at := version.Load(), b.t, b.at
	if v == c.version && t-c.t < maxClockAgeUS {
		b.mu.Unlock()
		return c.event, v
	}
	s := b.summary()
	b.mu.Unlock()
	var text []byte
	if asRow {
		text = encode(s.Row())
	} else {
		text = encode(s)
	}
	*c = coded{version: v, t: t, event: Event{Name: "board", Board: b.name, Data: text, At: at}}
	return c.event, v
}

// latest returns the present version.
func (b *Board) latest(asRow bool) uint64 {
	if asRow {
		return b.rowVersion.Load()
	}
	return b.version.Load()
}

// asks reports whether findings wait for a person.
func (b *Board) asks() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.docket.open > 0
}

// Summary returns the board on one line.
func (b *Board) Summary() Summary {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.summary()
}

func (b *Board) state() State {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.partial = b.partial || b.reading
	s := State{
		Epoch: b.boards.epoch, Last: b.boards.feed.last(), Board: b.summary(), Journal: b.info.Journal, Findings: make([]Item, 0, len(b.docket.items)),
		Moves: append([]json.RawMessage{}, b.game.moves...), Health: append([]json.RawMessage{}, b.health.said...),
		Spans: slices.Clone(b.spans.list), Dropped: Dropped{Findings: b.docket.dropped, Spans: b.spans.dropped},
	}
	for _, it := range slices.Backward(b.docket.items) {
		s.Findings = append(s.Findings, b.item(it))
	}
	return s
}

func (b *Board) finding(id string) (Item, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	it := b.docket.find(id)
	if it == nil {
		return Item{}, false
	}
	return b.item(it), true
}

func (b *Board) stats() BoardStats {
	b.mu.Lock()
	defer b.mu.Unlock()
	word, _ := b.judge()
	s := BoardStats{
		Board: b.name, Watching: b.watching, Health: word, Frames: b.view.Frames, Garbage: b.view.Garbage, LeftOut: b.view.LeftOut, LateUS: b.view.LateUS, Losses: b.losses,
		Degraded: b.degraded != "", Open: b.docket.open,
	}
	for i, n := range b.view.Hands {
		s.Hands = append(s.Hands, HandsCount{watch.HandsKinds[i], n})
	}
	return s
}

// encode returns the JSON of this package's own types, which cannot fail.
func encode(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic("live: internal error: " + err.Error())
	}
	return data
}
