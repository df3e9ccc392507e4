package main

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/rs/zerolog"

	"boardwatchd/internal/config"
	"boardwatchd/internal/journal"
	"boardwatchd/internal/link"
	"boardwatchd/internal/sdnotify"
	"boardwatchd/internal/show"
	"boardwatchd/internal/station"
)

// daemon runs the stations of run and simulate: the same code, whatever is at the other end of the port.
type daemon struct {
	conf config.Config
	dir  string
	log  zerolog.Logger
	mono func() int64
	rate int64
	// who sits where; nil: nobody said
	seats *seats
	hall  *hall // of enter, before the first board
	quiet bool
	// paints says that standard output is a terminal that takes colours
	paints bool

	also     func(body []byte) // hears what is said, besides the terminal; may be nil
	out      *screen
	mu       sync.Mutex // guards stations and failure
	stations map[string]*station.Station
	failure  error
	running  sync.WaitGroup
}

func newDaemon(e *env, conf config.Config, dir string, log zerolog.Logger) *daemon {
	start := time.Now()
	return &daemon{
		conf: conf, dir: dir, log: log, out: newScreen(e.out), quiet: e.quiet, rate: 1,
		paints: isTerminal(e.out) && e.getenv("TERM") != "dumb", stations: map[string]*station.Station{},
		mono: func() int64 { return time.Since(start).Microseconds() },
	}
}

// watch opens a board's station and runs it until ctx ends; ended gets the station's last word.
func (d *daemon) watch(ctx context.Context, b config.Board, spec link.Spec, name string) (ended <-chan error, err error) {
	var told toldNames
	opt := station.Options{
		Board: b.Name, Dir: d.dir, Journal: name, Config: d.conf.Core(b).Canonical(), Software: version, Boot: bootID(),
		Wall: time.Now, Mono: d.mono, Rate: d.rate, Log: d.log.With().Str("board", b.Name).Logger(),
		Sync: d.conf.Journal.Sync / 2, Segment: d.conf.Journal.Segment, Said: d.said, Recovered: told.recovered,
	}
	ready := d.hall.listeners(b.Name, name, &opt)
	s, err := station.Open(opt)
	if err != nil {
		d.hall.left(b.Name)
		return nil, err
	}
	ready()
	spec.Seed = seedOf(b.Name)
	s.Connect(spec)
	d.mu.Lock()
	d.stations[b.Name] = s
	d.mu.Unlock()
	d.log.Info().Str("board", b.Name).Str("journal", filepath.Join(d.dir, name+journal.Extension)).Msg("watching")
	end := make(chan error, 1)
	d.running.Go(func() { d.seats.tell(ctx, d.log, b.Name, s, told) })
	d.running.Go(func() {
		err := s.Run(ctx)
		d.forget(b.Name)
		if err != nil {
			err = fmt.Errorf("board %s: %w", b.Name, err)
			d.fail(err)
		}
		end <- err
	})
	return end, nil
}

// fail keeps the first failure for the exit status.
func (d *daemon) fail(err error) {
	d.log.Error().Err(err).Msg("stopped watching")
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.failure == nil {
		d.failure = err
	}
}

func (d *daemon) forget(board string) {
	d.hall.left(board)
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.stations, board)
}

// firstFailure is what a process that ends in order has to tell all the same: something is not on the disk.
func (d *daemon) firstFailure() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.failure
}

// seedOf gives each board its own jitter, so that a hub that comes back is not asked by all of them at once.
func seedOf(name string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(name)) // never fails
	return h.Sum64()
}

// said prints what a board says for whoever looks at the terminal.
func (d *daemon) said(body []byte) {
	if d.also != nil {
		d.also(body)
	}
	if line := show.Line(body); line != "" {
		d.out.show(line)
	}
}

// knows says whether a board of that name is watched.
func (d *daemon) knows(name string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	_, ok := d.stations[name]
	return ok
}

// feedWatchdog pings systemd's watchdog while every station makes progress: a loop that hangs starves it.
func (d *daemon) feedWatchdog(ctx context.Context) {
	every := sdnotify.WatchdogInterval(os.Getenv, os.Getpid())
	if every == 0 {
		return
	}
	tick := time.NewTicker(every / 2)
	defer tick.Stop()
	last := map[string]int64{}
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if stuck := d.stuck(last); stuck != "" {
			d.log.Error().Str("board", stuck).Msg("no progress; the watchdog is not fed")
			continue
		}
		if err := sdnotify.Notify(sdnotify.Watchdog); err != nil {
			d.log.Warn().Err(err).Msg("notify systemd")
		}
	}
}

// stuck returns a board whose loop has not gone round since the last call.
func (d *daemon) stuck(last map[string]int64) (name string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for board, s := range d.stations {
		n := s.Beats()
		if seen, ok := last[board]; ok && n == seen {
			name = board
		}
		last[board] = n
	}
	return name
}

// youngest is how long a journal may rest and still be the same session's.
const youngest = 12 * time.Hour

// journalName chooses the journal of a board: the configured round's, or the last one of today, or a new one. One that
// has rested for longer is another session's, whatever its name: its last game is not gone on with. An age below zero is
// a wall clock that was set back (no battery), and no reason to drop a game.
func journalName(dir, board, round string, now time.Time) (string, error) {
	base := fileName(board)
	entries, err := journal.List(dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", err
	}
	resting := func(e journal.Entry) bool { return now.Sub(e.LastWrite) >= youngest }
	if round != "" {
		return roundName(entries, base+"-r"+fileName(round), resting), nil
	}
	name := base + "-" + now.Format("20060102-150405")
	newest := time.Time{}
	for _, e := range entries {
		if stamp, ok := strings.CutPrefix(e.Name, base+"-"); ok && isStamp(stamp) && e.LastWrite.After(newest) && !resting(e) {
			name, newest = e.Name, e.LastWrite
		}
	}
	return name, nil
}

// roundName returns the round's journal, or the next free name where the last one is too old: NAME, NAME-2, NAME-3 ….
func roundName(entries []journal.Entry, base string, resting func(journal.Entry) bool) string {
	name := base
	for n := 2; ; n++ {
		i := slices.IndexFunc(entries, func(e journal.Entry) bool { return e.Name == name })
		if i < 0 || !resting(entries[i]) {
			return name
		}
		name = fmt.Sprintf("%s-%d", base, n)
	}
}

func isStamp(s string) bool {
	_, err := time.Parse("20060102-150405", s)
	return err == nil
}

// fileName keeps what a journal's name may hold.
func fileName(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_' {
			return r
		}
		return '_'
	}, s)
}

// bootID identifies this run of the host's clock, where the system tells it.
func bootID() string {
	if id := os.Getenv("BOARDWATCHD_BOOT_ID"); id != "" {
		return id // the service's sandbox hides the file
	}
	b, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(b))
}

var levels = [...]zerolog.Level{
	config.NoLevel: zerolog.InfoLevel, config.Debug: zerolog.DebugLevel, config.Info: zerolog.InfoLevel,
	config.Warn: zerolog.WarnLevel, config.Error: zerolog.ErrorLevel,
}

// logger makes the program's log on standard error: JSON where nobody looks, lines for people on a terminal.
// Lines go through out, which never makes a board wait.
func logger(e *env, c config.Log, out io.Writer) zerolog.Logger {
	level := levels[c.Level]
	if e.quiet {
		level = zerolog.WarnLevel
	}
	w := out
	if c.Format == config.FormatHuman || c.Format == config.FormatAuto && isTerminal(e.err) {
		w = zerolog.ConsoleWriter{Out: out, NoColor: e.getenv("NO_COLOR") != "" || !isTerminal(e.err), TimeFormat: time.TimeOnly}
	}
	return zerolog.New(w).Level(level).With().Timestamp().Logger()
}

// isTerminal is true for a terminal, not for /dev/null, which is a character device as well.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}
