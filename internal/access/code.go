package access

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// CodeLife is the default validity of a code.
const CodeLife = 10 * time.Minute

const (
	// alphabet is Crockford's base 32: no I, L, O and U. https://www.crockford.com/base32.html
	alphabet    = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
	textSymbols = 8
	linkSymbols = 26
	maxOpen     = 16
)

var (
	// ErrWrongCode is for a code that is not open: mistyped, used, expired, or from before a restart.
	ErrWrongCode = errors.New("access: this pairing code is not valid: compare it, or ask for a new one " +
		"(a code works once and not for long)")
	// ErrTooManyCodes is for a code beyond the number that may be open at the same time.
	ErrTooManyCodes = fmt.Errorf("access: %d pairing codes are open already: use one of them, or wait until one expires", maxOpen)
)

// A Code pairs one device, once. Until then it is a secret.
type Code struct {
	Text    string // to be typed: "ABCD-EFGH"
	Link    string // for the QR code, after the # of the address; Pair accepts it like Text
	Role    Role
	Expires time.Time
}

// String does not show the code.
func (c Code) String() string {
	return fmt.Sprintf("pairing code (%s, until %s)", c.Role, c.Expires.Format(time.TimeOnly))
}

// GoString does not show the code.
func (c Code) GoString() string { return c.String() }

// openCode is the stored part of a code.
type openCode struct {
	text, link digest
	role       Role
	expires    time.Time
	before     int64 // number of wrong guesses when it was opened
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

// normal returns the original form of a code that a person or a camera has entered; "" if it cannot be a code.
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

// codes holds the open codes and the limits on guessing. The store's lock is held around every call.
type codes struct {
	open    []openCode
	guesses guesses
	refused int64
}

func (c *codes) add(role Role, expires, now time.Time) (Code, error) {
	c.forget(now)
	if len(c.open) >= maxOpen {
		return Code{}, ErrTooManyCodes
	}
	text, link := symbols(textSymbols), symbols(linkSymbols)
	c.open = append(c.open, openCode{text: digestOf(text), link: digestOf(link), role: role, expires: expires, before: c.guesses.wrong})
	return Code{Text: text[:4] + "-" + text[4:], Link: link, Role: role, Expires: expires}, nil
}

// take finds the open code that was entered; it stays open. Only input in the form of a typed code is limited: nothing
// else can be guessed.
func (c *codes) take(from Origin, typed string, now time.Time) (openCode, error) {
	c.forget(now)
	typed = normal(typed)
	guess, wait := len(typed) == textSymbols, time.Duration(0)
	if guess {
		wait = c.guesses.wait(from, now)
	}
	if wait > 0 {
		c.refused++
		return openCode{}, &TooMany{Retry: wait}
	}
	sum, found := digestOf(typed), -1
	for i, o := range c.open {
		if o.link.equal(sum) || o.text.equal(sum) && c.guesses.wrong-o.before < guessesPerCode {
			found = i
		}
	}
	if found >= 0 {
		return c.open[found], nil
	}
	c.refused++
	if guess {
		c.guesses.count(from, now)
	}
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
