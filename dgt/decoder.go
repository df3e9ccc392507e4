package dgt

// A Frame is one message from the board, byte for byte as on the wire.
type Frame struct {
	ID     ID
	Data   []byte // without the header; valid until the next Feed or Next
	Offset int64  // of the frame's first byte in the stream
}

// A Decoder cuts the bytes from a board in single-board mode into frames. The zero Decoder is ready for use. It belongs
// to one goroutine.
type Decoder struct{ f framer }

// Feed takes the next chunk of the stream. Call Next until it returns false before the chunk's buffer is used again and
// before the next Feed: the rest of a chunk at the next Feed is dropped and counted as garbage.
func (d *Decoder) Feed(p []byte) { d.f.feed(p) }

// Next returns the next whole frame, and false when the rest of the stream is
// needed. It does not allocate.
func (d *Decoder) Next() (Frame, bool) {
	raw, ok := d.f.next(boardSpans)
	if !ok {
		return Frame{}, false
	}
	return Frame{
		ID:     ID(raw[0]),
		Data:   raw[headerLen:],
		Offset: d.f.stats.Bytes - int64(len(raw)),
	}, true
}

// Abort gives up the incomplete frame, because the link stalled or was lost. Its bytes become garbage; Abort returns
// their number.
func (d *Decoder) Abort() int { return d.f.abort() }

// Pending returns the id of the incomplete frame and the number of its bytes received so far, or zeros between frames.
// The package comment gives the deadlines.
func (d *Decoder) Pending() (ID, int) { return d.f.pending() }

// Stats returns the account of all bytes so far.
func (d *Decoder) Stats() Stats { return d.f.stats }
