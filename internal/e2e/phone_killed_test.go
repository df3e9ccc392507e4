//go:build linux

package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"sync"
	"testing"
)

// phoneKills is how often the daemon is killed here: BOARDWATCHD_E2E_KILLS, or 10.
func phoneKills(t *testing.T) int {
	t.Helper()
	if os.Getenv("BOARDWATCHD_E2E_KILLS") == "" {
		return 10
	}
	return killsWanted(t)
}

// inVenues shares kills out among venues, one after the other: a page keeps a limited number of findings and decisions,
// and no more.
func inVenues(t *testing.T, kill func(t *testing.T, kills int)) {
	const most = 25
	for left := phoneKills(t); left > 0; left -= most {
		t.Run("venue", func(t *testing.T) { kill(t, min(left, most)) })
	}
}

// written counts the decide and instruct records of the journal by the request that they carry.
func (v *venue) written(t testing.TB) map[string]int {
	t.Helper()
	l, err := readLedger(v.state(), journalName)
	if err != nil {
		t.Fatal(err)
	}
	n := map[string]int{}
	for _, e := range append(l.of("decide"), l.of("instruct")...) {
		var body struct{ Request string }
		if err := json.Unmarshal([]byte(e.body), &body); err != nil {
			t.Fatalf("record %d: %v", e.seq, err)
		}
		n[body.Request]++
	}
	return n
}

// TestPhoneDecisionSurvivesKill: kill -9 the moment that "saved" was read. The decision is in the journal, the page
// shows it, the strike counts once, and told again it is the same decision.
func TestPhoneDecisionSurvivesKill(t *testing.T) {
	long(t)
	t.Parallel()
	inVenues(t, decideAndKill)
}

func decideAndKill(t *testing.T, kills int) {
	v := openVenue(t, "")
	ann := v.pair(t, "Ann")
	item := ann.awaitConfirmed(t)
	for n := range kills {
		word, strikes := "confirm", 1
		if n%2 == 1 {
			word, strikes = "undo", 0
		}
		d, saved := ann.rule(t, item, word)
		v.kill()
		if got := v.written(t)[d.request()]; got != 1 {
			t.Fatalf("kill %d: %q was saved, and the journal has it %d times", n+1, word, got)
		}
		v.again(t)
		s := ann.state(t)
		if item = ann.item(t, item.Finding.ID); (item.decided() == "confirm") != (word == "confirm") {
			t.Fatalf("kill %d: after %q the page says %q", n+1, word, item.decided())
		}
		if s.Board.Strikes.White != strikes {
			t.Errorf("kill %d: after %q White has %d strikes, want %d", n+1, word, s.Board.Strikes.White, strikes)
		}
		if last := item.Decisions[len(item.Decisions)-1]; len(item.Decisions) != n+1 || last.Request != d.request() || last.By != ann.name || last.Seq != saved.Seq {
			t.Fatalf("kill %d: the decisions are %+v", n+1, item.Decisions)
		}
		if same := ann.tell(t, d); same.Seq != saved.Seq {
			t.Fatalf("kill %d: told again it is record %d, and it was %d", n+1, same.Seq, saved.Seq)
		}
		if got := v.written(t)[d.request()]; got != 1 {
			t.Fatalf("kill %d: told again, the journal has it %d times", n+1, got)
		}
	}
}

// answered is what a phone knows of something that it told.
type answered struct {
	told
	status int // 0: no answer
	seq    int64
}

// TestPhoneKillWhilePhonesTell: kill -9 while several phones are telling. What was answered is there; what was not may
// be or not; and told again each is there once.
func TestPhoneKillWhilePhonesTell(t *testing.T) {
	long(t)
	t.Parallel()
	inVenues(t, tellAndKill)
}

func tellAndKill(t *testing.T, kills int) {
	v := openVenue(t, "")
	phones := []*handset{v.pair(t, "Ann"), v.pair(t, "Ben"), v.pair(t, "Cid"), v.pair(t, "Dee")}
	item := phones[0].awaitConfirmed(t)
	rng := rand.New(rand.NewPCG(4, 4))
	var all []answered
	unanswered, kept := 0, 0
	for n := range kills {
		now := v.killAmid(t, phones, item, 1+rng.IntN(12))
		before := v.written(t)
		for _, a := range append(now, all...) {
			switch got := before[a.request()]; {
			case a.status != 0 && a.status != http.StatusOK:
				t.Fatalf("kill %d: %v was answered %d", n+1, a.body, a.status)
			case a.status == http.StatusOK && got != 1, got > 1:
				t.Fatalf("kill %d: %v was answered %d, and the journal has it %d times", n+1, a.body, a.status, got)
			case a.status == 0:
				unanswered++
				kept += got
			}
		}
		v.again(t)
		for i := range now {
			saved := phones[i%len(phones)].tell(t, now[i].told)
			if now[i].seq != 0 && saved.Seq != now[i].seq {
				t.Fatalf("kill %d: told again %v is record %d, and it was %d", n+1, now[i].body, saved.Seq, now[i].seq)
			}
			now[i].status, now[i].seq = http.StatusOK, saved.Seq
		}
		all = append(all, now...)
		after := v.written(t)
		for _, a := range all {
			if after[a.request()] != 1 {
				t.Fatalf("kill %d: told again, the journal has %v %d times", n+1, a.body, after[a.request()])
			}
		}
		item = phones[0].item(t, item.Finding.ID)
	}
	t.Logf("%d told, %d of them without an answer at the kill, of which %d were in the journal", len(all), unanswered, kept)
}

// killAmid lets all phones tell, one of them decisions, and kills the daemon at an answer's arrival while the others
// wait for theirs.
func (v *venue) killAmid(t *testing.T, phones []*handset, item apiItem, at int) (all []answered) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	got := make(chan answered)
	var telling sync.WaitGroup
	for i, h := range phones {
		telling.Go(func() {
			it := item
			for n := 0; ctx.Err() == nil; n++ {
				var a answered
				switch i {
				case 0:
					a.told = decision(it, map[bool]string{true: "undo", false: "confirm"}[it.decided() == "confirm"])
				case 1:
					a.told = report("draw-offer", []string{"white", "black"}[n%2])
				default:
					a.told = instruction("flag", map[string]any{"name": "assistant", "on": false})
				}
				status, saved, text, err := h.send(ctx, a.told)
				if err == nil {
					a.status, a.seq = status, saved.Seq
				}
				if err == nil && status == http.StatusOK && saved.Item != nil {
					it = *saved.Item
				}
				if err == nil && status == http.StatusConflict && i == 0 {
					var now struct{ Item apiItem }
					if json.Unmarshal(text, &now) == nil && now.Item.Finding.ID != "" {
						it = now.Item // the board has said something new: nothing was told
						continue
					}
				}
				if err == nil && status != http.StatusOK {
					a.body["answer"] = fmt.Sprintf("%.200s", text)
				}
				got <- a
				if err != nil || status != http.StatusOK {
					return
				}
			}
		})
	}
	go func() { telling.Wait(); close(got) }()
	for a := range got {
		if all = append(all, a); len(all) == at {
			v.kill()
		}
	}
	if len(all) < at {
		t.Fatalf("the phones gave up after %d of %d", len(all), at)
	}
	return all
}
