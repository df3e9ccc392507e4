//go:build linux

package e2e

import (
	"fmt"
	"strings"
	"testing"
)

// TestBudgets: what the configuration limits is limited, and metrics and doctor say limit and use.
func TestBudgets(t *testing.T) {
	long(t)
	t.Parallel()
	v := newVenue(t)
	v.configure(t, "boards: [{name: b1, port: "+v.path("nothing")+"}]\njournal: {keep_days: 400}\n"+
		"budgets: {journals: 20GiB, free: 1MiB, garbage: 1MiB, connections: 200, memory: 64MiB, descriptors: 700, log_lines: 6}\n")
	v.open(t)
	m := v.metrics(t)
	eventually(t, "descriptors are counted", func() bool {
		m = v.metrics(t)
		return value(m, "boardwatchd_descriptors") > 3
	}, func() string { return "" })
	for name, want := range map[string]float64{
		"journals_limit_bytes": 20 << 30, "disk_free_limit_bytes": 1 << 20, "journals_due": 0, "journals_removed_total": 0, "garbage_limit_bytes": 1 << 20,
		"connections_limit": 200, "memory_limit_bytes": 64 << 20, "descriptors_limit": 700, "log_lines_limit": 6, "log_lines_left_out_total": 0,
	} {
		if name = "boardwatchd_" + name; m[name] == nil || value(m, name) != want {
			t.Errorf("%s is %v, want %v", name, value(m, name), want)
		}
	}
	if used := value(m, "boardwatchd_memory_bytes"); used < 1<<20 || used > 64<<20 {
		t.Errorf("%v bytes of memory are used", used)
	}
	list := v.examined(t)
	for _, row := range []string{
		"journals: ", "garbage: no line is full of it (1 MB", "descriptors: ", " of 700 are used", " of 200 are open", " of 64 MB are used", "(6 a minute",
	} {
		if list.find(row) < 0 {
			t.Errorf("doctor does not say %q: %+v", row, list)
		}
	}
	ann := v.stranger()
	for range 50 { // who is refused again and again does not fill the log
		if status, _, err := ann.call(t.Context(), "GET", "/nothing", nil); err != nil || status != 404 {
			t.Fatalf("%d, %v", status, err)
		}
	}
	written := func() int { return strings.Count(v.err.String(), `"status":404`) }
	left := int(value(v.metrics(t), "boardwatchd_log_lines_left_out_total"))
	eventually(t, "each is written or counted", func() bool { return written()+left == 50 }, func() string { return fmt.Sprint(written(), " and ", left) })
	if left < 10 {
		t.Errorf("of 50 requests that are refused %d lines are left out", left)
	}
}
