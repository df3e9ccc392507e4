package main

import (
	"bufio"
	"bytes"
	"fmt"
	"reflect"
	"strings"

	"boardwatchd/internal/console"
	"boardwatchd/internal/research/lab"
)

// labScreen shows the cards: large and alone on a terminal, as lines elsewhere.
type labScreen struct {
	e        *env
	terminal bool
	colours  bool
	last     lab.Screen
	restore  func()
}

func newLabScreen(e *env) *labScreen {
	s := &labScreen{e: e, restore: func() {}}
	s.terminal = console.IsTerminal(e.out) && e.getenv("TERM") != "dumb"
	s.colours = s.terminal && e.getenv("NO_COLOR") == ""
	if s.terminal {
		s.restore = rawKeys(e.in)
	}
	return s
}

func (s *labScreen) close() { s.restore() }

// show draws what has changed.
func (s *labScreen) show(now lab.Screen) {
	if reflect.DeepEqual(now, s.last) {
		return
	}
	if !s.terminal { // minutes alone are no news there
		before := s.last
		before.Minutes = now.Minutes
		if reflect.DeepEqual(now, before) {
			return
		}
	}
	s.last = now
	var b bytes.Buffer
	if s.terminal {
		b.WriteString("\x1b[H\x1b[2J")
	}
	s.draw(&b, now)
	_, _ = s.e.out.Write(b.Bytes()) // who looks away sees nothing; the journal has it
}

func (s *labScreen) draw(b *bytes.Buffer, now lab.Screen) {
	if now.Phase != lab.Ended {
		head := fmt.Sprintf("Block %d of %d: %s", now.Block, now.Blocks, now.What)
		if now.Phase == lab.Doing || now.Phase == lab.Clearing {
			head += fmt.Sprintf(", card %d of %d", now.Number, now.Of)
		}
		if now.Card != "" {
			head += " (no. " + now.Card + ")" // what it is called in the journal: a card that was repeated stands elsewhere
		}
		fmt.Fprintf(b, "%s, about %d min left. %s.\n", head, now.Minutes, now.Who)
	}
	const rule = "────────────────────────────────────────────────────────────"
	fmt.Fprintf(b, "%s\n\n  %s\n\n", rule, s.strong(now.Headline))
	for i, line := range now.Text {
		if i == 0 && now.Phase == lab.Doing {
			line = s.strong(line)
		}
		fmt.Fprintf(b, "  %s\n", line)
	}
	if len(now.Diagram) > 0 {
		b.WriteString("\n")
		for _, row := range now.Diagram {
			fmt.Fprintf(b, "      %s\n", row)
		}
	}
	if now.Wrong != "" {
		fmt.Fprintf(b, "\n  ! %s\n", now.Wrong)
	}
	fmt.Fprintf(b, "\n%s\n%s\n", rule, now.Keys)
}

// strong is bold where the terminal may.
func (s *labScreen) strong(text string) string {
	if !s.colours || text == "" {
		return text
	}
	return "\x1b[1m" + text + "\x1b[0m"
}

// keys reads the operator's keys. The end of the input is the last of them: nobody is there any more. The goroutine
// ends with the input, or with the process.
func (s *labScreen) keys() <-chan lab.Key {
	keys := make(chan lab.Key, 1)
	in := bufio.NewReader(s.e.in)
	go func() {
		for {
			k, err := nextKey(in)
			if err != nil {
				keys <- lab.QuitKey
				return
			}
			if k != lab.NoKey {
				keys <- k
			}
		}
	}()
	return keys
}

// nextKey takes a key. A letter with the end of a line behind it, which is how a terminal in its usual state and a pipe send
// it, is that letter alone.
func nextKey(in *bufio.Reader) (lab.Key, error) {
	c, err := in.ReadByte()
	if err != nil {
		return lab.NoKey, err
	}
	if c == '\n' || c == '\r' {
		return lab.Enter, nil
	}
	if in.Buffered() > 0 {
		if next, err := in.Peek(1); err == nil && next[0] == '\n' {
			_, _ = in.Discard(1)
		}
	}
	switch strings.ToLower(string(rune(c))) {
	case "r":
		return lab.RepeatKey, nil
	case "s":
		return lab.SkipKey, nil
	case "p":
		return lab.PauseKey, nil
	case "q", "\x04":
		return lab.QuitKey, nil
	}
	return lab.NoKey, nil
}
