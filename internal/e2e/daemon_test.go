//go:build linux

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// boardName is the name of the board in every configuration here.
const boardName = "b1"

// calm is the timing of real boards.
const calm = ""

// hurried is that timing, operaSpeed times as fast.
var hurried = fmt.Sprintf(`
timing:
  scan: %dms
  clock_lag: %dms
  press_grace: %dms
  latency: 5ms
  settle: 0s
  probe: 500ms
  silence: 2s
`, 250/operaSpeed, 1000/operaSpeed, 1500/operaSpeed)

// ownPage keeps the pages of tests that run beside each other apart.
const ownPage = "http: {listen: '127.0.0.1:0', secure: off}\n"

// configure writes a configuration for one board whose journal is called after a
// round, so that a test knows its name.
func (p place) configure(t testing.TB, port, rest string) string {
	t.Helper()
	p.keep(t)
	return p.write(t, "boardwatchd.yaml", fmt.Sprintf("round: \"1\"\nstate_dir: %s\n%sboards:\n  - name: %s\n    port: %s\n%s",
		p.path("state"), ownPage, boardName, port, rest))
}

// keep saves the journals of a test that fails below $BOARDWATCHD_E2E_KEEP, if it
// is set: what went wrong can then be replayed.
func (p place) keep(t testing.TB) {
	t.Helper()
	dir := os.Getenv("BOARDWATCHD_E2E_KEEP")
	if dir == "" {
		return
	}
	t.Cleanup(func() {
		if !t.Failed() {
			return
		}
		to := filepath.Join(dir, fileName(t.Name()))
		if err := os.CopyFS(to, os.DirFS(p.state())); err != nil {
			t.Logf("keep the journals: %v", err)
			return
		}
		t.Logf("the journals are in %s", to)
	})
}

// fileName is a test's name as that of a file.
func fileName(name string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\:*?"<>| ,`, r) {
			return '_'
		}
		return r
	}, name)
}

// state and journal are where configure puts the journal.
func (p place) state() string {
	if p.network != "" {
		return p.path("boardwatchd") // where it is without a configuration
	}
	return p.path("state")
}

const journalName = boardName + "-r1"

func (p place) journal() string { return filepath.Join(p.state(), journalName+".bwj") }

// daemon starts run with a configuration.
func (p place) daemon(t testing.TB, config string) *process {
	t.Helper()
	return p.start(t, "run", "-c", config)
}

// awaitLedger reads the journal again and again until it is as wanted. It is
// being written: a last line that is not whole yet is no damage.
func (p place) awaitLedger(t testing.TB, what string, ok func(ledger) bool) (l ledger) {
	t.Helper()
	eventually(t, "the journal has "+what, func() bool {
		var err error
		if l, err = readLedger(p.state(), journalName); err != nil {
			t.Fatal(err)
		}
		return ok(l)
	}, func() string { return fmt.Sprintf("%d records; moves %v", len(l.entries), l.moves()) })
	return l
}

// judged checks a journal that was closed in order with this reader and with
// verify, and returns what was said.
func (p place) judged(t testing.TB) tale {
	t.Helper()
	l := mustRead(t, p.state(), journalName)
	if !l.closed() {
		t.Errorf("the journal does not end with a close record")
	}
	r := p.run(t, "", "verify", p.journal()).want(t, 0)
	if !strings.Contains(r.out, "closed") {
		t.Errorf("verify says %q", r.out)
	}
	return l.tale(t)
}
