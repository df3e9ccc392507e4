package journal

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"boardwatchd/internal/record"
)

// Reader reads a journal from its first segment to its last. It skips damaged parts, returns everything else, and
// reports the skipped parts. It is used by one goroutine.
type Reader struct {
	sources []source
	at      int // the current one of sources, firsts and segments
	file    io.Closer
	lines   *lines
	buf     []byte // of lines, kept from segment to segment
	scraps  scraps
	parser  record.Parser

	last     record.Record // the last record returned, without its body
	chain    record.Chain  // of that record
	fromOne  bool          // the journal's first segment exists
	firsts   []first
	beginsAt map[record.Seq]int // the last segment that begins with this number
	until    int                // the segments before this one are superseded from here on
	bad      run
	goesOn   bool // the last record ends a segment and not the journal

	segments []Segment
	damage   []Damage
	damages  int
	missing  []int
	err      error
}

// source is one segment before it is opened.
type source struct {
	name   string
	number int
	open   func() (io.ReadCloser, error)
}

// first describes the beginning of a segment.
type first struct {
	text []byte // the first good line near the beginning
	seq  record.Seq
	open bool // it is an open record
	// repeats: the whole segment is a copy of an earlier one that is not its direct predecessor
	repeats bool
}

// Opener opens one segment's file, so that a caller can read compressed segments.
type Opener func(path string) (io.ReadCloser, error)

// Open opens the journal of the segment's file at path, with all its segments in order, regardless of which of them
// path names. A file whose name is not a segment's is read alone.
func Open(path string) (*Reader, error) {
	return OpenWith(path, func(path string) (io.ReadCloser, error) { return os.Open(path) })
}

// OpenWith is Open with another function to open files.
func OpenWith(path string, open Opener) (*Reader, error) {
	files := []File{{Path: path, Number: 0}}
	dir, base := filepath.Split(path)
	if name, _, ok := ParseSegmentName(base); ok {
		entries, err := List(filepath.Clean(dir))
		if err != nil {
			return nil, fmt.Errorf("open journal %s: %w", path, err)
		}
		for _, e := range entries {
			if e.Name == name {
				files = e.Segments
			}
		}
	}
	var sources []source
	for _, f := range files {
		sources = append(sources, source{
			name: filepath.Base(f.Path), number: f.Number,
			open: func() (io.ReadCloser, error) { return open(f.Path) },
		})
	}
	return newReader(sources)
}

// NewReader reads one segment from a stream: standard input, an upload, a
// file in memory.
func NewReader(r io.Reader) *Reader {
	src := source{open: func() (io.ReadCloser, error) { return io.NopCloser(r), nil }}
	return &Reader{sources: []source{src}, firsts: make([]first, 1), segments: make([]Segment, 1)}
}

// newReader reads the beginning of each segment. A segment that cannot be opened is damage, unless all fail.
func newReader(sources []source) (*Reader, error) {
	r := &Reader{
		sources: sources, buf: make([]byte, readSize),
		fromOne: sources[0].number == 1, beginsAt: map[record.Seq]int{},
	}
	want, opened, failure := 1, false, error(nil)
	for i, src := range sources {
		begin, err := r.readBeginning(src)
		switch {
		case err == nil:
			opened = true
		case !ofFile(err):
			return nil, err
		default:
			failure = cmp.Or(failure, err)
		}
		if begin.repeats = r.copied(begin, src); begin.text != nil && !begin.repeats {
			r.beginsAt[begin.seq] = i
		}
		for ; want < src.number; want++ {
			r.missing = append(r.missing, want)
		}
		want = src.number + 1
		r.firsts = append(r.firsts, begin)
		r.segments = append(r.segments, Segment{Name: src.name, Number: src.number})
	}
	if !opened {
		return nil, failure
	}
	return r, nil
}

// copied reports whether the next segment, put there by a person, is a copy of one that others have followed. If it
// counted as written again by the program, it would hide the segments between the two.
func (r *Reader) copied(begin first, src source) bool {
	k, ok := r.beginsAt[begin.seq]
	if !ok || !bytes.Equal(begin.text, r.firsts[k].text) {
		return false
	}
	later := func(f first) bool { return f.text != nil && f.seq != begin.seq }
	if !slices.ContainsFunc(r.firsts[k+1:], later) {
		return false
	}
	same, err := equal(r.sources[k], src)
	return same && err == nil
}

// readBeginning reads the beginning of a segment.
func (r *Reader) readBeginning(src source) (first, error) {
	f, err := src.open()
	if err != nil {
		return first{}, fmt.Errorf("open journal: %w", err)
	}
	begin := peek(f, r.buf)
	if err := f.Close(); err != nil {
		return first{}, fmt.Errorf("open journal: close %s: %w", src.name, err)
	}
	return begin, nil
}

// peek finds the first good line among the first ones.
func peek(f io.Reader, buf []byte) first {
	ls := newLines(io.LimitReader(f, record.MaxLine), buf)
	var p record.Parser
	for {
		ln, ok := ls.next()
		if !ok {
			return first{}
		}
		if rec, _, err := p.Parse(ln.text); err == nil && ln.whole {
			return first{text: bytes.Clone(ln.text), seq: rec.Seq, open: rec.Kind == record.Open}
		}
	}
}

// Next returns the next record, io.EOF at the end, or the reason why reading the journal cannot continue. The record's
// body is valid until the next call.
func (r *Reader) Next() (record.Record, error) {
	for r.err == nil {
		if r.lines == nil {
			r.openNext()
			continue
		}
		ln, ok := r.candidate()
		if !ok {
			r.endSegment()
			continue
		}
		rec, chain, err := r.parser.Parse(ln.text)
		if err != nil {
			r.reject(ln, err)
			continue
		}
		if r.place(rec, chain, ln) {
			r.goesOn = rec.Kind == record.Close && isRotation(rec.Body)
			return rec, nil
		}
	}
	return record.Record{}, r.err
}

// candidate returns the next line, or a piece of a bad line that looks like one.
func (r *Reader) candidate() (line, bool) {
	for {
		if r.scraps.line.text != nil {
			if ln, ok := r.nextScrap(); ok {
				return ln, true
			}
		}
		ln, ok := r.lines.next()
		if !ok || ln.whole {
			return ln, ok
		}
		// A piece without a newline is not a record's line, even if everything else is present.
		r.scraps = scraps{line: ln, problem: "no newline at the end"}
		if len(ln.text) >= record.MaxLine {
			r.scraps.problem = fmt.Sprintf("longer than %d bytes", record.MaxLine)
		}
	}
}

// nextScrap returns the next piece of a bad line that may be a record. Bytes between such pieces are noted as bad.
func (r *Reader) nextScrap() (line, bool) {
	s := &r.scraps
	end := s.end
	from, to, ok := s.next()
	if !ok {
		if end < len(s.line.text) || !s.line.whole {
			r.note(s.line, end, len(s.line.text), s.problem)
		}
		r.scraps = scraps{}
		return line{}, false
	}
	if from > end {
		r.note(s.line, end, from, s.problem)
	}
	ln := s.line
	ln.text = ln.text[from:to]
	ln.offset += int64(from)
	return ln, true
}

// reject notes a line that is not a record, after a search for records in it.
func (r *Reader) reject(ln line, err error) {
	if s := &r.scraps; s.line.text != nil { // only its end looked good
		at := int(ln.offset - s.line.offset)
		r.note(s.line, at, at+len(ln.text), s.problem)
		return
	}
	if len(ln.text) == 0 {
		r.note(ln, 0, 0, "empty line")
		return
	}
	r.scraps = scraps{line: ln, problem: err.Error()}
}

// openNext opens the next segment, or ends the reading.
func (r *Reader) openNext() {
	if r.at == len(r.sources) {
		r.err = io.EOF
		return
	}
	src := r.sources[r.at]
	if r.firsts[r.at].repeats {
		r.reportMissing()
		seg := &r.segments[r.at]
		seg.Verdict = max(seg.Verdict, r.segments[r.at-1].Verdict)
		r.at++
		return
	}
	f, err := src.open()
	switch {
	case err != nil && !ofFile(err):
		r.err = fmt.Errorf("open journal: %w", err)
		return
	case err != nil:
		r.report(Damage{Cause: Unreadable, Problem: err.Error()})
		r.giveUp(fmt.Errorf("open journal: %w", err))
		return
	}
	r.file, r.lines = f, newLines(f, r.buf)
	r.reportMissing()
}

// reportMissing reports the segments that are missing between the current one and the one before it. A segment whose
// records are all in this one is not: both were removed while they were written, and were written again as one.
func (r *Reader) reportMissing() {
	if f := &r.firsts[r.at]; f.text != nil && f.seq <= r.last.Seq+1 && !f.repeats {
		return
	}
	for _, n := range r.missing {
		if n < r.sources[r.at].number && (r.at == 0 || n > r.sources[r.at-1].number) {
			r.report(Damage{Cause: MissingSegment, Problem: fmt.Sprintf("segment %d before it is not there", n)})
		}
	}
}

// ofFile reports whether an error of opening or reading is about the file itself. An error of the process is not, nor
// is the absence of a file that was listed: it exists under another name, or was removed.
func ofFile(err error) bool {
	return !Passing(err) && !errors.Is(err, fs.ErrNotExist)
}

// Passing reports whether an error says nothing about the file: the process or the computer lacks descriptors or
// memory, and the caller should try again.
func Passing(err error) bool {
	return errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) || errors.Is(err, syscall.ENOMEM)
}

// giveUp leaves the rest of the current segment, and ends the reading if no other segment follows.
func (r *Reader) giveUp(err error) {
	if r.at++; r.at == len(r.sources) {
		r.err = err
	}
}

// endSegment closes the current segment and judges it, unless it continues after a place that cannot be read.
func (r *Reader) endSegment() {
	seg, unread := &r.segments[r.at], error(nil)
	if from, err := r.lines.offset, r.lines.err; err != io.EOF {
		unread = fmt.Errorf("read journal %s at byte %d: %w", seg.Name, from, err)
		if !ofFile(err) {
			r.err = unread
		} else {
			skipped := r.lines.skip()
			r.noteUnread(from, err)
			if skipped {
				return
			}
		}
	}
	r.endRun()
	switch {
	case seg.Verdict != NoVerdict:
	case seg.Records > 0 && r.last.Kind == record.Close && (!r.goesOn || r.at+1 < len(r.sources)):
		seg.Verdict = Closed
	default:
		seg.Verdict = Unclosed
	}
	if err := r.file.Close(); err != nil && r.err == nil {
		r.err = fmt.Errorf("read journal: close %s: %w", seg.Name, err)
	}
	r.buf = r.lines.buf
	r.file, r.lines = nil, nil
	if unread != nil {
		r.giveUp(cmp.Or(r.err, unread))
		return
	}
	r.at++
}

// Close stops reading and releases the file. It may be called twice, and need not be called after Next has returned
// io.EOF.
func (r *Reader) Close() error {
	f := r.file
	r.file, r.lines = nil, nil
	if r.err == nil {
		r.err = os.ErrClosed
	}
	if f == nil {
		return nil
	}
	return f.Close()
}

// Verdict returns the journal's verdict: corrupt if any segment is, otherwise that of its last segment, because a torn
// segment with a successor is the trace of a survived power cut. It is NoVerdict before Next has returned io.EOF.
func (r *Reader) Verdict() Verdict {
	for _, s := range r.segments {
		if s.Verdict == Corrupt {
			return Corrupt
		}
	}
	return r.segments[len(r.segments)-1].Verdict
}

// GoesOn reports whether the last record announces another segment that does not exist: it was removed, or the writer
// was killed exactly between the two.
func (r *Reader) GoesOn() bool { return r.goesOn && r.err == io.EOF }

// Copies returns the segments that are identical to an earlier one, byte for byte, and were put there by a person. No
// record is returned twice. A writer makes an identical segment only if a disk fails repeatedly: that one begins with
// records that were not saved, or is superseded by a segment that begins with the same number.
func (r *Reader) Copies() (names []string, err error) {
	for i := 1; i < len(r.sources); i++ {
		if r.firsts[i].repeats {
			names = append(names, r.sources[i].name)
			continue
		}
		if r.firsts[i].text == nil || !bytes.Equal(r.firsts[i].text, r.firsts[i-1].text) {
			continue
		}
		same, err := equal(r.sources[i-1], r.sources[i])
		if err != nil {
			return names, err
		}
		if same && r.firsts[i].open && !r.superseded(i) {
			names = append(names, r.sources[i].name)
		}
	}
	return names, nil
}

// superseded reports whether a later segment begins with the number of this one and differs from it.
func (r *Reader) superseded(i int) bool {
	for j := i + 1; j < len(r.firsts) && r.firsts[j].seq == r.firsts[i].seq; j++ {
		if same, err := equal(r.sources[i], r.sources[j]); err == nil && !same {
			return true
		}
	}
	return false
}

func equal(a, b source) (bool, error) {
	one, err := a.open()
	if err != nil {
		return false, fmt.Errorf("open journal: %w", err)
	}
	defer one.Close() // read only
	other, err := b.open()
	if err != nil {
		return false, fmt.Errorf("open journal: %w", err)
	}
	defer other.Close() // read only
	x, y := make([]byte, readSize), make([]byte, readSize)
	for {
		n, ended := io.ReadFull(one, x)
		m, _ := io.ReadFull(other, y)
		if !bytes.Equal(x[:n], y[:m]) {
			return false, nil
		}
		if ended != nil { // at the end of both
			return errors.Is(ended, io.EOF) || errors.Is(ended, io.ErrUnexpectedEOF), nil
		}
	}
}

// Segments returns the journal's files in order, judged as far as they were read.
func (r *Reader) Segments() []Segment { return r.segments }

// Damage returns the damage found so far, in order. After the first thousand places only DamageCount increases.
func (r *Reader) Damage() []Damage { return r.damage }

// DamageCount returns the number of damaged places so far.
func (r *Reader) DamageCount() int { return r.damages }

// Missing returns the numbers of missing segments.
func (r *Reader) Missing() []int { return r.missing }

// Last returns the state of the journal after the record that Next returned last. Segment is the greatest number of all
// segments, read or not.
func (r *Reader) Last() Last {
	return Last{Seq: r.last.Seq, At: r.last.At, Chain: r.chain, Segment: r.segments[len(r.segments)-1].Number}
}
