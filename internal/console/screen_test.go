package console

import (
	"strings"
	"testing"
	"testing/synctest"
)

// valve is an output that blocks until it is opened.
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
		s := NewScreen(v)
		synctest.Wait()
		for range queue + 100 {
			s.Show("a move")
		}
		synctest.Wait() // the writer holds one line, the queue is full
		close(v.open)
		synctest.Wait()
		s.Show("the last move")
		s.Close()
		s.Show("after the end")
		out := v.text.String()
		if n := strings.Count(out, "a move\n"); n < queue || n > queue+1 {
			t.Errorf("%d lines are shown, %d were kept", n, queue)
		}
		if !strings.Contains(out, "lines are not shown here") || !strings.HasSuffix(out, "the last move\n") {
			t.Errorf("it ends with %q", out[max(0, len(out)-200):])
		}
	})
}

func TestScreenGivesUpAnOutputThatTakesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := &valve{open: make(chan struct{})}
		s := NewScreen(v)
		s.Show("a move")
		s.Close() // returns, although nothing was written
		close(v.open)
		synctest.Wait()
		if v.text.String() != "a move\n" {
			t.Errorf("%q", v.text.String())
		}
	})
}
