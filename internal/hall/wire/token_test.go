package wire

import (
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
