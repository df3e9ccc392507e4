package daemon

import (
	"context"
	"os"
	"sync"
	"time"

	"boardwatchd/internal/sdnotify"
)

// feedWatchdog pings systemd's watchdog while every station makes progress. A loop that hangs stops the pings.
func (d *Daemon) feedWatchdog(ctx context.Context) {
	every := sdnotify.WatchdogInterval(d.opt.Getenv, os.Getpid())
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
			d.opt.Log.Error().Str("board", stuck).Msg("no progress; the watchdog is not fed")
			continue
		}
		if err := sdnotify.Notify(sdnotify.Watchdog); err != nil {
			d.opt.Log.Warn().Err(err).Msg("notify systemd")
		}
	}
}

// stuck returns a board whose loop has made no step since the last call.
func (d *Daemon) stuck(last map[string]int64) (name string) {
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

// A pulse follows whether every board's loop makes progress.
type pulse struct {
	d    *Daemon
	mu   sync.Mutex
	last map[string]int64
	at   time.Time
	now  bool
}

func newPulse(d *Daemon) *pulse { return &pulse{d: d, last: map[string]int64{}} }

// pulseEvery is a little longer than a loop needs to show progress.
const pulseEvery = 3 * time.Second

// stuck compares with the state at least pulseEvery ago.
func (p *pulse) stuck() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if time.Since(p.at) >= pulseEvery {
		p.now, p.at = p.d.stuck(p.last) != "", time.Now()
	}
	return p.now
}
