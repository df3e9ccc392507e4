package main

import (
	"context"
	"flag"
	"fmt"

	"boardwatchd/internal/config"
)

var checkConfigCommand = command{
	name: "check-config", args: "FILE", brief: "validate a configuration and say which rules hold; errors carry file:line:column",
	example: "boardwatchd check-config /etc/boardwatchd/boardwatchd.yaml",
	run: func(_ context.Context, e *env, fs *flag.FlagSet, args []string) error {
		files, err := parse(fs, args)
		if err != nil {
			return err
		}
		if len(files) != 1 {
			return usage("name one file; %d are given", len(files))
		}
		c, err := config.Load(files[0])
		if err != nil {
			return exit{statusUsage, err}
		}
		if !e.quiet {
			fmt.Fprintf(e.out, "%s is valid: %s\n", files[0], boardsText(len(c.Boards)))
			for _, line := range c.InForce() {
				fmt.Fprintln(e.out, line)
			}
		}
		return nil
	},
}

func boardsText(n int) string {
	switch n {
	case 0:
		return "boards are found automatically"
	case 1:
		return "1 board"
	}
	return fmt.Sprintf("%d boards", n)
}
