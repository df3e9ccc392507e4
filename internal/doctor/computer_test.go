package doctor

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"boardwatchd/internal/config"
)

// onLoopback returns this computer's own sources for the network, on loopback, and those of the good computer for the
// rest.
func onLoopback(t *testing.T, listen string) (Computer, Subject) {
	c, s := goodComputer(t)
	here := ThisComputer()
	c.Listen, c.Dial, c.Get = here.Listen, here.Dial, here.Get
	s.Config.HTTP.Listen, s.Config.HTTP.Secure = listen, config.Off
	return *c, *s
}

func said(lines []Line, check, text string) (Level, bool) {
	for _, l := range lines {
		if l.Check == check && strings.Contains(l.Text, text) {
			return l.Level, true
		}
	}
	return NoLevel, false
}

func TestARunningPageIsRecognised(t *testing.T) {
	var asked []string
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.Method+" "+r.URL.Path)
		_, _ = w.Write([]byte(`{"status":"ok","boards":2}`))
	}))
	defer srv.Close()
	c, s := onLoopback(t, srv.Listener.Addr().String())
	lines := Examine(t.Context(), c, s)
	if level, ok := said(lines, "page", "boards watched: 2"); !ok || level != OK {
		t.Errorf("%+v", lines)
	}
	if want := []string{"GET /healthz", "GET /metrics"}; !slices.Equal(asked, want) {
		t.Errorf("the page was asked %q, want %q", asked, want)
	}
}

func TestAStrangerAtThePortIsNamed(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() { // sends nothing and hangs up
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			_ = conn.Close()
		}
	}()
	c, s := onLoopback(t, l.Addr().String())
	c.Root, c.PID = "", os.Getpid()
	s.Config.StateDir = t.TempDir()
	lines := Examine(t.Context(), c, s)
	if level, ok := said(lines, "page", "(process "); !ok || level != Fail {
		t.Errorf("%+v", lines)
	}
}

func TestAFreePortStaysFree(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	at := l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	c, s := onLoopback(t, at)
	if _, ok := said(Examine(t.Context(), c, s), "page", "is free"); !ok {
		t.Error("a free port is not free")
	}
	if l, err = net.Listen("tcp", at); err != nil {
		t.Fatalf("the port is still taken: %v", err)
	}
	_ = l.Close()
}

func TestThisComputerCanBeExamined(t *testing.T) {
	c := ThisComputer()
	// No name is looked up and no program is run: this test is about the sources that every computer has.
	c.Run = func(context.Context, string, ...string) (string, error) { return "", errors.New("not asked") }
	s := Subject{Config: config.Default()}
	s.Config.StateDir = t.TempDir()
	lines := Examine(t.Context(), c, s)
	if _, ok := said(lines, "state", "can be written"); !ok {
		t.Errorf("%+v", lines)
	}
	seen := map[string]bool{}
	for _, l := range lines {
		seen[l.Check] = true
	}
	for _, want := range []string{"config", "state", "boards", "clock", "page", "network", "https", "devices", "channels", "service"} {
		if !seen[want] {
			t.Errorf("%s says nothing", want)
		}
	}
	files, err := os.ReadDir(s.Config.StateDir)
	if err != nil || len(files) != 0 {
		t.Errorf("the examination left %v behind, %v", files, err)
	}
}

func TestAnEndedContextEndsTheExamination(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	c, s := goodComputer(t)
	if lines := Examine(ctx, *c, *s); len(lines) != 0 {
		t.Errorf("%d lines", len(lines))
	}
}

// authority writes a certificate authority that ends at a given time, and its key.
func authority(t *testing.T, c *Computer, until time.Time) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "x"}, NotBefore: today.AddDate(-1, 0, 0), NotAfter: until, IsCA: true}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	write(t, c, "/var/lib/games/tls/ca.crt", string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})))
	write(t, c, "/var/lib/games/tls/ca.key", "the key")
}

func TestTheAuthoritysEnd(t *testing.T) {
	for claim, want := range map[string]struct {
		until time.Time
		level Level
		text  string
	}{
		"a year to go":  {today.AddDate(0, 11, 0), OK, "valid until 2027-10-21"},
		"two weeks":     {today.AddDate(0, 0, 14), Warn, "ends on 2026-12-05"},
		"over":          {today.AddDate(0, 0, -1), Fail, "ended on 2026-11-20"},
		"not yet begun": {today.AddDate(3, 0, 0), OK, "valid until"},
	} {
		t.Run(claim, func(t *testing.T) {
			c, s := goodComputer(t)
			authority(t, c, want.until)
			if level, ok := said(Examine(t.Context(), *c, *s), "https", want.text); !ok || level != want.level {
				t.Errorf("level %s, %v", level, ok)
			}
		})
	}
	c, s := goodComputer(t)
	authority(t, c, today.AddDate(1, 0, 0))
	if err := os.Chmod(c.path("/var/lib/games/tls/ca.key"), 0o644); err != nil {
		t.Fatal(err)
	}
	if level, _ := said(Examine(t.Context(), *c, *s), "https", "ca.key can be read by others"); level != Warn {
		t.Error("a key that everybody may read is not told")
	}
}

// A report contains nothing that may be a secret: topic, path, query, token, the hashes of devices, push addresses.
func TestNoSecretIsPrinted(t *testing.T) {
	const secret = "hunter2"
	token := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(token, []byte("tk_"+secret+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for claim, answer := range map[string]error{"it answers": nil, "it does not": syscall.ECONNREFUSED} {
		t.Run(claim, func(t *testing.T) {
			c, s := goodComputer(t)
			s.Config.Alerts.Channels = []config.Channel{
				{Name: "a", Type: config.Ntfy, URL: "http://h/" + secret, TokenFile: token},
				{Name: "b", Type: config.Webhook, URL: "http://h/" + secret + "?k=" + secret, SecretFile: token},
				{Name: "c", Type: config.Command, Command: []string{"/bin/sh", "-c", secret}},
			}
			write(t, c, "/var/lib/games/devices.json", `{"devices":[{"role":"viewer","secret_sha256":"`+secret+`","push":{"endpoint":"https://`+secret+`"}}]}`)
			c.Get = func(_ context.Context, url string) (int, []byte, error) {
				if strings.Contains(url, secret) {
					t.Errorf("%s was asked for", url)
				}
				return 200, []byte(secret), answer
			}
			var b strings.Builder
			lines := Examine(t.Context(), *c, *s)
			if err := errors.Join(Text(&b, lines, Style{}), JSONL(&b, lines, Style{})); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(b.String(), secret) {
				t.Errorf("%s", b.String())
			}
			if level, ok := said(lines, "channels", "every user of this computer may read it"); !ok || level != Warn {
				t.Error("a token that everybody may read is not told")
			}
		})
	}
}

// FuzzForeignText: texts of other programs and files never cause a panic, and every line stays one clean line.
func FuzzForeignText(f *testing.F) {
	f.Add("chain input {\n type filter hook input policy drop\n tcp dport { 8160 } accept")
	f.Add(tcpTable)
	f.Add("1: FLOCK  ADVISORY  WRITE 55 fe:01:1 0 EOF")
	f.Add(`{"status":"ok","boards":1,"devices":[{"role":"arbiter"}]}`)
	f.Add("LoadState=loaded\nMemoryMax=1\nActiveState=\x1b[2J")
	f.Fuzz(func(t *testing.T, text string) {
		c, s := goodComputer(t)
		for _, name := range []string{"/proc/net/tcp", "/proc/locks", "/proc/55/comm", "/proc/55/status", "/etc/ufw/ufw.conf", "/var/lib/games/devices.json",
			"/var/lib/games/ca.crt", "/var/lib/games/a.lock", "/sys/class/rtc/rtc0/since_epoch"} {
			write(t, c, name, text)
		}
		c.Run = func(context.Context, string, ...string) (string, error) { return text, nil }
		c.Get = func(context.Context, string) (int, []byte, error) { return 200, []byte(text), nil }
		listening(syscall.EADDRINUSE)(nil, c, s)
		for _, l := range Examine(t.Context(), *c, *s) {
			if strings.ContainsAny(l.Text+l.Remedy, "\x1b\n\r\x00") || l.Level == NoLevel {
				t.Errorf("%+v", l)
			}
		}
	})
}
