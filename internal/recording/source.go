package recording

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"boardwatchd/internal/journal"
	"boardwatchd/internal/record"
)

// Item is one record of a recording.
type Item struct {
	Record record.Record // its body is valid until the next call of Next
	Line   int64         // its line in a capture of text, from 1; 0 in other formats
}

// Source yields the records of a recording in order. It is used by one
// goroutine.
type Source struct {
	name   string
	format Format
	body   body
	close  func() error
	err    error // the first error of body is kept
}

// body reads one format.
type body interface {
	next() (Item, error)
}

// Open opens a recording by its path; "-" is in, the standard input. The content determines the format. A journal is
// opened with all its segments, except from standard input.
func Open(path string, in io.Reader) (*Source, error) {
	if path == "-" {
		return fromStream("standard input", in, nil)
	}
	f, err := os.Open(path)
	if err != nil {
		if s, serr := openOthers(path, err); serr == nil {
			return s, nil
		}
		return nil, err // names action and path
	}
	s, err := openFile(path, f)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return s, nil
}

// openOthers opens a journal of which the named segment cannot be opened, which counts as damage of the journal. The
// first segment may be missing too; whether another one ever existed cannot be known.
func openOthers(path string, why error) (*Source, error) {
	_, number, _ := journal.ParseSegmentName(filepath.Base(path))
	least := 2 // including the named one
	if errors.Is(why, fs.ErrNotExist) {
		least = 1
	}
	if least == 1 && number != 1 || siblings(path) < least {
		return nil, why
	}
	r, err := journal.OpenWith(path, unpackedFile)
	return &Source{name: path, format: Journal, body: journalBody{r}, close: func() error { return nil }}, err
}

func openFile(path string, f *os.File) (*Source, error) {
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, fmt.Errorf("%s is a directory; %s", path, insideOf(path))
	case !info.Mode().IsRegular(): // a pipe cannot be opened twice and has no siblings
		return fromStream(path, f, f.Close)
	}
	s, err := fromStream(path, f, f.Close)
	if err != nil && (errors.Is(err, errEmpty) || errors.As(err, new(*fs.PathError))) && siblings(path) > 1 {
		// The file is the last act of a daemon that was killed as it began, or unreadable: the journal is in the other
		// segments.
		s, err = &Source{name: path, format: Journal, close: f.Close}, nil
	}
	if err != nil || s.format != Journal {
		return s, err
	}
	r, err := journal.OpenWith(path, unpackedFile)
	if err != nil {
		return nil, err
	}
	s.body = journalBody{r}
	return s, nil
}

// insideOf suggests what an operator may have meant by naming a directory.
func insideOf(dir string) string {
	entries, err := journal.List(dir)
	if err != nil || len(entries) == 0 {
		return "name one recording in it"
	}
	return "name one recording in it, for instance " + entries[0].Segments[0].Path
}

// siblings counts the segments of the journal of a file.
func siblings(path string) int {
	name, _, ok := journal.ParseSegmentName(filepath.Base(path))
	if !ok {
		return 0
	}
	entries, err := journal.List(filepath.Dir(path))
	if err != nil {
		return 0
	}
	for _, e := range entries {
		if e.Name == name {
			return len(e.Segments)
		}
	}
	return 0
}

// fromStream reads a recording from a stream.
func fromStream(name string, in io.Reader, closeIn func() error) (*Source, error) {
	plain, closePlain, err := unpack(name, in)
	if err != nil {
		return nil, err
	}
	br := bufio.NewReaderSize(plain, headSize)
	head, err := br.Peek(headSize)
	if err != nil && !errors.Is(err, io.EOF) {
		if len(head) == 0 {
			return nil, errors.Join(err, closePlain())
		}
		// The data before the error is used; the error will come again.
	}
	format, err := recognise(name, head)
	if err != nil {
		return nil, errors.Join(err, closePlain())
	}
	s := &Source{name: name, format: format}
	s.close = func() error {
		err := closePlain()
		if closeIn != nil {
			err = errors.Join(err, closeIn())
		}
		return err
	}
	switch format {
	case Journal:
		s.body = journalBody{journal.NewReader(br)}
	case TimedCapture:
		s.body = newTimed(newLines(name, br))
	case UntimedCapture:
		s.body = newUntimed(newLines(name, br))
	case RawBytes:
		s.body = newRaw(name, br)
	}
	return s, nil
}

// Next returns the next record, io.EOF at the end, or an error after which it cannot go on. Everything that it returned
// before is still good.
func (s *Source) Next() (Item, error) {
	if s.err != nil {
		return Item{}, s.err
	}
	it, err := s.body.next()
	s.err = err
	return it, err
}

// Name is the path, or "standard input".
func (s *Source) Name() string { return s.name }

// Format is what the recording is.
func (s *Source) Format() Format { return s.format }

// Journal reports whether the records are a journal's: inputs and effects, with their open records. The records of the
// other formats are the board's input and output, numbered from 2, so that the caller can put an open record of its own
// before them.
func (s *Source) Journal() bool { return s.format == Journal }

// Verdict is the journal's verdict; NoVerdict for captures.
func (s *Source) Verdict() journal.Verdict {
	if j, ok := s.body.(journalBody); ok {
		return j.r.Verdict()
	}
	return journal.NoVerdict
}

// Chain is, for a journal, the chain of the record that Next returned last.
func (s *Source) Chain() record.Chain {
	if j, ok := s.body.(journalBody); ok {
		return j.r.Last().Chain
	}
	return record.Chain{}
}

// GoesOn reports that the journal announces another segment, which is missing.
func (s *Source) GoesOn() bool {
	j, ok := s.body.(journalBody)
	return ok && j.r.GoesOn()
}

// Copies are the journal's segments that equal the one before them.
func (s *Source) Copies() ([]string, error) {
	if j, ok := s.body.(journalBody); ok {
		return j.r.Copies()
	}
	return nil, nil
}

// Damage is the damage of a journal in the part that was read.
func (s *Source) Damage() []journal.Damage {
	if j, ok := s.body.(journalBody); ok {
		return j.r.Damage()
	}
	return nil
}

// Segments are a journal's files.
func (s *Source) Segments() []journal.Segment {
	if j, ok := s.body.(journalBody); ok {
		return j.r.Segments()
	}
	return nil
}

// Header is the first line of a timed capture, if it is a header. It is set after the first call of Next.
func (s *Source) Header() []byte {
	if t, ok := s.body.(*timed); ok {
		return t.header
	}
	return nil
}

// Origin is the time in the first line of a timed capture, in microseconds. The records' times count from there, while
// those in a header may be on the capture's own clock.
func (s *Source) Origin() int64 {
	if t, ok := s.body.(*timed); ok {
		return int64(t.origin / 1000)
	}
	return 0
}

// Clamped counts the lines of a timed capture whose time is before that of the previous line; they get that line's
// time.
func (s *Source) Clamped() int {
	if t, ok := s.body.(*timed); ok {
		return t.clamped
	}
	return 0
}

// Close releases the files.
func (s *Source) Close() error {
	err := s.close()
	if j, ok := s.body.(journalBody); ok {
		err = errors.Join(err, j.r.Close())
	}
	return err
}

// journalBody yields a journal's records unchanged.
type journalBody struct{ r *journal.Reader }

func (j journalBody) next() (Item, error) {
	rec, err := j.r.Next()
	return Item{Record: rec}, err
}
