package web

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"boardwatchd/internal/sharedtest"
)

// closed stands for a connection that is closed without an answer.
const closed = 0

// Requests that no client library sends. ARBITER stands for the arbiter's cookie.
var rawAttacks = []struct {
	what string
	send string
	want int
}{
	{"no Host", "GET / HTTP/1.1\r\n\r\n", 400},
	{"two Hosts", "GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n", 400},
	{"HTTP/1.0 without Host", "GET / HTTP/1.0\r\n\r\n", 421},
	{"empty Host", "GET / HTTP/1.1\r\nHost:\r\n\r\n", 421},
	{"Host with a blank", "GET / HTTP/1.1\r\nHost: local host\r\n\r\n", 400},
	{"Host with a semicolon, meant for the policy header", "GET / HTTP/1.1\r\nHost: localhost;script-src:80\r\n\r\n", 421},
	{"Host with user", "GET / HTTP/1.1\r\nHost: localhost@evil.example\r\n\r\n", 400},
	{"absolute address of another host", "GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\n\r\n", 421},
	{"proxy request", "CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n", 421},
	{"proxy request to an address", "CONNECT 10.0.0.1:443 HTTP/1.1\r\nHost: 10.0.0.1:443\r\n\r\n", 404},
	{"OPTIONS *", "OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n", 404},
	{"no slash", "GET index.html HTTP/1.1\r\nHost: localhost\r\n\r\n", 400},
	{"raw dot dot", "GET /../../etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n", 404},
	{"raw NUL in the path", "GET /\x00 HTTP/1.1\r\nHost: localhost\r\n\r\n", 400},
	{"header injection in a header", "GET / HTTP/1.1\r\nHost: localhost\r\nX: a\rSet-Cookie: b\r\n\r\n", 400},
	{"header name with a blank", "GET / HTTP/1.1\r\nHost: localhost\r\nX : a\r\n\r\n", 400},
	{"folded header", "GET / HTTP/1.1\r\nHost: localhost\r\n folded\r\n\r\n", 400},
	{"a header of 15 KB", "GET /nothing HTTP/1.1\r\nHost: localhost\r\nX: " + strings.Repeat("a", 15<<10) + "\r\n\r\n", 404},
	{"a header of 17 KB", "GET /nothing HTTP/1.1\r\nHost: localhost\r\nX: " + strings.Repeat("a", 17<<10) + "\r\n\r\n", 431},
	{"40 KB of headers", "GET / HTTP/1.1\r\nHost: localhost\r\nX: " + strings.Repeat("a", 40<<10) + "\r\n\r\n", 431},
	{"thousands of headers", "GET / HTTP/1.1\r\nHost: localhost\r\n" + strings.Repeat("a: b\r\n", 8000) + "\r\n", 431},
	{"smuggling: two lengths", "POST /api/v1/pair HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}", 400},
	{"smuggling: unknown transfer coding", "POST /api/v1/pair HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: xchunked\r\n\r\n{}", 501},
	{"negative length", "POST /api/v1/pair HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n", 400},
	{"broken chunks", "POST /api/v1/pair HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", 400},
	{"endless chunks", "POST /api/v1/pair HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n" +
		strings.Repeat("1000\r\n"+strings.Repeat(" ", 4096)+"\r\n", 5), 413},
	{"unknown version", "GET / HTTP/3.0\r\nHost: localhost\r\n\r\n", 505},
	{"no HTTP", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400},
	{"a second cookie of that name does not help", "GET /api/v1/boards HTTP/1.1\r\nHost: localhost\r\nCookie: boardwatchd=x; boardwatchd=ARBITER\r\n\r\n", 401},
	{"the cookie under another name", "GET /api/v1/boards HTTP/1.1\r\nHost: localhost\r\nCookie: Boardwatchd=ARBITER\r\n\r\n", 401},
	{"pipelined requests are two requests", "GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\nGET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", 404},
	{"upgrade", "GET /api/v1/boards HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n", 401},
}

func TestRawAttacks(t *testing.T) {
	h := newHarness(t, nil)
	for _, a := range rawAttacks {
		t.Run(a.what, func(t *testing.T) {
			c, err := net.Dial("tcp", strings.TrimPrefix(h.base, "http://"))
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			if err := c.SetDeadline(sharedtest.Late(t)); err != nil {
				t.Fatal(err)
			}
			go func() { _, _ = io.WriteString(c, strings.ReplaceAll(a.send, "ARBITER", h.arbiter)) }() // it may be cut off in the middle
			if got := statusOn(c); got != a.want {
				t.Errorf("status %d, not %d", got, a.want)
			}
			if h.table.count() != 0 {
				t.Error("something was told to the board")
			}
		})
	}
}

// statusOn is the status of the next answer, or closed.
func statusOn(c net.Conn) int {
	r, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		return closed
	}
	defer r.Body.Close()
	_, _ = io.Copy(io.Discard, r.Body)
	return r.StatusCode
}

// Slow clients, in virtual time.
func TestSlowClients(t *testing.T) {
	for _, a := range []struct {
		what  string
		send  string
		every time.Duration // between two bytes of more
		more  string
		want  int
		after time.Duration
	}{
		{"nothing is sent", "", 0, "", closed, headerTime},
		{"half a header", "GET / HTTP/1.1\r\nHost: local", 0, "", closed, headerTime},
		{"a header byte by byte", "GET / HTTP/1.1\r\n", time.Second, "X: aaaaaaaaaaaaaaaa", closed, headerTime},
		{"half a body", "POST /api/v1/pair HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{", 0, "", 408, 10 * time.Second},
		{"a body byte by byte", "POST /api/v1/pair HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{",
			time.Second, strings.Repeat(" ", 40), 408, 10 * time.Second},
		{"a slow body without a pairing is not waited for", "POST " + decisions + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{",
			0, "", 401, 0},
		{"chunks that never end", "POST /api/v1/pair HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n",
			0, "", 408, 10 * time.Second},
	} {
		t.Run(a.what, func(t *testing.T) {
			inMemory(t, nil, func(t *testing.T, _ *harness, p *pipes) {
				c := p.dial()
				begun := time.Now()
				written := make(chan struct{})
				go func() {
					defer close(written)
					_, err := io.WriteString(c, a.send)
					for i := 0; err == nil && i < len(a.more); i++ {
						time.Sleep(a.every)
						_, err = io.WriteString(c, a.more[i:i+1])
					}
				}()
				got, took := statusOn(c), time.Since(begun)
				if got != a.want || took != a.after {
					t.Errorf("status %d after %v, not %d after %v", got, took, a.want, a.after)
				}
				_ = c.Close()
				<-written
			})
		})
	}
}

// A body that the route does not read is not waited for, and does not hold the connection longer than one that is read.
func TestUnaskedBodyIsNotWaitedFor(t *testing.T) {
	inMemory(t, nil, func(t *testing.T, h *harness, p *pipes) {
		c := p.dial()
		begun, written := time.Now(), make(chan struct{})
		go func() {
			defer close(written)
			_, _ = fmt.Fprintf(c, "DELETE /api/v1/push HTTP/1.1\r\nHost: localhost\r\nCookie: boardwatchd=%s\r\nContent-Length: 100\r\n\r\n{", h.arbiter)
		}()
		if got := statusOn(c); got != 204 || time.Since(begun) > 0 {
			t.Errorf("status %d after %v", got, time.Since(begun))
		}
		if _, err := c.Read(make([]byte, 1)); err == nil || time.Since(begun) > 11*time.Second {
			t.Errorf("%v after %v", err, time.Since(begun))
		}
		_ = c.Close()
		<-written
	})
}

// One address gets 256 connections; each one more costs it the one on which nothing has happened for longest.
func TestTooManyConnections(t *testing.T) {
	h := newHarness(t, nil)
	address := strings.TrimPrefix(h.base, "http://")
	dial := func() *visitor {
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close() })
		if err := c.SetDeadline(sharedtest.Late(t)); err != nil {
			t.Fatal(err)
		}
		return visit(c)
	}
	visitors := make([]*visitor, maxConns/2)
	for i := range visitors {
		visitors[i] = dial()
		if got := visitors[i].get("/nothing", ""); got != 404 {
			t.Fatalf("connection %d is answered %d", i, got)
		}
	}
	if got := visitors[0].get("/nothing", ""); got != 404 { // others are idle for longer now
		t.Errorf("the first connection is answered %d", got)
	}
	for range 20 {
		if got := dial().get("/nothing", ""); got != 404 {
			t.Fatalf("one connection more is answered %d", got)
		}
	}
	gone := 0
	for i, v := range visitors {
		if v.get("/nothing", "") == 404 {
			continue
		}
		gone++
		if i == 0 || i >= maxConns/4 { // that a request has ended is noted after its answer: neighbours may change places
			t.Errorf("connection %d is closed, and others were idle for longer", i)
		}
	}
	if gone != 20 {
		t.Errorf("%d connections are closed for 20 new ones", gone)
	}
	if c := h.server.Connections(); c != (Connections{Local: maxConns / 2, Limit: maxConns, Reclaimed: 20}) {
		t.Errorf("%+v", c)
	}
}

func TestPeersOfOneNetwork(t *testing.T) {
	for _, row := range []struct{ a, b string }{
		{"[2001:db8::1]:1", "[2001:db8::ffff]:2"}, {"10.0.0.1:1", "[::ffff:10.0.0.1]:2"}, {"[fe80::1%eth0]:1", "[fe80::2%eth1]:1"},
		{"127.0.0.1:1", "127.3.2.1:1"}, {"127.0.0.1:1", "[::1]:1"}, {"127.0.0.1:1", "[::ffff:127.0.0.1]:1"},
	} {
		if a, b := peerOf(row.a), peerOf(row.b); a != b || !a.IsValid() {
			t.Errorf("%s and %s are %v and %v", row.a, row.b, a, b)
		}
	}
}
