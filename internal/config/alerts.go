package config

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"boardwatchd/rules/words"
)

const maxChannels = 16

// Ranges of the waiting times for people: escalation concerns the same move, expiry the same game.
const (
	maxEscalate = 30 * time.Minute
	minExpire   = time.Minute
	maxExpire   = 12 * time.Hour
)

func chn(into any) *Channel { return into.(*Channel) }

var alertKeys = []key{
	span("escalate", "20s", 0, maxEscalate,
		"Nobody has seen an alert for so long: the channels of step 2 are told as well; 0s: never.", func(c *Config) *time.Duration { return &c.Alerts.Escalate }),
	span("expire", "10m", minExpire, maxExpire,
		"After so long an alert is not sent any more. Longer than escalate.", func(c *Config) *time.Duration { return &c.Alerts.Expire }),
	{name: "wording", kind: choice, def: WordingLook, choices: []string{WordingLook, WordingFull},
		doc: "What a locked screen may show; look: the board and nothing else; full: the offence and its article as well.",
		set: func(c any, v value) { cfg(c).Alerts.Wording = v.text }},
	{name: "language", kind: choice, def: "en", choices: words.Languages(),
		doc: "Language of what is sent; on the page each device chooses its own.",
		set: func(c any, v value) { cfg(c).Alerts.Language = v.text }},
	{name: "url", kind: text, max: 200, private: true, check: checkPageURL,
		doc: "Address of the page as a phone reaches it, like http://192.168.1.10:8160, for links and buttons of messages; empty: the first address on the network.",
		set: func(c any, v value) { cfg(c).Alerts.URL = strings.TrimRight(v.text, "/") }},
	{name: "push", kind: boolean, def: "true",
		doc: "Web Push for devices that ask for it on the page. It needs HTTPS and the internet.",
		set: func(c any, v value) { cfg(c).Alerts.Push = v.yes }},
	{name: "push_contact", kind: text, max: 200, check: checkContact,
		doc: "Mail address or https address of the organiser, which push services want; empty: none is told.",
		set: func(c any, v value) { cfg(c).Alerts.PushContact = strings.TrimPrefix(v.text, "mailto:") }},
	{name: "channels", kind: list, max: maxChannels, sub: channelKeys,
		doc: "Further ways by which an alert reaches somebody.",
		add: func(c any) any {
			a := &cfg(c).Alerts
			a.Channels = append(a.Channels, Channel{})
			ch := &a.Channels[len(a.Channels)-1]
			setDefaults(channelKeys, ch)
			return ch
		}},
}

var channelKeys = []key{
	{name: "name", kind: text, max: 32, required: true, check: checkChannelName,
		doc: "Short name of the channel, which the page and the log show.",
		set: func(c any, v value) { chn(c).Name = v.text }},
	{name: "type", kind: choice, required: true, choices: []string{Ntfy, Webhook, Command},
		doc: "ntfy: a topic of an ntfy server; webhook: JSON is posted to an address; command: a program is started.",
		set: func(c any, v value) { chn(c).Type = v.text }},
	{name: "step", kind: integer, def: "1", min: 1, max: 2,
		doc: "1: told at once; 2: told when nobody has seen the alert after alerts.escalate.",
		set: func(c any, v value) { chn(c).Step = int(v.number) }},
	{name: "url", kind: text, max: 500, private: true, check: checkURL,
		doc: "ntfy: address of the topic, like http://192.168.1.10:8090/arbiters; webhook: where to post.",
		set: func(c any, v value) { chn(c).URL = v.text }},
	{name: "token_file", kind: text, max: 500, private: true, check: checkSecretFile,
		doc: "ntfy: file that holds the access token, a whole path; empty: none is needed.",
		set: func(c any, v value) { chn(c).TokenFile = v.text }},
	{name: "secret_file", kind: text, max: 500, private: true, check: checkSecretFile,
		doc: "webhook: file that holds the key by which messages are signed, a whole path; empty: they are not signed.",
		set: func(c any, v value) { chn(c).SecretFile = v.text }},
	{name: "command", kind: severalWords, max: 500,
		doc: "command: the program, a whole path, and its arguments. No shell is involved.",
		set: func(c any, v value) { chn(c).Command = some(v.list) }},
	{name: "boards", kind: severalWords, max: 32, check: checkName,
		doc: "Names of the boards whose alerts go this way; an empty list: all.",
		set: func(c any, v value) { chn(c).Boards = some(v.list) }},
}

// ownChannels are the program's built-in channels, which are not configured.
var ownChannels = []string{"page", "push"}

func checkChannelName(s string) error {
	if slices.Contains(ownChannels, strings.ToLower(s)) {
		return fmt.Errorf("is the program's own name for the %s; choose another one", s)
	}
	if checkName(s) != nil {
		return errors.New("is not a name: letters, digits, and after the first character . _ -")
	}
	return nil
}

// page checks the two listeners together.
func (w *walker) page() {
	h := &w.config.HTTP
	_, written := w.places["http.secure"]
	switch {
	case h.Listen == Off && (!written || h.Secure == Off):
		h.Secure = Off
	case h.Listen == Off:
		w.problem(w.place("http.secure"), "http.secure", "%s is given and http.listen is off: phones fetch the certificate from http.listen first; write secure: off, or an address for listen", quote(h.Secure))
	case h.Secure != Off && collide(h.Listen, h.Secure):
		w.problem(w.place("http.secure", "http.listen"), "http", "secure (%s) and listen (%s) are the same address and port; give secure another port, like :8161, or off", h.Secure, h.Listen)
	}
}

// alerts checks each channel, and the channels together.
func (w *walker) alerts() {
	a := &w.config.Alerts
	if a.Expire <= a.Escalate {
		w.problem(w.place("alerts.escalate", "alerts.expire"), "alerts", "escalate (%s) must be shorter than expire (%s), or step 2 is never told",
			durationString(int64(a.Escalate)), durationString(int64(a.Expire)))
	}
	names := map[string]int{}
	for i := range a.Channels {
		w.unique(names, strings.ToLower(a.Channels[i].Name), "alerts.channels", i, "name", "each channel needs a name of its own")
		w.channel(&a.Channels[i], fmt.Sprintf("alerts.channels[%d]", i))
	}
}

// channel checks that a channel has the keys that its type needs, and no others: a key without effect is a mistake.
func (w *walker) channel(ch *Channel, path string) {
	if ch.Type == "" {
		return // reported already
	}
	for _, k := range []struct {
		name         string
		given        bool
		needs, takes []string // types
		example      string
	}{
		{"url", ch.URL != "", []string{Ntfy, Webhook}, []string{Ntfy, Webhook}, "http://192.168.1.10:8090/arbiters"},
		{"command", len(ch.Command) > 0, []string{Command}, []string{Command}, "[/usr/local/bin/tell-arbiter]"},
		{"token_file", ch.TokenFile != "", nil, []string{Ntfy}, ""},
		{"secret_file", ch.SecretFile != "", nil, []string{Webhook}, ""},
	} {
		_, written := w.places[join(path, k.name)]
		switch {
		case k.given && !slices.Contains(k.takes, ch.Type):
			w.problem(w.place(join(path, k.name)), join(path, k.name), "has no meaning for type %s, only for %s; take the line out, or change type", ch.Type, strings.Join(k.takes, " and "))
		case !k.given && slices.Contains(k.needs, ch.Type) && (!written || len(w.problems) == 0):
			w.problem(w.place(join(path, k.name), path), path, "type %s needs a %s: add a line like `%s: %s`", ch.Type, k.name, k.name, k.example)
		}
	}
	if ch.Type == Ntfy && ch.URL != "" {
		w.topic(ch.URL, join(path, "url"))
	}
	if len(ch.Command) > 0 && ch.Type == Command && !filepath.IsAbs(ch.Command[0]) {
		one := join(path, "command[0]")
		w.problem(w.place(one, path), one, "%s is not the whole path of a program; write it from the root, like /usr/local/bin/tell-arbiter (no shell looks for it, and ~ and $ are not expanded)", quote(ch.Command[0]))
	}
	if ch.Step == 2 && w.config.Alerts.Escalate == 0 {
		w.problem(w.place(join(path, "step"), path), join(path, "step"), "2 is never reached, because alerts.escalate is 0s; write step: 1, or a time for escalate")
	}
	w.channelBoards(ch, path)
}

func (w *walker) topic(address, path string) {
	u, err := webAddress(address)
	if err != nil {
		return // reported already
	}
	topic := strings.Trim(u.Path, "/")
	switch {
	case topic == "":
		w.problem(w.place(path), path, "has no topic: write it after the server, like http://192.168.1.10:8090/arbiters")
	case u.RawQuery != "" || u.ForceQuery:
		w.problem(w.place(path), path, "has a ? after the topic; ntfy needs the topic only, and a token comes from token_file")
	}
}

func (w *walker) channelBoards(ch *Channel, path string) {
	var known []string
	for _, b := range w.config.Boards {
		known = append(known, b.Name)
	}
	for i, name := range ch.Boards {
		one := fmt.Sprintf("%s.boards[%d]", path, i)
		switch {
		case slices.Index(ch.Boards, name) < i:
			w.problem(w.place(one), one, "%s is given a second time", quote(name))
		case len(known) > 0 && !slices.Contains(known, name):
			w.problem(w.place(one), one, "%s is not the name of a board; boards: %s%s", quote(name), strings.Join(known, ", "), didYouMean(name, known))
		}
	}
}
