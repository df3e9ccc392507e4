package pgn

import (
	"errors"
	"io"
	"strings"
	"testing"

	"boardwatchd/rules/legal"
)

// FuzzRead: no panic; the reader always comes to the end; errors point into the
// text; a game that was read can be written, and its text is read back to the
// same text.
func FuzzRead(f *testing.F) {
	f.Add([]byte("[Event \"x\"]\n\n1. e4 {[%clk 1:00:00] a} e5 (1... c5 $1) 2. Nf3 ; b\n1-0\n\n1. d4 *"))
	f.Add([]byte("[Variant \"Chess960\"]\n[FEN \"bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1\"]\n1. O-O *"))
	f.Add([]byte("{a} {b} 1. e4 {c} {d} (x) e5 {e} {f} ½–½"))
	f.Add([]byte("[FEN \"8/P6k/8/8/8/8/7p/K7 w - - 0 50\"]\n50. a8=Q h1(N) *"))
	f.Add([]byte("% x\n<y> 1. e4 exd6e.p. 0-0-0\xff"))
	f.Fuzz(func(t *testing.T, text []byte) {
		lines := 1 + strings.Count(string(text), "\n")
		r := NewReader(text)
		for n := 0; ; n++ {
			if n > len(text)+1 {
				t.Fatal("the reader does not come to an end")
			}
			g, err := r.Next()
			if errors.Is(err, io.EOF) {
				return
			}
			var e *Error
			if err != nil {
				if !errors.As(err, &e) || e.Line < 1 || e.Line > lines || e.Column < 1 || e.Column > len(text)+1 {
					t.Fatalf("%T %v in %d lines", err, err, lines)
				}
				continue
			}
			first, err := Append(nil, g)
			if err != nil {
				t.Fatalf("was read but cannot be written: %v", err)
			}
			back, err := Parse(first)
			if err != nil || len(back) != 1 || uci(t, back[0]) != uci(t, g) || back[0].Result != g.Result || back[0].Start != g.Start {
				t.Fatalf("read back %d games, %v\n%s", len(back), err, first)
			}
			if second, err := Append(nil, back[0]); err != nil || string(second) != string(first) {
				t.Fatalf("%v\nfirst\n%s\nsecond\n%s", err, first, second)
			}
		}
	})
}

// FuzzWrite: whatever is in the tags and comments, the game stays the same.
func FuzzWrite(f *testing.F) {
	f.Add("Event", "a", "b", "c", 5)
	f.Add("x\"]", "}", "[%clk 0:00:01]", "% a", -1)
	f.Add("FEN", "[%[%[%", "\\", "a\nb", 1<<40)
	f.Fuzz(func(t *testing.T, name, before, comment, after string, sec int) {
		g := New()
		g.SetTag(name, before)
		g.SetTag("Event", after)
		g.Before, g.After = before, after
		pos := legal.StartPosition()
		for _, s := range []string{"e4", "e5"} {
			m, err := pos.ParseSAN(s)
			if err != nil {
				t.Fatal(err)
			}
			g.Moves = append(g.Moves, Ply{Move: m, HasClock: true, ClockSec: sec, HasElapsed: true, ElapsedSec: sec})
			pos = pos.After(m)
		}
		g.Moves[0].Comment, g.Moves[1].Comment = comment, before
		text, err := Append(nil, g)
		if err != nil {
			if isTagName(name) {
				t.Fatal(err)
			}
			return
		}
		back, err := Parse(text)
		if err != nil || len(back) != 1 || uci(t, back[0]) != "e2e4 e7e5" || back[0].Result != Unknown {
			t.Fatalf("%d games, %v\n%s", len(back), err, text)
		}
		if c := back[0].Moves[0]; !c.HasClock || !c.HasElapsed || c.ClockSec != max(0, min(sec, maxClockSec)) || c.ElapsedSec != c.ClockSec {
			t.Fatalf("the clock came back as %+v\n%s", c, text)
		}
	})
}
