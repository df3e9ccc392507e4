package daemon

import (
	"context"

	"boardwatchd/internal/broadcast"
	"boardwatchd/internal/config"
	"boardwatchd/internal/metrics"
	"boardwatchd/internal/record"
	"boardwatchd/internal/web"
)

// cast is the public broadcast of the games. A nil cast broadcasts nothing.
type cast struct {
	caster *broadcast.Caster
	pusher *broadcast.Pusher // nil: nothing is pushed
	atURL  bool
}

// openBroadcast prepares the broadcast of the configuration.
func (f *frontend) openBroadcast() {
	b := f.d.opt.Config.Broadcast
	if !b.On() {
		return
	}
	c := &cast{atURL: b.URL != config.NoURL}
	if b.Lichess.Round != "" {
		c.pusher = broadcast.NewPusher(broadcast.PusherOptions{
			Server: b.Lichess.Server, Round: b.Lichess.Round, Notify: f.setNotice,
			Token: func() (string, error) { return config.ReadSecret(b.Lichess.TokenFile) },
		})
	}
	o := broadcast.Options{Delay: b.Delay, ResultAtOnce: b.ResultAtOnce, File: b.File, Pusher: c.pusher, Notify: f.setNotice}
	if b.Names {
		o.Name = f.people.Said
	}
	c.caster = broadcast.New(o)
	f.metrics.Broadcast(c.counts)
	f.cast = c
}

func (c *cast) run(ctx context.Context, start func(func())) {
	if c == nil {
		return
	}
	start(func() { c.caster.Run(ctx) })
	if c.pusher != nil {
		start(func() { c.pusher.Run(ctx) })
	}
}

// public returns the function from which the page answers the public; nil: there is no broadcast.
func (c *cast) public() func() (web.Public, bool) {
	if c == nil || !c.atURL {
		return nil
	}
	return func() (web.Public, bool) {
		t, ok := c.caster.Text()
		return web.Public{Body: t.Body, ETag: t.ETag, Modified: t.Modified}, ok
	}
}

func (c *cast) counts() metrics.Broadcast {
	t, _ := c.caster.Text()
	n := metrics.Broadcast{Games: t.Games, Plies: t.Plies, Trouble: t.Trouble}
	n.Files, n.FilesFailed = c.caster.Files()
	if c.pusher != nil {
		n.Pushes, n.PushesFailed = c.pusher.Pushes()
	}
	return n
}

func (c *cast) expect(board string) {
	if c != nil {
		c.caster.Expect(board)
	}
}

// add returns a listener that broadcasts a board.
func (c *cast) add(board, journal string, rate int64) publicBoard {
	if c == nil {
		return nobody{}
	}
	return c.caster.Add(board, journal, rate)
}

// A publicBoard is a listener of a station: a *broadcast.Board, or nobody.
type publicBoard interface {
	Recovered(record.Record)
	Entered(record.Record)
	Seen(at int64)
	Said(body []byte)
	Ready()
	Renamed(journal string)
}

// nobody is a listener that does nothing.
type nobody struct{}

func (nobody) Recovered(record.Record) {}
func (nobody) Entered(record.Record)   {}
func (nobody) Seen(int64)              {}
func (nobody) Said([]byte)             {}
func (nobody) Ready()                  {}
func (nobody) Renamed(string)          {}
