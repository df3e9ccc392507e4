package pgn

import (
	"runtime"
	"strings"
	"testing"

	"boardwatchd/rules/legal"
)

// A quadratic reader copies the same text again and again: its allocations show that without a clock.
func TestReadingIsLinear(t *testing.T) {
	const size = 256 << 10
	for name, unit := range map[string]string{
		"comments": "{a}", "clocks": "{a[%clk 0:00:01]b}", "commands in one comment": "", "tags": "", "spaces": "\u00a0", "parentheses": "(",
		"brackets": "[", "quotes": "[A \"\\\"", "NAGs": "$1 ", "headers": "[Event \"x\"]\n", "bad moves": "[Event \"x\"] e5 ", "Latin-1": "\xe4", "nothing": "\n", "angles": "<",
	} {
		text := strings.Repeat(unit, size/max(1, len(unit)))
		switch name {
		case "commands in one comment":
			text = "1. e4 {" + strings.Repeat("a[%b]", size/5) + "}"
		case "tags":
			var b strings.Builder
			for i := 0; b.Len() < size; i++ {
				b.WriteString("[T" + strings.Repeat("x", i%50) + string(appendClock(nil, i)[:1]) + " \"v\"]\n")
			}
			text = b.String()
		case "comments", "clocks":
			text = "1. e4 " + text
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		r := NewReader([]byte(text))
		for _, err := r.Next(); err == nil || isFault(err); _, err = r.Next() {
		}
		runtime.ReadMemStats(&after)
		// A header of one tag and a wrong move costs the most, 130 bytes a byte.
		if used := after.TotalAlloc - before.TotalAlloc; used > 300*size {
			t.Errorf("%s: %d bytes of text allocated %d", name, len(text), used)
		} else {
			t.Logf("%s: %d bytes a byte", name, used/uint64(len(text)))
		}
	}
}

func isFault(err error) bool { _, ok := err.(*Error); return ok }

func TestWritingIsLinear(t *testing.T) {
	const size = 256 << 10
	for name, comment := range map[string]string{
		"percent signs": strings.Repeat("% ", size/2), "commands": "[" + strings.Repeat("%", size), "words": strings.Repeat("a ", size/2), "brackets": strings.Repeat("[ ", size/2),
	} {
		g := New()
		pos := legal.StartPosition()
		m, err := pos.ParseSAN("e4")
		if err != nil {
			t.Fatal(err)
		}
		g.Add(m)
		g.Moves[0].Comment = comment
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		write(t, g)
		runtime.ReadMemStats(&after)
		if used := after.TotalAlloc - before.TotalAlloc; used > 200*size {
			t.Errorf("%s: %d bytes of comment allocated %d", name, len(comment), used)
		}
	}
}
