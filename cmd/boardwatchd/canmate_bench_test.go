package main

import (
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"boardwatchd/rules/helpmate"
	"boardwatchd/rules/legal"
)

// randomPositions are positions out of random games, which go on to the end.
func randomPositions(count int) (out []legal.Position) {
	r := rand.New(rand.NewPCG(5, 5))
	var list legal.MoveList
	for len(out) < count {
		pos := legal.StartPosition()
		for range 300 {
			if pos.Moves(&list); list.Len() == 0 {
				break
			}
			if pos = pos.After(list.At(r.IntN(list.Len()))); r.IntN(10) == 0 && len(out) < count {
				out = append(out, pos)
			}
		}
	}
	return out
}

// BenchmarkAroundAsk is what the command does about a question besides asking it: the FEN is read, the answer written
// with its line.
func BenchmarkAroundAsk(b *testing.B) {
	type asked struct {
		fen    string
		side   legal.Side
		answer helpmate.Answer
	}
	var all []asked
	for i, pos := range randomPositions(300) {
		side := legal.White + legal.Side(i&1)
		all = append(all, asked{pos.FEN(), side, helpmate.Ask(&pos, side, helpmate.DefaultLimit)})
	}
	for _, format := range []string{"text", "jsonl"} {
		b.Run(format, func(b *testing.B) {
			a := newLineAnswerer(asking{budget: helpmate.DefaultLimit, jsonl: format == "jsonl"})
			var text []byte
			i := 0
			b.ReportAllocs()
			for b.Loop() {
				x := &all[i%len(all)]
				i++
				q := read(x.fen)
				began := time.Now()
				if took := time.Since(began); a.jsonl {
					text = a.object(text[:0], &q, x.side, &x.answer, took)
				} else {
					text = a.text(text[:0], &q, x.side, &x.answer)
				}
			}
		})
	}
}

// BenchmarkStream is the way of a line from the input to the output, with an answer that costs nothing.
func BenchmarkStream(b *testing.B) {
	line := "8/8/4k3/8/8/4K3/8/8 w - - 0 1\n"
	echo := func(text, line []byte) ([]byte, error) { return append(append(text, line...), '\n'), nil }
	in := strings.Repeat(line, b.N)
	b.ResetTimer()
	e := &env{out: io.Discard, err: io.Discard, quiet: true}
	p := newProgress(e)
	defer p.stop()
	if err := answerLines(strings.NewReader(in), io.Discard, []answerer{echo, echo}, p); err != nil {
		b.Fatal(err)
	}
}
