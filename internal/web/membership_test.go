package web

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"syscall"
	"testing"
)

// aMember notes its calls.
type aMember struct {
	now   HallMember
	told  []string
	fails error
	heard bool
}

func (m *aMember) Membership() HallMember { return m.now }

func (m *aMember) JoinHall(_ context.Context, token string, replace bool) (HallMember, error) {
	m.told = append(m.told, fmt.Sprintf("join %s %t", token, replace))
	return m.now, m.fails
}

func (m *aMember) LeaveHall() (bool, error) {
	m.told = append(m.told, "leave")
	return m.heard, m.fails
}

// A computer joins and leaves a hall on its page: an arbiter decides, a viewer can see it, and malformed requests are
// not passed on.
func TestMembership(t *testing.T) {
	m := &aMember{now: HallMember{Computer: "table-7", At: []string{"192.0.2.1:8161"}, Here: true}, heard: true}
	h := newHarness(t, func(o *Options) { o.Member = m })
	if a := h.ask("GET", "/api/v1/computers", h.viewer, ""); a.status != http.StatusOK ||
		!strings.Contains(string(a.body), `"member":{"computer":"table-7","at":["192.0.2.1:8161"],"here":true,"code":"","fixed":false}`) {
		t.Errorf("a viewer gets %d %s", a.status, a.body)
	}
	const path, member = "/api/v1/membership", `{"computer":"table-7"`
	for _, r := range []struct {
		who, method, body string
		status            int
		told, answer      string
	}{
		{h.arbiter, "POST", `{"token":"bwh1.x"}`, http.StatusOK, "join bwh1.x false", member},
		{h.arbiter, "POST", `{"token":"bwh1.x","replace":false}`, http.StatusOK, "join bwh1.x false", member},
		{h.arbiter, "POST", `{"token":"bwh1.x","replace":true}`, http.StatusOK, "join bwh1.x true", member},
		{h.arbiter, "POST", `{"token":""}`, http.StatusBadRequest, "", ""},
		{h.arbiter, "POST", `{"token":"` + strings.Repeat("x", longestToken+1) + `"}`, http.StatusBadRequest, "", ""},
		{h.arbiter, "POST", `{"token":"bwh1.x","replace":"yes"}`, http.StatusBadRequest, "", ""},
		{h.arbiter, "POST", `{"token":"bwh1.x","other":1}`, http.StatusBadRequest, "", ""},
		{h.arbiter, "POST", `{}`, http.StatusBadRequest, "", ""},
		{h.arbiter, "DELETE", "", http.StatusOK, "leave", `{"heard":true}`},
		{h.viewer, "POST", `{"token":"bwh1.x"}`, http.StatusForbidden, "", ""},
		{h.viewer, "DELETE", "", http.StatusForbidden, "", ""},
		{"", "POST", `{"token":"bwh1.x"}`, http.StatusUnauthorized, "", ""},
		{"", "DELETE", "", http.StatusUnauthorized, "", ""},
	} {
		m.told = nil
		a := h.ask(r.method, path, r.who, r.body)
		if a.status != r.status || strings.Join(m.told, ", ") != r.told || !strings.HasPrefix(string(a.body), r.answer) {
			t.Errorf("%s %.60s: %d %s, told %q; want %d, %q", r.method, r.body, a.status, a.body, m.told, r.status, r.told)
		}
	}
	if strings.Contains(h.log.String(), "bwh1.x") {
		t.Error("the log has the token")
	}
	m.heard = false
	if a := h.ask("DELETE", path, h.arbiter, ""); a.status != http.StatusOK || !strings.HasPrefix(string(a.body), `{"heard":false}`) {
		t.Errorf("the hall has not heard it: %d %s", a.status, a.body)
	}
}

// A refusal has a reason for programs and the arguments of the page's text; for another hall it also has the remedy.
func TestMembershipIsRefused(t *testing.T) {
	m := &aMember{}
	h := newHarness(t, func(o *Options) { o.Member = m })
	for _, r := range []struct {
		err    error
		status int
		want   []string
	}{
		{&JoinError{Code: "other_hall", Text: "this computer is table-1 of a hall", Args: []string{"table-1", "192.0.2.1:8161"}}, http.StatusConflict,
			[]string{`"code":"other_hall"`, `This computer is table-1 of a hall.`, `"table-1","192.0.2.1:8161"`, "leave that one"}},
		{fmt.Errorf("join: %w", &JoinError{Code: "no_token", Text: "this is no token"}), http.StatusConflict, []string{`"code":"no_token"`, "This is no token.", "the whole line"}},
		{&JoinError{Code: "hall_refuses", Text: "the hall does not take it"}, http.StatusConflict, []string{`"code":"hall_refuses"`, "ask at the hall"}},
		{syscall.ENOSPC, http.StatusServiceUnavailable, []string{`"code":"not_saved"`, "What this computer keeps of its hall was not saved"}},
	} {
		m.fails = r.err
		for method, body := range map[string]string{"POST": `{"token":"bwh1.x"}`, "DELETE": ""} {
			a := h.ask(method, "/api/v1/membership", h.arbiter, body)
			if a.status != r.status {
				t.Errorf("%s with %v: %d %s", method, r.err, a.status, a.body)
			}
			for _, part := range r.want {
				if !strings.Contains(string(a.body), part) {
					t.Errorf("%s with %v: %s has no %s", method, r.err, a.body, part)
				}
			}
		}
	}
}

// The computer of a hall can be in none.
func TestAHallIsNoMember(t *testing.T) {
	h := newHarness(t, nil)
	for method, body := range map[string]string{"POST": `{"token":"bwh1.x"}`, "DELETE": ""} {
		if a := h.ask(method, "/api/v1/membership", h.arbiter, body); a.status != http.StatusNotFound || a.code() != "is_hall" {
			t.Errorf("%s: %d %s", method, a.status, a.body)
		}
	}
	if a := h.ask("GET", "/api/v1/computers", h.viewer, ""); strings.Contains(string(a.body), `"member"`) {
		t.Errorf("the list is %s", a.body)
	}
}
