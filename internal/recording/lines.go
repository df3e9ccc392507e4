package recording

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// maxLine is the longest line of a capture, in bytes.
const maxLine = 1 << 20

// LineError names a line of a capture that cannot be read, and the reason. The lines before it were read and are good.
type LineError struct {
	File    string
	Line    int64 // from 1
	Problem string
}

func (e *LineError) Error() string { return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Problem) }

// lines yields the lines of a text.
type lines struct {
	name   string
	r      *bufio.Reader
	long   []byte // a line longer than the buffer of r
	number int64  // of the last line yielded
	whole  bool   // it ended with a newline
}

func newLines(name string, r *bufio.Reader) *lines { return &lines{name: name, r: r} }

// next returns the next line that is not blank, without the blanks around it. It is valid until the next call.
func (l *lines) next() ([]byte, error) {
	for {
		text, err := l.read()
		if err != nil {
			return nil, err
		}
		if l.number == 1 {
			text = bytes.TrimPrefix(text, byteOrderMark)
		}
		if text = bytes.TrimSpace(text); len(text) > 0 {
			return text, nil
		}
	}
}

func (l *lines) read() ([]byte, error) {
	text, err := l.r.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		l.long = append(l.long[:0], text...)
		for errors.Is(err, bufio.ErrBufferFull) && len(l.long) <= maxLine {
			text, err = l.r.ReadSlice('\n')
			l.long = append(l.long, text...)
		}
		text = l.long
	}
	l.number++
	l.whole = err == nil
	switch {
	case len(text) > maxLine:
		return nil, l.fail("the line is longer than %d bytes; a capture has one read of the port per line", maxLine)
	case errors.Is(err, io.EOF) && len(text) > 0:
		return text, nil
	case errors.Is(err, io.EOF):
		return nil, io.EOF
	case err != nil:
		return nil, fmt.Errorf("read line %d of %s: %w", l.number, l.name, err)
	}
	return text, nil
}

// fail is an error about the last line.
func (l *lines) fail(format string, args ...any) error {
	e := &LineError{File: l.name, Line: l.number, Problem: fmt.Sprintf(format, args...)}
	if !l.whole {
		e.Problem += "; it is the last line and may be cut off"
	}
	return e
}
