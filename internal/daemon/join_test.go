package daemon

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"boardwatchd/internal/hall/hub"
	"boardwatchd/internal/hall/members"
	"boardwatchd/internal/hall/uplink"
	"boardwatchd/internal/sharedtest"
	"boardwatchd/internal/web"
)

// The key is saved before the hall is asked: a computer that loses the answer asks again with the same key.
func TestAKeyIsKeptBeforeJoining(t *testing.T) {
	inv, err := hub.FilesIn(t.TempDir()).Invite("table-1", []string{"127.0.0.1:1"}, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	state := t.TempDir()
	attempt := func() string {
		t.Helper()
		if _, err := JoinHall(sharedtest.Context(t), state, inv.Token(), false); err == nil {
			t.Fatal("it has joined a hall that is not there")
		}
		m, err := uplink.ReadMember(filepath.Join(state, hallDir, "joining.json"))
		if err != nil {
			t.Fatal(err)
		}
		return m.Seed
	}
	first := attempt()
	if second := attempt(); second != first {
		t.Error("another key at the second attempt")
	}
	if _, err := os.Stat(MemberFile(state)); err == nil {
		t.Error("it belongs to a hall that has not answered")
	}
}

// aHall is one that runs, and its directory.
func aHall(t *testing.T) (h *hub.Hub, dir string) {
	t.Helper()
	dir = t.TempDir()
	h, err := hub.Open(hub.Options{Dir: dir, Listen: "127.0.0.1:0", Log: zerolog.Nop()})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	if err := h.Start(ctx); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() { defer close(done); h.Run(ctx) }()
	t.Cleanup(func() { cancel(); <-done })
	return h, dir
}

// A computer stays in a hall that has another address: where the hall answers there, and only then.
func TestAHallThatHasMoved(t *testing.T) {
	h, dir := aHall(t)
	inv, err := hub.FilesIn(dir).Invite("table-1", []string{h.Addr().String()}, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	state := t.TempDir()
	if _, err := MoveHall(state, []string{h.Addr().String()}); !errors.Is(err, uplink.ErrNoMember) {
		t.Errorf("a computer of no hall: %v", err)
	}
	var was uplink.Member
	sharedtest.Until(t, "it has joined", func() bool { was, err = JoinHall(t.Context(), state, inv.Token(), false); return err == nil })
	was.Addresses = []string{"127.0.0.1:1"}
	if err := uplink.SaveMember(MemberFile(state), was); err != nil {
		t.Fatal(err)
	}
	if _, err := MoveHall(state, []string{"127.0.0.1:2"}); err == nil {
		t.Error("it is moved to where no hall answers")
	}
	if now, err := uplink.ReadMember(MemberFile(state)); err != nil || now.Addresses[0] != "127.0.0.1:1" {
		t.Errorf("it looks for the hall at %v (%v)", now.Addresses, err)
	}
	who, err := MoveHall(state, []string{h.Addr().String()})
	if err != nil || who.Seed != was.Seed {
		t.Errorf("%v, %v", who.Addresses, err)
	}
	if now, err := uplink.ReadMember(MemberFile(state)); err != nil || now.Addresses[0] != h.Addr().String() {
		t.Errorf("it looks for the hall at %v (%v)", now.Addresses, err)
	}
}

// A computer that is in a hall is asked before it gets another name there; one that was revoked is not.
func TestAnotherNameInTheHallIsAskedFor(t *testing.T) {
	h, dir := aHall(t)
	state := t.TempDir()
	token := func(name string) string {
		t.Helper()
		inv, err := hub.FilesIn(dir).Invite(name, []string{h.Addr().String()}, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		return inv.Token()
	}
	first, second := token("table-1"), token("table-44")
	sharedtest.Until(t, "it has joined", func() bool { _, err := JoinHall(t.Context(), state, first, false); return err == nil })
	var other *OtherHallError
	if _, err := JoinHall(t.Context(), state, second, false); !errors.As(err, &other) || other.Name != "table-44" || other.Was.Computer != "table-1" {
		t.Fatalf("another name: %v", err)
	}
	if e := (*web.JoinError)(nil); !errors.As(joinError(other), &e) || e.Code != "other_name" || !slices.Equal(e.Args, []string{"table-1", "table-44"}) {
		t.Errorf("the page hears %+v", e)
	}
	if who, err := uplink.ReadMember(MemberFile(state)); err != nil || who.Computer != "table-1" {
		t.Errorf("it is %s (%v)", who.Computer, err)
	}
	if who, err := JoinHall(t.Context(), state, second, true); err != nil || who.Computer != "table-44" {
		t.Errorf("it was asked, and is %s (%v)", who.Computer, err)
	}
	if err := hub.FilesIn(dir).Members().Change(func(r *members.Roll) error { return r.Revoke("table-44", time.Now()) }); err != nil {
		t.Fatal(err)
	}
	sharedtest.Until(t, "it is out", func() bool {
		who, err := uplink.ReadMember(MemberFile(state))
		return err == nil && errors.Is(uplink.Reaches(who), uplink.ErrOut)
	})
	third := token("table-5")
	sharedtest.Until(t, "it has joined anew", func() bool { _, err := JoinHall(t.Context(), state, third, false); return err == nil })
}

// A computer that waits to be accepted keeps its key and goes on asking when the file on its card is gone, also after
// another start, and after an attempt with another token that the hall does not take.
func TestAComputerWaitsWithoutItsCard(t *testing.T) {
	h, dir := aHall(t)
	inv, err := hub.FilesIn(dir).Invite("", []string{h.Addr().String()}, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	card, state := filepath.Join(t.TempDir(), "boardwatchd-join"), t.TempDir()
	if err := os.WriteFile(card, []byte(inv.Token()), 0o444); err != nil {
		t.Fatal(err)
	}
	var waits *uplink.WaitsError
	asks := func(d *Daemon) string {
		t.Helper()
		if d.member.token == "" {
			t.Fatal("the computer does not ask any more")
		}
		sharedtest.Until(t, "it waits", func() bool { _, err = d.member.join(t.Context()); return errors.As(err, &waits) })
		return waits.Code
	}
	d := alone(t, state, card)
	code := asks(d)
	if err := os.Remove(card); err != nil {
		t.Fatal(err)
	}
	if again := asks(d); again != code {
		t.Errorf("without the card the code is %s, it was %s", again, code)
	}
	other, err := hub.FilesIn(dir).Invite("table-9", []string{h.Addr().String()}, time.Now().Add(-2*hub.InvitationLife))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := JoinHall(t.Context(), state, other.Token(), false); err == nil || errors.As(err, new(*uplink.WaitsError)) {
		t.Errorf("a token that is over: %v", err)
	}
	d = alone(t, state, card)
	if again := asks(d); again != code {
		t.Errorf("after another start the code is %s, it was %s", again, code)
	}
	if err := h.Accept(code, "table-1"); err != nil {
		t.Fatal(err)
	}
	who, err := d.member.join(t.Context())
	if err != nil || who.Computer != "table-1" || who.Waits != "" {
		t.Fatalf("accepted, it is %q, %v", who.Computer, err)
	}
	if d := alone(t, state, card); !d.inHall() || d.member.token != "" {
		t.Error("after that it still waits")
	}
}
