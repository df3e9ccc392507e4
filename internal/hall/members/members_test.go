package members

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

func TestAnInvitationIsGoodOnce(t *testing.T) {
	l := Open(filepath.Join(t.TempDir(), "computers.json"))
	now := time.Date(2026, 11, 1, 9, 0, 0, 0, time.UTC)
	before := l.Version()
	change := func(do func(*Roll) error) error { t.Helper(); return l.Change(do) }
	if err := change(func(r *Roll) error {
		return r.Invite(Invitation{Name: "table-1", Key: "INV", Expires: now.Add(time.Hour)}, now)
	}); err != nil {
		t.Fatal(err)
	}
	if l.Version() == before {
		t.Error("the version did not change")
	}
	join := func(key string, at time.Time) error {
		return change(func(r *Roll) error { _, err := r.Join("INV", key, at); return err })
	}
	if err := join("K1", now.Add(2*time.Hour)); !errors.Is(err, ErrInvitation) {
		t.Errorf("after its time: %v", err)
	}
	if err := join("K1", now); err != nil {
		t.Fatal(err)
	}
	if err := join("K1", now); err != nil {
		t.Errorf("the same computer asks again: %v", err)
	}
	if err := join("K2", now); !errors.Is(err, ErrInvitation) {
		t.Errorf("a second time: %v", err)
	}
	r, err := Open(l.path).Read()
	if c, ok := r.Computer("table-1"); err != nil || !ok || c.Key != "K1" || len(r.Computers) != 1 {
		t.Fatalf("%+v, %v", r, err)
	}
	if err := change(func(r *Roll) error { return r.Revoke("table-1", time.Now()) }); err != nil {
		t.Fatal(err)
	}
	if err := change(func(r *Roll) error { return r.Revoke("table-1", time.Now()) }); !errors.Is(err, ErrUnknown) {
		t.Errorf("revoked twice: %v", err)
	}
}

func TestADamagedListIsNotOverwritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "computers.json")
	if err := os.WriteFile(path, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Open(path).Change(func(*Roll) error { return nil }); err == nil {
		t.Error("no error")
	}
	if b, _ := os.ReadFile(path); string(b) != "{" {
		t.Errorf("it holds %q now", b)
	}
}

// An invitation removes a computer from the hall only if it says so.
func TestANameInUse(t *testing.T) {
	now := time.Date(2026, 11, 1, 9, 0, 0, 0, time.UTC)
	open := func(r *Roll, key string, replace bool) error {
		return r.Invite(Invitation{Name: "table-1", Key: key, Replace: replace, Expires: now.Add(time.Hour)}, now)
	}
	var r Roll
	join := func(invitation, key string) error { _, err := r.Join(invitation, key, now); return err }
	if err := errors.Join(open(&r, "I1", false), join("I1", "K1"), open(&r, "I2", false)); err != nil {
		t.Fatalf("a second invitation, for a computer that never came: %v", err)
	}
	r.Heard([]string{"K1"})
	if err := join("I2", "K2"); !errors.Is(err, ErrNameInUse) {
		t.Errorf("it came in between: %v", err)
	}
	if err := open(&r, "I3", false); !errors.Is(err, ErrNameInUse) {
		t.Errorf("invited: %v", err)
	}
	if c, _ := r.Computer("table-1"); c.Key != "K1" {
		t.Errorf("%+v has the name", c)
	}
	if err := errors.Join(open(&r, "I4", true), join("I4", "K4")); err != nil {
		t.Errorf("in its place: %v", err)
	}
	if c, _ := r.Computer("table-1"); c.Key != "K4" || len(r.Computers) != 1 {
		t.Errorf("%+v", r.Computers)
	}
}

// A computer that was in the hall is remembered for a day when it is revoked, and until it joins again.
func TestWhichComputersWereRevoked(t *testing.T) {
	now := time.Date(2026, 11, 24, 14, 0, 0, 0, time.UTC)
	r := Roll{Computers: []Computer{{Name: "table-1", Key: "1"}, {Name: "table-2", Key: "2"}}, Invitations: []Invitation{{Name: "table-3"}}}
	revoked := func(name string, at time.Time, want ...string) {
		t.Helper()
		if err := r.Revoke(name, at); err != nil {
			t.Error(err)
		}
		var names []string
		for _, o := range r.Revoked {
			names = append(names, o.Name)
		}
		if !slices.Equal(names, want) {
			t.Errorf("%s: %q, want %q", name, names, want)
		}
	}
	revoked("table-1", now, "table-1")
	revoked("table-3", now, "table-1") // nobody has used it
	r.admit(Computer{Name: "table-4", Key: "4"})
	revoked("table-2", now.Add(time.Hour), "table-1", "table-2")
	r.admit(Computer{Name: "table-2", Key: "2"})
	revoked("table-4", now.Add(30*time.Hour), "table-4")
}
