package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
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

	mu       sync.Mutex // guards out and stations
	out      io.Writer
	stations map[string]*station.Station
	running  sync.WaitGroup
	failed   chan error
}

func newDaemon(e *env, conf config.Config, dir string, log zerolog.Logger) *daemon {
	start := time.Now()
	return &daemon{
		conf: conf, dir: dir, log: log, out: e.out, rate: 1, stations: map[string]*station.Station{}, failed: make(chan error, 1),
		mono: func() int64 { return time.Since(start).Microseconds() },
	}
}

// watch opens a board's station and runs it until ctx ends.
func (d *daemon) watch(ctx context.Context, b config.Board, spec link.Spec, name string) error {
	s, err := station.Open(station.Options{
		Board: b.Name, Dir: d.dir, Journal: name, Config: d.conf.Core(b).Canonical(), Software: version, Boot: bootID(),
		Wall: time.Now, Mono: d.mono, Rate: d.rate, Log: d.log.With().Str("board", b.Name).Logger(),
		Sync: d.conf.Journal.Sync / 2, Segment: d.conf.Journal.Segment, Said: d.said,
	})
	if err != nil {
		return err
	}
	s.Connect(spec)
	d.mu.Lock()
	d.stations[b.Name] = s
	d.mu.Unlock()
	d.log.Info().Str("board", b.Name).Str("journal", filepath.Join(d.dir, name+journal.Extension)).Msg("watching")
	d.running.Go(func() {
		if err := s.Run(ctx); err != nil {
			d.log.Error().Err(err).Str("board", b.Name).Msg("stopped watching")
			select {
			case d.failed <- fmt.Errorf("board %s: %w", b.Name, err):
			default:
			}
		}
	})
	return nil
}

// said prints what a board says for whoever looks at the terminal.
func (d *daemon) said(body []byte) {
	line := show.Line(body)
	if line == "" {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	fmt.Fprintln(d.out, line)
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

// youngest is how long a journal without a close of its round may rest and still be the same round's.
const youngest = 12 * time.Hour

// journalName chooses the journal of a board: the configured round's, or the last one of today, or a new one.
func journalName(dir, board, round string, now time.Time) (string, error) {
	base := fileName(board)
	if round != "" {
		return base + "-r" + fileName(round), nil
	}
	entries, err := journal.List(dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", err
	}
	name := base + "-" + now.Format("20060102-150405")
	newest := time.Time{}
	for _, e := range entries {
		if stamp, ok := strings.CutPrefix(e.Name, base+"-"); ok && isStamp(stamp) && e.LastWrite.After(newest) && now.Sub(e.LastWrite) < youngest {
			name, newest = e.Name, e.LastWrite
		}
	}
	return name, nil
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
func logger(e *env, c config.Log) zerolog.Logger {
	level := levels[c.Level]
	if e.quiet {
		level = zerolog.WarnLevel
	}
	var w io.Writer = e.err
	if c.Format == config.FormatHuman || c.Format == config.FormatAuto && isTerminal(e.err) {
		w = zerolog.ConsoleWriter{Out: e.err, NoColor: e.getenv("NO_COLOR") != "" || !isTerminal(e.err), TimeFormat: time.TimeOnly}
	}
	return zerolog.New(w).Level(level).With().Timestamp().Logger()
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
