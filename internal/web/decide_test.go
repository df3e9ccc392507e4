package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"boardwatchd/internal/access"
	"boardwatchd/internal/live"
	"boardwatchd/internal/record"
)

func TestDecisionIsSavedAndShown(t *testing.T) {
	h := newHarness(t, nil)
	seq := h.table.find(knight, "confirmed")
	r := h.ask("POST", decisions, h.arbiter, strings.Replace(decisionBody("request-1", knight, "confirm", seq), `"note":""`, `"note":"seen \u007f<b>\n"`, 1))
	var a struct {
		Saved bool
		Seq   int64
		Item  struct {
			Finding   struct{ Decided string }
			Decisions []live.Decision
			Alert     struct{ ID string }
		}
	}
	if err := json.Unmarshal(r.body, &a); err != nil || r.status != 200 {
		t.Fatal(r.status, string(r.body), err)
	}
	if !a.Saved || a.Seq != seq+1 || a.Item.Finding.Decided != "confirm" || len(a.Item.Decisions) != 1 || a.Item.Alert.ID != "12~5" {
		t.Errorf("answered %s", r.body)
	}
	var journalled struct {
		Finding, Decision, By, Device, Request, Note string
		WallMS                                       int64 `json:"wall_ms"`
	}
	if err := json.Unmarshal([]byte(h.table.taken[0]), &journalled); err != nil {
		t.Fatal(err)
	}
	if journalled.By != "" || h.people.Said(journalled.Device) != "Anna" || journalled.Device != h.device(h.arbiter).ID || journalled.Request != "request-1" ||
		journalled.Note == "seen  <b>" || h.people.Said(journalled.Note) != "seen  <b>" || time.Since(time.UnixMilli(journalled.WallMS)) > time.Minute {
		t.Errorf("the journal has %s", h.table.taken[0])
	}
}

func TestSameRequestDoesNothingNew(t *testing.T) {
	h := newHarness(t, nil)
	seq := h.table.find(knight, "confirmed")
	body := decisionBody("request-1", knight, "confirm", seq)
	first := h.ask("POST", decisions, h.arbiter, body)
	again := h.ask("POST", decisions, h.arbiter, body)
	if first.status != 200 || again.status != 200 || h.table.count() != 1 {
		t.Errorf("statuses %d, %d; %d records", first.status, again.status, h.table.count())
	}
	if string(first.body) != string(again.body) {
		t.Errorf("first  %s\nsecond %s", first.body, again.body)
	}
	report := `{"request":"request-2","what":"two-hands","side":"white"}`
	for range 3 {
		if r := h.ask("POST", "/api/v1/boards/12/reports", h.arbiter, report); r.status != 200 {
			t.Errorf("report: %d %s", r.status, r.body)
		}
	}
	if h.table.count() != 2 {
		t.Errorf("three reports with one request id made %d records", h.table.count()-1)
	}
}

func TestSameRequestAfterARestart(t *testing.T) {
	h := newHarness(t, nil)
	h.table.find(knight, "confirmed")
	h.server.Recovered("12", record.Record{Seq: 77, Kind: record.Instruct, Body: []byte(`{"do":"report","request":"request-1"}`)})
	r := h.ask("POST", "/api/v1/boards/12/reports", h.arbiter, `{"request":"request-1","what":"assistant"}`)
	if r.status != 200 || !strings.Contains(string(r.body), `"seq":77`) || h.table.count() != 0 {
		t.Errorf("%d %s, %d records", r.status, r.body, h.table.count())
	}
}

// A phone sends again while the disk still has the first attempt: all wait for the one outcome.
func TestSameRequestAtTheSameMoment(t *testing.T) {
	inMemory(t, nil, func(t *testing.T, h *harness, _ *pipes) {
		seq := h.table.find(knight, "confirmed")
		gate := make(chan struct{})
		h.table.gate = gate
		statuses := make(chan int, 16)
		for range 8 {
			go func() {
				statuses <- h.ask("POST", decisions, h.arbiter, decisionBody("request-1", knight, "confirm", seq)).status
			}()
			go func() {
				statuses <- h.ask("POST", reportsPath, h.arbiter, `{"request":"request-2","what":"assistant"}`).status
			}()
		}
		synctest.Wait()
		close(gate)
		for range 16 {
			if s := <-statuses; s != 200 {
				t.Errorf("status %d", s)
			}
		}
		if h.table.count() != 2 {
			t.Errorf("%d records", h.table.count())
		}
	})
}

// The second phone's decision is looked at when the first one's is through, and not while it is on its way.
func TestTwoPhonesDecideAtOnce(t *testing.T) {
	inMemory(t, nil, func(t *testing.T, h *harness, _ *pipes) {
		second := h.join(access.Arbiter, "Berta")
		for range 10 {
			seq, before := h.table.find(knight, "confirmed"), h.table.count()
			gate, statuses := make(chan struct{}), make(chan int, 2)
			h.table.gate = gate
			for cookie, word := range map[string]string{h.arbiter: "confirm", second: "reject"} {
				go func() {
					statuses <- h.ask("POST", decisions, cookie, decisionBody(fresh(), knight, word, seq)).status
				}()
			}
			synctest.Wait()
			close(gate)
			if a, b := <-statuses, <-statuses; a+b != 200+409 || h.table.count() != before+1 {
				t.Fatalf("statuses %d and %d, %d records", a, b, h.table.count()-before)
			}
		}
	})
}

func TestChangedMeanwhileAnswersWithWhatIsThereNow(t *testing.T) {
	h := newHarness(t, nil)
	old := h.table.find(knight, "suspected")
	now := h.table.find(knight, "withdrawn")
	body := decisionBody("request-1", knight, "confirm", old)
	r := h.ask("POST", decisions, h.arbiter, body)
	if r.status != 409 || r.code() != "changed" || !strings.Contains(string(r.body), `"state":"withdrawn"`) {
		t.Errorf("%d %s", r.status, r.body)
	}
	// The same request may be sent again with what the arbiter sees now.
	r = h.ask("POST", decisions, h.arbiter, decisionBody("request-1", knight, "confirm", now))
	if r.status != 200 || h.table.count() != 1 {
		t.Errorf("%d %s, %d records", r.status, r.body, h.table.count())
	}
}

func TestNotSavedIsNeverAnsweredSaved(t *testing.T) {
	h := newHarness(t, nil)
	seq := h.table.find(knight, "confirmed")
	h.table.fail = ErrNotSaved
	body := decisionBody("request-1", knight, "confirm", seq)
	for range 2 {
		if r := h.ask("POST", decisions, h.arbiter, body); r.status != 503 || r.code() != "not_saved" || r.header.Get("Retry-After") == "" {
			t.Errorf("%d %s", r.status, r.body)
		}
	}
	h.table.fail = nil // what was held back is on the disk now
	if r := h.ask("POST", decisions, h.arbiter, body); r.status != 200 {
		t.Errorf("%d %s", r.status, r.body)
	}
	if h.table.count() != 1 {
		t.Errorf("%d records", h.table.count())
	}
}

// The disk stands still: the decision is in force, and no answer says "saved" before it is.
func TestStallingDisk(t *testing.T) {
	inMemory(t, nil, func(t *testing.T, h *harness, _ *pipes) {
		body := decisionBody("request-1", knight, "confirm", h.table.find(knight, "confirmed"))
		disk, begun := make(chan struct{}), time.Now()
		h.table.disk = disk
		for i := range 3 {
			if r := h.ask("POST", decisions, h.arbiter, body); r.status != 503 || r.code() != "not_saved" {
				t.Errorf("attempt %d: %d %s", i, r.status, r.body)
			}
		}
		if d := time.Since(begun); d != 3*decideTime {
			t.Errorf("three attempts took %v", d)
		}
		close(disk)
		if r := h.ask("POST", decisions, h.arbiter, body); r.status != 200 {
			t.Errorf("%d %s", r.status, r.body)
		}
		if h.table.count() != 1 {
			t.Errorf("%d records", h.table.count())
		}
	})
}

// A board that is known and has no station at this moment: the phone is to try again, and not to give up.
func TestRefusedByTheBoardMayBeSentAgain(t *testing.T) {
	h := newHarness(t, nil)
	seq := h.table.find(knight, "confirmed")
	h.table.fail, h.table.lost = fmt.Errorf("%w: reopening", ErrNoBoard), true
	body := strings.Replace(decisionBody("request-1", knight, "confirm", seq), `"note":""`, `"note":"seen by two"`, 1)
	if r := h.ask("POST", decisions, h.arbiter, body); r.status != 503 || r.code() != "not_watched" || r.header.Get("Retry-After") != "2" {
		t.Errorf("%d %s %v", r.status, r.body, r.header)
	}
	if r := h.ask("POST", reportsPath, h.arbiter, report(`"assistant"`)); r.status != 503 || r.code() != "not_watched" {
		t.Errorf("report: %d %s", r.status, r.body)
	}
	unknown := strings.Replace(decisions, "12", "13", 1)
	if r := h.ask("POST", unknown, h.arbiter, body); r.status != 404 || r.code() != "no_such_board" {
		t.Errorf("a board that nobody knows: %d %s", r.status, r.body)
	}
	h.ask("POST", decisions, h.arbiter, body)
	h.ask("POST", reportsPath, h.arbiter, `{"request":"`+fresh()+`","what":"assistant","note":"not taken"}`)
	if kept := h.people.Notes(); len(kept) != 0 {
		t.Errorf("notes of what was not taken: %v", kept)
	}
	h.table.fail = nil
	if r := h.ask("POST", decisions, h.arbiter, body); r.status != 200 || len(h.people.Notes()) != 1 {
		t.Errorf("%d %s, notes %v", r.status, r.body, h.people.Notes())
	}
}

// A finding that a hall does not show yet may be in the board's journal all the same: the phone has to try again.
func TestAHallThatIsBehind(t *testing.T) {
	behind := true
	h := newHarness(t, func(o *Options) { o.Behind = func(board string) bool { return behind && board == "12" } })
	seq := h.table.find(knight, "confirmed")
	later, unknown := decisionBody("request-1", knight, "confirm", seq+1), decisionBody("request-2", "9:illegal.rook", "confirm", seq)
	for _, body := range []string{later, unknown} {
		if r := h.ask("POST", decisions, h.arbiter, body); r.status != 503 || r.code() != "not_watched" || r.header.Get("Retry-After") == "" {
			t.Errorf("%s: %d %s", body, r.status, r.body)
		}
	}
	if r := h.ask("POST", decisions, h.arbiter, decisionBody("request-3", knight, "confirm", seq)); r.status != 200 {
		t.Errorf("of what is shown: %d %s", r.status, r.body)
	}
	earlier := h.table.find("5:illegal.king", "suspected")
	h.table.find("5:illegal.king", "confirmed")
	if r := h.ask("POST", decisions, h.arbiter, decisionBody("request-4", "5:illegal.king", "confirm", earlier)); r.status != 409 {
		t.Errorf("of what has changed since: %d %s", r.status, r.body)
	}
	behind = false
	if r := h.ask("POST", decisions, h.arbiter, unknown); r.status != 404 || r.code() != "no_such_finding" {
		t.Errorf("all is here: %d %s", r.status, r.body)
	}
}

// A decision that a board took before it went away is not refused for good: when it is back, its disk decides.
func TestAskedAgainWhileTheBoardIsAway(t *testing.T) {
	h := newHarness(t, nil)
	body := decisionBody("request-1", knight, "confirm", h.table.find(knight, "confirmed"))
	h.table.fail = ErrNotSaved
	if r := h.ask("POST", decisions, h.arbiter, body); r.status != 503 {
		t.Fatal(r.status, string(r.body))
	}
	h.table.fail = fmt.Errorf("%w: %w", ErrUnreachable, ErrNoBoard)
	if r := h.ask("POST", decisions, h.arbiter, body); r.status != 503 || r.code() != "not_saved" {
		t.Errorf("away: %d %s", r.status, r.body)
	}
	h.table.fail = nil
	if r := h.ask("POST", decisions, h.arbiter, body); r.status != 200 || h.table.count() != 1 {
		t.Errorf("back: %d %s, %d records", r.status, r.body, h.table.count())
	}
}

// waitsList are decisions that wait for a board.
type waitsList []Waiting

func (l waitsList) Waiting(string) []Waiting      { return l }
func (l waitsList) TakeBack(string, string) error { return ErrNoWait }

// A decision that the board has refused for good is not answered as saved when a phone sends it again, even if the
// finding is not shown any more.
func TestRefusedForGood(t *testing.T) {
	list := waitsList{{Request: "request-1", Failed: "the board writes 1-r2 now"}, {Request: "request-2"}}
	h := newHarness(t, func(o *Options) { o.Waits = list })
	for request, want := range map[string]string{"request-1": "409 board_refused", "request-2": "200 "} {
		r := h.ask("POST", decisions, h.arbiter, decisionBody(request, "1:illegal.rook", "confirm", 7))
		if got := fmt.Sprint(r.status, " ", r.code()); got != want {
			t.Errorf("%s: %s, want %s: %s", request, got, want, r.body)
		}
	}
	if h.table.count() != 0 {
		t.Error("the board was asked")
	}
	body := decisionBody("request-3", knight, "confirm", h.table.find(knight, "confirmed"))
	h.table.fail, h.table.lost = fmt.Errorf("%w: it writes 1-r2 now", ErrNever), true
	for range 2 {
		if r := h.ask("POST", decisions, h.arbiter, body); r.status != 409 || r.code() != "board_refused" {
			t.Errorf("refused by the board at once: %d %s", r.status, r.body)
		}
	}
}

// A decision that contradicts a waiting one is accepted only from a device that knows of that one: from the device that
// made it, and from one that names its request.
func TestADecisionAgainstOneThatWaits(t *testing.T) {
	var list waitsList
	h := newHarness(t, func(o *Options) { o.Waits = &list })
	seq, second := h.table.find(knight, "confirmed"), h.join(access.Arbiter, "Berta")
	anna := h.device(h.arbiter).ID
	first := Waiting{Finding: knight, Decision: "confirm", By: "Anna", Request: "request-a", Device: anna}
	never := Waiting{Finding: knight, Decision: "confirm", By: "Anna", Request: "request-a", Device: anna, Failed: "the board writes 12-r2 now"}
	other := Waiting{Finding: "1:illegal.rook", Decision: "confirm", Request: "request-c", Device: anna}
	back := Waiting{Finding: knight, Decision: "undo", By: "Berta", Request: "request-b", Device: h.device(second).ID}
	for name, step := range map[string]struct {
		list                waitsList
		cookie, word, known string
		want                string
	}{
		"of another device":              {waitsList{first, other}, second, "reject", "", "409 changed"},
		"it takes it back":               {waitsList{first}, second, "undo", "", "409 changed"},
		"it agrees":                      {waitsList{first}, second, "confirm", "", "200 "},
		"it was looked at":               {waitsList{first, other}, second, "reject", "request-a", "200 "},
		"an earlier one was looked at":   {waitsList{first, back}, h.arbiter, "confirm", "request-a", "409 changed"},
		"of the same device":             {waitsList{first}, h.arbiter, "reject", "", "200 "},
		"about another finding":          {waitsList{other}, second, "reject", "", "200 "},
		"one that the board never takes": {waitsList{never}, second, "reject", "", "200 "},
	} {
		list, h.table.fail, h.table.lost = step.list, ErrWaits, true
		body := strings.Replace(decisionBody(fresh(), knight, step.word, seq), `"note":""`, `"note":"","waiting":"`+step.known+`"`, 1)
		r := h.ask("POST", decisions, step.cookie, body)
		if got := fmt.Sprint(r.status, " ", r.code()); got != step.want || r.status == 409 && !strings.Contains(string(r.body), `"item":{`) {
			t.Errorf("%s: %s, want %s: %s", name, got, step.want, r.body)
		}
		if r.status == 200 && !strings.Contains(string(r.body), `"waits":true`) {
			t.Errorf("%s: %s", name, r.body)
		}
	}
	list = waitsList{first, back}
	if r := h.ask("POST", decisions, h.arbiter, decisionBody("request-a", knight, "confirm", seq)); r.status != 200 {
		t.Errorf("sent again: %d %s", r.status, r.body)
	}
}

// A call whose outcome is not known is not carried out again for a while, and answered as soon as its record shows up.
func TestUnsureIsNotSentTwice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := build(t, nil)
		calls := 0
		send := func() error {
			_, err := h.server.carryOutOnce(t.Context(), "12", "request-1", func(context.Context) error {
				calls++
				return errors.New("the loop did not answer")
			})
			return err
		}
		if first, second := send(), send(); first == nil || second == nil || calls != 1 {
			t.Fatalf("%d calls", calls)
		}
		h.server.Entered("12", record.Record{Seq: 9, Kind: record.Instruct, Body: []byte(`{"request":"request-1"}`)})
		if err := send(); err != nil || calls != 1 {
			t.Errorf("after its record was seen: %v, %d calls", err, calls)
		}
		calls = 0
		other := func() {
			_, _ = h.server.carryOutOnce(t.Context(), "12", "request-2", func(context.Context) error { calls++; return errors.New("lost") })
		}
		other()
		time.Sleep(unsureTime)
		other()
		if calls != 2 {
			t.Errorf("a lost request was tried %d times", calls)
		}
	})
}

func TestRequestsAreForgottenInTheEnd(t *testing.T) {
	o := newOnce(time.Now)
	for i := range 3 * maxRequests {
		o.note("12", record.Record{Seq: record.Seq(i + 1), Kind: record.Decide, Body: []byte(`{"request":"` + fresh() + `"}`)}, true)
	}
	if m := o.boards["12"]; len(m.known) != maxRequests || len(m.order) != maxRequests {
		t.Errorf("%d ids are remembered, %d in order", len(m.known), len(m.order))
	}
}

// The ids of findings begin again in each journal: what was decided about an earlier one is not about the finding that
// has its id now.
func TestADecisionIsAboutOneJournal(t *testing.T) {
	h := newHarness(t, nil)
	h.table.find(knight, "confirmed")
	journal := func() string {
		var a struct{ Journal string }
		if r := h.ask("GET", "/api/v1/boards/12", h.arbiter, ""); r.status != 200 || json.Unmarshal(r.body, &a) != nil {
			t.Fatalf("the board: %d %s", r.status, r.body)
		}
		return a.Journal
	}
	decide := func(request, of string, seq int64) int {
		t.Helper()
		body := strings.Replace(decisionBody(request, knight, "confirm", seq), `"note":""`, fmt.Sprintf(`"journal":%q`, of), 1)
		return h.ask("POST", decisions, h.arbiter, body).status
	}
	first := journal()
	h.live.Add("12", live.Info{Journal: "12-r5", Rate: 1}).Ready()
	seq := h.table.find(knight, "confirmed")
	if status := decide("request-1", first, seq); status != 404 || h.table.count() != 0 {
		t.Errorf("about the journal %q: %d, %d records", first, status, h.table.count())
	}
	second := journal()
	h.live.Renamed("12", "12-r5--2") // which the phone has not heard
	for i, of := range []string{second, journal(), ""} {
		if status := decide(fmt.Sprint("request-1", i), of, seq); status != 200 {
			t.Errorf("about the journal %q: %d", of, status)
		}
		seq += 1
	}
}
