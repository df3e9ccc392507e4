package console

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// A Screen shows lines to whoever looks at the output. It never makes a board wait: a pipe that nobody reads, or a
// terminal that was stopped with Ctrl-S, blocks its own goroutine only. When 1024 lines wait, new ones are
// dropped, and how many is told when there is room again. The journal has them all.
type Screen struct {
	lines  chan string
	missed atomic.Int64
	done   chan struct{} // closed when everything has been written
	ending sync.RWMutex  // guards closed, and lines against being closed within Show
	closed bool
}

const (
	queue = 1024
	// patience is how long the last lines are waited for at the end.
	patience = time.Second
)

// NewScreen begins to write to w; the goroutine that does is waited for by Close.
func NewScreen(w io.Writer) *Screen {
	s := &Screen{lines: make(chan string, queue), done: make(chan struct{})}
	go s.write(w)
	return s
}

// Show may be called from any goroutine. Behind Close a line is dropped: libraries log from goroutines that nobody waits for.
func (s *Screen) Show(line string) {
	s.ending.RLock()
	defer s.ending.RUnlock()
	if s.closed {
		return
	}
	select {
	case s.lines <- line:
	default:
		s.missed.Add(1)
	}
}

// Write lets the program's log use a Screen: one call is one line. Standard error blocks as standard output does.
func (s *Screen) Write(p []byte) (int, error) {
	s.Show(strings.TrimSuffix(string(p), "\n"))
	return len(p), nil
}

// write ends with Close, or with the process if the output takes nothing any more.
func (s *Screen) write(w io.Writer) {
	defer close(s.done)
	for line := range s.lines {
		if n := s.missed.Swap(0); n > 0 {
			fmt.Fprintf(w, "(%d lines are not shown here: the output was not read; the journal has them)\n", n)
		}
		fmt.Fprintln(w, line)
	}
}

// Close waits a moment for what is still to be written.
func (s *Screen) Close() {
	s.ending.Lock()
	s.closed = true
	close(s.lines)
	s.ending.Unlock()
	select {
	case <-s.done:
	case <-time.After(patience):
	}
}
