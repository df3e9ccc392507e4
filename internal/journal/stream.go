package journal

import (
	"bytes"

	"boardwatchd/internal/record"
)

// cursor is a place in the stream of lines, after a whole record.
type cursor struct {
	off   int64 // bytes since the writer began
	seq   record.Seq
	chain record.Chain // of that record
}

// stream is the sequence of all lines of a writer, with three cursors on it:
//
//	durable <= written <= appended
//
// The lines after durable are kept in memory. After a failed segment, written is moved back to durable and writing
// continues in a new file: the lines are the same, byte for byte.
type stream struct {
	lines                      []byte // from durable.off to appended.off
	appended, written, durable cursor
	at                         int64 // of the last record
}

// add encodes r after the last line. The record must be one that Check accepts.
func (s *stream) add(r record.Record) {
	before := len(s.lines)
	lines, chain := record.AppendLine(s.lines, r, s.appended.chain)
	s.lines = lines
	s.appended = cursor{s.appended.off + int64(len(lines)-before), r.Seq, chain}
	s.at = r.At
}

// keepRoom is the memory that a healthy writer keeps for lines.
const keepRoom = 256 << 10

// unwritten returns the lines after the written cursor, up to limit unless that is 0. They stay unchanged until synced
// is called.
func (s *stream) unwritten(limit int64) []byte {
	end := len(s.lines)
	if limit > 0 {
		end = int(limit - s.durable.off)
	}
	return s.lines[s.written.off-s.durable.off : end]
}

// wrote moves the written cursor to the end of the last whole line among the first n bytes of unwritten, and reports
// whether there was one.
func (s *stream) wrote(n int) bool {
	chunk := s.unwritten(0)[:n]
	end := bytes.LastIndexByte(chunk, '\n') + 1
	if end == 0 {
		return false
	}
	begin := bytes.LastIndexByte(chunk[:end-1], '\n') + 1
	var seq record.Seq
	for _, b := range chunk[begin:] {
		if b == ' ' {
			break
		}
		seq = 10*seq + record.Seq(b-'0')
	}
	s.written = cursor{s.written.off + int64(end), seq, record.ChainOf(chunk[begin : end-1])}
	return true
}

// synced moves the durable cursor to c and drops the lines before it.
func (s *stream) synced(c cursor) {
	if c.off <= s.durable.off {
		return
	}
	n := copy(s.lines, s.lines[c.off-s.durable.off:])
	s.lines = s.lines[:n]
	if n == 0 && cap(s.lines) > keepRoom {
		s.lines = nil // a long outage is over
	}
	s.durable = c
}

// rewind schedules everything that is not durable to be written again.
func (s *stream) rewind() { s.written = s.durable }
