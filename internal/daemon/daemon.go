package daemon

import (
	"context"
	"crypto/rand"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"boardwatchd/internal/config"
	"boardwatchd/internal/hall/hub"
	"boardwatchd/internal/sdnotify"
	"boardwatchd/internal/station"
	"boardwatchd/internal/uptime"
	"boardwatchd/internal/web"
)

// A Daemon watches the boards of this computer and serves the people around them. Its methods may be called from any
// goroutine, except that Close comes last.
type Daemon struct {
	opt        Options
	mono       func() int64 // microseconds since Open, times Speed
	seats      *seats       // nil: no pairing was given
	round      *ordering    // the round as people have set it
	sockets    sockets      // lasting names of ports
	tables     *tabling     // which board is at which table
	frontend   *frontend
	member     *membership // nil: this is a hall's own computer
	hub        *hub.Hub    // nil: this computer is no hall
	room       room        // the free space of a hall's disk
	serials    *serials
	strays     strays
	runID      string      // a new one at each start
	startAgain atomic.Bool // the daemon ends only to begin again: RunHall
	used       used
	early      []web.Notice // found before the page was there

	mu       sync.Mutex // guards stations and failure
	stations map[string]*station.Station
	failure  error

	running sync.WaitGroup // every goroutine; Close waits for it
}

// Open makes a daemon that does not watch or serve yet. Problems with the directory, the page or an alert channel do
// not keep a board from being watched: Serve reports them.
func Open(o Options) *Daemon {
	start := uptime.Now()
	o = o.withDefaults()
	d := &Daemon{
		opt: o, seats: seatsOf(o.Pairing), stations: map[string]*station.Station{},
		mono: func() int64 { return (uptime.Now() - start).Microseconds() * int64(o.Speed) },
	}
	d.serials, d.runID = newSerials(d), rand.Text()
	d.member = d.openMembership()
	d.round = d.openOrders()
	d.tables = d.openTables()
	d.frontend = d.openFrontend() // makes the directory
	d.tables.lockForCommands()
	d.frontend.present = append(d.frontend.present, d.early...)
	d.noticePairingGone(o.PairingGone)
	return d
}

// Run watches the boards of the configuration, or if it names none every board that is found, and serves the page,
// until ctx ends. It keeps systemd informed, and closes the daemon. Its error means that nothing can be watched, or
// that something is not on the disk.
func (d *Daemon) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	d.limitProcess()
	d.seats.introduce(d.opt.Log, d.opt.Config.Boards)
	if err := d.begin(ctx); err != nil {
		cancel()
		_ = d.Close() // a failure of a station is in err
		return err
	}
	for _, line := range d.opt.Config.InForce() {
		d.opt.Log.Info().Msg(line)
	}
	return d.runUntilEnd(ctx)
}

// runUntilEnd reports readiness to systemd, feeds its watchdog until ctx ends, and closes the daemon.
func (d *Daemon) runUntilEnd(ctx context.Context) error {
	if err := sdnotify.Notify(sdnotify.Ready); err != nil {
		d.opt.Log.Warn().Err(err).Msg("notify systemd")
	}
	d.running.Go(func() { d.feedWatchdog(ctx) })
	d.running.Go(func() { d.watchDescriptors(ctx) })
	d.running.Go(func() { d.watchDisk(ctx) })
	if d.member != nil {
		d.running.Go(func() { d.forgetStart(ctx) })
	}
	<-ctx.Done()
	d.opt.Log.Info().Msg("stopping")
	if !d.startAgain.Load() {
		_ = sdnotify.Notify(sdnotify.Stopping) // systemd does not depend on it
	}
	return d.Close()
}

// pageBy is how long the page waits for the boards' journals to be read. Mostly phones then find everything; with many
// long journals the page shows what is still being read.
const pageBy = time.Second

// begin starts to watch the boards and serves the page.
func (d *Daemon) begin(ctx context.Context) error {
	boards := d.opt.Config.Boards
	if err := checkNames(boards); err != nil {
		return err
	}
	for _, b := range boards {
		d.frontend.expect(b.Name)
	}
	if len(boards) == 0 {
		d.running.Go(func() { d.discover(ctx) })
		d.Serve(ctx)
		return nil
	}
	started := make(chan error, 1)
	d.running.Go(func() { started <- d.start(ctx, boards) })
	select {
	case err := <-started:
		if err != nil {
			return err
		}
		d.Serve(ctx)
		return nil
	case <-time.After(pageBy):
		d.Serve(ctx)
		return <-started
	}
}

// Serve sends alerts and serves the page until ctx ends. It returns when the page's port has been tried once.
func (d *Daemon) Serve(ctx context.Context) {
	for _, n := range d.frontend.notices() {
		d.opt.Log.Warn().Str("remedy", n.Remedy).Msg(n.Text)
	}
	if a := d.frontend.secure; a != nil {
		d.opt.Log.Info().Str("fingerprint", a.Fingerprint()).Time("until", a.Expires()).Msg("the certificate authority of the secure page")
	}
	d.frontend.run(ctx)
	d.running.Go(func() { d.round.follow(ctx) })
	d.running.Go(func() { d.tables.follow(ctx) })
	if slices.ContainsFunc(d.opt.Config.Boards, func(b config.Board) bool { return b.Port != config.Auto }) {
		d.running.Go(func() { d.strays.run(ctx, d) })
	}
	d.member.run()
	d.frontend.serve(ctx)
}

// Close waits for all goroutines, whose contexts must have ended, and returns the first failure.
func (d *Daemon) Close() error {
	d.running.Wait()
	d.member.close()
	d.frontend.close()
	d.tables.close()
	return d.Failure()
}

// Fail logs a failure and keeps the first one for Failure.
func (d *Daemon) Fail(err error) {
	d.opt.Log.Error().Err(err).Msg("stopped watching")
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.failure == nil {
		d.failure = err
	}
}

// Failure is the first failure, which a process reports even if it ends in an orderly way: something is not on the
// disk.
func (d *Daemon) Failure() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.failure
}
