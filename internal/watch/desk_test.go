package watch_test

import (
	"testing"

	"boardwatchd/clockproto"
	"boardwatchd/dgt"
	"boardwatchd/internal/emulator"
	"boardwatchd/internal/record"
	"boardwatchd/internal/watch"
	"boardwatchd/rules/legal"
)

// A desk is a machine with a board whose answers the test chooses one by one, for orders of events that the emulator
// does not have.
type desk struct {
	*rig
	t      *testing.T
	at     int64
	board  *deskBoard // at the port; nil: none
	wakeAt int64
	asked  []byte // commands since the beginning
}

// A deskBoard is a board with its clock and its own log.
type deskBoard struct {
	serial  string // "": it never sends its number
	pos     legal.Position
	place   legal.Placement
	memory  []byte
	log     func() []byte // its answer; nil: none
	mute    bool
	running legal.Side
	sec     [3]int
	ticked  int64
	noClock bool
	noDump  int // number of requests for a dump without an answer
	noSaid  int // number of requests for the number without an answer
	turned  bool
	bonus   int // what each press adds, s
}

var deskCodes = map[legal.Piece]dgt.Piece{
	legal.NoPiece: dgt.Empty, legal.WhitePawn: dgt.WhitePawn, legal.WhiteRook: dgt.WhiteRook, legal.WhiteKnight: dgt.WhiteKnight,
	legal.WhiteBishop: dgt.WhiteBishop, legal.WhiteKing: dgt.WhiteKing, legal.WhiteQueen: dgt.WhiteQueen,
	legal.BlackPawn: dgt.BlackPawn, legal.BlackRook: dgt.BlackRook, legal.BlackKnight: dgt.BlackKnight,
	legal.BlackBishop: dgt.BlackBishop, legal.BlackKing: dgt.BlackKing, legal.BlackQueen: dgt.BlackQueen,
}

func (b *deskBoard) square(sq legal.Square) byte {
	if b.turned {
		sq = 63 - sq
	}
	return byte((7-int(sq)/8)*8 + int(sq)%8)
}

// aBoard returns a board at the start position, with an hour for each player.
func aBoard(serial string) *deskBoard {
	s := legal.StartSetup(518)
	pos, _ := s.Position()
	b := &deskBoard{serial: serial, pos: pos, place: pos.Placement(), sec: [3]int{0, 3600, 3600}, running: legal.NoSide}
	b.memory = []byte{0x6F}
	b.log = func() []byte { return append(append([]byte(nil), b.memory...), 0x6E, 0x6B) }
	return b
}

func (b *deskBoard) dump() []byte {
	var d dgt.Placement
	for sq, p := range b.place {
		d[b.square(legal.Square(sq))] = deskCodes[p]
	}
	return dgt.BoardDump{Placement: d}.AppendTo(nil)
}

func (b *deskBoard) face() []byte {
	r := clockproto.Reading{NoClock: b.noClock}
	if !b.noClock {
		of := func(s legal.Side) clockproto.Face {
			return clockproto.Face{Seconds: b.sec[s]}
		}
		r = clockproto.Reading{Left: of(legal.White), Right: of(legal.Black), Running: b.running != legal.NoSide, Up: clockproto.Left}
		if b.running == legal.Black {
			r.Up = clockproto.Right
		}
	}
	return dgt.ClockData(r.Encode()).AppendTo(nil)
}

func (b *deskBoard) answer(c byte) []byte {
	switch dgt.Short(c) {
	case dgt.RequestBoard:
		if b.noDump--; b.noDump >= 0 {
			return nil
		}
		return b.dump()
	case dgt.RequestClock:
		return b.face()
	case dgt.RequestSerial:
		if b.noSaid--; b.serial == "" || b.noSaid >= 0 {
			return nil
		}
		var s dgt.Serial
		copy(s.Digits[:], b.serial)
		return s.AppendTo(nil)
	case dgt.RequestVersion:
		return dgt.Version{Major: 1, Minor: 7}.AppendTo(nil)
	case dgt.RequestLog:
		if b.log == nil {
			return nil
		}
		return dgt.Log{Data: b.log()}.AppendTo(nil)
	}
	return nil
}

func newDesk(t *testing.T, b *deskBoard) *desk {
	d := &desk{rig: newRig(watch.Live), t: t, board: b}
	_, d.wakeAt = d.host(0, nil)
	return d
}

// give passes bytes of the board to the machine now.
func (d *desk) give(p []byte) {
	tx, wake := d.host(d.at, p)
	d.wakeAt = wake
	d.answers(tx)
}

func (d *desk) answers(tx []byte) {
	for len(tx) > 0 {
		var rx []byte
		for _, c := range tx {
			d.asked = append(d.asked, c)
			if d.board != nil && !d.board.mute {
				rx = append(rx, d.board.answer(c)...)
			}
		}
		tx = nil
		if len(rx) > 0 {
			tx, d.wakeAt = d.host(d.at, rx)
		}
	}
}

// pass lets time pass; the clock of the board ticks.
func (d *desk) pass(us int64) {
	for end := d.at + us; d.at < end; {
		next := min(end, max(d.wakeAt, d.at+1))
		tick := int64(emulator.Never)
		if b := d.board; b != nil && b.running != legal.NoSide {
			if b.ticked == 0 {
				b.ticked = d.at
			}
			tick = b.ticked + second
			next = min(next, max(tick, d.at))
		}
		d.at = next
		var tx []byte
		tx, d.wakeAt = d.host(d.at, nil)
		d.answers(tx)
		if b := d.board; b != nil && b.running != legal.NoSide && b.ticked+second <= d.at {
			b.ticked += second
			b.sec[b.running]--
			if !b.mute {
				d.give(b.face())
			}
		}
	}
}

// set changes a square of the board at the port.
func (d *desk) set(sq legal.Square, p legal.Piece) {
	if rx := d.board.set(sq, p); !d.board.mute {
		d.give(rx)
	}
}

// A laid is what a hand leaves on a square.
type laid struct {
	sq legal.Square
	is legal.Piece
}

// castle moves king and rook square by square, each after the given time, and the player presses.
func (d *desk) castle(every int64, steps ...laid) {
	for _, s := range steps {
		d.pass(every)
		d.set(s.sq, s.is)
	}
	d.pass(400_000)
	d.give(d.board.press(legal.White))
}

func (b *deskBoard) set(sq legal.Square, p legal.Piece) []byte {
	b.place[sq] = p
	b.memory = append(b.memory, 0x40|byte(deskCodes[p]), b.square(sq))
	return dgt.FieldUpdate{Square: b.square(sq), Piece: deskCodes[p]}.AppendTo(nil)
}

// press returns the press of the player whose clock runs; the first press starts the clock.
func (b *deskBoard) press(s legal.Side) []byte {
	b.sec[s] += b.bonus
	n := b.sec[s]
	tag := byte(0x70)
	if s == legal.Black {
		tag = 0x60
	}
	bcd := func(n int) byte { return byte(n/10<<4 | n%10) }
	b.memory = append(b.memory, tag|byte(n/3600), bcd(n/60%60), bcd(n%60))
	b.running = s.Other()
	return b.face()
}

// changes returns the changed squares of a legal ply.
func (b *deskBoard) changes(san string) (sqs []legal.Square, after legal.Position) {
	m, err := b.pos.ParseSAN(san)
	if err != nil {
		panic(san + ": " + err.Error())
	}
	after = b.pos.After(m)
	place := after.Placement()
	for _, empty := range []bool{true, false} {
		for sq := range place {
			if place[sq] != b.place[sq] && (place[sq] == legal.NoPiece) == empty {
				sqs = append(sqs, legal.Square(sq))
			}
		}
	}
	return sqs, after
}

// play plays moves and presses while the machine listens.
func (d *desk) play(think int64, sans ...string) {
	b := d.board
	for _, san := range sans {
		d.pass(think)
		sqs, after := b.changes(san)
		for _, sq := range sqs {
			p := after.Placement()
			d.set(sq, p[sq])
			d.pass(400_000)
		}
		side := b.pos.Turn()
		b.pos = after
		if !b.noClock {
			b.ticked = d.at
			d.give(b.press(side))
		}
		d.pass(600_000)
	}
}

// unseen plays moves while the machine does not listen.
func (b *deskBoard) unseen(sans ...string) {
	for _, san := range sans {
		sqs, after := b.changes(san)
		for _, sq := range sqs {
			p := after.Placement()
			b.set(sq, p[sq])
		}
		b.sec[b.pos.Turn()] -= 10
		side := b.pos.Turn()
		b.pos = after
		if !b.noClock {
			b.press(side)
		}
	}
}

func (d *desk) down() {
	d.board = nil
	d.step(d.at, record.Down, watch.Annotation{Cause: "unplugged"}.Body())
	_, d.wakeAt = d.host(d.at, nil)
}

func (d *desk) up(b *deskBoard) {
	d.board = b
	if b != nil && b.running != legal.NoSide {
		b.ticked = d.at
	}
	d.step(d.at, record.Up, watch.Annotation{Device: "emulated"}.Body())
	var tx []byte
	tx, d.wakeAt = d.host(d.at, nil)
	d.answers(tx)
}

// start begins a game: the players shake hands, and White's clock is started.
func (d *desk) start() {
	d.pass(3 * second)
	b := d.board
	if !b.noClock {
		b.running, b.ticked = legal.White, d.at
		d.give(b.face())
	}
}

func (d *desk) san() (list []string) {
	for _, g := range d.moves() {
		list = append(list, g...)
	}
	return list
}

func (d *desk) says(what string) (list []string) {
	for _, v := range d.said {
		if v.What == what {
			list = append(list, v.Detail)
		}
	}
	return list
}

func (d *desk) found() (list []string) {
	for _, v := range d.said {
		if v.Type == "finding" {
			list = append(list, v.Kind+" "+v.State)
		}
	}
	return list
}
