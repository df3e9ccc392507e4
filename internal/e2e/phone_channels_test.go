//go:build linux

package e2e

import (
	"bytes"
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"net"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"boardwatchd/internal/sharedtest"
)

// A receiver is a service at the other end of a channel. What it gets, it keeps.
type receiver struct {
	mu     sync.Mutex
	got    []posted
	status []int // to answer with, one after the other; then 200
	always int   // to answer with; 0: as status says
	heard  func(posted)
}

// posted is one request that was answered.
type posted struct {
	head   http.Header
	body   string
	status int
	at     time.Time
}

// listen begins to serve on a port of this computer.
func (r *receiver) listen(t testing.TB, port int) {
	t.Helper()
	l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		t.Fatal(err)
	}
	s := &http.Server{Handler: r}
	go func() { _ = s.Serve(l) }() // until it is closed
	t.Cleanup(func() { _ = s.Close() })
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	body, err := io.ReadAll(q.Body)
	if err != nil {
		return
	}
	r.mu.Lock()
	p := posted{q.Header, string(body), cmp.Or(r.always, http.StatusOK), time.Now()}
	if len(r.status) > 0 {
		p.status, r.status = r.status[0], r.status[1:]
	}
	r.got = append(r.got, p)
	r.mu.Unlock()
	w.WriteHeader(p.status)
	if r.heard != nil {
		r.heard(p)
	}
}

// answers sets what everything is answered with from now on; 0: 200.
func (r *receiver) answers(status int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.always = status
}

func (r *receiver) all() []posted {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.got)
}

// payload is what webhooks and commands are given.
type payload struct {
	ID, State string
	Version   int
	Closed    bool
	AckURL    string `json:"ack_url"`
	Finding   struct{ ID string }
}

func (v *venue) payload(t testing.TB, body string) (m payload) {
	t.Helper()
	if err := json.Unmarshal([]byte(body), &m); err != nil || m.ID == "" {
		t.Fatalf("no message: %v: %s", err, body)
	}
	v.ackSecret(m.AckURL)
	return m
}

func (v *venue) ackSecret(url string) {
	if _, token, ok := strings.Cut(url, "/ack/"); ok {
		v.secret("acknowledgement", token)
	}
}

// signedBy fails unless a request is signed as documented, by a key and now.
func (p posted) signedBy(t testing.TB, key string) {
	t.Helper()
	stamp := p.head.Get("X-Boardwatchd-Timestamp")
	h := hmac.New(sha256.New, []byte(key))
	fmt.Fprintf(h, "%s.%s", stamp, p.body)
	if got, want := p.head.Get("X-Boardwatchd-Signature"), "sha256="+hex.EncodeToString(h.Sum(nil)); got != want {
		t.Errorf("signature %s, want %s", got, want)
	}
	n, err := strconv.ParseInt(stamp, 10, 64)
	if off := math.Abs(time.Since(time.Unix(n, 0)).Seconds()); err != nil || off > 60 {
		t.Errorf("the time stamp is %q, %v s away", stamp, off)
	}
}

// secretFile puts a secret into a file of its own.
func (v *venue) secretFile(t testing.TB, name, text string) string {
	t.Helper()
	v.secret(name, text)
	path := v.path(name)
	if err := os.WriteFile(path, []byte(text+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// teller is a command channel that appends each message to a file.
func (v *venue) teller(t testing.TB, name string, step int) string {
	t.Helper()
	script := v.write(t, "tell.sh", "#!/bin/sh\nline=$(cat)\nprintf '%s\\n' \"$line\" >> \"$1\"\n")
	if err := os.Chmod(script, 0o755); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("    - {name: %s, type: command, step: %d, command: [%s, %s]}\n", name, step, script, v.path(name))
}

// told are the messages that a teller was given.
func (v *venue) toldTo(t testing.TB, name string) (list []payload) {
	t.Helper()
	text, err := os.ReadFile(v.path(name))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if strings.HasSuffix(line, "\n") {
			list = append(list, v.payload(t, line))
		}
	}
	return list
}

// awaitChannel waits for the state of a delivery on the page.
func (h *handset) awaitChannel(t testing.TB, finding, channel, state string, version int) {
	t.Helper()
	var last []apiAlert
	eventually(t, fmt.Sprintf("%s is %s of version %d", channel, state, version), func() bool {
		last = h.boards(t).Alerts
		for _, a := range last {
			for _, c := range a.Channels {
				if a.Finding == finding && a.Version == version && c.Channel == channel && c.State == state {
					return true
				}
			}
		}
		return false
	}, func() string { return fmt.Sprintf("%+v", last) })
}

// awaitNote waits until the journal has what became of an alert: a kill after it makes nobody forget it.
func (v *venue) awaitNote(t testing.TB, finding, channel, event string, version int) {
	t.Helper()
	said := map[string]bool{}
	eventually(t, fmt.Sprintf("the journal has %s %s version %d", channel, event, version), func() bool {
		l, err := readLedger(v.state(), journalName)
		if err != nil {
			t.Fatal(err)
		}
		return slices.ContainsFunc(l.of("instruct"), func(e entry) bool {
			var n struct {
				Do, Finding, Event, Channel string
				Version                     int
			}
			_ = json.Unmarshal([]byte(e.body), &n) // verify reports what is no JSON
			if n.Do == "alert" && n.Finding == finding {
				said[fmt.Sprintf("%s %s %d", n.Channel, n.Event, n.Version)] = true
			}
			return n.Do == "alert" && n.Finding == finding && n.Event == event && n.Channel == channel && n.Version == version
		})
	}, func() string { return strings.Join(slices.Sorted(maps.Keys(said)), ", ") })
}

// versions are what a finding's messages say, in order.
func versions(list []payload, finding string) (out []string) {
	for _, m := range list {
		if m.Finding.ID == finding {
			out = append(out, fmt.Sprintf("%d %s", m.Version, m.State))
		}
	}
	return out
}

const webhookSecret = "e2e-webhook-secret-0123456789"

// accepted are the messages that a webhook took, each signed and with its key.
func (v *venue) accepted(t testing.TB, r *receiver) (list []payload) {
	t.Helper()
	for _, p := range r.all() {
		p.signedBy(t, webhookSecret)
		m := v.payload(t, p.body)
		// The same at every attempt, another one for every version, and at home in one journal.
		if key, want := p.head.Get("Idempotency-Key"), fmt.Sprintf("%s~%s.%d", journalName, m.ID, m.Version); key != want {
			t.Errorf("Idempotency-Key %q, want %q", key, want)
		}
		if p.status == http.StatusOK {
			list = append(list, m)
		}
	}
	return list
}

// hooked is a venue with a webhook to a port at which nobody listens yet, and a command; a phone, and a finding of
// which the webhook could not tell.
func hooked(t *testing.T) (v *venue, port int, ann *handset, item apiItem) {
	t.Helper()
	v, port = newVenue(t), freePort(t)
	v.serveCase(t, fmt.Sprintf("alerts:\n  channels:\n    - {name: hook, type: webhook, url: 'http://127.0.0.1:%d/in', secret_file: %s}\n%s",
		port, v.secretFile(t, "webhook.secret", webhookSecret), v.teller(t, "lamp", 1)))
	ann = v.pair(t, "Ann")
	item = ann.awaitConfirmed(t)
	ann.awaitChannel(t, item.Finding.ID, "hook", "failed", 1)
	return v, port, ann, item
}

// TestPhoneWebhook: the receiver is away, then it stumbles, then it takes what comes. Each version arrives once, with
// the same key at every attempt; and kill -9 makes nothing come twice.
func TestPhoneWebhook(t *testing.T) {
	long(t)
	t.Parallel()
	v, port, ann, item := hooked(t)
	id := item.Finding.ID
	hook := &receiver{status: []int{http.StatusInternalServerError, http.StatusServiceUnavailable}}
	hook.listen(t, port)
	ann.awaitChannel(t, id, "hook", "sent", 1)
	if got := hook.all(); len(got) != 3 || got[0].status != 500 || got[1].status != 503 || got[2].body == "" {
		t.Errorf("%d requests, want those answered 500, 503 and 200", len(got))
	}
	ann.rule(t, item, "confirm")
	v.awaitNote(t, id, "hook", "sent", 2)
	v.awaitNote(t, id, "lamp", "sent", 2)
	v.kill()
	v.again(t)
	// Another alert comes after all that is reported again.
	another := v.another(t, ann)
	v.awaitNote(t, another, "hook", "sent", 1)
	v.awaitNote(t, another, "lamp", "sent", 1)
	for name, list := range map[string][]payload{"hook": v.accepted(t, hook), "lamp": v.toldTo(t, "lamp")} {
		if got := versions(list, id); !slices.Equal(got, []string{"1 open", "2 decided"}) {
			t.Errorf("%s was told %v", name, got)
		}
		if got := versions(list, another); !slices.Equal(got, []string{"1 open"}) {
			t.Errorf("%s was told %v of what was reported", name, got)
		}
	}
}

// another has an arbiter report something that is an alert, and returns the finding.
func (v *venue) another(t testing.TB, h *handset) (finding string) {
	t.Helper()
	before := h.state(t).Findings
	h.tell(t, report("two-hands", "black"))
	i := h.awaitItem(t, "reported finding with an alert", func(i apiItem) bool {
		return i.Alert != nil && i.Alert.Level == "now" && !slices.ContainsFunc(before, func(o apiItem) bool { return o.Finding.ID == i.Finding.ID })
	})
	return i.Finding.ID
}

// TestPhoneUnsentIsSentAfterAKill: one channel was told, the other one not, when the daemon is killed. The first is
// not told again, the second is.
func TestPhoneUnsentIsSentAfterAKill(t *testing.T) {
	long(t)
	t.Parallel()
	v, port, ann, item := hooked(t)
	id := item.Finding.ID
	v.awaitNote(t, id, "lamp", "sent", 1)
	v.kill()
	hook := &receiver{}
	hook.listen(t, port)
	v.again(t)
	v.awaitNote(t, id, "hook", "sent", 1)
	ann.rule(t, ann.item(t, id), "reject")
	v.awaitNote(t, id, "hook", "sent", 2)
	v.awaitNote(t, id, "lamp", "sent", 2)
	for name, list := range map[string][]payload{"hook": v.accepted(t, hook), "lamp": v.toldTo(t, "lamp")} {
		if got := versions(list, id); !slices.Equal(got, []string{"1 open", "2 decided"}) {
			t.Errorf("%s was told %v", name, got)
		}
	}
}

// note is what an ntfy server is sent.
type note struct {
	Topic, Title, Message string
	Sequence              string `json:"sequence_id"`
	Actions               []struct{ Action, Label, URL, Method string }
}

// button is the address that the notification's button posts to.
func (n note) button() string {
	for _, a := range n.Actions {
		if a.Action == "http" && a.Method == "POST" {
			return a.URL
		}
	}
	return ""
}

// TestPhoneNotificationButton: the button of a notification says "seen": the page shows it and nobody else is called.
// What nobody has seen goes to the second step. A button of what is decided is over, also after a kill. The button is
// pressed when the lamp was told too: whom an alert reaches only after somebody has seen it is not told at all.
func TestPhoneNotificationButton(t *testing.T) {
	long(t)
	t.Parallel()
	const token = "tk_e2e_ntfy_token_0123456789"
	v := newVenue(t)
	var mu sync.Mutex
	statuses := map[string]int{} // of the button, by sequence id: pressed by itself for the first alert only
	server := &receiver{}
	server.heard = func(p posted) {
		var n note
		if json.Unmarshal([]byte(p.body), &n) != nil || n.button() == "" {
			return
		}
		v.ackSecret(n.button())
		mu.Lock()
		defer mu.Unlock()
		if len(statuses) > 0 {
			return
		}
		for hung := sharedtest.Late(t); time.Now().Before(hung); time.Sleep(5 * time.Millisecond) {
			if said, err := os.ReadFile(v.path("lamp")); err == nil && bytes.HasSuffix(said, []byte("\n")) {
				break
			}
		}
		statuses[n.Sequence] = press(n.button(), "POST")
	}
	port := freePort(t)
	server.listen(t, port)
	v.serveCase(t, fmt.Sprintf("alerts:\n  escalate: 8s\n  channels:\n    - {name: phones, type: ntfy, url: 'http://127.0.0.1:%d/arbiters', token_file: %s}\n%s%s",
		port, v.secretFile(t, "ntfy.token", token), v.teller(t, "lamp", 1), v.teller(t, "deputy", 2)))
	ann := v.pair(t, "Ann")
	item := ann.awaitConfirmed(t)
	first := item.Finding.ID
	seen := ann.awaitItem(t, "seen alert", func(i apiItem) bool { return i.Alert != nil && i.Alert.State == "seen" })
	if seen.Alert.SeenBy == nil || *seen.Alert.SeenBy != "phones" || seen.Alert.Step != 1 {
		t.Errorf("the alert is seen by %v at step %d", seen.Alert.SeenBy, seen.Alert.Step)
	}
	second := v.another(t, ann)
	v.awaitNote(t, second, "deputy", "sent", 1)
	if got := versions(v.toldTo(t, "deputy"), first); got != nil {
		t.Errorf("the second step was told %v of what somebody has seen", got)
	}
	if b := ann.item(t, second); b.Alert.Step != 2 || b.Alert.State != "open" {
		t.Errorf("the alert that nobody has seen is %+v", b.Alert)
	}
	var notes []note
	for _, p := range server.all() {
		if got := p.head.Get("Authorization"); got != "Bearer "+token {
			t.Errorf("the server gets the authorization %q", got)
		}
		var n note
		if err := json.Unmarshal([]byte(p.body), &n); err != nil || n.Topic != "arbiters" || n.Sequence == "" {
			t.Fatalf("note %s (%v)", p.body, err)
		}
		if strings.Contains(p.body, "knight") || strings.Contains(strings.ToLower(p.body), "white") {
			t.Errorf("a locked screen shows %s", p.body)
		}
		notes = append(notes, n)
	}
	mu.Lock()
	if statuses[notes[0].Sequence] != http.StatusNoContent {
		t.Errorf("the button was answered %v", statuses)
	}
	mu.Unlock()
	button := notes[0].button()
	ann.rule(t, ann.item(t, first), "confirm")
	for _, channel := range []string{"phones", "lamp"} {
		v.awaitNote(t, first, channel, "sent", 3)
	}
	v.kill()
	v.again(t)
	for url, want := range map[string]int{button: http.StatusGone, button[:len(button)-4] + "AAAA": http.StatusNotFound} {
		if got := press(url, "POST"); got != want {
			t.Errorf("after the decision and a kill the button is answered %d, want %d", got, want)
		}
	}
	if got := press(button, "GET"); got != http.StatusMethodNotAllowed {
		t.Errorf("who opens the button's address is answered %d", got)
	}
	// The second alert is still open, its button still works, and the deputy is not called again.
	n := slices.IndexFunc(notes, func(n note) bool { return n.Sequence != notes[0].Sequence && n.button() != "" })
	if n < 0 {
		t.Fatalf("no notification of the second alert: %+v", notes)
	}
	if got := press(notes[n].button(), "POST"); got != http.StatusNoContent {
		t.Errorf("after a kill the button of an open alert is answered %d", got)
	}
	v.awaitNote(t, second, "deputy", "sent", 2)
	if got := versions(v.toldTo(t, "deputy"), second); !slices.Equal(got, []string{"1 open", "2 seen"}) {
		t.Errorf("the second step was told %v", got)
	}
	if got := versions(v.toldTo(t, "lamp"), first); !slices.Equal(got, []string{"1 open", "2 seen", "3 decided"}) && !slices.Equal(got, []string{"2 seen", "3 decided"}) {
		t.Errorf("the lamp was told %v", got)
	}
}

// press is the tap on a notification, on a phone that is not paired; 0 is no answer.
func press(url, method string) int {
	q, err := http.NewRequest(method, url, http.NoBody)
	if err != nil {
		return 0
	}
	a, err := http.DefaultClient.Do(q)
	if err != nil {
		return 0
	}
	defer a.Body.Close()
	return a.StatusCode
}
