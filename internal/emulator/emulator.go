package emulator

import (
	"boardwatchd/clockproto"
	"boardwatchd/dgt"
	"boardwatchd/internal/random"
	"boardwatchd/rules/legal"
)

// Options describe the emulated equipment. The zero Options is a faultless empty board, a 3:00+2 clock with White on
// its left, and no people.
type Options struct {
	Seed   uint64
	Board  BoardOptions
	Clock  ClockOptions
	Line   LineOptions
	Faults Faults

	Table  legal.Placement // the pieces on the board
	Script []Act           // events at the table; further ones come from People and from Perform
	People People          // the people at the table; nil for none

	WaitForHost bool // the people and the Script begin when a host has asked for updates
}

// Emulator is one board with its clock and its cable. It has no clock, no goroutine
// and no device of its own: time is the argument of Advance. See the package
// comment for the loop.
type Emulator struct {
	now     int64
	scan    scanner
	board   board
	clock   clock
	relay   relay
	line    line
	wire    line // the other direction
	trouble trouble
	acts    agenda
	people  People // nil for none
	white   int    // White's side of the clock: 0 left, 1 right
	linked  bool
	pulls   int   // number of times the cable was pulled
	waiting bool  // for a host
	script  []Act // begins when the host has connected
	face    [7]byte
	frame   []byte
	chunk   []byte
	onLink  func(at int64, up bool)
}

// New builds an emulator.
func New(o Options) *Emulator {
	seed := random.New(o.Seed)
	e := &Emulator{linked: true, waiting: o.WaitForHost, people: o.People, line: newLine(o.Line)}
	e.wire = newLine(LineOptions{Baud: o.Line.Baud, LatencyUS: NoLatency})
	e.trouble = newTrouble(o.Faults, seed.Fork(1))
	boardRNG := seed.Fork(2)
	e.scan = newScanner(o.Board, &boardRNG)
	e.clock = newClock(o.Clock)
	e.relay = newRelay(o.Clock, seed.Fork(3))
	if o.Clock.White == clockproto.Right {
		e.white = 1
	}
	e.scan.power(o.Table)
	e.board = newBoard(o.Board, o.Clock, boardRNG, e.scan.known)
	e.face = e.clock.reading(0).Encode()
	e.relay.current = e.face
	if e.waiting {
		e.script = o.Script
		return e
	}
	e.acts.add(o.Script)
	e.cue(0, Begin)
	return e
}

// OnLink sets the function that is called when the cable is pulled or plugged in again.
func (e *Emulator) OnLink(f func(at int64, up bool)) { e.onLink = f }

// Linked reports whether the cable is plugged in.
func (e *Emulator) Linked() bool { return e.linked }

// Reporting returns the reporting mode of the board.
func (e *Emulator) Reporting() Reporting { return e.board.mode }

// Now returns the instant to which the emulator has been advanced.
func (e *Emulator) Now() int64 { return e.now }

// Cable returns whether the cable is plugged in, and how often the host has seen it pulled.
func (e *Emulator) Cable() (in bool, pulls int) { return e.linked, e.pulls }

// Placement returns the pieces above the coils now, by the names of the squares.
func (e *Emulator) Placement() legal.Placement { return e.scan.placement() }

// Done reports whether the people have left and all their actions have reached the host.
func (e *Emulator) Done() bool {
	return (e.people == nil || e.people.Gone()) && len(e.script) == 0 && e.acts.next() == never && e.scan.first == never &&
		e.relay.head == len(e.relay.queue) && len(e.board.requests) == 0 && e.line.idle() && e.wire.idle()
}

// Perform adds acts at Now or later, for a script that is written while it runs.
func (e *Emulator) Perform(acts []Act) { e.acts.add(acts) }

// Input takes bytes that the host began to write at the given instant. They take time on the wire like the board's own.
func (e *Emulator) Input(at int64, p []byte) {
	if e.linked {
		e.wire.send(max(at, e.now), p)
	}
}

// NextEvent returns the next instant of an event, and false if there is none.
func (e *Emulator) NextEvent() (int64, bool) {
	at := min(e.acts.next(), e.clock.nextChange(), e.relay.next(), e.scan.first,
		e.board.due(), e.line.next(), e.wire.next(), e.trouble.due())
	return at, at != never
}

// Advance lets time pass up to and including the given instant and emits each chunk of bytes at the instant at which
// the host's driver has it. The chunk is valid only during the call.
func (e *Emulator) Advance(to int64, emit func(at int64, p []byte)) {
	for {
		at, ok := e.NextEvent()
		if !ok || at > to {
			break
		}
		e.now = max(e.now, at)
		e.happen(emit)
	}
	e.now = max(e.now, to)
}

// happen processes the events of this instant, in a fixed order of causes.
func (e *Emulator) happen(emit func(at int64, p []byte)) {
	now := e.now
	for e.wire.next() <= now {
		e.chunk = e.wire.deliver(now, e.chunk[:0])
		for _, c := range e.chunk {
			e.hear(now, c)
		}
	}
	e.misfortune(now)
	for e.acts.next() <= now {
		e.act(now, e.acts.pop())
	}
	if e.clock.nextChange() <= now {
		side := e.clock.up
		if e.clock.tick(now) {
			e.flagFell(now, side)
		}
		e.showFace(now)
	}
	for e.relay.next() <= now {
		if e.relay.arrive(now, e.face) && e.board.mode == UpdateNice {
			e.send(now, dgt.ClockData(e.relay.current))
		}
	}
	if e.scan.first <= now {
		e.scan.see(now, func(n int, code dgt.Piece) { e.fieldChanged(now, n, code) })
	}
	e.speak(now)
	for e.line.next() <= now {
		e.chunk = e.line.deliver(now, e.chunk[:0])
		if len(e.chunk) == 0 {
			break
		}
		emit(now, e.chunk)
	}
}

// hear gives one byte to the board.
func (e *Emulator) hear(now int64, c byte) {
	if now < e.trouble.speak {
		return
	}
	e.board.hear(now, c)
	if e.waiting && e.board.mode > Idle {
		e.waiting = false
		for _, a := range e.script {
			a.At += now
			e.acts.push(planned{act: a, seq: e.acts.seq})
			e.acts.seq++
		}
		e.script = nil
		e.cue(now, Begin)
	}
}

// fieldChanged handles a scan visit that found a change.
func (e *Emulator) fieldChanged(now int64, n int, code dgt.Piece) {
	e.board.memory.field(now, n, code, e.scan.known)
	if e.board.mode > Idle {
		e.send(now, dgt.FieldUpdate{Square: byte(n), Piece: code})
	}
}

// speak sends the answers and the periodic messages that are due.
func (e *Emulator) speak(now int64) {
	b := &e.board
	for len(b.requests) > 0 && b.requests[0].at <= now {
		ask := b.requests[0].ask
		b.requests = b.requests[1:]
		if c, ok := ask.(dgt.BusCommand); ok {
			if p := b.busAnswer(nil, c, e.scan.known, e.relay.current); len(p) > 0 {
				e.sendBytes(now, p, 0)
			}
			continue
		}
		if m := b.answer(now, ask, e.scan.known, e.relay.current); m != nil {
			e.send(now, m)
		}
	}
	for len(b.acks) > 0 && b.acks[0].at <= now {
		b.lastAck, b.echoUntil = b.acks[0].ack, now+ackEchoUS
		b.acks = b.acks[1:]
		if !b.listens() {
			continue
		}
		if b.clock.ZeroFirst {
			e.send(now, dgt.ClockData{})
		}
		e.send(now, dgt.ClockData(b.lastAck.Encode()))
	}
	if b.period <= now {
		b.period += updatePeriodUS
		e.send(now, dgt.ClockData(e.relay.current))
	}
}

// send puts a message on the line.
func (e *Emulator) send(now int64, m dgt.Message) {
	e.frame = m.AppendTo(e.frame[:0])
	e.sendBytes(now, e.frame, m.ID())
}
