package access

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode"
	"unicode/utf8"
)

const deviceA = `{"id":"a1","name":"A","role":"arbiter","paired_at":"2026-11-21T14:00:00Z","seen_at":"2026-11-21T14:00:00Z",` +
	`"secret_sha256":"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"}`

func listOf(devices ...string) string {
	return `{"version":1,"devices":[` + strings.Join(devices, ",") + `]}`
}

func TestFilesThatAreRead(t *testing.T) {
	for name, row := range map[string]struct {
		body string
		n    int
	}{
		"none":                    {listOf(), 0},
		"one":                     {listOf(deviceA), 1},
		"keys of a later version": {strings.Replace(listOf(deviceA), `"id"`, `"colour":"red","id"`, 1), 1},
	} {
		b := newBench(t)
		b.write(row.body)
		b.open()
		if !b.Warning().IsZero() || len(b.Devices()) != row.n {
			t.Errorf("%s: %q, %d devices", name, b.Warning(), len(b.Devices()))
		}
	}
}

func TestDamagedFileIsPutAsideAndSaid(t *testing.T) {
	edit := func(old, new string) string { return strings.Replace(listOf(deviceA), old, new, 1) }
	for name, body := range map[string]string{
		"empty":                       "",
		"NUL bytes after a power cut": repeat("\x00", 512),
		"cut off":                     listOf(deviceA)[:200],
		"something after":             listOf(deviceA) + "x",
		"no version":                  `{"devices":[]}`,
		"a later version":             edit(`"version":1`, `"version":2`),
		"an unknown role":             edit(`"arbiter"`, `"root"`),
		"a short digest":              edit(`abcdef"`, `abcde"`),
		"a digest that is not hex":    edit(`abcdef"`, `abcdeg"`),
		"no digest":                   edit(`"secret_sha256"`, `"secret"`),
		"no ID":                       edit(`"a1"`, `""`),
		"an ID with a path in it":     edit(`"a1"`, `"../a"`),
		"a device twice":              listOf(deviceA, deviceA),
		"an unreadable time":          edit(`2026-11-21T14:00:00Z`, `yesterday`),
		"a time that cannot be saved": edit(`2026-11-21T14:00:00Z`, `9999-12-31T23:59:59-12:00`),
		"a bad subscription":          edit(`"id"`, `"push":{"endpoint":"file:///x"},"id"`),
		"too large":                   listOf(deviceA, repeat(" ", maxFile)),
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			for range 2 { // the second within the same second
				b.write(body)
				b.open()
				if !says(b.Warning(), "devices.json.damaged-20261121T140000Z") || len(b.Devices()) != 0 {
					t.Errorf("warning %q, %d devices", b.Warning(), len(b.Devices()))
				}
			}
			kept, _ := filepath.Glob(b.path + ".damaged-*")
			if len(kept) != 2 {
				t.Fatalf("kept: %v", kept)
			}
			if got, err := os.ReadFile(kept[0]); err != nil || string(got) != body {
				t.Errorf("not what it was: %v", err)
			}
			_, secret := b.device(Arbiter, "A")
			b.open()
			if _, ok := b.Check(secret); !ok || !b.Warning().IsZero() {
				t.Errorf("after pairing anew: %v %q", ok, b.Warning())
			}
		})
	}
}

func TestFileIsForTheOwnerAlone(t *testing.T) {
	b := newBench(t)
	b.device(Arbiter, "A")
	perm := func() os.FileMode {
		info, err := os.Stat(b.path)
		if err != nil {
			t.Fatal(err)
		}
		return info.Mode().Perm()
	}
	if perm() != 0o600 {
		t.Errorf("written %o", perm())
	}
	if err := os.Chmod(b.path, 0o644); err != nil {
		t.Fatal(err)
	}
	if b.open(); perm() != 0o600 {
		t.Errorf("opened %o", perm())
	}
	if err := os.WriteFile(b.path+".new", []byte("left over"), 0o666); err != nil {
		t.Fatal(err)
	}
	if b.device(Arbiter, "B"); perm() != 0o600 {
		t.Errorf("after a crash %o", perm())
	}
	if _, err := os.Stat(b.path + ".new"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the temporary file is still there: %v", err)
	}
}

// An unreadable file (of another user, with a bad sector, or a directory) is set aside: the page must be there.
func TestPathThatIsNoFile(t *testing.T) {
	b := newBench(t)
	b.crash()
	if err := errors.Join(os.RemoveAll(b.path), os.Mkdir(b.path, 0o700)); err != nil {
		t.Fatal(err)
	}
	b.open()
	if w := b.Warning(); !says(w, "notice.devices_damaged") {
		t.Errorf("the notice is %+v", w)
	}
	d, secret := b.device(Arbiter, "A")
	b.open()
	if got, ok := b.Check(secret); !ok || got.ID != d.ID {
		t.Errorf("after a restart: %+v %v", got, ok)
	}
}

func TestDiskThatTakesNothing(t *testing.T) {
	b := newBench(t)
	d, secret := b.device(Arbiter, "A")
	dir := filepath.Dir(b.path)
	if err := os.Rename(dir, dir+"-away"); err != nil {
		t.Fatal(err)
	}
	phone, phoneSecret := b.device(Viewer, "B") // pairs all the same
	if b.Warning().IsZero() {
		t.Error("nothing was said")
	}
	if err := b.Revoke(d.ID); !errors.Is(err, ErrNotSaved) {
		t.Errorf("got %v", err)
	}
	if _, ok := b.Check(secret); ok {
		t.Error("a revoked device passes until the disk is well")
	}
	if w := b.Warning(); !says(w, "notice.devices_unsaved") || says(w, "<nil>") || len(w.Args) != 1 || w.Args[0].IsZero() {
		t.Errorf("the notice does not say why: %+v", w)
	}
	if err := b.Flush(); !errors.Is(err, ErrNotSaved) {
		t.Errorf("got %v", err)
	}
	if err := os.Rename(dir+"-away", dir); err != nil {
		t.Fatal(err)
	}
	if err := b.Flush(); err != nil || !b.Warning().IsZero() {
		t.Errorf("the disk is back: %v %q", err, b.Warning())
	}
	b.open()
	if got, ok := b.Check(phoneSecret); !ok || got.ID != phone.ID || len(b.Devices()) != 1 {
		t.Errorf("after a restart: %+v %v", got, ok)
	}
}

func TestSeenIsWrittenOnceAMinuteAndAtTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.crash()
		s := Open(b.path, time.Now)
		b.Store = s
		_, secret := b.device(Arbiter, "A")
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { s.Run(ctx); close(done) }()
		first := b.body()
		time.Sleep(30 * time.Second) // virtual
		s.Check(secret)
		if b.body() != first {
			t.Error("Check wrote the file")
		}
		time.Sleep(31 * time.Second)
		second := b.body()
		if second == first {
			t.Error("not written after a minute")
		}
		s.Check(secret)
		cancel()
		<-done
		if b.body() == second {
			t.Error("not written at the end")
		}
		b.time = time.Now()
		if b.open(); b.Devices()[0].SeenAt.Unix() != time.Now().Unix() {
			t.Errorf("seen %v", b.Devices()[0].SeenAt)
		}
	})
}

func TestNames(t *testing.T) {
	for name, row := range map[string][2]string{
		"plain":                        {"Anna's phone", "Anna's phone"},
		"spaces outside and doubled":   {" \t Anna \n\u00a0 B ", "Anna B"},
		"empty":                        {"", "Phone"},
		"spaces only":                  {" \u2003 ", "Phone"},
		"invisible only":               {"\u200b\u200d\ufeff\u0301", "Phone"},
		"bidi override":                {"\u202eretibra\u202c \u2067x\u2069", "retibra x"},
		"control and escape":           {"A\x1b[31mB\x00\r\nC\x7f", "A[31mB C"},
		"line separators":              {"A\u2028B\u2029C", "A B C"},
		"broken UTF-8":                 {"A\xffB\xc3", "AB"},
		"markup stays text":            {"<script>alert(1)</script>", "<script>alert(1)</script>"},
		"other scripts":                {"ラファエル Ünal علی\u200cرضا", "ラファエル Ünal علی\u200cرضا"},
		"tag characters":               {"A\U000e0041\U000e007f", "A"},
		"emoji":                        {"👩\u200d⚖️ phone", "👩\u200d⚖️ phone"},
		"forty-one characters":         {repeat("ä", 41), repeat("ä", 40)},
		"a space at the fortieth":      {repeat("ä", 39) + " b", repeat("ä", 39)},
		"a megabyte of nothing":        {repeat("\u200b", 1<<19), "Phone"},
		"private use":                  {"A\ue000B", "AB"},
		"a name hidden behind nothing": {repeat("\u200b", 50) + "A", "A"},
	} {
		if got := cleanName(row[0]); got != row[1] {
			t.Errorf("%s: %q, want %q", name, got, row[1])
		}
	}
}

func FuzzName(f *testing.F) {
	f.Add("Anna's phone")
	f.Add("\u202e\x1b \xff")
	f.Fuzz(func(t *testing.T, name string) {
		got := cleanName(name)
		if got == "" || utf8.RuneCountInString(got) > nameRunes || !utf8.ValidString(got) || cleanName(got) != got ||
			strings.ContainsFunc(got, unicode.IsControl) || strings.TrimSpace(got) != got {
			t.Fatalf("%q became %q", name, got)
		}
	})
}

func FuzzDevicesFile(f *testing.F) {
	f.Add([]byte(listOf(deviceA)))
	f.Add([]byte(listOf(strings.Replace(deviceA, `"id"`, `"boards":["1"],"push":{"endpoint":"https://a/","p256dh":"`+
		samplePush().P256dh+`","auth":"`+samplePush().Auth+`"},"id"`, 1))))
	f.Add([]byte("null"))
	f.Add([]byte(`{"version":1}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		devices, err := decode(body)
		if err != nil {
			return
		}
		ids := map[string]bool{}
		for _, p := range devices {
			if p.ID == "" || ids[p.ID] || !p.Role.Valid() || cleanName(p.Name) != p.Name {
				t.Fatalf("took %v", p.Device)
			}
			ids[p.ID] = true
		}
		once, err := encode(devices)
		if err != nil {
			t.Fatalf("what was read cannot be written: %v", err)
		}
		again, err := decode(once)
		if err != nil {
			t.Fatalf("what was written cannot be read: %v", err)
		}
		if twice, _ := encode(again); !bytes.Equal(once, twice) {
			t.Fatalf("not stable:\n%s\n%s", once, twice)
		}
	})
}
