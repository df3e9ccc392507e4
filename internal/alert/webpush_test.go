package alert_test

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"boardwatchd/internal/alert"
	"boardwatchd/internal/alert/alerttest"
)

// A phone is the receiving end of Web Push, written from the RFCs with the standard library alone.
type phone struct {
	key  *ecdh.PrivateKey
	auth []byte
	sub  alert.Subscription
}

var b64 = base64.RawURLEncoding

func newPhone(t *testing.T, endpoint string) *phone {
	t.Helper()
	key, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	p := &phone{key: key, auth: make([]byte, 16)}
	_, _ = rand.Read(p.auth)
	p.sub = alert.Subscription{Endpoint: endpoint, P256dh: b64.EncodeToString(key.PublicKey().Bytes()), Auth: b64.EncodeToString(p.auth)}
	return p
}

func vapid(t *testing.T) alert.VAPID {
	t.Helper()
	v, err := alert.LoadVAPID(filepath.Join(t.TempDir(), "vapid.json"))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// open decrypts a message: RFC 8188, section 2, with the keys of RFC 8291, section 3.4.
func (p *phone) open(t *testing.T, body []byte) []byte {
	t.Helper()
	text, err := p.decrypt(body)
	if err != nil {
		t.Fatalf("decrypt the push message: %v", err)
	}
	return text
}

func (p *phone) decrypt(body []byte) ([]byte, error) {
	if len(body) < 21 || len(body) < 21+int(body[20]) {
		return nil, errors.New("the head is cut")
	}
	salt, size, keyID, sealed := body[:16], binary.BigEndian.Uint32(body[16:20]), body[21:21+int(body[20])], body[21+int(body[20]):]
	if len(sealed) > int(size) {
		return nil, errors.New("more than one record")
	}
	sender, err := ecdh.P256().NewPublicKey(keyID)
	if err != nil {
		return nil, err
	}
	shared, err := p.key.ECDH(sender)
	if err != nil {
		return nil, err
	}
	info := "WebPush: info\x00" + string(p.key.PublicKey().Bytes()) + string(keyID)
	ikm, err := hkdf.Key(sha256.New, shared, p.auth, info, 32)
	if err != nil {
		return nil, err
	}
	key, err := hkdf.Key(sha256.New, ikm, salt, "Content-Encoding: aes128gcm\x00", 16)
	if err != nil {
		return nil, err
	}
	nonce, err := hkdf.Key(sha256.New, ikm, salt, "Content-Encoding: nonce\x00", 12)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	text, err := gcm.Open(nil, nonce, sealed, nil)
	if err != nil {
		return nil, err
	}
	text = []byte(strings.TrimRight(string(text), "\x00"))
	if len(text) == 0 || text[len(text)-1] != 2 {
		return nil, errors.New("the last record does not end with its mark")
	}
	return text[:len(text)-1], nil
}

// The decoder itself is checked with the example of RFC 8291, section 5 and appendix A.
func TestDecoderReadsTheExampleOfTheRFC(t *testing.T) {
	private, _ := b64.DecodeString("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94")
	auth, _ := b64.DecodeString("BTBZMqHH6r4Tts7J_aSIgg")
	body, _ := b64.DecodeString("DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN")
	key, err := ecdh.P256().NewPrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	p := &phone{key: key, auth: auth}
	if text := p.open(t, body); string(text) != "When I grow up, I want to be a watermelon" {
		t.Errorf("decrypted %q", text)
	}
}

func pusher(t *testing.T, p *phone, v alert.VAPID, contact string) *alert.WebPush {
	t.Helper()
	ch, err := alert.NewWebPush("push-1", alert.WebPushOptions{Subscription: p.sub, Keys: v, Contact: contact})
	if err != nil {
		t.Fatal(err)
	}
	return ch
}

func TestPushIsReadByThePhoneAlone(t *testing.T) {
	r := alerttest.NewReceiver(t)
	p, v := newPhone(t, r.URL+"/push/1"), vapid(t)
	m := alerttest.Message(3)
	if err := pusher(t, p, v, "").Send(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	req := r.Take()[0]
	want := `{"id":"12~961~.illegal.knight","title":"Board 12: please look","body":"","url":"http://192.0.2.7:8160/#/b/12/961:illegal.knight","version":3,"closed":false,"quiet":false}`
	if text := p.open(t, req.Body); string(text) != want {
		t.Errorf("the phone reads %s", text)
	}
	if _, err := newPhone(t, r.URL).decrypt(req.Body); err == nil {
		t.Error("another phone can read it")
	}
	if strings.Contains(string(req.Body), "Board 12") || strings.Contains(string(req.Body), "illegal") {
		t.Error("the push service can read it")
	}
	for name, want := range map[string]string{"Content-Encoding": "aes128gcm", "Urgency": "high", "Topic": "q3Rt_0-aZ"} {
		if have := req.Header.Get(name); have != want {
			t.Errorf("%s is %q, want %q", name, have, want)
		}
	}
	if ttl := req.Header.Get("TTL"); ttl != "599" && ttl != "600" && ttl != "598" {
		t.Errorf("TTL is %q, want the ten minutes until the alert expires", ttl)
	}
	if v := req.Header.Values("Authorization"); len(v) != 1 || !strings.HasPrefix(v[0], "vapid t=") {
		t.Errorf("Authorization is %q", v)
	}
}

// claims checks the signature of the VAPID token (RFC 8292, RFC 7518 section 3.4) and returns its claims.
func claims(t *testing.T, header string, v alert.VAPID) (sub, aud string, exp time.Time) {
	t.Helper()
	token, key, ok := strings.Cut(strings.TrimPrefix(header, "vapid t="), ", k=")
	if !ok || key != v.Public {
		t.Fatalf("the header has no key, or not ours: %q", header)
	}
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		t.Fatalf("the token has %d parts", len(parts))
	}
	point, err := b64.DecodeString(key)
	if err != nil {
		t.Fatal(err)
	}
	public, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), point)
	if err != nil {
		t.Fatal(err)
	}
	sig, err := b64.DecodeString(parts[2])
	if err != nil || len(sig) != 64 {
		t.Fatalf("the signature has %d bytes", len(sig))
	}
	sum := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	if !ecdsa.Verify(public, sum[:], new(big.Int).SetBytes(sig[:32]), new(big.Int).SetBytes(sig[32:])) {
		t.Fatal("the signature is wrong")
	}
	var c struct {
		Sub, Aud string
		Exp      int64
	}
	text, _ := b64.DecodeString(parts[1])
	if err := json.Unmarshal(text, &c); err != nil {
		t.Fatal(err)
	}
	return c.Sub, c.Aud, time.Unix(c.Exp, 0)
}

func TestPushServiceKnowsWhoSends(t *testing.T) {
	for _, c := range []struct{ contact, sub string }{
		{"arbiter@example.org", "mailto:arbiter@example.org"},
		{"mailto:arbiter@example.org", "mailto:arbiter@example.org"},
		{"https://example.org/chess", "https://example.org/chess"},
		{"", "mailto:boardwatchd@example.org"},
		{"nobody", "mailto:boardwatchd@example.org"},
	} {
		t.Run("contact "+c.contact, func(t *testing.T) {
			r := alerttest.NewReceiver(t)
			p, v := newPhone(t, r.URL+"/push/1"), vapid(t)
			if err := pusher(t, p, v, c.contact).Send(t.Context(), alerttest.Message(1)); err != nil {
				t.Fatal(err)
			}
			sub, aud, exp := claims(t, r.Take()[0].Header.Get("Authorization"), v)
			if sub != c.sub {
				t.Errorf("sub is %q, want %q", sub, c.sub)
			}
			if aud != r.URL {
				t.Errorf("aud is %q, want %q", aud, r.URL)
			}
			if life := time.Until(exp); life <= 0 || life > 24*time.Hour {
				t.Errorf("the token lives %v, services allow 24 h", life)
			}
		})
	}
}

func TestPushSubscriptionThatIsGoneIsSaid(t *testing.T) {
	for _, status := range []int{404, 410} {
		r := alerttest.NewReceiver(t)
		p := newPhone(t, r.URL+"/push/1")
		r.Answer(alerttest.Answer{Status: status})
		if err := pusher(t, p, vapid(t), "").Send(t.Context(), alerttest.Message(1)); !errors.Is(err, alert.ErrGone) {
			t.Errorf("%d: %v, want ErrGone", status, err)
		}
	}
}

func TestPushRefusesWhatIsNoSubscription(t *testing.T) {
	good, v := newPhone(t, "https://push.example.org/1").sub, vapid(t)
	for claim, change := range map[string]func(*alert.Subscription){
		"an endpoint without encryption": func(s *alert.Subscription) { s.Endpoint = "http://push.example.org/1" },
		"no endpoint":                    func(s *alert.Subscription) { s.Endpoint = "" },
		"a file":                         func(s *alert.Subscription) { s.Endpoint = "file:///etc/passwd" },
		"a password in the endpoint":     func(s *alert.Subscription) { s.Endpoint = "https://u:p@push.example.org/1" },
		"no key":                         func(s *alert.Subscription) { s.P256dh = "" },
		"a point off the curve": func(s *alert.Subscription) {
			s.P256dh = b64.EncodeToString(append([]byte{4}, make([]byte, 64)...))
		},
		"a short secret": func(s *alert.Subscription) { s.Auth = "AAAA" },
		"a long secret":  func(s *alert.Subscription) { s.Auth = strings.Repeat("A", 1<<20) },
	} {
		s := good
		change(&s)
		if _, err := alert.NewWebPush("p", alert.WebPushOptions{Subscription: s, Keys: v}); err == nil {
			t.Errorf("%s is taken", claim)
		}
	}
	padded := good
	padded.Auth += "=="
	padded.P256dh = strings.NewReplacer("-", "+", "_", "/").Replace(padded.P256dh) + "="
	if _, err := alert.NewWebPush("p", alert.WebPushOptions{Subscription: padded, Keys: v}); err != nil {
		t.Errorf("keys in padded base64: %v", err)
	}
}

func TestPushKeysAreKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "vapid.json")
	first, err := alert.LoadVAPID(path)
	if err != nil {
		t.Fatal(err)
	}
	again, err := alert.LoadVAPID(path)
	if err != nil || again != first {
		t.Errorf("read again: %v %v", again, err)
	}
	if st, err := os.Stat(path); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("the file's mode is %v, %v", st.Mode(), err)
	}
	other := vapid(t)
	for claim, text := range map[string]string{
		"no JSON": "x", "empty": "", "keys that do not belong together": `{"public":"` + other.Public + `","private":"` + first.Private + `"}`,
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := alert.LoadVAPID(path); err == nil || !strings.Contains(err.Error(), "delete it") {
			t.Errorf("%s: %v", claim, err)
		}
	}
}
