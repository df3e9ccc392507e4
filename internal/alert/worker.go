package alert

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sort"
	"time"

	"boardwatchd/rules/words"
)

// A worker serves one channel. Its goroutine alone calls Send; the fields belong to the outbox's lock.
type worker struct {
	Configured
	name   string
	wake   chan struct{}
	ctx    context.Context
	cancel context.CancelFunc

	fails          int       // consecutive failed attempts of the channel
	next           time.Time // no attempt before
	pauseRequested bool      // next was set by the receiver's own request
	last           time.Time // the last attempt
	sending        bool
	gone           bool // the receiver no longer exists

	problem string // "": none
	gaveUp  bool   // the message with problem is not tried again
	mended  time.Time
}

// The retry rule (ecosystem notes, section 2): 1, 2, 4 … 30 s, a quarter of it at random.
const (
	firstPause = time.Second
	lastPause  = 30 * time.Second
	// longestWish bounds the pause that a receiver may ask for.
	longestWish = 30 * time.Minute
	// nudgeGap is the least time between two attempts at a channel that fails.
	nudgeGap = time.Second
	// mendedFor is the time for which a notice shows that a channel works again.
	mendedFor      = 5 * time.Minute
	longestProblem = 300
)

func pause(fails int) time.Duration {
	full := lastPause
	if fails < 5 {
		full = min(firstPause<<max(fails, 0), lastPause)
	}
	return full - time.Duration(rand.Int64N(int64(full/4)))
}

// Attach adds a channel, or replaces the one of that name. Earlier deliveries under that name count as delivered.
func (o *Outbox) Attach(c Configured) {
	w := &worker{Configured: c, name: c.Channel.Name(), wake: make(chan struct{}, 1)}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.detach(w.name)
	o.workers[w.name] = w
	if o.ctx != nil {
		o.start(w)
	}
}

// Reboard changes at once the boards that a channel serves. Nothing is sent again; open alerts of a board that is new
// to the channel are sent.
func (o *Outbox) Reboard(name string, boards []string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if w := o.workers[name]; w != nil {
		w.Boards = slices.Clone(boards)
		o.wakeAll(o.opt.Now(), false)
	}
}

// Detach removes a channel. A running send is cancelled.
func (o *Outbox) Detach(name string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.detach(name)
	o.kick()
}

func (o *Outbox) detach(name string) {
	if w := o.workers[name]; w != nil {
		delete(o.workers, name)
		if w.cancel != nil {
			w.cancel()
		}
	}
}

// Nudge announces that the network may work again: failed channels are tried now, except those whose receiver asked for
// a pause.
func (o *Outbox) Nudge() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.wakeAll(o.opt.Now(), true)
}

// wakeAll makes the workers check for work; early also shortens the pauses of failing channels.
func (o *Outbox) wakeAll(now time.Time, early bool) {
	for _, w := range o.workers {
		if at := w.last.Add(nudgeGap); early && w.fails > 0 && !w.pauseRequested && at.Before(w.next) {
			w.next = at
			if at.Before(now) {
				w.next = now
			}
		}
		select {
		case w.wake <- struct{}{}:
		default:
		}
	}
}

func (o *Outbox) start(w *worker) {
	if o.ctx.Err() != nil {
		return // Run is ending
	}
	w.ctx, w.cancel = context.WithCancel(o.ctx)
	o.running.Go(func() { o.serve(w) })
}

// A job is one message for one channel.
type job struct {
	m       Message
	e       *entry
	version int
}

func (o *Outbox) serve(w *worker) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-w.ctx.Done():
			return
		case <-w.wake:
		case <-timer.C:
		}
		for {
			j, rest, ok := o.pick(w)
			if !ok {
				timer.Reset(rest)
				break
			}
			ctx, cancel := context.WithTimeout(w.ctx, sendTimeout)
			err := w.Channel.Send(ctx, j.m)
			cancel()
			if w.ctx.Err() != nil && err != nil {
				return // cancelled: the channel's successor sends it again
			}
			o.done(w, j, err)
		}
	}
}

// wants reports whether an alert concerns this channel at present.
func (w *worker) wants(e *entry) bool {
	mine := len(w.Boards) == 0 || slices.Contains(w.Boards, e.board) || w.Personal && e.step > 1
	return mine && (w.Level != Now || e.visible.level == Now) && (w.Step < 2 || e.step > 1)
}

// pick returns the message that a channel is to send now, or the time until there is one. Open alerts go first; among
// equals the one that was raised first. The message is made here, so that it is the newest state after any wait.
func (o *Outbox) pick(w *worker) (j job, rest time.Duration, ok bool) {
	page := o.page()
	o.mu.Lock()
	defer o.mu.Unlock()
	now := o.opt.Now()
	next := now.Add(longestRest)
	if w.gone {
		return job{}, longestRest, false
	}
	var best *entry
	for _, e := range o.active {
		at, due := o.due(w, e, now)
		switch {
		case !due:
		case at.After(now):
			sooner(&next, at)
		case best == nil, best.visible.state != Open && e.visible.state == Open:
			best = e
		}
	}
	if best != nil && w.next.After(now) {
		best = nil
		sooner(&next, w.next)
	}
	if best == nil {
		return job{}, max(next.Sub(now), time.Millisecond), false
	}
	w.last, w.sending = now, true
	return job{o.message(best, w.name, page), best, best.version}, 0, true
}

// due reports whether and from when a channel is to receive an entry's newest version.
func (o *Outbox) due(w *worker, e *entry, now time.Time) (at time.Time, due bool) {
	d := e.deliveries[w.name]
	told := 0
	at = e.changed.Add(together)
	if d != nil {
		told = d.version
		if d.gaveUp >= e.version {
			return at, false
		}
		if d.next.After(at) {
			at = d.next
		}
	}
	if o.desks[e.board].held || o.mute(e.board) {
		return at, false
	}
	fresh := now.Before(e.raised.Add(o.opt.Expire))
	update := now.Before(e.changed.Add(o.opt.Expire))
	switch e.visible.state {
	case Open:
		return at, told < e.version && w.wants(e) && fresh && !e.over
	case Seen:
		return at, told >= e.opened && told < e.version && update
	}
	if told > 0 && told >= e.opened {
		return at, told < e.closedVersion && update
	}
	// No message was delivered here, and the opponent has answered meanwhile: the arbiter should know about it
	// (reliability notes, F10).
	return at, e.visible.reason == Expired && !e.seen && told < e.opened && w.wants(e) && fresh && !e.over
}

// done notes the result of a send.
func (o *Outbox) done(w *worker, j job, err error) {
	o.mu.Lock()
	w.sending = false
	now := o.opt.Now()
	j.e = o.present(j.e)
	e, d := j.e, j.e.delivery(w.name)
	d.at = now
	var t *Temporary
	gone := false
	switch {
	case err == nil:
		o.delivered(w, j, d, now)
	case errors.Is(err, ErrGone):
		gone = true
		w.gone = true
		d.gaveUp, d.state, d.problem = j.version, GivenUp, ErrGone.Error()
		o.note(e, event{Event: evGivenUp, Channel: w.name, Version: j.version, Error: d.problem}, now)
	case errors.As(err, &t), errors.Is(err, context.DeadlineExceeded):
		if t == nil {
			t = &Temporary{Err: errors.New("no answer in time")}
		}
		o.postpone(w, d, t, now)
	default:
		d.gaveUp, d.state, d.problem = j.version, GivenUp, clean(err.Error(), longestProblem)
		w.problem, w.gaveUp, w.fails, w.next, w.pauseRequested = d.problem, true, 0, now, false
		o.note(e, event{Event: evGivenUp, Channel: w.name, Version: j.version, Error: d.problem}, now)
		o.opt.Log.Warn().Str("channel", w.name).Str("alert", e.id).Str("error", d.problem).Msg("alert given up on this channel")
	}
	o.changed(e)
	o.mu.Unlock()
	o.kick()
	if gone && o.opt.Gone != nil {
		o.opt.Gone(w.name)
	}
}

func (o *Outbox) delivered(w *worker, j job, d *delivery, now time.Time) {
	d.version, d.state, d.problem, d.fails, d.next = j.version, Sent, "", 0, time.Time{}
	if w.problem != "" {
		w.problem, w.gaveUp, w.mended = "", false, now
		o.opt.Log.Info().Str("channel", w.name).Msg("the channel takes alerts again")
	}
	w.fails, w.next, w.pauseRequested = 0, time.Time{}, false
	o.note(j.e, event{Event: evSent, Channel: w.name, Version: j.version}, now)
}

// postpone sets the time of the next attempt: of the whole channel, or of this message if others need not wait.
func (o *Outbox) postpone(w *worker, d *delivery, t *Temporary, now time.Time) {
	wish := min(t.After, longestWish)
	if errors.Is(t.Err, ErrPaced) {
		w.next, w.pauseRequested = now.Add(max(wish, firstPause)), true
		return
	}
	d.state, d.problem = Failed, clean(t.Error(), longestProblem)
	if w.problem == "" {
		o.opt.Log.Warn().Str("channel", w.name).Str("error", d.problem).Msg("the channel does not take alerts; trying again")
	}
	w.problem, w.gaveUp = d.problem, false
	if t.Alone {
		d.next = now.Add(max(pause(d.fails), wish))
		d.fails++
		w.next, w.pauseRequested = now.Add(nudgeGap), true
		return
	}
	wait := pause(w.fails)
	w.fails++
	w.pauseRequested = wish > wait
	w.next = now.Add(max(wait, wish))
}

// listNotices lists channels that fail or work again; next is set to the time when the list changes by itself, if
// earlier.
func (o *Outbox) listNotices(now time.Time, next *time.Time) []Notice {
	var list []Notice
	for _, w := range o.workers {
		id := "alert-channel-" + w.name
		switch until := w.mended.Add(mendedFor); {
		case w.gone:
		case w.problem != "" && w.gaveUp:
			list = append(list, Notice{id, words.Say("notice.channel_refuses", w.name, w.problem), words.Say("notice.channel_refuses.do")})
		case w.problem != "":
			list = append(list, Notice{id, words.Say("notice.channel_waits", w.name, w.problem), words.Say("notice.channel_waits.do")})
		case !w.mended.IsZero() && now.Before(until):
			sooner(next, until)
			list = append(list, Notice{ID: id, Say: words.Say("notice.channel_again", w.name)})
		}
	}
	if o.droppedAlerts > 0 {
		list = append(list, Notice{"alert-crowded", words.Say("notice.crowded", o.droppedAlerts, maxOpen), words.Say("notice.crowded.do")})
	}
	if problem := o.recorder.trouble(); problem != "" {
		list = append(list, Notice{"alert-journal", words.Say("notice.alert_journal", problem), words.Say("notice.alert_journal.do")})
	}
	sort.Slice(list, func(i, j int) bool { return list[i].ID < list[j].ID })
	return list
}
