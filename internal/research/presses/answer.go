package presses

import (
	"fmt"
	"math"
)

// mode is the reporting mode of section 2.
type mode uint8

const (
	idle mode = iota
	update
	updateBoard
	updateNice
)

func (m mode) fields() bool { return m != idle }

// link is the board's side of the conversation.
type link struct {
	single  bool // bus mode is the state at power-up
	mode    mode
	skip    int    // bytes of a bus command to skip
	command []byte // of variable length, as far as it has arrived
	dead    bool   // the boot loader runs
}

// reply is a message to be sent at an instant.
type reply struct {
	at   int64
	make func() []byte
}

// trademark is neutral: a simulator must not send DGT's text (protocol notes).
const trademark = "Generated board, not a product\nfor tests only\nVs 1.08\nSerial nr. %05d\n"

// take processes one byte from the host (section 16, steps 1 and 2).
func (t *Table) take(at int64, _ func(int64, []byte)) {
	b := t.inputs[0].b
	t.inputs = t.inputs[1:]
	l := &t.link
	switch {
	case t.out || l.dead:
	case l.skip > 0:
		l.skip--
	case b >= 0x80:
		// Bus commands are not answered; in single-board mode one only causes the switch.
		*l = link{skip: 3}
		t.tick = math.MaxInt64
	case len(l.command) > 0:
		l.command = append(l.command, b)
		if len(l.command) >= 2 && len(l.command) == 2+int(l.command[1]) {
			command := l.command
			l.command = nil
			if b == 0 && command[0] == 0x2b {
				t.clockCommand(at, command)
			}
		}
	case b == 0x2b || b == 0x2c || b == 0x60 || b == 0x63:
		t.enter()
		l.command = []byte{b}
	case b >= 0x40 && b <= 0x5a:
		t.enter()
		t.execute(at, b)
	}
}

// enter switches to single-board mode; reporting is then IDLE (section 2).
func (t *Table) enter() {
	if !t.link.single {
		t.link.single, t.link.mode = true, idle
	}
}

func (t *Table) set(at int64, m mode) {
	t.link.mode = m
	t.tick = math.MaxInt64
	if m == update {
		t.tick = at + 500*ms
	}
}

// execute runs a command of one byte (section 3). Unknown commands are not answered.
func (t *Table) execute(at int64, b byte) {
	serial := int(t.truth.Options.Seed%15383) + 1000
	switch b {
	case 0x40:
		t.set(at, idle)
	case 0x41:
		t.later(at, func() []byte {
			d := t.bytes(t.face)
			return append([]byte{0x8d, 0, 10}, d[:]...)
		})
	case 0x42:
		t.later(at, func() []byte { return append([]byte{0x86, 0, 67}, t.image[:]...) })
	case 0x43:
		t.set(at, update)
	case 0x44:
		t.set(at, updateBoard)
	case 0x4b:
		t.set(at, updateNice)
	case 0x45:
		t.text(at, 0x91, fmt.Sprintf("%05d", serial))
	case 0x46:
		// The address is the serial number, which has 14 bits (section 5.5).
		t.text(at, 0x90, string([]byte{byte(serial >> 7 & 0x7f), byte(serial & 0x7f)}))
	case 0x47:
		t.text(at, 0x92, fmt.Sprintf(trademark, serial))
	case 0x49:
		t.later(at, func() []byte { return t.log.dump() })
	case 0x4a:
		t.link = link{}
		t.tick = math.MaxInt64
	case 0x4d:
		t.text(at, 0x93, "\x01\x08")
	case 0x4e:
		t.link.dead = true
	}
	if t.truth.Options.Model != NewBoard {
		return
	}
	switch b {
	case 0x48:
		t.text(at, 0x96, "\x02\x00")
	case 0x4c:
		minutes := at / (60 * sec)
		t.text(at, 0xa0, string([]byte{0x50, 0x7f, 0x7f, byte(minutes / 60), byte(minutes % 60), 0, 0, 0, 2}))
	case 0x55:
		t.text(at, 0xa2, fmt.Sprintf("%010d", serial))
	}
}

// clockCommand acknowledges a clock command only in UPDATE and UPDATE_NICE, after 75 to 400 ms (sections 6.2, 6.5 and
// 16, step 6).
func (t *Table) clockCommand(at int64, p []byte) {
	if len(p) < 5 || p[2] != 0x03 || t.link.mode != update && t.link.mode != updateNice {
		return
	}
	ack := [4]byte{0x10, p[3], 0, 0}
	switch p[3] {
	case 0x09:
		ack[2] = 0x22
	case 0x0a:
		ack[0] = 0x40 // the clock is in a game, not in the mode for remote control
	}
	d0, d3 := byte(0x0a), byte(0x0a)
	d3 |= ack[0] & 0x80 >> 3
	d3 |= ack[1] & 0x80 >> 2
	d0 |= ack[2] & 0x80 >> 3
	d0 |= ack[3] & 0x80 >> 2
	message := []byte{0x8d, 0, 10, d0, ack[0] & 0x7f, ack[1] & 0x7f, d3, ack[2] & 0x7f, ack[3] & 0x7f, 0}
	t.at(at+t.r.between(75*ms, 400*ms), func() []byte { return message })
}

func (t *Table) text(at int64, id byte, data string) {
	n := len(data) + 3
	message := append([]byte{id, byte(n >> 7), byte(n & 0x7f)}, data...)
	t.later(at, func() []byte { return message })
}

// later schedules a reply some milliseconds after the command (section 9, item 7, less the time on the line).
func (t *Table) later(at int64, message func() []byte) {
	t.at(at+t.r.between(3*ms, 35*ms), message)
}

func (t *Table) at(at int64, message func() []byte) {
	i := len(t.replies)
	for i > 0 && t.replies[i-1].at > at {
		i--
	}
	t.replies = append(t.replies, reply{})
	copy(t.replies[i+1:], t.replies[i:])
	t.replies[i] = reply{at, message}
}

func (t *Table) answer(at int64, _ func(int64, []byte)) {
	r := t.replies[0]
	t.replies = t.replies[1:]
	t.send(at, r.make())
}

// eeprom is the board's own log (section 7). The rule that a single piece that keeps changing overwrites its record is
// not modelled.
type eeprom struct {
	data []byte
	last int64
}

// logBytes is the size of the ring.
const logBytes = 0x1f00

func (e *eeprom) powerUp(image [64]byte, reversed bool) {
	e.data = append(e.data, 0x7f, 0x7f, 0x7f, 0x6a)
	for n, c := range image {
		if c != 0 {
			e.data = append(e.data, 0x50|c, byte(n))
		}
	}
	start := byte(0x6f)
	if reversed {
		start = 0x7a
	}
	e.data = append(e.data, start)
}

func (e *eeprom) field(at int64, f fieldReport) {
	tag := byte(0x40)
	if e.last != 0 && at-e.last < 250*ms {
		tag = 0x50
	}
	e.last = at
	e.data = append(e.data, tag|f.code, f.number)
}

func (e *eeprom) lever(left bool, shown int64) {
	tag := byte(0x60)
	if left {
		tag = 0x70
	}
	e.data = append(e.data, tag|byte(min(shown/3600, 9)), bcd(shown/60%60), bcd(shown%60))
}

// dump returns message 8F: the oldest byte first, with no-operation records where the ring was never written.
func (e *eeprom) dump() []byte {
	p := []byte{0x8f, 0x3e, 0x03}
	data := e.data[max(0, len(e.data)-(logBytes-1)):]
	for range logBytes - 1 - len(data) {
		p = append(p, 0x7f)
	}
	p = append(append(p, data...), 0x6b)
	e.data = append(e.data, 0x6e)
	return p
}
