package metrics_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"

	"boardwatchd/internal/live"
	"boardwatchd/internal/metrics"
	"boardwatchd/internal/record"
	"boardwatchd/internal/watch"
)

// threeBoards are one that is watched well, one whose link was lost, one that is not watched any more.
func threeBoards() *live.Boards {
	h := live.New(live.Options{})
	a, b := h.Add("1", live.Info{}), h.Add("2", live.Info{})
	h.Add("3", live.Info{})
	h.Remove("3")
	a.Recovered(record.Record{Seq: 1, Kind: record.Say, Body: []byte(`{"type":"finding","id":"old","kind":"illegal.pawn","state":"confirmed"}`)})
	a.Seen(watch.View{At: 1, Link: "up", Frames: 7, Garbage: 3, LeftOut: 2, LateUS: 2_500_000}, nil)
	for _, state := range []string{"suspected", "confirmed", "confirmed"} {
		a.Said([]byte(fmt.Sprintf(`{"type":"finding","id":"a","kind":"illegal.knight","state":%q,"alert":"now"}`, state)))
	}
	a.Entered(record.Record{Seq: 2, Kind: record.Decide, Body: []byte(`{"finding":"old","decision":"confirm"}`)})
	a.Entered(record.Record{Seq: 3, Kind: record.Decide, Body: []byte(`{"finding":"old","decision":"sudo"}`)})
	b.Seen(watch.View{At: 1, Link: "down"}, nil)
	b.Said([]byte(`{"type":"health","what":"link_down"}`))
	b.Degraded("disk full", "pi")
	h.Follow("")
	return h
}

const exposition = `
# HELP boardwatchd_boards Boards by how well they are watched.
# TYPE boardwatchd_boards gauge
boardwatchd_boards{state="bad"} 1
boardwatchd_boards{state="ok"} 1
boardwatchd_boards{state="unwatched"} 1
boardwatchd_boards{state="warn"} 0
# HELP boardwatchd_descriptors Files, ports and connections that are open; 0 where that cannot be seen.
# TYPE boardwatchd_descriptors gauge
boardwatchd_descriptors 30
# HELP boardwatchd_descriptors_limit Files, ports and connections that may be open.
# TYPE boardwatchd_descriptors_limit gauge
boardwatchd_descriptors_limit 1024
# HELP boardwatchd_disk_free_limit_bytes Bytes of the disk of the journals that are kept free.
# TYPE boardwatchd_disk_free_limit_bytes gauge
boardwatchd_disk_free_limit_bytes 1.073741824e+09
# HELP boardwatchd_garbage_limit_bytes Bytes a day and board of what is part of no message that the journal has in full.
# TYPE boardwatchd_garbage_limit_bytes gauge
boardwatchd_garbage_limit_bytes 5.24288e+06
# HELP boardwatchd_journals_due Journals of which it is announced that they will be removed.
# TYPE boardwatchd_journals_due gauge
boardwatchd_journals_due 3
# HELP boardwatchd_journals_limit_bytes Bytes that all journals may take before closed rounds are removed.
# TYPE boardwatchd_journals_limit_bytes gauge
boardwatchd_journals_limit_bytes 1.099511627776e+12
# HELP boardwatchd_journals_removed_total Journals that were removed since the start, for room or at the end of their time.
# TYPE boardwatchd_journals_removed_total counter
boardwatchd_journals_removed_total 4
# HELP boardwatchd_log_lines_left_out_total Lines of the log that were left out since the start because they were the same as others.
# TYPE boardwatchd_log_lines_left_out_total counter
boardwatchd_log_lines_left_out_total 37
# HELP boardwatchd_log_lines_limit Lines of the log that may be the same but for their values, a minute and board.
# TYPE boardwatchd_log_lines_limit gauge
boardwatchd_log_lines_limit 10
# HELP boardwatchd_memory_bytes Bytes of memory as the limit counts them: all of the runtime's but what it has given back.
# TYPE boardwatchd_memory_bytes gauge
boardwatchd_memory_bytes 2.097152e+07
# HELP boardwatchd_memory_limit_bytes Bytes of memory that the runtime tries to stay below.
# TYPE boardwatchd_memory_limit_bytes gauge
boardwatchd_memory_limit_bytes 8.388608e+07
# HELP boardwatchd_connections Connections to the page, by whom they are kept for.
# TYPE boardwatchd_connections gauge
boardwatchd_connections{of="local"} 2
boardwatchd_connections{of="others"} 3
boardwatchd_connections{of="paired"} 1
# HELP boardwatchd_connections_limit Connections to the page that there may be.
# TYPE boardwatchd_connections_limit gauge
boardwatchd_connections_limit 512
# HELP boardwatchd_connections_reclaimed_total Connections to the page that were closed since the start because there was no place for a new one.
# TYPE boardwatchd_connections_reclaimed_total counter
boardwatchd_connections_reclaimed_total 9
# HELP boardwatchd_decisions_total Decisions of arbiters since the start.
# TYPE boardwatchd_decisions_total counter
boardwatchd_decisions_total{decision="confirm"} 1
boardwatchd_decisions_total{decision="other"} 1
# HELP boardwatchd_findings_open Findings of a board that wait for a person.
# TYPE boardwatchd_findings_open gauge
boardwatchd_findings_open{board="1"} 1
boardwatchd_findings_open{board="2"} 0
boardwatchd_findings_open{board="3"} 0
# HELP boardwatchd_findings_total Times that a finding has come into a state since the start.
# TYPE boardwatchd_findings_total counter
boardwatchd_findings_total{kind="illegal.knight",state="confirmed"} 1
boardwatchd_findings_total{kind="illegal.knight",state="suspected"} 1
# HELP boardwatchd_followers Readers that follow the feed of events.
# TYPE boardwatchd_followers gauge
boardwatchd_followers 1
# HELP boardwatchd_frames_total Messages that a board has sent, those of its journal included.
# TYPE boardwatchd_frames_total counter
boardwatchd_frames_total{board="1"} 7
boardwatchd_frames_total{board="2"} 0
boardwatchd_frames_total{board="3"} 0
# HELP boardwatchd_garbage_bytes_total Bytes from a board that were part of no message, those of its journal included.
# TYPE boardwatchd_garbage_bytes_total counter
boardwatchd_garbage_bytes_total{board="1"} 3
boardwatchd_garbage_bytes_total{board="2"} 0
boardwatchd_garbage_bytes_total{board="3"} 0
# HELP boardwatchd_garbage_left_out_bytes_total Bytes from a board that were part of no message and came so fast that the journal has only their number.
# TYPE boardwatchd_garbage_left_out_bytes_total counter
boardwatchd_garbage_left_out_bytes_total{board="1"} 2
boardwatchd_garbage_left_out_bytes_total{board="2"} 0
boardwatchd_garbage_left_out_bytes_total{board="3"} 0
# HELP boardwatchd_journal_degraded 1 while the journal of a board cannot be written to its disk.
# TYPE boardwatchd_journal_degraded gauge
boardwatchd_journal_degraded{board="1"} 0
boardwatchd_journal_degraded{board="2"} 1
boardwatchd_journal_degraded{board="3"} 0
# HELP boardwatchd_late_seconds_total Seconds for which this program stood still or had no time for a board, in standstills of a second or more, those of its journal included.
# TYPE boardwatchd_late_seconds_total counter
boardwatchd_late_seconds_total{board="1"} 2.5
boardwatchd_late_seconds_total{board="2"} 0
boardwatchd_late_seconds_total{board="3"} 0
# HELP boardwatchd_link_losses_total Times that the link to a board was lost since the start.
# TYPE boardwatchd_link_losses_total counter
boardwatchd_link_losses_total{board="1"} 0
boardwatchd_link_losses_total{board="2"} 1
boardwatchd_link_losses_total{board="3"} 0
# HELP boardwatchd_events_total Durable events of the feed since the start.
# TYPE boardwatchd_events_total counter
boardwatchd_events_total 6
`

func connections() metrics.Connections {
	return metrics.Connections{Paired: 1, Local: 2, Others: 3, Limit: 512, Reclaimed: 9}
}

func TestTheBoardsAreCounted(t *testing.T) {
	m := metrics.New(threeBoards(), "1.2.3", "4")
	m.Connections(connections)
	m.Budgets(func() metrics.Budgets {
		return metrics.Budgets{Journals: 1 << 40, Free: 1 << 30, Garbage: 5 << 20, Due: 3, Removed: 4, Memory: 20 << 20, MemoryLimit: 80 << 20,
			Descriptors: 30, DescriptorsLimit: 1024, LogLines: 10, LogLinesLeftOut: 37}
	})
	var names []string
	for _, line := range strings.Split(exposition, "\n") {
		if name, ok := strings.CutPrefix(line, "# TYPE "); ok {
			names = append(names, strings.Fields(name)[0])
		}
	}
	if err := testutil.GatherAndCompare(m.Registry(), strings.NewReader(exposition), names...); err != nil {
		t.Error(err)
	}
}

// Every level of every kind is there from the beginning, and each manipulation is in one of them.
func TestHandsAreCountedOnce(t *testing.T) {
	h := live.New(live.Options{})
	a := h.Add("1", live.Info{})
	a.Seen(watch.View{At: 1, Hands: [3]watch.HandsView{{Judged: 900, Unusual: 7, Advisory: 5, Held: 2}, {}, {Judged: 9, Unusual: 1, Advisory: 2}}}, nil)
	m := metrics.New(h, "", "")
	want := "# HELP boardwatchd_hands_total Captures, castlings and promotions whose timing was judged for two hands, by how far it looks like them, those of its journal included.\n# TYPE boardwatchd_hands_total counter\n"
	for i, n := range [3][4]int{{893, 2, 3, 2}, {}, {7, 0, 2, 0}} {
		for j, level := range []string{"usual", "unusual", "suspected", "held_back"} {
			want += fmt.Sprintf("boardwatchd_hands_total{board=\"1\",kind=%q,level=%q} %d\n", watch.HandsKinds[i], level, n[j])
		}
	}
	if err := testutil.GatherAndCompare(m.Registry(), strings.NewReader(want), "boardwatchd_hands_total"); err != nil {
		t.Error(err)
	}
}

func TestNamesAndTypesFollowTheConventions(t *testing.T) {
	m := metrics.New(threeBoards(), "1.2.3", "4")
	m.Connections(connections)
	m.Budgets(func() metrics.Budgets { return metrics.Budgets{} })
	m.AlertSent("ntfy", time.Second)
	problems, err := testutil.GatherAndLint(m.Registry())
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Errorf("%s: %s", p.Metric, p.Text)
	}
}

func TestTheHandlerAnswersWithText(t *testing.T) {
	m := metrics.New(threeBoards(), "1.2.3", "4")
	m.AlertSent("ntfy", 200*time.Millisecond)
	m.AlertSent("ntfy", -time.Second)
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	if w.Code != http.StatusOK || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain") {
		t.Fatalf("status %d, %s", w.Code, w.Header().Get("Content-Type"))
	}
	for _, want := range []string{
		`boardwatchd_alert_latency_seconds_bucket{channel="ntfy",le="0.001"} 1`,
		`boardwatchd_alert_latency_seconds_bucket{channel="ntfy",le="0.25"} 2`,
		`boardwatchd_alert_latency_seconds_bucket{channel="ntfy",le="60"} 2`,
		`revision="4",version="1.2.3"} 1`, "go_goroutines", "process_start_time_seconds",
	} {
		if !strings.Contains(w.Body.String(), want) {
			t.Errorf("no %s", want)
		}
	}
}

func TestLabelsAreBounded(t *testing.T) {
	h := live.New(live.Options{})
	b := h.Add("\xff", live.Info{})
	m := metrics.New(h, "", "")
	for i := range 1000 {
		m.AlertSent(fmt.Sprint(i), time.Second)
		b.Said([]byte(fmt.Sprintf(`{"type":"finding","id":"%d","kind":"k%d","state":"s%d"}`, i, i, i)))
		b.Entered(record.Record{Kind: record.Decide, Body: []byte(fmt.Sprintf(`{"finding":"x","decision":"d%d"}`, i))})
	}
	for name, most := range map[string]int{
		"boardwatchd_alert_latency_seconds": 33, "boardwatchd_findings_total": 257, "boardwatchd_decisions_total": 1,
	} {
		if n, err := testutil.GatherAndCount(m.Registry(), name); err != nil || n != most {
			t.Errorf("%s: %d series, want %d, error %v", name, n, most, err)
		}
	}
}
