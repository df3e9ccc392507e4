package alerttest

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
)

// An Answer is the receiver's reaction to one request.
type Answer struct {
	Status  int // 0: 200
	Header  http.Header
	Body    string
	Hang    bool // no answer until the sender goes away
	Endless bool // an answer that never ends
	Echo    bool // the answer's text contains the whole request, secrets too
}

// A Request is a received request.
type Request struct {
	Method, Path string
	Header       http.Header
	Body         []byte
}

// A Receiver is an HTTP server on this computer. Its methods may be called from any goroutine.
type Receiver struct {
	URL string // http://127.0.0.1:PORT

	t       *testing.T
	mu      sync.Mutex
	server  *httptest.Server
	answers []Answer
	got     []Request
	cutting bool
	hanging int
	ended   chan struct{} // closed when the test ends: then no request hangs longer
}

// NewReceiver starts a receiver that answers 200 until instructed otherwise. It ends with the test.
func NewReceiver(t *testing.T) *Receiver {
	t.Helper()
	r := &Receiver{t: t, ended: make(chan struct{})}
	r.listen("127.0.0.1:0")
	t.Cleanup(func() {
		close(r.ended)
		r.Away()
	})
	return r
}

func (r *Receiver) listen(addr string) {
	r.t.Helper()
	l, err := net.Listen("tcp", addr)
	if err != nil {
		r.t.Fatalf("the receiver cannot listen: %v", err)
	}
	s := httptest.NewUnstartedServer(http.HandlerFunc(r.serve))
	_ = s.Listener.Close()
	s.Listener = l
	s.Start()
	r.mu.Lock()
	r.server, r.URL = s, s.URL
	r.mu.Unlock()
}

// Away closes the receiver: connections are refused.
func (r *Receiver) Away() {
	r.mu.Lock()
	s := r.server
	r.server = nil
	r.mu.Unlock()
	if s != nil {
		s.CloseClientConnections()
		s.Close()
	}
}

// Back opens the receiver again, at the same address.
func (r *Receiver) Back() {
	r.t.Helper()
	r.listen(r.URL[len("http://"):])
}

// Answer queues the answers to the next requests.
func (r *Receiver) Answer(list ...Answer) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answers = append(r.answers, list...)
}

// Cut makes every request end with a cut connection, until it is called with false. It is not an Answer, because a
// transport may repeat a broken request.
func (r *Receiver) Cut(on bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.cutting = on
}

// Take returns the requests since the last Take, in order.
func (r *Receiver) Take() []Request {
	r.mu.Lock()
	defer r.mu.Unlock()
	got := slices.Clone(r.got)
	r.got = nil
	return got
}

// Hanging returns the number of requests that wait for an answer that does not come.
func (r *Receiver) Hanging() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.hanging
}

func (r *Receiver) hang(n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.hanging += n
}

// maxRequest bounds the part of a request that is read.
const maxRequest = 4 << 20

func (r *Receiver) serve(w http.ResponseWriter, req *http.Request) {
	body, _ := io.ReadAll(io.LimitReader(req.Body, maxRequest))
	r.mu.Lock()
	r.got = append(r.got, Request{req.Method, req.URL.RequestURI(), req.Header.Clone(), body})
	var a Answer
	cutting := r.cutting
	if len(r.answers) > 0 && !cutting {
		a, r.answers = r.answers[0], r.answers[1:]
	}
	r.mu.Unlock()
	switch {
	case a.Hang:
		r.hang(1)
		defer r.hang(-1)
		select {
		case <-req.Context().Done():
		case <-r.ended:
		}
		return
	case cutting:
		panic(http.ErrAbortHandler)
	}
	for k, v := range a.Header {
		w.Header()[k] = v
	}
	if a.Status == 0 {
		a.Status = http.StatusOK
	}
	w.WriteHeader(a.Status)
	if a.Echo {
		_ = req.Header.Write(w)
		_, _ = w.Write(body)
	}
	_, _ = io.WriteString(w, a.Body)
	for a.Endless && req.Context().Err() == nil {
		if _, err := w.Write(bytes.Repeat([]byte("and so on\n"), 1000)); err != nil {
			return
		}
	}
}
