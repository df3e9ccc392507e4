package web

import (
	"net/http"
	"strings"
	"time"

	"boardwatchd/internal/access"
)

// maxPath is longer than any path of the page.
const maxPath = 512

// chain has the steps of every request, in this order: headers, address, origin, route, role, body. An unpaired client
// is refused before its body is read.
func (s *Server) chain() http.Handler {
	s.cross.AddInsecureBypassPattern("POST /ack/{token}") // buttons of notifications: the token is the proof
	table := s.table()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		begun := s.Now()
		l := &logged{ResponseWriter: w, pattern: "?", unread: r.ContentLength != 0, first: r.ProtoMajor == 1}
		defer s.logRequest(l, r, begun)
		control := http.NewResponseController(w)
		// The deadline of the whole answer; the feed sets its own, write by write.
		_ = control.SetWriteDeadline(time.Now().Add(decideTime + 2*s.Stall))
		if l.unread {
			_ = control.SetReadDeadline(time.Now().Add(s.Patience)) // net/http itself would wait for the rest without a limit
		}
		s.secure(l.Header(), r)
		if err := s.admit(r); err != nil {
			s.answerError(l, err)
			return
		}
		table.ServeHTTP(l, r)
	})
}

// admit refuses requests that are wrong for every route.
func (s *Server) admit(r *http.Request) error {
	if !s.hosts.allow(r.Host) {
		return refuse(http.StatusMisdirectedRequest, "wrong_host", "This computer is not called that.",
			"Open the page by its IP address, or add the name to http.names in the configuration.")
	}
	if err := checkPath(r); err != nil {
		return err
	}
	if s.cross.Check(r) != nil {
		return refuse(http.StatusForbidden, "cross_origin", "Another page has sent this.", "Use the arbiter's page itself.")
	}
	return nil
}

// checkPath refuses paths with a hidden meaning, before the mux cleans them.
func checkPath(r *http.Request) error {
	p := r.URL.Path
	if len(r.RequestURI) > 4*maxPath || len(p) > maxPath {
		return refuse(http.StatusRequestURITooLong, "too_long", "The address is too long.", "Open the page at /.")
	}
	escaped := strings.ToLower(r.URL.EscapedPath())
	if !strings.HasPrefix(p, "/") || strings.Contains(p, "//") || strings.Contains(p, "\\") || strings.Contains(escaped, "%2f") ||
		strings.ContainsFunc(p, func(c rune) bool { return c < 0x20 || c == 0x7f || c == '\ufffd' }) {
		return notFound()
	}
	for part := range strings.SplitSeq(p, "/") {
		if part == "." || part == ".." {
			return notFound()
		}
	}
	return nil
}

// answering finds the route, checks the rights, reads the body and calls the handler.
func (s *Server) answering(find func(*http.Request) (route, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		t, err := find(r)
		if l, ok := w.(*logged); ok {
			l.pattern = t.pattern
		}
		if err == nil {
			err = s.call(w, r, t)
		}
		if err != nil {
			s.answerError(w, err)
		}
	})
}

func (s *Server) call(w http.ResponseWriter, r *http.Request, t route) error {
	c := new(call)
	if err := s.letIn(w, r, c, t.who); err != nil {
		return err
	}
	if t.body == bare {
		closeIfUnread(w)
		return t.handler(w, r, c)
	}
	var err error
	if c.body, err = receive(w, r, t.body); err != nil {
		return err
	}
	return t.handler(w, r, c)
}

// letIn sets the caller, or refuses it.
func (s *Server) letIn(w http.ResponseWriter, r *http.Request, c *call, allowed who) error {
	if allowed == anybody {
		s.keepPlace(r, s.caller(r))
		return nil
	}
	s.recognise(w, r, c)
	s.keepPlace(r, c.device)
	known := c.device.ID != ""
	switch {
	case allowed == near && (s.MetricsOpen || known || remote(r).IsLoopback()):
		return nil
	case allowed == near:
		return refuse(http.StatusForbidden, "not_near", "Only this computer and paired devices may read this.",
			"Set http.metrics to lan to open it.")
	case !known && s.Access.Unread():
		e := refuse(http.StatusUnauthorized, "not_paired", "This device is not known: the list of paired devices cannot be read.",
			"Wait until the disk reads again, or scan the QR code, or type the code that the program shows.")
		e.retry = unreadRetry
		return e
	case !known:
		return refuse(http.StatusUnauthorized, "not_paired", "This device is not paired.",
			"Scan the QR code, or type the code that the program shows.")
	case allowed == arbiter && c.device.Role != access.Arbiter:
		return refuse(http.StatusForbidden, "viewer", "This device may look, and not decide.",
			"Ask an arbiter to make this device one, under Devices.")
	}
	return nil
}

// unreadRetry is when a device may ask again that may be on a list which cannot be read.
const unreadRetry = 3 * time.Second

// secure sets the headers of every answer.
func (s *Server) secure(h http.Header, r *http.Request) {
	connect := "'self'"
	if host := hostName(r.Host); s.hosts.allow(r.Host) && !strings.Contains(host, ":") {
		connect += " https://" + host + ":*"
	}
	h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "+
		"connect-src "+connect+"; manifest-src 'self'; worker-src 'self'; "+
		"frame-ancestors 'none'; base-uri 'none'; form-action 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), microphone=(), geolocation=(), payment=(), usb=(), serial=()")
	h.Set("Cache-Control", "no-store")
}
