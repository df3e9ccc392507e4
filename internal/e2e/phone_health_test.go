//go:build linux

package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

// stranger is somebody without a cookie.
func (v *venue) stranger() *handset { return &handset{v: v, web: http.DefaultClient} }

// metrics reads and parses what Prometheus would.
func (v *venue) metrics(t testing.TB) map[string]*dto.MetricFamily {
	t.Helper()
	status, text, err := v.stranger().call(t.Context(), "GET", "/metrics", nil)
	if err != nil || status != http.StatusOK {
		t.Fatalf("metrics: %d %s (%v)", status, text, err)
	}
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(bytes.NewReader(text))
	if err != nil {
		t.Fatalf("the metrics do not parse: %v\n%s", err, text)
	}
	return families
}

// value sums what a family has under the labels: a counter, a gauge, or the count of a histogram.
func value(families map[string]*dto.MetricFamily, name string, labels ...string) (n float64) {
	for _, m := range families[name].GetMetric() {
		has := 0
		for _, l := range m.GetLabel() {
			if i := slices.Index(labels, l.GetName()); i >= 0 && i%2 == 0 && labels[i+1] == l.GetValue() {
				has += 2
			}
		}
		if has == len(labels) {
			n += m.GetCounter().GetValue() + m.GetGauge().GetValue() + float64(m.GetHistogram().GetSampleCount())
		}
	}
	return n
}

func (v *venue) health(t testing.TB) (status int, what string) {
	t.Helper()
	status, text, err := v.stranger().call(t.Context(), "GET", "/healthz", nil)
	if err != nil {
		t.Fatal(err)
	}
	return status, strings.TrimSpace(string(text))
}

// TestPhoneMetrics: a finding and a decision move what is counted, and how long the page took is in the histogram.
func TestPhoneMetrics(t *testing.T) {
	long(t)
	t.Parallel()
	v := openVenue(t, "")
	ann := v.pair(t, "Ann")
	feed := ann.follow(t, "")
	before := v.metrics(t)
	if status, what := v.health(t); status != http.StatusOK || what != `{"status":"ok","boards":1}` {
		t.Errorf("with one board: %d %s", status, what)
	}
	item := ann.awaitConfirmed(t)
	feed.await(t, "the confirmed finding", func(e happened) bool {
		return e.name == "finding" && strings.Contains(e.data, `"state":"confirmed"`)
	})
	ann.rule(t, item, "confirm")
	after := v.metrics(t)
	for _, c := range []struct {
		name   string
		labels []string
		more   float64 // at least; 0: exactly the same
	}{
		{"boardwatchd_findings_total", []string{"kind", "illegal.knight", "state", "confirmed"}, 1},
		{"boardwatchd_decisions_total", []string{"decision", "confirm"}, 1},
		{"boardwatchd_alert_latency_seconds", []string{"channel", "page"}, 1},
		{"boardwatchd_frames_total", []string{"board", boardName}, 20},
		{"boardwatchd_events_total", nil, 8},
		{"boardwatchd_garbage_bytes_total", nil, 0},
		{"boardwatchd_link_losses_total", nil, 0},
		{"boardwatchd_journal_degraded", nil, 0},
		{"boardwatchd_boards", []string{"state", "ok"}, 0},
		{"boardwatchd_build_info", nil, 0},
	} {
		if after[c.name] == nil && c.more > 0 {
			t.Errorf("there is no %s", c.name)
		}
		if grown := value(after, c.name, c.labels...) - value(before, c.name, c.labels...); grown < c.more || c.more == 0 && grown != 0 {
			t.Errorf("%s%v has grown by %v, want %v", c.name, c.labels, grown, c.more)
		}
	}
	if n := value(after, "boardwatchd_findings_open", "board", boardName); n != 0 {
		t.Errorf("%v findings wait, and all is decided", n)
	}
	if n := value(after, "boardwatchd_followers"); n != 1 {
		t.Errorf("%v followers, want the one phone", n)
	}
}

// TestPhoneHealthWithoutBoards: nothing is watched, and that is not well.
func TestPhoneHealthWithoutBoards(t *testing.T) {
	long(t)
	t.Parallel()
	v := newVenue(t)
	v.configure(t, "boards: [{name: b1, port: "+v.path("nothing")+"}]\n")
	v.open(t)
	if status, what := v.health(t); status != http.StatusOK || what != `{"status":"ok","boards":1}` {
		t.Errorf("a board whose port is not there yet is looked for: %d %s", status, what)
	}
	v.stopped(t)
	v.configure(t, "") // looks for boards on the serial ports
	v.again(t)
	if status, what := v.health(t); status != http.StatusServiceUnavailable || what != `{"status":"no_board","boards":0}` {
		t.Errorf("without a board: %d %s", status, what)
	}
}

// TestPhoneMetricsFromTheNetwork: who is not on this computer needs a paired device, or a configuration that opens
// them.
func TestPhoneMetricsFromTheNetwork(t *testing.T) {
	long(t)
	t.Parallel()
	outside := outsideAddress()
	if outside == nil {
		t.Skip("this computer has no address but its own loopback")
	}
	for open, want := range map[string]int{"local": http.StatusForbidden, "lan": http.StatusOK} {
		t.Run(open, func(t *testing.T) {
			t.Parallel()
			v := newVenue(t)
			port := freePort(t)
			v.configure(t, fmt.Sprintf("http: {listen: ':%d', secure: off, metrics: %s}\nboards: [{name: b1, port: %s}]\n", port, open, v.path("nothing")))
			v.open(t)
			v.url = "http://" + net.JoinHostPort(outside.String(), fmt.Sprint(port))
			status, text, err := v.stranger().call(t.Context(), "GET", "/metrics", nil)
			if err != nil || status != want {
				t.Errorf("a stranger: %d %.200s (%v), want %d", status, text, err, want)
			}
			if status, _, err := v.pair(t, "Ann").call(t.Context(), "GET", "/metrics", nil); err != nil || status != http.StatusOK {
				t.Errorf("a paired phone: %d (%v)", status, err)
			}
			if status, what := v.health(t); status != http.StatusOK {
				t.Errorf("health for anybody: %d %s", status, what)
			}
		})
	}
}

// outsideAddress is one of this computer's addresses that is not loopback and needs no zone.
func outsideAddress() net.IP {
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		return nil
	}
	for _, a := range addresses {
		if n, ok := a.(*net.IPNet); ok && n.IP.IsGlobalUnicast() {
			return n.IP
		}
	}
	return nil
}

// TestPhoneDoctorKnowsTheDaemon: doctor, with the configuration of the one that runs, says that it runs; its status is
// 1 if and only if something stands in the way; each line is JSON.
func TestPhoneDoctorKnowsTheDaemon(t *testing.T) {
	long(t)
	t.Parallel()
	v := newVenue(t)
	v.configure(t, fmt.Sprintf("http: {listen: ':%d', secure: off}\nboards: [{name: b1, port: auto}]\n", freePort(t)))
	idle := v.examined(t)
	if n := idle.find("is free"); n < 0 {
		t.Errorf("before the start the port is not free: %+v", idle)
	}
	v.open(t)
	busy := v.examined(t)
	if n := busy.find("a running boardwatchd serves"); n < 0 || busy[n].Level != "ok" {
		t.Errorf("it does not know the daemon: %+v", busy)
	}
	// The same port, and another program at it.
	v.stopped(t)
	l, err := net.Listen("tcp", ":"+v.url[strings.LastIndexByte(v.url, ':')+1:])
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	server := &http.Server{Handler: http.NotFoundHandler()}
	go func() { _ = server.Serve(l) }() // until it is closed
	defer server.Close()
	taken := v.examined(t)
	if n := taken.find("is taken by"); n < 0 || taken[n].Level != "fail" || taken[n].Remedy == "" {
		t.Errorf("it does not know the other program: %+v", taken)
	}
}

// checks are what doctor found.
type checks []struct{ Type, Check, Level, Text, Remedy string }

func (c checks) find(text string) int {
	for i := range c {
		if strings.Contains(c[i].Text, text) {
			return i
		}
	}
	return -1
}

// examined runs doctor and checks its counts and status.
func (v *venue) examined(t *testing.T) (list checks) {
	t.Helper()
	r := v.run(t, "", "doctor", "-c", v.conf, "--format", "jsonl")
	levels := map[string]int{}
	lines := strings.Split(strings.TrimSpace(r.out), "\n")
	for _, line := range lines[:len(lines)-1] {
		var c checks
		if err := json.Unmarshal([]byte("["+line+"]"), &c); err != nil || c[0].Type != "check" {
			t.Fatalf("%s: %v", line, err)
		}
		levels[c[0].Level]++
		if c[0].Level == "fail" && c[0].Remedy == "" {
			t.Errorf("no remedy: %s", line)
		}
		list = append(list, c[0])
	}
	var sum struct {
		Type           string
		OK, Warn, Fail int
	}
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &sum); err != nil || sum.Type != "summary" ||
		sum.OK != levels["ok"] || sum.Warn != levels["warn"] || sum.Fail != levels["fail"] {
		t.Errorf("the summary is %s, the checks are %v (%v)", lines[len(lines)-1], levels, err)
	}
	if want := map[bool]int{true: 1, false: 0}[levels["fail"] > 0]; r.status != want {
		t.Errorf("exit status %d with %v\n%s", r.status, levels, r.out)
	}
	for _, c := range list {
		if c.Level == "fail" {
			t.Logf("%s: %s", c.Check, c.Text)
		}
	}
	return list
}
