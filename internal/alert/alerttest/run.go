package alerttest

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"
	"unicode"

	"boardwatchd/internal/alert"
	"boardwatchd/internal/sharedtest"
)

// A Kit is a channel that sends to the receiver, with its test's knowledge of it.
type Kit struct {
	Channel alert.Channel
	Place   func(t *testing.T, r Request) string // the same for every version of one alert, different for two alerts
	Text    func(t *testing.T, r Request) string // all that a person may see
	Secrets []string                             // texts that no error may contain, besides the message's AckURL
	Deaf    bool                                 // the channel cannot learn the time of the next attempt
	Limit   int                                  // bytes of the largest request; 0: 64 KiB
}

// Setup makes the channel for one case.
type Setup func(t *testing.T, r *Receiver) Kit

// ackSecret is the part of AckURL that makes it a secret.
const ackSecret = "s3cr3t-t0k3n-0f-th3-butt0n"

// A bench is one case's receiver and channel.
type bench struct {
	*Receiver
	Kit
	t *testing.T
}

// Run checks that a channel keeps the promises of alert.Channel.
func Run(t *testing.T, setup Setup) {
	for _, c := range []struct {
		claim string
		check func(bench)
	}{
		{"a message arrives once and says what it should", bench.arrives},
		{"what may pass is tried again", bench.passes},
		{"a wish for later is honoured", bench.later},
		{"what will not pass is given up", bench.refused},
		{"a receiver that hangs costs no more than the context allows", bench.hangs},
		{"a message that is broken off says so", bench.brokenOff},
		{"a receiver that was away is told when it is back", bench.away},
		{"an answer without an end is not waited for", bench.endless},
		{"versions of one alert go to one place", bench.inPlace},
		{"a redirect leads to no other host", bench.elsewhere},
		{"no error holds a secret", bench.discreet},
		{"names with markup and line breaks do no harm", bench.hostile},
		{"a text that is too long still arrives", bench.oversized},
	} {
		t.Run(c.claim, func(t *testing.T) {
			r := NewReceiver(t)
			c.check(bench{r, setup(t, r), t})
		})
	}
}

// Message returns an alert as the outbox makes it.
func Message(version int) alert.Message {
	now := time.Now()
	return alert.Message{
		ID: "12~961~.illegal.knight", Journal: "12-r1", Ref: "q3Rt_0-aZ", Board: "12", Title: "Board 12: please look", Kind: "illegal.knight",
		State: alert.Open, Level: alert.Now, Priority: 4, Version: version, Update: version > 1,
		URL: "http://192.0.2.7:8160/#/b/12/961:illegal.knight", OpenURL: "http://192.0.2.7:8160/#/b/12",
		AckURL: "http://192.0.2.7:8160/ack/" + ackSecret, AckText: "On my way", OpenText: "Open",
		Raised: now, Expires: now.Add(10 * time.Minute),
		Finding: json.RawMessage(`{"type":"finding","id":"961:illegal.knight"}`), Ruling: json.RawMessage(`{"type":"ruling"}`),
	}
}

func (b bench) send(m alert.Message) error {
	b.t.Helper()
	return b.Channel.Send(sharedtest.Context(b.t), m)
}

// one returns the single request received.
func (b bench) one() Request {
	b.t.Helper()
	got := b.Take()
	if len(got) != 1 {
		b.t.Fatalf("%d requests came, want one", len(got))
	}
	return got[0]
}

func (b bench) arrives() {
	t := b.t
	if b.Channel.Name() == "" {
		t.Error("the channel has no name")
	}
	if err := b.send(Message(1)); err != nil {
		t.Fatalf("send: %v", err)
	}
	r := b.one()
	if r.Method != http.MethodPost {
		t.Errorf("the request is a %s", r.Method)
	}
	if text := b.Text(t, r); !strings.Contains(text, "Board 12: please look") {
		t.Errorf("a person sees %q", text)
	}
}

func isTemporary(err error) (*alert.Temporary, bool) {
	var t *alert.Temporary
	ok := errors.As(err, &t)
	return t, ok
}

func (b bench) passes() {
	for _, a := range []Answer{
		{Status: 408}, {Status: 429}, {Status: 500}, {Status: 502}, {Status: 503}, {Status: 504},
	} {
		b.Answer(a)
		err := b.send(Message(1))
		if _, ok := isTemporary(err); !ok {
			b.t.Errorf("%d: %v; this may pass and should be tried again", a.Status, err)
		}
	}
	b.Cut(true)
	if err := b.send(Message(1)); err == nil {
		b.t.Error("a connection that was cut counts as sent")
	} else if _, ok := isTemporary(err); !ok {
		b.t.Errorf("a cut connection: %v; this may pass and should be tried again", err)
	}
	b.Cut(false)
	b.Take()
	if err := b.send(Message(1)); err != nil {
		b.t.Fatalf("after all that: %v", err)
	}
	b.one()
}

func (b bench) later() {
	if b.Deaf {
		b.Answer(Answer{Status: 429, Header: http.Header{"Retry-After": {"7"}}})
		if _, ok := isTemporary(b.send(Message(1))); !ok {
			b.t.Error("a receiver that is busy is given up")
		}
		return
	}
	for _, c := range []struct {
		status     int
		value      string
		least, top time.Duration
	}{
		{429, "7", 7 * time.Second, 7 * time.Second},
		{503, "120", 2 * time.Minute, 2 * time.Minute},
		{429, time.Now().Add(time.Hour).UTC().Format(http.TimeFormat), 58 * time.Minute, time.Hour},
		{429, "soon", 0, time.Minute},
		{503, "-5", 0, time.Minute},
		{503, "99999999999999999999", 0, time.Minute},
	} {
		b.Answer(Answer{Status: c.status, Header: http.Header{"Retry-After": {c.value}}})
		err := b.send(Message(1))
		t, ok := isTemporary(err)
		if !ok {
			b.t.Errorf("%d with Retry-After %q: %v, want to be tried again", c.status, c.value, err)
		} else if t.After < c.least || t.After > c.top {
			b.t.Errorf("%d with Retry-After %q: again after %v, want %v to %v", c.status, c.value, t.After, c.least, c.top)
		}
	}
}

func (b bench) refused() {
	for _, status := range []int{400, 401, 403, 404, 405, 410, 413, 422, 451} {
		b.Answer(Answer{Status: status})
		err := b.send(Message(1))
		if _, again := isTemporary(err); err == nil || again {
			b.t.Errorf("%d: %v; want an error that is not tried again", status, err)
		}
	}
}

func (b bench) hangs() {
	b.Answer(Answer{Hang: true})
	begun, patience := time.Now(), sharedtest.Patience(b.t)
	ctx, cancel := context.WithTimeout(b.t.Context(), 300*time.Millisecond)
	defer cancel()
	err := b.Channel.Send(ctx, Message(1))
	if took := time.Since(begun); took > patience {
		b.t.Errorf("Send returned after %v", took)
	}
	if _, again := isTemporary(err); !again && !errors.Is(err, context.DeadlineExceeded) {
		b.t.Errorf("the error is %v; want one that is tried again", err)
	}
}

func (b bench) brokenOff() {
	b.Answer(Answer{Hang: true})
	ctx, cancel := context.WithCancel(b.t.Context())
	done := make(chan error)
	go func() { done <- b.Channel.Send(ctx, Message(1)) }()
	cancel()
	select {
	case err := <-done:
		if err == nil {
			b.t.Error("a message that was broken off counts as sent")
		}
	case <-sharedtest.Hung(b.t):
		b.t.Error("Send goes on although its context has ended")
	}
}

func (b bench) away() {
	b.Away()
	for range 3 {
		if _, again := isTemporary(b.send(Message(1))); !again {
			b.t.Fatal("a receiver that is away is given up")
		}
	}
	b.Back()
	if err := b.send(Message(2)); err != nil {
		b.t.Fatalf("it is back: %v", err)
	}
	b.one()
}

func (b bench) endless() {
	b.Answer(Answer{Status: 200, Endless: true})
	if err := b.send(Message(1)); err != nil {
		b.t.Errorf("it has answered 200: %v", err)
	}
}

func (b bench) inPlace() {
	t := b.t
	other := Message(1)
	other.ID, other.Ref = "12~988~.illegal.king", "another-ref"
	closed := Message(3)
	closed.State, closed.Closed, closed.Title, closed.Priority = alert.Decided, true, "Board 12: decided", 2
	var places []string
	for _, m := range []alert.Message{Message(1), Message(2), Message(2), closed, other} {
		if err := b.send(m); err != nil {
			t.Fatalf("version %d: %v", m.Version, err)
		}
		r := b.one()
		places = append(places, b.Place(t, r))
		if m.Closed && !strings.Contains(b.Text(t, r), "decided") {
			t.Errorf("the last update says %q", b.Text(t, r))
		}
	}
	for _, p := range places[:4] {
		if p == "" || p != places[0] {
			t.Errorf("versions of one alert stand at %q", places[:4])
			break
		}
	}
	if places[4] == places[0] {
		t.Errorf("two alerts stand at one place, %q", places[0])
	}
}

func (b bench) elsewhere() {
	other := NewReceiver(b.t)
	for _, status := range []int{301, 302, 303, 307, 308} {
		b.Answer(Answer{Status: status, Header: http.Header{"Location": {other.URL + "/elsewhere"}}})
		err := b.send(Message(1))
		if _, again := isTemporary(err); err == nil || again {
			b.t.Errorf("%d: %v; want it given up", status, err)
		}
	}
	if got := other.Take(); len(got) > 0 {
		b.t.Errorf("another host got %s %s", got[0].Method, got[0].Path)
	}
}

func (b bench) discreet() {
	var errs []error
	for _, a := range []Answer{
		{Status: 400, Echo: true}, {Status: 401, Echo: true}, {Status: 403, Echo: true}, {Status: 404, Echo: true},
		{Status: 429, Echo: true}, {Status: 500, Echo: true}, {Status: 302, Echo: true},
	} {
		b.Answer(a)
		errs = append(errs, b.send(Message(1)))
	}
	b.Cut(true)
	errs = append(errs, b.send(Message(1)))
	b.Cut(false)
	b.Answer(Answer{Hang: true})
	ctx, cancel := context.WithTimeout(b.t.Context(), 200*time.Millisecond)
	errs = append(errs, b.Channel.Send(ctx, Message(1)))
	cancel()
	b.Away()
	errs = append(errs, b.send(Message(1)))
	for i, err := range errs {
		if err == nil {
			b.t.Errorf("attempt %d has no error", i)
			continue
		}
		for _, s := range append([]string{ackSecret}, b.Secrets...) {
			if strings.Contains(err.Error(), s) {
				b.t.Errorf("attempt %d: the error holds the secret %q: %v", i, s, err)
			}
		}
	}
}

func (b bench) hostile() {
	for _, name := range []string{
		`<script>alert(1)</script>`, "12\r\nX-Injected: 1", "a\x00b\x1b[31m\x7f", `"}],"x":{"`, "$(reboot) `reboot` ; & |", "\u202eevil\u2066",
		"\xff\xfe", "**bold** [x](http://192.0.2.1)", "=cmd|' /C calc'!A0", "\u2028\u2029\u0085",
	} {
		m := Message(1)
		m.Board, m.Title, m.Body, m.Kind, m.ID = name, "Board "+name+": please look", name, name, alert.ID(name, "7:"+name)
		if err := b.send(m); err != nil {
			b.t.Errorf("%q: %v", name, err)
			b.Take()
			continue
		}
		r := b.one()
		if r.Header.Get("X-Injected") != "" {
			b.t.Errorf("%q became a header", name)
		}
		if text := b.Text(b.t, r); strings.ContainsFunc(text, harmful) {
			b.t.Errorf("%q: a person sees %q", name, text)
		}
	}
}

// harmful reports whether a character breaks a line or changes its direction.
func harmful(r rune) bool {
	return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' || '\u202a' <= r && r <= '\u202e' || '\u2066' <= r && r <= '\u2069'
}

func (b bench) oversized() {
	m := Message(1)
	m.Title = strings.Repeat("Brett Ü ", 20_000)
	m.Body = strings.Repeat("\"<♞>\\", 20_000)
	m.Board = strings.Repeat("ü", 20_000)
	m.Kind = strings.Repeat("k", 20_000)
	m.Finding = json.RawMessage(`{"x":"` + strings.Repeat("y", 1<<20) + `"}`)
	if err := b.send(m); err != nil {
		b.t.Fatal(err)
	}
	r := b.one()
	limit := b.Limit
	if limit == 0 {
		limit = 64 << 10
	}
	if len(r.Body) > limit {
		b.t.Errorf("the request has %d bytes, more than %d", len(r.Body), limit)
	}
	if text := b.Text(b.t, r); !strings.Contains(text, "Brett Ü") {
		b.t.Errorf("a person sees %.60q", text)
	}
}
