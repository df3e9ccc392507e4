package web

import (
	"net/http"
	"slices"
	"strconv"

	"boardwatchd/internal/live"
)

// This file has routes that are not for the arbiter: the certificates, health and metrics.

// certificate is the certificate of the authority, for phones to install.
func (s *Server) certificate(w http.ResponseWriter, _ *http.Request, _ *call) error {
	if s.Authority == nil {
		return notFound()
	}
	return download(w, "application/x-x509-ca-cert", "boardwatchd.crt", s.Authority.CA())
}

// mobileConfig is the certificate in the form that iPhones need.
func (s *Server) mobileConfig(w http.ResponseWriter, _ *http.Request, _ *call) error {
	if s.Authority == nil {
		return notFound()
	}
	return download(w, "application/x-apple-aspen-config", "boardwatchd.mobileconfig", s.Authority.MobileConfig())
}

func download(w http.ResponseWriter, kind, name string, b []byte) error {
	h := w.Header()
	h.Set("Content-Type", kind)
	h.Set("Content-Disposition", `attachment; filename="`+name+`"`)
	h.Set("Content-Length", strconv.Itoa(len(b)))
	w.WriteHeader(http.StatusOK)
	_, _ = w.Write(b)
	return nil
}

type healthAnswer struct {
	Status string `json:"status"`
	Boards int    `json:"boards"`
}

// healthz reports whether boards are watched. The page at the other port may read its answer: that is how the page
// finds out whether the phone trusts the certificate.
func (s *Server) healthz(w http.ResponseWriter, _ *http.Request, _ *call) error {
	w.Header().Set("Cross-Origin-Resource-Policy", "cross-origin")
	a := s.health()
	status := http.StatusOK
	if a.Status != "ok" {
		status = http.StatusServiceUnavailable
	}
	answerJSON(w, status, a)
	return nil
}

func (s *Server) health() healthAnswer {
	all := s.Live.Summaries()
	list := slices.DeleteFunc(slices.Clone(all), func(b live.Summary) bool { return !b.Watching })
	a := healthAnswer{"ok", len(list)}
	switch {
	case s.Stuck != nil && s.Stuck():
		a.Status = "stuck"
	case slices.ContainsFunc(all, func(b live.Summary) bool { return b.HealthWhat == live.JournalRead }):
		a.Status = "reading"
	case len(list) == 0:
		a.Status = "no_board"
	case slices.ContainsFunc(list, func(b live.Summary) bool { return b.Journal == "degraded" }):
		a.Status = "journal"
	case slices.ContainsFunc(all, func(b live.Summary) bool { return b.HealthWhat == live.MirrorStalled }):
		a.Status = "behind"
	}
	return a
}

func (s *Server) metrics(w http.ResponseWriter, r *http.Request, _ *call) error {
	if s.Metrics == nil {
		return notFound()
	}
	s.Metrics.ServeHTTP(w, r)
	return nil
}
