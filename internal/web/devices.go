package web

import (
	"crypto/ecdh"
	"encoding/base64"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"boardwatchd/internal/access"
	"boardwatchd/internal/qr"
)

// codeLife is how long a code for another device can be used.
const codeLife = 10 * time.Minute

type deviceRow struct {
	deviceJSON
	PairedMS int64 `json:"paired_ms"`
	SeenMS   int64 `json:"seen_ms"`
	Push     bool  `json:"push"`
	Own      bool  `json:"own"` // the requesting device
}

func rowOf(d access.Device, c *call) deviceRow {
	return deviceRow{deviceOf(d), d.PairedAt.UnixMilli(), d.SeenAt.UnixMilli(), d.Push != nil, d.ID == c.device.ID}
}

func (s *Server) devices(w http.ResponseWriter, _ *http.Request, c *call) error {
	list := []deviceRow{}
	for _, d := range s.Access.Devices() {
		list = append(list, rowOf(d, c))
	}
	return answer(w, struct {
		Devices []deviceRow `json:"devices"`
	}{list})
}

// publishDevices lets the pages of arbiters request the list again. The feed does not name paired devices.
func (s *Server) publishDevices() { s.Live.Publish("devices", "", []byte(`{"type":"devices"}`)) }

func deviceError(err error) error {
	var wrong *access.Invalid
	switch {
	case errors.As(err, &wrong):
		return refuse(http.StatusBadRequest, "wrong_value", wrong.Error(), "Send something else.")
	case errors.Is(err, access.ErrUnknownDevice):
		return refuse(http.StatusNotFound, "no_such_device", "There is no such device.", "Look at the list of devices again.")
	case errors.Is(err, access.ErrNotSaved):
		return notKept()
	}
	return err
}

func (s *Server) changeDevice(w http.ResponseWriter, r *http.Request, c *call) error {
	id := r.PathValue("id")
	name, role := c.body.note("name", 100), access.Role(c.body.word("role", "", string(access.Arbiter), string(access.Viewer)))
	named := c.body.has("name")
	if err := c.body.done(); err != nil {
		return err
	}
	if _, ok := s.Access.Device(id); !ok {
		return deviceError(access.ErrUnknownDevice)
	}
	if named {
		if err := s.Access.Rename(id, name); err != nil {
			return deviceError(err)
		}
	}
	if role != "" {
		if err := s.Access.SetRole(id, role); err != nil {
			return deviceError(err)
		}
		s.log.Info().Str("device", id).Str("by", c.device.ID).Str("role", string(role)).Msg("A device has another role.")
	}
	s.publishDevices()
	d, ok := s.Access.Device(id)
	if !ok {
		return deviceError(access.ErrUnknownDevice)
	}
	return answer(w, rowOf(d, c))
}

func (s *Server) revoke(w http.ResponseWriter, r *http.Request, c *call) error {
	id := r.PathValue("id")
	err := s.Access.Revoke(id)
	s.places.forget(id)
	if err != nil {
		return deviceError(err)
	}
	s.log.Info().Str("device", c.device.ID).Str("revoked", id).Msg("A device was revoked.")
	s.publishDevices()
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// newPairing makes a code for another device and draws it.
func (s *Server) newPairing(w http.ResponseWriter, r *http.Request, c *call) error {
	role := access.Role(c.body.word("role", string(access.Arbiter), string(access.Viewer)))
	if err := c.body.done(); err != nil {
		return err
	}
	code, err := s.Access.NewCode(role, codeLife)
	switch {
	case errors.Is(err, access.ErrTooManyCodes):
		return refuse(http.StatusTooManyRequests, "too_many", "Too many codes are open.",
			"Use one of them, or wait until they end.")
	case err != nil:
		return err
	}
	address := PairingURL(s.addressFor(r), code)
	picture, err := qr.New(address)
	if err != nil {
		return err
	}
	return answer(w, struct {
		Code      string      `json:"code"`
		Role      access.Role `json:"role"`
		URL       string      `json:"url"`
		SVG       string      `json:"svg"`
		ExpiresMS int64       `json:"expires_ms"`
	}{code.Text, role, address, string(picture.SVG()), code.Expires.UnixMilli()})
}

// PairingURL is the content of a QR code for pairing. The secret is in the fragment, which browsers do not send.
func PairingURL(base string, c access.Code) string {
	secret := c.Link
	if secret == "" {
		secret = c.Text
	}
	return strings.TrimSuffix(base, "/") + "/#pair=" + secret
}

// addressFor is the page's address for another phone: over HTTP, because that phone does not trust the certificate yet,
// and under the name that this phone uses, except on the computer itself and over HTTPS.
func (s *Server) addressFor(r *http.Request) string {
	host := hostName(r.Host)
	ip := net.ParseIP(host)
	if base := s.Base(); base != "" && (r.TLS != nil || host == "localhost" || ip != nil && ip.IsLoopback()) {
		return base
	}
	if r.TLS != nil { // over HTTPS only the request's own address is known to work
		return "https://" + r.Host
	}
	return "http://" + r.Host
}

// subscribe stores the Web Push address of this device.
func (s *Server) subscribe(w http.ResponseWriter, _ *http.Request, c *call) error {
	endpoint := c.body.text("endpoint", 1, 2048)
	keys := c.body.object("keys")
	p := access.Push{Endpoint: endpoint, P256dh: keys.text("p256dh", 1, 200), Auth: keys.text("auth", 1, 100)}
	for _, err := range []error{c.body.done(), keys.done()} {
		if err != nil {
			return err
		}
	}
	if !publicHTTPS(endpoint) {
		return wrongKey("endpoint", "is not the address of a push service", "Give an https address with a public host name.")
	}
	if key, err := unpadded(p.P256dh); err != nil || !onCurve(key) {
		return wrongKey("keys.p256dh", "is not a key of that curve", "Give the uncompressed point in base64url.")
	}
	if auth, err := unpadded(p.Auth); err != nil || len(auth) != 16 {
		return wrongKey("keys.auth", "is not 16 bytes", "Give them in base64url.")
	}
	if err := s.Access.SetPush(c.device.ID, p); err != nil {
		return deviceError(err)
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func (s *Server) unsubscribe(w http.ResponseWriter, _ *http.Request, c *call) error {
	if err := s.Access.DropPush(c.device.ID); err != nil {
		return deviceError(err)
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func unpadded(s string) ([]byte, error) {
	return base64.RawURLEncoding.DecodeString(strings.TrimRight(s, "="))
}

func onCurve(key []byte) bool {
	_, err := ecdh.P256().NewPublicKey(key)
	return err == nil
}

// local are endings of names that are known in a local network only.
var local = []string{
	".local", ".localhost", ".internal", ".intranet", ".lan", ".home", ".corp", ".private", ".home.arpa",
	".test", ".invalid", ".onion",
}

// publicHTTPS reports whether an address given by a phone may be requested: a push service has a public name. A name
// that resolves to a private address is refused later, when it is requested.
func publicHTTPS(s string) bool {
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "https" || u.User != nil || u.Fragment != "" || u.Opaque != "" ||
		u.Port() != "" && u.Port() != "443" {
		return false
	}
	host := strings.ToLower(u.Hostname())
	if _, err := netip.ParseAddr(host); err == nil {
		return false
	}
	last := host[strings.LastIndexByte(host, '.')+1:]
	if strings.Trim(host, "abcdefghijklmnopqrstuvwxyz0123456789-.") != "" ||
		!strings.Contains(host, ".") || strings.HasPrefix(host, ".") ||
		last == "" || strings.Trim(last, "0123456789") == "" || strings.HasPrefix(last, "0x") {
		return false // also in forms that some resolvers read as an address: 127.1, 0x7f.1, 2130706433
	}
	for _, ending := range local {
		if strings.HasSuffix(host, ending) {
			return false
		}
	}
	return true
}
