package trust

import (
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"boardwatchd/rules/words"
)

// A harness is an authority in a directory of its own, with a clock that is set by hand.
type harness struct {
	*Authority
	t    testing.TB
	dir  string
	time time.Time
}

var (
	someNames = []string{"Hall.local.", "arbiter.chess.example.org"}
	someIPs   = []net.IP{net.IPv4(192, 168, 1, 10), net.ParseIP("fe80::1")}
)

func newHarness(t testing.TB) *harness {
	h := &harness{t: t, dir: filepath.Join(t.TempDir(), "tls"), time: time.Date(2026, 11, 21, 14, 0, 0, 0, time.UTC)}
	h.open()
	return h
}

func (h *harness) now() time.Time { return h.time }

func (h *harness) open() {
	h.t.Helper()
	a, err := Open(h.dir, someNames, someIPs, h.now)
	if err != nil {
		h.t.Fatal(err)
	}
	h.Authority = a
}

func (h *harness) served() *x509.Certificate {
	h.t.Helper()
	c, err := h.Certificate(nil)
	if err != nil {
		h.t.Fatal(err)
	}
	return c.Leaf
}

// trusts returns an error unless a phone with this root accepts the certificate for a host.
func (h *harness) trusts(root []byte, c *x509.Certificate, host string) error {
	h.t.Helper()
	ca, err := x509.ParseCertificate(root)
	if err != nil {
		h.t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(ca)
	_, err = c.Verify(x509.VerifyOptions{DNSName: host, Roots: pool, CurrentTime: h.time})
	return err
}

// forge signs certificates that the program never would, as a thief of the key could.
func (h *harness) forge(c x509.Certificate) *x509.Certificate {
	h.t.Helper()
	key, err := newKey()
	if err != nil {
		h.t.Fatal(err)
	}
	c.Subject, c.NotBefore, c.NotAfter = pkix.Name{CommonName: "forged"}, h.time.Add(-day), h.time.Add(day)
	cert, err := sign(&c, h.ca, &key.PublicKey, h.key)
	if err != nil {
		h.t.Fatal(err)
	}
	return cert
}

func TestPhoneTakesTheEventsNamesAndNoOthers(t *testing.T) {
	h := newHarness(t)
	for _, host := range []string{"hall.local", "arbiter.chess.example.org", "192.168.1.10", "fe80::1", "localhost", "127.0.0.1", "::1"} {
		if err := h.trusts(h.CA(), h.served(), host); err != nil {
			t.Errorf("%s: %v", host, err)
		}
	}
	for _, host := range []string{"other.local", "192.168.1.11", "www.example.com", "example.org"} {
		if h.trusts(h.CA(), h.served(), host) == nil {
			t.Errorf("%s is taken", host)
		}
	}
}

func TestStolenKeyIsWorthNothingOutsideTheEvent(t *testing.T) {
	h := newHarness(t)
	for host, permitted := range map[string]bool{
		"printer.local": true, "a.b.lan": true, "x.home.arpa": true, "arbiter.chess.example.org": true,
		"www.example.com": false, "example.org": false, "chess.example.org": false, "notlocal": false, "local.example.com": false,
		"xlocal.com": false, "home.arpa.example": false, "arpa": false,
	} {
		err := h.trusts(h.CA(), h.forge(x509.Certificate{DNSNames: []string{host}}), host)
		if permitted != (err == nil) {
			t.Errorf("%s: %v", host, err)
		}
		var invalid x509.CertificateInvalidError
		if !permitted && (!errors.As(err, &invalid) || invalid.Reason != x509.CANotAuthorizedForThisName) {
			t.Errorf("%s is refused for another reason: %v", host, err)
		}
	}
	for ip, permitted := range map[string]bool{
		"10.1.2.3": true, "172.31.255.255": true, "192.168.7.7": true, "169.254.3.3": true, "100.64.0.1": true, "127.9.9.9": true,
		"fd00::1": true, "fe80::99": true, "::1": true,
		"8.8.8.8": false, "172.32.0.1": false, "100.128.0.1": false, "192.169.0.1": false, "2001:db8::1": false, "::2": false,
	} {
		err := h.trusts(h.CA(), h.forge(x509.Certificate{IPAddresses: []net.IP{net.ParseIP(ip)}}), ip)
		if permitted != (err == nil) {
			t.Errorf("%s: %v", ip, err)
		}
	}
	both := h.forge(x509.Certificate{DNSNames: []string{"hall.local", "www.example.com"}})
	if h.trusts(h.CA(), both, "hall.local") == nil {
		t.Error("a good name takes a bad one along")
	}
	mail := h.forge(x509.Certificate{DNSNames: []string{"hall.local"}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageEmailProtection}})
	pool := x509.NewCertPool()
	pool.AddCert(h.ca)
	use := []x509.ExtKeyUsage{x509.ExtKeyUsageEmailProtection}
	if _, err := mail.Verify(x509.VerifyOptions{Roots: pool, CurrentTime: h.time, KeyUsages: use}); err == nil {
		t.Error("it may sign for mail")
	}
}

func TestNoFurtherAuthorityBelowIt(t *testing.T) {
	h := newHarness(t)
	key, err := newKey()
	if err != nil {
		t.Fatal(err)
	}
	wanted := &x509.Certificate{
		Subject: pkix.Name{CommonName: "sub"}, NotBefore: h.time.Add(-day), NotAfter: h.time.Add(day),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	sub, err := sign(wanted, h.ca, &key.PublicKey, h.key)
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := sign(&x509.Certificate{DNSNames: []string{"hall.local"}, NotBefore: h.time.Add(-day), NotAfter: h.time.Add(day)}, sub, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	roots, between := x509.NewCertPool(), x509.NewCertPool()
	roots.AddCert(h.ca)
	between.AddCert(sub)
	if _, err := leaf.Verify(x509.VerifyOptions{Roots: roots, Intermediates: between, CurrentTime: h.time, DNSName: "hall.local"}); err == nil {
		t.Error("taken")
	}
}

func TestAuthorityIsAsItIsDescribed(t *testing.T) {
	h := newHarness(t)
	ca := h.ca
	if !regexp.MustCompile(`^boardwatchd hall [0-9A-F]{8}$`).MatchString(h.Name()) {
		t.Errorf("name %q", h.Name())
	}
	if !ca.IsCA || ca.MaxPathLen != 0 || !ca.MaxPathLenZero || !ca.PermittedDNSDomainsCritical {
		t.Errorf("constraints: %+v", ca)
	}
	if want := "local lan home.arpa localhost arbiter.chess.example.org"; strings.Join(ca.PermittedDNSDomains, " ") != want {
		t.Errorf("permitted: %v", ca.PermittedDNSDomains)
	}
	if !h.Expires().Equal(h.time.Add(caLife)) || !ca.NotBefore.Before(h.time) {
		t.Errorf("valid %v to %v", ca.NotBefore, h.Expires())
	}
	if !regexp.MustCompile(`^([0-9A-F]{2}:){31}[0-9A-F]{2}$`).MatchString(h.Fingerprint()) {
		t.Errorf("fingerprint %q", h.Fingerprint())
	}
	leaf := h.served()
	if leaf.IsCA || leaf.NotAfter.Sub(leaf.NotBefore) > leafLife || leaf.PublicKey == ca.PublicKey {
		t.Errorf("leaf: %v to %v", leaf.NotBefore, leaf.NotAfter)
	}
}

func TestBrowserShakesHands(t *testing.T) {
	h := newHarness(t)
	pool := x509.NewCertPool()
	pool.AddCert(h.ca)
	for _, host := range []string{"hall.local", "192.168.1.10"} {
		a, b := net.Pipe()
		server := tls.Server(a, &tls.Config{GetCertificate: h.Certificate})
		client := tls.Client(b, &tls.Config{RootCAs: pool, ServerName: host, Time: h.now})
		done := make(chan error, 1)
		go func() { done <- server.Handshake() }()
		if err := client.Handshake(); err != nil {
			t.Errorf("%s: %v", host, err)
		}
		a.Close()
		b.Close()
		<-done
	}
}

func TestRestartKeepsTheAuthority(t *testing.T) {
	h := newHarness(t)
	before := h.Fingerprint()
	for name, want := range map[string]os.FileMode{".": 0o700, keyFile: 0o600, caFile: 0o600} {
		info, err := os.Stat(filepath.Join(h.dir, name))
		if err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v %v", name, info.Mode(), err)
		}
	}
	if err := os.Chmod(filepath.Join(h.dir, keyFile), 0o644); err != nil {
		t.Fatal(err)
	}
	h.open()
	if h.Fingerprint() != before || !h.Warning().IsZero() {
		t.Errorf("another authority, or %q", h.Warning())
	}
	if info, _ := os.Stat(filepath.Join(h.dir, keyFile)); info.Mode().Perm() != 0o600 {
		t.Error("others may read the key")
	}
	// A power cut happened after the key was written and before the certificate was.
	if err := os.Remove(filepath.Join(h.dir, caFile)); err != nil {
		t.Fatal(err)
	}
	h.open()
	if err := h.trusts(h.CA(), h.served(), "hall.local"); err != nil {
		t.Error(err)
	}
}

func TestEachInstallationHasItsOwn(t *testing.T) {
	a, b := newHarness(t), newHarness(t)
	if a.Name() == b.Name() || a.trusts(a.CA(), b.served(), "hall.local") == nil {
		t.Error("two installations trust each other")
	}
}

func TestRenewedAuthorityOverlapsWithTheOldOne(t *testing.T) {
	h := newHarness(t)
	old, name := h.CA(), h.Name()
	h.time = h.time.Add(caLife - renewAhead - time.Hour)
	h.open()
	if string(h.CA()) != string(old) || !h.Warning().IsZero() {
		t.Fatalf("renewed too early: %q", h.Warning())
	}
	h.time = h.time.Add(2 * time.Hour)
	if !says(h.Warning(), "notice.ca_ends") {
		t.Errorf("before the restart: %q", h.Warning())
	}
	for range 2 { // the pending work is still known after another start
		h.open()
		if string(h.CA()) == string(old) || h.Name() != name || !says(h.Warning(), "notice.ca_renewed") || !says(h.Warning(), "2027-11-21") {
			t.Errorf("renewed: %q, %q", h.Name(), h.Warning())
		}
		for which, root := range map[string][]byte{"old": old, "new": h.CA()} {
			if err := h.trusts(root, h.served(), "192.168.1.10"); err != nil {
				t.Errorf("a phone with the %s one: %v", which, err)
			}
		}
	}
	h.time = h.time.Add(renewAhead)
	if !says(h.Warning(), "notice.ca_renewed_over") || h.trusts(old, h.served(), "hall.local") == nil {
		t.Errorf("after its end: %q", h.Warning())
	}
	if err := h.trusts(h.CA(), h.served(), "hall.local"); err != nil {
		t.Error(err)
	}
	h.time = h.time.Add(renewAhead)
	if !h.Warning().IsZero() {
		t.Errorf("two months later: %q", h.Warning())
	}
}

func TestServerThatRunsForYears(t *testing.T) {
	h := newHarness(t)
	leaves := map[string]bool{}
	for range 800 {
		h.time = h.time.Add(day)
		leaf := h.served()
		leaves[string(leaf.Raw)] = true
		if err := h.trusts(h.CA(), leaf, "hall.local"); err != nil {
			t.Fatalf("%v: %v", h.time, err)
		}
		if left := leaf.NotAfter.Sub(h.time); left < renewAhead && !leaf.NotAfter.Equal(h.Expires()) {
			t.Fatalf("%v: only %v left", h.time, left)
		}
	}
	if n := len(leaves); n < 10 || n > 18 {
		t.Errorf("%d certificates in 800 days", n)
	}
}

func TestAddressesOfNow(t *testing.T) {
	h := newHarness(t)
	first := h.served()
	h.Update(someNames, someIPs)
	if h.served() != first {
		t.Error("the same addresses made another certificate")
	}
	h.Update([]string{"pi.local", "www.example.com", "pi", "bad_name.local", ""}, []net.IP{net.IPv4(10, 0, 0, 7), net.IPv4(8, 8, 8, 8)})
	leaf := h.served()
	if want := "localhost pi.local"; strings.Join(leaf.DNSNames, " ") != want {
		t.Errorf("names %v", leaf.DNSNames)
	}
	if err := h.trusts(h.CA(), leaf, "10.0.0.7"); err != nil {
		t.Error(err)
	}
	if w := h.Warning(); !says(w, "notice.ca_left") || !says(w, "www.example.com, pi, bad_name.local, 8.8.8.8") {
		t.Errorf("warning %+v", w)
	}
	h.Update(someNames, someIPs)
	if w := h.Warning(); !w.IsZero() {
		t.Errorf("warning %+v", w)
	}
}

func TestDamagedFilesAreSaidAndLeftAlone(t *testing.T) {
	other := newHarness(t)
	for name, row := range map[string]struct {
		file string
		edit func(string) string
	}{
		"key cut off":              {keyFile, func(s string) string { return s[:100] }},
		"key of NUL bytes":         {keyFile, func(s string) string { return strings.Repeat("\x00", len(s)) }},
		"key is missing":           {keyFile, nil},
		"key of another authority": {keyFile, func(string) string { return contents(t, other, keyFile) }},
		"certificate in its place": {keyFile, func(string) string { return contents(t, other, caFile) }},
		"certificate empty":        {caFile, func(string) string { return "" }},
		"certificate cut off":      {caFile, func(s string) string { return s[:300] }},
		"certificate of another":   {caFile, func(string) string { return contents(t, other, caFile) }},
		"certificate and more":     {caFile, func(s string) string { return s + s + s }},
		"certificate not of an authority": {caFile, func(string) string {
			return string(pemCertificate(other.served().Raw))
		}},
		"certificate with a flipped bit": {caFile, func(s string) string {
			ca, _ := parseCA([]byte(s))
			raw := []byte(string(ca[0].Raw))
			raw[len(raw)-1] ^= 1
			return string(pemCertificate(raw))
		}},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHarness(t)
			path := filepath.Join(h.dir, row.file)
			if row.edit == nil {
				if err := os.Remove(path); err != nil {
					t.Fatal(err)
				}
			} else if err := os.WriteFile(path, []byte(row.edit(contents(t, h, row.file))), 0o600); err != nil {
				t.Fatal(err)
			}
			key, ca := maybe(h, keyFile), maybe(h, caFile)
			_, err := Open(h.dir, nil, nil, h.now)
			var damaged *Damaged
			if !errors.As(err, &damaged) || !strings.Contains(err.Error(), "delete both and start again") {
				t.Errorf("got %v", err)
			}
			if maybe(h, keyFile) != key || maybe(h, caFile) != ca {
				t.Error("a file was changed")
			}
		})
	}
}

func contents(t *testing.T, h *harness, name string) string {
	t.Helper()
	body, err := os.ReadFile(filepath.Join(h.dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

func maybe(h *harness, name string) string {
	body, _ := os.ReadFile(filepath.Join(h.dir, name))
	return string(body)
}

func TestClocks(t *testing.T) {
	if _, err := Open(t.TempDir(), nil, nil, func() time.Time { return time.Unix(100, 0) }); !errors.Is(err, ErrClock) {
		t.Errorf("1970: %v", err)
	}
	h := newHarness(t)
	h.time = h.time.Add(-100 * day)
	before := h.Fingerprint()
	if h.open(); h.Fingerprint() != before || !says(h.Warning(), "notice.ca_early") || !says(h.Warning(), "2026-11-21") {
		t.Errorf("put back: %q", h.Warning())
	}
}

func TestProfileForPhones(t *testing.T) {
	h := newHarness(t)
	var plist struct {
		Dict struct {
			Date  string `xml:"date"`
			Array struct {
				Dict struct {
					Strings []string `xml:"string"`
					Data    string   `xml:"data"`
				} `xml:"dict"`
			} `xml:"array"`
		} `xml:"dict"`
	}
	if err := xml.Unmarshal(h.MobileConfig(), &plist); err != nil {
		t.Fatal(err)
	}
	der, err := base64.StdEncoding.DecodeString(plist.Dict.Array.Dict.Data)
	if err != nil || string(der) != string(h.CA()) {
		t.Errorf("not the authority: %v", err)
	}
	if s := plist.Dict.Array.Dict.Strings; s[0] != "com.apple.security.root" || s[3] != h.Name() {
		t.Errorf("payload %q", s)
	}
	if plist.Dict.Date != "2027-11-21T14:00:00Z" {
		t.Errorf("removed %q", plist.Dict.Date)
	}
	if first, second := h.MobileConfig(), h.MobileConfig(); string(first) != string(second) {
		t.Error("another one each time: phones would keep both")
	}
	h.ca.Subject.CommonName = "<b>&\x01"
	if err := xml.Unmarshal(h.MobileConfig(), &plist); err == nil && strings.Contains(string(h.MobileConfig()), "<b>") {
		t.Error("markup in the name")
	}
}

func TestHostNames(t *testing.T) {
	for name, want := range map[string]bool{
		"a.local": true, "localhost": true, "x-1.lan": true, "xn--bcher-kva.example": true,
		"": false, "local": false, "com": false, "*.local": false, "-a.local": false, "a..local": false, "a.local-": false, "192.168.1.1": false,
		"1.2": false, "a_b.local": false, "ä.local": false, "a.local/x": false, "a b.local": false, strings.Repeat("a", 64) + ".local": false,
		strings.Repeat("a.", 126) + "lan": false,
	} {
		if isHost(name) != want {
			t.Errorf("%q: %v", name, !want)
		}
	}
}

func BenchmarkCertificate(b *testing.B) {
	h := newHarness(b)
	b.Run("served", func(b *testing.B) {
		for b.Loop() {
			h.served()
		}
	})
	b.Run("made", func(b *testing.B) {
		for b.Loop() {
			h.leaf = nil
			h.served()
		}
	})
}

func FuzzAuthorityFile(f *testing.F) {
	h := newHarness(f)
	body, err := os.ReadFile(filepath.Join(h.dir, caFile))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(body)
	f.Add(append(body, body...))
	f.Add([]byte("-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n"))
	f.Fuzz(func(t *testing.T, body []byte) {
		certs, err := parseCA(body)
		if (err == nil) != (len(certs) == 1 || len(certs) == 2) {
			t.Fatalf("%d certificates, %v", len(certs), err)
		}
		for _, c := range certs {
			if !c.IsCA || !c.PermittedDNSDomainsCritical {
				t.Fatal("an authority without limits was taken")
			}
		}
	})
}

// says reports whether a sentence has something in it: the key of a text, or what is put in.
func says(s words.Sentence, what string) bool {
	return s.Key == what || strings.Contains(s.Text, what) || slices.ContainsFunc(s.Args, func(a words.Sentence) bool { return says(a, what) })
}

// TestReload: an authority that was put into the directory is in use at once, for the names of now.
func TestReload(t *testing.T) {
	other, h := newHarness(t), newHarness(t)
	h.served()
	h.Update([]string{"other.local"}, nil)
	for _, name := range []string{keyFile, caFile} {
		body, err := os.ReadFile(filepath.Join(other.dir, name))
		if err == nil {
			err = os.WriteFile(filepath.Join(h.dir, name), body, mode)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := h.Reload(); err != nil || h.Fingerprint() != other.Fingerprint() {
		t.Fatalf("%v; %s, want %s", err, h.Fingerprint(), other.Fingerprint())
	}
	if leaf := h.served(); leaf.CheckSignatureFrom(other.ca) != nil || !slices.Contains(leaf.DNSNames, "other.local") {
		t.Errorf("it serves %v", leaf.DNSNames)
	}
	if err := os.Remove(filepath.Join(h.dir, keyFile)); err != nil {
		t.Fatal(err)
	}
	if err := h.Reload(); err == nil || h.Fingerprint() != other.Fingerprint() {
		t.Errorf("a directory that cannot be used: %v; %s", err, h.Fingerprint())
	}
}
