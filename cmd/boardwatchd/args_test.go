package main

import (
	"flag"
	"io"
	"slices"
	"strings"
	"testing"
)

func TestSplitArgs(t *testing.T) {
	const placement = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
	for _, c := range []struct {
		name, args, fen, moves string
	}{
		{"a FEN in one word", placement + "_w_KQkq_-_0_1|e2e4|e7e5", placement + "_w_KQkq_-_0_1", "e2e4 e7e5"},
		{"a FEN that the shell has split", placement + "|w|KQkq|-|0|1|e2e4", placement + "_w_KQkq_-_0_1", "e2e4"},
		{"without counters", placement + "|w|KQkq|-|e2e4|e7e5", placement + "_w_KQkq_-", "e2e4 e7e5"},
		{"with one counter", placement + "|w|KQkq|-|7|e2e4", placement + "_w_KQkq_-_7", "e2e4"},
		{"no moves", placement + "|w|KQkq|-", placement + "_w_KQkq_-", ""},
		{"startpos", "startpos|e2e4", "startpos", "e2e4"},
		{"too few fields", placement + "|w", placement + "_w", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			args := strings.Split(c.args, "|")
			for i := range args {
				args[i] = strings.ReplaceAll(args[i], "_", " ")
			}
			fen, moves := splitArgs(args)
			if want := strings.ReplaceAll(c.fen, "_", " "); fen != want || strings.Join(moves, " ") != c.moves {
				t.Errorf("%q and %q, want %q and %q", fen, moves, want, c.moves)
			}
		})
	}
}

func TestFlagsMayStandAnywhere(t *testing.T) {
	for _, line := range []string{"--speed 3 a b", "a --speed 3 b", "a b --speed 3", "a b -speed=3"} {
		fs := flag.NewFlagSet("replay", flag.ContinueOnError)
		fs.SetOutput(io.Discard)
		speed := fs.Int("speed", 0, "")
		rest, err := parse(fs, strings.Fields(line))
		if err != nil || *speed != 3 || !slices.Equal(rest, []string{"a", "b"}) {
			t.Errorf("%q: speed %d, rest %q, %v", line, *speed, rest, err)
		}
	}
}

func TestBoardName(t *testing.T) {
	for _, c := range []struct{ file, given, want string }{
		{"/var/lib/game1.hex.gz", "", "game1"},
		{"game1", "", "game1"},
		{"-", "", "1"},
		{".hex", "", "1"},
		{"game1.hex", "table 7", "table 7"},
	} {
		if got := boardName(c.file, c.given); got != c.want {
			t.Errorf("%q, %q: %q, want %q", c.file, c.given, got, c.want)
		}
	}
}
