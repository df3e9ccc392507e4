//go:build linux

package e2e

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"boardwatchd/internal/sharedtest"
)

// venue is a daemon that serves the page to handsets, and what it has to keep to itself. At its end everything that it
// wrote is looked through: no secret in a log, nothing sent to the players, every journal verifies.
type venue struct {
	place
	conf string
	*process
	url   string
	code  string // to pair the first phone; "" once it was used
	first *handset

	runs []*process
	mu   sync.Mutex
	kept map[string]string // secret → what it is

	patience time.Duration // of one request that must be answered
	phones   namespace     // where they are
}

// client is that of a phone.
func (v *venue) client() *http.Client {
	if v.phones == "" {
		return &http.Client{Transport: &http.Transport{}}
	}
	return &http.Client{Transport: &http.Transport{DialContext: v.phones.dial}}
}

// phoneSpeed is how many times as fast as life the case is played.
const phoneSpeed = 6

// phoneTiming is the timing of boards that are so fast; its silence is that of a busy computer.
var phoneTiming = fmt.Sprintf("timing: {scan: %dms, clock_lag: %dms, press_grace: %dms, latency: 20ms, settle: 0s, probe: 500ms, silence: 5s}\n",
	250/phoneSpeed, 1000/phoneSpeed, 1500/phoneSpeed)

// openVenue starts a board at which a knight is put where it may not go, and a daemon that watches it. More is added to
// the configuration; with http in it, that is for it to say in full.
func openVenue(t testing.TB, more string) *venue {
	t.Helper()
	v := newVenue(t)
	v.serveCase(t, more)
	return v
}

// serveCase is openVenue for a venue that has files already.
func (v *venue) serveCase(t testing.TB, more string) {
	t.Helper()
	board := v.place.start(t, "emulate", "--case", "knight-diagonal", "--speed", fmt.Sprint(phoneSpeed), "--link", v.path("board"))
	board.out.await(t, "/dev/pts/")
	v.configure(t, "time_control: 90+30\nboards: [{name: "+boardName+", port: "+v.path("board")+", white_clock: left}]\n"+phoneTiming+more)
	v.open(t)
}

func newVenue(t testing.TB) *venue {
	t.Helper()
	v := &venue{place: newPlace(t), kept: map[string]string{}, patience: sharedtest.Patience(t)}
	t.Cleanup(func() { v.audit(t) })
	return v
}

// configure writes the configuration, at log level debug: it is looked for secrets.
func (v *venue) configure(t testing.TB, rest string) {
	t.Helper()
	v.keep(t)
	if !strings.Contains("\n"+rest, "\nhttp:") {
		rest += fmt.Sprintf("http: {listen: '127.0.0.1:%d', secure: off}\n", freePort(t))
	}
	v.conf = v.write(t, "boardwatchd.yaml", fmt.Sprintf("round: \"1\"\nstate_dir: %s\nlog: {level: debug}\n%s", v.state(), rest))
}

// open starts the daemon and reads the invitation.
func (v *venue) open(t testing.TB) {
	t.Helper()
	v.ran(v.daemon(t, v.conf))
	v.invited(t)
}

func (v *venue) ran(p *process) {
	v.process = p
	v.runs = append(v.runs, p)
}

// invited reads the printed link and code, and waits until the boards' journals are read.
func (v *venue) invited(t testing.TB) {
	t.Helper()
	v.printed(t)
	v.read(t)
}

// printed reads the printed link and code, and opens the page once.
func (v *venue) printed(t testing.TB) {
	t.Helper()
	_, typed, _ := strings.Cut(v.out.await(t, "Pair a phone", " and type "), " and type ")
	typed, _, _ = strings.Cut(typed, ",")
	_, link, _ := strings.Cut(v.out.await(t, " open http", "/#pair="), " open ")
	var long string
	v.url, long, _ = strings.Cut(link, "/#pair=")
	v.code = long
	web := v.client()
	defer web.CloseIdleConnections()
	if r, err := web.Get(v.url); err != nil {
		t.Fatal(err)
	} else if r.Body.Close(); r.StatusCode != http.StatusOK {
		t.Fatal(r.Status)
	}
	v.secret("pairing code", typed)
	v.secret("pairing link", long)
}

// read waits until the daemon has read the boards' journals.
func (v *venue) read(t testing.TB) {
	t.Helper()
	web := v.client()
	defer web.CloseIdleConnections()
	awaitRead(t, web, v.url)
}

// awaitRead waits until the daemon has read the boards' journals: on a slow computer the page is there before that.
func awaitRead(t testing.TB, web *http.Client, url string) {
	t.Helper()
	sharedtest.Until(t, "the journals are read", func() bool {
		r, err := web.Get(url + "/healthz")
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Fatal(err)
		}
		return !strings.Contains(string(body), "reading")
	})
}

// again starts the daemon anew, on the same state; the phones that are paired go on.
func (v *venue) again(t testing.TB) {
	t.Helper()
	v.open(t)
	if v.first != nil {
		v.code = ""
	}
}

// secret notes what must not be in a log.
func (v *venue) secret(what, text string) {
	if len(text) < 8 {
		panic(fmt.Sprintf("%s %q: too short to be looked for", what, text))
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.kept[text] = what
}

// audit looks through all that the daemon has left. It runs before the processes are killed, so it kills them.
func (v *venue) audit(t testing.TB) {
	for _, p := range v.runs {
		p.kill()
	}
	v.discreet(t)
	v.closedFiles(t)
	v.journals(t)
}

// discreet fails if a secret is in a log, or one but a code for pairing on the terminal.
func (v *venue) discreet(t testing.TB) {
	t.Helper()
	logs := map[string]string{}
	for i, p := range v.runs {
		logs[fmt.Sprintf("standard error of run %d", i+1)] = p.err.String()
		logs[fmt.Sprintf("standard output of run %d", i+1)] = p.out.String()
	}
	for _, file := range v.bwj(t) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Error(err)
		}
		logs[filepath.Base(file)] = string(text)
	}
	for secret, what := range v.kept {
		for name, text := range logs {
			if strings.HasPrefix(name, "standard output") && strings.HasPrefix(what, "pairing") {
				continue // the terminal, where the arbiter reads them
			}
			if strings.Contains(text, secret) {
				n := strings.Index(text, secret)
				t.Errorf("%s has the %s: …%s…", name, what, text[max(0, n-200):min(len(text), n+len(secret)+20)])
			}
		}
	}
}

// closedFiles fails if a file with a secret can be read by somebody else.
func (v *venue) closedFiles(t testing.TB) {
	t.Helper()
	err := filepath.WalkDir(v.state(), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		switch filepath.Base(path) {
		case "devices.json", "people.json", "alert.key", "vapid.json", "ca.key", "pair.html":
			if info.Mode().Perm() != 0o600 {
				t.Errorf("%s has the mode %v", path, info.Mode())
			}
		}
		if info.Mode().Perm()&0o007 != 0 && filepath.Base(path) != "ca.crt" {
			t.Errorf("%s can be read by everybody: %v", path, info.Mode())
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// bwj are the files of the journals.
func (v *venue) bwj(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(v.state(), "*.bwj"))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// asked are the commands that a board may be sent: questions, and how it is to report (40, off, is sent to one that has
// answered nothing for long). Nothing else: no text on the clock, no beep, no light.
var asked = []string{"40", "41", "42", "43", "44", "45", "4b", "4d", "55"}

// journals fails if a journal does not verify, or if the players could see or hear anything.
func (v *venue) journals(t testing.TB) {
	t.Helper()
	for _, file := range v.bwj(t) {
		base := strings.TrimSuffix(filepath.Base(file), ".bwj")
		if strings.Contains(base, ".") {
			continue // a further segment
		}
		l, err := readLedger(v.state(), base)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		for _, e := range l.of("tx") {
			if !slices.Contains(asked, e.body) {
				t.Errorf("%s: record %d sent %s to the board", base, e.seq, e.body)
			}
		}
		if len(l.entries) == 0 {
			continue // killed before the first record
		}
		verify := v.command(context.Background(), "verify", file) // the test's own context has ended
		out, err := verify.CombinedOutput()
		status := verify.ProcessState.ExitCode()
		if status != 0 && !(status == 3 && l.torn > 0 && strings.Contains(string(out), "torn")) {
			t.Errorf("verify %s: exit status %d (%v)\n%s", file, status, err, out)
		}
	}
}
