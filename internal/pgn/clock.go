package pgn

import (
	"strconv"
	"strings"
)

// maxClockSec is 99 hours: no clock shows more.
const maxClockSec = 99*3600 + 59*60 + 59

// times are the times that a comment gives for the move before it.
type times struct {
	clock, elapsed       int // seconds
	hasClock, hasElapsed bool
}

// cutTimes removes commands like [%clk 1:30:00] from a comment and returns the times of the last %clk and the last
// %emt. Tenths, which some servers write, are cut off, as a clock does.
func cutTimes(text string) (rest string, t times) {
	var kept strings.Builder
	for {
		before, after, found := strings.Cut(text, "[%")
		command, tail, closed := strings.Cut(after, "]")
		if !found || !closed {
			kept.WriteString(text)
			return kept.String(), t
		}
		name, value, _ := strings.Cut(command, " ")
		if sec, good := parseClock(strings.TrimSpace(value)); good {
			switch name {
			case "clk":
				t.clock, t.hasClock = sec, true
			case "emt":
				t.elapsed, t.hasElapsed = sec, true
			}
		}
		kept.WriteString(before)
		text = tail
	}
}

// parseClock reads H:MM:SS, with a fraction that is dropped.
func parseClock(s string) (sec int, ok bool) {
	s, _, _ = strings.Cut(s, ".")
	parts := strings.Split(s, ":")
	if len(parts) != 3 {
		return 0, false
	}
	for i, part := range parts {
		n, err := strconv.Atoi(part)
		if err != nil || !isNumber(part) || len(part) > 2 || i > 0 && n > 59 {
			return 0, false
		}
		sec = sec*60 + n
	}
	return sec, true
}

// appendTime writes a command with a time.
func appendTime(dst []byte, command string, sec int) []byte {
	if len(dst) > 0 {
		dst = append(dst, ' ')
	}
	dst = append(append(dst, "[%"...), command...)
	return append(appendClock(append(dst, ' '), sec), ']')
}

// appendClock writes H:MM:SS.
func appendClock(dst []byte, sec int) []byte {
	sec = max(0, min(sec, maxClockSec))
	dst = strconv.AppendInt(dst, int64(sec/3600), 10)
	for _, n := range []int{sec / 60 % 60, sec % 60} {
		dst = append(dst, ':', byte('0'+n/10), byte('0'+n%10))
	}
	return dst
}
