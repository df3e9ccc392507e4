package daemon

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"sync"

	"boardwatchd/internal/alert"
	"boardwatchd/internal/disk"
	"boardwatchd/internal/hall/uplink"
	"boardwatchd/internal/hall/wire"
	"boardwatchd/internal/web"
	"boardwatchd/rules/words"
)

// This file is about joining and leaving a hall while boards are watched. Their loops and journals go on; only the
// sender of the alerts and the upload of the journals change.

// run sends the journals to the hall, and asks to be let in if that was not done.
func (m *membership) run() {
	if m == nil {
		return
	}
	m.joinMu.Lock()
	defer m.joinMu.Unlock()
	who, err := uplink.ReadMember(m.file)
	if err == nil {
		m.joinHall(who)
	} else if !errors.Is(err, uplink.ErrNoMember) && !m.d.frontend.denied(err) {
		m.noticeNotIn(err)
	}
	if m.token != "" {
		m.ask(m.token)
	}
}

func (m *membership) noticeNotIn(err error) {
	m.d.frontend.setNotice("hall", words.Say("hall.not_in", whyOut(err)), words.Say("hall.not_in.do"))
}

// whyOut returns why this computer is not in the hall, in the words of the page's answer to an attempt to join.
func whyOut(err error) words.Sentence {
	var join *web.JoinError
	if !errors.As(joinError(err), &join) || join.Code == "hall_refuses" { // that sentence has the hall's own reason
		return disk.WhyAt(err)
	}
	say := words.Sentence{Key: "answer." + join.Code}
	for _, a := range join.Args {
		say.Args = append(say.Args, words.Verbatim(a))
	}
	return say
}

// ask asks with a token until the hall takes it. The caller holds joinMu.
func (m *membership) ask(token string) {
	m.stopAsking()
	ctx, stop := context.WithCancel(m.ending)
	m.token, m.cancelAsking = token, stop
	m.work.Go(func() {
		for wait := firstRetry; ctx.Err() == nil; wait = min(2*wait, lastRetry) {
			done, waits := m.askOnce(ctx)
			if done {
				return
			}
			if waits {
				wait = acceptedEvery
			}
			pause(ctx, wait)
		}
	})
}

// stopAsking ends ask. The caller holds joinMu.
func (m *membership) stopAsking() {
	if m.cancelAsking != nil {
		m.cancelAsking()
	}
	m.token, m.cancelAsking = "", nil
	m.waitFor("")
	m.d.frontend.endNotice("hall")
}

// waitFor notes the code by which a person accepts this computer.
func (m *membership) waitFor(code string) {
	m.whoMu.Lock()
	defer m.whoMu.Unlock()
	m.code = code
}

// askOnce asks once. Done means that this computer is in the hall, or does not ask any more.
func (m *membership) askOnce(ctx context.Context) (done, waits bool) {
	m.joinMu.Lock()
	defer m.joinMu.Unlock()
	if ctx.Err() != nil {
		return true, false
	}
	who, err := m.join(ctx)
	waiting := (*uplink.WaitsError)(nil)
	switch {
	case err == nil:
		m.stopAsking()
		m.joinHall(who)
		return true, false
	case errors.As(err, &waiting):
		m.waitFor(waiting.Code)
		m.d.frontend.setNotice("hall", words.Say("hall.waits", waiting.Code), words.Say("notice.joining.do"))
		return false, true
	case ctx.Err() == nil:
		m.waitFor("")
		m.noticeNotIn(err)
	}
	return false, false
}

// joinHall begins to send the journals to a hall, which may replace another one. Alerts that this computer is sending
// are finished and recorded first; from then on the hall sends them. The caller holds joinMu.
func (m *membership) joinHall(who uplink.Member) {
	if m.session != nil {
		if m.key() == who.Seed {
			return
		}
		_ = m.depart() // a hall that does not receive it shows this computer as away
	}
	if m.leaveWait != nil {
		m.leaveWait()
		m.leaveWait = nil
	}
	m.whoMu.Lock()
	other := m.who.Hub != who.Hub
	m.who = who
	m.whoMu.Unlock()
	if other {
		m.mu.Lock()
		m.standby = standby{}
		m.mu.Unlock()
	}
	was := m.isMember.Swap(true)
	m.d.opt.Log.Info().Str("computer", who.Computer).Strs("at", uplink.Named(who.Addresses)).Msg("this computer belongs to a hall: its page has all boards, and alerts leave from there")
	ctx, end := context.WithCancelCause(m.ending)
	s := &hallSession{end: end, ended: make(chan error, 1)}
	m.session = s
	if !was {
		m.changed()
	}
	m.work.Go(func() {
		m.d.frontend.outbox.Silence("", true)
		m.waitUntilRecorded(ctx)
		m.attachKept() // before the hall sends others
		var beside sync.WaitGroup
		beside.Go(func() { m.standIn(ctx) })
		beside.Go(func() { m.noticeAway(ctx, who) })
		err := uplink.ErrUnheard
		for wait := firstRetry; ctx.Err() == nil; wait = min(2*wait, lastRetry) {
			if err = m.up.Run(ctx, who); err != nil && ctx.Err() == nil {
				m.noticeNotIn(err)
				pause(ctx, wait)
			}
		}
		beside.Wait()
		s.ended <- err
	})
}

// key is this computer's key in its hall.
func (m *membership) key() string {
	m.whoMu.Lock()
	defer m.whoMu.Unlock()
	return m.who.Seed
}

// depart ends the membership, and reports it to the hall. The caller holds joinMu.
func (m *membership) depart() error {
	m.session.end(uplink.ErrLeaves)
	err := <-m.session.ended
	m.session = nil
	for _, id := range []string{"hall", "hall-away", "alone"} {
		m.d.frontend.endNotice(id)
	}
	return err
}

// changed updates what the page shows of the membership.
func (m *membership) changed() {
	m.d.tables.show()
	m.d.tables.publish()
	m.d.frontend.push.refresh()
}

// JoinHall makes this computer a member of a hall, for a person at its page. The boards are watched all the while.
func (m *membership) JoinHall(ctx context.Context, token string, replace bool) (web.HallMember, error) {
	m.joinMu.Lock()
	defer m.joinMu.Unlock()
	if m.setByConfig {
		return web.HallMember{}, &web.JoinError{Code: "hall_fixed", Text: ErrHallFixed.Error()}
	}
	if filepath.IsAbs(token) { // phones must not read files of this computer
		return web.HallMember{}, joinError(wire.ErrToken)
	}
	who, err := JoinHall(ctx, m.d.opt.Dir, token, replace)
	waits := (*uplink.WaitsError)(nil)
	switch {
	case errors.As(err, &waits):
		m.ask(token)
		m.waitFor(waits.Code)
	case err != nil:
		return web.HallMember{}, joinError(err)
	default:
		m.stopAsking()
		m.joinHall(who)
	}
	return m.Membership(), nil
}

// LeaveHall takes this computer out of its hall, or ends its request. Heard reports whether the hall knows.
func (m *membership) LeaveHall() (heard bool, err error) {
	m.joinMu.Lock()
	defer m.joinMu.Unlock()
	if m.setByConfig {
		return false, &web.JoinError{Code: "hall_fixed", Text: ErrHallFixed.Error()}
	}
	if m.session == nil && m.token == "" {
		return false, &web.JoinError{Code: "no_member", Text: uplink.ErrNoMember.Error()}
	}
	if err := removeMembership(m.d.opt.Dir, m.d.opt.cardToken()); err != nil {
		return false, err
	}
	m.stopAsking()
	if m.session == nil {
		return true, nil
	}
	heard = m.depart() == nil
	m.whoMu.Lock()
	m.who = uplink.Member{}
	m.whoMu.Unlock()
	m.isMember.Store(false)
	m.d.opt.Log.Info().Bool("heard", heard).Msg("this computer has left its hall")
	m.resumeAlerts()
	m.changed()
	return heard, nil
}

// resumeAlerts sends alerts from this computer again, through its own channels, after the hall has finished what it was
// sending, as if the hall were away.
func (m *membership) resumeAlerts() {
	after := m.standInAfter()
	m.attach(standby{})
	ctx, end := context.WithCancel(m.ending)
	m.leaveWait = end
	m.work.Go(func() {
		pause(ctx, after)
		m.joinMu.Lock()
		defer m.joinMu.Unlock()
		if ctx.Err() != nil {
			return
		}
		o, a := m.d.frontend.outbox, m.d.opt.Config.Alerts
		o.Adopt(alert.Settings{Escalate: a.Escalate, Expire: a.Expire, Wording: a.Wording, Language: a.Language})
		o.Silence("", false)
	})
}

// Membership is the membership for the page.
func (m *membership) Membership() web.HallMember {
	m.whoMu.Lock()
	a := web.HallMember{Code: m.code, Fixed: m.setByConfig}
	if m.isMember.Load() {
		a.Computer, a.At = m.who.Computer, uplink.Named(m.who.Addresses)
	}
	m.whoMu.Unlock()
	if since, _ := m.up.Away(); a.Computer != "" {
		a.Here = since.IsZero()
	}
	return a
}

// ErrHallFixed means that the configuration names the hall of this computer.
var ErrHallFixed = errors.New("the configuration of this computer names its hall (hall: join): change it there, and start boardwatchd again")

// joinError is the page's error for a failed attempt to join.
func joinError(err error) error {
	var other *OtherHallError
	var silent *uplink.SilentError
	var refused *uplink.RefusedError
	e := &web.JoinError{Text: err.Error()}
	switch {
	case errors.As(err, &other) && other.Name != "":
		e.Code, e.Args = "other_name", []string{other.Was.Computer, other.Name}
	case other != nil:
		e.Code, e.Args = "other_hall", []string{other.Was.Computer, strings.Join(uplink.Named(other.Was.Addresses), ", ")}
	case errors.Is(err, wire.ErrToken):
		e.Code = "no_token"
	case errors.Is(err, wire.ErrPin):
		e.Code = "other_authority"
	case errors.As(err, &silent):
		e.Code, e.Args = "hall_silent", []string{strings.Join(uplink.Named(silent.Addresses), ", ")}
	case errors.As(err, &refused):
		e.Code = "hall_refuses"
	case errors.Is(err, uplink.ErrInvitation):
		e.Code = "invitation_over"
	default:
		return err
	}
	return e
}
