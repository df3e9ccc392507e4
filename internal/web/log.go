package web

import (
	"errors"
	"fmt"
	"log"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"github.com/rs/zerolog"
)

// logged collects what the log needs of an answer, and whether the connection can be used again.
type logged struct {
	http.ResponseWriter
	pattern string
	status  int
	bytes   int64
	unread  bool // the request has a body that was not read
	first   bool // HTTP/1: one request at a time
}

// closeIfUnread ends the connection with this answer if a body was not read: otherwise net/http would wait for the body
// before it answers.
func closeIfUnread(w http.ResponseWriter) {
	if l, ok := w.(*logged); ok && l.unread && l.first {
		l.Header().Set("Connection", "close")
	}
}

// wasRead notes that the body was read.
func wasRead(w http.ResponseWriter) {
	if l, ok := w.(*logged); ok {
		l.unread = false
	}
}

func (l *logged) WriteHeader(status int) {
	if l.status == 0 {
		l.status = status
	}
	l.ResponseWriter.WriteHeader(status)
}

func (l *logged) Write(b []byte) (int, error) {
	if l.status == 0 {
		l.status = http.StatusOK
	}
	n, err := l.ResponseWriter.Write(b)
	l.bytes += int64(n)
	return n, err
}

func (l *logged) Unwrap() http.ResponseWriter { return l.ResponseWriter }

// logRequest ends a request: it answers a panic with 500 and writes one line. The line has the route's pattern and
// never the path, the query, a header or a body, because acknowledgement tokens, codes and cookies are in those.
func (s *Server) logRequest(l *logged, r *http.Request, begun time.Time) {
	if p := recover(); p != nil {
		if err, ok := p.(error); ok && errors.Is(err, http.ErrAbortHandler) {
			panic(p)
		}
		s.log.Error().Str("route", l.pattern).Str("panic", fmt.Sprint(p)).Bytes("stack", debug.Stack()).
			Msg("A request made the program stumble.")
		if l.status == 0 {
			s.answerError(l, fmt.Errorf("panic in %s", l.pattern))
		}
	}
	line := s.log.Debug()
	if l.status >= http.StatusBadRequest {
		line = s.log.Warn()
	}
	line.Str("method", knownMethod(r.Method)).Str("route", l.pattern).Int("status", l.status).Int64("bytes", l.bytes).
		Dur("took", s.Now().Sub(begun)).Str("from", remote(r).String()).Msg("request")
}

func knownMethod(m string) string {
	switch m {
	case "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS":
		return m
	}
	return "other"
}

// errorLog receives the messages of net/http: broken handshakes and the like, which any stranger can cause.
func errorLog(l zerolog.Logger) *log.Logger { return log.New(debugWriter{l}, "", 0) }

type debugWriter struct{ log zerolog.Logger }

func (d debugWriter) Write(b []byte) (int, error) {
	d.log.Debug().Str("said", strings.TrimSpace(string(b))).Msg("net/http")
	return len(b), nil
}
