package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"
)

// A stream answers lines on several cores and writes the answers in the order of the lines. The reader fills a ring of
// slots, the workers take them in turn, and the writer empties them in order. Each handles what is ready, so an answer
// never waits for the next question. The ring limits the memory: when it is full the reader waits.
type stream struct {
	mu    sync.Mutex
	ring  [ringSlots]slot
	read  int // lines put into the ring so far; slot i%ringSlots holds line i
	taken int // lines that workers have taken
	wrote int // lines whose answers have been written
	bytes int // of the lines in the ring
	ended bool
	err   error // of reading the input
	wrong badLines

	question, answer, room sync.Cond
}

const (
	ringSlots = 1024
	// ringBytes limits the lines in the ring, so that very long ones do not fill the memory. A single line always has
	// room.
	ringBytes = 1 << 20
)

// slot is one line and its answer.
type slot struct {
	line   []byte // kept from use to use
	number int    // of the line in the input
	text   []byte // the answer, kept from use to use
	wrong  error  // why the line is no valid question
	done   bool
}

// An answerer appends the answer to a line to b. An invalid line is an error; its answer is written as well.
type answerer func(b, line []byte) ([]byte, error)

// answerLines answers every line of in that is neither blank nor a comment; each answerer gets a goroutine of its own.
// They have ended when it returns. A read cannot be interrupted: after an error of the output the reader ends with the
// process.
func answerLines(in io.Reader, out io.Writer, crew []answerer, p *progress) error {
	s := &stream{}
	s.question.L, s.answer.L, s.room.L = &s.mu, &s.mu, &s.mu
	go s.fill(in)
	var busy sync.WaitGroup
	for _, answer := range crew {
		busy.Go(func() { s.work(answer) })
	}
	err := s.empty(out, p)
	s.end(nil)
	busy.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	return firstError(err, s.err, s.wrong.err())
}

// end stops the workers when no lines are left.
func (s *stream) end(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
	if s.err == nil {
		s.err = err
	}
	s.question.Broadcast()
	s.answer.Broadcast()
	s.room.Broadcast()
}

// fill puts the lines into the ring.
func (s *stream) fill(in io.Reader) {
	r := bufio.NewReaderSize(in, 64<<10)
	number := 0
	for {
		if !lineReady(r) {
			// The next read may wait for a slow writer. A goroutine that waits in a system call keeps its processor for
			// a while: with only one the workers would have to wait with it.
			runtime.Gosched()
		}
		line, err := readLine(r)
		if number++; number == 1 {
			line = bytes.TrimPrefix(line, []byte("\ufeff")) // a byte order mark
		}
		if err != nil && err != io.EOF {
			s.end(fmt.Errorf("line %d: %w", number, err))
			return
		}
		if !isComment(line) && !s.put(line, number) {
			return
		}
		if err == io.EOF {
			s.end(nil)
			return
		}
	}
}

// put waits for room and queues the line; it returns false when no more answers are needed.
func (s *stream) put(line []byte, number int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for !s.ended && s.read > s.wrote && (s.read-s.wrote == ringSlots || s.bytes+len(line) > ringBytes) {
		s.room.Wait()
	}
	if s.ended {
		return false
	}
	sl := &s.ring[s.read%ringSlots]
	sl.line, sl.number, sl.done, sl.wrong = append(sl.line[:0], line...), number, false, nil
	s.read++
	s.bytes += len(line)
	s.question.Signal()
	return true
}

// work answers lines until there are no more.
func (s *stream) work(answer answerer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		for s.taken == s.read && !s.ended {
			s.question.Wait()
		}
		if s.taken == s.read {
			return
		}
		i := s.taken
		s.taken++
		sl := &s.ring[i%ringSlots]
		s.mu.Unlock()
		sl.text, sl.wrong = answer(sl.text[:0], sl.line)
		s.mu.Lock()
		sl.done = true
		if i == s.wrote {
			s.answer.Signal()
		}
	}
}

// empty writes the answers in order, until all are written. All that are ready are written at once.
func (s *stream) empty(out io.Writer, p *progress) error {
	var ready []byte
	for {
		n, last := s.collect(&ready)
		if len(ready) > 0 {
			if _, err := out.Write(ready); err != nil {
				s.abandon()
				return err
			}
		}
		p.answered(n)
		s.release(n)
		if last {
			return nil
		}
	}
}

// collect waits for the next answer and takes it with all following ones that are ready.
func (s *stream) collect(ready *[]byte) (n int, last bool) {
	*ready = (*ready)[:0]
	s.mu.Lock()
	defer s.mu.Unlock()
	for !(s.ended && s.wrote == s.read) && !(s.wrote < s.read && s.ring[s.wrote%ringSlots].done) {
		s.answer.Wait()
	}
	for i := s.wrote; i < s.read && s.ring[i%ringSlots].done && len(*ready) < outputBytes; i++ {
		sl := &s.ring[i%ringSlots]
		*ready = append(*ready, sl.text...)
		if sl.wrong != nil {
			s.wrong.add(fmt.Errorf("line %d: %w", sl.number, sl.wrong))
		}
		n++
	}
	return n, s.ended && s.wrote+n == s.read
}

// outputBytes is roughly how much is written at once.
const outputBytes = 256 << 10

// release gives slots back to the reader, and frees the memory of long lines.
func (s *stream) release(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for ; n > 0; n-- {
		sl := &s.ring[s.wrote%ringSlots]
		s.bytes -= len(sl.line)
		if cap(sl.line)+cap(sl.text) > keptBytes {
			sl.line, sl.text = nil, nil
		}
		s.wrote++
	}
	s.room.Signal()
}

// keptBytes is how much memory a slot may keep for its next use.
const keptBytes = 4 << 10

// abandon drops the lines that no worker has taken, because their answers are not read.
func (s *stream) abandon() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
	s.read = s.taken
}

// lineReady reports that a whole line is buffered.
func lineReady(r *bufio.Reader) bool {
	waiting, _ := r.Peek(r.Buffered()) // only what is there: no error
	return bytes.IndexByte(waiting, '\n') >= 0
}

// readLine returns the next line without its end, valid until the next read; with io.EOF the last one, which may be
// empty.
func readLine(r *bufio.Reader) ([]byte, error) {
	line, err := r.ReadSlice('\n')
	if err == bufio.ErrBufferFull {
		long := append([]byte(nil), line...)
		for err == bufio.ErrBufferFull {
			if len(long) > longestLine {
				return nil, fmt.Errorf("it is longer than %d bytes; write one FEN a line", longestLine)
			}
			line, err = r.ReadSlice('\n')
			long = append(long, line...)
		}
		line = long
	}
	if n := len(line); n > 0 && line[n-1] == '\n' {
		line = line[:n-1]
	}
	return line, err
}

// badLines counts the invalid lines and names the first ones.
type badLines struct {
	first []error
	more  int
}

const namedLines = 20

func (b *badLines) add(err error) {
	if len(b.first) == namedLines {
		b.more++
		return
	}
	b.first = append(b.first, err)
}

func (b *badLines) err() error {
	if len(b.first) == 0 {
		return nil
	}
	if b.more > 0 {
		b.first = append(b.first, fmt.Errorf("and %d more", b.more))
	}
	return exit{statusUsage, errors.Join(b.first...)}
}

// isComment reports whether a line is skipped: it is blank or a comment.
func isComment(line []byte) bool {
	return len(line) > 0 && line[0] == '#' || len(bytes.TrimSpace(line)) == 0
}
