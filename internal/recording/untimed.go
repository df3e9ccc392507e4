package recording

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"boardwatchd/dgt"
	"boardwatchd/internal/record"
)

// untimed reads hexadecimal text.
type untimed struct {
	lines   *lines
	decoder dgt.Decoder
	ticks   ticks
	seq     record.Seq
	body    []byte
}

func newUntimed(l *lines) *untimed { return &untimed{lines: l, seq: firstSeq} }

func (c *untimed) next() (Item, error) {
	for {
		text, err := c.lines.next()
		if err != nil {
			return Item{}, err
		}
		text, _, _ = bytes.Cut(text, []byte("#"))
		bad := 0
		if c.body, bad = appendHexText(c.body[:0], text); bad >= 0 {
			found := "the line ends in the middle of a pair"
			if bad < len(text) {
				found = fmt.Sprintf("character %d is %q", bad+1, text[bad])
			}
			return Item{}, c.lines.fail("%s; pairs of hexadecimal digits are expected, like 8e 00 05 34 00, and # before a comment", found)
		}
		if len(c.body) == 0 {
			continue // a comment
		}
		c.decoder.Feed(c.body)
		for f, ok := c.decoder.Next(); ok; f, ok = c.decoder.Next() {
			c.ticks.see(f)
		}
		it := Item{Record: record.Record{Seq: c.seq, At: c.ticks.at, Kind: record.Rx, Body: c.body}, Line: c.lines.number}
		c.seq++
		return it, nil
	}
}

// raw reads the bytes of a board, one record per frame. Bytes outside frames are in the record before the next frame.
type raw struct {
	name    string
	in      io.Reader
	decoder dgt.Decoder
	ticks   ticks
	seq     record.Seq
	chunk   []byte
	buf     []byte // bytes that are in no record yet
	given   int    // bytes of buf in the last record
	offset  int64  // of buf in the stream
	err     error
}

// maxGarbage limits a record when no frame comes; the longest frame is 8 KiB.
const maxGarbage = 32 << 10

func newRaw(name string, in io.Reader) *raw {
	return &raw{name: name, in: in, seq: firstSeq, chunk: make([]byte, 4096)}
}

func (c *raw) next() (Item, error) {
	c.buf = c.buf[:copy(c.buf, c.buf[c.given:])]
	c.offset += int64(c.given)
	c.given = 0
	for {
		if f, ok := c.decoder.Next(); ok {
			c.ticks.see(f)
			return c.give(int(f.Offset + headerLen + int64(len(f.Data)) - c.offset)), nil
		}
		switch {
		case len(c.buf) >= maxGarbage || c.err != nil && len(c.buf) > 0:
			return c.give(len(c.buf)), nil
		case errors.Is(c.err, io.EOF):
			return Item{}, io.EOF
		case c.err != nil:
			return Item{}, fmt.Errorf("read %s: %w", c.name, c.err)
		}
		var n int
		n, c.err = c.in.Read(c.chunk)
		c.buf = append(c.buf, c.chunk[:n]...)
		c.decoder.Feed(c.chunk[:n])
	}
}

// headerLen is the length of a frame's header.
const headerLen = 3

// give makes a record of the first n bytes that are in no record yet.
func (c *raw) give(n int) Item {
	c.given = n
	it := Item{Record: record.Record{Seq: c.seq, At: c.ticks.at, Kind: record.Rx, Body: c.buf[:n]}}
	c.seq++
	return it
}
