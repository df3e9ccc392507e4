package main

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"boardwatchd/internal/access"
	"boardwatchd/internal/alert"
	"boardwatchd/internal/config"
)

// configured makes the channels of the configuration. One that cannot work is told, on the page too, and left out.
func (h *hall) configured(a config.Alerts) (list []alert.Configured) {
	for _, c := range a.Channels {
		warning, err := c.Look()
		if warning != "" {
			h.problem("channel-file:"+c.Name, "Channel "+c.Name+": "+warning, "Let nobody else read the file.")
		}
		var ch alert.Channel
		if err == nil {
			ch, err = channel(c)
		}
		if err != nil {
			h.problem("channel:"+c.Name, "Nobody is alerted by the channel "+c.Name+": "+err.Error(),
				"Correct it and start boardwatchd again; boardwatchd doctor checks it.")
			continue
		}
		list = append(list, alert.Configured{Channel: ch, Step: c.Step, Boards: c.Boards})
	}
	return list
}

func channel(c config.Channel) (alert.Channel, error) {
	switch c.Type {
	case config.Ntfy:
		return alert.NewNtfy(c.Name, alert.NtfyOptions{URL: c.URL, TokenFile: c.TokenFile})
	case config.Webhook:
		return alert.NewWebhook(c.Name, alert.WebhookOptions{URL: c.URL, SecretFile: c.SecretFile})
	case config.Command:
		return alert.NewCommand(c.Name, alert.CommandOptions{Command: c.Command})
	}
	return nil, fmt.Errorf("type %q is not known", c.Type)
}

// measured lets the metrics know how long each channel takes.
func (h *hall) measured(list []alert.Configured) []alert.Configured {
	for i := range list {
		list[i].Channel = measuredChannel{list[i].Channel, h.metrics.AlertSent}
	}
	return list
}

// measuredChannel counts from the moment at which the alert was raised.
type measuredChannel struct {
	alert.Channel
	sent func(channel string, d time.Duration)
}

func (m measuredChannel) Send(ctx context.Context, msg alert.Message) error {
	err := m.Channel.Send(ctx, msg)
	if err == nil && !msg.Update && !msg.Raised.IsZero() {
		m.sent(m.Name(), time.Since(msg.Raised))
	}
	return err
}

// pushers are the Web Push channels of the paired phones: one for each subscription.
type pushers struct {
	h       *hall
	keys    alert.VAPID
	contact string
	mu      sync.Mutex
	on      map[string]access.Device // those whose subscription is attached
}

func newPushers(h *hall, keys alert.VAPID, contact string) *pushers {
	return &pushers{h: h, keys: keys, contact: contact, on: map[string]access.Device{}}
}

// run follows the devices until ctx ends.
func (p *pushers) run(ctx context.Context) {
	for {
		changed := p.h.devices.Changed()
		p.follow(p.h.devices.Devices())
		select {
		case <-ctx.Done():
			return
		case <-changed:
		}
	}
}

func pushName(device string) string { return "push-" + device }

func (p *pushers) follow(devices []access.Device) {
	p.mu.Lock()
	defer p.mu.Unlock()
	wanted := map[string]bool{}
	for _, d := range devices {
		if d.Push == nil {
			continue
		}
		wanted[d.ID] = true
		have, attached := p.on[d.ID]
		switch {
		case !attached || *have.Push != *d.Push:
			p.attach(d)
		case !slices.Equal(have.Boards, d.Boards):
			p.h.outbox.Reboard(pushName(d.ID), d.Boards)
			p.on[d.ID] = d
		}
	}
	for id := range p.on {
		if !wanted[id] {
			p.h.outbox.Detach(pushName(id))
			delete(p.on, id)
		}
	}
}

func (p *pushers) attach(d access.Device) {
	ch, err := alert.NewWebPush(pushName(d.ID), alert.WebPushOptions{
		Subscription: alert.Subscription{Endpoint: d.Push.Endpoint, P256dh: d.Push.P256dh, Auth: d.Push.Auth}, Keys: p.keys, Contact: p.contact,
	})
	if err != nil {
		p.h.d.log.Warn().Err(err).Str("device", d.ID).Msg("no Web Push to this device")
		return
	}
	p.h.outbox.Detach(pushName(d.ID))
	p.h.outbox.Attach(alert.Configured{
		Channel: measuredChannel{ch, func(_ string, t time.Duration) { p.h.metrics.AlertSent("push", t) }}, Step: 1, Boards: d.Boards, Personal: true,
	})
	p.on[d.ID] = d
}

// gone drops a subscription that the push service does not know any more.
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
	if err := p.h.devices.DropPush(device); err != nil {
		p.h.d.log.Warn().Err(err).Str("device", device).Msg("drop a subscription")
	}
}
