package console

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// A Screen writes lines to the output. It never makes a board wait: a pipe that is not read, or a terminal that was
// stopped with Ctrl-S, blocks only the Screen's own goroutine. When 1024 lines wait, new ones are dropped, and their
// number is shown when there is room again. The journal has them all.
type Screen struct {
	lines  chan string
	missed atomic.Int64
	done   chan struct{} // closed when everything has been written
	ending sync.RWMutex  // guards closed, and keeps lines from being closed within Show
	closed bool
}

const (
	queue = 1024
	// patience is the time for which Close waits for the last lines.
	patience = time.Second
)

// NewScreen begins to write to w in a goroutine; Close waits for it.
func NewScreen(w io.Writer) *Screen {
	s := &Screen{lines: make(chan string, queue), done: make(chan struct{})}
	go s.write(w)
	return s
}

// Show may be called from any goroutine. After Close a line is dropped: libraries log from goroutines that may still
// run.
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

// write ends with Close, or with the process if the output is blocked.
func (s *Screen) write(w io.Writer) {
	defer close(s.done)
	for line := range s.lines {
		if n := s.missed.Swap(0); n > 0 {
			fmt.Fprintf(w, "(%d lines are not shown here: the output was not read; the journal has them)\n", n)
		}
		fmt.Fprintln(w, line)
	}
}

// Close waits a moment for the remaining lines.
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
