package daemon

import (
	"context"
	"fmt"
	"time"

	"boardwatchd/internal/alert"
	"boardwatchd/internal/config"
	"boardwatchd/internal/disk"
	"boardwatchd/rules/words"
)

// configured makes the channels of the configuration. A channel that cannot work is reported, on the page too, and left
// out.
func (f *frontend) configured(a config.Alerts) (list []alert.Configured) {
	for _, c := range a.Channels {
		open, err := c.CheckFiles()
		if open != "" {
			f.addProblem("channel-file:"+c.Name, words.Say("notice.channel_file", c.Name, open), words.Say("notice.channel_file.do", open))
		}
		var ch alert.Channel
		if err == nil {
			ch, err = channel(c)
		}
		if err != nil {
			f.addProblem("channel:"+c.Name, words.Say("notice.channel", c.Name, disk.WhyAt(err)), words.Say("notice.channel.do"))
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

// measured wraps channels so that the metrics show how long each takes.
func (f *frontend) measured(list []alert.Configured) []alert.Configured {
	for i := range list {
		list[i].Channel = measuredChannel{list[i].Channel, f.metrics.AlertSent}
	}
	return list
}

// measuredChannel measures from the moment when the alert was raised.
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
