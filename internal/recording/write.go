package recording

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"

	"boardwatchd/internal/record"
)

// CaptureWriter writes a timed capture.
type CaptureWriter struct {
	w    *bufio.Writer
	line []byte
	err  error // sticky
}

// NewCaptureWriter begins a timed capture. The header, unless it is nil, must encode to a JSON object without a key
// "t"; if it does not, the first Write returns the error.
func NewCaptureWriter(w io.Writer, header any) *CaptureWriter {
	c := &CaptureWriter{w: bufio.NewWriter(w)}
	if header == nil {
		return c
	}
	text, err := json.Marshal(header)
	f, problem := parseFields(text)
	switch {
	case err != nil:
		c.err = fmt.Errorf("write capture: header: %w", err)
	case problem != "" || bytes.Equal(text, []byte("null")):
		c.err = errors.New("write capture: header: a JSON object is expected")
	case f.t != nil || f.dir != nil && f.hex != nil:
		c.err = errors.New(`write capture: header: with a key "t" it would be taken for a line`)
	default:
		_, c.err = c.w.Write(append(text, '\n'))
	}
	return c
}

// Write writes the line of a record. Records of other kinds than Rx and Tx are not part of a capture and are skipped.
func (c *CaptureWriter) Write(r record.Record) error {
	var dir string
	switch {
	case c.err != nil:
		return c.err
	case r.Kind == record.Rx:
		dir = "rx"
	case r.Kind == record.Tx:
		dir = "tx"
	default:
		return nil
	}
	line := append(c.line[:0], `{"t":`...)
	line = appendSeconds(line, r.At)
	line = append(line, `,"dir":"`...)
	line = append(line, dir...)
	line = append(line, `","hex":"`...)
	line = hex.AppendEncode(line, r.Body)
	c.line = append(line, "\"}\n"...)
	_, c.err = c.w.Write(c.line)
	return c.err
}

// Flush writes what is still in memory. The caller calls it at the end.
func (c *CaptureWriter) Flush() error {
	if c.err == nil {
		c.err = c.w.Flush()
	}
	return c.err
}

// appendSeconds writes microseconds as seconds, exactly and without zeros at
// the end.
func appendSeconds(dst []byte, us int64) []byte {
	dst = strconv.AppendInt(dst, us/1_000_000, 10)
	rest := us % 1_000_000
	if rest == 0 {
		return dst
	}
	dst = append(dst, '.')
	start := len(dst)
	dst = strconv.AppendInt(dst, 1_000_000+rest, 10)
	dst = append(dst[:start], dst[start+1:]...) // the 1 that preserved the zeros
	return bytes.TrimRight(dst, "0")
}
