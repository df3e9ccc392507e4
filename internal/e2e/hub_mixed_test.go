//go:build linux

package e2e

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestAMixedHall: a hall and a computer, one of which runs an earlier program. The computer takes the round, the phone
// sees the board and decides, the alert of each board is sent once, the decision is in the journal once, and the mirror
// is the board's journal byte for byte. Then the older one is upgraded, while the board is played at, and all that goes
// on.
func TestAMixedHall(t *testing.T) {
	old := os.Getenv("BOARDWATCHD_OLD")
	if old == "" {
		t.Skip("BOARDWATCHD_OLD is not set: an earlier program, which make mixed builds")
	}
	for _, c := range []struct{ name, hall, table string }{{"an older computer", "", old}, {"an older hall", old, ""}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			h := &hub{venue: newVenue(t), listen: fmt.Sprintf("127.0.0.1:%d", freePort(t))}
			h.place.program = c.hall
			hook, port := &receiver{}, freePort(t)
			hook.listen(t, port)
			h.configure(t, fmt.Sprintf("hall: {listen: '%s'}\nalerts:\n  channels:\n    - {name: hook, type: webhook, url: 'http://127.0.0.1:%d/in', secret_file: %s}\n",
				h.listen, port, h.secretFile(t, "webhook.secret", webhookSecret)))
			h.open(t)
			one, two := h.newTable(t, "table-1", boardName, ""), h.newTable(t, "table-2", "b2", "")
			one.place.program = c.table
			for _, computer := range []*tableComputer{one, two} {
				computer.run(t, "", "join", "-c", computer.conf, h.token(t, computer.name)).want(t, 0)
				computer.watch(t)
			}
			phone := h.pair(t, "Ann")
			eventually(t, "two boards", func() bool { return len(phone.boards(t).Boards) == 2 }, func() string { return fmt.Sprint(phone.boards(t)) })
			found := phone.awaitConfirmed(t)
			h.sentNote(t, one, journalName, found.Finding.ID)
			d, saved := phone.rule(t, found, "confirm")
			if saved.Waits || saved.Seq == 0 {
				t.Errorf("the decision is answered with %+v", saved)
			}
			h.sentNote(t, two, "b2-r1", "illegal.knight")
			h.mirrored(t, one)
			h.mirrored(t, two)
			if c.hall == "" {
				h.list(t, []string{`(?m)^note +table-1 `, "Its rules of detection are revision", `(?m)^ok +table-2 `}, nil)
			}

			if c.table != "" {
				one.stopped(t)
				one.place.program = ""
				one.watch(t)
			} else {
				h.kill()
				h.place.program = ""
				h.open(t)
			}
			h.list(t, []string{`(?m)^ok +table-1 `, `(?m)^ok +table-2 `, `link up`}, []string{"revision"})
			phone.awaitItem(t, "the decision after the upgrade", func(i apiItem) bool { return i.Finding.ID == found.Finding.ID && i.decided() == "confirm" })
			eventually(t, "the board can be told", func() bool {
				status, _, _, err := phone.send(t.Context(), d)
				return err == nil && status == 200
			}, func() string { return fmt.Sprint(phone.boards(t)) })
			for _, computer := range []*tableComputer{one, two} {
				h.mirrored(t, computer)
				computer.stopped(t)
			}
			sent := map[string]int{}
			for _, p := range hook.all() {
				sent[p.head.Get("Idempotency-Key")]++
			}
			for key, n := range sent {
				if n != 1 {
					t.Errorf("%s was sent %d times", key, n)
				}
			}
			l, err := readLedger(one.state(), journalName)
			if decided := l.of("decide"); err != nil || len(decided) != 1 || !slices.ContainsFunc(decided, func(e entry) bool { return strings.Contains(e.body, d.request()) }) {
				t.Errorf("the board's journal has the decisions %v (%v)", decided, err)
			}
		})
	}
}
