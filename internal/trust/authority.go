package trust

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"fmt"
	"math/big"
	"net"
	"slices"
	"strings"
	"sync"
	"time"

	"boardwatchd/rules/words"
)

const (
	day        = 24 * time.Hour
	caLife     = 365 * day
	leafLife   = 90 * day
	renewAhead = 30 * day
	early      = day // validity begins this long in the past
)

// written is the approximate date of this package: a clock before it is wrong.
var written = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// ErrClock is for a machine whose clock must be wrong.
var ErrClock = errors.New("trust: this machine's clock is wrong, and certificates made now would not be valid: " +
	"set date and time, then start again")

// An Authority signs the server's certificate. All its methods may be called from any goroutine.
type Authority struct {
	dir string
	now func() time.Time

	mu       sync.Mutex
	key      *ecdsa.PrivateKey
	ca       *x509.Certificate
	previous *x509.Certificate // the certificate that phones may still trust; nil: none
	names    []string
	ips      []net.IP
	served   subjects // the names and addresses of leaf
	leaf     *tls.Certificate
}

// Open reads the authority in dir, and makes one if there is none. names and ips are those of the machine; a new
// authority may also sign for the names.
func Open(dir string, names []string, ips []net.IP, now func() time.Time) (*Authority, error) {
	if now().Before(written) {
		return nil, fmt.Errorf("%w (it says %s)", ErrClock, now().Format(time.DateTime))
	}
	a := &Authority{dir: dir, now: now, names: slices.Clone(names), ips: slices.Clone(ips)}
	if err := a.load(); err != nil {
		return nil, err
	}
	if a.ca == nil || a.left(a.ca) < renewAhead {
		if err := a.issue(); err != nil {
			return nil, err
		}
	}
	if _, err := a.Certificate(nil); err != nil {
		return nil, err
	}
	return a, nil
}

func (a *Authority) left(c *x509.Certificate) time.Duration { return c.NotAfter.Sub(a.now()) }

// issue makes the authority's certificate and stores it: a first one, or another with the same key, name and
// constraints, so that phones that know either trust later signatures.
func (a *Authority) issue() error {
	if a.key == nil {
		key, err := newKey()
		if err != nil {
			return err
		}
		if err := saveKey(a.dir, key); err != nil {
			return err
		}
		a.key = key
	}
	print := keyPrint(&a.key.PublicKey)
	now := a.now()
	wanted := &x509.Certificate{
		Subject:   pkix.Name{CommonName: fmt.Sprintf("boardwatchd %s %X", label(a.names), print[:4])},
		NotBefore: now.Add(-early), NotAfter: now.Add(caLife),
		IsCA: true, BasicConstraintsValid: true, MaxPathLenZero: true,
		KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageCRLSign, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		SubjectKeyId:                print[:20],
		PermittedDNSDomainsCritical: true, PermittedDNSDomains: constraintsFor(a.names), PermittedIPRanges: localRanges,
	}
	if a.ca != nil {
		wanted.Subject, wanted.PermittedDNSDomains = a.ca.Subject, a.ca.PermittedDNSDomains
		wanted.PermittedIPRanges = a.ca.PermittedIPRanges
	}
	ca, err := sign(wanted, wanted, &a.key.PublicKey, a.key)
	if err != nil {
		return err
	}
	if err := saveCA(a.dir, ca, a.ca); err != nil {
		return err
	}
	a.ca, a.previous = ca, a.ca
	return nil
}

// Certificate is for tls.Config.GetCertificate: one certificate for all present names and addresses.
func (a *Authority) Certificate(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.leaf != nil {
		left := a.left(a.leaf.Leaf)
		if left >= renewAhead || left > 0 && a.leaf.Leaf.NotAfter.Equal(a.ca.NotAfter) {
			return a.leaf, nil
		}
	}
	if a.left(a.ca) <= 0 { // once a year at most, so the lock may be held during disk access
		if err := a.issue(); err != nil {
			return nil, err
		}
	}
	return a.renew()
}

func (a *Authority) renew() (*tls.Certificate, error) {
	key, err := newKey()
	if err != nil {
		return nil, err
	}
	a.served = admit(a.names, a.ips, a.ca)
	now := a.now()
	end := now.Add(leafLife - early)
	if end.After(a.ca.NotAfter) {
		end = a.ca.NotAfter
	}
	cert, err := sign(&x509.Certificate{
		Subject:   pkix.Name{CommonName: a.served.names[0]},
		NotBefore: now.Add(-early), NotAfter: end,
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		BasicConstraintsValid: true,
		DNSNames:              a.served.names, IPAddresses: a.served.ips,
	}, a.ca, &key.PublicKey, a.key)
	if err != nil {
		return nil, err
	}
	a.leaf = &tls.Certificate{Certificate: [][]byte{cert.Raw}, PrivateKey: key, Leaf: cert}
	return a.leaf, nil
}

// Reload takes up the authority in the directory, after another one was put there.
func (a *Authority) Reload() error {
	a.mu.Lock()
	names, ips := a.names, a.ips
	a.mu.Unlock()
	next, err := Open(a.dir, names, ips, a.now)
	if err != nil {
		return err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.key, a.ca, a.previous, a.served, a.leaf = next.key, next.ca, next.previous, next.served, next.leaf
	return nil
}

// Update sets the present names and addresses of the machine.
func (a *Authority) Update(names []string, ips []net.IP) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.names, a.ips = slices.Clone(names), slices.Clone(ips)
	now := admit(a.names, a.ips, a.ca)
	if !now.equal(a.served) {
		a.leaf = nil
	}
	a.served = now
}

// Warning returns information for the operator, with the remedy, as sentences of the page's texts; empty: all is well.
func (a *Authority) Warning() (all words.Sentence) {
	a.mu.Lock()
	defer a.mu.Unlock()
	var list []words.Sentence
	say := func(key string, args ...any) { list = append(list, words.Say(key, args...)) }
	date := func(t time.Time) string { return t.Format(time.DateOnly) }
	if a.now().Before(a.ca.NotBefore) {
		say("notice.ca_early", date(a.ca.NotBefore.Add(early)))
	}
	if left := a.left(a.ca); left < renewAhead {
		say("notice.ca_ends", date(a.ca.NotAfter))
	}
	if p := a.previous; p != nil && a.left(p) > 0 {
		say("notice.ca_renewed", date(p.NotAfter))
	} else if p != nil && a.left(p) > -renewAhead {
		say("notice.ca_renewed_over", date(p.NotAfter))
	}
	if len(a.served.left) > 0 {
		say("notice.ca_left", strings.Join(a.served.left, ", "), a.dir)
	}
	if len(list) > 0 {
		all = words.List(" ", list)
	}
	return all
}

// Name returns the name of the authority on phones.
func (a *Authority) Name() string { return a.authority().Subject.CommonName }

// CA returns the authority's certificate in DER, the form for phones (application/x-x509-ca-cert).
func (a *Authority) CA() []byte { return slices.Clone(a.authority().Raw) }

// Expires returns the end of the authority's validity.
func (a *Authority) Expires() time.Time { return a.authority().NotAfter }

// Fingerprint returns the SHA-256 of the authority's certificate in the form that phones show, for comparison by eye.
func (a *Authority) Fingerprint() string {
	sum := sha256.Sum256(a.authority().Raw)
	return strings.ReplaceAll(fmt.Sprintf("% X", sum), " ", ":")
}

func (a *Authority) authority() *x509.Certificate {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.ca
}

func newKey() (*ecdsa.PrivateKey, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("trust: make a key: %w", err)
	}
	return key, nil
}

// sign makes a certificate with a random serial number.
func sign(c, parent *x509.Certificate, public *ecdsa.PublicKey, key *ecdsa.PrivateKey) (*x509.Certificate, error) {
	var serial [16]byte
	rand.Read(serial[:])
	serial[0] = serial[0]&0x7f | 0x40 // positive, and always 16 bytes long
	c.SerialNumber = new(big.Int).SetBytes(serial[:])
	der, err := x509.CreateCertificate(rand.Reader, c, parent, public, key)
	if err != nil {
		return nil, fmt.Errorf("trust: sign a certificate: %w", err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, fmt.Errorf("trust: read a certificate just made: %w", err)
	}
	return cert, nil
}

func keyPrint(key *ecdsa.PublicKey) [sha256.Size]byte {
	der, err := x509.MarshalPKIXPublicKey(key)
	if err != nil {
		panic("trust: internal error: " + err.Error())
	}
	return sha256.Sum256(der)
}
