package web

import (
	"fmt"
	"net/http"
	"strings"
	"syscall"
	"testing"

	"boardwatchd/internal/hall/roster"
)

// aHall notes its calls.
type aHall struct {
	told  []string
	fails error
}

func (h *aHall) Invite(name string) (HallToken, error) {
	h.told = append(h.told, fmt.Sprintf("invite %q", name))
	return HallToken{Token: "bwh1.x", SVG: "<svg/>", ExpiresMS: 5}, h.fails
}

func (h *aHall) Accept(code, name string) error {
	h.told = append(h.told, "accept "+code+" "+name)
	return h.fails
}

func (h *aHall) Refuse(code string) error { h.told = append(h.told, "refuse "+code); return h.fails }

func (h *aHall) Belongs(board string) error {
	h.told = append(h.told, "belongs "+board)
	return h.fails
}

func TestTheListOfComputers(t *testing.T) {
	list := roster.List{Hall: true, Rows: []roster.Row{{Computer: "table-1", Level: roster.Good, Problems: []roster.Problem{}}}, Newcomers: []roster.Newcomer{}}
	in := &aHall{}
	h := newHarness(t, func(o *Options) { o.Computers, o.Hall = func() roster.List { return list }, in })
	if a := h.ask("GET", "/api/v1/computers", h.viewer, ""); a.status != http.StatusOK || !strings.Contains(string(a.body), `"computer":"table-1"`) {
		t.Errorf("a viewer gets %d %s", a.status, a.body)
	}
	if a := h.ask("GET", "/api/v1/session", h.viewer, ""); !strings.Contains(string(a.body), `"hall":true`) {
		t.Errorf("the session is %s", a.body)
	}
	requests := []struct {
		method, path, body string
		status             int
		told               string
	}{
		{"POST", "/api/v1/computers/invitations", `{"name":" table-2 "}`, http.StatusOK, `invite "table-2"`},
		{"POST", "/api/v1/computers/invitations", `{"name":""}`, http.StatusOK, `invite ""`},
		{"POST", "/api/v1/computers/newcomers/K7QF-2M9X", `{"name":"table-3"}`, http.StatusNoContent, "accept K7QF-2M9X table-3"},
		{"DELETE", "/api/v1/computers/newcomers/K7QF-2M9X", "", http.StatusNoContent, "refuse K7QF-2M9X"},
		{"POST", "/api/v1/computers/boards/7", `{}`, http.StatusNoContent, "belongs 7"},
	}
	for _, r := range requests {
		if a := h.ask(r.method, r.path, h.viewer, r.body); a.status != http.StatusForbidden {
			t.Errorf("a viewer: %s %s: %d", r.method, r.path, a.status)
		}
		in.told = nil
		if a := h.ask(r.method, r.path, h.arbiter, r.body); a.status != r.status || strings.Join(in.told, ", ") != r.told {
			t.Errorf("%s %s: %d %s, told %q", r.method, r.path, a.status, a.body, in.told)
		}
		for err, status := range map[error]int{ErrNotThere: http.StatusNotFound, ErrConflict: http.StatusConflict, ErrNameInUse: http.StatusConflict, syscall.EROFS: http.StatusServiceUnavailable} {
			in.fails = err
			if a := h.ask(r.method, r.path, h.arbiter, r.body); a.status != status || (status == http.StatusServiceUnavailable) != strings.Contains(string(a.body), `"code":"not_saved"`) ||
				status == http.StatusServiceUnavailable && !strings.Contains(string(a.body), `"cause":"read_only"`) {
				t.Errorf("%s %s with %v: %d %s", r.method, r.path, err, a.status, a.body)
			}
			in.fails = nil
		}
		if r.method == "POST" {
			if a := h.ask(r.method, r.path, h.arbiter, `{"other":1}`); a.status != http.StatusBadRequest {
				t.Errorf("%s with an unknown key: %d", r.path, a.status)
			}
		}
	}
}

// A computer alone has a list and nothing to invite.
func TestAComputerAloneIsNoHall(t *testing.T) {
	h := newHarness(t, nil)
	if a := h.ask("GET", "/api/v1/computers", h.viewer, ""); a.status != http.StatusOK || !strings.Contains(string(a.body), `"rows":[]`) {
		t.Errorf("the list: %d %s", a.status, a.body)
	}
	if a := h.ask("POST", "/api/v1/computers/invitations", h.arbiter, `{"name":"x"}`); a.status != http.StatusNotFound || !strings.Contains(string(a.body), "no_hall") {
		t.Errorf("an invitation: %d %s", a.status, a.body)
	}
}
