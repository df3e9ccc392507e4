package web

import (
	"strings"
	"testing"
)

// A device that is not on the list is told to ask again while the list cannot be read, and is let in no more than else.
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
