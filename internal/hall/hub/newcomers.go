package hub

import (
	"errors"
	"strings"
	"time"

	"boardwatchd/internal/hall/members"
	"boardwatchd/internal/hall/roster"
	"boardwatchd/internal/hall/wire"
)

// letJoin admits a computer, or notes that it waits to be accepted.
func (h *Hub) letJoin(invitation string, b wire.JoinBody) (c members.Computer, err error) {
	now := time.Now()
	h.mu.Lock()
	waits := h.roll.Waits(b.Key, now)
	h.mu.Unlock()
	if waits { // a waiting computer asks every few seconds: that writes nothing to the disk
		return c, members.ErrWaits
	}
	asked := false
	err = h.list.Change(func(r *members.Roll) (err error) {
		if c, err = r.Join(invitation, b.Key, now); !errors.Is(err, members.ErrWaits) {
			return err
		}
		r.Clean(now)
		asked, err = r.Ask(members.Newcomer{Key: b.Key, Invitation: invitation, Host: hostOf(b.Host), Asked: now.UTC().Truncate(time.Second)})
		return err
	})
	if err == nil && c.Name == "" {
		err = members.ErrWaits
	}
	if asked {
		h.opt.Log.Info().Str("host", hostOf(b.Host)).Str("code", wire.CodeOf(b.Key)).Msg("a computer waits to be accepted")
		h.follow()
	}
	return c, err
}

// keepHeard notes on the disk which computers were heard after they joined: from then on the names are theirs.
func (h *Hub) keepHeard(now time.Time) {
	var keys []string
	h.mu.Lock()
	if now.After(h.heardAgain) {
		for _, in := range h.roll.Computers {
			if c := h.computers[in.Name]; in.New && c != nil && c.key == in.Key && !c.beat.IsZero() {
				keys = append(keys, in.Key)
			}
		}
	}
	h.mu.Unlock()
	if len(keys) == 0 {
		return
	}
	err := h.list.Change(func(r *members.Roll) error { r.Heard(keys); return nil })
	if err == nil {
		h.follow()
		return
	}
	h.opt.Log.Error().Err(err).Msg("that computers were heard is not on the disk: their names can be given to others")
	h.mu.Lock()
	h.heardAgain = now.Add(keepAgain)
	h.mu.Unlock()
}

// hostOf is the host name that a computer gives, in a form that can be shown.
func hostOf(name string) string {
	name = strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return -1
		}
		return r
	}, name)
	return name[:min(len(name), 40)]
}

// Newcomers are the computers that wait to be accepted.
func (h *Hub) Newcomers() (list []roster.Newcomer) {
	h.mu.Lock()
	r := h.roll
	h.mu.Unlock()
	for _, n := range r.Waiting(time.Now()) {
		list = append(list, roster.Newcomer{Code: wire.CodeOf(n.Key), Host: n.Host, Name: r.FreeName(n.Host), AskedMS: n.Asked.UnixMilli()})
	}
	return list
}

// Accept admits a newcomer under a name; "" is its own.
func (h *Hub) Accept(code, name string) error {
	err := h.list.Change(func(r *members.Roll) error { _, err := r.Accept(code, name, time.Now()); return err })
	if err == nil {
		h.follow()
	}
	return err
}

// Refuse rejects a newcomer.
func (h *Hub) Refuse(code string) error {
	err := h.list.Change(func(r *members.Roll) error { return r.Refuse(code, time.Now()) })
	if err == nil {
		h.follow()
	}
	return err
}
