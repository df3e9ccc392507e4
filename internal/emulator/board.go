package emulator

import (
	"fmt"

	"boardwatchd/clockproto"
	"boardwatchd/dgt"
	"boardwatchd/internal/random"
)

// Reporting is the kind of messages that a board in single-board mode sends without a request.
type Reporting uint8

// The reporting modes. DGT protocol notes, section 2.
const (
	NoReporting Reporting = iota // bus mode
	Idle
	Update      // field updates, and the clock every 500 ms
	UpdateBoard // field updates
	UpdateNice  // field updates, and the clock at each change
)

func (r Reporting) String() string {
	names := [...]string{"none", "idle", "update", "update-board", "update-nice"}
	if int(r) < len(names) {
		return names[r]
	}
	return fmt.Sprintf("reporting(%d)", uint8(r))
}

const (
	updatePeriodUS = 500_000 // section 2: normally every 500 ms
	replyMinUS     = 15_000
	replyMaxUS     = 40_000
	ackMinUS       = 75_000 // section 6.6, measured by others
	ackMaxUS       = 400_000
	ackEchoUS      = second // section 6.6: a 41 may bring the acknowledgement again
)

// trademark is a text of this project: DGT's must not be sent.
const trademark = "boardwatchd emulated board\nVs 1.07\nSerial nr. "

// board is the electronics: link mode, reporting mode, requests in progress, and the board's knowledge of the clock.
type board struct {
	opts      BoardOptions
	rng       random.Source
	ear       dgt.CommandDecoder
	mode      Reporting
	requests  []request
	acks      []ackDue
	period    int64 // next message of Update
	lastAck   clockproto.Ack
	echoUntil int64
	skipPing  bool
	memory    memory
	clock     ClockOptions
}

// request is a command whose answer is in progress.
type request struct {
	at  int64
	ask dgt.Command
}

type ackDue struct {
	at  int64
	ack clockproto.Ack
}

func newBoard(o BoardOptions, c ClockOptions, r random.Source, stand dgt.Placement) board {
	if o.Serial == 0 {
		o.Serial = defaultSerial
	}
	o.Serial &= 0x3FFF
	return board{opts: o, clock: c, rng: r, period: never, memory: newMemory(stand)}
}

// restart is a power-up: bus mode, no requests in progress.
func (b *board) restart(stand dgt.Placement) {
	b.ear = dgt.CommandDecoder{}
	b.report(NoReporting, 0)
	b.requests, b.acks, b.echoUntil = nil, nil, 0
	b.memory.powerUp(stand)
}

func (b *board) report(r Reporting, now int64) {
	b.mode, b.period = r, never
	if r == Update {
		b.period = now + updatePeriodUS
	}
}

func (b *board) due() int64 {
	at := b.period
	if len(b.requests) > 0 {
		at = min(at, b.requests[0].at)
	}
	if len(b.acks) > 0 {
		at = min(at, b.acks[0].at)
	}
	return at
}

// hear takes one byte from the host.
func (b *board) hear(now int64, c byte) {
	b.ear.Feed([]byte{c})
	for order, ok := b.ear.Next(); ok; order, ok = b.ear.Next() {
		if order.Switched { // entering either mode ends all reporting
			b.report(NoReporting, now)
			if order.Mode == dgt.SingleBoardMode {
				b.report(Idle, now)
			}
		}
		if order.Command != nil {
			b.obey(now, order.Command)
		}
	}
}

// obey changes the mode at once and schedules every answer.
func (b *board) obey(now int64, c dgt.Command) {
	switch c {
	case dgt.Reset:
		b.report(Idle, now)
	case dgt.SetUpdate:
		b.report(Update, now)
	case dgt.SetUpdateBoard:
		b.report(UpdateBoard, now)
	case dgt.SetUpdateNice:
		b.report(UpdateNice, now)
	default:
		if m, ok := c.(dgt.ClockMessage); ok {
			b.relayToClock(now, m)
			return
		}
		b.ask(now, c)
	}
}

// ask queues a request; answers keep the order of the requests.
func (b *board) ask(now int64, c dgt.Command) {
	delay := b.rng.Between(replyMinUS, replyMaxUS)
	if b.opts.ReplyUS > 0 {
		delay = b.opts.ReplyUS
	}
	if bus, ok := c.(dgt.BusCommand); ok && bus.Code == dgt.BusPing && bus.Address == 0 {
		delay += b.rng.Below(1_100_000) // section 8.2: at a random time
	}
	at := now + delay
	if n := len(b.requests); n > 0 {
		at = max(at, b.requests[n-1].at)
	}
	b.requests = append(b.requests, request{at: at, ask: c})
}

// relayToClock sends a command to the clock, which acknowledges it later.
func (b *board) relayToClock(now int64, m dgt.ClockMessage) {
	c, err := clockproto.ParseCommand(m.Payload)
	if err != nil || b.clock.None {
		return // a clock that is missing, or does not understand, never answers
	}
	ack := clockproto.Ack{A0: clockproto.StatusOK, A1: byte(c.Code())}
	switch {
	case c.Code() == clockproto.CodeQueryVersion:
		ack = clockproto.VersionAck(2, 2)
	case c.Code() == clockproto.CodeSetAndRun && b.clock.Refuse:
		ack.A0 = clockproto.StatusRefused
	}
	delay := b.rng.Between(ackMinUS, ackMaxUS)
	if b.clock.AckUS > 0 {
		delay = b.clock.AckUS
	}
	at := now + delay
	if n := len(b.acks); n > 0 {
		at = max(at, b.acks[n-1].at)
	}
	b.acks = append(b.acks, ackDue{at: at, ack: ack})
}

// listens reports whether clock messages and acknowledgements are sent without a request.
func (b *board) listens() bool { return b.mode == Update || b.mode == UpdateNice }

// answer returns the answer to a request; nil if the board stays silent.
func (b *board) answer(now int64, ask dgt.Command, stand dgt.Placement, face [7]byte) dgt.Message {
	switch ask {
	case dgt.RequestClock:
		if b.clock.ZeroFirst && now < b.echoUntil {
			return dgt.ClockData(b.lastAck.Encode())
		}
		return dgt.ClockData(face)
	case dgt.RequestBoard:
		return dgt.BoardDump{Placement: stand}
	case dgt.RequestSerial:
		return dgt.Serial{Digits: b.digits()}
	case dgt.RequestBusAddress:
		return dgt.BusAddress{Address: dgt.Address(b.opts.Serial)}
	case dgt.RequestTrademark:
		d := b.digits()
		return dgt.Trademark{Text: trademark + string(d[:])}
	case dgt.RequestVersion:
		return dgt.Version{Major: 1, Minor: 7}
	case dgt.RequestHardware:
		return dgt.Hardware{Major: 1}
	case dgt.RequestLog:
		return b.log(stand)
	case dgt.RequestBattery:
		na := byte(dgt.NotAvailable)
		return dgt.Battery{Percent: 80, LeftHours: na, LeftMinutes: na, Discharging: true}
	case dgt.RequestLongSerial:
		d := b.digits()
		m := dgt.LongSerial{Text: [10]byte{'0', '0', '0', '0', '0'}}
		copy(m.Text[5:], d[:])
		return m
	}
	return nil // a board that does not know a request never answers: section 3
}

func (b *board) digits() (d [5]byte) {
	n := b.opts.Serial
	for i := range d {
		d[4-i] = '0' + byte(n%10)
		n /= 10
	}
	return d
}
