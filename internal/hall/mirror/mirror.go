package mirror

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"boardwatchd/internal/journal"
)

// A Store is the directory of all mirrored journals: one directory for each computer.
type Store struct{ dir string }

// Open returns the store in a directory, which is made with the first piece.
func Open(dir string) *Store { return &Store{dir} }

// Computers are the computers with journals here.
func (s *Store) Computers() (names []string) {
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return nil // nothing yet
	}
	for _, e := range entries {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	return names
}

// List are the journals of a computer.
func (s *Store) List(computer string) []journal.Entry {
	entries, err := journal.List(filepath.Join(s.dir, computer))
	if err != nil {
		return nil // nothing yet
	}
	return entries
}

// Sizes are the bytes of each computer's journals. A directory that cannot be read is left out and is the error.
func (s *Store) Sizes() (of map[string]int64, err error) {
	of = map[string]int64{}
	for _, computer := range s.Computers() {
		list, e := journal.List(filepath.Join(s.dir, computer))
		if e != nil {
			err = errors.Join(err, e)
			continue
		}
		of[computer] = 0
		for _, j := range list {
			of[computer] += j.Size
		}
	}
	return of, err
}

// SetAside are the paths of a computer's files that were set aside, by their journals.
func (s *Store) SetAside(computer string) map[string][]string {
	of := map[string][]string{}
	entries, err := os.ReadDir(filepath.Join(s.dir, computer))
	if err != nil {
		return of // nothing yet
	}
	for _, e := range entries {
		segment, _, lost := strings.Cut(e.Name(), lostExtension)
		if name, _, ok := journal.ParseSegmentName(segment); ok && lost && e.Type().IsRegular() {
			of[name] = append(of[name], filepath.Join(s.dir, computer, e.Name()))
		}
	}
	return of
}

// Journal opens the mirror of a journal, which may be empty.
func (s *Store) Journal(computer, name string) (*Journal, error) {
	if err := journal.CheckName(name); err != nil {
		return nil, err
	}
	j := &Journal{dir: filepath.Join(s.dir, computer), name: name, sizes: map[int]int64{}}
	if err := os.MkdirAll(j.dir, 0o700); err != nil {
		return nil, fmt.Errorf("mirror: %w", err)
	}
	for _, e := range s.List(computer) {
		if e.Name != name {
			continue
		}
		for _, f := range e.Segments {
			j.sizes[f.Number] = f.Size
		}
	}
	return j, nil
}

// A Journal is the mirror of one journal.
type Journal struct {
	dir, name string
	sizes     map[int]int64
	ended     int      // the last segment whose end was put
	file      *os.File // of the open segment; nil: none
	open      int
}

// Name is the journal's.
func (j *Journal) Name() string { return j.name }

// Path is the file of a segment.
func (j *Journal) Path(segment int) string {
	return filepath.Join(j.dir, journal.SegmentName(j.name, segment))
}

// Size is how many bytes of a segment are here.
func (j *Journal) Size(segment int) int64 { return j.sizes[segment] }

// Ended is the last segment whose end was put since the mirror was opened; 0: none.
func (j *Journal) Ended() int { return j.ended }

// Empty reports that no segment is here.
func (j *Journal) Empty() bool { return len(j.sizes) == 0 }

// First is the lowest segment number that is here.
func (j *Journal) First() (n int) {
	for number := range j.sizes {
		if n == 0 || number < n {
			n = number
		}
	}
	return n
}

// Last is the highest segment number that is here.
func (j *Journal) Last() (n int) {
	for number := range j.sizes {
		n = max(n, number)
	}
	return n
}

// End reads the last bytes of the last segment, at most most, and returns their offset.
func (j *Journal) End(most int64) (segment int, offset int64, data []byte, err error) {
	segment = j.Last()
	if err := j.use(segment); err != nil {
		return segment, 0, nil, err
	}
	size := j.sizes[segment]
	offset = max(size-most, 0)
	data = make([]byte, size-offset)
	if _, err := j.file.ReadAt(data, offset); err != nil {
		return segment, offset, nil, fmt.Errorf("mirror: %w", err)
	}
	return segment, offset, data, nil
}

// An Outcome is the result of Put.
type Outcome struct {
	Fresh []byte // the end of the piece, which was appended
	Hole  bool   // nothing was done: bytes before the piece are missing
	From  int64
	Lost  string // the file that was set aside; "": none
}

// Put writes a piece of a segment. With final the segment ends after it.
func (j *Journal) Put(segment int, offset int64, data []byte, final bool) (out Outcome, err error) {
	size := j.sizes[segment]
	if offset > size {
		return Outcome{Hole: true, From: size}, nil
	}
	if err := j.use(segment); err != nil {
		return out, err
	}
	there := int(min(size-offset, int64(len(data))))
	same, err := j.agrees(offset, data[:there])
	if err != nil {
		return out, err
	}
	end := offset + int64(len(data))
	switch {
	case !same:
		out.Lost, err = j.setAside(segment, offset)
		there = 0
	case final && size > end:
		out.Lost, err = j.setAside(segment, end)
	}
	if err == nil && out.Lost != "" {
		err = j.DropAfter(segment)
	}
	if err != nil {
		return out, err
	}
	out.Fresh = data[there:]
	if len(out.Fresh) > 0 {
		n, err := j.file.WriteAt(out.Fresh, offset+int64(there))
		j.sizes[segment] = max(j.sizes[segment], offset+int64(there+n))
		if err != nil {
			return Outcome{Lost: out.Lost}, fmt.Errorf("mirror: %w", err)
		}
	}
	if final {
		if err = j.file.Sync(); err == nil {
			j.ended = max(j.ended, segment)
		}
	}
	return out, err
}

// DropAfter sets aside the segments after one, because their records follow bytes that differ from the board's. The
// board sends them again if it has them.
func (j *Journal) DropAfter(segment int) error {
	j.ended = min(j.ended, segment)
	if j.open > segment {
		if err := j.Close(); err != nil {
			return err
		}
	}
	for n := range j.sizes {
		if n <= segment {
			continue
		}
		if err := os.Rename(j.Path(n), lostName(j.Path(n))); err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("mirror: %w", err)
		}
		delete(j.sizes, n)
	}
	return nil
}

// lostExtension and a number are appended to the name of a segment that was set aside.
const lostExtension = ".lost-"

// lostName returns the first free name for a segment that is set aside, or else the last name, whose file is replaced.
func lostName(path string) (lost string) {
	for n := 1; n <= maxLost; n++ {
		lost = fmt.Sprintf("%s%s%d", path, lostExtension, n)
		if _, err := os.Lstat(lost); errors.Is(err, os.ErrNotExist) {
			break
		}
	}
	return lost
}

// Drop sets a whole segment aside: it differs from the board's.
func (j *Journal) Drop(segment int) (lost string, err error) {
	if err := j.use(segment); err != nil {
		return "", err
	}
	return j.setAside(segment, 0)
}

// use opens the file of a segment.
func (j *Journal) use(segment int) error {
	if j.file != nil && j.open == segment {
		return nil
	}
	if err := j.Close(); err != nil {
		return err
	}
	f, err := os.OpenFile(j.Path(segment), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("mirror: %w", err)
	}
	j.file, j.open = f, segment
	j.sizes[segment] = max(j.sizes[segment], 0)
	return nil
}

// agrees reports whether the file of the open segment has these bytes at an offset.
func (j *Journal) agrees(offset int64, data []byte) (bool, error) {
	if len(data) == 0 {
		return true, nil
	}
	here := make([]byte, len(data))
	if _, err := j.file.ReadAt(here, offset); err != nil && !errors.Is(err, io.EOF) {
		return false, fmt.Errorf("mirror: %w", err)
	}
	return bytes.Equal(here, data), nil
}

// maxLost is how many files of one segment are kept aside. A further one replaces the last.
const maxLost = 3

// setAside renames the file of the open segment and goes on with a copy of its first bytes.
func (j *Journal) setAside(segment int, keep int64) (lost string, err error) {
	path := j.Path(segment)
	lost = lostName(path)
	old := j.file
	j.file, j.open, j.ended = nil, 0, min(j.ended, segment-1)
	defer old.Close() // a write error of the file that was set aside does not matter
	if err := os.Rename(path, lost); err != nil {
		return "", fmt.Errorf("mirror: %w", err)
	}
	j.sizes[segment] = 0
	if err := j.use(segment); err != nil {
		return lost, err
	}
	n, err := io.Copy(j.file, io.NewSectionReader(old, 0, keep))
	j.sizes[segment] = n
	if err == nil && n < keep {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return lost, fmt.Errorf("mirror: %w", err)
	}
	return lost, nil
}

// Sum is the SHA-256 of the first bytes of a segment, in hexadecimal.
func Sum(path string, length int64) (sum string, err error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close() // read only
	return SumOf(f, length)
}

// SumOf is Sum of a reader.
func SumOf(r io.Reader, length int64) (sum string, err error) {
	h := sha256.New()
	n, err := io.Copy(h, io.LimitReader(r, length))
	if err == nil && n < length {
		err = io.ErrUnexpectedEOF
	}
	return hex.EncodeToString(h.Sum(nil)), err
}

// Close syncs and closes the open file.
func (j *Journal) Close() error {
	if j.file == nil {
		return nil
	}
	err := errors.Join(j.file.Sync(), j.file.Close())
	j.file, j.open = nil, 0
	if err != nil {
		return fmt.Errorf("mirror: %w", err)
	}
	return nil
}
