package web

import (
	"errors"
	"net"
	"net/http"
	"strconv"
	"time"

	"boardwatchd/internal/access"
	"boardwatchd/rules/words"
)

// A browser does not let an HTTP answer replace a Secure cookie, so the cookie has another name over HTTPS.
const (
	cookieName = "boardwatchd"
	secureName = "boardwatchd_tls"
	cookieLife = access.Life
	maxSecret  = 128 // longer than any cookie of ours
)

type sessionAnswer struct {
	Device    deviceJSON  `json:"device"`
	Event     string      `json:"event"`
	Round     string      `json:"round"`
	Version   string      `json:"version"`
	Epoch     string      `json:"epoch"`
	Languages []string    `json:"languages"`
	Secure    *secureJSON `json:"secure"`
	Push      *pushJSON   `json:"push"`
	NowMS     int64       `json:"now_ms"`
	Hall      bool        `json:"hall"` // the boards belong to several computers
	Sections  []Section   `json:"sections"`
}

// A Section is a part of the boards, by which the page can be filtered.
type Section struct {
	Name   string `json:"name"`
	Boards string `json:"boards"` // numbers and ranges, 1-120, 301-310
}

type deviceJSON struct {
	ID     string      `json:"id"`
	Name   string      `json:"name"`
	Role   access.Role `json:"role"`
	Boards []string    `json:"boards"`
}

type secureJSON struct {
	URL string `json:"url"`
	CA  string `json:"ca"`
}

type pushJSON struct {
	Key string `json:"key"`
}

func deviceOf(d access.Device) deviceJSON {
	boards := d.Boards
	if boards == nil {
		boards = []string{}
	}
	return deviceJSON{d.ID, d.Name, d.Role, boards}
}

func (s *Server) securePort() int {
	if s.Authority == nil || s.SecurePort == nil {
		return 0
	}
	return s.SecurePort()
}

func (s *Server) session(w http.ResponseWriter, r *http.Request, c *call) error {
	return s.answerSession(w, r, c.device)
}

func (s *Server) answerSession(w http.ResponseWriter, r *http.Request, d access.Device) error {
	a := sessionAnswer{
		Device: deviceOf(d), Event: s.Event(), Round: s.Round(), Version: s.Version, Epoch: s.Live.Epoch(),
		Languages: words.Languages(), NowMS: s.Now().UnixMilli(), Hall: s.Hall != nil, Sections: notNull(s.Sections),
	}
	if port := s.securePort(); port > 0 {
		a.Secure = &secureJSON{"https://" + net.JoinHostPort(hostName(r.Host), strconv.Itoa(port)) + "/", "/ca.crt"}
	}
	if s.PushKey != nil && s.PushKey() != "" {
		a.Push = &pushJSON{s.PushKey()}
	}
	return answer(w, a)
}

// pair makes a device of a client that knows an open code.
func (s *Server) pair(w http.ResponseWriter, r *http.Request, c *call) error {
	code, name := c.body.text("code", 1, 100), c.body.note("name", 100)
	if err := c.body.done(); err != nil {
		return err
	}
	d, secret, err := s.Access.Pair(originOf(r), code, name)
	if err != nil {
		return pairingError(err)
	}
	keepCookie(w, r, secret)
	s.keepPlace(r, d)
	s.log.Info().Str("device", d.ID).Str("role", string(d.Role)).Msg("A device was paired.")
	s.publishDevices()
	return s.answerSession(w, r, d)
}

// originOf is the origin under which wrong codes of a request are counted.
func originOf(r *http.Request) access.Origin {
	if peer := peerOf(r.RemoteAddr); peer != thisComputer {
		return access.Origin(peer.String())
	}
	return access.ThisComputer
}

func pairingError(err error) error {
	var many *access.TooMany
	switch {
	case errors.As(err, &many):
		e := refuse(http.StatusTooManyRequests, "too_many", "Too many wrong codes were tried.", "Wait, or scan the QR code.")
		e.retry = max(many.Retry, time.Second)
		return e
	case errors.Is(err, access.ErrWrongCode):
		return refuse(http.StatusForbidden, "wrong_code", "This code is not open: mistyped, used already, or too old.",
			"Ask for a new one: an arbiter's device shows it under Devices.")
	case errors.Is(err, access.ErrTooManyDevices):
		return refuse(http.StatusForbidden, "too_many_devices", "No more devices can be paired.",
			"Remove one that is not used, under Devices.")
	case errors.Is(err, access.ErrNotSaved):
		return notKept()
	}
	return err
}

func notKept() error {
	return refuse(http.StatusServiceUnavailable, "not_saved", "The list of devices could not be written to the disk.",
		"Free the disk, and try again.")
}

// ownName is the name of the cookie for the request's scheme.
func ownName(r *http.Request) string {
	if r.TLS != nil {
		return secureName
	}
	return cookieName
}

// setCookie writes the session's cookie; age -1 removes it.
func setCookie(w http.ResponseWriter, name, secret string, age int) {
	http.SetCookie(w, &http.Cookie{
		Name: name, Value: secret, Path: "/", MaxAge: age,
		HttpOnly: true, Secure: name == secureName, SameSite: http.SameSiteStrictMode,
	})
}

func keepCookie(w http.ResponseWriter, r *http.Request, secret string) {
	setCookie(w, ownName(r), secret, int(cookieLife.Seconds()))
}

// recognise finds the calling device. A phone that was paired over HTTP is the same one over HTTPS, and gets the cookie
// of HTTPS; the cookie of HTTPS is not accepted over HTTP.
func (s *Server) recognise(w http.ResponseWriter, r *http.Request, c *call) {
	if s.checkCookie(r, ownName(r), c) || r.TLS == nil {
		return
	}
	if s.checkCookie(r, cookieName, c) {
		keepCookie(w, r, c.secret)
	}
}

// caller is the calling device on a route that needs none.
func (s *Server) caller(r *http.Request) access.Device {
	var c call
	if !s.checkCookie(r, ownName(r), &c) && r.TLS != nil {
		s.checkCookie(r, cookieName, &c)
	}
	return c.device
}

func (s *Server) checkCookie(r *http.Request, name string, c *call) bool {
	k, err := r.Cookie(name)
	if err != nil || len(k.Value) > maxSecret {
		return false
	}
	d, ok := s.Access.Check(k.Value)
	if ok {
		c.device, c.secret = d, k.Value
	}
	return ok
}

// changeSession changes the device's name and the boards that it follows.
func (s *Server) changeSession(w http.ResponseWriter, r *http.Request, c *call) error {
	name, boards := c.body.note("name", 100), c.body.list("boards", 1000, 64)
	named, chosen := c.body.has("name"), c.body.has("boards")
	if err := c.body.done(); err != nil {
		return err
	}
	if named {
		if err := s.Access.Rename(c.device.ID, name); err != nil {
			return deviceError(err)
		}
	}
	if chosen {
		if err := s.Access.SetBoards(c.device.ID, boards); err != nil {
			return deviceError(err)
		}
	}
	s.publishDevices()
	d, ok := s.Access.Device(c.device.ID)
	if !ok {
		return deviceError(access.ErrUnknownDevice)
	}
	return s.answerSession(w, r, d)
}

// unpair forgets this device.
func (s *Server) unpair(w http.ResponseWriter, r *http.Request, c *call) error {
	err := s.Access.Revoke(c.device.ID)
	s.places.forget(c.device.ID)
	if err != nil {
		return deviceError(err)
	}
	w.Header().Del("Set-Cookie")
	setCookie(w, cookieName, "", -1)
	if r.TLS != nil {
		setCookie(w, secureName, "", -1)
	}
	s.log.Info().Str("device", c.device.ID).Msg("A device has unpaired itself.")
	s.publishDevices()
	w.WriteHeader(http.StatusNoContent)
	return nil
}
