package main

import (
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"time"
)

// A screen shows lines to whoever looks at the output. It never makes a board wait: a pipe that nobody reads, or a
// terminal that was stopped with Ctrl-S, blocks its own goroutine only. When screenQueue lines wait, new ones are
// dropped, and how many is told when there is room again. The journal has them all.
type screen struct {
	lines  chan string
	missed atomic.Int64
	done   chan struct{} // closed when everything has been written
}

const (
	screenQueue = 1024
	// screenPatience is how long the last lines are waited for at the end.
	screenPatience = time.Second
)

func newScreen(w io.Writer) *screen {
	s := &screen{lines: make(chan string, screenQueue), done: make(chan struct{})}
	go s.write(w)
	return s
}

// show may be called from any goroutine until close.
func (s *screen) show(line string) {
	select {
	case s.lines <- line:
	default:
		s.missed.Add(1)
	}
}

// Write lets the program's log use a screen: one call is one line. Standard error blocks as standard output does.
func (s *screen) Write(p []byte) (int, error) {
	s.show(strings.TrimSuffix(string(p), "\n"))
	return len(p), nil
}

// write ends with close, or with the process if the output takes nothing any more.
func (s *screen) write(w io.Writer) {
	defer close(s.done)
	for line := range s.lines {
		if n := s.missed.Swap(0); n > 0 {
			fmt.Fprintf(w, "(%d lines are not shown here: the output was not read; the journal has them)\n", n)
		}
		fmt.Fprintln(w, line)
	}
}

// close waits a moment for what is still to be written.
func (s *screen) close() {
	close(s.lines)
	select {
	case <-s.done:
	case <-time.After(screenPatience):
	}
}
