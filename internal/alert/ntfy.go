package alert

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

// NtfyOptions give the address of an ntfy server.
type NtfyOptions struct {
	URL       string       // of the topic: https://ntfy.example.org/my-topic
	TokenFile string       // contains an access token; "": Token
	Token     string       // the access token itself; "": none
	Client    *http.Client // nil: one with deadlines
	Now       func() time.Time
}

// Ntfy publishes to one topic of an ntfy server (https://docs.ntfy.sh/publish/, publishing as JSON).
//
// A server since version 2.16 replaces a notification by a later one with the same sequence_id; an older one does not
// know the key and shows a second notification, which makes no sound.
type Ntfy struct {
	name  string
	base  string
	topic string
	token string
	http  poster
	now   func() time.Time

	mu     sync.Mutex
	bucket bucket
}

// topicForm matches the topics that a server accepts.
var topicForm = regexp.MustCompile(`^[-_A-Za-z0-9]{1,64}$`)

// NewNtfy checks the address and reads the token.
func NewNtfy(name string, opt NtfyOptions) (*Ntfy, error) {
	u, err := address("ntfy", opt.URL)
	if err != nil {
		return nil, err
	}
	path := strings.TrimRight(u.Path, "/")
	cut := strings.LastIndexByte(path, '/')
	if cut < 0 || u.RawQuery != "" || !topicForm.MatchString(path[cut+1:]) {
		return nil, fmt.Errorf("ntfy: the address ends with the topic, letters, digits, - and _: https://ntfy.example.org/my-topic")
	}
	base := url.URL{Scheme: u.Scheme, Host: u.Host, Path: path[:cut+1]}
	n := &Ntfy{name: name, base: base.String(), topic: path[cut+1:], http: newPoster(opt.Client, u.Host), token: opt.Token, now: opt.Now}
	if n.now == nil {
		n.now = time.Now
	}
	n.bucket = bucket{tokens: ntfyBurst, at: n.now()}
	if opt.TokenFile != "" {
		if n.token, err = readSecret("ntfy: token_file", opt.TokenFile); err != nil {
			return nil, err
		}
	}
	return n, nil
}

// The limits of a public server, all requests counted (ecosystem notes, section 2): 60 at once, one more every 5 s.
// Beyond that it answers 429 without a time. Half the burst is left to other programs behind the same address.
const (
	ntfyBurst = 30
	ntfyEvery = 5 * time.Second
)

// The limits of a message: 4096 bytes, because a longer one becomes an attachment, which is not read; twice that for
// the JSON around it.
const (
	ntfyWhole   = 8000
	ntfyMessage = 3500
	ntfyTitle   = 250
	ntfyLabel   = 60
)

type ntfyBody struct {
	Topic    string       `json:"topic"`
	Title    string       `json:"title,omitempty"`
	Message  string       `json:"message"`
	Priority int          `json:"priority"`
	Click    string       `json:"click,omitempty"`
	Actions  []ntfyAction `json:"actions,omitempty"`
	Sequence string       `json:"sequence_id"`
}

type ntfyAction struct {
	Action string `json:"action"`
	Label  string `json:"label"`
	URL    string `json:"url"`
	Method string `json:"method,omitempty"`
	Clear  bool   `json:"clear,omitempty"`
}

func (n *Ntfy) Name() string { return n.name }

// Send publishes one message.
func (n *Ntfy) Send(ctx context.Context, m Message) error {
	n.mu.Lock()
	wait := n.bucket.take(n.now())
	n.mu.Unlock()
	if wait > 0 {
		return &Temporary{Err: ErrPaced, After: wait}
	}
	head := http.Header{"Content-Type": {"application/json"}}
	if n.token != "" {
		head.Set("Authorization", "Bearer "+n.token)
	}
	a, err := n.http.post(ctx, n.base, head, n.bytes(m))
	if err != nil {
		return err
	}
	err = n.http.verdict(a, ntfyCode(a), n.now())
	if a.status == http.StatusTooManyRequests {
		if t, ok := err.(*Temporary); ok {
			t.After = max(t.After, ntfyEvery)
		}
	}
	return err
}

// bytes returns the request's body; a text that does not fit because of its escapes is shortened.
func (n *Ntfy) bytes(m Message) []byte {
	body := n.body(m)
	for {
		var b bytes.Buffer
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false) // escapes would take six bytes for one
		if err := enc.Encode(body); err != nil {
			panic("alert: internal error: " + err.Error()) // only texts and numbers
		}
		if b.Len() <= ntfyWhole || len(body.Message) < 8 {
			return b.Bytes()
		}
		body.Message = cut(body.Message, len(body.Message)/2)
	}
}

func (n *Ntfy) body(m Message) ntfyBody {
	b := ntfyBody{
		Topic: n.topic, Title: clean(m.Title, ntfyTitle), Message: clean(m.Body, ntfyMessage),
		Priority: min(max(m.Priority, 1), 5), Click: m.OpenURL, Sequence: m.tag(),
	}
	if b.Message == "" { // the server would write "triggered"
		b.Message = clean(m.Board, ntfyTitle)
	}
	if b.Message == "" {
		b.Title, b.Message = "", clean(m.Title, ntfyTitle)
	}
	if m.State == Open && m.AckURL != "" {
		b.Actions = append(b.Actions, ntfyAction{
			Action: "http", Label: clean(m.AckText, ntfyLabel), URL: m.AckURL, Method: http.MethodPost, Clear: true,
		})
	}
	if m.OpenURL != "" && !m.Closed {
		b.Actions = append(b.Actions, ntfyAction{Action: "view", Label: clean(m.OpenText, ntfyLabel), URL: m.OpenURL})
	}
	return b
}

// ntfyCode returns the server's own number of an error: 40101.
func ntfyCode(a answer) string {
	var said struct {
		Code int `json:"code"`
	}
	if json.Unmarshal(a.body, &said) != nil || said.Code < 1 || said.Code > 99999 {
		return ""
	}
	return strconv.Itoa(said.Code)
}

// A bucket passes a burst and then one token at a time.
type bucket struct {
	tokens float64
	at     time.Time
}

// take takes a token, or returns the time until there is one.
func (b *bucket) take(now time.Time) time.Duration {
	if d := now.Sub(b.at); d > 0 {
		b.tokens = min(b.tokens+d.Seconds()/ntfyEvery.Seconds(), ntfyBurst)
	}
	b.at = now
	if b.tokens >= 1 {
		b.tokens--
		return 0
	}
	return time.Duration((1 - b.tokens) * float64(ntfyEvery))
}
