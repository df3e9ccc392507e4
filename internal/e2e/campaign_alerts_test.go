//go:build linux

package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

// This file is about what people decide during the campaign, and about the alerts that leave the program meanwhile.

// hooked gives the program a webhook and returns who receives there.
func (p *peril) hooked(t *testing.T) *receiver {
	t.Helper()
	port := freePort(t)
	p.more += fmt.Sprintf("alerts:\n  channels:\n    - {name: hook, type: webhook, url: 'http://127.0.0.1:%d/in'}\n", port)
	r := &receiver{}
	r.listen(t, port)
	return r
}

// reported is the kind of a finding that an arbiter has reported.
const reported = "illegal.two_hands"

// rule is an arbiter to whom players say what only people can see. He reports it when White has pressed and notes the
// claim (in blitz without supervision nobody is alerted before), and decides again and again until ctx ends: he
// confirms, and takes that back.
func (a *teller) rule(ctx context.Context, board string) {
	path := "/api/v1/boards/" + board
	for n, reports := 0, 0; ctx.Err() == nil; wait(ctx, 500*time.Millisecond) {
		if a.silent.Load() {
			continue
		}
		var s apiState
		status, text, err := a.phone.call(ctx, "GET", path, nil)
		if err != nil || status != http.StatusOK || json.Unmarshal(text, &s) != nil {
			continue
		}
		if i := slices.IndexFunc(s.Findings, func(i apiItem) bool { return i.Finding.Kind == reported && i.Finding.Alert == "now" }); i >= 0 {
			d := decision(s.Findings[i], []string{"confirm", "undo"}[n%2])
			d.path, d.body["request"] = path+"/decisions", fmt.Sprintf("campaign-%s-d%05d", board, n)
			a.insist(ctx, board, d)
			n++
		} else if s.Board.Ply%2 == 1 && reports < maxReports {
			reports++
			for _, to := range []string{"reports", "claims"} {
				a.insist(ctx, board, told{path + "/" + to, map[string]any{
					"request": fmt.Sprintf("campaign-%s-%s-%d", board, to, reports), "what": "two-hands", "side": "white",
				}})
			}
		}
	}
}

// hookTimeout is how long the program waits for a receiver's answer before it sends again.
const hookTimeout = 10 * time.Second

// maxReports is how often a report is made that comes too late, because Black has replied.
const maxReports = 8

// insist sends something until it is saved. False: it was refused, because something else was said of the finding
// meanwhile, or ctx has ended.
func (a *teller) insist(ctx context.Context, board string, w told) bool {
	for ctx.Err() == nil {
		status, saved, text, err := a.phone.send(context.Background(), w)
		switch {
		case err == nil && status == http.StatusOK && saved.Saved:
			a.mu.Lock()
			a.saved[board] = append(a.saved[board], answer{w.request(), saved})
			a.mu.Unlock()
			return true
		case err == nil && status == http.StatusConflict:
			return false
		case err == nil && status != http.StatusServiceUnavailable && status != http.StatusOK:
			a.fail("%s: %d %s", w.request(), status, text)
			return false
		}
		wait(ctx, 300*time.Millisecond)
	}
	return false
}

// compareAlerts compares what left the program with what the journals say: every finding that was told at once has its
// message, and none came twice but under the same key, by which a receiver drops it, and only where the program ended
// before it had noted that it was taken, or it or the receiver stood still for longer than it waits for the answer: so
// does this computer where a phone has waited that long.
func (p *peril) compareAlerts(t *testing.T, r *receiver, tables []*hallBoard, slowest time.Duration) (sent int) {
	t.Helper()
	keys, byFinding := map[string]int{}, map[string]map[string]string{} // of a finding: the key of each version
	for _, m := range r.all() {
		var body struct {
			payload
			Board string
		}
		if err := json.Unmarshal([]byte(m.body), &body); err != nil {
			t.Errorf("a message that is no JSON: %v: %s", err, m.body)
			continue
		}
		key := m.head.Get("Idempotency-Key")
		if keys[key]++; keys[key] == 2 && slowest < hookTimeout && p.leaves != "restart" && p.leaves != "late" && p.name != "two-at-once" {
			t.Errorf("%s came twice, and the program neither was started again nor stood still", key)
		}
		finding, version := body.Board+" "+body.Finding.ID, fmt.Sprint(body.Version)
		if byFinding[finding] == nil {
			byFinding[finding] = map[string]string{}
		}
		if was := byFinding[finding][version]; was != "" && was != key {
			t.Errorf("version %s of %s came under two keys: %s and %s", version, finding, was, key)
		}
		byFinding[finding][version] = key
	}
	for _, b := range tables {
		alerts := map[string]bool{}
		for _, e := range b.log.of("say") {
			var f struct{ Type, ID, State, Alert string }
			if strings.Contains(e.body, `"type":"finding"`) && json.Unmarshal([]byte(e.body), &f) == nil {
				alerts[f.ID] = f.State == "confirmed" && f.Alert == "now"
			}
		}
		for id, open := range alerts {
			if open && byFinding[b.name+" "+id] == nil {
				t.Errorf("%s: nothing was sent of the finding %s, which is confirmed", b.name, id)
			}
		}
	}
	return len(keys)
}
