package access

import (
	"crypto/ecdh"
	"encoding/base64"
	"fmt"
	"net/url"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// A Role determines what a device may do. The web room knows the details.
type Role string

const (
	Arbiter Role = "arbiter" // decides, and pairs other devices
	Viewer  Role = "viewer"  // sees everything, and decides nothing
)

// Valid reports whether there is such a role.
func (r Role) Valid() bool { return r == Arbiter || r == Viewer }

// A Device is a paired device. It is a value: changing it does not change the store.
type Device struct {
	ID       string // 10 symbols 0-9 a-z; not secret
	Name     string // any text, cleaned; to be escaped where it is shown
	Role     Role
	Boards   []string  // the boards whose alerts it receives; empty: all
	PairedAt time.Time // UTC
	SeenAt   time.Time // UTC, of the last Check
	Push     *Push     `json:"-"`
}

func (d Device) String() string { return fmt.Sprintf("%s %q (%s)", d.ID, d.Name, d.Role) }

// A Push is a browser's address for Web Push messages (W3C Push API). All of it is secret: anybody who knows the
// endpoint can send to it.
type Push struct {
	Endpoint string // an https address
	P256dh   string // base64url of an uncompressed point on P-256
	Auth     string // base64url of 16 bytes
}

// String does not show the subscription.
func (p Push) String() string { return "push subscription" }

// GoString does not show the subscription.
func (p Push) GoString() string { return p.String() }

// Invalid is a refused value from outside, with the name of its field.
type Invalid struct{ Field, Why string }

func (e *Invalid) Error() string { return "access: " + e.Field + " " + e.Why }

const (
	nameRunes  = 40
	noName     = "Phone"
	maxBoards  = 1000
	boardBytes = 100
)

// cleanName returns a name that cannot disturb the lines around it.
func cleanName(name string) string {
	var b strings.Builder
	runes, visible, space := 0, false, false
	for i, r := range name {
		if runes == nameRunes || i > 4096 {
			break
		}
		switch {
		case r == utf8.RuneError || hidden(r):
			continue
		case unicode.IsSpace(r):
			space = runes > 0
			continue
		case space && runes+1 == nameRunes:
			return b.String()
		case space:
			b.WriteByte(' ')
			runes++
			space = false
		}
		b.WriteRune(r)
		runes++
		visible = visible || unicode.In(r, unicode.L, unicode.N, unicode.P, unicode.S)
	}
	if !visible {
		return noName
	}
	return b.String()
}

// hidden reports whether a character is invisible. The two joiners are kept: Persian and emoji need them.
func hidden(r rune) bool {
	const zwnj, zwj = '\u200c', '\u200d'
	if r == zwnj || r == zwj || unicode.IsSpace(r) {
		return false
	}
	return unicode.In(r, unicode.C, unicode.Bidi_Control) || !unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S)
}

func checkBoards(boards []string) error {
	if len(boards) > maxBoards {
		return &Invalid{"boards", fmt.Sprintf("has more than %d entries", maxBoards)}
	}
	for _, b := range boards {
		bad := func(r rune) bool { return unicode.IsControl(r) || r == utf8.RuneError }
		if b == "" || len(b) > boardBytes || strings.ContainsFunc(b, bad) {
			why := fmt.Sprintf("has an entry that is no name of a board (1 to %d bytes, no control characters)", boardBytes)
			return &Invalid{"boards", why}
		}
	}
	return nil
}

func checkPush(p Push) error {
	u, err := url.Parse(p.Endpoint)
	if err != nil || len(p.Endpoint) > 2048 || u.Scheme != "https" || u.Hostname() == "" || u.User != nil {
		return &Invalid{"endpoint", "is not the https address of a push service"}
	}
	key, err := unbase64(p.P256dh)
	if err == nil {
		_, err = ecdh.P256().NewPublicKey(key)
	}
	if err != nil {
		return &Invalid{"p256dh", "is not a public key on P-256 in base64url"}
	}
	if auth, err := unbase64(p.Auth); err != nil || len(auth) != 16 {
		return &Invalid{"auth", "is not 16 bytes in base64url"}
	}
	return nil
}

// unbase64 decodes base64url and plain base64, padded or not: browsers send the former, some libraries the latter.
func unbase64(s string) ([]byte, error) {
	if len(s) > 200 {
		return nil, base64.CorruptInputError(200)
	}
	s = strings.NewReplacer("+", "-", "/", "_").Replace(strings.TrimRight(s, "="))
	return base64.RawURLEncoding.DecodeString(s)
}
