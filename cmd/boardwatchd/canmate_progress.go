package main

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"boardwatchd/internal/console"
)

// progress shows on standard error, if that is a terminal, how far a long job is: once a second and in one line, which
// is removed at the end. It shows nothing if the answers themselves go to a terminal.
type progress struct {
	w     io.Writer
	lines atomic.Int64
	quit  chan struct{}
	done  sync.WaitGroup
}

func newProgress(e *env) *progress {
	p := &progress{w: e.err, quit: make(chan struct{})}
	if !e.quiet && console.IsTerminal(e.err) && !console.IsTerminal(e.out) && e.getenv("TERM") != "dumb" {
		p.done.Go(func() { p.show(time.NewTicker(time.Second)) })
	}
	return p
}

// answered counts answered lines.
func (p *progress) answered(n int) { p.lines.Add(int64(n)) }

func (p *progress) show(tick *time.Ticker) {
	defer tick.Stop()
	began, width := time.Now(), 0
	for {
		select {
		case <-p.quit:
			if width > 0 {
				fmt.Fprintf(p.w, "\r%s\r", strings.Repeat(" ", width))
			}
			return
		case <-tick.C:
			n := p.lines.Load()
			text := fmt.Sprintf("%d positions, %.0f a second", n, float64(n)/time.Since(began).Seconds())
			fmt.Fprintf(p.w, "\r%-*s", width, text)
			width = max(width, len(text))
		}
	}
}

// stop removes the line.
func (p *progress) stop() {
	close(p.quit)
	p.done.Wait()
}
