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

// This file is about coming into a hall and leaving it while boards are watched: their loops and journals go on, and
// only what stands beside them changes: where alerts leave from, and who brings the journals to a hall.

// run brings the journals to the hall, and asks to be let in where that was not done.
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

// whyOut says why this computer is not in the hall, in the words in which the page answers an attempt to join.
func whyOut(err error) words.Sentence {
	var join *web.JoinError
	if !errors.As(joinError(err), &join) || join.Code == "hall_refuses" { // which says the hall's own reason
		return disk.WhyAt(err)
	}
	say := words.Sentence{Key: "answer." + join.Code}
	for _, a := range join.Args {
		say.Args = append(say.Args, words.Verbatim(a))
	}
	return say
}

// ask goes on asking with a token until the hall takes it. The caller has the turn.
func (m *membership) ask(token string) {
	m.askNoMore()
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

// askNoMore ends ask. The caller has the turn.
func (m *membership) askNoMore() {
	if m.cancelAsking != nil {
		m.cancelAsking()
	}
	m.token, m.cancelAsking = "", nil
	m.waitFor("")
	m.d.frontend.over("hall")
}

// waitFor notes the code by which a person accepts this computer.
func (m *membership) waitFor(code string) {
	m.whoMu.Lock()
	defer m.whoMu.Unlock()
	m.code = code
}

// askOnce is done when this computer is in the hall, or does not ask any more.
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
		m.askNoMore()
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

// joinHall begins to bring the journals to a hall, in place of another one. What this computer is sending is sent
// first, and written down: from then on alerts leave from the hall. The caller has the turn.
func (m *membership) joinHall(who uplink.Member) {
	if m.stay != nil {
		if m.key() == who.Seed {
			return
		}
		_ = m.depart() // a hall that does not hear it shows this computer as away
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
	was := m.in.Swap(true)
	m.d.opt.Log.Info().Str("computer", who.Computer).Strs("at", who.Addresses).Msg("this computer belongs to a hall: its page has all boards, and alerts leave from there")
	ctx, end := context.WithCancelCause(m.ending)
	s := &hallSession{end: end, ended: make(chan error, 1)}
	m.stay = s
	if !was {
		m.changed()
	}
	m.work.Go(func() {
		m.d.frontend.outbox.Silence("", true)
		m.settle(ctx)
		m.attachKept() // before the hall gives others
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

// key is that with which this computer is in its hall.
func (m *membership) key() string {
	m.whoMu.Lock()
	defer m.whoMu.Unlock()
	return m.who.Seed
}

// depart ends the stay in a hall, which hears that this computer is not its any more. The caller has the turn.
func (m *membership) depart() error {
	m.stay.end(uplink.ErrLeaves)
	err := <-m.stay.ended
	m.stay = nil
	for _, id := range []string{"hall", "hall-away", "alone"} {
		m.d.frontend.over(id)
	}
	return err
}

// changed has the page show what depends on being in a hall.
func (m *membership) changed() {
	m.d.tables.show()
	m.d.tables.publish()
	m.d.frontend.push.refresh()
}

// JoinHall makes this computer one of a hall, for a person at its page. The boards are watched all the while.
func (m *membership) JoinHall(ctx context.Context, token string, replace bool) (web.HallMember, error) {
	m.joinMu.Lock()
	defer m.joinMu.Unlock()
	if m.fixed {
		return web.HallMember{}, &web.JoinError{Code: "hall_fixed", Text: ErrHallFixed.Error()}
	}
	if filepath.IsAbs(token) { // a file of this computer is not for phones
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
		m.askNoMore()
		m.joinHall(who)
	}
	return m.Membership(), nil
}

// LeaveHall takes this computer out of its hall, or ends its asking. Heard says whether the hall knows.
func (m *membership) LeaveHall() (heard bool, err error) {
	m.joinMu.Lock()
	defer m.joinMu.Unlock()
	if m.fixed {
		return false, &web.JoinError{Code: "hall_fixed", Text: ErrHallFixed.Error()}
	}
	if m.stay == nil && m.token == "" {
		return false, &web.JoinError{Code: "no_member", Text: uplink.ErrNoMember.Error()}
	}
	if err := forget(m.d.opt.Dir, m.d.opt.cardToken()); err != nil {
		return false, err
	}
	m.askNoMore()
	if m.stay == nil {
		return true, nil
	}
	heard = m.depart() == nil
	m.whoMu.Lock()
	m.who = uplink.Member{}
	m.whoMu.Unlock()
	m.in.Store(false)
	m.d.opt.Log.Info().Bool("heard", heard).Msg("this computer has left its hall")
	m.speakUp()
	m.changed()
	return heard, nil
}

// speakUp sends alerts from here again, through this computer's own channels: when the hall has ended with what it was
// sending, as if it were away.
func (m *membership) speakUp() {
	after := m.after()
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
		o.Adopt(alert.Manner{Escalate: a.Escalate, Expire: a.Expire, Wording: a.Wording, Language: a.Language})
		o.Silence("", false)
	})
}

// Membership is what the page says of this.
func (m *membership) Membership() web.HallMember {
	m.whoMu.Lock()
	a := web.HallMember{Code: m.code, Fixed: m.fixed}
	if m.in.Load() {
		a.Computer, a.At = m.who.Computer, m.who.Addresses
	}
	m.whoMu.Unlock()
	if since, _ := m.up.Away(); a.Computer != "" {
		a.Here = since.IsZero()
	}
	return a
}

// ErrHallFixed says that a person has written into the configuration which hall this computer belongs to.
var ErrHallFixed = errors.New("the configuration of this computer names its hall (hall: join): change it there, and start boardwatchd again")

// joinError is what the page answers.
func joinError(err error) error {
	var other *OtherHallError
	var silent *uplink.SilentError
	var refused *uplink.RefusedError
	e := &web.JoinError{Text: err.Error()}
	switch {
	case errors.As(err, &other) && other.Name != "":
		e.Code, e.Args = "other_name", []string{other.Was.Computer, other.Name}
	case other != nil:
		e.Code, e.Args = "other_hall", []string{other.Was.Computer, strings.Join(other.Was.Addresses, ", ")}
	case errors.Is(err, wire.ErrToken):
		e.Code = "no_token"
	case errors.Is(err, wire.ErrPin):
		e.Code = "other_authority"
	case errors.As(err, &silent):
		e.Code, e.Args = "hall_silent", []string{strings.Join(silent.Addresses, ", ")}
	case errors.As(err, &refused):
		e.Code = "hall_refuses"
	case errors.Is(err, uplink.ErrInvitation):
		e.Code = "invitation_over"
	default:
		return err
	}
	return e
}
