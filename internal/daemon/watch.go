package daemon

import (
	"context"
	"fmt"
	"hash/fnv"
	"path/filepath"
	"time"

	"boardwatchd/internal/config"
	"boardwatchd/internal/journal"
	"boardwatchd/internal/link"
	"boardwatchd/internal/orders"
	"boardwatchd/internal/show"
	"boardwatchd/internal/station"
	"boardwatchd/internal/uptime"
)

// A Target is one board to watch.
type Target struct {
	Board   config.Board
	Link    link.Spec         // port of the board; its Seed is set here
	Journal string            // the name in Options.Dir, without extension
	Core    config.Core       // the core's part of the opening record
	Round   orders.Settings   // the settings in Core
	Said    func(body []byte) // receives the board's statements, before Show; must not wait; may be nil
}

// Watch opens a board's station and runs it until ctx ends. Ended receives the station's result.
func (d *Daemon) Watch(ctx context.Context, t Target) (ended <-chan error, err error) {
	name := t.Board.Name
	var told journalNames
	ctx, stop := context.WithCancel(ctx)
	d.round.begin(name, t.Round, stop)
	opt := station.Options{
		Board: name, Dir: d.opt.Dir, Journal: t.Journal, Config: t.Core.Canonical(), Software: d.opt.Version, Boot: station.BootID(d.opt.Getenv),
		Uptime: func() int64 { return uptime.Now().Microseconds() },
		Wall:   time.Now, Mono: d.mono, Rate: int64(d.opt.Speed), Log: d.limitLog(d.opt.Log.With().Str("board", name).Logger()),
		Sync: d.opt.Config.Journal.Sync / 2, Segment: d.opt.Config.Journal.Segment, Backlog: d.backlog, Garbage: d.opt.Config.Budgets.Garbage,
		Said: d.withShow(t.Said), Recovered: told.recovered,
	}
	ready := d.frontend.listeners(name, t.Journal, int64(d.opt.Speed), &opt)
	s, err := station.Open(opt)
	if err != nil {
		stop()
		d.round.ended(name)
		d.frontend.left(name, false)
		return nil, err
	}
	ready()
	d.frontend.stored(name, t.Journal, s.Damage())
	t.Link.Seed = seedOf(name)
	s.Connect(t.Link)
	d.mu.Lock()
	d.stations[name] = s
	d.used.boards.Store(int64(len(d.stations)))
	d.mu.Unlock()
	d.opt.Log.Info().Str("board", name).Str("journal", filepath.Join(d.opt.Dir, t.Journal+journal.Extension)).Msg("watching")
	end := make(chan error, 1)
	if given := d.round.now().Orders; given == nil || given.OwnSeats {
		d.running.Go(func() { d.seats.sendNames(ctx, d.opt.Log, name, d.tables.of(name), s, told, d.frontend.people.Player) })
	}
	d.round.poke()
	d.running.Go(func() {
		err := s.Run(ctx)
		stop()
		d.forget(name, d.round.ended(name) && err == nil)
		if err != nil {
			err = fmt.Errorf("board %s: %w", name, err)
			d.Fail(err)
		}
		end <- err
	})
	return end, nil
}

// seedOf gives each board its own jitter, so that a USB hub that comes back is not queried by all of them at once.
func seedOf(name string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(name)) // never fails
	return h.Sum64()
}

// withShow adds Show after all other listeners of a board.
func (d *Daemon) withShow(said func(body []byte)) func(body []byte) {
	return func(body []byte) {
		if said != nil {
			said(body)
		}
		if line := show.Line(body); line != "" {
			d.opt.Show(line)
		}
	}
}

// opensWithin is how long a board that is opened anew, for another round or rule set, is shown as it was.
const opensWithin = 10 * time.Second

// forget takes a board off the list of those that are watched. One that is opened again is shown as it was meanwhile.
func (d *Daemon) forget(board string, opensAgain bool) {
	d.frontend.left(board, opensAgain)
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.stations, board)
	d.used.boards.Store(int64(len(d.stations)))
	if opensAgain {
		time.AfterFunc(opensWithin, func() {
			if d.Station(board) == nil {
				d.frontend.boards.Remove(board)
			}
		})
	}
}

// Station returns the station of a watched board, or nil.
func (d *Daemon) Station(board string) *station.Station {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.stations[board]
}

// Watched is the number of watched boards.
func (d *Daemon) Watched() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.stations)
}
