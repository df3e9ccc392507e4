package daemon

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"boardwatchd/internal/alert"
	"boardwatchd/internal/config"
	"boardwatchd/internal/hall/uplink"
	"boardwatchd/internal/secretfile"
	"boardwatchd/rules/words"
)

// This file is about alerts while the hall is away: the hall gives its computers the channels by which it alerts
// itself, and a computer that is without the hall for long sends the alerts of its own boards, of each for itself. The
// hall is there as long as it says of every board that it speaks for it: one whose disk is full is connected and says
// nothing. The two never send at the same time: the hall is silent for a board from when its computer cannot be heard,
// or when it has not confirmed the board, which both are before the computer begins, and begins again when it has read
// in the board's journal what the computer has sent.

// standby is what a hall gives its computers. It holds secrets.
type standby struct {
	After    time.Duration    `json:"after"`
	Escalate time.Duration    `json:"escalate"`
	Expire   time.Duration    `json:"expire"`
	Wording  string           `json:"wording"`
	Language string           `json:"language"`
	URL      string           `json:"url"`  // of the hall's page
	Refs     []byte           `json:"refs"` // a message of the hall and one of the computer have the same key
	Channels []standbyChannel `json:"channels"`
}

// standbyChannel is one that needs nothing of the hall's computer. Programs and Web Push stay there.
type standbyChannel struct {
	Name   string   `json:"name"`
	Type   string   `json:"type"`
	Step   int      `json:"step"`
	URL    string   `json:"url"`
	Boards []string `json:"boards,omitempty"`
	Secret string   `json:"secret,omitempty"`
}

func standbyFile(state string) string { return filepath.Join(state, hallDir, "standby.json") }

// readStandby returns what the hall said when it was last there; nothing where it never was.
func readStandby(state string) (s standby) {
	b, err := os.ReadFile(standbyFile(state))
	if err == nil && json.Unmarshal(b, &s) != nil || err != nil && !errors.Is(err, fs.ErrNotExist) {
		return standby{} // the hall says it again
	}
	return s
}

// open makes a channel of the hall's: never a program, whatever the hall says. Its secret is in memory, and on the disk
// in standby.json only: a computer whose disk takes nothing can alert too.
func (c standbyChannel) open() (alert.Channel, error) {
	switch c.Type {
	case config.Ntfy:
		return alert.NewNtfy(c.Name, alert.NtfyOptions{URL: c.URL, Token: c.Secret})
	case config.Webhook:
		return alert.NewWebhook(c.Name, alert.WebhookOptions{URL: c.URL, Secret: c.Secret})
	}
	return nil, fmt.Errorf("the hall's channel %s has the type %q, which is not used here", c.Name, c.Type)
}

// standbyOf is what this hall gives its computers.
func (f *frontend) standbyOf() []byte {
	c := f.d.opt.Config
	s := standby{
		After: c.Hall.Alone, Escalate: c.Alerts.Escalate, Expire: c.Alerts.Expire, Wording: c.Alerts.Wording, Language: c.Alerts.Language,
		URL: c.Alerts.URL, Refs: f.refs,
	}
	for _, ch := range c.Alerts.Channels {
		one := standbyChannel{Name: ch.Name, Type: ch.Type, Step: ch.Step, URL: ch.URL, Boards: ch.Boards}
		file := ch.TokenFile
		switch ch.Type {
		case config.Ntfy:
		case config.Webhook:
			file = ch.SecretFile
		default:
			continue
		}
		if file != "" {
			secret, err := config.ReadSecret(file)
			if err != nil {
				continue // told by the channel itself
			}
			one.Secret = secret
		}
		s.Channels = append(s.Channels, one)
	}
	b, err := json.Marshal(s)
	if err != nil {
		panic("daemon: internal error: " + err.Error()) // texts and numbers
	}
	return b
}

// keepStandby takes what the hall says, also where the disk does not take it: then it is lost with a restart, and the
// hall says it again.
func (m *membership) keepStandby(body []byte) error {
	var s standby
	if err := json.Unmarshal(body, &s); err != nil {
		return err
	}
	b, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	m.attach(s)
	return secretfile.Replace(standbyFile(m.d.opt.Dir), append(b, '\n'))
}

// attach lets the outbox have the hall's channels, and this computer's own ones as long as the hall has given none.
func (m *membership) attach(s standby) {
	m.mu.Lock()
	defer m.mu.Unlock()
	f := m.d.frontend
	var names []string
	for _, c := range s.Channels {
		ch, err := c.open()
		if err != nil {
			m.d.opt.Log.Warn().Err(err).Msg("alerts while the hall is away")
			continue
		}
		f.outbox.Attach(alert.Configured{Channel: measuredChannel{ch, f.metrics.AlertSent}, Step: c.Step, Boards: c.Boards})
		names = append(names, c.Name)
	}
	if len(names) == 0 {
		for _, c := range f.measured(f.configured(m.d.opt.Config.Alerts)) {
			f.outbox.Attach(c)
			names = append(names, c.Channel.Name())
		}
	}
	for _, name := range m.channels {
		if !slices.Contains(names, name) {
			f.outbox.Detach(name)
		}
	}
	m.channels, m.standby = names, s
	if s.After > 0 {
		f.outbox.Adopt(alert.Manner{Refs: s.Refs, Escalate: s.Escalate, Expire: s.Expire, Wording: s.Wording, Language: s.Language})
	}
}

// attachKept attaches what the hall gave last.
func (m *membership) attachKept() {
	m.mu.Lock()
	kept := m.standby
	m.mu.Unlock()
	m.attach(kept)
}

// urgent says whether a board has an alert that nobody has seen.
func (m *membership) urgent(board string) bool {
	return slices.ContainsFunc(m.d.frontend.outbox.Alerts(), func(a alert.Alert) bool { return a.Board == board && a.State == alert.Open })
}

// standIn sends alerts from here while the hall is away for long.
func (m *membership) standIn(ctx context.Context) {
	o := m.d.frontend.outbox
	begun, alone, tick := time.Now(), map[string]bool{}, time.NewTicker(confirmedEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		confirmed, changed := m.up.Confirmed(), false
		for board, at := range confirmed {
			if at.Before(begun) {
				at = begun
			}
			switch quiet := time.Since(at); {
			case !alone[board] && quiet >= m.after():
				alone[board], changed = true, true
				m.up.Silent(board, false)
				o.Silence(board, false)
			case alone[board] && quiet < confirmedNow:
				delete(alone, board)
				changed = true
				m.fallSilent(ctx, board)
			}
		}
		for board := range alone {
			if _, watched := confirmed[board]; !watched {
				delete(alone, board)
				changed = true
				m.fallSilent(ctx, board)
			}
		}
		if changed {
			m.noticeAlone(alone, len(confirmed))
		}
	}
}

// fallSilent leaves a board to the hall again, after all that was done here.
func (m *membership) fallSilent(ctx context.Context, board string) {
	m.d.frontend.outbox.Silence(board, true)
	m.settle(ctx)
	m.up.Silent(board, true)
}

// settle waits until all that was sent from here is written down.
func (m *membership) settle(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, settleTime)
	defer cancel()
	if err := m.d.frontend.outbox.Settled(ctx); err != nil {
		m.d.opt.Log.Warn().Err(err).Msg("what was sent while the hall was away is not all written down: it may be sent again")
	}
}

const (
	// confirmedEvery is how often it is looked whether the hall speaks for the boards.
	confirmedEvery = 200 * time.Millisecond
	// confirmedNow is how old what the hall said may be when this computer falls silent: two beats.
	confirmedNow = 2 * uplink.BeatEvery
)

// settleTime is how long the hall may wait for what this computer is sending.
const settleTime = 15 * time.Second

// after is how long the hall may be away before this computer alerts.
func (m *membership) after() time.Duration {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.standby.After > 0 {
		return m.standby.After
	}
	return time.Minute
}

// noticeAlone sets the notice that this computer sends the alerts of some boards itself, out of the number it watches.
func (m *membership) noticeAlone(alone map[string]bool, watched int) {
	if len(alone) == 0 {
		m.d.frontend.over("alone")
		return
	}
	m.mu.Lock()
	n := len(m.channels)
	m.mu.Unlock()
	why := words.Say("notice.alone_all")
	if len(alone) < watched {
		why = words.Say("notice.alone_some", enumerated(slices.Sorted(maps.Keys(alone))))
	}
	who, do := words.Say("notice.alone_sends"), words.Say("notice.alone.do")
	if n == 0 {
		who, do = words.Say("notice.alone_nobody"), words.Say("notice.alone_nobody.do")
	}
	m.d.frontend.setNotice("alone", words.List(" ", []words.Sentence{why, who}), do)
}
