package daemon

import (
	"context"
	"errors"
	"net"
	"sync"
	"syscall"
	"time"

	"boardwatchd/internal/config"
)

// listenAgain is how often a port in use is tried again, and how often the network is checked.
const listenAgain = 5 * time.Second

// serve serves the page until ctx ends, over HTTP and HTTPS. It returns when the port has been tried once. A port in
// use is reported and tried again: the boards are watched meanwhile, and phones are invited when the page is served.
func (f *frontend) serve(ctx context.Context) {
	if f.server == nil {
		return
	}
	conf := f.d.opt.Config.HTTP
	if f.secure != nil && conf.Secure != config.Off {
		f.d.running.Go(func() {
			f.keepServing(ctx, conf.Secure, func(l net.Listener) error {
				f.secured.now(l.Addr())
				return f.server.ServeTLS(ctx, l)
			}, nil)
		})
	}
	tried := make(chan struct{})
	once := sync.OnceFunc(func() { close(tried) })
	f.d.running.Go(func() {
		f.keepServing(ctx, conf.Listen, func(l net.Listener) error {
			if f.served.now(l.Addr()) {
				f.invite(ctx)
			}
			once()
			return f.server.Serve(ctx, l)
		}, once)
	})
	<-tried
}

// keepServing serves on an address until ctx ends. It calls failed when that is not possible now.
func (f *frontend) keepServing(ctx context.Context, address string, serve func(net.Listener) error, failed func()) {
	told := ""
	for ctx.Err() == nil {
		l, err := listenOn(ctx, address, f.d.opt.AnyPort)
		if err == nil {
			told = ""
			err = serve(l)
		}
		if ctx.Err() != nil {
			break
		}
		if err != nil && err.Error() != told {
			told = err.Error()
			f.d.opt.Log.Error().Err(err).Str("listen", address).Msg("the page cannot be served here; tried again (boardwatchd doctor tells who is there)")
		}
		if failed != nil {
			failed()
		}
		select {
		case <-ctx.Done():
		case <-time.After(listenAgain):
		}
	}
	if failed != nil {
		failed()
	}
}

func listenOn(ctx context.Context, address string, anyPort bool) (net.Listener, error) {
	var c net.ListenConfig
	l, err := c.Listen(ctx, "tcp", address)
	if anyPort && errors.Is(err, syscall.EADDRINUSE) {
		host, _ := hostPort(address)
		return c.Listen(ctx, "tcp", net.JoinHostPort(host, "0"))
	}
	return l, err
}
