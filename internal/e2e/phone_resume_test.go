//go:build linux

package e2e

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"boardwatchd/internal/sharedtest"
)

// rulings lets an arbiter change her mind so often: each time there is a finding, a ruling, a decision and an alert in
// the feed. It returns the item as it is then.
func (h *handset) rulings(t testing.TB, i apiItem, n int) apiItem {
	t.Helper()
	for range n {
		word := "confirm"
		if i.decided() == word {
			word = "undo"
		}
		_, saved := h.rule(t, i, word)
		i = *saved.Item
	}
	return i
}

// settled waits until a feed has everything that was there when it was called, and returns the last identifier.
func (s *stream) settled(t testing.TB, h *handset) string {
	t.Helper()
	last := ""
	// Alerts change after the decisions that change them.
	eventually(t, "the alerts follow what was decided", func() bool {
		b := h.boards(t)
		same := b.Last == last
		last = b.Last
		return same && !slices.ContainsFunc(b.Alerts, func(a apiAlert) bool {
			decided := a.State == "decided" || a.State == "closed"
			return decided != (h.item(t, a.Finding).decided() == "confirm")
		})
	}, func() string { return last })
	s.await(t, "event "+last, func(e happened) bool { return e.id == last })
	return last
}

// eventsAfter are the events after an identifier.
func eventsAfter(list []happened, id string) []happened {
	n := slices.IndexFunc(list, func(e happened) bool { return e.id == id })
	return list[n+1:]
}

// same fails unless two feeds had the same events in the same order.
func same(t *testing.T, who string, got, want []happened) {
	t.Helper()
	for i := range max(len(got), len(want)) {
		switch {
		case i >= len(got):
			t.Fatalf("%s misses %v", who, want[i])
		case i >= len(want):
			t.Fatalf("%s has %v, which nobody else has", who, got[i])
		case got[i].id != want[i].id || got[i].name != want[i].name || got[i].data != want[i].data:
			t.Fatalf("%s has %v, where the phone that stayed has %v", who, got[i], want[i])
		}
	}
}

// comesBack checks the feed of a phone that was away, against the feed of one that stayed: first what is urgent,
// without ids; then everything in order, nothing twice.
func comesBack(t *testing.T, who string, s *stream, after, last string, stayed *stream) {
	t.Helper()
	if hi := s.hello(t); !hi.Resumed || hi.Last != last {
		t.Fatalf("%s: hello is %+v, want resumed up to %s", who, hi, last)
	}
	s.await(t, "event "+last, func(e happened) bool { return e.id == last })
	missed := eventsAfter(numbered(stayed.events()), after)
	n := slices.IndexFunc(missed, func(e happened) bool { return e.id == last })
	missed = missed[:n+1]
	got := s.events()[1:]
	ids := slices.IndexFunc(got, func(e happened) bool { return e.id != "" })
	var urgent []happened
	for _, e := range missed {
		if e.name == "finding" || e.name == "ruling" || e.name == "alert" {
			urgent = append(urgent, happened{name: e.name, data: e.data})
		}
	}
	if len(urgent) == 0 {
		t.Fatalf("%s missed nothing urgent: the test proves nothing", who)
	}
	same(t, who+", first", got[:ids], urgent)
	end := slices.IndexFunc(got, func(e happened) bool { return e.id == last })
	same(t, who, numbered(got[:end+1]), missed)
}

// TestPhoneResumes: three phones; one closes its socket for a while, one stops reading until it is dropped. Both come
// back with the last id that they had, and have missed nothing. After a restart nobody resumes, and the boards have
// everything.
func TestPhoneResumes(t *testing.T) {
	long(t)
	t.Parallel()
	v := openVenue(t, "")
	ann, ben, cid := v.pair(t, "Ann"), v.pair(t, "Ben"), v.pair(t, "Cid")
	item := ann.awaitConfirmed(t)
	stays, leaves := ann.follow(t, ""), ben.follow(t, "")
	sticks := cid.halfOpen(t)
	following := func() float64 { return v.gauge(t, "boardwatchd_followers") }
	eventually(t, "three phones follow", func() bool { return following() == 3 }, func() string { return fmt.Sprint(following()) })
	item = ann.rulings(t, item, 3)
	had := leaves.settled(t, ben)
	leaves.stop()
	readUntil := sticks.readSome(t)
	eventually(t, "two phones follow", func() bool { return following() == 2 }, func() string { return fmt.Sprint(following()) })

	// More than the kernel keeps for a socket, and less than the feed keeps for those who come back.
	item = ann.rulings(t, item, 80)
	begun := time.Now()
	eventually(t, "the phone that does not read is dropped", func() bool { return following() == 1 }, func() string { return fmt.Sprint(following(), " follow") })
	slowest := 0 * time.Second
	for range 5 {
		at := time.Now()
		d, saved := ann.rule(t, item, map[bool]string{true: "undo", false: "confirm"}[item.decided() == "confirm"])
		item = *saved.Item
		stays.await(t, "the decision", func(e happened) bool { return e.name == "decision" && strings.Contains(e.data, d.request()) })
		slowest = max(slowest, time.Since(at))
	}
	last := stays.settled(t, ann)
	t.Logf("%d events missed; the phone that does not read was dropped after %v; told and heard meanwhile in at most %v",
		len(eventsAfter(numbered(stays.events()), had)), time.Since(begun).Round(time.Millisecond), slowest.Round(time.Millisecond))

	comesBack(t, "the phone that closed its socket", ben.follow(t, had), had, last, stays)
	comesBack(t, "the phone that did not read", cid.follow(t, readUntil), readUntil, last, stays)
	ahead := numbered(stays.events())
	for i, e := range ahead {
		if want := fmt.Sprintf("%s-%d", stays.hello(t).Epoch, nth(t, ahead[0].id)+i); e.id != want {
			t.Fatalf("event %d of the phone that stayed is %s, want %s", i, e.id, want)
		}
	}
	v.restartedFeed(t, ann, last)
}

// restartedFeed kills the daemon: a phone that comes back is sent to fetch everything, and everything is there.
func (v *venue) restartedFeed(t *testing.T, h *handset, last string) {
	t.Helper()
	before := h.state(t)
	v.kill()
	v.again(t)
	hi := h.follow(t, last).hello(t)
	if b := h.boards(t); hi.Resumed || hi.Epoch == before.Epoch || hi.Epoch != b.Epoch {
		t.Errorf("after a restart hello is %+v, the boards are of %s and were of %s", hi, b.Epoch, before.Epoch)
	}
	after := h.state(t)
	if len(after.Findings) != len(before.Findings) || len(after.Moves) != len(before.Moves) {
		t.Fatalf("%d findings and %d moves after a restart, %d and %d before", len(after.Findings), len(after.Moves), len(before.Findings), len(before.Moves))
	}
	for i, f := range after.Findings {
		was := before.Findings[i]
		if f.Finding.ID != was.Finding.ID || f.decided() != was.decided() || !slices.Equal(f.Decisions, was.Decisions) {
			t.Errorf("after a restart: %+v\nbefore: %+v", f, was)
		}
	}
}

// nth is what counts in an identifier.
func nth(t testing.TB, id string) (n int) {
	t.Helper()
	if _, err := fmt.Sscanf(id[strings.LastIndexByte(id, '-')+1:], "%d", &n); err != nil {
		t.Fatalf("the identifier %q has no number", id)
	}
	return n
}

// stuck is a phone whose connection stands and which reads nothing by itself.
type stuck struct {
	net.Conn
	r *bufio.Reader
}

// halfOpen opens the feed with as little room for what is not read as the kernel allows.
func (h *handset) halfOpen(t testing.TB) stuck {
	t.Helper()
	d := net.Dialer{Control: func(_, _ string, c syscall.RawConn) (err error) {
		outer := c.Control(func(fd uintptr) { err = unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_RCVBUF, 4096) })
		if outer != nil {
			return outer
		}
		return err
	}}
	c, err := d.DialContext(t.Context(), "tcp", strings.TrimPrefix(h.v.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	r, err := h.request(context.Background(), "GET", "/api/v1/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Write(c); err != nil {
		t.Fatal(err)
	}
	return stuck{c, bufio.NewReader(c)}
}

// readSome reads the head and some events, and returns the last identifier.
func (s stuck) readSome(t testing.TB) (id string) {
	t.Helper()
	if err := s.SetReadDeadline(sharedtest.Late(t)); err != nil {
		t.Fatal(err)
	}
	a, err := http.ReadResponse(s.r, nil)
	if err != nil || a.StatusCode != http.StatusOK {
		t.Fatalf("the feed: %v (%v)", a, err)
	}
	br := bufio.NewReader(a.Body)
	for events := 0; events < 4; {
		line, err := br.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		if text, ok := strings.CutPrefix(line, "id: "); ok {
			id = strings.TrimSpace(text)
		}
		if line == "\n" && id != "" {
			events++
		}
	}
	return id
}

// gauge is a number of the metrics.
func (v *venue) gauge(t testing.TB, name string) (n float64) {
	t.Helper()
	families := v.metrics(t)
	f := families[name]
	if f == nil || len(f.GetMetric()) != 1 {
		t.Fatalf("the metrics have no %s", name)
	}
	return f.GetMetric()[0].GetGauge().GetValue()
}
