package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"strings"

	"boardwatchd/internal/journal"
	"boardwatchd/internal/replay"
	"boardwatchd/internal/watch"
)

var verifyCommand = command{
	name: "verify", args: "FILE…", brief: "replay a journal and compare with what was said at the time, byte for byte",
	example: "boardwatchd verify ~/.local/state/boardwatchd/board-1.bwj",
	run: func(_ context.Context, e *env, fs *flag.FlagSet, args []string) error {
		files, err := parse(fs, args)
		if err != nil {
			return err
		}
		if len(files) == 0 {
			return usage("name at least one journal")
		}
		worst := 0
		var unread error
		for _, f := range files {
			code, err := verifyFile(e, f)
			if bad := (exit{}); errors.As(err, &bad) {
				return err
			}
			unread = errors.Join(unread, err)
			worst = max(worst, code)
		}
		if unread != nil {
			return exit{max(worst, statusFailed), unread} // the others have had their verdict
		}
		return status(worst)
	},
}

func status(code int) error {
	if code == 0 {
		return nil
	}
	return exit{code: code}
}

// verifyFile prints one verdict. A journal that was not closed (the daemon was killed) is whole: every record in it is
// good and nothing is missing before its end.
func verifyFile(e *env, file string) (code int, err error) {
	src, err := open(e, file)
	if err != nil {
		return 0, err
	}
	defer func() { err = firstError(err, src.Close()) }()
	if !src.Journal() {
		return 0, usage("%s is a capture, not a journal: only a journal holds what was said at the time; see boardwatchd replay", file)
	}
	c, err := replay.Verify(src)
	if err != nil {
		return 0, err
	}
	for _, d := range src.Damage() {
		fmt.Fprintf(e.out, "%s: %s\n", file, d)
	}
	copies, err := src.Copies()
	if err != nil {
		return 0, err
	}
	verdict := src.Verdict()
	switch {
	case len(copies) > 0:
		fmt.Fprintf(e.out, "%s: damaged: %s is a copy of the segment before it, which no daemon makes; all else was read\n", file, strings.Join(copies, ", "))
		return statusDamaged, nil
	case src.GoesOn():
		fmt.Fprintf(e.out, "%s: damaged: its last segment announces another one, which is not there: it was removed, or the daemon was killed at that very moment\n", file)
		return statusDamaged, nil
	case verdict == journal.Corrupt || verdict == journal.Torn:
		fmt.Fprintf(e.out, "%s: damaged (%v): %d records read, %d effects equal; the file is left as it is\n", file, verdict, c.Records+c.Effects, c.Effects)
		code = statusDamaged
	case c.Missing:
		fmt.Fprintf(e.out, "%s: damaged: it does not begin with the journal's first record; name the file, so that its other segments are found\n", file)
		return statusDamaged, nil
	case c.Lost > 0:
		fmt.Fprintf(e.out, "%s: damaged: %d records were lost while the disk took none, as the journal itself says\n", file, c.Lost)
		return statusDamaged, nil
	case c.First == nil:
		fmt.Fprintf(e.out, "%s: equal: %d inputs, %d effects, %v\n", file, c.Records, c.Effects, verdict)
		if c.Owed > 0 {
			fmt.Fprintf(e.out, "%s: the writer ended before it wrote the last %d effects; the next start writes them\n", file, c.Owed)
		}
		return 0, nil
	case c.Core != watch.Revision:
		fmt.Fprintf(e.out, "%s: written by core revision %s, this is %s; the first difference:\n", file, c.Core, watch.Revision)
		code = statusRevision
	default:
		fmt.Fprintf(e.out, "%s: different; the first difference:\n", file)
		code = statusDifferent
	}
	if c.First != nil {
		fmt.Fprintln(e.out, c.First)
	}
	return code, nil
}
