package web

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"boardwatchd/internal/record"
)

const reportBody = `{"request":"request-1","what":"assistant"}`

// A record that the journal dropped is never answered as saved: the request goes to the board again, and the new record
// is answered.
func TestALostInputCanBeSentAgain(t *testing.T) {
	for name, body := range map[string]func(seq int64) (path, body string){
		"a decision": func(seq int64) (string, string) { return decisions, decisionBody("request-1", knight, "confirm", seq) },
		"a report":   func(int64) (string, string) { return reportsPath, reportBody },
	} {
		t.Run(name, func(t *testing.T) {
			h := newHarness(t, nil)
			path, body := body(h.table.find(knight, "confirmed"))
			h.table.fail = fmt.Errorf("%w: %w", ErrNotSaved, ErrLost)
			for n := range 2 {
				r := h.ask("POST", path, h.arbiter, body)
				if r.status != 503 || r.code() != "lost" || r.header.Get("Retry-After") != "2" || h.table.count() != n+1 {
					t.Fatalf("dropped: %d %s %v, %d records", r.status, r.body, r.header, h.table.count())
				}
			}
			h.table.fail = nil
			for range 2 {
				if r := h.ask("POST", path, h.arbiter, body); r.status != 200 || h.table.count() != 3 || len(h.table.asked) != 0 {
					t.Errorf("told again: %d %s, %d records, asked for %v", r.status, r.body, h.table.count(), h.table.asked)
				}
			}
		})
	}
}

// The first answer was only that the disk has not taken it; that the record was dropped shows when it is asked for.
func TestDroppedWhileThePhoneWaits(t *testing.T) {
	h := newHarness(t, nil)
	body := decisionBody("request-1", knight, "confirm", h.table.find(knight, "confirmed"))
	h.table.fail = ErrNotSaved
	if r := h.ask("POST", decisions, h.arbiter, body); r.status != 503 || r.code() != "not_saved" {
		t.Fatal(r.status, string(r.body))
	}
	told := h.table.seq
	h.table.fail, h.table.gaps = nil, map[int64]bool{told: true} // room again, after the gap
	if r := h.ask("POST", decisions, h.arbiter, body); r.status != 503 || r.code() != "lost" {
		t.Errorf("after the gap: %d %s", r.status, r.body)
	}
	if r := h.ask("POST", decisions, h.arbiter, body); r.status != 200 || h.table.count() != 2 {
		t.Errorf("told again: %d %s, %d records", r.status, r.body, h.table.count())
	}
	if !slices.Equal(h.table.asked, []int64{told}) {
		t.Errorf("asked for the records %v, not for %d", h.table.asked, told)
	}
}

// Somebody else decided between the loss and the next attempt: the arbiter has to look again.
func TestLostAndChangedMeanwhile(t *testing.T) {
	h := newHarness(t, nil)
	body := decisionBody("request-1", knight, "confirm", h.table.find(knight, "confirmed"))
	h.table.fail = ErrLost
	if r := h.ask("POST", decisions, h.arbiter, body); r.status != 503 || r.code() != "lost" {
		t.Fatal(r.status, string(r.body))
	}
	h.table.fail = nil
	h.table.find(knight, "withdrawn")
	if r := h.ask("POST", decisions, h.arbiter, body); r.status != 409 || r.code() != "changed" || h.table.count() != 1 {
		t.Errorf("%d %s, %d records", r.status, r.body, h.table.count())
	}
}

// After the board was opened again its journal counts: the numbers of before may stand for other records.
func TestBoardIsOpenedAgain(t *testing.T) {
	for name, inJournal := range map[string]bool{"the record is in the journal": true, "the record is lost": false} {
		t.Run(name, func(t *testing.T) {
			h := newHarness(t, nil)
			h.server.Ready("12")
			h.table.fail = ErrNotSaved
			if r := h.ask("POST", reportsPath, h.arbiter, reportBody); r.status != 503 || r.code() != "not_saved" {
				t.Fatal(r.status, string(r.body))
			}
			told := record.Record{Seq: record.Seq(h.table.seq), Kind: record.Instruct, Body: []byte(h.table.taken[0])}
			h.table.fail, h.table.lost = ErrNoBoard, true
			if r := h.ask("POST", reportsPath, h.arbiter, reportBody); r.status != 503 || r.code() != "not_watched" {
				t.Errorf("no station: %d %s", r.status, r.body)
			}
			h.server.Expect("12")
			h.server.Recovered("12", record.Record{Seq: 1, Kind: record.Open, Body: []byte("{}")})
			if inJournal {
				h.server.Recovered("12", told)
			}
			h.server.Ready("12")
			asked := len(h.table.asked)
			h.table.fail, h.table.lost = nil, false
			want := 2
			if inJournal {
				want = 1
			}
			if r := h.ask("POST", reportsPath, h.arbiter, reportBody); r.status != 200 || h.table.count() != want || len(h.table.asked) != asked {
				t.Errorf("%d %s, %d records, asked %v", r.status, r.body, h.table.count(), h.table.asked)
			}
		})
	}
}

// While the journal is read, a finding that is not there yet is no reason for a phone to drop its decision.
func TestDecisionWhileTheJournalIsRead(t *testing.T) {
	h := newHarness(t, nil)
	h.server.Expect("12")
	h.server.Recovered("12", record.Record{Seq: 1, Kind: record.Open, Body: []byte("{}")})
	body := decisionBody("request-1", knight, "confirm", 101)
	if r := h.ask("POST", decisions, h.arbiter, body); r.status != 503 || r.code() != "not_watched" {
		t.Errorf("%d %s", r.status, r.body)
	}
	h.table.find(knight, "confirmed")
	h.server.Ready("12")
	if r := h.ask("POST", decisions, h.arbiter, body); r.status != 200 {
		t.Errorf("%d %s", r.status, r.body)
	}
}

// A phone sends again what the program had recorded when it was killed. The request comes while the journal is read,
// and the board is watched before it is handed over. The record was read in between, and is not made again.
func TestRequestFromBeforeTheJournalWasRead(t *testing.T) {
	inMemory(t, nil, func(t *testing.T, h *harness, _ *pipes) {
		h.server.Expect("12")
		gate := make(chan struct{})
		h.table.gate = gate // the request is on its way to the board
		status := make(chan int, 1)
		go func() { status <- h.ask("POST", reportsPath, h.arbiter, reportBody).status }()
		synctest.Wait()
		h.server.Recovered("12", record.Record{Seq: 50, Kind: record.Instruct, Body: []byte(reportBody)})
		h.server.Ready("12")
		close(gate)
		if s := <-status; s != 503 || h.table.count() != 0 {
			t.Errorf("status %d, %d records", s, h.table.count())
		}
		if r := h.ask("POST", reportsPath, h.arbiter, reportBody); r.status != 200 || !strings.Contains(string(r.body), `"seq":50`) || h.table.count() != 0 {
			t.Errorf("%d %s, %d records", r.status, r.body, h.table.count())
		}
	})
}

// The same in a long round: a request that came while the journal was read is not the oldest one because of that. It is
// remembered after its record was read.
func TestRequestFromBeforeAmongMany(t *testing.T) {
	h := newHarness(t, nil)
	h.server.Expect("12")
	if r := h.ask("POST", reportsPath, h.arbiter, reportBody); r.status != 503 || r.code() != "not_watched" {
		t.Errorf("%d %s", r.status, r.body)
	}
	seq := record.Seq(0)
	recovered := func(body string) {
		seq++
		h.server.Recovered("12", record.Record{Seq: seq, Kind: record.Instruct, Body: []byte(body)})
	}
	for n := range maxRequests - 1 {
		recovered(fmt.Sprintf(`{"request":"earlier-%d","what":"assistant"}`, n))
	}
	recovered(reportBody)
	recovered(`{"request":"request-2","what":"assistant"}`)
	h.server.Ready("12")
	if r := h.ask("POST", reportsPath, h.arbiter, reportBody); r.status != 200 || h.table.count() != 0 {
		t.Errorf("%d %s, %d records", r.status, r.body, h.table.count())
	}
}

// A copy of the journal may have what the board's disk does not have yet, or has lost: the board is asked before
// "saved" is answered.
func TestMirroredIsNotSaved(t *testing.T) {
	h := newHarness(t, nil)
	told := record.Record{Seq: 50, Kind: record.Instruct, Body: []byte(reportBody)}
	for range 2 { // the copy is read, and read anew
		h.server.Expect("12")
		h.server.Mirrored("12", told)
		h.server.Ready("12")
	}
	h.table.gaps = map[int64]bool{50: true}
	if r := h.ask("POST", reportsPath, h.arbiter, reportBody); r.status != 503 || r.code() != "lost" {
		t.Errorf("the board's disk does not have it: %d %s", r.status, r.body)
	}
	if !slices.Equal(h.table.asked, []int64{50}) || h.table.count() != 0 {
		t.Errorf("asked for the records %v, told %d", h.table.asked, h.table.count())
	}
	if r := h.ask("POST", reportsPath, h.arbiter, reportBody); r.status != 200 || h.table.count() != 1 {
		t.Errorf("told anew: %d %s, %d records", r.status, r.body, h.table.count())
	}
}
