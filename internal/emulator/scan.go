package emulator

import (
	"boardwatchd/dgt"
	"boardwatchd/internal/random"
	"boardwatchd/rules/legal"
)

// BoardOptions describe the board.
type BoardOptions struct {
	Reversed    bool   // White sits at the far side: square = 63 − n (DGT protocol notes, section 5.2)
	ScanUS      int64  // a full scan; 0 draws 200–250 ms for the board
	ScanReverse bool   // from square 63 to square 0
	ScanBatch   bool   // all squares at one instant, for boards that report a scan at its end
	Serial      uint16 // serial number = bus address, 1 … 16,383; 0 means 2,718
	ReplyUS     int64  // from a request to its answer; 0 draws 15–40 ms per request
	Log         LogAnswer
}

// LogAnswer is the kind of answer to a request for the log.
type LogAnswer uint8

const (
	LogTrue    LogAnswer = iota
	LogNone              // not at all, as older boards may do
	LogOther             // another game was logged, and then the present pieces
	LogOld               // nothing was logged since the power-up
	LogDamaged           // bytes are missing in it
)

const (
	scanMinUS     = 200_000 // DGT protocol notes, section 11.1
	scanMaxUS     = 250_000
	defaultSerial = 2718
)

// scanner holds the pieces above the coils and the board's last readings. It visits each square once per period at a
// phase of its own. A visit has no effect unless the coil has changed since the last one, so only those visits are
// scheduled.
type scanner struct {
	period   int64
	offset   int64
	phase    [64]int64
	reversed bool
	coil     dgt.Placement // now
	hidden   [64]bool      // a faulty coil that reads empty at present
	known    dgt.Placement // at the last visit: the content of a dump
	visit    [64]int64     // next visit of a square whose coil has changed, or never
	first    int64         // the earliest of them
}

func newScanner(o BoardOptions, r *random.Source) scanner {
	s := scanner{period: o.ScanUS, reversed: o.Reversed, first: never}
	drawn := r.Between(scanMinUS, scanMaxUS)
	if s.period <= 0 {
		s.period = drawn
	}
	s.offset = r.Below(s.period)
	for n := range s.phase {
		turn := int64(n)
		if o.ScanReverse {
			turn = 63 - turn
		}
		if o.ScanBatch {
			turn = 0
		}
		s.phase[n] = (s.offset + turn*s.period/64) % s.period
		s.visit[n] = never
	}
	return s
}

// number returns a square in the board's own numbering.
func (s *scanner) number(sq legal.Square) int {
	n := int(sq) ^ 56 // a8 = 0
	if s.reversed {
		n = 63 - n
	}
	return n
}

// square returns the reverse of number.
func (s *scanner) square(n int) legal.Square {
	if s.reversed {
		n = 63 - n
	}
	return legal.Square(n ^ 56)
}

// power sets the coils and the board's readings, as after a power-up scan.
func (s *scanner) power(table legal.Placement) {
	for sq, p := range table {
		s.coil[s.number(legal.Square(sq))] = codeOf(p)
	}
	s.known = s.coil
}

// sense changes the piece above one coil.
func (s *scanner) sense(now int64, n int, code dgt.Piece) {
	s.coil[n] = code
	s.expect(now, n)
}

// hide makes a coil read empty, or restores it.
func (s *scanner) hide(now int64, n int, hidden bool) {
	s.hidden[n] = hidden
	s.expect(now, n)
}

// expect schedules the next visit of a square.
func (s *scanner) expect(now int64, n int) {
	if s.visit[n] != never {
		return // the scheduled visit will read the latest piece
	}
	wait := (s.phase[n] - now) % s.period
	if wait < 0 {
		wait += s.period
	}
	s.visit[n] = now + wait
	s.first = min(s.first, s.visit[n])
}

// see makes the visits that are due now and calls changed for each difference.
func (s *scanner) see(now int64, changed func(n int, code dgt.Piece)) {
	s.first = never
	for n := range s.visit {
		if s.visit[n] <= now {
			s.visit[n] = never
			code := s.coil[n]
			if s.hidden[n] {
				code = dgt.Empty
			}
			if s.known[n] != code {
				s.known[n] = code
				changed(n, code)
			}
		}
		s.first = min(s.first, s.visit[n])
	}
}

// placement returns the pieces above the coils now, by the names of the squares.
func (s *scanner) placement() legal.Placement {
	var p legal.Placement
	for n, code := range s.coil {
		p[s.square(n)] = pieceOf(code)
	}
	return p
}

// codes translates between the pieces of chess and the codes of the board; the
// orders differ. DGT protocol notes, section 5.1.
var codes = [...]struct {
	piece legal.Piece
	code  dgt.Piece
}{
	{legal.WhitePawn, dgt.WhitePawn}, {legal.WhiteKnight, dgt.WhiteKnight}, {legal.WhiteBishop, dgt.WhiteBishop},
	{legal.WhiteRook, dgt.WhiteRook}, {legal.WhiteQueen, dgt.WhiteQueen}, {legal.WhiteKing, dgt.WhiteKing},
	{legal.BlackPawn, dgt.BlackPawn}, {legal.BlackKnight, dgt.BlackKnight}, {legal.BlackBishop, dgt.BlackBishop},
	{legal.BlackRook, dgt.BlackRook}, {legal.BlackQueen, dgt.BlackQueen}, {legal.BlackKing, dgt.BlackKing},
}

func codeOf(p legal.Piece) dgt.Piece {
	for _, c := range codes {
		if c.piece == p {
			return c.code
		}
	}
	return dgt.Empty
}

func pieceOf(code dgt.Piece) legal.Piece {
	for _, c := range codes {
		if c.code == code {
			return c.piece
		}
	}
	return legal.NoPiece
}
