//go:build linux

package e2e

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"testing"

	"boardwatchd/internal/sharedtest"
)

// TestPhoneStrangersHoldNoPlaces: strangers open hundreds of connections and leave them idle. The phone that is paired
// keeps its feed and opens new connections, another one pairs, this computer reads health and metrics, and the program
// stays below its descriptors.
func TestPhoneStrangersHoldNoPlaces(t *testing.T) {
	long(t)
	v := newVenue(t)
	port := fmt.Sprint(freePort(t))
	v.configure(t, fmt.Sprintf("http: {listen: ':%s', secure: off}\nboards: [{name: b1, port: %s}]\n", port, v.path("nothing")))
	v.open(t)
	local := "http://" + net.JoinHostPort("127.0.0.1", port)
	outside := outsideAddress()
	if outside == nil {
		t.Log("this computer has no address but its own loopback: the strangers use that")
		outside = net.IPv4(127, 0, 0, 2)
	}
	v.url = "http://" + net.JoinHostPort(outside.String(), port)
	ann := v.pair(t, "Ann")
	feed := ann.follow(t, "")
	feed.hello(t)

	for i, from := range slices.Concat(slices.Repeat([]string{outside.String()}, 700), slices.Repeat([]string{"127.0.0.1"}, 400)) {
		c, err := net.Dial("tcp", net.JoinHostPort(from, port))
		if err != nil {
			t.Fatalf("connection %d: %v", i, err)
		}
		defer c.Close()
		_, _ = io.WriteString(c, "GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n") // one without a request is closed after seconds
	}

	ctx, cancel := context.WithTimeout(t.Context(), sharedtest.Patience(t))
	defer cancel()
	ann.web.CloseIdleConnections()
	for range 3 {
		if status, text, err := ann.call(ctx, "GET", "/api/v1/boards", nil); err != nil || status != http.StatusOK {
			t.Errorf("the paired phone: %d %s (%v)", status, text, err)
		}
		ann.web.CloseIdleConnections()
	}
	v.pair(t, "Bob")
	v.url = local
	if status, what := v.health(t); status != http.StatusOK {
		t.Errorf("health: %d %s", status, what)
	}
	m := v.metrics(t)
	if n := value(m, "boardwatchd_connections_reclaimed_total"); n < 100 {
		t.Errorf("%v connections were reclaimed", n)
	}
	if n := value(m, "boardwatchd_connections", "of", "paired"); n < 1 {
		t.Errorf("%v connections are kept for paired devices", n)
	}
	if open, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", v.cmd.Process.Pid)); err != nil || len(open) > 512+12+6 {
		t.Errorf("the program has %d descriptors (%v)", len(open), err)
	}
	if _, _, err := feed.look(); err != nil {
		t.Errorf("the feed has ended: %v", err)
	}
}

// TestPhoneWrongCodesLockNobodyOut: a stranger types wrong codes without end. He is locked out of typing; another
// address types a right code at once, and he himself may scan one.
func TestPhoneWrongCodesLockNobodyOut(t *testing.T) {
	long(t)
	t.Parallel()
	outside := outsideAddress()
	if outside == nil {
		t.Skip("this computer has no address but its own loopback")
	}
	v := newVenue(t)
	port := fmt.Sprint(freePort(t))
	v.configure(t, fmt.Sprintf("http: {listen: ':%s', secure: off}\nboards: [{name: b1, port: %s}]\n", port, v.path("nothing")))
	v.open(t)
	local := "http://" + net.JoinHostPort("127.0.0.1", port)
	v.url = local
	ann := v.pair(t, "Ann")
	v.url = "http://" + net.JoinHostPort(outside.String(), port)
	answers := map[int]int{}
	try := func(code string) int {
		status, _, err := v.stranger().call(t.Context(), "POST", "/api/v1/pair", map[string]string{"code": code, "name": "Eve"})
		if err != nil {
			t.Fatal(err)
		}
		return status
	}
	for range 100 {
		answers[try("ABCD-EFGH")]++
	}
	if answers[http.StatusForbidden] < 5 || answers[http.StatusTooManyRequests] < 50 {
		t.Errorf("wrong codes are answered %v", answers)
	}
	v.url = local
	typed := ann.anotherCode(t)
	_, scanned := ann.invite(t)
	v.url = "http://" + net.JoinHostPort(outside.String(), port)
	if status := try(typed); status != http.StatusTooManyRequests {
		t.Errorf("the right code, typed where the wrong ones came from: %d", status)
	}
	if status := try(scanned); status != http.StatusOK {
		t.Errorf("scanned there: %d", status)
	}
	v.url = local
	if status := try(typed); status != http.StatusOK {
		t.Errorf("typed elsewhere: %d", status)
	}
}
