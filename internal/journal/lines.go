package journal

import (
	"bytes"
	"io"

	"boardwatchd/internal/record"
)

// line is a piece of a segment up to a newline.
type line struct {
	text   []byte // without the newline; valid until the next call of next
	number int64  // from 1
	offset int64  // of its first byte in the segment
	whole  bool   // it ended with a newline
}

// lines cuts a stream into lines. A line longer than record.MaxLine is returned in pieces that are not whole, so that
// memory is bounded for any input.
type lines struct {
	src        io.Reader
	buf        []byte
	start, end int // the bytes of buf that are not returned yet
	number     int64
	offset     int64 // of buf[start]
	err        error
	skips      int   // places that could not be read
	step       int64 // of the last skip
	stepAt     int64 // the place to which it led
}

// readSize is the size of one read of a segment, about 800 records: the cost of the system call is negligible, and a
// short journal does not pay for a large buffer.
const readSize = 64 << 10

func newLines(src io.Reader, buf []byte) *lines {
	if buf == nil {
		buf = make([]byte, readSize)
	}
	return &lines{src: src, buf: buf, number: 1}
}

// next returns the next line. At the end of the stream ok is false, and err is the reason unless it is the end of the
// file.
func (l *lines) next() (ln line, ok bool) {
	scanned := 0
	for {
		if i := bytes.IndexByte(l.buf[l.start+scanned:l.end], '\n'); i >= 0 {
			return l.take(scanned+i, true), true
		}
		scanned = l.end - l.start
		if scanned >= record.MaxLine || l.err != nil && scanned > 0 {
			return l.take(scanned, false), true
		}
		if l.err != nil {
			return line{}, false
		}
		l.fill()
	}
}

// take returns n bytes and skips a newline after them.
func (l *lines) take(n int, whole bool) line {
	ln := line{text: l.buf[l.start : l.start+n], number: l.number, offset: l.offset, whole: whole}
	if whole {
		n++
		l.number++
	}
	l.start += n
	l.offset += int64(n)
	return ln
}

// fill reads more bytes into the buffer.
func (l *lines) fill() {
	if l.start > 0 {
		l.end = copy(l.buf, l.buf[l.start:l.end])
		l.start = 0
	}
	if l.end == len(l.buf) {
		l.buf = append(l.buf, make([]byte, len(l.buf))...)
	}
	// A reader may return no bytes for a while, but not for ever.
	for range 100 {
		n, err := l.src.Read(l.buf[l.end:])
		l.end += n
		l.err = err
		if n > 0 || err != nil {
			return
		}
	}
	l.err = io.ErrNoProgress
}

const (
	skipLeast = 4 << 10 // a page: a disk and the system skip no less
	skipsMost = 64      // of a file; each may take a disk seconds
)

// skip continues after a place that cannot be read, if all bytes before it were returned and the stream can seek. Each
// skip that leads to another such place is twice as long, so that a dead disk is not asked for each of its pages.
func (l *lines) skip() bool {
	s, ok := l.src.(io.Seeker)
	if l.skips++; !ok || l.skips > skipsMost {
		return false
	}
	if l.offset != l.stepAt {
		l.step = 0
	}
	l.step = max(skipLeast, 2*l.step)
	end, err := s.Seek(0, io.SeekEnd)
	to := min(l.offset-l.offset%skipLeast+l.step, end)
	if err != nil || to <= l.offset {
		return false
	}
	if _, err := s.Seek(to, io.SeekStart); err != nil {
		return false
	}
	l.start, l.end, l.offset, l.stepAt, l.err = 0, 0, to, to, nil
	return true
}
