package access

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
)

// CodeLife is how long a code holds where the caller has no other wish.
const CodeLife = 10 * time.Minute

const (
	// alphabet is Crockford's base 32: no I, L, O and U. https://www.crockford.com/base32.html
	alphabet    = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
	textSymbols = 8
	linkSymbols = 26
	maxOpen     = 16

	maxWrong    = 5
	wrongWindow = time.Minute
)

var (
	// ErrWrongCode is for a code that is not open: mistyped, used, expired, or from before a restart.
	ErrWrongCode = errors.New("access: this pairing code is not valid: compare it, or ask for a new one " +
		"(a code works once and not for long)")
	// ErrTooManyCodes is for a code more than may be open at the same time.
	ErrTooManyCodes = fmt.Errorf("access: %d pairing codes are open already: use one of them, or wait until one expires", maxOpen)
)

// TooMany says that wrong codes came too fast, from anybody, and when the next one is looked at.
type TooMany struct{ Retry time.Duration }

func (e *TooMany) Error() string {
	return fmt.Sprintf("access: too many wrong pairing codes: type it again in %d s; scanning the QR code works now", e.Seconds())
}

// Seconds is Retry in whole seconds, rounded up, as HTTP's Retry-After takes it.
func (e *TooMany) Seconds() int { return int(math.Ceil(e.Retry.Seconds())) }

// A Code pairs one device, once. It is a secret until then.
type Code struct {
	Text    string // to be typed: "ABCD-EFGH"
	Link    string // for the QR code, behind the # of the address; Pair takes it as it takes Text
	Role    Role
	Expires time.Time
}

// String does not show the code.
func (c Code) String() string {
	return fmt.Sprintf("pairing code (%s, until %s)", c.Role, c.Expires.Format(time.TimeOnly))
}

// GoString does not show the code.
func (c Code) GoString() string { return c.String() }

// openCode is what is kept of a code.
type openCode struct {
	text, link digest
	role       Role
	expires    time.Time
}

type digest [sha256.Size]byte

func digestOf(s string) digest { return sha256.Sum256([]byte(s)) }

func (d digest) equal(other digest) bool { return subtle.ConstantTimeCompare(d[:], other[:]) == 1 }

// symbols draws n symbols, 5 bits each.
func symbols(n int) string {
	b := make([]byte, n)
	rand.Read(b) // never fails: crypto/rand ends the program instead
	for i := range b {
		b[i] = alphabet[b[i]&31]
	}
	return string(b)
}

// normal is a code as it was drawn, from what people and cameras make of it. Whatever can be no code is "".
func normal(typed string) string {
	if len(typed) > 200 {
		return ""
	}
	var b strings.Builder
	for _, r := range strings.ToUpper(typed) {
		switch r {
		case ' ', '\t', '\r', '\n', '\u00a0', '-', '\u2010', '\u2011', '\u2012', '\u2013', '\u2014', '\u2212':
			continue
		case 'O':
			r = '0'
		case 'I', 'L':
			r = '1'
		}
		if !strings.ContainsRune(alphabet, r) {
			return ""
		}
		b.WriteRune(r)
	}
	if n := b.Len(); n != textSymbols && n != linkSymbols {
		return ""
	}
	return b.String()
}

// codes are the open codes and the limit on guessing. The store's lock is held around every call.
type codes struct {
	open    []openCode
	wrong   [maxWrong]time.Time // when the last wrong guesses were, a ring
	next    int                 // the oldest in it
	refused int64
}

func (c *codes) add(role Role, expires, now time.Time) (Code, error) {
	c.forget(now)
	if len(c.open) >= maxOpen {
		return Code{}, ErrTooManyCodes
	}
	text, link := symbols(textSymbols), symbols(linkSymbols)
	c.open = append(c.open, openCode{text: digestOf(text), link: digestOf(link), role: role, expires: expires})
	return Code{Text: text[:4] + "-" + text[4:], Link: link, Role: role, Expires: expires}, nil
}

// take finds the open code that was meant, which stays open.
func (c *codes) take(typed string, now time.Time) (openCode, error) {
	c.forget(now)
	typed = normal(typed)
	locked := c.locked(now)
	// A typed code is not looked at while guesses are too many; the QR code's always is. See doc.go, Guessing.
	if locked == 0 || len(typed) == linkSymbols {
		sum, found := digestOf(typed), -1
		for i, o := range c.open {
			if o.text.equal(sum) || o.link.equal(sum) {
				found = i
			}
		}
		if found >= 0 {
			return c.open[found], nil
		}
	}
	c.refused++
	if locked > 0 {
		return openCode{}, &TooMany{Retry: locked}
	}
	c.wrong[c.next] = now
	c.next = (c.next + 1) % maxWrong
	return openCode{}, ErrWrongCode
}

func (c *codes) holds(code Code, now time.Time) bool {
	link := digestOf(code.Link)
	return slices.ContainsFunc(c.open, func(o openCode) bool { return o.link.equal(link) && now.Before(o.expires) })
}

func (c *codes) spend(used openCode) {
	c.keep(func(o openCode) bool { return o.link != used.link })
}

func (c *codes) forget(now time.Time) {
	c.keep(func(o openCode) bool { return now.Before(o.expires) })
}

func (c *codes) keep(which func(openCode) bool) {
	kept := c.open[:0]
	for _, o := range c.open {
		if which(o) {
			kept = append(kept, o)
		}
	}
	clear(c.open[len(kept):])
	c.open = kept
}

// locked is how long no guess is looked at; 0 if one may be made now.
func (c *codes) locked(now time.Time) time.Duration {
	oldest := c.wrong[c.next]
	if oldest.IsZero() {
		return 0
	}
	// A clock that was put back must not lock for longer than the window.
	return min(max(0, wrongWindow-now.Sub(oldest)), wrongWindow)
}
