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
	opt      Options
	mono     func() int64 // microseconds since Open, times Speed
	seats    *seats       // nil: nobody said who plays
	round    *ordering    // the round as people have set it
	sockets  sockets      // names of ports that stay
	tables   *tabling     // which board stands at which table
	frontend *frontend
	member   *membership // nil: this is a hall's own computer
	hub      *hub.Hub    // nil: this computer is no hall
	room     room        // of a hall's disk
	serials  *serials
	strays   strays
	runID    string      // another one at each start
	anew     atomic.Bool // ends only to begin again: RunHall
	used     used
	early    []web.Notice // found before there was a page

	mu       sync.Mutex // guards stations and failure
	stations map[string]*station.Station
	failure  error

	running sync.WaitGroup // every goroutine; Close waits for it
}

// Open makes a daemon that watches nothing yet and serves nobody. What is wrong with the directory, the page or an
// alert channel keeps no board from being watched: it is kept for Serve to tell.
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
	d.tables.promise()
	d.frontend.present = append(d.frontend.present, d.early...)
	d.noticePairingGone(o.PairingGone)
	return d
}

// Run watches the boards of the configuration, or with none in it every board that is found, and serves the page, until
// ctx ends. It tells systemd how it is doing, and closes the daemon. The error says that nothing can be watched, or
// what is not on the disk.
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
	if !d.anew.Load() {
		_ = sdnotify.Notify(sdnotify.Stopping) // only a courtesy
	}
	return d.Close()
}

// pageBy is how long the page waits for the boards' journals: as a rule phones find all that there is, and with many
// long journals a page that says what is still being read.
const pageBy = time.Second

// begin begins to watch the boards and serves the page.
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

// Serve lets people in until ctx ends: alerts go out, and the page is served. It returns when the page's port has been
// tried once.
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

// Close waits for everything that runs, whose contexts must have ended, and returns the first failure.
func (d *Daemon) Close() error {
	d.running.Wait()
	d.member.close()
	d.frontend.close()
	d.tables.close()
	return d.Failure()
}

// Fail tells a failure in the log and keeps the first one for Failure.
func (d *Daemon) Fail(err error) {
	d.opt.Log.Error().Err(err).Msg("stopped watching")
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.failure == nil {
		d.failure = err
	}
}

// Failure is what a process that ends in order has to tell all the same: something is not on the disk.
func (d *Daemon) Failure() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.failure
}
