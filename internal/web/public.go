package web

import (
	"bytes"
	"net/http"
	"net/netip"
	"sync"
	"time"
)

// PublicPath is the path of the games of the round for the public, if the configuration allows it.
const PublicPath = "/broadcast/round.pgn"

// Public is a text for the public.
type Public struct {
	Body     []byte
	ETag     string // without quotes
	Modified time.Time
}

// The limits of PublicPath: programs ask every few seconds.
const (
	publicSendings = 16 // texts that are being sent at a time
	paceBurst      = 20 // requests of one address at once
	paceEvery      = time.Second / 2
	pacedMost      = 1024 // addresses that are remembered
)

// publicGames answers with the games that are due. It requests nothing from the boards: the text was made before.
func (s *Server) publicGames(w http.ResponseWriter, r *http.Request, _ *call) error {
	if s.Public == nil {
		return notFound()
	}
	if !s.pace.allow(peerOf(r.RemoteAddr), time.Now()) {
		w.Header().Set("Retry-After", "1")
		return refuse(http.StatusTooManyRequests, "too_many", "This address asks too often.",
			"Ask every few seconds, with If-None-Match.")
	}
	text, ok := s.Public()
	if !ok {
		return busyPublic(w, "The journals are being read.")
	}
	select {
	case s.sendings <- struct{}{}:
		defer func() { <-s.sendings }()
	default:
		return busyPublic(w, "The games are being sent to many others.")
	}
	h := w.Header()
	h.Set("Content-Type", "application/x-chess-pgn; charset=utf-8")
	h.Set("Cache-Control", "no-cache")
	h.Set("ETag", `"`+text.ETag+`"`)
	http.ServeContent(&pieces{w, s.Stall}, r, "", text.Modified, bytes.NewReader(text.Body))
	return nil
}

func busyPublic(w http.ResponseWriter, why string) error {
	w.Header().Set("Retry-After", "2")
	return refuse(http.StatusServiceUnavailable, "busy", why, "Ask again in some seconds.")
}

// pieces is a writer with a deadline for each write.
type pieces struct {
	http.ResponseWriter
	stall time.Duration
}

func (p *pieces) Write(b []byte) (int, error) {
	_ = http.NewResponseController(p.ResponseWriter).SetWriteDeadline(time.Now().Add(p.stall))
	return p.ResponseWriter.Write(b)
}

// pace limits how often one address may ask.
type pace struct {
	mu   sync.Mutex
	full map[netip.Prefix]time.Time // when all its requests will be forgotten
}

func newPace() *pace { return &pace{full: map[netip.Prefix]time.Time{}} }

// allow counts a request if there is room for it.
func (p *pace) allow(peer netip.Prefix, now time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	until := p.full[peer]
	if until.Before(now) {
		until = now
	}
	if until = until.Add(paceEvery); until.Sub(now) > paceBurst*paceEvery {
		return false
	}
	if len(p.full) >= pacedMost {
		for other, at := range p.full {
			if at.Before(now) {
				delete(p.full, other)
			}
		}
		if len(p.full) >= pacedMost {
			clear(p.full)
		}
	}
	p.full[peer] = until
	return true
}
