package wire

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"
)

// HSeal is the header with the signature, HAnswer the header with an Answer.
const (
	HSeal   = "Bw-Seal"
	HAnswer = "Bw-Answer"
)

// ErrSeal means that a message does not come from the sender that its subject names.
var ErrSeal = errors.New("the message has no valid seal")

// Seal signs a message with a key.
func Seal(m *nats.Msg, key nkeys.KeyPair) error {
	sig, err := key.Sign(sealed(m.Subject, m.Header, m.Data))
	if err != nil {
		return err
	}
	m.Header.Set(HSeal, base64.RawStdEncoding.EncodeToString(sig))
	return nil
}

// CheckSeal reports whether a message was signed for this subject with the key whose public half is given.
func CheckSeal(subject string, h nats.Header, data []byte, public string) error {
	sig, err := base64.RawStdEncoding.DecodeString(h.Get(HSeal))
	if err != nil {
		return ErrSeal
	}
	key, err := nkeys.FromPublicKey(public)
	if err != nil || key.Verify(sealed(subject, h, data), sig) != nil {
		return ErrSeal
	}
	return nil
}

// sealed returns the bytes that are signed: the subject, the program's own headers in order, and the data.
func sealed(subject string, h nats.Header, data []byte) []byte {
	var b []byte
	line := func(s string) { b = append(append(b, s...), '\n') }
	line(subject)
	var keys []string
	for k := range h {
		if strings.HasPrefix(k, "Bw-") && k != HSeal {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	for _, k := range keys {
		line(k + ": " + h.Get(k))
	}
	line("")
	return append(b, data...)
}

// Sealed returns an object as a sealed message.
func Sealed(subject string, v any, key nkeys.KeyPair) (*nats.Msg, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	m := nats.NewMsg(subject)
	m.Data = data
	return m, Seal(m, key)
}
