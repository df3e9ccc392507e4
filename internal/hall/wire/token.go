package wire

import (
	"bytes"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nkeys"
)

// An Invitation lets one computer join a hall, once, or lets many ask to join. It holds a secret.
type Invitation struct {
	Computer  string   `json:"n"`           // its name in the hall; "" for many
	Many      bool     `json:"m,omitempty"` // for any number of computers, each of which waits to be accepted
	Addresses []string `json:"a"`           // host:port
	Pin       []byte   `json:"p"`           // of the authority: PinOf
	Hub       string   `json:"h"`           // public key of the hall
	Seed      string   `json:"s"`           // of the invitation's own key
}

// tokenBegins is the beginning of every token, with its version.
const tokenBegins = "bwh1."

// Token returns the invitation as text.
func (i Invitation) Token() string {
	b, err := json.Marshal(i)
	if err != nil {
		panic("wire: internal error: " + err.Error()) // texts only
	}
	b = fmt.Appendf(b[:len(b)-1], `%s%x"}`, checkBegins, checkOf(b[:len(b)-1]))
	return tokenBegins + base64.RawURLEncoding.EncodeToString(b)
}

// A token ends with a checksum of the text before it, which distinguishes a mistyped token from one of another hall.
// Programs that do not know it leave it out.
const (
	checkBegins = `,"c":"`
	checkEnds   = `"}`
	checkLength = 8
)

func checkOf(text []byte) []byte {
	sum := sha256.Sum256(text)
	return sum[:checkLength/2]
}

// mistyped says that the check at the end of a token is of another text.
func mistyped(b []byte) bool {
	i := len(b) - len(checkBegins) - checkLength - len(checkEnds)
	if i < 0 || !bytes.HasPrefix(b[i:], []byte(checkBegins)) || !bytes.HasSuffix(b, []byte(checkEnds)) {
		return false // of an older program
	}
	return fmt.Sprintf("%x", checkOf(b[:i])) != string(b[i+len(checkBegins):len(b)-len(checkEnds)])
}

// ErrToken means that a text is no token.
var ErrToken = errors.New("this is no token of a hall, or it is mistyped; copy the whole line that begins with bwh1. and that boardwatchd hall invite printed")

// TokenIn removes from a text everything that is not part of the token: blanks, line breaks, and the byte order mark
// that some editors write.
func TokenIn(text string) string {
	return strings.Join(strings.Fields(strings.TrimPrefix(text, "\ufeff")), "")
}

// ReadToken reads the token in a text (TokenIn).
func ReadToken(text string) (i Invitation, err error) {
	text, ok := strings.CutPrefix(TokenIn(text), tokenBegins)
	if !ok {
		return i, ErrToken
	}
	b, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || mistyped(b) || json.Unmarshal(b, &i) != nil {
		return Invitation{}, ErrToken
	}
	if len(i.Addresses) == 0 || len(i.Pin) != sha256.Size || !nkeys.IsValidPublicUserKey(i.Hub) {
		return i, ErrToken
	}
	if _, err := nkeys.FromSeed([]byte(i.Seed)); err != nil {
		return i, ErrToken
	}
	if i.Many && i.Computer == "" {
		return i, nil
	}
	return i, CheckName(i.Computer)
}

// codeSigns leaves out letters and digits that are easily confused. There are 32 signs of five bits each.
const codeSigns = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"

// CodeOf is a short text, like K7QF-2M9X, by which people compare a computer's key.
func CodeOf(key string) string {
	sum := sha256.Sum256([]byte("boardwatchd newcomer " + key))
	var b strings.Builder
	for i, c := range sum[:8] {
		if i == 4 {
			b.WriteByte('-')
		}
		b.WriteByte(codeSigns[c%32])
	}
	return b.String()
}

// PinOf is the hash of an authority's public key: the key outlives its certificate, which is renewed every year.
func PinOf(ca *x509.Certificate) []byte {
	sum := sha256.Sum256(ca.RawSubjectPublicKeyInfo)
	return sum[:]
}

// ErrPin means that another program answers at the hall's address.
var ErrPin = errors.New("what answers at this address is not the hall of the invitation: its authority has another key; ask for a new token at the hall whose computer this shall be (boardwatchd hall invite)")

// Trusting is the configuration by which a computer recognises its hall: by the authority's key alone. Names and dates
// are not checked, because the authority belongs to this hall only, and a small computer may have no clock.
func Trusting(pin []byte) *tls.Config {
	return &tls.Config{
		MinVersion: tls.VersionTLS13, InsecureSkipVerify: true, // VerifyConnection verifies
		VerifyConnection: func(s tls.ConnectionState) error { return checkChain(s.PeerCertificates, pin) },
	}
}

func checkChain(chain []*x509.Certificate, pin []byte) error {
	if len(chain) != 2 || !bytes.Equal(PinOf(chain[1]), pin) {
		return ErrPin
	}
	leaf, roots := chain[0], x509.NewCertPool()
	roots.AddCert(chain[1])
	_, err := leaf.Verify(x509.VerifyOptions{Roots: roots, CurrentTime: leaf.NotBefore.Add(time.Minute), DNSName: "localhost"})
	if err != nil {
		return fmt.Errorf("%w: %w", ErrPin, err)
	}
	return nil
}
