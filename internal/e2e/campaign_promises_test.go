//go:build linux

package e2e

import (
	"context"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptrace"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"boardwatchd/internal/sharedtest"
)

// This file holds promises that the campaign asks for beyond its records: what was wrong is no longer reported once it
// is over, what a receiver refused comes, nothing comes again for a restart, and a feed that is resumed has no hole.

// lasting are the words of health that stand until what they name is over.
var lasting = []string{"journal_degraded", "not_connected", "not_watched", "unreachable", "no_answer"}

// checkHealed waits until nothing that lasts is reported of any board: everything is mended by then.
func (r *hallRunner) checkHealed(t *testing.T, a *teller) {
	t.Helper()
	health, states := "", map[string]string{}
	for late := time.Now().Add(longMended); ; wait(t.Context(), 200*time.Millisecond) {
		health = r.page(t, "/healthz")
		clear(states)
		var b apiBoards
		if status, text, err := a.phone.call(t.Context(), "GET", "/api/v1/boards", nil); err == nil && status == http.StatusOK && json.Unmarshal(text, &b) == nil {
			for _, s := range b.Boards {
				if slices.Contains(lasting, s.HealthWhat) {
					states[s.Board] = s.HealthWhat
				}
			}
			if len(states) == 0 && len(b.Boards) == r.boards && strings.Contains(health, `"status":"ok"`) {
				return
			}
		}
		if time.Now().After(late) {
			t.Errorf("%v after all was mended /healthz answers %s, and of the boards is said: %v", longMended, health, states)
			return
		}
	}
}

// fillMidLine lets the disk be full in the middle of a line of a board's journal. There is room for small files until
// then, such as the next segment, which is why it waits for that and leaves room for nothing.
func (r *hallRunner) fillMidLine(t *testing.T) {
	t.Helper()
	files, least := newest(t, r), int64(0)
	for _, path := range files {
		if info, err := os.Stat(path); err == nil && (least == 0 || info.Size() < least) {
			least = info.Size()
		}
	}
	least += 1 + r.rng.Int64N(300)
	r.d.fileSize(t, uint64(least))
	for late, full := time.Now().Add(5*time.Second), false; !full && time.Now().Before(late); wait(t.Context(), 5*time.Millisecond) {
		for _, path := range files {
			info, err := os.Stat(path)
			full = full || err == nil && info.Size() == least
		}
	}
	r.d.fileSize(t, 0)
}

// fullRestart starts the program again while the disk has room for a small file only, and pairs a phone when it has
// none. The boards are watched, nothing is called saved, and when the disk takes it the phone is known for good.
func fullRestart(t *testing.T, r *hallRunner) {
	r.d.fileSize(t, 0)
	r.untilTold(t)
	r.away(func() {
		r.d.kill()
		boot := r.boot
		r.boot = []string{"sh", "-c", `ulimit -S -f 8; exec "$@"`, "sh"} // of 512 bytes: the journals are larger
		r.start(t)
		r.boot = boot
	})
	r.untilTold(t)
	r.d.fileSize(t, 0)
	cookie := r.pairMore(t)
	<-time.After(r.between(time.Second, time.Second+4*r.every/40))
	r.d.fileSize(t, unix.RLIM_INFINITY)
	sharedtest.Until(t, "the disk is no longer reported", func() bool { return !strings.Contains(r.page(t, "/healthz"), `"status":"journal"`) })
	if r.brief || cookie == "" || r.harmed > 0 {
		return
	}
	<-time.After(storeFlush)
	kill(t, r)
	if status := r.asks(t, cookie); status != http.StatusOK {
		t.Errorf("a phone was paired while the disk was full, and after a minute of room and a kill it is answered %d", status)
	}
}

// storeFlush is how long after the end of what prevented it the paired phones are in their file.
const storeFlush = 70 * time.Second

// pairMore pairs a phone; "": it was refused.
func (r *hallRunner) pairMore(t *testing.T) (cookie string) {
	t.Helper()
	first := &handset{v: &venue{place: r.w, url: r.url, kept: map[string]string{}, patience: sharedtest.Patience(t)}, cookie: r.cookie, web: http.DefaultClient}
	var code struct{ Code string }
	status, text, err := first.call(t.Context(), "POST", "/api/v1/pairings", map[string]string{"role": "arbiter"})
	if err != nil || status != http.StatusOK || json.Unmarshal(text, &code) != nil {
		t.Errorf("no code for another phone: %d %s (%v)", status, text, err)
		return ""
	}
	ben := &handset{v: first.v, web: http.DefaultClient}
	if status, text, err = ben.call(t.Context(), "POST", "/api/v1/pair", map[string]string{"code": code.Code, "name": "Ben"}); err != nil || ben.cookie == "" {
		t.Logf("not paired: %d %s (%v)", status, text, err)
	}
	return ben.cookie
}

// asks returns what a phone with that cookie is answered.
func (r *hallRunner) asks(t *testing.T, cookie string) (status int) {
	t.Helper()
	h := &handset{v: &venue{url: r.url, patience: sharedtest.Patience(t)}, cookie: cookie, web: http.DefaultClient}
	sharedtest.Until(t, "the phone is answered", func() bool {
		var err error
		status, _, err = h.call(t.Context(), "GET", "/api/v1/boards", nil)
		return err == nil
	})
	return status
}

// A version is one of an alert, as a receiver has it.
type version struct {
	finding string // with the board
	n       int
}

// versionOf reads it from a message.
func versionOf(t *testing.T, m posted) version {
	t.Helper()
	var body struct {
		payload
		Board string
	}
	if err := json.Unmarshal([]byte(m.body), &body); err != nil {
		t.Errorf("a message that is no JSON: %v: %s", err, m.body)
	}
	return version{body.Board + " " + body.Finding.ID, body.Version}
}

// receiverFails lets the receiver of alerts refuse them; meanwhile the program is killed. What it refused comes, the
// same or what has become of it since, though nobody does anything more.
func receiverFails(t *testing.T, r *hallRunner) {
	r.hook.answers(http.StatusServiceUnavailable)
	from := len(r.hook.all())
	refused := func() map[string]int {
		list := map[string]int{}
		for _, m := range r.hook.all()[from:] {
			if v := versionOf(t, m); m.status == http.StatusServiceUnavailable {
				list[v.finding] = max(list[v.finding], v.n)
			}
		}
		return list
	}
	for late := time.Now().Add(15 * time.Second); len(refused()) == 0 && time.Now().Before(late); wait(t.Context(), 50*time.Millisecond) {
	}
	r.silent.Store(true)
	<-time.After(time.Second) // what was on its way is refused too
	kill(t, r)
	owed := refused()
	r.keepOpen(t, owed)
	r.hook.answers(0)
	for late := time.Now().Add(longMended); len(owed) > 0 && time.Now().Before(late); wait(t.Context(), 100*time.Millisecond) {
		for _, m := range r.hook.all() {
			if v := versionOf(t, m); m.status == http.StatusOK && v.n >= owed[v.finding] {
				delete(owed, v.finding)
			}
		}
	}
	r.silent.Store(false)
	for finding, n := range owed {
		t.Errorf("the receiver refused version %d of the finding %s, the program was killed, and in %v the receiver has had neither that version nor a later one", n, finding, longMended)
	}
}

// keepOpen removes findings whose alert is over: nobody has to be sent anything of what was decided meanwhile.
func (r *hallRunner) keepOpen(t *testing.T, owed map[string]int) {
	t.Helper()
	h := &handset{v: &venue{url: r.url, patience: sharedtest.Patience(t)}, cookie: r.cookie, web: http.DefaultClient}
	open := map[string]bool{}
	sharedtest.Until(t, "the alerts are shown", func() bool {
		var b apiBoards
		status, text, err := h.call(t.Context(), "GET", "/api/v1/boards", nil)
		if err != nil || status != http.StatusOK || json.Unmarshal(text, &b) != nil || len(b.read()) < r.boards {
			return false
		}
		for _, a := range b.Alerts {
			open[a.Board+" "+a.Finding] = a.State == "open"
		}
		return true
	})
	maps.DeleteFunc(owed, func(finding string, _ int) bool { return !open[finding] })
	t.Logf("%d alerts are owed", len(owed))
}

// sentBefore is how long before a kill a message was taken that may not come again after it.
const sentBefore = 3 * time.Second

// checkAgain: what a receiver has taken does not come again because the program is started again.
func (p *peril) checkAgain(t *testing.T, r *receiver, late time.Duration) {
	t.Helper()
	if !p.keeps {
		return
	}
	taken := map[string]time.Time{}
	again := map[int]int{}
	for _, m := range r.all() {
		key := m.head.Get("Idempotency-Key")
		first, was := taken[key]
		for i, a := range p.absent {
			if was && first.Add(sentBefore+5*late).Before(a[0]) && m.at.After(a[1]) {
				if again[i]++; again[i] == 1 {
					t.Errorf("%s was taken %v before the program was killed, and came again after it", key, a[0].Sub(first))
				}
				break
			}
		}
		if m.status == http.StatusOK && !was {
			taken[key] = m.at
		}
	}
}

// resume follows the feed, breaks off again and again and comes back with the last id, until ctx ends. Events are
// numbered one after the other: none may be missing while the program says that it resumes.
func (a *teller) resume(ctx context.Context, url, cookie string) {
	last := ""
	for ctx.Err() == nil {
		once, cancel := context.WithTimeout(ctx, time.Duration(300+37*len(last)*7%900)*time.Millisecond)
		q, err := http.NewRequestWithContext(once, "GET", url+"/api/v1/events", nil)
		if err != nil {
			a.fail("%v", err)
			cancel()
			return
		}
		q.AddCookie(&http.Cookie{Name: "boardwatchd", Value: cookie})
		if last != "" {
			q.Header.Set("Last-Event-ID", last)
		}
		answer, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(q)
		if err != nil || answer.StatusCode != http.StatusOK {
			cancel()
			if err == nil {
				_ = answer.Body.Close() // it says nothing
			}
			wait(ctx, 300*time.Millisecond) // it was killed
			continue
		}
		_ = readEvents(answer.Body, func(e happened) {
			var h hello
			switch {
			case e.name == "hello" && json.Unmarshal([]byte(e.data), &h) == nil && !h.Resumed:
				last = ""
			case e.id != "":
				if last != "" && numberOf(e.id) != numberOf(last)+1 {
					a.fail("the feed goes on after event %s with %s", last, e.id)
				}
				last = e.id
			}
		})
		_ = answer.Body.Close() // it has ended
		cancel()
		wait(ctx, 700*time.Millisecond) // something happens meanwhile
	}
}

// numberOf is the number in an event's id.
func numberOf(id string) (n int64) {
	n, _ = strconv.ParseInt(id[strings.LastIndexByte(id, '-')+1:], 10, 64)
	return n
}

// checkStandstills: each standstill of a second and more is reported. Where something else was done meanwhile, only the
// port was not read, and the time since then counts.
func (b *hallBoard) checkStandstills(t *testing.T, late time.Duration) {
	t.Helper()
	list := b.log.entries
	for i, e := range list {
		var body struct{ Since int64 }
		if e.kind != "late" || json.Unmarshal([]byte(e.body), &body) != nil || e.at-max(body.Since, list[max(i-1, 0)].at) < second {
			continue
		}
		said, cut := false, list[len(list)-1].at-e.at < (longUp+20*late).Microseconds() // it was stopped before it could
		for _, next := range list[i+1:] {
			cut = cut || next.kind == "down" || next.kind == "up" || next.kind == "open" || next.kind == "close"
			if cut || said || next.at-e.at > (longUp+20*late).Microseconds() {
				break
			}
			said = next.kind == "say" && strings.Contains(next.body, `"what":"late"`)
		}
		if !cut && !said {
			t.Errorf("%s: record %d, a standstill of %d µs, is not reported", b.name, e.seq, e.at-body.Since)
		}
	}
}

// checkNoise: what belongs to no message may have been a report, so the board is asked for its position.
func (b *hallBoard) checkNoise(t *testing.T, late time.Duration) {
	t.Helper()
	list := b.log.entries
	for i, e := range list {
		if e.kind != "say" || !strings.Contains(e.body, `"what":"noise"`) {
			continue
		}
		for _, next := range list[i+1:] {
			if next.kind == "tx" && next.body == "42" || slices.Contains([]string{"up", "down", "open", "close", "gap"}, next.kind) {
				break
			}
			if next.at-e.at > (2*time.Second + 5*late).Microseconds() {
				t.Errorf("%s: record %d reports bytes that belong to no message, and the board was not asked for its position before record %d", b.name, e.seq, next.seq)
				break
			}
		}
	}
}

// reconnections is more often than there are places for connections.
const reconnections = 600

// comeAndGo is a paired phone that connects and goes again hundreds of times; then strangers come, and the phone's
// connection is not taken from it.
func comeAndGo(t *testing.T, r *hallRunner) {
	if r.harmed == 0 && !r.brief {
		for range reconnections {
			if _, err := r.askOn(nil); err != nil {
				t.Errorf("a paired phone that connects: %v", err)
				return
			}
		}
	}
	c := &http.Transport{MaxIdleConns: 1}
	defer c.CloseIdleConnections()
	if _, err := r.askOn(c); err != nil {
		t.Errorf("a paired phone: %v", err)
	}
	strangers(t, r)
	again, err := r.askOn(c)
	if !r.brief && (err != nil || !again) {
		t.Errorf("strangers took a paired phone's connection: reused %v, %v", again, err)
	}
}

// askOn asks on a phone's connection, nil: a new one that is closed after it, and reports whether it was there before.
func (r *hallRunner) askOn(c *http.Transport) (reused bool, err error) {
	if c == nil {
		c = &http.Transport{DisableKeepAlives: true}
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(i httptrace.GotConnInfo) { reused = i.Reused }})
	q, err := http.NewRequestWithContext(ctx, "GET", r.url+"/api/v1/boards", nil)
	if err != nil {
		return false, err
	}
	q.AddCookie(&http.Cookie{Name: "boardwatchd", Value: r.cookie})
	answer, err := c.RoundTrip(q)
	if err != nil {
		return reused, err
	}
	defer answer.Body.Close()
	_, err = io.Copy(io.Discard, answer.Body)
	return reused, err
}
