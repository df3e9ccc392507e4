package main

import (
	"bufio"
	"context"
	"flag"

	"boardwatchd/internal/record"
	"boardwatchd/internal/replay"
	"boardwatchd/internal/watch"
)

var pgnCommand = command{
	name: "pgn", args: "FILE…", brief: "the games of a recording as PGN, with the clock times",
	example: "boardwatchd pgn ~/.local/state/boardwatchd/board-1.bwj > round1.pgn",
	run: func(_ context.Context, e *env, fs *flag.FlagSet, args []string) error {
		board := fs.String("board", "", "the board's name, for captures (default: the file's name)")
		files, err := parse(fs, args)
		if err != nil {
			return err
		}
		if len(files) == 0 {
			return usage("name at least one recording")
		}
		out := bufio.NewWriter(e.out)
		for _, f := range files {
			if err := pgnFile(e, out, f, *board); err != nil {
				return firstError(err, out.Flush())
			}
		}
		return out.Flush()
	},
}

func pgnFile(e *env, out *bufio.Writer, file, board string) (err error) {
	src, err := open(e, file)
	if err != nil {
		return err
	}
	defer func() { err = firstError(err, src.Close()) }()
	var games replay.Games
	_, _, runErr := replay.Run(src, replay.Options{
		Board: boardName(file, board),
		Input: games.Input,
		Effect: func(_ record.Record, eff watch.Effect) {
			if eff.Kind == record.Say {
				games.Said(eff.Body)
			}
		},
	})
	// A recording that breaks off has games before the break.
	text, err := games.PGN()
	if err == nil {
		_, err = out.Write(text)
	}
	return firstError(runErr, err, damaged(e, src))
}
