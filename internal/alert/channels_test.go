package alert_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"boardwatchd/internal/alert"
	"boardwatchd/internal/alert/alerttest"
	"boardwatchd/internal/sharedtest"
)

func send(t *testing.T, ch alert.Channel, m alert.Message) error {
	t.Helper()
	return ch.Send(sharedtest.Context(t), m)
}

func TestNtfyMessage(t *testing.T) {
	r := alerttest.NewReceiver(t)
	ch, err := alert.NewNtfy("hall", alert.NtfyOptions{URL: r.URL + "/sub/arbiters", TokenFile: secretFile(t, "tk_1")})
	if err != nil {
		t.Fatal(err)
	}
	full := alerttest.Message(1)
	full.Body = "Illegal knight move (3.6)"
	closed := alerttest.Message(2)
	closed.State, closed.Closed, closed.Priority, closed.Title, closed.AckURL = alert.Decided, true, 2, "Board 12: decided", ""
	for _, c := range []struct {
		claim string
		m     alert.Message
		want  string
	}{
		{
			"the wording look says nothing more", alerttest.Message(1),
			`{"topic":"arbiters","title":"Board 12: please look","message":"12","priority":4,"click":"http://192.0.2.7:8160/#/b/12","actions":[` +
				`{"action":"http","label":"On my way","url":"http://192.0.2.7:8160/ack/s3cr3t-t0k3n-0f-th3-butt0n","method":"POST","clear":true},` +
				`{"action":"view","label":"Open","url":"http://192.0.2.7:8160/#/b/12"}],"sequence_id":"q3Rt_0-aZ"}`,
		},
		{
			"the wording full names the offence", full,
			`{"topic":"arbiters","title":"Board 12: please look","message":"Illegal knight move (3.6)","priority":4,"click":"http://192.0.2.7:8160/#/b/12","actions":[` +
				`{"action":"http","label":"On my way","url":"http://192.0.2.7:8160/ack/s3cr3t-t0k3n-0f-th3-butt0n","method":"POST","clear":true},` +
				`{"action":"view","label":"Open","url":"http://192.0.2.7:8160/#/b/12"}],"sequence_id":"q3Rt_0-aZ"}`,
		},
		{
			"a closed alert has no buttons and makes no sound", closed,
			`{"topic":"arbiters","title":"Board 12: decided","message":"12","priority":2,"click":"http://192.0.2.7:8160/#/b/12","sequence_id":"q3Rt_0-aZ"}`,
		},
	} {
		if err := send(t, ch, c.m); err != nil {
			t.Fatal(err)
		}
		got := r.Take()[0]
		if body := strings.TrimSpace(string(got.Body)); body != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.claim, body, c.want)
		}
		if got.Path != "/sub/" || got.Header.Get("Authorization") != "Bearer tk_1" {
			t.Errorf("posted to %s with %q", got.Path, got.Header.Get("Authorization"))
		}
	}
}

func TestNtfyKeepsWithinTheServersLimit(t *testing.T) {
	r := alerttest.NewReceiver(t)
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	ch, err := alert.NewNtfy("hall", alert.NtfyOptions{URL: r.URL + "/t", Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	var tmp *alert.Temporary
	for range 100 {
		if err = send(t, ch, alerttest.Message(1)); err != nil {
			break
		}
	}
	if n := len(r.Take()); n != 30 || !errors.As(err, &tmp) || !errors.Is(err, alert.ErrPaced) || tmp.After <= 0 || tmp.After > 5*time.Second {
		t.Fatalf("%d requests at once, then %v", n, err)
	}
	for range 10 {
		now = now.Add(tmp.After)
		if err := send(t, ch, alerttest.Message(1)); err != nil {
			t.Fatal(err)
		}
		err := send(t, ch, alerttest.Message(1))
		if !errors.As(err, &tmp) || tmp.After < 4*time.Second {
			t.Fatalf("the next at once: %v", err)
		}
	}
	if n := len(r.Take()); n != 10 {
		t.Errorf("%d requests in 50 s", n)
	}
}

func TestNtfySaysTheServersNumber(t *testing.T) {
	r := alerttest.NewReceiver(t)
	ch, err := alert.NewNtfy("hall", alert.NtfyOptions{URL: r.URL + "/t"})
	if err != nil {
		t.Fatal(err)
	}
	r.Answer(alerttest.Answer{Status: 403, Body: `{"code":40301,"http":403,"error":"forbidden","link":"https://example.org"}`})
	if err := send(t, ch, alerttest.Message(1)); err == nil || !strings.Contains(err.Error(), "403, code 40301: the token") {
		t.Errorf("%v", err)
	}
	r.Answer(alerttest.Answer{Status: 429, Body: `{"code":42901}`}) // a real server has no Retry-After
	var tmp *alert.Temporary
	if err := send(t, ch, alerttest.Message(1)); !errors.As(err, &tmp) || tmp.After != 5*time.Second {
		t.Errorf("%v", err)
	}
}

func TestAddressesThatCannotBe(t *testing.T) {
	for _, bad := range []string{
		"", "x", "ftp://example.org/t", "https://", "https://example.org", "https://example.org/", "https://example.org/a b", "https://example.org/t?x=1",
		"https://u:p@example.org/t", "https://example.org/t#x", "https://example.org/" + strings.Repeat("t", 65), "https://exa mple.org/t", "\x00",
	} {
		if _, err := alert.NewNtfy("n", alert.NtfyOptions{URL: bad}); err == nil || strings.Contains(err.Error(), "u:p") {
			t.Errorf("ntfy %q: %v", bad, err)
		}
	}
	for _, bad := range []string{"", "x", "file:///etc/passwd", "https://u:p@example.org/t", "https://example.org/#x"} {
		if _, err := alert.NewWebhook("w", alert.WebhookOptions{URL: bad}); err == nil || strings.Contains(err.Error(), "u:p") {
			t.Errorf("webhook %q: %v", bad, err)
		}
	}
	for claim, text := range map[string]string{"empty": "", "two lines": "a\nb", "not ASCII": "ü", "too long": strings.Repeat("a", 5000)} {
		if _, err := alert.NewWebhook("w", alert.WebhookOptions{URL: "https://example.org/", SecretFile: secretFile(t, text)}); err == nil {
			t.Errorf("a secret that is %s is taken", claim)
		} else if text != "" && strings.Contains(err.Error(), text) {
			t.Errorf("the error holds the secret: %v", err)
		}
	}
	if _, err := alert.NewNtfy("n", alert.NtfyOptions{URL: "https://example.org/t", TokenFile: filepath.Join(t.TempDir(), "none")}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a token file that is not there: %v", err)
	}
}

func TestWebhookIsSigned(t *testing.T) {
	r := alerttest.NewReceiver(t)
	now := time.Unix(1_800_000_000, 0)
	ch, err := alert.NewWebhook("office", alert.WebhookOptions{URL: r.URL + "/h", SecretFile: secretFile(t, "the secret"), Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	if err := send(t, ch, alerttest.Message(3)); err != nil {
		t.Fatal(err)
	}
	got := r.Take()[0]
	h := hmac.New(sha256.New, []byte("the secret"))
	h.Write([]byte("1800000000." + string(got.Body)))
	for name, want := range map[string]string{
		"Idempotency-Key": "12-r1~12~961~.illegal.knight.3", "X-Boardwatchd-Timestamp": "1800000000",
		"X-Boardwatchd-Signature": "sha256=" + hex.EncodeToString(h.Sum(nil)), "Content-Type": "application/json",
	} {
		if have := got.Header.Get(name); have != want {
			t.Errorf("%s is %q, want %q", name, have, want)
		}
	}
	var body struct {
		ID      string          `json:"id"`
		Version int             `json:"version"`
		Finding json.RawMessage `json:"finding"`
		Ruling  json.RawMessage `json:"ruling"`
		Raised  int64           `json:"raised_ms"`
	}
	if err := json.Unmarshal(got.Body, &body); err != nil || body.Version != 3 || string(body.Ruling) != `{"type":"ruling"}` || body.Raised == 0 {
		t.Errorf("%v: %s", err, got.Body)
	}
}

func TestWebhookFollowsWithinTheHost(t *testing.T) {
	r := alerttest.NewReceiver(t)
	ch, err := alert.NewWebhook("office", alert.WebhookOptions{URL: r.URL + "/old"})
	if err != nil {
		t.Fatal(err)
	}
	r.Answer(alerttest.Answer{Status: 308, Header: http.Header{"Location": {"/new"}}})
	if err := send(t, ch, alerttest.Message(1)); err != nil {
		t.Fatal(err)
	}
	got := r.Take()
	if len(got) != 2 || got[1].Path != "/new" || got[1].Method != http.MethodPost || string(got[1].Body) != string(got[0].Body) {
		t.Errorf("%d requests, the last to %s", len(got), got[len(got)-1].Path)
	}
}

// script writes a program for the shell.
func script(t *testing.T, text string) []string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the command channel is tested with a shell, which this system has not")
	}
	path := filepath.Join(t.TempDir(), "told")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return []string{path}
}

func command(t *testing.T, timeout time.Duration, words ...string) *alert.Command {
	t.Helper()
	ch, err := alert.NewCommand("sms", alert.CommandOptions{Command: words, Timeout: timeout})
	if err != nil {
		t.Fatal(err)
	}
	return ch
}

func TestCommandGetsTheMessage(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	t.Setenv("SECRET_OF_THE_DAEMON", "x")
	words := append(script(t, `cat > "$1"; echo >> "$1"; env | grep -e BOARDWATCHD -e SECRET | sort >> "$1"; echo "$2" >> "$1"`), out, "$(touch nothing); *")
	m := alerttest.Message(2)
	m.Board = "12\nBOARDWATCHD_URL=evil\x00"
	if err := send(t, command(t, sharedtest.Patience(t), words...), m); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	if !json.Valid([]byte(lines[0])) || !strings.Contains(lines[0], `"version":2`) {
		t.Errorf("standard input: %s", lines[0])
	}
	for _, want := range []string{"BOARDWATCHD_BOARD=12 BOARDWATCHD_URL=evil", "BOARDWATCHD_VERSION=2", "BOARDWATCHD_STATE=open", "$(touch nothing); *"} {
		if !strings.Contains("\n"+strings.Join(lines, "\n")+"\n", "\n"+want+"\n") {
			t.Errorf("%q is missing in %q", want, lines)
		}
	}
	if strings.Contains(string(text), "SECRET") {
		t.Error("the command sees the daemon's environment")
	}
}

func TestCommandEnds(t *testing.T) {
	for _, c := range []struct {
		claim, script string
		again, ok     bool
		words         string
	}{
		{"well", "exit 0", false, true, ""},
		{"well without reading", "exec 0<&-; exit 0", false, true, ""},
		{"for now", "echo no network >&2; exit 75", true, false, "no network"},
		{"badly", "echo first; echo wrong number >&2; exit 3", false, false, "exit status 3: wrong number"},
		{"with a flood", "yes 0123456789 | head -c 10000000; echo; echo the end; exit 1", false, false, "the end"},
		{"by a signal", "kill -9 $$", false, false, "killed"},
		{"and leaves something behind", "sleep 60 & exit 0", false, true, ""},
		{"never", "sleep 60", true, false, "did not end in time"},
		{"never, with children", "sleep 60 & sleep 60 & wait", true, false, "did not end in time"},
		{"and tells its secret", `echo "$BOARDWATCHD_ACK_URL" >&2; exit 1`, false, false, "exit status 1: …"},
	} {
		t.Run(c.claim, func(t *testing.T) {
			begun, limit := time.Now(), sharedtest.Patience(t)
			if strings.HasPrefix(c.claim, "never") {
				limit = 300 * time.Millisecond
			}
			err := send(t, command(t, limit, script(t, c.script)...), alerttest.Message(1))
			var tmp *alert.Temporary
			if again := errors.As(err, &tmp); (err == nil) != c.ok || again != c.again {
				t.Errorf("%v; again %t, want %t", err, again, c.again)
			}
			if err != nil && (!strings.Contains(err.Error(), c.words) || len(err.Error()) > 400) {
				t.Errorf("the error is %q, want %q in it", err, c.words)
			}
			if took := time.Since(begun); took > 50*time.Second { // a program that sleeps for 60 s is not waited for
				t.Errorf("it took %v", took)
			}
		})
	}
}

// until waits for a real process or socket.
func until(t *testing.T, what string, holds func() bool) {
	t.Helper()
	sharedtest.Until(t, what, holds)
}

func TestCommandThatIsKilledTakesItsChildrenAlong(t *testing.T) {
	r := alerttest.NewReceiver(t)
	r.Answer(alerttest.Answer{Hang: true}, alerttest.Answer{Hang: true})
	helper, err := alerttest.HelperCommand(r.URL)
	if err != nil {
		t.Fatal(err)
	}
	ch := command(t, time.Minute, append(script(t, `"$@" </dev/null & "$@" </dev/null & wait`), helper...)...)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- ch.Send(ctx, alerttest.Message(1)) }()
	until(t, "two children post", func() bool { return r.Hanging() == 2 })
	cancel()
	if err := <-done; err == nil {
		t.Error("what was broken off counts as told")
	}
	until(t, "both children are gone", func() bool { return r.Hanging() == 0 })
}

func TestCommandsThatCannotBe(t *testing.T) {
	for _, words := range [][]string{nil, {""}, {"/no/such/program"}, {t.TempDir()}} {
		if _, err := alert.NewCommand("sms", alert.CommandOptions{Command: words}); err == nil {
			t.Errorf("%q is taken", words)
		}
	}
}
