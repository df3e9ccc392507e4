package uplink

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"boardwatchd/internal/hall/wire"
	"boardwatchd/internal/journal"
)

// A place is the point in a journal where the uplink goes on.
type place struct {
	segment int
	offset  int64
}

// files reads the files of one journal.
type files struct {
	dir, name string
	open      func(path string) (file, error)
	// skips is called with an unreadable place of a file, and returns whether to go on after it.
	skips func(path string, at int64, err error) bool
}

// A file is a file of a journal, open for reading.
type file interface {
	io.ReaderAt
	io.Closer
	Stat() (fs.FileInfo, error)
}

func openFile(path string) (file, error) { return os.Open(path) }

func (f files) path(segment int) string {
	return filepath.Join(f.dir, journal.SegmentName(f.name, segment))
}

// sizes are the segments that exist as plain files, by number. They are listed anew each time, because a journal has
// few.
func (f files) sizes() (list []wire.Segment) {
	entries, err := journal.List(f.dir)
	if err != nil {
		return nil // listed again later
	}
	for _, e := range entries {
		if e.Name == f.name {
			return segments(e)
		}
	}
	return nil
}

func segments(e journal.Entry) (list []wire.Segment) {
	for _, s := range e.Segments {
		if filepath.Ext(s.Path) == journal.Extension {
			list = append(list, wire.Segment{Number: s.Number, Size: s.Size})
		}
	}
	return list
}

// errShrunk means that a file is shorter than the part that was read of it.
var errShrunk = errors.New("the file is shorter than it was")

// next reads the chunk at a place. A chunk that is neither final nor has data means that nothing is written there yet.
func (f files) next(at place) (c wire.Chunk, err error) {
	c = wire.Chunk{Journal: f.name, Segment: at.segment, Offset: at.offset}
	next, there := f.later(at.segment)
	path := f.path(at.segment)
	file, err := f.open(path)
	if there && (errors.Is(err, fs.ErrNotExist) || unreadable(err) && f.skips(path, 0, err)) { // removed, compressed, or unusable
		return f.next(place{segment: next})
	}
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	if err != nil {
		return c, err
	}
	defer file.Close() // read only
	info, err := file.Stat()
	if err != nil {
		return c, err
	}
	if info.Size() < at.offset {
		return c, fmt.Errorf("%s: %w", path, errShrunk)
	}
	return f.cut(file, c, info.Size(), there)
}

// cut fills a chunk with the bytes at its offset of a file, or after the unreadable places there: the hall asks for
// those if it does not have them. Over means that the file is not written any more.
func (f files) cut(file file, c wire.Chunk, size int64, over bool) (_ wire.Chunk, err error) {
	for c.Offset < size {
		c.Data, err = readAt(file, c.Offset, min(size-c.Offset, wire.MaxChunk))
		if !unreadable(err) || len(c.Data) > 0 || !f.skips(f.path(c.Segment), c.Offset, err) {
			break
		}
		c.Offset, err = min(c.Offset-c.Offset%page+page, size), nil
	}
	left := size - c.Offset
	whole := unreadable(err) && len(c.Data) > 0 // end the chunk before such a place
	if err != nil && !whole {
		return c, err
	}
	if c.Final = over && int64(len(c.Data)) == left; !c.Final && !whole {
		if c.Data, err = wholeLines(file, c.Offset, left, c.Data, over); err != nil {
			return c, err
		}
	}
	c.Remaining = left - int64(len(c.Data))
	return c, nil
}

// wholeLines cuts data after its last line. A line longer than a chunk is read to its end. A file without a line end is
// damaged; once it is not written any more it is sent as it is.
func wholeLines(file io.ReaderAt, offset, left int64, data []byte, over bool) ([]byte, error) {
	if n := bytes.LastIndexByte(data, '\n'); n >= 0 {
		return data[:n+1], nil
	}
	if left < wire.MaxChunk && !over {
		return nil, nil // its end is still to come
	}
	long, err := readAt(file, offset, min(left, wire.MaxLine))
	if unreadable(err) {
		return data, nil
	}
	if err != nil {
		return nil, err
	}
	if n := bytes.IndexByte(long, '\n'); n >= 0 {
		return long[:n+1], nil
	}
	if int64(len(long)) < wire.MaxLine && !over {
		return nil, nil
	}
	return data, nil
}

func readAt(file io.ReaderAt, offset, length int64) ([]byte, error) {
	b := make([]byte, length)
	n, err := file.ReadAt(b, offset)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return b[:n], err
}

// later is the next segment after a segment.
func (f files) later(segment int) (n int, ok bool) {
	if _, err := os.Stat(f.path(segment + 1)); err == nil {
		return segment + 1, true
	}
	if _, err := os.Stat(f.path(segment)); err == nil {
		return 0, false // mostly it is the last one, and this is called for every chunk
	}
	for _, s := range f.sizes() {
		if s.Number > segment {
			return s.Number, true
		}
	}
	return 0, false
}

// holds reports whether the journal has the bytes of a chunk at the chunk's place. An unreadable place counts as equal.
func (f files) holds(c *wire.Chunk) bool {
	file, err := f.open(f.path(c.Segment))
	if err != nil {
		return false
	}
	defer file.Close() // read only
	here, err := readAt(file, c.Offset, int64(len(c.Data)))
	return unreadable(err) && bytes.HasPrefix(c.Data, here) || err == nil && bytes.Equal(here, c.Data)
}

// after is the place after a chunk that the hall has.
func (f files) after(c *wire.Chunk) place {
	switch {
	case c.Journal != f.name:
		return place{segment: f.first()}
	case !f.holds(c):
		return place{segment: f.first()} // the disk may have lost whole segments, and the end of one before them
	case c.Final:
		return place{segment: c.Segment + 1}
	}
	return place{segment: c.Segment, offset: c.End()}
}

func (f files) first() int {
	if list := f.sizes(); len(list) > 0 {
		return list[0].Number
	}
	return 1
}
