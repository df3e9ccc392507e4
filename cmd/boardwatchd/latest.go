package main

import (
	"flag"
	"strings"

	"boardwatchd/internal/config"
	"boardwatchd/internal/daemon"
)

// serviceState is where the service of the package keeps its journals.
const serviceState = "/var/lib/boardwatchd"

// recordings puts the newest journals in the place of latest and latest:BOARD. They are where the configuration has
// them.
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
		if c.StateDir == "" && e.getenv("STATE_DIRECTORY") == "" && e.getenv("XDG_STATE_HOME") == "" { // nobody has said where to look
			dirs = append(dirs, serviceState)
		}
		found, err := daemon.LatestJournals(board, dirs...)
		if err != nil {
			return nil, err
		}
		files = append(files, found...)
	}
	return files, nil
}

// parseRecordings is parse for the commands whose arguments are recordings.
func parseRecordings(e *env, fs *flag.FlagSet, args []string) ([]string, error) {
	files, err := parse(fs, args)
	if err != nil {
		return nil, err
	}
	return recordings(e, config.Default(), files)
}
