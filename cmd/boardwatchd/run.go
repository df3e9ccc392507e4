package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/rs/zerolog"

	"boardwatchd/internal/config"
	"boardwatchd/internal/console"
	"boardwatchd/internal/daemon"
	"boardwatchd/internal/pairing"
)

var runCommand = command{
	name: "run", args: "[-c FILE] [--pairing FILE]", brief: "watch every configured board; with no configuration, find DGT boards on the serial ports",
	example: "boardwatchd run -c /etc/boardwatchd/boardwatchd.yaml",
	run: func(ctx context.Context, e *env, fs *flag.FlagSet, args []string) error {
		file := fs.String("c", "", "the configuration; without it the defaults hold")
		pairs := fs.String("pairing", "", "who sits at which board: PGN, a list (CSV) or TRF; the round is the configuration's, or the latest")
		rest, err := parse(fs, args)
		if err != nil {
			return err
		}
		if len(rest) > 0 {
			return usage("%q: run takes no arguments, only -c FILE and --pairing FILE", rest[0])
		}
		return runDaemon(ctx, e, *file, *pairs)
	},
}

// loadConfig returns the defaults for "".
func loadConfig(file string) (config.Config, error) {
	if file == "" {
		return config.Default(), nil
	}
	c, err := config.Load(file)
	if err != nil {
		return c, exit{statusUsage, err}
	}
	return c, nil
}

// namedStateDir returns the directory of the journals, which may not exist.
func namedStateDir(e *env, c config.Config) (string, error) {
	dir, err := c.StateDirectory(e.getenv)
	if err != nil {
		return "", exit{statusUsage, err}
	}
	return dir, nil
}

// stateDir returns the directory of the journals, and makes it if it is missing.
func stateDir(e *env, c config.Config) (string, error) {
	dir, err := namedStateDir(e, c)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("make the state directory: %w; set state_dir to a directory that this user may write", err)
	}
	if _, err := os.ReadDir(dir); err != nil {
		return "", fmt.Errorf("read the state directory: %w; set state_dir to a directory that this user may write", err)
	}
	return dir, nil
}

// prepare reads the configuration and finds the state directory.
func prepare(e *env, file string) (conf config.Config, dir string, err error) {
	if conf, err = loadConfig(file); err != nil {
		return conf, "", err
	}
	dir, err = stateDir(e, conf)
	return conf, dir, err
}

func runDaemon(ctx context.Context, e *env, file, pairs string) error {
	conf, err := loadConfig(file)
	if err != nil {
		return err
	}
	dir, err := namedStateDir(e, conf)
	if err != nil {
		return err
	}
	who, err := readPairing(pairs, conf)
	var gone *fs.PathError
	if err != nil && !errors.As(err, &gone) {
		return err
	}
	messages := console.NewScreen(e.err)
	defer messages.Close()
	out := console.NewScreen(e.out)
	defer out.Close() // after the last station: Run waits for them
	o := daemonOptions(e, conf, dir, out, logger(e, conf.Log, messages))
	o.Pairing, o.PairingGone, o.JoinFile, o.File = who, gone, joinFile, absolutePath(file)
	err = daemon.Open(o).Run(ctx)
	var same *daemon.SameJournalError
	if errors.As(err, &same) {
		return exit{statusUsage, err}
	}
	return err
}

// absolutePath is the absolute path of a configuration; "": there is none.
func absolutePath(file string) string {
	if abs, err := filepath.Abs(file); file != "" && err == nil {
		return abs
	}
	return file
}

// joinFile is on the boot partition of a small computer's card, which any computer can write, so that a hall's token
// can be put there.
const joinFile = "/boot/firmware/boardwatchd-join"

// daemonOptions are the options that run and simulate share.
func daemonOptions(e *env, conf config.Config, dir string, out *console.Screen, log zerolog.Logger) daemon.Options {
	return daemon.Options{
		Config: conf, Dir: dir, Log: log, Version: version, Show: out.Show, Invitation: invitation(e), Getenv: e.getenv,
	}
}

// invitation is how much of the invitation standard output may show: no secret if it goes into the system's log.
func invitation(e *env) daemon.Invitation {
	switch {
	case e.quiet || console.IsSystemLog(e.getenv, os.Stdout):
		return daemon.PaperOnly
	case !console.IsTerminal(e.out) || e.getenv("TERM") == "dumb":
		return daemon.WithCode
	case console.HasUTF8(e.getenv):
		return daemon.WithQR
	}
	return daemon.WithPlainQR
}

// readPairing reads the pairing of the configured round; "" means none.
func readPairing(file string, conf config.Config) (_ *pairing.Pairing, err error) {
	if file == "" {
		return nil, nil
	}
	if len(conf.Boards) == 0 {
		return nil, usage("--pairing needs boards with numbers in the configuration: a board that is found by itself is called by its serial number")
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, usage("--pairing: %w", err)
	}
	defer func() { err = firstError(err, f.Close()) }()
	p, err := pairing.Read(file, f, pairing.Round(conf.Round))
	if err != nil {
		return nil, exit{statusUsage, err}
	}
	return &p, nil
}
