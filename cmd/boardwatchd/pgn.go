package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"flag"
	"path/filepath"

	"boardwatchd/internal/daemon"
	"boardwatchd/internal/record"
	"boardwatchd/internal/recording"
	"boardwatchd/internal/replay"
	"boardwatchd/internal/report"
	"boardwatchd/internal/watch"
)

var pgnCommand = command{
	name: "pgn", args: "FILE…", brief: "the games of a recording as PGN, with the clock times and how long moves took\n" +
		"(latest is the newest round of all boards, latest:BOARD of one)",
	example: "boardwatchd pgn latest > round1.pgn",
	run: func(_ context.Context, e *env, fs *flag.FlagSet, args []string) error {
		board := fs.String("board", "", "the board's name, for captures (default: the file's name)")
		prefix := fs.Bool("legal-prefix", false, "only the legal moves before a break, an illegal move that stood or plies that are not known")
		full := fs.Bool("full", false, "one game: all that follows the legal moves stands in a comment")
		names := fs.String("people", "", "the file that says who is meant by the ids in journals (default: people.json beside the recording)")
		files, _, err := parseRecordings(e, fs, args)
		if err != nil {
			return err
		}
		if len(files) == 0 {
			return usage("name at least one recording")
		}
		form := replay.Parts
		switch {
		case *prefix && *full:
			return usage("--legal-prefix and --full exclude each other")
		case *prefix:
			form = replay.LegalPrefix
		case *full:
			form = replay.Full
		}
		out := bufio.NewWriter(e.out)
		var failed error
		counts := countedGames(files)
		for _, f := range files { // a bad file does not stop the others
			if err := pgnFile(e, out, f, *board, *names, form, counts); err != nil {
				failed = errors.Join(failed, withRemoval(f, err))
			}
		}
		return errors.Join(failed, out.Flush())
	},
}

// countedGames returns a function that reports whether a game of a file counts there. It reads files of one name once
// more: they may have the same game.
func countedGames(files []string) func(file string, game int) bool {
	named := map[string]int{}
	for _, f := range files {
		named[filepath.Base(f)]++
	}
	read, of := map[string]bool{}, report.Collector{}
	for _, f := range files {
		if named[filepath.Base(f)] < 2 || read[f] {
			continue
		}
		src, err := recording.Open(f, nil)
		if err != nil {
			continue // pgnFile says so
		}
		read[f] = src.Journal() && of.Add(f, src, "", nil) == nil
		_ = src.Close() // read only
	}
	counts := of.Counting()
	return func(file string, game int) bool { return !read[file] || counts(file, game) }
}

func pgnFile(e *env, out *bufio.Writer, file, board, names string, form replay.Form, counts func(string, int) bool) (err error) {
	src, err := open(e, file)
	if err != nil {
		return err
	}
	defer func() { err = firstError(err, src.Close()) }()
	games := replay.Games{People: peopleOf(e, file, names), Called: func(board string) string {
		shown, table := new(daemon.Naming).Of(file, board)
		return cmp.Or(table, shown)
	}}
	_, _, runErr := replay.Run(src, replay.Options{
		Board: boardName(file, board),
		Input: games.Input,
		Effect: func(_ record.Record, eff watch.Effect) {
			if eff.Kind == record.Say {
				games.Said(eff.Body)
			}
		},
	})
	games.Leave(func(game int) bool { return !counts(file, game) })
	// A recording that breaks off has games before the break.
	text, err := games.PGN(form)
	if err == nil {
		_, err = out.Write(text)
	}
	return firstError(runErr, err, damaged(e, src))
}
