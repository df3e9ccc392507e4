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

// This file is about alerts while the hall is away. The hall gives its computers the channels by which it sends alerts
// itself. A computer that has been without the hall for long sends the alerts of its own boards, for each board
// separately. The hall counts as present for a board while it confirms that it sends the board's alerts: a hall with a
// full disk is connected and confirms nothing. The two never send at the same time. The hall stops when it cannot hear
// the computer, or has not confirmed the board for a while, both of which is earlier than the computer begins. It
// begins again when it has read in the board's journal what the computer has sent.

// standby is what a hall gives its computers for alerts in its absence. It holds secrets.
type standby struct {
	After    time.Duration    `json:"after"`
	Escalate time.Duration    `json:"escalate"`
	Expire   time.Duration    `json:"expire"`
	Wording  string           `json:"wording"`
	Language string           `json:"language"`
	URL      string           `json:"url"`  // of the hall's page
	Refs     []byte           `json:"refs"` // gives a message of the hall and the same one of the computer the same key
	Channels []standbyChannel `json:"channels"`
}

// standbyChannel is a channel that needs nothing of the hall's computer. Commands and Web Push need it, and are left
// out.
type standbyChannel struct {
	Name   string   `json:"name"`
	Type   string   `json:"type"`
	Step   int      `json:"step"`
	URL    string   `json:"url"`
	Boards []string `json:"boards,omitempty"`
	Secret string   `json:"secret,omitempty"`
}

func standbyFile(state string) string { return filepath.Join(state, hallDir, "standby.json") }

// readStandby returns the last instructions of the hall; none if it was never there.
func readStandby(state string) (s standby) {
	b, err := os.ReadFile(standbyFile(state))
	if err == nil && json.Unmarshal(b, &s) != nil || err != nil && !errors.Is(err, fs.ErrNotExist) {
		return standby{} // the hall sends it again
	}
	return s
}

// open makes one of the hall's channels: never a command, whatever the hall sends. Its secret is in memory, and on the
// disk only in standby.json, so that a computer whose disk takes nothing can send alerts too.
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
				continue // the channel itself reports it
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

// keepStandby keeps the hall's instructions, even if the disk does not take them: then a restart loses them, and the
// hall sends them again.
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

// attach gives the outbox the hall's channels, or this computer's own while the hall has given none.
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
		f.outbox.Adopt(alert.Settings{Refs: s.Refs, Escalate: s.Escalate, Expire: s.Expire, Wording: s.Wording, Language: s.Language})
	}
}

// attachKept attaches the last channels of the hall.
func (m *membership) attachKept() {
	m.mu.Lock()
	kept := m.standby
	m.mu.Unlock()
	m.attach(kept)
}

// urgent reports whether a board has an alert that no person has seen.
func (m *membership) urgent(board string) bool {
	return slices.ContainsFunc(m.d.frontend.outbox.Alerts(), func(a alert.Alert) bool { return a.Board == board && a.State == alert.Open })
}

// standIn sends alerts from this computer while the hall is away for long.
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
			case !alone[board] && quiet >= m.standInAfter():
				alone[board], changed = true, true
				m.up.Silent(board, false)
				o.Silence(board, false)
			case alone[board] && quiet < confirmedNow:
				delete(alone, board)
				changed = true
				m.returnToHall(ctx, board)
			}
		}
		for board := range alone {
			if _, watched := confirmed[board]; !watched {
				delete(alone, board)
				changed = true
				m.returnToHall(ctx, board)
			}
		}
		if changed {
			m.noticeAlone(alone, len(confirmed))
		}
	}
}

// returnToHall returns a board's alerts to the hall, after everything that was sent here is recorded.
func (m *membership) returnToHall(ctx context.Context, board string) {
	m.d.frontend.outbox.Silence(board, true)
	m.waitUntilRecorded(ctx)
	m.up.Silent(board, true)
}

// waitUntilRecorded waits until everything that was sent from here is recorded.
func (m *membership) waitUntilRecorded(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, settleTime)
	defer cancel()
	if err := m.d.frontend.outbox.Settled(ctx); err != nil {
		m.d.opt.Log.Warn().Err(err).Msg("what was sent while the hall was away is not all written down: it may be sent again")
	}
}

const (
	// confirmedEvery is how often the hall's confirmations are checked.
	confirmedEvery = 200 * time.Millisecond
	// confirmedNow is the greatest age of a confirmation at which this computer stops sending: two beats.
	confirmedNow = 2 * uplink.BeatEvery
)

// settleTime is how long the hall may wait for what this computer is sending.
const settleTime = 15 * time.Second

// standInAfter is how long the hall may be away before this computer sends alerts.
func (m *membership) standInAfter() time.Duration {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.standby.After > 0 {
		return m.standby.After
	}
	return time.Minute
}

// noticeAlone sets the notice that this computer sends the alerts of some of its watched boards itself.
func (m *membership) noticeAlone(alone map[string]bool, watched int) {
	if len(alone) == 0 {
		m.d.frontend.endNotice("alone")
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
