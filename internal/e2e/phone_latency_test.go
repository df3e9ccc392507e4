//go:build linux

package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// phonesMeasured is how many phones follow; alertsMeasured how many confirmed findings each of them gets in one round.
const (
	phonesMeasured = 50
	alertsMeasured = 40
	latencySpeed   = 8
)

// BenchmarkAlertToPhones measures, with four tables at which people err, from the moment at which a finding was
// confirmed to the moment at which each of 50 phones has read it from its socket.
//
// The moment of confirmation is the time of the journal's Say record: the time at which the bytes came, or the deadline
// passed, by which it was confirmed. The object in the feed has the same time. It is on the board's own time line; the
// opening record of the journal has the wall time of its beginning, written down some microseconds after it, and both
// processes look at the same clock of the same computer. So the figures hold everything in between: judging, the
// journal, the feed, the sockets, and the 50 readers of this process, which compete for the same cores.
//
//	p50_ms, p99_ms, max_ms  from the confirmation to a phone, over all phones and alerts
//	spread_p99_ms           from the first phone to the last one, of the same alert; needs no common clock
//	server_p99_ms           the upper bound of the bucket of /metrics with the 99th percentile
//	cpu_waits_%             of the time some process of this computer waited for a core (/proc/pressure/cpu); where it is
//	                        high, the figures are those of the neighbours
func BenchmarkAlertToPhones(b *testing.B) {
	if raceBuild {
		b.Skip("the race detector is what would be measured")
	}
	for _, c := range []struct {
		name  string
		stuck bool
	}{{"all read", false}, {"one is stuck", true}} {
		b.Run(c.name, func(b *testing.B) {
			var m measured
			waited, begun := cpuWaited(), time.Now()
			for range b.N {
				m.round(b, c.stuck)
			}
			b.ReportMetric(100*float64(cpuWaited()-waited)/float64(time.Since(begun)), "cpu_waits_%")
			b.ReportMetric(0, "ns/op") // says nothing: people play
			for _, r := range []struct {
				unit string
				list []time.Duration
				q    float64
			}{{"p50_ms", m.late, .5}, {"p99_ms", m.late, .99}, {"max_ms", m.late, 1}, {"spread_p99_ms", m.spread, .99}} {
				b.ReportMetric(quantile(r.list, r.q), r.unit)
			}
			b.ReportMetric(m.server, "server_p99_ms")
			b.ReportMetric(float64(len(m.late)), "samples")
		})
	}
}

// cpuWaited is how long some process has waited for a core since the start of the computer; 0 where the kernel does not
// say.
func cpuWaited() time.Duration {
	text, err := os.ReadFile("/proc/pressure/cpu")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), "total=")
	var us int64
	_, _ = fmt.Sscanf(rest, "%d", &us) // 0 where it is another format
	return time.Duration(us) * time.Microsecond
}

// measured is what the phones have seen.
type measured struct {
	late, spread []time.Duration
	server       float64
}

// quantile is in milliseconds.
func quantile(list []time.Duration, q float64) float64 {
	slices.Sort(list)
	if len(list) == 0 {
		return 0
	}
	n := min(int(q*float64(len(list))), len(list)-1)
	return float64(list[n].Microseconds()) / 1000
}

// arrival is a confirmed finding at one phone.
type arrival struct {
	board, finding string
	t              float64
	at             time.Time
}

// round opens a page and measures until each phone has that many alerts.
func (m *measured) round(b *testing.B, stuck bool) {
	b.Helper()
	v := newVenue(b)
	v.configure(b, "")
	v.ran(v.place.start(b, "simulate", "-c", v.conf, "--boards", "4", "--offences", "20", "--speed", fmt.Sprint(latencySpeed), "--seed", "7"))
	v.invited(b)
	ann := v.pair(b, "Ann")
	came := make(chan arrival, 4096)
	for range phonesMeasured {
		ann.watchArrivals(b, came)
	}
	if stuck {
		ann.halfOpen(b)
	}
	byFinding := map[string][]arrival{}
	whole, late := 0, time.After(5*time.Minute)
	renew := time.NewTicker(time.Second)
	defer renew.Stop()
	for whole < alertsMeasured {
		select {
		case a := <-came:
			key := a.board + " " + a.finding
			if byFinding[key] = append(byFinding[key], a); len(byFinding[key]) == phonesMeasured {
				whole++
			}
		case <-renew.C:
			if followers := v.gauge(b, "boardwatchd_followers"); stuck && followers <= phonesMeasured {
				ann.halfOpen(b) // dropped: again
			}
		case <-late:
			b.Fatalf("only %d findings have come to all phones", whole)
		}
	}
	m.server = max(m.server, v.pageP99(b))
	v.process.stop(b)
	m.count(b, v, byFinding)
}

// watchArrivals follows the feed on a connection of its own and passes on findings that are confirmed for the first
// time.
func (h *handset) watchArrivals(b *testing.B, came chan<- arrival) {
	b.Helper()
	s := h.follow(b, "")
	known := map[string]bool{}
	s.each(func(e happened) {
		if e.name != "finding" || !strings.Contains(e.data, `"state":"confirmed"`) {
			return
		}
		var f struct {
			Board, ID string
			T         float64
		}
		if json.Unmarshal([]byte(e.data), &f) != nil {
			return
		}
		if !known[f.Board+f.ID] {
			known[f.Board+f.ID] = true
			came <- arrival{f.Board, f.ID, f.T, e.at}
		}
	})
}

// count maps the boards' times to the wall clock, by the opening records of the journals.
func (m *measured) count(b *testing.B, v *venue, byFinding map[string][]arrival) {
	b.Helper()
	began := map[string]time.Time{}
	for _, list := range byFinding {
		if len(list) < phonesMeasured {
			continue
		}
		begin, ok := began[list[0].board]
		if !ok {
			begin = v.beganAt(b, list[0].board)
			began[list[0].board] = begin
		}
		confirmed := begin.Add(time.Duration(list[0].t * float64(time.Second) / latencySpeed))
		first, last := list[0].at, list[0].at
		for _, a := range list {
			m.late = append(m.late, a.at.Sub(confirmed))
			if a.at.Before(first) {
				first = a.at
			}
			if a.at.After(last) {
				last = a.at
			}
		}
		m.spread = append(m.spread, last.Sub(first))
	}
}

// beganAt is the wall time of a board's journal's beginning.
func (v *venue) beganAt(b *testing.B, board string) time.Time {
	b.Helper()
	files, err := filepath.Glob(filepath.Join(v.state(), "simulation-*-table"+board+".bwj"))
	if err != nil || len(files) != 1 {
		b.Fatalf("journals of board %s: %v (%v)", board, files, err)
	}
	l := mustRead(b, v.state(), strings.TrimSuffix(filepath.Base(files[0]), ".bwj"))
	var o struct{ Wall time.Time }
	if err := json.Unmarshal([]byte(l.entries[0].body), &o); err != nil || o.Wall.IsZero() {
		b.Fatalf("opening record: %v", err)
	}
	return o.Wall
}

// pageP99 is what the daemon itself has measured, to the write into the socket.
func (v *venue) pageP99(b *testing.B) float64 {
	b.Helper()
	for _, m := range v.metrics(b)["boardwatchd_alert_latency_seconds"].GetMetric() {
		for _, l := range m.GetLabel() {
			if l.GetValue() != "page" {
				continue
			}
			h := m.GetHistogram()
			for _, bucket := range h.GetBucket() {
				if float64(bucket.GetCumulativeCount()) >= .99*float64(h.GetSampleCount()) {
					return 1000 * bucket.GetUpperBound()
				}
			}
		}
	}
	return 0
}
