package alert

import (
	"bytes"
	"context"
	"crypto/ecdh"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	webpush "github.com/SherClockHolmes/webpush-go"
)

// A Subscription is a browser's data for one phone (Push API). The endpoint is a secret: anybody who has it, and the
// keys, can send.
type Subscription struct{ Endpoint, P256dh, Auth string }

// WebPushOptions name the subscription and the keys.
type WebPushOptions struct {
	Subscription Subscription
	Keys         VAPID
	Contact      string       // an e-mail address or https:// page for the push service's operator; "": a placeholder
	Client       *http.Client // nil: one with deadlines
	Now          func() time.Time
}

// WebPush sends to one subscription (RFC 8030, 8188, 8291, 8292). The payload is one JSON object:
//
//	id       the alert's; notifications of one id replace each other
//	title    one line
//	body     more, or ""
//	url      the page at this finding, or ""
//	version  higher with each change of the alert; it does not determine the sound
//	closed   no attention is needed any more
//	quiet    no sound: only an update of an alert. One that was raised again is not quiet, whatever its version
//
// Keys are only ever added. A push service that could not reach its phone delivers only the newest message of a Topic.
//
// The library encrypts well and is used with care (ecosystem notes, section 2): it puts "mailto:" before a contact that
// has it already; it ignores the wished end of the VAPID token and always takes 12 hours, which is within the 24 that
// services allow; and it writes its padding into the caller's slice.
type WebPush struct {
	name string
	sub  webpush.Subscription
	opt  webpush.Options
	http poster
	now  func() time.Time
}

const (
	// pushRecord is the size to which every message is padded; 103 bytes of it are head, mark and tag.
	pushRecord  = 2048
	pushLimit   = 1900
	pushTitle   = 200
	pushBody    = 600
	longestLife = 28 * 24 * time.Hour
	// placeholder satisfies services that require a contact they can parse.
	placeholder = "boardwatchd@example.org"
)

// NewWebPush checks the subscription's keys, because the library does not.
func NewWebPush(name string, opt WebPushOptions) (*WebPush, error) {
	u, err := address("push subscription", opt.Subscription.Endpoint)
	if err != nil {
		return nil, err
	}
	if u.Scheme != "https" && !loopback(u.Hostname()) {
		return nil, errors.New("push subscription: the endpoint must be https")
	}
	point, err := decodeKey(opt.Subscription.P256dh)
	if err == nil {
		_, err = ecdh.P256().NewPublicKey(point)
	}
	if err != nil {
		return nil, errors.New("push subscription: p256dh is no public key of P-256")
	}
	auth, err := decodeKey(opt.Subscription.Auth)
	if err != nil || len(auth) != 16 {
		return nil, errors.New("push subscription: auth is not 16 bytes in base64url")
	}
	if err := opt.Keys.check(); err != nil {
		return nil, fmt.Errorf("push keys: %w", err)
	}
	if opt.Client == nil && u.Scheme == "https" {
		opt.Client = abroad()
	}
	w := &WebPush{name: name, http: newPoster(opt.Client, u.Host), now: opt.Now}
	if w.now == nil {
		w.now = time.Now
	}
	plain := base64.RawURLEncoding.EncodeToString
	w.sub = webpush.Subscription{
		Endpoint: opt.Subscription.Endpoint, Keys: webpush.Keys{P256dh: plain(point), Auth: plain(auth)},
	}
	w.opt = webpush.Options{
		RecordSize: pushRecord, Subscriber: subscriber(opt.Contact),
		VAPIDPublicKey: opt.Keys.Public, VAPIDPrivateKey: opt.Keys.Private,
	}
	return w, nil
}

// subscriber returns the contact in the library's form: the library adds mailto: to everything that is not https.
func subscriber(contact string) string {
	contact = strings.TrimPrefix(clean(contact, 200), "mailto:")
	if strings.HasPrefix(contact, "https://") || strings.Contains(contact, "@") {
		return contact
	}
	return placeholder
}

// decodeKey accepts base64url and base64, with and without padding: browsers send the former, old libraries the latter.
func decodeKey(s string) ([]byte, error) {
	if len(s) > 200 {
		return nil, errors.New("too long")
	}
	s = strings.NewReplacer("+", "-", "/", "_").Replace(strings.TrimRight(s, "="))
	return base64.RawURLEncoding.DecodeString(s)
}

func (w *WebPush) Name() string { return w.name }

type pushPayload struct {
	ID      string `json:"id"`
	Title   string `json:"title"`
	Body    string `json:"body"`
	URL     string `json:"url"`
	Version int    `json:"version"`
	Closed  bool   `json:"closed"`
	Quiet   bool   `json:"quiet"`
}

// Send encrypts and posts one message. ErrGone: the phone has unsubscribed.
func (w *WebPush) Send(ctx context.Context, m Message) error {
	body := pushBytes(m)
	now := w.now()
	opt := w.opt
	opt.Topic, opt.Urgency, opt.TTL = m.tag(), urgency(m), life(m, now)
	catch := &catcher{poster: w.http}
	opt.HTTPClient = catch
	_, err := webpush.SendNotificationWithContext(ctx, slices.Clip(body), &w.sub, &opt)
	switch {
	case catch.err != nil:
		return catch.err
	case !catch.asked && err != nil:
		return errors.New("push: the message cannot be encrypted for this subscription")
	case catch.status == http.StatusNotFound, catch.status == http.StatusGone:
		return fmt.Errorf("%s answered %d: %w", w.http.host, catch.status, ErrGone)
	}
	return w.http.verdict(catch.answer, "", now)
}

// pushBytes returns the payload; fields that do not fit are left out, the least needed first.
func pushBytes(m Message) []byte {
	p := pushPayload{m.ID, clean(m.Title, pushTitle), clean(m.Body, pushBody), m.URL, m.Version, m.Closed, m.Priority <= 2}
	for _, leaveOut := range [...]*string{&p.Body, &p.URL, &p.Title, nil} {
		var b bytes.Buffer
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false) // escapes would take six bytes for one
		if err := enc.Encode(p); err != nil {
			panic("alert: internal error: " + err.Error()) // only texts and a number
		}
		if b.Len() <= pushLimit || leaveOut == nil {
			return bytes.TrimRight(b.Bytes(), "\n")
		}
		*leaveOut = ""
	}
	return nil
}

func urgency(m Message) webpush.Urgency {
	switch {
	case m.Priority >= 4:
		return webpush.UrgencyHigh
	case m.Priority == 3:
		return webpush.UrgencyNormal
	}
	return webpush.UrgencyLow
}

// life returns the time for which the push service keeps a message for an unreachable phone, in seconds.
func life(m Message, now time.Time) int {
	d := min(m.Expires.Sub(now), longestLife)
	return int(max(d, time.Minute).Seconds())
}

// A catcher sends the library's request as this package does, and keeps the answer.
type catcher struct {
	poster
	asked bool
	err   error
	answer
}

// Do implements the library's HTTPClient.
func (c *catcher) Do(req *http.Request) (*http.Response, error) {
	c.asked = true
	req.Header.Set("User-Agent", "boardwatchd")
	if c.answer, c.err = c.do(req); c.err != nil {
		return nil, c.err
	}
	return &http.Response{StatusCode: c.status, Header: c.head, Body: io.NopCloser(bytes.NewReader(c.body))}, nil
}
