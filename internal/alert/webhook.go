package alert

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"time"
)

// WebhookOptions give the address to post to.
type WebhookOptions struct {
	URL        string
	SecretFile string       // contains the key of the signature; "": Secret
	Secret     string       // the key itself; "": no signature
	Client     *http.Client // nil: one with deadlines
	Now        func() time.Time
}

// Webhook posts an alert as JSON (see Payload). The headers:
//
//	Idempotency-Key          JOURNAL~ID.VERSION, the same when a message is sent twice
//	X-Boardwatchd-Timestamp  seconds since 1970
//	X-Boardwatchd-Signature  sha256=HEX, HMAC-SHA256 with the secret over TIMESTAMP, a full stop and the body
//
// A receiver refuses a wrong signature and a timestamp that is minutes old, and drops a message whose key it has
// already received. It answers 2xx for accepted; 408, 425, 429 and 5xx for later; anything else for never.
type Webhook struct {
	name   string
	url    string
	secret string
	http   poster
	now    func() time.Time
}

// NewWebhook checks the address and reads the secret.
func NewWebhook(name string, opt WebhookOptions) (*Webhook, error) {
	u, err := address("webhook", opt.URL)
	if err != nil {
		return nil, err
	}
	w := &Webhook{name: name, url: u.String(), secret: opt.Secret, http: newPoster(opt.Client, u.Host), now: opt.Now}
	if w.now == nil {
		w.now = time.Now
	}
	if opt.SecretFile != "" {
		if w.secret, err = readSecret("webhook: secret_file", opt.SecretFile); err != nil {
			return nil, err
		}
	}
	return w, nil
}

func (w *Webhook) Name() string { return w.name }

// Send posts one message.
func (w *Webhook) Send(ctx context.Context, m Message) error {
	body := m.Payload()
	now := w.now()
	stamp := strconv.FormatInt(now.Unix(), 10)
	head := http.Header{
		"Content-Type":            {"application/json"},
		"User-Agent":              {"boardwatchd"},
		"Idempotency-Key":         {m.key()},
		"X-Boardwatchd-Timestamp": {stamp},
	}
	if w.secret != "" {
		head.Set("X-Boardwatchd-Signature", "sha256="+sign(w.secret, stamp, body))
	}
	a, err := w.http.post(ctx, w.url, head, body)
	if err != nil {
		return err
	}
	return w.http.verdict(a, "", now)
}

func sign(secret, stamp string, body []byte) string {
	h := hmac.New(sha256.New, []byte(secret))
	h.Write([]byte(stamp + "."))
	h.Write(body)
	return hex.EncodeToString(h.Sum(nil))
}
