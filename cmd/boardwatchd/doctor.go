package main

import (
	"context"
	"errors"
	"flag"

	"boardwatchd/internal/config"
	"boardwatchd/internal/console"
	"boardwatchd/internal/doctor"
)

var doctorCommand = command{
	name: "doctor", args: "[-c FILE] [--format text|jsonl]", brief: "what would stop it from working here, what would stop a phone from reaching it, and the remedy",
	example: "boardwatchd doctor -c /etc/boardwatchd/boardwatchd.yaml",
	run: func(ctx context.Context, e *env, fs *flag.FlagSet, args []string) error {
		file := fs.String("c", "", "the configuration; without it the defaults are examined")
		format := formatFlag(fs)
		rest, err := parse(fs, args)
		if err != nil {
			return err
		}
		if len(rest) > 0 {
			return usage("%q: doctor takes flags only, like -c FILE", rest[0])
		}
		if err := checkFormat(*format); err != nil {
			return err
		}
		return examine(ctx, e, doctor.ThisComputer(), *file, *format)
	},
}

// examine prints the report. A wrong configuration is a line of the report and not the end of it.
func examine(ctx context.Context, e *env, c doctor.Computer, file, format string) error {
	conf, err := loadConfig(file)
	var problems config.Problems
	if errors.As(err, &problems) {
		err = problems
	}
	c.Getenv = e.getenv
	lines := doctor.Examine(ctx, c, doctor.Subject{File: file, Config: conf, Problem: err})
	style := doctor.Style{Quiet: e.quiet, Colour: console.IsTerminal(e.out) && e.getenv("NO_COLOR") == ""}
	write := doctor.Text
	if format == "jsonl" {
		write = doctor.JSONL
	}
	if err := write(e.out, lines, style); err != nil {
		return err
	}
	if doctor.Worst(lines) == doctor.Fail {
		return exit{code: statusFailed}
	}
	return nil
}
