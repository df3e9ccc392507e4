package doctor

import (
	"context"
	"net"
	"net/url"
	"sync"

	"boardwatchd/internal/config"
)

// channels tests every channel of alerts as far as possible without an alert.
func channels(ctx context.Context, v *visit) {
	a := v.Config.Alerts
	if len(a.Channels) == 0 {
		v.ok("none is configured: a phone hears of an alert while the page is open")
	}
	// Each has its own line, and the slowest determines the duration.
	parts := make([]*visit, len(a.Channels))
	var all sync.WaitGroup
	for i, ch := range a.Channels {
		parts[i] = &visit{Computer: v.Computer, Subject: v.Subject, check: v.check}
		all.Go(func() { parts[i].channel(ctx, ch) })
	}
	all.Wait()
	for _, p := range parts {
		v.lines = append(v.lines, p.lines...)
	}
	if a.Push && v.Config.HTTP.Secure != config.Off && a.PushContact == "" {
		v.line(OK, "write alerts.push_contact before relying on Web Push to iPhones", "Web Push: no contact is given, and some push services want one")
	}
}

func (v *visit) channel(ctx context.Context, ch config.Channel) {
	open, err := ch.CheckFiles()
	switch {
	case err != nil:
		v.fail("mend that, then run doctor again as the user that boardwatchd runs as", "%s: %v", ch.Name, err)
		return
	case open != "":
		v.warn("keep secrets to their owner", "%s: %s", ch.Name, config.TooOpen(open))
	}
	if ch.Type == config.Command {
		v.ok("%s: %s can be started", ch.Name, ch.Command[0])
		return
	}
	v.checkServer(ctx, ch)
	if ch.Type == config.Webhook && ch.SecretFile == "" {
		v.warn("write secret_file, so that the receiver knows who sent it", "%s: messages are not signed", ch.Name)
	}
	if u, err := url.Parse(ch.URL); err == nil && u.Scheme == "http" && ch.TokenFile != "" {
		v.warn("use https, or a token of its own that may only write to this topic", "%s: the token is sent without encryption", ch.Name)
	}
}

func (v *visit) checkServer(ctx context.Context, ch config.Channel) {
	u, err := url.Parse(ch.URL)
	if err != nil {
		return // reported with the configuration
	}
	host := u.Hostname()
	if net.ParseIP(host) == nil {
		wait, stop := context.WithTimeout(ctx, patience)
		_, err = v.Lookup(wait, host)
		stop()
		if err != nil {
			v.fail("check the name, and whether this network has a name server and the internet", "%s: %s is not found: %s", ch.Name, host, why(err))
			return
		}
	}
	status, _, err := v.Get(ctx, ch.Host()+"/")
	switch {
	case err != nil:
		v.fail("start the server, or check the address and the way there", "%s: %s does not answer: %s", ch.Name, ch.Host(), why(err))
	case status >= 500:
		v.warn("look at that server's own log", "%s: %s answers, and is not well (status %d)", ch.Name, ch.Host(), status)
	default:
		v.ok("%s: %s answers (status %d); nothing was sent", ch.Name, ch.Host(), status)
	}
}
