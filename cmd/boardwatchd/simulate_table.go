package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	"boardwatchd/internal/config"
	"boardwatchd/internal/daemon"
	"boardwatchd/internal/emulator"
	"boardwatchd/internal/link"
	"boardwatchd/internal/station"
)

// A table is an emulated board with people, and the way in which the daemon watches it.
type table struct {
	board   config.Board // its port exists only when it is plugged in
	journal string
	device  *emulator.Emulator
	hear    func(body []byte) // receives the board's output from the daemon
	// tell makes people's inputs, from the beginning until ctx ends; may be nil.
	tell func(ctx context.Context, to *station.Station, begin time.Time)
}

// watch watches several tables at the same time. It ends when all people have gone home, or if the boards are to stay,
// with ctx. A table that fails does not end the others; the daemon keeps its failure.
func (s *simulation) watch(ctx context.Context, tables []*table, stay bool) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var playing, watching sync.WaitGroup
	for _, t := range tables {
		playing.Add(1)
		over := sync.OnceFunc(playing.Done)
		watching.Go(func() {
			defer over()
			if err := s.watchTable(ctx, t, over); err != nil {
				s.daemon.Fail(fmt.Errorf("board %s: %w", t.board.Name, err))
			}
		})
	}
	playing.Wait()
	switch {
	case !stay:
		cancel()
	case ctx.Err() == nil:
		s.message("all has been played; the boards stay as they are, end with Ctrl-C")
	}
	watching.Wait()
}

// quietTime is how long the daemon goes on watching after the people have gone home, so that findings that wait for
// quiet are reported.
const quietTime = 6 * time.Second

// watchTable serves one table and watches it until ctx ends or one of the two gives up. When everything was played and
// watched, over is called. The error is the table's own: the daemon keeps the station's.
func (s *simulation) watchTable(ctx context.Context, t *table, over func()) error {
	serving, unplug := context.WithCancel(context.WithoutCancel(ctx))
	ctx, leave := context.WithCancel(ctx)
	var server, watcher sync.WaitGroup
	defer func() { // in this order: a board that ended first would count as lost
		leave()
		watcher.Wait()
		unplug()
		server.Wait()
	}()
	port, played, served := make(chan string, 1), make(chan struct{}), make(chan error, 1)
	server.Go(func() {
		served <- emulator.ServePTY(serving, t.device, emulator.PTYOptions{
			Speed: *s.speed, Done: func() { close(played) },
			Ready: func(slave string) {
				select {
				case port <- slave:
				default: // a cable that was plugged in again
				}
			},
		})
	})
	select {
	case t.board.Port = <-port:
	case err := <-served:
		return err
	}
	begin := time.Now()
	ended, err := s.daemon.Watch(ctx, daemon.Target{
		Board: t.board, Link: link.Spec{Port: t.board.Port}, Journal: t.journal, Core: s.conf.Core(t.board), Said: t.hear,
	})
	if err != nil {
		return err
	}
	gone := make(chan struct{})
	watcher.Go(func() {
		<-ended // the station has reported the reason to the daemon
		close(gone)
	})
	if t.tell != nil {
		watcher.Go(func() { t.tell(ctx, s.daemon.Station(t.board.Name), begin) })
	}
	var quiet <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-gone:
			return nil
		case err := <-served:
			return err
		case <-played:
			played, quiet = nil, time.After(quietTime/time.Duration(*s.speed))
		case <-quiet:
			over()
		}
	}
}
