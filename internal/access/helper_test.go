package access

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"boardwatchd/rules/words"
)

// bench is a store on a disk of its own, with a clock that is set by hand. Opening it again closes it first.
type bench struct {
	*Store
	t    testing.TB
	path string
	time time.Time
}

func newBench(t testing.TB) *bench {
	b := &bench{t: t, path: filepath.Join(t.TempDir(), "devices.json"), time: time.Date(2026, 11, 21, 14, 0, 0, 0, time.UTC)}
	b.open()
	return b
}

func (b *bench) now() time.Time { return b.time }

func (b *bench) open() {
	b.t.Helper()
	if b.Store != nil {
		b.crash()
	}
	b.Store = b.another()
}

// crash ends a store as the kernel does: nothing is written.
func (b *bench) crash() {
	b.t.Helper()
	if err := b.unlock(); err != nil {
		b.t.Fatal(err)
	}
}

// another returns one more program on the same file.
func (b *bench) another() *Store {
	b.t.Helper()
	s := Open(b.path, b.now)
	b.t.Cleanup(func() { _ = s.unlock() })
	return s
}

func (b *bench) code(role Role) Code {
	b.t.Helper()
	c, err := b.NewCode(role, 0)
	if err != nil {
		b.t.Fatal(err)
	}
	return c
}

func (b *bench) device(role Role, name string) (Device, string) {
	b.t.Helper()
	d, secret, err := b.Pair(ThisComputer, b.code(role).Text, name)
	if err != nil {
		b.t.Fatal(err)
	}
	return d, secret
}

func (b *bench) body() string {
	b.t.Helper()
	body, err := os.ReadFile(b.path)
	if err != nil {
		b.t.Fatal(err)
	}
	return string(body)
}

func (b *bench) write(body string) {
	b.t.Helper()
	if err := os.WriteFile(b.path, []byte(body), mode); err != nil {
		b.t.Fatal(err)
	}
}

// samplePush has the public key of RFC 8291, section 5.
func samplePush() Push {
	return Push{
		Endpoint: "https://push.example.net/push/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV",
		P256dh:   "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
		Auth:     "BTBZMqHH6r4Tts7J_aSIgg",
	}
}

func repeat(s string, n int) string { return strings.Repeat(s, n) }

func secretOf(i byte) string {
	return base64.RawURLEncoding.EncodeToString([]byte(repeat(string('a'+rune(i%26)), secretBytes)))
}

// says reports whether a sentence has something in it: the key of a text, or what is put in.
func says(s words.Sentence, what string) bool {
	return s.Key == what || strings.Contains(s.Text, what) || slices.ContainsFunc(s.Args, func(a words.Sentence) bool { return says(a, what) })
}
