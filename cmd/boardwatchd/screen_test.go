package main

import (
	"strings"
	"testing"
	"testing/synctest"
)

// valve is an output that takes nothing until it is opened.
type valve struct {
	open chan struct{}
	text strings.Builder
}

func (v *valve) Write(p []byte) (int, error) {
	<-v.open
	return v.text.Write(p)
}

func TestScreenNeverWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := &valve{open: make(chan struct{})}
		s := newScreen(v)
		synctest.Wait()
		for range screenQueue + 100 {
			s.show("a move")
		}
		synctest.Wait() // one line is in the writer's hand, the queue is full
		close(v.open)
		synctest.Wait()
		s.show("the last move")
		s.close()
		out := v.text.String()
		if n := strings.Count(out, "a move\n"); n < screenQueue || n > screenQueue+1 {
			t.Errorf("%d lines are shown, %d were kept", n, screenQueue)
		}
		if !strings.Contains(out, "lines are not shown here") || !strings.HasSuffix(out, "the last move\n") {
			t.Errorf("it ends with %q", out[max(0, len(out)-200):])
		}
	})
}

func TestScreenGivesUpAnOutputThatTakesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := &valve{open: make(chan struct{})}
		s := newScreen(v)
		s.show("a move")
		s.close() // returns, although nothing was written
		close(v.open)
		synctest.Wait()
		if v.text.String() != "a move\n" {
			t.Errorf("%q", v.text.String())
		}
	})
}
