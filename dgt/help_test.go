package dgt

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"errors"
	"io"
	"math/rand"
	"strings"
	"testing"

	"boardwatchd/internal/sharedtest"
)

// unhex decodes hexadecimal text with blanks.
func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.Join(strings.Fields(s), ""))
	if err != nil {
		t.Fatalf("test row %q: %v", s, err)
	}
	return b
}

// shared returns the path of a file of the test material, which is not part of
// the project, and skips the test where it is missing.
func shared(t testing.TB, name ...string) string {
	t.Helper()
	return sharedtest.Path(t, name...)
}

// A wire is a copy of a frame for a test.
type wire struct {
	id     ID
	data   string
	offset int64
}

// decodeChunks feeds the chunks one after the other, checks the account after every call and returns all frames. Each
// chunk is fed from the same buffer, which is overwritten afterwards, as a reader does.
func decodeChunks(t testing.TB, d *Decoder, chunks ...[]byte) []wire {
	t.Helper()
	var got []wire
	var buf []byte
	for _, c := range chunks {
		buf = append(buf[:0], c...)
		d.Feed(buf)
		for f, ok := d.Next(); ok; f, ok = d.Next() {
			got = append(got, wire{f.ID, string(f.Data), f.Offset})
			checkAccount(t, d)
		}
		checkAccount(t, d)
		for i := range buf {
			buf[i] = 0xFF
		}
	}
	return got
}

func checkAccount(t testing.TB, d *Decoder) {
	t.Helper()
	_, n := d.Pending()
	s := d.Stats()
	if s.Bytes != s.FrameBytes+s.Garbage+int64(n) {
		t.Fatalf("account is off: %+v and %d pending", s, n)
	}
}

// bytewise cuts b into single bytes.
func bytewise(b []byte) [][]byte {
	var c [][]byte
	for i := range b {
		c = append(c, b[i:i+1])
	}
	return c
}

// randomChunks cuts b into chunks of 0 to 40 bytes.
func randomChunks(b []byte, seed int64) [][]byte {
	r := rand.New(rand.NewSource(seed))
	var c [][]byte
	for len(b) > 0 {
		n := min(r.Intn(41), len(b))
		c = append(c, b[:n])
		b = b[n:]
	}
	return c
}

// A naiveDecoder is the second opinion in the tests and the baseline in the benchmarks: the same rules written
// literally, a byte at a time from a bufio.Reader, with a new slice for each frame.
type naiveDecoder struct {
	r   *bufio.Reader
	pos int64
}

func newNaive(r io.Reader) *naiveDecoder { return &naiveDecoder{r: bufio.NewReader(r)} }

var errCut = errors.New("another id inside the frame")

// next returns the next frame, or io.EOF.
func (n *naiveDecoder) next() (wire, []byte, error) {
	for {
		id, err := n.r.ReadByte()
		if err != nil {
			return wire{}, nil, err
		}
		n.pos++
		if id < 0x81 {
			continue
		}
		offset := n.pos - 1
		header := make([]byte, 2)
		if err := n.fill(header); err == errCut {
			continue
		} else if err != nil {
			return wire{}, nil, err
		}
		total := int(header[0])*128 + int(header[1])
		if !naiveLength(id, total) {
			continue
		}
		data := make([]byte, total-3)
		if err := n.fill(data); err == errCut {
			continue
		} else if err != nil {
			return wire{}, nil, err
		}
		return wire{id: ID(id), offset: offset}, data, nil
	}
}

// fill reads data bytes and stops before an id byte.
func (n *naiveDecoder) fill(b []byte) error {
	for i := range b {
		c, err := n.r.ReadByte()
		if err != nil {
			return err
		}
		if c >= 0x80 {
			if err := n.r.UnreadByte(); err != nil {
				return err
			}
			return errCut
		}
		n.pos++
		b[i] = c
	}
	return nil
}

// naiveLength is the table of section 4, written a second time.
func naiveLength(id byte, total int) bool {
	switch id {
	case 0x86:
		return total == 67 || total == 103
	case 0x8D:
		return total == 10
	case 0x8E, 0x90, 0x93, 0x96:
		return total == 5
	case 0x8F:
		return total >= 3 && total <= 0x1F03
	case 0x91:
		return total == 8 || total == 12
	case 0x94, 0x95:
		return total == 53
	case 0xA0:
		return total >= 7 && total <= 12
	case 0xA2:
		return total == 13
	}
	return total >= 3 && total <= 259
}

func decodeNaively(b []byte) []wire {
	n := newNaive(bytes.NewReader(b))
	var got []wire
	for {
		w, data, err := n.next()
		if err != nil {
			return got
		}
		w.data = string(data)
		got = append(got, w)
	}
}
