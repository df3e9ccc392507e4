package web

import (
	"strings"
	"testing"
)

// While the list cannot be read, a device that is not on it gets a time at which to ask again. It is not let in.
func TestAnUnknownDeviceWhileTheListCannotBeRead(t *testing.T) {
	h := newHarness(t, nil)
	for _, unread := range []bool{true, false} {
		h.store.SetUnread(unread)
		r := h.ask("GET", "/api/v1/session", strings.Repeat("x", len(h.arbiter)), "")
		if again := r.header.Get("Retry-After") != ""; r.status != 401 || r.code() != "not_paired" || again != unread {
			t.Errorf("unread %v: %d %s, Retry-After %q", unread, r.status, r.body, r.header.Get("Retry-After"))
		}
		if r := h.ask("GET", "/api/v1/session", h.arbiter, ""); r.status != 200 {
			t.Errorf("a known device: %d %s", r.status, r.body)
		}
	}
}
