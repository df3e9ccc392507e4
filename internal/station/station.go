package station

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"

	"boardwatchd/dgt"
	"boardwatchd/internal/journal"
	"boardwatchd/internal/link"
	"boardwatchd/internal/record"
	"boardwatchd/internal/watch"
)

// An Input is an input from outside, before it has a sequence number.
type Input struct {
	At   int64 // on the station's time line, see Now
	Kind record.Kind
	Body []byte

	since int64   // Rx of a link: begin of a standstill in which the bytes, if any, have waited; else 0
	taken *taking // of a person's input; nil: nobody waits for it
}

// A Port sends bytes to the board. It must not block for long; failure to send is an error.
type Port interface {
	Send(p []byte) error
}

// Options name the board and the place of its journal.
type Options struct {
	Board    string // the board's name
	Dir      string // the state directory
	Journal  string // the journal's name in it
	Config   []byte // canonical JSON of the core's configuration
	Software string
	Boot     string           // identifies this run of the monotonic clock
	Uptime   func() int64     // microseconds of that clock, which goes on between two starts of the program; nil: not known
	Wall     func() time.Time // the wall clock, for annotations
	Mono     func() int64     // microseconds, monotonic, any origin; in a simulation it may run faster than real time
	Rate     int64            // the factor of a simulation's time; 0 is 1
	Log      zerolog.Logger
	Sync     time.Duration
	Segment  int64
	Backlog  func() int // of journal.Options
	Garbage  int64      // bytes of garbage a day that are kept in full; 0 is 5 MiB
	// Recovered is called in Open with every input and every output of the machine (Say) already in the journal, in
	// order, and then with the first records of this start. Like the other listeners it may be nil, must not block, and
	// must not keep the body.
	Recovered func(r record.Record)
	// Entered is called with every Instruct and Decide record of the live loop after it was stepped and everything is
	// in the journal.
	Entered func(r record.Record)
	// Seen is called after each step, in Open too, with the state of the machine and the touches since the last call.
	Seen func(v watch.View, touches []watch.Touch)
	// Said is called with every Say effect of the live loop, in order, after it is in the journal, after Entered and
	// Seen.
	Said func(body []byte)
	// Disk is called with the reason when the journal cannot be written, and with "" when it can again.
	Disk func(trouble string)
	// Trouble is called with each new reason while there is no link, and with nil when there is one.
	Trouble func(err error)
	// Removed is called when the file of the journal was removed or replaced while it was written. The file has been
	// written again.
	Removed func()
	// Renamed is called with the name of the journal's files if it is not Journal. That happens when the disk was not
	// there at the start, and Journal was in use on it later.
	Renamed func(journal string)
}

// A Station watches one board.
type Station struct {
	opt                Options
	machine            *watch.Machine
	writer             *journal.Writer
	inputs             chan Input // from people, and from a board without a link
	wire               chan Input // from the link
	last               int64      // the latest time in the journal
	offset             int64      // time line = Mono() + offset
	beats              atomic.Int64
	readerStuck        bool          // the link has not read its port for as long as the loop waits for that
	reopenedForSilence bool          // the port was opened again because the board does not answer
	trouble            string        // of the disk, as last reported
	stalled            int           // checks in a row at which the disk did not answer
	removed            int           // number of removals of the journal, as last reported
	segments           int           // segments begun, as last reported
	ended              chan struct{} // closed when Run returns
	port               Port
	link               *link.Link    // may be nil
	opened             watch.Opening // the last opening record that was read in recovery
	openedAt           int64
	owed               []watch.Effect // from before the start: to be written after its opening record
	running            bool           // Run has begun
	flood              flood
	damage             string // found in Open
	named              string // the journal's files, as last reported
}

// inputQueue is the number of chunks that may wait. A board sends about ten a second at most.
const inputQueue = 256

// Open recovers the board's journal, or begins one, and leaves the station ready to Run.
func Open(opt Options) (*Station, error) {
	s := &Station{opt: opt, machine: watch.New(), inputs: make(chan Input, inputQueue), wire: make(chan Input, inputQueue), ended: make(chan struct{})}
	if opt.Seen != nil {
		s.machine.Trace()
	}
	if err := s.recover(); err != nil {
		return nil, fmt.Errorf("board %s: %w", opt.Board, err)
	}
	s.flood = flood{rate: float64(cmp.Or(opt.Garbage, floodDay)) / (24 * 60 * 60), room: floodBurst, at: s.last, known: s.machine.Stats().Garbage}
	return s, nil
}

// Now returns the present on the station's time line. It may be called from any goroutine.
func (s *Station) Now() int64 { return s.opt.Mono() + s.offset }

// Put hands an input to the loop and waits while its queue is full. It may be called from any goroutine. It returns
// false if the station has ended and the input was not taken.
func (s *Station) Put(in Input) bool {
	select {
	case s.inputs <- in:
		return true
	case <-s.ended:
		return false
	}
}

// Beats counts the rounds of the loop; a watchdog is fed only while it grows.
func (s *Station) Beats() int64 { return s.beats.Load() }

// Durable returns the highest sequence number that is known to be on the disk.
func (s *Station) Durable() record.Seq { return s.writer.Durable() }

// Head returns the newest record that is on the disk, by its link of the chain; its number is 0 if there is none. It
// may be called from any goroutine.
func (s *Station) Head() journal.Head { return s.writer.Head() }

// Degraded returns the reason why the journal cannot be written at present, or nil.
func (s *Station) Degraded() error { return s.writer.Degraded() }

// Damage returns the first damage that was found in the journal when it was read for this start, other than the torn
// end that a power cut leaves; "" if there is none.
func (s *Station) Damage() string { return s.damage }

// Attach sets the destination of Tx effects, for a station without a link. Call it before Run.
func (s *Station) Attach(p Port) { s.port = p }

// beatEvery is the interval at which an idle loop counts a round.
const beatEvery = time.Second

// stallChecks is the number of checks in a row after which it is said that the disk does not answer.
const stallChecks = 3

// Run runs the loop, with the link's goroutine beside it. It returns when ctx ends, after everything that the link
// has read is in the journal and the journal has been closed in order.
func (s *Station) Run(ctx context.Context) error {
	defer close(s.ended)
	s.running = true
	linkCtx, stopLink := context.WithCancel(ctx)
	linkDone := make(chan struct{})
	go func() {
		defer close(linkDone)
		if s.link != nil {
			_ = s.link.Run(linkCtx) // returns the context's error
		}
	}()
	err := s.loop(ctx)
	stopLink()
	return errors.Join(err, s.finish(linkDone))
}

func (s *Station) loop(ctx context.Context) error {
	beat := time.NewTicker(beatEvery)
	defer beat.Stop()
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	s.watchDisk()
	for {
		s.beats.Add(1)
		s.arm(timer)
		select {
		case <-ctx.Done():
			return nil
		case in := <-s.wire:
			if err := s.receive(in); err != nil {
				return err
			}
		case in := <-s.inputs:
			if err := s.catchUp(); err != nil {
				return err
			}
			if err := s.receive(in); err != nil {
				return err
			}
		case <-timer.C:
			if err := s.wake(); err != nil {
				return err
			}
		case <-beat.C:
			s.watchDisk()
			if err := s.checkFlood(); err != nil {
				return err
			}
		}
	}
}

// watchDisk reports when the journal cannot be written, and when it can again. The game continues meanwhile: records
// are kept in memory until the disk accepts them.
func (s *Station) watchDisk() {
	stats := s.writer.Stats()
	if n := stats.Segments; n != s.segments {
		if s.segments > 0 {
			s.logHead("the journal goes on in a new file; its head, for boardwatchd verify --head")
		}
		s.segments = n
	}
	if n := stats.Restored; n != s.removed {
		s.removed = n
		s.opt.Log.Error().Msg("the journal was removed or replaced while it was written, and has been written again; find out who cleans up there")
		if s.opt.Removed != nil {
			s.opt.Removed()
		}
	}
	if h := s.Head(); h.Seq > 0 && h.Journal != cmp.Or(s.named, s.opt.Journal) {
		s.named = h.Journal
		s.opt.Log.Error().Str("journal", h.Journal).Msg("another journal has the name " + s.opt.Journal + ": this one has another name")
		if s.opt.Renamed != nil {
			s.opt.Renamed(h.Journal)
		}
	}
	err := s.writer.Degraded()
	// A stall of the disk counts only while this program runs: after a standstill, and on a busy computer, the first
	// checks may come before the answer, which has waited as well.
	if s.stalled++; !errors.Is(err, journal.ErrStalled) {
		s.stalled = 0
	} else if s.stalled < stallChecks && s.trouble == "" {
		return
	}
	switch {
	case err != nil && s.trouble == "":
		s.trouble = err.Error()
		s.opt.Log.Error().Err(err).Msg("the journal is kept in memory: the disk does not take it; make room or check the disk")
		s.disk(s.trouble)
	case err == nil && s.trouble != "":
		s.trouble = ""
		s.opt.Log.Info().Msg("the journal is on the disk again")
		s.disk("")
	}
}

// logHead writes the head of the journal to the log, which may be kept on another computer.
func (s *Station) logHead(why string) {
	if h := s.Head(); h.Seq > 0 {
		s.opt.Log.Info().Str("journal", h.Journal).Stringer("head", h).Msg(why)
	}
}

func (s *Station) disk(trouble string) {
	if s.opt.Disk != nil {
		s.opt.Disk(trouble)
	}
}

// arm sets the one timer to the machine's earliest deadline.
func (s *Station) arm(timer *time.Timer) {
	wait := time.Hour
	if at, ok := s.machine.Deadline(); ok {
		wait = time.Duration(max(at-s.Now(), 0)) * time.Microsecond / time.Duration(max(s.opt.Rate, 1))
	}
	timer.Reset(wait)
}

// wake records that a deadline has passed. Bytes that have arrived meanwhile go first: they were read before the timer
// fired, so they happened before it. A timer that fired early is armed again.
func (s *Station) wake() error {
	if err := s.catchUp(); err != nil {
		return err
	}
	for len(s.inputs) > 0 {
		if err := s.receive(<-s.inputs); err != nil {
			return err
		}
	}
	now := s.Now()
	if at, ok := s.machine.Deadline(); !ok || at > now {
		return nil
	}
	return s.step(Input{At: now, Kind: record.Wake})
}

const (
	catchUpEvery = 10 * time.Millisecond
	// catchUpWaits is how often the loop waits for a reader that does not answer: 3 s of a process that runs. A read of
	// the port lasts a tenth of a second.
	catchUpWaits = 300
)

// catchUp steps the bytes that the link has read. After a standstill of this process or of the computer it waits until
// the link has read its port again: no conclusion is drawn from a timer or a person's input while earlier bytes are
// still in the driver. It waits once: a driver that does not return from a read must not delay every input of a person.
func (s *Station) catchUp() error {
	for waits := 0; ; waits++ {
		behind := s.link != nil && s.link.Behind() // first: what it reads is passed on before it is not behind any more
		for len(s.wire) > 0 {
			if err := s.receive(<-s.wire); err != nil {
				return err
			}
		}
		if !behind {
			s.readerStuck = false
			return nil
		}
		if s.readerStuck = s.readerStuck || waits == catchUpWaits; s.readerStuck {
			return nil
		}
		select {
		case in := <-s.wire:
			if err := s.receive(in); err != nil {
				return err
			}
		case <-time.After(catchUpEvery):
		}
	}
}

// step is the core of the loop: journal, judge, journal, carry out.
func (s *Station) step(in Input) error {
	if in.since != 0 {
		late := Input{At: in.At, Kind: record.Late, Body: watch.Late(in.since)}
		in.since = 0
		if err := s.step(late); err != nil || len(in.Body) == 0 {
			return err
		}
	}
	if in.taken != nil && !in.taken.decide() {
		return nil // it was withdrawn
	}
	if in.Kind == record.Decide && !s.machine.Decides(in.Body) {
		if in.taken != nil {
			in.taken.seq <- noRecord
		}
		return nil
	}
	r := record.Record{At: max(in.At, s.last), Kind: in.Kind, Body: in.Body}
	s.last = r.At
	seq, err := s.writer.Append(r.At, r.Kind, r.Body)
	if err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	r.Seq = seq
	effects := s.machine.Step(r)
	if s.owed != nil {
		effects, s.owed = append(s.owed, effects...), nil
	}
	if err := s.write(effects); err != nil {
		return err
	}
	switch {
	case r.Kind == record.Open || r.Kind == record.Gap && !s.running:
		s.recovered(r) // this start's own
	case s.opt.Entered != nil && (r.Kind == record.Instruct || r.Kind == record.Decide):
		s.opt.Entered(r)
	}
	s.show()
	s.carryOut(effects)
	s.reopen()
	if in.taken != nil {
		in.taken.seq <- seq
	}
	return nil
}

// show passes on the present state of the machine.
func (s *Station) show() {
	if s.opt.Seen != nil {
		s.opt.Seen(s.machine.View(), s.machine.Touches())
	}
}

// reopen closes the port and opens it again, once for each silence: a port that was suspended or wedged often answers
// after that (reliability notes, B9 and B10).
func (s *Station) reopen() {
	silent := s.machine.Silent()
	if silent && !s.reopenedForSilence && s.link != nil {
		s.link.Reopen(errSilent)
	}
	s.reopenedForSilence = silent
}

var errSilent = errors.New("the board does not answer; opening the port again")

// write puts the effects of the machine into the journal.
func (s *Station) write(effects []watch.Effect) error {
	if len(effects) == 0 {
		return nil
	}
	for _, e := range effects {
		if _, err := s.writer.Add(s.last, e.Kind, e.Body); err != nil {
			return fmt.Errorf("journal: %w", err)
		}
	}
	s.writer.Flush()
	return nil
}

// carryOut carries out effects that are in the journal.
func (s *Station) carryOut(effects []watch.Effect) {
	for _, e := range effects {
		switch e.Kind {
		case record.Tx:
			s.send(e.Body)
		case record.Say:
			if s.opt.Said != nil {
				s.opt.Said(e.Body)
			}
		}
	}
}

// send sends bytes to the board. The link notices a failure and reports the loss as an input.
func (s *Station) send(p []byte) {
	if s.port == nil {
		return
	}
	if err := dgt.CheckCommand(p); err != nil {
		s.opt.Log.Error().Err(err).Msg("refused to send")
		return
	}
	if err := s.port.Send(p); err != nil {
		s.opt.Log.Debug().Err(err).Hex("bytes", p).Msg("send")
	}
}

// finish takes the last events of the link, and closes the journal in order.
func (s *Station) finish(linkDone <-chan struct{}) error {
	var err error
	take := func(in Input) {
		if err == nil {
			err = s.receive(in)
		}
	}
	for done := false; !done; {
		select {
		case in := <-s.wire:
			take(in)
		case in := <-s.inputs:
			take(in)
		case <-linkDone:
			done = true
		}
	}
	for len(s.wire) > 0 {
		take(<-s.wire)
	}
	if err == nil {
		err = s.endFlood(s.Now())
	}
	for len(s.inputs) > 0 {
		take(<-s.inputs)
	}
	if cerr := s.writer.Close(max(s.Now(), s.last), "stop"); cerr != nil {
		err = errors.Join(err, fmt.Errorf("close journal: %w", cerr))
	}
	s.logHead("the journal's head, for boardwatchd verify --head")
	return err
}
