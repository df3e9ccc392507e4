package main

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"boardwatchd/internal/config"
	"boardwatchd/internal/daemon"
	"boardwatchd/internal/journal"
)

// serviceStates are the state directories of the package's services: the hall's, with the journals of all computers,
// and a computer's own.
var serviceStates = []string{"/var/lib/boardwatchd-hall", "/var/lib/boardwatchd"}

// recordings replaces latest and latest:BOARD by the newest journals, which it looks for in the configured directory.
func recordings(e *env, c config.Config, args []string) (files []string, err error) {
	for _, arg := range args {
		word, board, colon := strings.Cut(arg, ":")
		if word != daemon.Latest || colon && board == "" {
			files = append(files, arg)
			continue
		}
		own, err := c.StateDirectory(e.getenv)
		if err != nil {
			return nil, exit{statusUsage, err}
		}
		dirs := []string{own}
		if c.StateDir == "" && e.getenv("STATE_DIRECTORY") == "" && e.getenv("XDG_STATE_HOME") == "" { // not configured
			dirs = append(dirs, serviceStates...)
		}
		found, older, unread, err := daemon.LatestJournals(board, dirs...)
		if errors.Is(err, fs.ErrPermission) {
			err = fmt.Errorf("%w; the journals of the service are for root alone: sudo boardwatchd …", err)
		}
		if err != nil {
			return nil, err
		}
		if unread != nil {
			fmt.Fprintf(e.err, "boardwatchd: %s is in %s, but a newer round may be where this user may not look (%v): sudo boardwatchd …\n", arg, daemon.StateOf(found[0]), unread)
		} else if len(older) > 0 && !e.quiet {
			fmt.Fprintf(e.err, "boardwatchd: %s is in %s; there are older ones in %s\n", arg, daemon.StateOf(found[0]), strings.Join(older, ", "))
		}
		files = append(files, found...)
	}
	return files, nil
}

// parseRecordings is parse for the commands whose arguments are recordings. Their configuration sets where latest
// looks.
func parseRecordings(e *env, fs *flag.FlagSet, args []string) (files []string, c config.Config, err error) {
	file := fs.String("c", "", "the configuration; it names the state directory, where latest looks")
	if files, err = parse(fs, args); err != nil {
		return nil, c, err
	}
	if c, err = loadConfig(*file); err != nil {
		return nil, c, err
	}
	files, err = recordings(e, c, files)
	return withoutSiblings(files), c, err
}

// withoutSiblings leaves out further files of a journal of which several are named, as by *.bwj, because each of them
// opens the whole journal. The lowest number stays.
func withoutSiblings(files []string) []string {
	lowest := map[string]int{}
	journalOf := func(file string) (whole string, number int, ok bool) {
		name, number, ok := journal.ParseSegmentName(filepath.Base(file))
		return filepath.Join(filepath.Dir(file), name), number, ok
	}
	for _, file := range files {
		if whole, number, ok := journalOf(file); ok && (lowest[whole] == 0 || number < lowest[whole]) {
			lowest[whole] = number
		}
	}
	return slices.DeleteFunc(files, func(file string) bool {
		whole, number, ok := journalOf(file)
		return ok && number != lowest[whole]
	})
}
