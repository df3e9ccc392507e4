package qr

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"rsc.io/qr"
)

const (
	maxText    = 500
	quiet      = 4
	quietASCII = 2
)

// ErrLength is for a text that is empty, or too long for a phone to read its code.
var ErrLength = fmt.Errorf("qr: a text must have 1 to %d bytes", maxText)

// A Code is a text as a square of dark and light modules.
type Code struct{ modules *qr.Code }

// New makes the code of a text.
func New(text string) (Code, error) {
	if text == "" || len(text) > maxText {
		return Code{}, ErrLength
	}
	code, err := qr.Encode(text, qr.M)
	if err != nil {
		return Code{}, fmt.Errorf("qr: encode: %w", err)
	}
	for _, level := range []qr.Level{qr.Q, qr.H} {
		if better, err := qr.Encode(text, level); err == nil && better.Size == code.Size {
			code = better
		}
	}
	return Code{code}, nil
}

// Size is the number of modules on a side, without the quiet zone.
func (c Code) Size() int { return c.modules.Size }

// Terminal draws the code for a terminal: with half blocks, or in ASCII if the terminal has no UTF-8.
func (c Code) Terminal(w io.Writer, ascii bool) error {
	if c.modules == nil {
		return errors.New("qr: a code without a text: it must come from New")
	}
	b := bufio.NewWriter(w)
	if ascii {
		c.ascii(b)
	} else {
		c.blocks(b)
	}
	if err := b.Flush(); err != nil {
		return fmt.Errorf("qr: write to the terminal: %w", err)
	}
	return nil
}

const (
	reset = "\x1b[0m"

	blackOnWhite = "\x1b[38;5;16;48;5;231m" // of the 256 colours: themes do not change these
	plainWhite   = "\x1b[30;107m"
	plainBlack   = "\x1b[30;40m"
)

// halves are the characters of a cell: index 1 has the upper module dark, 2 the lower one.
var halves = [4]string{" ", "▀", "▄", "█"}

func (c Code) blocks(b *bufio.Writer) {
	for y := -quiet; y < c.Size()+quiet; y += 2 {
		b.WriteString(blackOnWhite)
		for x := -quiet; x < c.Size()+quiet; x++ {
			cell := 0
			if c.modules.Black(x, y) {
				cell |= 1
			}
			if c.modules.Black(x, y+1) {
				cell |= 2
			}
			b.WriteString(halves[cell])
		}
		b.WriteString(reset + "\n")
	}
}

func (c Code) ascii(b *bufio.Writer) {
	for y := -quietASCII; y < c.Size()+quietASCII; y++ {
		colour := ""
		for x := -quietASCII; x < c.Size()+quietASCII; x++ {
			wanted, cell := plainWhite, "  "
			if c.modules.Black(x, y) {
				wanted, cell = plainBlack, "##"
			}
			if wanted != colour {
				b.WriteString(wanted)
				colour = wanted
			}
			b.WriteString(cell)
		}
		b.WriteString(reset + "\n")
	}
}

// SVG draws the code as a separate image. It has no size, which the caller sets.
func (c Code) SVG() []byte {
	if c.modules == nil {
		return nil
	}
	var b bytes.Buffer
	side := c.Size() + 2*quiet
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" `, side, side)
	fmt.Fprintf(&b, `role="img" shape-rendering="crispEdges"><title>QR code</title><rect width="%d" height="%d" fill="#fff"/><path fill="#000" d="`, side, side)
	for y := range c.Size() {
		for x := 0; x < c.Size(); x++ {
			run := 0
			for c.modules.Black(x+run, y) {
				run++
			}
			if run > 0 {
				fmt.Fprintf(&b, "M%d %dh%dv1h-%dz", x+quiet, y+quiet, run, run)
				x += run
			}
		}
	}
	b.WriteString(`"/></svg>`)
	return b.Bytes()
}
