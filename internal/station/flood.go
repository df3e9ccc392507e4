package station

import (
	"encoding/hex"
	"time"

	"boardwatchd/dgt"
	"boardwatchd/internal/record"
	"boardwatchd/internal/watch"
)

// This file is about a line that sends garbage at full speed: 9600 baud of it would be 190 MB of journal a day, a
// broken adapter's a hundred times that. Bytes that belong to no message are kept in full up to a budget; beyond it
// only their number, first bytes and time are kept. Messages are always kept, in their order. This is decided here,
// before the machine: the journal contains exactly the machine's input.
//
// Recorded boards send no garbage at all (20,041 bytes of three games), so a board on a good cable never reaches the
// budget; a board with every tenth message damaged does not reach it within a session.
const (
	floodBurst       = 64 << 10 // bytes of garbage that are kept at any speed
	floodDay         = 5 << 20  // bytes of garbage that are kept beyond that in a day, unless Options.Garbage is set: 13 MB of journal
	floodOver        = 10       // seconds: the flood is over when all garbage within that time fits the budget again
	floodSample      = 32       // bytes
	floodReportEvery = time.Minute
	floodStall       = 500 * time.Millisecond // a message that stalls this long is garbage (package dgt, Deadlines)
	floodStallLog    = 15 * time.Second
)

const never = -1 // a time

// A flood measures the garbage of a line and removes it while there is too much. Its times are those of the station.
type flood struct {
	removing bool
	rate     float64 // bytes of garbage a second that may be kept
	room     float64 // bytes of garbage that may still be kept
	at       int64   // time of that value
	known    int64   // garbage already measured of the bytes that the machine received

	dec        dgt.Decoder // while removing: decodes the bytes that the machine does not receive
	base       int64       // the place in the stream of the first byte that may still become part of a message
	passedTo   int64       // the machine has received the stream up to here
	raw        []byte      // bytes from base on
	lastByteAt int64       // time of the last byte
	reportedAt int64       // time of the last Gap record
	dropped    int64       // bytes since the last Gap record
	since      int64       // time of the first of them
	sample     []byte
}

// meter subtracts n more bytes of garbage from the budget.
func (f *flood) meter(at, n int64) {
	if at > f.at {
		f.room += float64(at-f.at) * f.rate / 1e6
		f.at = at
	}
	f.room = max(0, min(f.room, floodBurst)-float64(n))
}

// seen measures the bytes that the machine received, while nothing is removed.
func (f *flood) seen(at int64, st dgt.Stats) {
	n := st.Garbage - f.known
	f.known = st.Garbage
	f.meter(at, n)
}

// begin takes over from the machine, whose decoder may contain the beginning of a message.
func (f *flood) begin(at int64, dec dgt.Decoder) {
	_, n := dec.Pending()
	f.removing, f.dec, f.lastByteAt = true, dec, at
	f.passedTo = dec.Stats().Bytes
	f.base = f.passedTo - int64(n)
	f.raw = append(f.raw[:0], make([]byte, n)...) // never passed on: the machine has them
	f.reportedAt = never
}

// cut takes a chunk and passes on the bytes of messages. gap is called where a record is due before them.
func (f *flood) cut(at int64, p []byte, pass func(p []byte), gap func()) {
	f.lastByteAt = at
	f.raw = append(f.raw, p...)
	f.dec.Feed(p)
	var out []byte
	for {
		m, ok := f.dec.Next()
		if !ok {
			break
		}
		if f.dropTo(at, m.Offset) && f.reportedAt == never {
			flush(out, pass)
			out = nil
			gap()
		}
		out = append(out, f.takeTo(m.Offset+messageHead+int64(len(m.Data)))...)
	}
	flush(out, pass)
	f.resolve(at)
	if f.dropped > 0 && (f.reportedAt == never || at-f.reportedAt >= floodReportEvery.Microseconds()) {
		gap()
	}
}

// messageHead is the length of a message's id and length (protocol notes, section 2).
const messageHead = 3

func flush(out []byte, pass func(p []byte)) {
	if len(out) > 0 {
		pass(out)
	}
}

// resolve drops bytes that can no longer become part of a message.
func (f *flood) resolve(at int64) {
	_, n := f.dec.Pending()
	f.dropTo(at, f.dec.Stats().Bytes-int64(n))
}

// takeTo returns the bytes up to a place that the machine does not have.
func (f *flood) takeTo(to int64) []byte {
	p := f.raw[:to-f.base]
	p = p[min(max(f.passedTo-f.base, 0), int64(len(p))):]
	f.raw, f.base = f.raw[to-f.base:], to
	return p
}

// dropTo drops the bytes up to a place. False means that the machine has all of them.
func (f *flood) dropTo(at, to int64) bool {
	n := to - f.base
	p := f.takeTo(to)
	f.meter(at, n)
	if len(p) == 0 {
		return false
	}
	if f.dropped == 0 {
		f.since, f.sample = at, f.sample[:0]
	}
	f.dropped += int64(len(p))
	f.sample = append(f.sample, p[:min(len(p), floodSample-len(f.sample))]...)
	return true
}

// stall gives up an incomplete message that stalls.
func (f *flood) stall(at int64) {
	id, n := f.dec.Pending()
	wait := floodStall
	if id == dgt.MsgLog {
		wait = floodStallLog
	}
	if n > 0 && at-f.lastByteAt >= wait.Microseconds() {
		f.dec.Abort()
		f.resolve(at)
	}
}

// over reports whether the flood has ended: for a while there was less garbage than may be kept.
func (f *flood) over(at int64) bool {
	f.meter(at, 0)
	return f.room >= min(floodOver*f.rate, floodBurst)
}

// annotation returns the body of the Gap record for the bytes dropped since the last one.
func (f *flood) annotation(at int64, over bool) []byte {
	a := watch.Annotation{Cause: "garbage at full speed: counted, not kept", LeftOut: f.dropped, Over: over}
	if over {
		a.Cause = "the garbage has ended"
	}
	if f.dropped > 0 {
		a.Since, a.Sample = f.since, hex.EncodeToString(f.sample)
	}
	f.dropped, f.reportedAt = 0, at
	return a.Body()
}

// receive steps an input. During a flood only the messages in it are stepped.
func (s *Station) receive(in Input) error {
	f := &s.flood
	switch {
	case f.removing && in.Kind == record.Rx:
		return s.receiveFlood(in)
	case in.Kind == record.Up || in.Kind == record.Down:
		if err := s.endFlood(in.At); err != nil {
			return err
		}
	}
	if err := s.step(in); err != nil || in.Kind != record.Rx {
		return err
	}
	if f.seen(in.At, s.machine.Stats()); f.room == 0 {
		f.begin(in.At, s.machine.Wire())
		s.opt.Log.Warn().Str("remedy", "check cable, adapter and port").
			Msg("garbage fills the line; what is part of no message is counted and no longer kept in the journal")
	}
	return nil
}

func (s *Station) receiveFlood(in Input) error {
	f := &s.flood
	var err error
	do := func(next Input) {
		if err == nil {
			err = s.step(next)
		}
	}
	f.stall(in.At)
	since := in.since
	f.cut(in.At, in.Body, func(p []byte) {
		do(Input{At: in.At, Kind: record.Rx, Body: p, since: since})
		since = 0
	}, func() {
		if since != 0 {
			do(Input{At: in.At, Kind: record.Rx, since: since})
			since = 0
		}
		do(Input{At: in.At, Kind: record.Gap, Body: f.annotation(in.At, false)})
	})
	if since != 0 {
		do(Input{At: in.At, Kind: record.Rx, since: since})
	}
	if err == nil && f.over(in.At) {
		err = s.endFlood(in.At)
	}
	return err
}

// checkFlood handles a line that has fallen silent during a flood.
func (s *Station) checkFlood() error {
	if !s.flood.removing {
		return nil
	}
	if err := s.catchUp(); err != nil {
		return err
	}
	now := s.Now()
	if s.flood.removing {
		s.flood.stall(now)
		if s.flood.over(now) {
			return s.endFlood(now)
		}
	}
	return nil
}

// endFlood passes on all further bytes. The beginning of a possible message goes first.
func (s *Station) endFlood(at int64) error {
	f := &s.flood
	if !f.removing {
		return nil
	}
	f.removing = false
	var rest []byte
	if n := int64(len(f.raw)); n > 0 {
		rest = append(rest, f.takeTo(f.base+n)...)
	}
	if f.dropped > 0 || f.reportedAt != never {
		if err := s.step(Input{At: at, Kind: record.Gap, Body: f.annotation(at, true)}); err != nil {
			return err
		}
	}
	if len(rest) > 0 {
		if err := s.step(Input{At: at, Kind: record.Rx, Body: rest}); err != nil {
			return err
		}
	}
	f.known = s.machine.Stats().Garbage
	s.opt.Log.Info().Msg("the line is clear again, or lost: all that comes is kept in the journal")
	return nil
}
