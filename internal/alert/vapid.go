package alert

import (
	"crypto/ecdh"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// VAPID is the key pair by which push services recognise this program (RFC 8292), both base64url without padding: the
// public key as a point (65 bytes), which the page gives to the browser, and the private one (32 bytes).
type VAPID struct {
	Public  string `json:"public"`
	Private string `json:"private"`
}

// LoadVAPID reads the key pair, or makes one if there is none. Subscriptions belong to the pair: with another pair they
// are all void.
func LoadVAPID(path string) (VAPID, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return makeVAPID(path)
	}
	if err != nil {
		return VAPID{}, fmt.Errorf("push keys: %w", err)
	}
	var v VAPID
	if json.Unmarshal(text, &v) != nil || v.check() != nil {
		return VAPID{}, fmt.Errorf("push keys: %s is damaged; delete it, and every phone turns notifications on again", path)
	}
	return v, nil
}

func makeVAPID(path string) (VAPID, error) {
	key, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		return VAPID{}, fmt.Errorf("push keys: %w", err)
	}
	v := VAPID{
		Public:  base64.RawURLEncoding.EncodeToString(key.PublicKey().Bytes()),
		Private: base64.RawURLEncoding.EncodeToString(key.Bytes()),
	}
	text, err := json.Marshal(v)
	if err != nil {
		return VAPID{}, fmt.Errorf("push keys: %w", err)
	}
	return v, writeSecret(path, append(text, '\n'))
}

var errPair = errors.New("the public key does not belong to the private one")

func (v VAPID) check() error {
	private, err := base64.RawURLEncoding.DecodeString(v.Private)
	if err != nil {
		return errPair
	}
	key, err := ecdh.P256().NewPrivateKey(private)
	if err != nil || base64.RawURLEncoding.EncodeToString(key.PublicKey().Bytes()) != v.Public {
		return errPair
	}
	return nil
}
