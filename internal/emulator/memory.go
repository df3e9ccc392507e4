package emulator

import (
	"boardwatchd/clockproto"
	"boardwatchd/dgt"
)

// memory is the board's own log of changes. It is kept in every mode, also
// without a host. DGT protocol notes, section 7.
type memory struct {
	ring       []byte
	lastField  int64  // when the last change was logged
	fields     [2]int // squares of the two records before, −1 if they were of another kind
	lastStart  int    // length of the record at the end, for overwriting
	sinceStart int    // offset of the start tag, −1 when there is none
	reported   int    // length already fetched by a bus host
	again      []byte // its last answer
	even       bool
	atStart    bool
}

// logSize is the ring of 0x1F00 bytes.
const logSize = 0x1F00

// soonUS separates the two kinds of field records.
const soonUS = 250_000

func newMemory(stand dgt.Placement) memory {
	m := memory{sinceStart: -1, fields: [2]int{-1, -1}, lastField: -soonUS}
	m.powerUp(stand)
	return m
}

// powerUp writes the records of a power-up: fillers, the tag, and one change per piece found.
func (m *memory) powerUp(stand dgt.Placement) {
	for range 3 {
		m.tag(dgt.LogFiller)
	}
	m.tag(dgt.LogPowerUp)
	for n, code := range stand {
		if code != dgt.Empty {
			m.append(dgt.LogRecord{Kind: dgt.LogField, Piece: code, Square: byte(n)})
		}
	}
	m.style(stand)
	m.reported = len(m.ring)
}

func (m *memory) tag(k dgt.LogKind) { m.append(dgt.LogRecord{Kind: k}) }

func (m *memory) append(r dgt.LogRecord) {
	m.fields = [2]int{m.fields[1], -1}
	if r.Kind == dgt.LogField {
		m.fields[1] = int(r.Square)
	}
	was := len(m.ring)
	m.ring = r.AppendTo(m.ring)
	m.lastStart = len(m.ring) - was
	if over := len(m.ring) - (logSize - 1); over > 0 { // the closing 6B needs a place
		m.ring = append(m.ring[:0], m.ring[over:]...)
		m.reported = max(0, m.reported-over)
		m.sinceStart = max(-1, m.sinceStart-over)
	}
}

// field logs a change.
func (m *memory) field(now int64, n int, code dgt.Piece, stand dgt.Placement) {
	if m.fields[0] == n && m.fields[1] == n && m.reported <= len(m.ring)-m.lastStart {
		// A piece that keeps changing overwrites its last record.
		m.ring = m.ring[:len(m.ring)-m.lastStart]
	}
	m.append(dgt.LogRecord{Kind: dgt.LogField, Piece: code, Square: byte(n), Soon: now-m.lastField < soonUS})
	m.lastField = now
	m.style(stand)
}

// style writes the tags for an empty board and the two start positions, again only after more than two pieces have left
// them.
func (m *memory) style(stand dgt.Placement) {
	empty, home, turned := 0, 0, 0
	for n, code := range stand {
		if code == dgt.Empty {
			empty++
		}
		if code == startCodes[n] {
			home++
		}
		if code == startCodes[63-n] {
			turned++
		}
	}
	switch {
	case empty == 64:
		m.tag(dgt.LogBoardEmpty)
	case home == 64 && !m.atStart:
		m.tag(dgt.LogStart)
		m.atStart = true
	case turned == 64 && !m.atStart:
		m.tag(dgt.LogStartReversed)
		m.atStart = true
	case home < 62 && turned < 62:
		m.atStart = false
	}
}

// startCodes is the orthodox start position, White at the near side.
var startCodes = func() (p dgt.Placement) {
	back := [8]dgt.Piece{dgt.BlackRook, dgt.BlackKnight, dgt.BlackBishop, dgt.BlackQueen, dgt.BlackKing, dgt.BlackBishop, dgt.BlackKnight, dgt.BlackRook}
	const lower = dgt.BlackPawn - dgt.WhitePawn // White's codes are the same, six lower
	for file, code := range back {
		p[file], p[8+file] = code, dgt.BlackPawn
		p[48+file], p[56+file] = dgt.WhitePawn, code-lower
	}
	return p
}()

// lever logs the time of the clock that was stopped.
func (m *memory) lever(halted clockproto.Side, seconds int) {
	r := dgt.LogRecord{
		Kind:  dgt.LogLeftTime,
		Hours: byte(seconds / 3600 % 10), Minutes: byte(seconds / 60 % 60), Seconds: byte(seconds % 60),
	}
	if halted == clockproto.Right {
		r.Kind = dgt.LogRightTime
	}
	m.append(r)
}

// dump returns the whole log; a request leaves a mark in it.
func (m *memory) dump() []byte {
	m.tag(dgt.LogDownloaded)
	return append(append([]byte(nil), m.ring...), endOfLog)
}

const endOfLog = 0x6B

// log returns the answer to the request for the log; nil: there is none.
func (b *board) log(stand dgt.Placement) dgt.Message {
	switch b.opts.Log {
	case LogNone:
		return nil
	case LogOther:
		m := newMemory(startCodes)
		for i, c := range [...][3]int{{52, 36, 1}, {12, 28, 7}, {62, 45, 3}, {1, 18, 9}} { // 1. e4 e5 2. Nf3 Nc6
			stand := startCodes
			m.field(int64(i)*4*second, c[0], dgt.Empty, stand)
			m.field(int64(i)*4*second+second, c[1], dgt.Piece(c[2]), stand)
			m.lever(clockproto.Side(i%2), 300-i)
		}
		m.powerUp(stand)
		return dgt.Log{Data: m.dump()}
	case LogOld:
		m := newMemory(startCodes)
		return dgt.Log{Data: m.dump()}
	case LogDamaged:
		var d []byte
		for i, c := range b.memory.dump() {
			if i%97 != 50 {
				d = append(d, c)
			}
		}
		return dgt.Log{Data: d}
	}
	return dgt.Log{Data: b.memory.dump()}
}

// changes returns the records not fetched yet; they count as fetched from now on.
func (m *memory) changes() []byte {
	m.again = append([]byte(nil), m.ring[m.reported:]...)
	m.reported = len(m.ring)
	m.even = !m.even
	return m.again
}

// mark begins a game: the start tag and the whole position.
func (m *memory) mark(stand dgt.Placement) {
	m.sinceStart = len(m.ring)
	m.tag(dgt.LogStartTag)
	for n, code := range stand {
		if code != dgt.Empty {
			m.append(dgt.LogRecord{Kind: dgt.LogField, Piece: code, Square: byte(n)})
		}
	}
}

// game returns everything since the mark, without the records that changes would deliver.
func (m *memory) game() []byte {
	if m.sinceStart < 0 || m.reported < m.sinceStart {
		return nil
	}
	return append([]byte(nil), m.ring[m.sinceStart:m.reported]...)
}
