package trust

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"boardwatchd/internal/secretfile"
)

// The files: ca.key contains one PEM block PRIVATE KEY (PKCS #8). ca.crt contains one PEM block CERTIFICATE, or two
// after a renewal: the new one, then the one before.
const (
	keyFile = "ca.key"
	caFile  = "ca.crt"
	mode    = 0o600
	dirMode = 0o700
	maxFile = 64 << 10
)

// Damaged is a file of the authority that cannot be used. It has not been changed.
type Damaged struct {
	Path string
	Err  error
}

func (e *Damaged) Error() string {
	dir := filepath.Dir(e.Path)
	return fmt.Sprintf("trust: %s: %v: put a copy of %s and %s back into %s; or delete both and start again: "+
		"a new authority is made, and each phone has to trust it", e.Path, e.Err, keyFile, caFile, dir)
}

func (e *Damaged) Unwrap() error { return e.Err }

// Check returns why the authority in a directory cannot be used; nil: it can, or there is none yet. It makes no file.
func Check(dir string) error {
	if _, err := os.Stat(dir); err != nil {
		return err
	}
	return (&Authority{dir: dir}).load()
}

// load reads the existing files: none, the key alone (a power cut between the two files), or both.
func (a *Authority) load() error {
	if err := os.MkdirAll(a.dir, dirMode); err != nil {
		return fmt.Errorf("trust: make the directory of the authority: %w", err)
	}
	key, keyErr := loadKey(filepath.Join(a.dir, keyFile))
	certs, caErr := loadCA(filepath.Join(a.dir, caFile))
	if errors.Is(caErr, fs.ErrNotExist) {
		if errors.Is(keyErr, fs.ErrNotExist) {
			return nil
		}
		a.key = key
		return keyErr
	}
	if errors.Is(keyErr, fs.ErrNotExist) {
		return &Damaged{filepath.Join(a.dir, keyFile), errors.New("it is missing, but there is a certificate for it")}
	}
	if err := errors.Join(keyErr, caErr); err != nil {
		return err
	}
	if !key.PublicKey.Equal(certs[0].PublicKey) {
		return &Damaged{filepath.Join(a.dir, caFile), errors.New("it does not belong to the key beside it")}
	}
	a.key, a.ca = key, certs[0]
	if len(certs) > 1 {
		a.previous = certs[1]
	}
	return nil
}

func loadKey(path string) (*ecdsa.PrivateKey, error) {
	body, err := read(path)
	if err != nil {
		return nil, err
	}
	block, rest := pem.Decode(body)
	if block == nil || block.Type != "PRIVATE KEY" || len(rest) != 0 {
		return nil, &Damaged{path, errors.New("it is not one private key in PEM")}
	}
	any, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, &Damaged{path, errors.New("the key in it cannot be read")} // a reason could reveal the key
	}
	key, ok := any.(*ecdsa.PrivateKey)
	if !ok || key.Curve != elliptic.P256() {
		return nil, &Damaged{path, errors.New("it is not a key on P-256")}
	}
	return key, nil
}

func loadCA(path string) ([]*x509.Certificate, error) {
	body, err := read(path)
	if err != nil {
		return nil, err
	}
	certs, err := parseCA(body)
	if err != nil {
		return nil, &Damaged{path, err}
	}
	return certs, nil
}

// parseCA accepts one or two certificates of an authority with this package's constraints.
func parseCA(body []byte) ([]*x509.Certificate, error) {
	var certs []*x509.Certificate
	for len(body) > 0 {
		block, rest := pem.Decode(body)
		if block == nil || block.Type != "CERTIFICATE" || len(certs) == 2 {
			return nil, errors.New("it is not one or two certificates in PEM")
		}
		body = rest
		c, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return nil, err
		}
		if err := c.CheckSignatureFrom(c); err != nil {
			return nil, fmt.Errorf("it did not sign itself: %w", err)
		}
		if !c.MaxPathLenZero || !c.PermittedDNSDomainsCritical || len(c.PermittedDNSDomains) == 0 || len(c.PermittedIPRanges) == 0 {
			return nil, errors.New("it is not limited to a hall's names and addresses")
		}
		certs = append(certs, c)
	}
	if len(certs) == 0 {
		return nil, errors.New("it is empty")
	}
	return certs, nil
}

func read(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("trust: look for the authority: %w", err)
	}
	if !info.Mode().IsRegular() {
		return nil, &Damaged{path, errors.New("it is not a file")}
	}
	if info.Mode().Perm() != mode {
		if err := os.Chmod(path, mode); err != nil {
			return nil, fmt.Errorf("trust: keep others from reading the authority: %w", err)
		}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("trust: read the authority: %w", err)
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxFile)) // cut off, it is not PEM any more
}

func saveKey(dir string, key *ecdsa.PrivateKey) error {
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return fmt.Errorf("trust: %w", err)
	}
	body := pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})
	if err := secretfile.Replace(filepath.Join(dir, keyFile), body); err != nil {
		return fmt.Errorf("trust: keep the authority's key: %w", err)
	}
	return nil
}

func saveCA(dir string, ca, previous *x509.Certificate) error {
	body := pemCertificate(ca.Raw)
	if previous != nil {
		body = append(body, pemCertificate(previous.Raw)...)
	}
	if err := secretfile.Replace(filepath.Join(dir, caFile), body); err != nil {
		return fmt.Errorf("trust: keep the authority's certificate: %w", err)
	}
	return nil
}

func pemCertificate(der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
}
