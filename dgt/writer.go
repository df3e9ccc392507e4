package dgt

import (
	"errors"
	"fmt"
	"io"
)

// ErrDangerous refuses a command that could make a board unusable or unresponsive: the boot loader, the scan settings
// that persist, and every byte with bit 7, which switches the board to bus mode.
var ErrDangerous = errors.New("dangerous to the board")

// ErrMalformed refuses bytes that are not whole known commands. A board would read the rest of such bytes as other
// commands.
var ErrMalformed = errors.New("not a whole command")

// CheckCommand reports whether b is one or more whole commands that may be sent to a board in single-board mode. The
// error is or wraps [ErrDangerous] or [ErrMalformed] and gives the place.
func CheckCommand(b []byte) error {
	if len(b) == 0 {
		return fmt.Errorf("check command: no bytes: %w", ErrMalformed)
	}
	for i := 0; i < len(b); {
		n, err := checkOne(b[i:])
		if err != nil {
			return fmt.Errorf("check command: byte %d (%02x): %w", i, b[i], err)
		}
		i += n
	}
	return nil
}

// checkOne checks the command at the front of b and returns its length.
func checkOne(b []byte) (int, error) {
	if !variable(b[0]) {
		switch s := Short(b[0]); {
		case b[0] >= 0x80 || s.Dangerous():
			return 0, ErrDangerous
		case !s.Known():
			return 0, ErrMalformed
		}
		return 1, nil
	}
	if len(b) < 2 || b[1] == 0 || b[1] > maxPayload || len(b) < 2+int(b[1]) {
		return 0, ErrMalformed
	}
	n := 2 + int(b[1])
	if highByte(b[2:n]) >= 0 {
		return 0, ErrDangerous
	}
	if b[n-1] != 0 {
		return 0, ErrMalformed
	}
	return n, nil
}

// A Writer sends commands to a board in single-board mode and refuses the dangerous ones. It belongs to one goroutine.
// It does not space commands; a board's buffer holds ten bytes, so the caller leaves 100 ms between two (section 9).
type Writer struct {
	w   io.Writer
	buf []byte
}

// NewWriter returns a Writer on w.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w} }

// Send writes one command with one Write. With [ErrDangerous] and [ErrMalformed] nothing was written. After any other
// error the board may hold the beginning of a command and should be reset.
func (w *Writer) Send(c Command) error {
	w.buf = c.AppendTo(w.buf[:0])
	if err := CheckCommand(w.buf); err != nil {
		return fmt.Errorf("send %v: %w", c, err)
	}
	if _, err := w.w.Write(w.buf); err != nil {
		return fmt.Errorf("send %v: %w", c, err)
	}
	return nil
}
