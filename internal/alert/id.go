package alert

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"boardwatchd/internal/secretfile"
)

// longestID is the length at which an id is cut and completed with a hash, so that it fits into a path.
const longestID = 160

// ID returns the name of a finding's alert: BOARD~FINDING with only A-Z a-z 0-9 . _ ~ and -, the same in every run. Two
// findings never share one. A colon becomes "~.", any other character that is not allowed "~x" and two hexadecimal
// digits for each byte.
func ID(board, finding string) string {
	return bounded(escape(board) + "~" + escape(finding))
}

func bounded(id string) string {
	if len(id) > longestID {
		sum := sha256.Sum256([]byte(id))
		id = id[:longestID-34] + "~h" + hex.EncodeToString(sum[:16])
	}
	return id
}

// escape ensures that the text after the separator does not begin like an escape: a leading x, h or point is itself
// escaped.
func escape(s string) string {
	var b strings.Builder
	for i := range len(s) {
		switch c := s[i]; {
		case i == 0 && (c == 'x' || c == 'h' || c == '.'):
			fmt.Fprintf(&b, "~x%02x", c)
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '.', c == '_', c == '-':
			b.WriteByte(c)
		case c == ':':
			b.WriteString("~.")
		default:
			fmt.Fprintf(&b, "~x%02x", c)
		}
	}
	return b.String()
}

const (
	keyBytes = 32
	refBytes = 12
	macBytes = 20
)

// keyed returns the HMAC of a purpose and its parts, each preceded by its length, so that different lists of parts
// never give the same input.
func keyed(key []byte, purpose string, parts ...string) []byte {
	h := hmac.New(sha256.New, key)
	fmt.Fprintf(h, "boardwatchd alert %s", purpose)
	for _, p := range parts {
		fmt.Fprintf(h, "\x00%d\x00%s", len(p), p)
	}
	return h.Sum(nil)
}

// refOf returns a name that differs between journals: finding ids begin again in each.
func refOf(key []byte, journal, id string) string {
	return base64.RawURLEncoding.EncodeToString(keyed(key, "ref", journal, id)[:refBytes])
}

// tokenOf returns the token that an action button posts: the alert's ref, and a code for the alert and the channel that
// cannot be made without the key.
func tokenOf(refs, key []byte, journal, id, channel string) string {
	t := append(keyed(refs, "ref", journal, id)[:refBytes:refBytes], keyed(key, "ack", journal, id, channel)[:macBytes]...)
	return base64.RawURLEncoding.EncodeToString(t)
}

// splitToken returns the ref and the code of a token.
func splitToken(token string) (ref string, mac []byte, ok bool) {
	if len(token) > 64 {
		return "", nil, false
	}
	t, err := base64.RawURLEncoding.Strict().DecodeString(token)
	if err != nil || len(t) != refBytes+macBytes {
		return "", nil, false
	}
	return base64.RawURLEncoding.EncodeToString(t[:refBytes]), t[refBytes:], true
}

// LoadKey reads the key of tokens and refs, or makes one if there is none. With the same key the buttons of
// notifications sent before a restart still work.
func LoadKey(path string) ([]byte, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		key := make([]byte, keyBytes)
		_, _ = rand.Read(key) // never fails
		return key, writeSecret(path, []byte(hex.EncodeToString(key)+"\n"))
	}
	if err != nil {
		return nil, fmt.Errorf("alert key: %w", err)
	}
	key, err := hex.DecodeString(strings.TrimSpace(string(text)))
	if err != nil || len(key) != keyBytes {
		return nil, fmt.Errorf("alert key: %s is damaged; delete it, and a new one is made (old buttons stop working)", path)
	}
	return key, nil
}

// RefsOf returns a key for Options.Refs that may be given to other computers: it does not allow them to make the
// buttons of messages.
func RefsOf(key []byte) []byte { return keyed(key, "refs") }

// writeSecret writes a file that only its owner can read, completely or not at all.
func writeSecret(path string, text []byte) error {
	if err := secretfile.Replace(path, text); err != nil {
		return fmt.Errorf("keep a secret in %s: %w", path, err)
	}
	return nil
}

// readSecret reads a token or a secret from a file; what names the file in the configuration.
func readSecret(what, path string) (string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("%s: %w", what, err)
	}
	s := strings.TrimSpace(string(text))
	if s == "" || len(s) > 4096 || strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' }) {
		return "", fmt.Errorf("%s: %s should hold one line of printable ASCII and nothing else", what, path)
	}
	return s, nil
}
