package dgt

import "fmt"

// A LogKind is the kind of a record of the log (section 7).
type LogKind byte

// The kinds of records.
const (
	LogInvalid       LogKind = iota
	LogField                 // a square changed: Piece, Square, Soon
	LogRightTime             // the lever moved; the halted right clock: Hours, Minutes, Seconds
	LogLeftTime              // the same, left
	LogDelay                 // newer boards: Unit, Amount
	LogPowerUp               // 6A
	LogEnd                   // 6B
	LogFourRows              // 6C, four rows occupied, not the start position
	LogBoardEmpty            // 6D
	LogDownloaded            // 6E, the log was read at this point
	LogStart                 // 6F, start position, connector at White's left
	LogStartReversed         // 7A, start position, the other way round
	LogStartTag              // 7B, bus command 85
	LogWatchdog              // 7C, watchdog reset; newer list: debug
	LogClockState            // 7D, reserved; newer list: new clock state
	LogNewAddress            // 7E, reserved; newer list: new bus address
	LogFiller                // 7F, no operation
	LogZero                  // 00, no operation, another code
	LogErased                // FF, an erased cell; not on the wire, bit 7 is set
)

var logNames = [...]string{
	LogInvalid: "invalid", LogField: "field", LogRightTime: "right time", LogLeftTime: "left time",
	LogDelay: "delay", LogPowerUp: "power-up", LogEnd: "end", LogFourRows: "four rows",
	LogBoardEmpty: "board empty", LogDownloaded: "downloaded", LogStart: "start",
	LogStartReversed: "start reversed", LogStartTag: "start tag", LogWatchdog: "watchdog",
	LogClockState: "clock state", LogNewAddress: "new address", LogFiller: "filler", LogZero: "zero",
	LogErased: "erased",
}

// String names the kind.
func (k LogKind) String() string {
	if int(k) < len(logNames) {
		return logNames[k]
	}
	return fmt.Sprintf("log kind %d", byte(k))
}

// logTags holds the kind of each record of one byte, from 6A on. The codes between them are digits of the left clock.
var logTags = [0x80]LogKind{
	0x00: LogZero,
	0x6A: LogPowerUp, 0x6B: LogEnd, 0x6C: LogFourRows, 0x6D: LogBoardEmpty, 0x6E: LogDownloaded, 0x6F: LogStart,
	0x7A: LogStartReversed, 0x7B: LogStartTag, 0x7C: LogWatchdog, 0x7D: LogClockState, 0x7E: LogNewAddress,
	0x7F: LogFiller,
}

// The unit of a [LogDelay], by its tag. The meaning of its low nibble is not public.
const (
	UnitSubSecond byte = iota
	UnitSeconds
	UnitMinutes
	UnitHours
)

// First bytes of records whose low nibble carries a value.
const (
	tagField     = 0x40
	tagFieldSoon = 0x50
	tagRightTime = 0x60
	tagLeftTime  = 0x70
	tagErased    = 0xFF
)

// A LogRecord is one record of the log. Only the fields that its kind names
// are set.
type LogRecord struct {
	Kind                    LogKind
	Piece                   Piece
	Square                  byte // 0..99, board numbering
	Soon                    bool // less than about 250 ms after the previous change
	Hours, Minutes, Seconds byte
	Unit, Amount            byte
}

// AppendTo appends the record in the form of the log, and nothing for an invalid kind.
func (r LogRecord) AppendTo(dst []byte) []byte {
	switch r.Kind {
	case LogField:
		tag := byte(tagField)
		if r.Soon {
			tag = tagFieldSoon
		}
		return append(dst, tag|byte(r.Piece)&pieceMask, r.Square%squares100)
	case LogRightTime:
		return append(dst, tagRightTime|r.Hours%10, toBCD(r.Minutes), toBCD(r.Seconds))
	case LogLeftTime:
		return append(dst, tagLeftTime|r.Hours%10, toBCD(r.Minutes), toBCD(r.Seconds))
	case LogDelay:
		return append(dst, (r.Unit&3)<<4|r.Amount&0x0F)
	case LogErased:
		return append(dst, tagErased)
	}
	for tag, kind := range logTags {
		if kind == r.Kind && kind != LogInvalid {
			return append(dst, byte(tag))
		}
	}
	return dst
}

// parseLogRecord reads the record at the front of b and its length. The length is zero if there is none.
func parseLogRecord(b []byte) (LogRecord, int) {
	if b[0] == tagErased {
		return LogRecord{Kind: LogErased}, 1
	}
	if b[0] >= 0x80 {
		return LogRecord{}, 0
	}
	if kind := logTags[b[0]]; kind != LogInvalid {
		return LogRecord{Kind: kind}, 1
	}
	low := b[0] & 0x0F
	switch b[0] & 0xF0 {
	case tagField, tagFieldSoon:
		if len(b) < 2 || b[1] >= squares100 {
			return LogRecord{}, 0
		}
		return LogRecord{Kind: LogField, Piece: Piece(low), Square: b[1], Soon: b[0] >= tagFieldSoon}, 2
	case tagRightTime, tagLeftTime:
		if len(b) < 3 || !isSixtieth(b[1]) || !isSixtieth(b[2]) {
			return LogRecord{}, 0
		}
		r := LogRecord{Kind: LogRightTime, Hours: low, Minutes: fromBCD(b[1]), Seconds: fromBCD(b[2])}
		if b[0] >= tagLeftTime {
			r.Kind = LogLeftTime
		}
		return r, 3
	}
	return LogRecord{Kind: LogDelay, Unit: b[0] >> 4, Amount: low}, 1
}

// A LogScanner walks over the records of a log. It never fails: bytes that belong to no record are skipped and counted.
//
// The log is a ring, so the first bytes of its oldest record may be overwritten. ScanLog therefore skips everything up
// to the first byte of 0x40 or more (section 7). The minutes and seconds of a cut clock record can look like such a
// byte; the first record of a log is the least certain one.
type LogScanner struct {
	rest    []byte
	aligned bool // the next byte begins a record
	skipped int
}

// ScanLog walks over a whole log, as [Log] carries it.
func ScanLog(ring []byte) *LogScanner { return &LogScanner{rest: ring} }

// ScanChanges walks over records whose first one is whole, as in bus replies.
func ScanChanges(data []byte) *LogScanner { return &LogScanner{rest: data, aligned: true} }

// Next returns the next record, and false at the end.
func (s *LogScanner) Next() (LogRecord, bool) {
	for len(s.rest) > 0 {
		if s.aligned || s.rest[0] >= tagField {
			if r, n := parseLogRecord(s.rest); n > 0 {
				s.rest = s.rest[n:]
				s.aligned = true
				return r, true
			}
		}
		// After an impossible byte, a small byte may be the rest of a record as well as a delay.
		s.aligned = false
		s.skipped++
		s.rest = s.rest[1:]
	}
	return LogRecord{}, false
}

// Skipped returns the number of bytes so far that belonged to no record.
func (s *LogScanner) Skipped() int { return s.skipped }

// ParseLog returns all records of a log and the number of bytes that belonged to none.
func ParseLog(ring []byte) (records []LogRecord, skipped int) {
	s := ScanLog(ring)
	for r, ok := s.Next(); ok; r, ok = s.Next() {
		records = append(records, r)
	}
	return records, s.Skipped()
}

// isSixtieth reports whether b is 00..59 in BCD.
func isSixtieth(b byte) bool { return b&0x0F <= 9 && b>>4 <= 5 }

func fromBCD(b byte) byte { return b>>4*10 + b&0x0F }

func toBCD(n byte) byte { n %= 60; return n/10<<4 | n%10 }
