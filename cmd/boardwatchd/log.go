package main

import (
	"io"
	"time"

	"github.com/rs/zerolog"

	"boardwatchd/internal/config"
	"boardwatchd/internal/console"
)

var levels = [...]zerolog.Level{
	config.NoLevel: zerolog.InfoLevel, config.Debug: zerolog.DebugLevel, config.Info: zerolog.InfoLevel,
	config.Warn: zerolog.WarnLevel, config.Error: zerolog.ErrorLevel,
}

// logger makes the program's log on standard error: lines for people on a terminal, otherwise JSON. Lines go through
// out, which never delays a board.
func logger(e *env, c config.Log, out io.Writer) zerolog.Logger {
	level := levels[c.Level]
	if e.quiet {
		level = zerolog.WarnLevel
	}
	w := out
	if c.Format == config.FormatHuman || c.Format == config.FormatAuto && console.IsTerminal(e.err) {
		w = zerolog.ConsoleWriter{Out: out, NoColor: e.getenv("NO_COLOR") != "" || !console.IsTerminal(e.err), TimeFormat: time.TimeOnly}
	}
	return zerolog.New(w).Level(level).With().Timestamp().Logger()
}
