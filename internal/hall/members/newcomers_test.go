package members

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"boardwatchd/internal/hall/wire"
)

var nine = time.Date(2026, 11, 1, 9, 0, 0, 0, time.UTC)

// many is a list with an invitation for many, and what newcomers say to it.
func many(t *testing.T) (l *List, ask func(key, host string) error) {
	t.Helper()
	l = Open(filepath.Join(t.TempDir(), "computers.json"))
	if err := l.Change(func(r *Roll) error {
		return r.Invite(Invitation{Key: "MANY", Many: true, Expires: nine.Add(time.Hour)}, nine)
	}); err != nil {
		t.Fatal(err)
	}
	return l, func(key, host string) error {
		return l.Change(func(r *Roll) error {
			if _, err := r.Join("MANY", key, nine); !errors.Is(err, ErrWaits) {
				return fmt.Errorf("%s is not told to wait: %w", key, err)
			}
			_, err := r.Ask(Newcomer{Key: key, Invitation: "MANY", Host: host, Asked: nine})
			return err
		})
	}
}

func TestNewcomersAreAccepted(t *testing.T) {
	l, ask := many(t)
	for _, key := range []string{"K1", "K2", "K1", "K3"} {
		if err := ask(key, "raspberrypi"); err != nil {
			t.Fatal(err)
		}
	}
	r, err := l.Read()
	if err != nil || len(r.Waiting(nine)) != 3 || !r.Waits("K1", nine) || len(r.Computers) != 0 {
		t.Fatalf("%+v, %v", r, err)
	}
	if list := r.Waiting(nine.Add(2 * time.Hour)); len(list) != 0 {
		t.Errorf("after the invitation's time %d wait", len(list))
	}
	heard := func(key string) {
		if err := l.Change(func(r *Roll) error { r.Heard([]string{key}); return nil }); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		key, name string
		want      error
	}{{"K1", "table-1", nil}, {"K1", "table-9", ErrNoNewcomer}, {"K2", "table-1", ErrNameTaken}, {"K2", "", nil}, {"no such key", "x", ErrNoNewcomer}} {
		err := l.Change(func(r *Roll) error {
			_, err := r.Accept(strings.ReplaceAll(strings.ToLower(wire.CodeOf(c.key)), "-", ""), c.name, nine)
			return err
		})
		if !errors.Is(err, c.want) {
			t.Errorf("%s as %q: %v", c.key, c.name, err)
		}
		heard(c.key)
	}
	var wrong wire.NameError
	if err := l.Change(func(r *Roll) error { _, err := r.Accept(wire.CodeOf("K3"), "table 3", nine); return err }); !errors.As(err, &wrong) {
		t.Errorf("a name with a blank: %v", err)
	}
	if r, err = l.Read(); err != nil {
		t.Fatal(err)
	}
	for key, name := range map[string]string{"K1": "table-1", "K2": "raspberrypi"} {
		if c, err := r.Join("MANY", key, nine); err != nil || c.Name != name {
			t.Errorf("%s hears %q, %v", key, c.Name, err)
		}
	}
	if name := r.FreeName("raspberrypi"); name != "raspberrypi-2" {
		t.Errorf("the next of that name would be %q", name)
	}
	if name := r.FreeName("Anna's laptop"); name != "" {
		t.Errorf("a name that cannot be one: %q", name)
	}
	if err := r.Revoke("table-1", time.Now()); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Join("MANY", "K1", nine); !errors.Is(err, ErrWaits) {
		t.Errorf("a computer that was revoked hears %v", err)
	}
}

func TestNewcomersAreRefused(t *testing.T) {
	l, ask := many(t)
	if err := ask("K1", "pi"); err != nil {
		t.Fatal(err)
	}
	for _, want := range []error{nil, ErrNoNewcomer} {
		if err := l.Change(func(r *Roll) error { return r.Refuse(wire.CodeOf("K1"), nine) }); !errors.Is(err, want) {
			t.Errorf("refused: %v, want %v", err, want)
		}
	}
	r, err := l.Read()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Join("MANY", "K1", nine); !errors.Is(err, ErrRefused) {
		t.Errorf("it hears %v", err)
	}
	if r.Clean(nine.Add(2 * time.Hour)); len(r.Newcomers) != 0 {
		t.Error("it is remembered for ever")
	}
}

func TestNewcomersAreBounded(t *testing.T) {
	var r Roll
	for i := range MaxNewcomers {
		if _, err := r.Ask(Newcomer{Key: fmt.Sprint(i)}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := r.Ask(Newcomer{Key: "one more"}); !errors.Is(err, ErrMany) {
		t.Errorf("one more: %v", err)
	}
}

// A computer that was accepted and never came does not keep its name: the one that is accepted under it next is perhaps
// the same.
func TestAComputerThatNeverCameIsReplaced(t *testing.T) {
	l, ask := many(t)
	accept := func(key string) error {
		return l.Change(func(r *Roll) error { _, err := r.Accept(wire.CodeOf(key), "table-1", nine); return err })
	}
	for _, key := range []string{"K1", "K2", "K3"} {
		if err := ask(key, "pi"); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(accept("K1"), accept("K2")); err != nil {
		t.Fatalf("the second one of that name: %v", err)
	}
	r, err := l.Read()
	if c, ok := r.Computer("table-1"); err != nil || !ok || c.Key != "K2" || !c.New || len(r.Computers) != 1 {
		t.Fatalf("%+v, %v", r.Computers, err)
	}
	if _, err := r.Join("MANY", "K1", nine); !errors.Is(err, ErrWaits) {
		t.Errorf("the first one hears %v", err)
	}
	if !r.Heard([]string{"K2", "K9"}) || r.Heard([]string{"K2"}) {
		t.Error("that it was heard is new once")
	}
	if err := l.Change(func(r *Roll) error { r.Heard([]string{"K2"}); return nil }); err != nil {
		t.Fatal(err)
	}
	if err := accept("K3"); !errors.Is(err, ErrNameTaken) {
		t.Errorf("in place of one that was heard: %v", err)
	}
}
