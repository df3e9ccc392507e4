//go:build linux

package e2e

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"boardwatchd/internal/sharedtest"
)

// A hub is the computer of a hall, and the phones know it only.
type hub struct {
	*venue
	listen string
}

func openHub(t testing.TB) *hub {
	t.Helper()
	h := &hub{venue: newVenue(t), listen: fmt.Sprintf("127.0.0.1:%d", freePort(t))}
	h.configure(t, "event: Hall Open\nhall: {listen: '"+h.listen+"'}\n")
	h.open(t)
	return h
}

// open starts it, again too.
func (h *hub) open(t testing.TB) {
	t.Helper()
	h.begin(t)
	h.read(t)
}

// begin is open without waiting for anything but the page: the journals may not be read yet.
func (h *hub) begin(t testing.TB) {
	t.Helper()
	h.ran(h.start(t, "hall", "-c", h.conf))
	h.printed(t)
	if h.first != nil {
		h.code = ""
	}
}

// token invites a computer.
func (h *hub) token(t testing.TB, computer string) string {
	t.Helper()
	token := strings.TrimSpace(h.run(t, "", "hall", "invite", computer, "-c", h.conf, "--quiet").want(t, 0).out)
	h.secret("token", token)
	return token
}

// tableComputer is one with a board at which a knight is put where it may not go.
type tableComputer struct {
	place
	name, conf  string
	boardToCome bool // it is plugged in when the program knows the round
	*process
}

// newTable configures a computer, and the board that it will watch.
func (h *hub) newTable(t testing.TB, name, board, more string) *tableComputer {
	t.Helper()
	c := h.tableWithoutBoard(t, name, board, more)
	c.boardToCome = true
	return c
}

// plug starts the board.
func (c *tableComputer) plug(t testing.TB) {
	t.Helper()
	b := c.place.start(t, "emulate", "--case", "knight-diagonal", "--speed", strconv.Itoa(phoneSpeed), "--link", c.path("board"))
	b.out.await(t, "/dev/pts/")
}

func (h *hub) tableWithoutBoard(t testing.TB, name, board, more string) *tableComputer {
	t.Helper()
	c := &tableComputer{place: newPlace(t), name: name}
	c.conf = c.write(t, "boardwatchd.yaml", fmt.Sprintf("round: \"1\"\nstate_dir: %s\ntime_control: 90+30\nhttp: {listen: off}\n"+
		"boards: [{name: %s, port: %s, white_clock: left}]\n%s%s", c.state(), board, c.path("board"), phoneTiming, more))
	return c
}

// watch starts the program. The first time, it knows the hall's round before its board is there: a board that is
// watched already is watched anew under the round, and the people at it play on meanwhile.
func (c *tableComputer) watch(t testing.TB) {
	t.Helper()
	c.process = c.daemon(t, c.conf)
	if c.boardToCome {
		c.boardToCome = false
		c.err.await(t, `"message":"a round was set"`)
		c.plug(t)
	}
}

// mirrored waits until the hall has the journals of a computer, byte for byte.
func (h *hub) mirrored(t testing.TB, c *tableComputer) {
	t.Helper()
	var differs string
	eventually(t, "mirror of "+c.name, func() bool {
		files, err := filepath.Glob(filepath.Join(c.state(), "*.bwj"))
		if err != nil || len(files) == 0 {
			t.Fatal(err, files)
		}
		return !slices.ContainsFunc(files, func(f string) bool {
			want, err := os.ReadFile(f)
			got, herr := os.ReadFile(filepath.Join(h.state(), "hall", "mirror", c.name, filepath.Base(f)))
			differs = fmt.Sprintf("%s: %d bytes of %d (%v, %v)", filepath.Base(f), len(got), len(want), err, herr)
			return err != nil || !bytes.Equal(got, want)
		})
	}, func() string { return differs })
}

// TestAHallOfComputers: two computers join a hall, by a command and by the configuration; a phone that knows the hall
// alone sees both boards, hears the alert, and decides; the decision is in the board's journal and counts once. Hall
// and computers are killed, and the mirrored journals are the boards' in the end, and verify. A computer that is
// revoked is cut off.
func TestAHallOfComputers(t *testing.T) {
	t.Parallel()
	h := openHub(t)
	file := h.path("token")
	h.run(t, "", "hall", "invite", "table-2", "-c", h.conf, "--out", file).want(t, 0)
	one, two := h.newTable(t, "table-1", boardName, ""), h.newTable(t, "table-2", "b2", "hall: {join: "+file+"}\n")
	token := h.token(t, "table-1")
	if r := one.run(t, "", "join", "-c", one.conf, token).want(t, 0); !strings.Contains(r.out, "table-1") {
		t.Errorf("join says %q", r.out)
	}
	one.run(t, "", "join", "-c", one.conf, token).want(t, 1) // is good once
	one.watch(t)
	two.watch(t)

	phone := h.pair(t, "Ann")
	eventually(t, "two boards", func() bool { return len(phone.boards(t).Boards) == 2 }, func() string { return fmt.Sprint(phone.boards(t)) })
	found := phone.awaitConfirmed(t)
	d, saved := phone.rule(t, found, "confirm")
	if l, err := readLedger(one.state(), journalName); err != nil || !slices.ContainsFunc(l.of("decide"), func(e entry) bool {
		return e.seq == saved.Seq && strings.Contains(e.body, d.request())
	}) {
		t.Errorf("saved as record %d, which the board's journal does not have (%v)", saved.Seq, err)
	}
	again := phone.tell(t, d)
	if again.Seq != saved.Seq || saved.Head.Seq < saved.Seq {
		t.Errorf("the same request again: record %d, at first %d with head %+v", again.Seq, saved.Seq, saved.Head)
	}
	h.mirrored(t, one)
	h.mirrored(t, two)

	// The hall is killed. Whatever is entered meanwhile at the board's own computer does not reach it; it comes back and
	// goes on.
	h.kill()
	if r := h.run(t, "", "hall", "list", "-c", h.conf).want(t, 1); !strings.HasPrefix(r.out, "The hall is not running") || !hasRow("x "+strings.ReplaceAll(r.out, "\n", "\nx "), "table-1") {
		t.Errorf("the list of a hall that was killed: %s%s", r.out, r.err)
	}
	one.kill()
	one.watch(t)
	h.open(t)
	h.mirrored(t, one)
	h.mirrored(t, two)
	phone.awaitItem(t, "decision after the restarts", func(i apiItem) bool { return i.Finding.ID == found.Finding.ID && i.decided() == "confirm" })
	sharedtest.Until(t, "the board can be told", func() bool {
		status, _, _, err := phone.send(t.Context(), decision(phone.item(t, found.Finding.ID), "undo"))
		return err == nil && status == http.StatusOK
	})
	if status, saved, text, err := phone.send(t.Context(), d); err != nil || status != http.StatusOK || saved.Seq != again.Seq {
		t.Errorf("the first request, after the restarts: %d %s (%v), want record %d", status, text, err, again.Seq)
	}
	if l, err := readLedger(one.state(), journalName); err != nil || strings.Count(fmt.Sprint(l.of("decide")), d.request()) != 1 {
		t.Errorf("the decision is in the journal %v (%v)", l.of("decide"), err)
	}

	// A board that cannot be reached takes nothing, and the phone hears that.
	two.kill()
	eventually(t, "the board is away", func() bool {
		return slices.ContainsFunc(phone.boards(t).Boards, func(b apiSummary) bool { return b.Board == "b2" && b.HealthWhat == "unreachable" })
	}, func() string { return fmt.Sprint(phone.boards(t)) })
	if status, text, _ := phone.call(t.Context(), "POST", "/api/v1/boards/b2/reports", map[string]any{
		"request": newRequest(), "what": "two-hands", "side": "white",
	}); status != http.StatusFailedDependency || !strings.Contains(string(text), "unreachable") {
		t.Errorf("a report for a board that is away: %d %s", status, text)
	}

	two.watch(t) // what it wrote last had perhaps not been sent
	for _, c := range []*tableComputer{one, two} {
		h.mirrored(t, c)
		files, err := filepath.Glob(filepath.Join(h.state(), "hall", "mirror", c.name, "*-r1.bwj"))
		if err != nil || len(files) != 1 {
			t.Fatalf("%v %v", files, err)
		}
		h.run(t, "", append([]string{"verify"}, files...)...).want(t, 0)
	}

	h.run(t, "", "hall", "revoke", "table-1", "-c", h.conf).want(t, 0)
	begun := time.Now()
	one.err.await(t, "the hall is away")
	if took := time.Since(begun); took > sharedtest.Patience(t)/2 {
		t.Errorf("cut off after %v", took)
	}
	if r := h.run(t, "", "hall", "list", "-c", h.conf).want(t, 0); hasRow(r.out, "table-1") || !hasRow(r.out, "table-2") {
		t.Errorf("the list: %s", r.out)
	}
	one.stopped(t)
}

// hasRow says whether the list of a hall has a row of a computer. Other rows may name it too: those of its boards, also
// after it was revoked, and as the place where a board was before.
func hasRow(list, computer string) bool {
	return slices.ContainsFunc(strings.Split(list, "\n"), func(line string) bool {
		fields := strings.Fields(line)
		return len(fields) > 1 && fields[1] == computer && (len(fields) == 2 || fields[2] != "board")
	})
}

// TestDecisionsWaitForABoard: the computer at the board is killed; decisions are answered as waiting and stand on the
// hall's disk, what is about this moment is refused, another device that has not seen them gets 409, and one is taken
// back. The hall is killed too. When both are back, what waited is in the board's journal once, and what was taken back
// never.
func TestDecisionsWaitForABoard(t *testing.T) {
	t.Parallel()
	h := openHub(t)
	one := h.newTable(t, "table-1", boardName, "")
	one.run(t, "", "join", "-c", one.conf, h.token(t, one.name)).want(t, 0)
	one.watch(t)
	phone := h.pair(t, "Ann")
	eventually(t, "the board", func() bool { return len(phone.boards(t).Boards) == 1 }, func() string { return fmt.Sprint(phone.boards(t)) })
	found := phone.awaitConfirmed(t)
	h.mirrored(t, one)

	one.kill()
	confirm, saved := phone.rule(t, found, "confirm")
	if !saved.Waits || saved.Seq != 0 {
		t.Fatalf("a decision for a board that is away: %+v", saved)
	}
	if again := phone.tell(t, confirm); !again.Waits {
		t.Errorf("the same again: %+v", again)
	}
	back, saved := phone.rule(t, found, "reject")
	if !saved.Waits {
		t.Fatalf("a second decision: %+v", saved)
	}
	for _, w := range []told{report("two-hands", "white"), instruction("pause", nil)} {
		if status, _, text, err := phone.send(t.Context(), w); err != nil || status != http.StatusFailedDependency || !strings.Contains(string(text), "unreachable") {
			t.Errorf("%v: %d %s (%v)", w.body, status, text, err)
		}
	}
	waiting := func(want ...told) {
		t.Helper()
		list := phone.state(t).Waiting
		if len(list) != len(want) {
			t.Fatalf("%+v waits, want %v", list, want)
		}
		for i, w := range want {
			if list[i].Request != w.request() || list[i].By != "Ann" || list[i].Failed != "" {
				t.Errorf("%+v waits, want %v", list[i], w)
			}
		}
	}
	waiting(confirm, back)
	other := h.pair(t, "Bert")
	unseen := func() {
		t.Helper()
		status, _, text, err := other.send(t.Context(), decision(found, "accident"))
		if err != nil || status != http.StatusConflict || !strings.Contains(string(text), `"changed"`) {
			t.Errorf("a decision of another device, which has not seen what waits: %d %s (%v)", status, text, err)
		}
	}
	unseen()
	h.kill()
	h.open(t)
	eventually(t, "the mirror is shown", func() bool { return len(phone.boards(t).read()) == 1 }, func() string { return fmt.Sprint(phone.boards(t)) })
	waiting(confirm, back)
	unseen()
	takeBack := "/api/v1/boards/" + boardName + "/waiting/" + back.request() + "/takeback"
	if status, text, err := phone.call(t.Context(), "POST", takeBack, map[string]any{"request": newRequest()}); err != nil || status != http.StatusNoContent {
		t.Fatalf("taken back: %d %s (%v)", status, text, err)
	}
	if status, _, err := phone.call(t.Context(), "POST", takeBack, map[string]any{"request": newRequest()}); err != nil || status != http.StatusNotFound {
		t.Errorf("taken back twice: %d (%v)", status, err)
	}
	waiting(confirm)

	one.watch(t)
	phone.awaitItem(t, "the decision arrives", func(i apiItem) bool { return i.Finding.ID == found.Finding.ID && i.decided() == "confirm" })
	eventually(t, "nothing waits", func() bool { return len(phone.state(t).Waiting) == 0 }, func() string { return fmt.Sprint(phone.state(t).Waiting) })
	if again := phone.tell(t, confirm); again.Waits || again.Seq == 0 {
		t.Errorf("the same again, after it all: %+v", again)
	}
	h.mirrored(t, one)
	l, err := readLedger(one.state(), journalName)
	if err != nil {
		t.Fatal(err)
	}
	if all := fmt.Sprint(l.of("decide")); len(l.of("decide")) != 1 || strings.Count(all, confirm.request()) != 1 {
		t.Errorf("the board's journal has %s", all)
	}
	one.stopped(t)
}

// TestTheHallIsAway: the alert of one board is sent by the hall. The hall is killed; then another board has an alert,
// and after the time that the hall has set, that board's computer sends it, by the channel and with the secret that
// the hall gave it. After its return the hall knows, shows the alert as late, and nothing was sent twice.
func TestTheHallIsAway(t *testing.T) {
	long(t)
	t.Parallel()
	h := &hub{venue: newVenue(t), listen: fmt.Sprintf("127.0.0.1:%d", freePort(t))}
	hook, port := &receiver{}, freePort(t)
	hook.listen(t, port)
	h.configure(t, fmt.Sprintf("hall: {listen: '%s', alone: 20s}\nalerts:\n  channels:\n    - {name: hook, type: webhook, url: 'http://127.0.0.1:%d/in', secret_file: %s}\n",
		h.listen, port, h.secretFile(t, "webhook.secret", webhookSecret)))
	h.open(t)
	one, two := h.newTable(t, "table-1", boardName, ""), h.tableWithoutBoard(t, "table-2", "b2", "")
	for _, c := range []*tableComputer{one, two} {
		c.run(t, "", "join", "-c", c.conf, h.token(t, c.name)).want(t, 0)
		c.watch(t)
	}
	phone := h.pair(t, "Ann")
	boards := func(n int) {
		t.Helper()
		eventually(t, "the boards", func() bool { return len(phone.boards(t).Boards) == n }, func() string { return fmt.Sprint(phone.boards(t)) })
	}
	boards(2)
	first := phone.awaitConfirmed(t)
	h.sentNote(t, one, journalName, first.Finding.ID)
	for _, c := range []*tableComputer{one, two} {
		eventually(t, "standby", func() bool { _, err := os.Stat(filepath.Join(c.state(), "hall", "standby.json")); return err == nil }, func() string { return c.name })
		if info, err := os.Stat(filepath.Join(c.state(), "hall", "standby.json")); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("standby of %s: %v %v", c.name, info.Mode(), err)
		}
	}
	h.kill()
	two.plug(t)
	h.sentNote(t, two, "b2-r1", "illegal.knight")
	h.open(t)
	boards(2)
	var late apiAlert
	eventually(t, "late", func() bool {
		for _, a := range phone.boards(t).Alerts {
			if a.Board == "b2" {
				late = a
			}
		}
		return late.Late && len(late.Channels) == 1 && late.Channels[0].State == "sent"
	}, func() string { return fmt.Sprintf("%+v", phone.boards(t).Alerts) })
	// What the hall sends now goes after all that it could have sent again.
	phone.rule(t, phone.item(t, first.Finding.ID), "confirm")
	eventually(t, "the last message", func() bool {
		return slices.ContainsFunc(hook.all(), func(p posted) bool { return h.payload(t, p.body).State == "decided" })
	}, func() string { return fmt.Sprint(hook.all()) })
	keys := map[string]int{}
	for _, p := range hook.all() {
		p.signedBy(t, webhookSecret)
		keys[p.head.Get("Idempotency-Key")]++
	}
	for key, n := range keys {
		if n != 1 {
			t.Errorf("%s was sent %d times", key, n)
		}
	}
	if len(keys) != 3 {
		t.Errorf("sent was %v", keys)
	}
	for _, c := range []*tableComputer{one, two} {
		h.mirrored(t, c)
		c.stopped(t)
	}
}

// TestATablesDiskTakesNothing: the hall is there, and a board's disk takes nothing: what is found is in its computer's
// memory, and the computer sends the alert. When the disk takes it the hall goes on, and nothing is sent twice.
func TestATablesDiskTakesNothing(t *testing.T) {
	long(t)
	t.Parallel()
	h := &hub{venue: newVenue(t), listen: fmt.Sprintf("127.0.0.1:%d", freePort(t))}
	hook, port := &receiver{}, freePort(t)
	hook.listen(t, port)
	h.configure(t, fmt.Sprintf("hall: {listen: '%s', alone: 20s}\nalerts:\n  channels:\n    - {name: hook, type: webhook, url: 'http://127.0.0.1:%d/in', secret_file: %s}\n",
		h.listen, port, h.secretFile(t, "webhook.secret", webhookSecret)))
	h.open(t)
	one := h.tableWithoutBoard(t, "table-1", boardName, "")
	one.run(t, "", "join", "-c", one.conf, h.token(t, one.name)).want(t, 0)
	one.watch(t)
	phone := h.pair(t, "Ann")
	eventually(t, "the board", func() bool { return len(phone.boards(t).Boards) == 1 }, func() string { return fmt.Sprint(phone.boards(t)) })
	eventually(t, "standby", func() bool { _, err := os.Stat(filepath.Join(one.state(), "hall", "standby.json")); return err == nil }, func() string { return one.name })
	one.err.await(t, `"message":"a round was set"`)
	one.err.await(t, `"message":"watching"`) // under the hall's round, and no journal is closed any more
	one.fileSize(t, 0)
	one.plug(t)
	eventually(t, "the computer's own message", func() bool {
		return slices.ContainsFunc(hook.all(), func(p posted) bool { return strings.Contains(p.body, "illegal.knight") })
	}, func() string { return fmt.Sprint(hook.all()) })
	if n := len(phone.boards(t).Alerts); n != 0 {
		t.Errorf("the hall has %d alerts of a board whose disk takes nothing", n)
	}
	one.fileSize(t, unix.RLIM_INFINITY)
	found := phone.awaitConfirmed(t)
	phone.rule(t, found, "confirm")
	eventually(t, "the last message", func() bool {
		return slices.ContainsFunc(hook.all(), func(p posted) bool { return h.payload(t, p.body).State == "decided" })
	}, func() string { return fmt.Sprint(hook.all()) })
	keys := map[string]int{}
	for _, p := range hook.all() {
		keys[p.head.Get("Idempotency-Key")]++
	}
	for key, n := range keys {
		if n != 1 || len(keys) != 2 {
			t.Errorf("%s was sent %d times, of %d", key, n, len(keys))
		}
	}
	h.mirrored(t, one)
	one.stopped(t)
}

// sentNote waits until a board's journal says that an alert was sent.
func (h *hub) sentNote(t testing.TB, c *tableComputer, journal, finding string) {
	t.Helper()
	var got string
	eventually(t, "note of "+finding, func() bool {
		l, err := readLedger(c.state(), journal)
		if err != nil {
			return false
		}
		got = fmt.Sprint(l.of("instruct"))
		return slices.ContainsFunc(l.of("instruct"), func(e entry) bool {
			return strings.Contains(e.body, `"event":"sent"`) && strings.Contains(e.body, finding)
		})
	}, func() string { return got })
}

// TestTheHallsPage: in Chromium, the arbiter pairs with the hall and decides about a board of another computer.
func TestTheHallsPage(t *testing.T) {
	t.Parallel()
	p := openBrowser(t).phone(t, tall)
	w := newPlace(t)
	conf := w.pageConfig(t, fmt.Sprintf("hall: {listen: '127.0.0.1:%d'}\n", freePort(t)))
	page := openPage(t, w, "hall", "-c", conf)
	h := &hub{venue: &venue{place: w, conf: conf, kept: map[string]string{}}}
	one := h.newTable(t, "table-1", "still", "")
	two := h.newTable(t, "table-2", "b2", "")
	for _, c := range []*tableComputer{one, two} {
		c.run(t, "", "join", "-c", c.conf, h.token(t, c.name)).want(t, 0)
		c.watch(t)
	}
	page.pair(p, page.url)
	page.theKnight(t, p)
	p.shoot("hall-alert-390x844")
	p.tap(".act", "Confirm")
	p.shows(".note.done", "Decided: confirmed")

	// The board's computer goes away, and the hall knows it: what is decided waits, is shown so, and is taken back.
	// What is decided before the hall knows it was asked of the board, which may have it, and cannot be taken back.
	one.kill()
	until(p, "the hall misses the computer", func() bool { return page.board(t, "still").Board.HealthWhat == "unreachable" })
	p.tap(".bar button", "Undo")
	p.shows(".note.pend", "waits for the board")
	p.calm()
	p.shoot("hall-waits-390x844")
	p.tap(".note.pend button", "Take back")
	p.shows(".note.done", "Decided: confirmed")
	p.to("#/boards", "main")
	p.shoot("hall-away-390x844")
	p.shows("main", "Not reachable")
	one.watch(t)
	p.shows("main", "still")
	p.shows("main", "b2")
	p.shoot("hall-boards-390x844")
	p.calm()
	if l, err := readLedger(one.state(), "still-r1"); err != nil || len(l.of("decide")) != 1 {
		t.Errorf("the board's journal has the decisions %v (%v)", l.of("decide"), err)
	}
}
