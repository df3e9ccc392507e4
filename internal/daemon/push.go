package daemon

import (
	"context"
	"slices"
	"sync"
	"time"

	"boardwatchd/internal/access"
	"boardwatchd/internal/alert"
)

// pushers are the Web Push channels of the paired phones, one for each subscription.
type pushers struct {
	f       *frontend
	contact string
	mu      sync.Mutex
	keys    alert.VAPID
	on      map[string]access.Device // phones whose subscription is attached
}

func newPushers(f *frontend, keys alert.VAPID, contact string) *pushers {
	return &pushers{f: f, contact: contact, keys: keys, on: map[string]access.Device{}}
}

// run follows the devices until ctx ends.
func (p *pushers) run(ctx context.Context) {
	for {
		changed := p.f.devices.Changed()
		p.follow(p.f.devices.Devices())
		select {
		case <-ctx.Done():
			return
		case <-changed:
		}
	}
}

// refresh detaches the channels of the phones when this computer has joined a hall, which then sends their alerts, and
// attaches them again when it has left.
func (p *pushers) refresh() {
	if p != nil {
		p.follow(p.f.devices.Devices())
	}
}

// key is the public key for subscriptions.
func (p *pushers) key() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.keys.Public
}

// use sends with other keys: those that could not be read before.
func (p *pushers) use(keys alert.VAPID) {
	p.mu.Lock()
	p.keys = keys
	for id := range p.on {
		p.f.outbox.Detach(pushName(id))
	}
	clear(p.on)
	p.mu.Unlock()
	p.refresh()
}

func pushName(device string) string { return "push-" + device }

func (p *pushers) follow(devices []access.Device) {
	p.mu.Lock()
	defer p.mu.Unlock()
	wanted := map[string]bool{}
	for _, d := range devices {
		if d.Push == nil || p.f.d.inHall() {
			continue
		}
		wanted[d.ID] = true
		have, attached := p.on[d.ID]
		switch {
		case !attached || *have.Push != *d.Push:
			p.attach(d)
		case !slices.Equal(have.Boards, d.Boards):
			p.f.outbox.Reboard(pushName(d.ID), d.Boards)
			p.on[d.ID] = d
		}
	}
	for id := range p.on {
		if !wanted[id] {
			p.f.outbox.Detach(pushName(id))
			delete(p.on, id)
		}
	}
}

func (p *pushers) attach(d access.Device) {
	ch, err := alert.NewWebPush(pushName(d.ID), alert.WebPushOptions{
		Subscription: alert.Subscription{Endpoint: d.Push.Endpoint, P256dh: d.Push.P256dh, Auth: d.Push.Auth}, Keys: p.keys, Contact: p.contact,
	})
	if err != nil {
		p.f.d.opt.Log.Warn().Err(err).Str("device", d.ID).Msg("no Web Push to this device")
		return
	}
	p.f.outbox.Detach(pushName(d.ID))
	p.f.outbox.Attach(alert.Configured{
		Channel: measuredChannel{ch, func(_ string, t time.Duration) { p.f.metrics.AlertSent("push", t) }}, Step: 1, Boards: d.Boards, Personal: true,
	})
	p.on[d.ID] = d
}

// gone drops a subscription that the push service no longer knows.
func (p *pushers) gone(channel string) {
	p.mu.Lock()
	var device string
	for id := range p.on {
		if pushName(id) == channel {
			device = id
		}
	}
	p.mu.Unlock()
	if device == "" {
		return
	}
	if err := p.f.devices.DropPush(device); err != nil {
		p.f.d.opt.Log.Warn().Err(err).Str("device", device).Msg("drop a subscription")
	}
}
