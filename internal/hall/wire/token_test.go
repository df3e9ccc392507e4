package wire

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"regexp"
	"testing"

	"github.com/nats-io/nkeys"
)

func TestATokenForMany(t *testing.T) {
	hub, err := nkeys.CreateUser()
	if err != nil {
		t.Fatal(err)
	}
	public, _ := hub.PublicKey()
	seed, _ := hub.Seed()
	i := Invitation{Many: true, Addresses: []string{"127.0.0.1:1"}, Pin: make([]byte, 32), Hub: public, Seed: string(seed)}
	if got, err := ReadToken(i.Token()); err != nil || !got.Many || got.Computer != "" {
		t.Errorf("%+v, %v", got, err)
	}
	taken, text := 0, i.Token()
	for at := len(tokenBegins); at < len(text); at++ {
		for _, c := range "A7_" {
			wrong := text[:at] + string(c) + text[at+1:]
			if got, err := ReadToken(wrong); wrong != text && err == nil && (got.Hub != i.Hub || got.Seed != i.Seed || !bytes.Equal(got.Pin, i.Pin) || got.Addresses[0] != i.Addresses[0]) {
				taken++
			}
		}
	}
	if taken > 0 {
		t.Errorf("%d mistyped tokens are taken", taken)
	}
	plain, _ := json.Marshal(i) // of a program that makes no check
	if got, err := ReadToken(tokenBegins + base64.RawURLEncoding.EncodeToString(plain)); err != nil || got.Hub != i.Hub {
		t.Errorf("a token without a check: %+v, %v", got, err)
	}
	i.Many = false
	if _, err := ReadToken(i.Token()); err == nil {
		t.Error("a token for one without a name is taken")
	}
}

// The code is compared by people, and must stay the same: both ends compute it.
func TestTheCodeOfAKey(t *testing.T) {
	form := regexp.MustCompile(`^[A-HJ-NP-Z2-9]{4}-[A-HJ-NP-Z2-9]{4}$`)
	codes := map[string]bool{}
	for _, key := range []string{"", "a", "b", "UA", "UB"} {
		code := CodeOf(key)
		if !form.MatchString(code) || codes[code] {
			t.Errorf("the code of %q is %q", key, code)
		}
		codes[code] = true
	}
	if code := CodeOf("a"); code != CodeOf("a") || len(codeSigns) != 32 {
		t.Error("it is another one each time")
	}
}
