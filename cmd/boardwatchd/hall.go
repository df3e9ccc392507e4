package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"boardwatchd/internal/access"
	"boardwatchd/internal/alert"
	"boardwatchd/internal/config"
	"boardwatchd/internal/lan"
	"boardwatchd/internal/live"
	"boardwatchd/internal/metrics"
	"boardwatchd/internal/record"
	"boardwatchd/internal/station"
	"boardwatchd/internal/trust"
	"boardwatchd/internal/watch"
	"boardwatchd/internal/web"
)

// hall is what the people around the boards get: the page with its feed, and the alerts. Nothing in it can keep a board
// from being watched.
type hall struct {
	d       *daemon
	hub     *live.Hub
	outbox  *alert.Outbox
	metrics *metrics.Metrics
	devices *access.Store    // nil: no page
	secure  *trust.Authority // nil: no HTTPS
	server  *web.Server      // nil: no page
	push    *pushers         // nil: no Web Push
	served  served           // where the page is, over HTTP
	secured served           // and over HTTPS

	problems []alert.Notice // found at the start
}

// The files of the page in the state directory. The journals restore everything else.
const (
	devicesFile  = "devices.json"
	alertKeyFile = "alert.key"
	vapidFile    = "vapid.json"
	trustDir     = "ca"
	inviteFile   = "pair.html"

	otherInviteFile = "pair-%d.html" // of a second program on the same directory
)

// enter opens the hall, before the first board. What is wrong with it keeps no board from being watched: it is kept for
// admit to tell.
func (d *daemon) enter() { d.hall = d.openHall() }

// admit lets people in: alerts go out, and the page is served.
func (d *daemon) admit(ctx context.Context, own aPortOfItsOwn) {
	for _, n := range d.hall.notices() {
		d.log.Warn().Str("remedy", n.Remedy).Msg(n.Text)
	}
	if a := d.hall.secure; a != nil {
		d.log.Info().Str("fingerprint", a.Fingerprint()).Time("until", a.Expires()).Msg("the certificate authority of the secure page")
	}
	d.hall.run(ctx)
	d.hall.serve(ctx, own)
}

// problem is told on the page, and in the log when people are let in: a daemon that cannot start says only why.
func (h *hall) problem(id, text, remedy string) {
	h.problems = append(h.problems, alert.Notice{ID: id, Text: text, Remedy: remedy})
}

// end waits for everything that runs, and closes the hall behind it.
func (d *daemon) end() {
	d.running.Wait()
	if d.hall.devices == nil {
		return
	}
	if err := d.hall.devices.Close(); err != nil {
		d.log.Error().Err(err).Msg("the list of devices")
	}
}

func (d *daemon) openHall() *hall {
	h := &hall{d: d, hub: live.New(live.Options{})}
	h.metrics = metrics.New(h.hub, version, watch.Revision)
	key, err := alert.LoadKey(filepath.Join(d.dir, alertKeyFile))
	if err != nil { // the buttons of messages are good until the next start
		h.problem("alert-key", err.Error(), "Mend or delete the file that is named and start boardwatchd again.")
	}
	a := d.conf.Alerts
	h.outbox = alert.New(alert.Options{
		Channels: h.measured(h.configured(a)), Journal: d, InForce: inForce, Unwatched: unwatched,
		Now: time.Now, Escalate: a.Escalate, Expire: a.Expire, Wording: a.Wording, Language: a.Language,
		URL: h.address, Changed: h.changed, Noticed: func([]alert.Notice) { h.tellNotices() }, Gone: h.gone, Key: key, Log: d.log,
	})
	if d.conf.HTTP.Listen == config.Off {
		return h
	}
	if err := h.openPage(); err != nil { // alerts go out all the same
		h.problem("page", "There is no page: "+err.Error(), "Mend what is named and start boardwatchd again.")
	}
	return h
}

// openPage prepares everything that is served; it is listened to in serve.
func (h *hall) openPage() (err error) {
	d := h.d
	if h.devices, err = access.Open(filepath.Join(d.dir, devicesFile), time.Now); err != nil {
		return err
	}
	if d.conf.HTTP.Secure != config.Off {
		names, ips := h.identities()
		if h.secure, err = trust.Open(filepath.Join(d.dir, trustDir), names, ips, time.Now); err != nil {
			h.problem("https", "No HTTPS: "+err.Error(), "The page works without it, but for notifications, keeping the screen on, and being installed.")
		}
	}
	var pushKey string
	if d.conf.Alerts.Push && h.secure != nil {
		keys, err := alert.LoadVAPID(filepath.Join(d.dir, vapidFile))
		if err != nil {
			h.problem("push", "No Web Push: "+err.Error(), "Mend or delete the file that is named and start boardwatchd again.")
		} else {
			h.push, pushKey = newPushers(h, keys, d.conf.Alerts.PushContact), keys.Public
		}
	}
	o := web.Options{
		Hub: h.hub, Access: h.devices, Boards: d, Alerts: h.outbox,
		Names: d.conf.HTTP.Names, Base: h.address,
		Metrics: h.metrics.Handler(), MetricsOpen: d.conf.HTTP.Metrics == config.LAN, AlertSent: h.metrics.AlertSent,
		Stuck: newPulse(d).stuck, Notices: h.notices,
		Event: d.conf.Event, Round: d.conf.Round, Version: version, PushKey: pushKey, Log: d.log,
	}
	if h.secure != nil {
		o.Authority = h.secure
		o.SecurePort = h.secured.port
	}
	h.server = web.New(o)
	return nil
}

// run keeps the hall going until ctx ends.
func (h *hall) run(ctx context.Context) {
	h.d.running.Go(func() {
		if err := h.outbox.Run(ctx); err != nil && ctx.Err() == nil {
			h.d.log.Error().Err(err).Msg("alerts")
		}
	})
	h.d.running.Go(func() { h.followNetwork(ctx) })
	if h.server == nil {
		return
	}
	h.d.running.Go(func() { h.devices.Run(ctx) })
	h.d.running.Go(func() { h.followDevices(ctx) })
	if h.push != nil {
		h.d.running.Go(func() { h.push.run(ctx) })
	}
}

// listeners are a board's ends of the hall, put into the options of its station.
func (h *hall) listeners(board, journal string, opt *station.Options) (ready func()) {
	b := h.hub.Add(board, live.Info{Journal: journal, Rate: h.d.rate})
	h.outbox.Begin(board, journal)
	recovered, said := opt.Recovered, opt.Said
	opt.Recovered = func(r record.Record) {
		recovered(r)
		b.Recovered(r)
		h.outbox.Recovered(board, r)
		if h.server != nil {
			h.server.Recovered(board, r)
		}
	}
	opt.Told = func(r record.Record) {
		b.Told(r)
		h.outbox.Told(board, r)
		if h.server != nil {
			h.server.Told(board, r)
		}
	}
	opt.Seen = b.Seen
	opt.Said = func(body []byte) {
		b.Said(body)
		h.outbox.Said(board, body)
		said(body)
	}
	opt.Disk = b.Degraded
	return func() {
		h.outbox.Ready(board)
		if h.server != nil {
			h.server.Ready(board)
		}
	}
}

// left says that a board is not watched any more.
func (h *hall) left(board string) {
	h.hub.Remove(board)
}

// changed shows the page what became of an alert.
func (h *hall) changed(a alert.Alert) { h.publish("alert", a.Board, a) }

// tellNotices shows the page all that it should know of the program now.
func (h *hall) tellNotices() {
	h.publish("notice", "", struct {
		Type    string         `json:"type"`
		Notices []alert.Notice `json:"notices"`
	}{"notice", h.notices()})
}

func (h *hall) publish(name, board string, v any) {
	data, err := json.Marshal(v)
	if err != nil {
		h.d.log.Error().Err(err).Str("event", name).Msg("cannot be shown")
		return
	}
	h.hub.Publish(name, board, data)
}

// notices are what the arbiter should know about the program itself.
func (h *hall) notices() (list []alert.Notice) {
	list = append(slices.Clone(h.problems), h.outbox.Notices()...)
	if h.devices != nil && h.devices.Warning() != "" {
		list = append(list, alert.Notice{ID: "devices", Text: h.devices.Warning(), Remedy: "If a phone is not let in any more, pair it again."})
	}
	if h.secure != nil && h.secure.Warning() != "" {
		list = append(list, alert.Notice{ID: "ca", Text: h.secure.Warning(), Remedy: "Open the settings of the page and follow the steps of the secure page again."})
	}
	return list
}

// followDevices tells the page when the list of devices cannot be kept, and when it can again.
func (h *hall) followDevices(ctx context.Context) {
	told := h.devices.Warning()
	for {
		changed := h.devices.Changed()
		if now := h.devices.Warning(); now != told {
			told = now
			h.tellNotices()
		}
		select {
		case <-ctx.Done():
			return
		case <-changed:
		}
	}
}

// gone forgets the subscription of a phone that its push service does not know any more.
func (h *hall) gone(channel string) {
	if h.push != nil {
		h.push.gone(channel)
	}
}

// identities are the names and addresses for which the page's certificate holds.
func (h *hall) identities() (names []string, ips []net.IP) {
	return hostNames(h.d.conf.HTTP.Names), lanIPs()
}

// address is where a phone finds the page; "" while there is no network.
func (h *hall) address() string {
	if u := h.d.conf.Alerts.URL; u != "" {
		return u
	}
	return h.served.url(h.d.conf.HTTP.Listen)
}

// Instruct hands an instruction to a board: the page's, and the outbox's notes.
func (d *daemon) Instruct(ctx context.Context, board string, body []byte) error {
	return d.tell(board, func(s *station.Station) error { return s.Instruct(ctx, body) })
}

// Decide hands the arbiter's decision to a board.
func (d *daemon) Decide(ctx context.Context, board string, body []byte) error {
	return d.tell(board, func(s *station.Station) error { return s.Decide(ctx, body) })
}

// Saved waits until a record of a board is on the disk.
func (d *daemon) Saved(ctx context.Context, board string, seq int64) error {
	return d.tell(board, func(s *station.Station) error { return s.Saved(ctx, record.Seq(seq)) })
}

func (d *daemon) tell(board string, do func(*station.Station) error) error {
	d.mu.Lock()
	s := d.stations[board]
	d.mu.Unlock()
	if s == nil {
		return web.ErrNoBoard
	}
	switch err := do(s); {
	case errors.Is(err, station.ErrEnded):
		return fmt.Errorf("%w: %w", web.ErrNoBoard, err)
	case errors.Is(err, station.ErrLost):
		return fmt.Errorf("%w: %w", web.ErrLost, err)
	case errors.Is(err, station.ErrNotSaved):
		return fmt.Errorf("%w: %w", web.ErrNotSaved, err)
	default:
		return err
	}
}

// inForce and unwatched say what an error of Instruct means for the outbox.
func inForce(err error) bool   { return errors.Is(err, web.ErrNotSaved) }
func unwatched(err error) bool { return errors.Is(err, web.ErrNoBoard) }

// lanAddresses are those of this moment.
func lanAddresses() []lan.Address {
	list, err := lan.Addresses()
	if err != nil {
		return nil // no network: looked at again when asked again
	}
	return list
}

// urlAt writes an address with its port.
func urlAt(scheme, host string, port int) string {
	if slices.Contains([]int{80, 443}, port) && (port == 443) == (scheme == "https") {
		return scheme + "://" + bracketed(host)
	}
	return scheme + "://" + bracketed(host) + ":" + strconv.Itoa(port)
}
