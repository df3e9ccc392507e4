package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"

	"boardwatchd/internal/config"
	"boardwatchd/internal/daemon"
)

var checkConfigCommand = command{
	name: "check-config", args: "FILE", brief: "validate a configuration and say which rules hold; errors carry file:line:column",
	example: "boardwatchd check-config /etc/boardwatchd/boardwatchd.yaml",
	run: func(_ context.Context, e *env, flags *flag.FlagSet, args []string) error {
		files, err := parse(flags, args)
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
		var unread *fs.PathError
		switch err := daemon.CheckToken(c.Hall.Join); {
		case c.Hall.Join == "":
		case errors.As(err, &unread): // the configuration may be for another computer
			fmt.Fprintf(e.err, "boardwatchd check-config: note: hall: join: %v\n", err)
		case err != nil:
			return usage("%s: hall: join: %w", files[0], err)
		}
		if !e.quiet {
			fmt.Fprintf(e.out, "%s is valid: %s\n", files[0], boardsText(&c, servesHall(e, &c)))
			for _, line := range c.InForce() {
				fmt.Fprintln(e.out, line)
			}
		}
		return nil
	},
}

// servesHall reports whether a configuration is that of a hall: it has the hall's address, or the hall has run before.
func servesHall(e *env, c *config.Config) bool {
	if c.Hall.Listen != config.Default().Hall.Listen || len(c.Hall.Cluster) > 0 {
		return true
	}
	dir, err := c.StateDirectory(e.getenv)
	return err == nil && daemon.HallFiles(dir).Exists() == nil
}

func boardsText(c *config.Config, hall bool) string {
	switch n := len(c.Boards); {
	case n == 1:
		return "1 board"
	case n > 1:
		return fmt.Sprintf("%d boards", n)
	case hall:
		return "a hall watches no boards itself; those of its computers are shown"
	}
	return "boards are found automatically; a hall shows those of its computers"
}
