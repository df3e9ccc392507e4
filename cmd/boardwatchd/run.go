package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"time"

	"boardwatchd/internal/config"
	"boardwatchd/internal/link"
	"boardwatchd/internal/sdnotify"
)

var runCommand = command{
	name: "run", args: "[-c FILE] [--pairing FILE]", brief: "watch every configured board; with no configuration, find DGT boards on the serial ports",
	example: "boardwatchd run -c /etc/boardwatchd.yaml",
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

// stateDir returns the directory of the journals, made where it is missing.
func stateDir(e *env, c config.Config) (string, error) {
	dir, err := c.StateDirectory(e.getenv)
	if err != nil {
		return "", exit{statusUsage, err}
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
	conf, dir, err := prepare(e, file)
	if err != nil {
		return err
	}
	who, err := readSeats(pairs, conf)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	messages := newScreen(e.err)
	defer messages.close()
	d := newDaemon(e, conf, dir, logger(e, conf.Log, messages))
	d.seats = who
	who.introduce(d.log, conf.Boards)
	defer d.out.close() // behind the last station: every path waits for them
	d.enter()
	if err := d.start(ctx); err != nil {
		cancel()
		d.end()
		return err
	}
	d.admit(ctx, false)
	for _, line := range conf.InForce() {
		d.log.Info().Msg(line)
	}
	if err := sdnotify.Notify(sdnotify.Ready); err != nil {
		d.log.Warn().Err(err).Msg("notify systemd")
	}
	d.running.Go(func() { d.feedWatchdog(ctx) })
	<-ctx.Done()
	d.log.Info().Msg("stopping")
	_ = sdnotify.Notify(sdnotify.Stopping) // only a courtesy
	d.end()
	return d.firstFailure()
}

// start begins to watch. What is wrong with one board must not keep the others from being watched, so it is tried again;
// only when none can be watched the daemon says why and ends.
func (d *daemon) start(ctx context.Context) error {
	if len(d.conf.Boards) == 0 {
		d.running.Go(func() { d.discover(ctx) })
		return nil
	}
	var errs []error
	var keepers []func()
	names := map[string]string{}
	for _, b := range d.conf.Boards {
		if other, taken := names[fileName(b.Name)]; taken {
			return usage("the boards %q and %q would write one journal (%s); give one another name", other, b.Name, fileName(b.Name))
		}
		names[fileName(b.Name)] = b.Name
	}
	for _, b := range d.conf.Boards {
		ended, err := d.watchBoard(ctx, b)
		if err != nil {
			errs = append(errs, err)
		}
		keepers = append(keepers, func() { d.keep(ctx, b, ended, err) })
	}
	if len(errs) == len(d.conf.Boards) {
		return errors.Join(errs...)
	}
	for _, k := range keepers { // only now: when nothing can be watched, that is said once
		d.running.Go(k)
	}
	return nil
}

// Back-off between two attempts to watch a board.
const firstRetry, lastRetry = time.Second, time.Minute

// keep watches a board again when it could not be, or when its station gave up.
func (d *daemon) keep(ctx context.Context, b config.Board, ended <-chan error, err error) {
	wait := firstRetry
	for ctx.Err() == nil {
		if err == nil {
			wait = firstRetry
			err = <-ended
			if err == nil {
				return // ctx has ended
			}
		} else {
			d.log.Error().Err(err).Str("board", b.Name).Stringer("again_in", wait).Msg("cannot watch")
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
		wait = min(2*wait, lastRetry)
		ended, err = d.watchBoard(ctx, b)
	}
}

func (d *daemon) watchBoard(ctx context.Context, b config.Board) (<-chan error, error) {
	name, err := journalName(d.dir, b.Name, d.conf.Round, time.Now())
	if err != nil {
		return nil, err
	}
	return d.watch(ctx, b, link.Spec{Port: b.Port, Serial: b.Serial, Settle: d.conf.Timing.Settle}, name)
}

// discoverEvery is how often new boards are looked for. What is plugged in is asked, not only listed.
const discoverEvery = 2 * time.Second

// discover finds boards and begins to watch each new one by its own serial number, wherever it is plugged in next.
func (d *daemon) discover(ctx context.Context) {
	f := link.Finder{Settle: d.conf.Timing.Settle}
	told := ""
	for ctx.Err() == nil {
		found, err := f.Scan(ctx)
		for _, b := range found {
			name := "board-" + b.Serial
			if d.knows(name) {
				continue
			}
			board := config.NewBoard(name, link.Auto)
			board.Serial = b.Serial
			if _, err := d.watchBoard(ctx, board); err != nil { // tried again at the next look
				d.log.Error().Err(err).Str("board", name).Msg("cannot watch")
			}
		}
		d.mu.Lock()
		watched := len(d.stations)
		d.mu.Unlock()
		if text := whyNone(err); watched == 0 && text != told {
			told = text
			d.log.Warn().Msg("no board is watched yet: " + text + "; looking on")
		}
		select {
		case <-ctx.Done():
		case <-time.After(discoverEvery):
		}
	}
}

func whyNone(err error) string {
	if err == nil || errors.Is(err, context.Canceled) {
		return "none answered"
	}
	return err.Error()
}
