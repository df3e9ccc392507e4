package daemon

import (
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"strconv"
	"time"

	"boardwatchd/internal/hall/hub"
	"boardwatchd/internal/hall/view"
	"boardwatchd/internal/record"
	"boardwatchd/internal/sdnotify"
	"boardwatchd/internal/station"
	"boardwatchd/internal/web"
)

// HallFiles are what a hall keeps in its state directory.
func HallFiles(state string) hub.Files { return hub.In(filepath.Join(state, hallDir)) }

// RunHall serves the boards of other computers on one page until ctx ends: Options.Hub. It watches none itself.
func (d *Daemon) RunHall(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	d.limitProcess()
	f := d.frontend
	h, err := hub.Open(hub.Options{
		Dir: filepath.Join(d.opt.Dir, hallDir), Listen: d.opt.Config.Hall.Listen, Event: d.opt.Config.Event,
		Hear: f.hear, Left: f.left, Names: f.learn, Log: d.opt.Log,
	})
	if err == nil {
		d.hub = h
		err = h.Start(ctx)
	}
	if err != nil {
		cancel()
		return errors.Join(err, d.Close())
	}
	d.running.Go(func() { h.Run(ctx) })
	d.opt.Log.Info().Stringer("listen", h.Addr()).Msg("the hall takes computers")
	d.Serve(ctx)
	d.opt.Show(fmt.Sprintf("Another computer joins: boardwatchd hall invite NAME here, then there what it prints (port %d).", portOf(h.Addr())))
	if err := sdnotify.Notify(sdnotify.Ready); err != nil {
		d.opt.Log.Warn().Err(err).Msg("notify systemd")
	}
	d.running.Go(func() { d.feedWatchdog(ctx) })
	d.running.Go(func() { d.watchDescriptors(ctx) })
	d.running.Go(func() { d.watchDisk(ctx) })
	<-ctx.Done()
	d.opt.Log.Info().Msg("stopping")
	_ = sdnotify.Notify(sdnotify.Stopping) // only a courtesy
	return d.Close()
}

func portOf(a net.Addr) int {
	if t, ok := a.(*net.TCPAddr); ok {
		return t.Port
	}
	return 0
}

// hear lets page, alerts and feed hear a board of another computer.
func (f *frontend) hear(board, journal string, rate int) view.Listener {
	opt := station.Options{Recovered: func(record.Record) {}, Said: func([]byte) {}}
	ready := f.listeners(board, journal, int64(rate), &opt)
	return view.Listener{Recovered: opt.Recovered, Told: opt.Told, Seen: opt.Seen, Said: opt.Said, Ready: ready}
}

// learn takes what ids of players in the journals of other computers stand for.
func (f *frontend) learn(names map[string]string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.learnt == nil {
		f.learnt = map[string]string{}
	}
	for id, name := range names {
		f.learnt[id] = name
	}
}

// said is what an id of a journal stands for, or itself.
func (f *frontend) said(text string) string {
	if s := f.people.Said(text); s != text {
		return s
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if s, ok := f.learnt[text]; ok {
		return s
	}
	return text
}

// fromHub says in the words of the page what became of what a person said to a board of another computer.
func fromHub(err error) error {
	switch {
	case errors.Is(err, hub.ErrNoBoard):
		return fmt.Errorf("%w: %w", web.ErrNoBoard, err)
	case errors.Is(err, hub.ErrLost):
		return fmt.Errorf("%w: %w", web.ErrLost, err)
	case errors.Is(err, hub.ErrNotSaved):
		return fmt.Errorf("%w: %w", web.ErrNotSaved, err)
	}
	return err
}

// HallAddresses are those at which other computers can reach a hall that listens at an address.
func HallAddresses(listen string) (list []string) {
	host, port := hostPort(listen)
	if !everywhere(listen) {
		return []string{net.JoinHostPort(host, strconv.Itoa(port))}
	}
	for _, a := range lanAddresses() {
		list = append(list, net.JoinHostPort(a.IP.String(), strconv.Itoa(port)))
	}
	return append(list, net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
}

// Invite opens an invitation of the hall in a state directory, and returns its token.
func Invite(state, computer string, addresses []string) (token string, err error) {
	inv, err := HallFiles(state).Invite(computer, addresses, time.Now())
	if err != nil {
		return "", err
	}
	return inv.Token(), nil
}
