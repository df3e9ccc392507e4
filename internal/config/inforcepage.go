package config

import (
	"fmt"
	"slices"
	"strings"
)

// inForcePage describes in lines for people the address of the page and the receivers of alerts. Parts of addresses
// that may be secret are left out: a topic, a path, a token.
func (c Config) inForcePage() []string {
	lines := []string{c.HTTP.inForce()}
	if len(c.HTTP.Names) > 0 {
		lines = append(lines, "page: also called "+strings.Join(c.HTTP.Names, ", "))
	}
	a := c.Alerts
	what := "the board only"
	if a.Wording == WordingFull {
		what = "the board, the offence and its article"
	}
	line := fmt.Sprintf("alerts: a message names %s (language %s); it is sent for %s at most", what, a.Language, durationString(int64(a.Expire)))
	if a.Escalate > 0 && slices.ContainsFunc(a.Channels, func(ch Channel) bool { return ch.Step == 2 }) {
		line += fmt.Sprintf("; step 2 is told after %s unless somebody has seen it", durationString(int64(a.Escalate)))
	}
	lines = append(lines, line)
	if a.Push && c.HTTP.Secure != Off {
		lines = append(lines, "alerts: Web Push to devices that ask for it (needs the internet)")
	}
	for _, ch := range a.Channels {
		lines = append(lines, ch.inForce())
	}
	if len(a.Channels) == 0 {
		lines = append(lines, "alerts: no channels: a phone hears of an alert while the page is open")
	}
	return append(lines, c.Broadcast.inForce()...)
}

func (h HTTP) inForce() string {
	if h.Listen == Off {
		return "page: off"
	}
	line := "page: on http " + h.Listen
	if h.Secure != Off {
		line += " and on https " + h.Secure + " with the program's own certificate authority"
	}
	if h.Metrics == LAN {
		return line + "; whoever reaches it may read /metrics"
	}
	return line
}

func (ch Channel) inForce() string {
	line := fmt.Sprintf("alerts: channel %s, step %d: ", ch.Name, ch.Step)
	switch ch.Type {
	case Command:
		line += "starts " + ch.Command[0]
	default:
		line += ch.Type + " at " + ch.Host()
	}
	switch {
	case ch.TokenFile != "":
		line += ", token from " + ch.TokenFile
	case ch.SecretFile != "":
		line += ", signed with the key in " + ch.SecretFile
	case ch.Type == Webhook:
		line += ", not signed"
	}
	if len(ch.Boards) > 0 {
		line += ", for " + strings.Join(ch.Boards, ", ")
	}
	return line
}

// Host returns the part of the channel's address that may be shown: scheme and host. A topic or a path can be a secret.
func (ch Channel) Host() string {
	u, err := webAddress(ch.URL)
	if err != nil {
		return ""
	}
	return u.Scheme + "://" + u.Host
}
