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

	"boardwatchd/internal/config"
	"boardwatchd/internal/hall/hub"
	"boardwatchd/internal/hall/members"
	"boardwatchd/internal/hall/uplink"
	"boardwatchd/internal/sharedtest"
	"boardwatchd/internal/web"
)

// running is a daemon that serves, with a channel of its own.
func running(t *testing.T, state string, more func(*Options)) *Daemon {
	t.Helper()
	conf := config.Default()
	conf.HTTP.Listen = config.Off
	conf.Alerts.Channels = []config.Channel{{Name: "own", Type: config.Ntfy, Step: 1, URL: "http://127.0.0.1:1/own"}}
	o := Options{Config: conf, Dir: state, Log: zerolog.Nop(), Getenv: func(string) string { return "" }}
	if more != nil {
		more(&o)
	}
	d := Open(o)
	ctx, cancel := context.WithCancel(context.Background())
	d.Serve(ctx)
	t.Cleanup(func() {
		cancel()
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

// invited is a token for a hall that runs.
func invited(t *testing.T, h *hub.Hub, dir, name string) string {
	t.Helper()
	inv, err := hub.FilesIn(dir).Invite(name, []string{h.Addr().String()}, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	return inv.Token()
}

// inTheHall are the computers that are connected with a hall.
func inTheHall(h *hub.Hub) (names []string) {
	for _, c := range h.Computers() {
		names = append(names, c.Name)
	}
	return names
}

// joined joins a hall at the page: a hall learns of an invitation a moment after it was made.
func joined(t *testing.T, d *Daemon, token string, replace bool) (a web.HallMember) {
	t.Helper()
	sharedtest.Until(t, "it has joined", func() (done bool) {
		var err error
		a, err = d.member.JoinHall(t.Context(), token, replace)
		return err == nil
	})
	return a
}

// A computer joins a hall while it watches, is asked before it goes into another one, and leaves: each hall knows who
// is in it, and where alerts leave from follows.
func TestAComputerJoinsAndLeavesWhileItWatches(t *testing.T) {
	h, dir := aHall(t)
	other, otherDir := aHall(t)
	d := running(t, t.TempDir(), nil)
	m := d.member
	if a := m.Membership(); a.Computer != "" || d.inHall() {
		t.Fatalf("at first it is in a hall: %+v", a)
	}
	if heard, err := m.LeaveHall(); err == nil {
		t.Errorf("it leaves no hall (%t)", heard)
	}
	token := invited(t, h, dir, "table-1")
	if a := joined(t, d, token, false); a.Computer != "table-1" || !d.inHall() {
		t.Errorf("joined, it is %+v", a)
	}
	sharedtest.Until(t, "the hall has it", func() bool { return slices.Contains(inTheHall(h), "table-1") && m.Membership().Here })
	if state := d.tables.TablesState(); state.Here != web.RoundHall {
		t.Errorf("its tables are set %s", state.Here)
	}

	second := invited(t, other, otherDir, "table-9")
	_, err := m.JoinHall(t.Context(), second, false)
	var asks *web.JoinError
	if !errors.As(err, &asks) || asks.Code != "other_hall" || !slices.Equal(asks.Args, []string{"table-1", h.Addr().String()}) {
		t.Fatalf("a token of another hall: %v", err)
	}
	if !slices.Contains(inTheHall(h), "table-1") {
		t.Error("it has left its hall without being told to")
	}
	if err := os.WriteFile(standbyFile(d.opt.Dir), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	joined(t, d, second, true)
	sharedtest.Until(t, "the other hall has it", func() bool { return slices.Contains(inTheHall(other), "table-9") })
	sharedtest.Until(t, "the first hall knows that it has left", func() bool {
		r, err := hub.FilesIn(dir).Members().Read()
		return err == nil && len(r.Computers) == 0
	})

	heard, err := m.LeaveHall()
	if err != nil || !heard || d.inHall() {
		t.Errorf("it leaves: %t, %v", heard, err)
	}
	sharedtest.Until(t, "the other hall knows that it has left", func() bool {
		r, err := hub.FilesIn(otherDir).Members().Read()
		return err == nil && len(r.Computers) == 0
	})
	for _, file := range []string{MemberFile(d.opt.Dir), askingFile(MemberFile(d.opt.Dir)), standbyFile(d.opt.Dir)} {
		if _, err := os.Stat(file); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s is left behind (%v)", filepath.Base(file), err)
		}
	}
	if !slices.Equal(m.channels, []string{"own"}) {
		t.Errorf("it alerts by %q", m.channels)
	}
	// And once more into the first one.
	joined(t, d, invited(t, h, dir, "table-1"), false)
	sharedtest.Until(t, "the first hall has it again", func() bool { return slices.Contains(inTheHall(h), "table-1") })
}

// A computer that was revoked joins again with the token for many that it had, and waits under the code that its page
// shows: after another start too. Accepted, it speaks with its new key.
func TestARevokedComputerWaitsAgain(t *testing.T) {
	h, dir := aHall(t)
	state := t.TempDir()
	d := running(t, state, nil)
	many := invited(t, h, dir, "")
	accept := func(code, name string) {
		t.Helper()
		if err := h.Accept(code, name); err != nil {
			t.Fatal(err)
		}
		sharedtest.Until(t, name+" is in the hall", func() bool { return slices.Contains(inTheHall(h), name) && d.member.Membership().Here })
	}
	accept(joined(t, d, many, false).Code, "table-5")
	if err := hub.FilesIn(dir).Members().Change(func(r *members.Roll) error { return r.Revoke("table-5", time.Now()) }); err != nil {
		t.Fatal(err)
	}
	sharedtest.Until(t, "it is out", func() bool { return !slices.Contains(inTheHall(h), "table-5") })
	again := joined(t, d, many, false)
	if again.Code == "" {
		t.Fatalf("asking again, it is %+v", again)
	}
	if later := alone(t, state, ""); later.member.token != many {
		t.Errorf("after another start it asks with %q", later.member.token)
	}
	accept(again.Code, "table-6")
}

// A computer whose asking with the token on its card was ended does not ask again by itself.
func TestTheAskingWithACardIsEnded(t *testing.T) {
	h, dir := aHall(t)
	card := filepath.Join(t.TempDir(), "boardwatchd-join")
	if err := os.WriteFile(card, []byte(invited(t, h, dir, "")), 0o600); err != nil {
		t.Fatal(err)
	}
	d := running(t, t.TempDir(), func(o *Options) { o.JoinFile = card })
	sharedtest.Until(t, "it waits", func() bool { return d.member.Membership().Code != "" })
	if _, err := d.member.LeaveHall(); err != nil {
		t.Fatal(err)
	}
	if again := alone(t, d.opt.Dir, card); again.member.token != "" {
		t.Errorf("after another start it asks with %q", again.member.token)
	}
}

// The page's answer to a token that cannot be used; and a file's path is no token there.
func TestTokensThatCannotBeUsed(t *testing.T) {
	h, dir := aHall(t)
	d := running(t, t.TempDir(), nil)
	over, err := hub.FilesIn(dir).Invite("table-2", []string{h.Addr().String()}, time.Now().Add(-2*hub.InvitationLife))
	if err != nil {
		t.Fatal(err)
	}
	nowhere, err := hub.FilesIn(t.TempDir()).Invite("table-2", []string{"127.0.0.1:1"}, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	moved, err := hub.FilesIn(t.TempDir()).Invite("table-2", []string{h.Addr().String()}, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte(invited(t, h, dir, "table-3")), 0o600); err != nil {
		t.Fatal(err)
	}
	for token, code := range map[string]string{
		"nothing": "no_token", file: "no_token", over.Token(): "invitation_over", nowhere.Token(): "hall_silent", moved.Token(): "other_authority",
	} {
		_, err := d.member.JoinHall(t.Context(), token, false)
		var refused *web.JoinError
		if !errors.As(err, &refused) || refused.Code != code {
			t.Errorf("%.20s…: %v, want %s", token, err, code)
		}
	}
	if d.inHall() {
		t.Error("it is in a hall")
	}
	fixed := running(t, t.TempDir(), func(o *Options) { o.Config.Hall.Join = nowhere.Token() })
	_, err = fixed.member.JoinHall(t.Context(), invited(t, h, dir, "table-4"), true)
	var refused *web.JoinError
	if !errors.As(err, &refused) || refused.Code != "hall_fixed" {
		t.Errorf("a hall that the configuration names: %v", err)
	}
}

// A computer that joins with a token for many alerts by itself until somebody accepts it, and is then in the hall
// without another word. One that has left does not come back by the token on its card.
func TestAComputerIsAcceptedWhileItWatches(t *testing.T) {
	h, dir := aHall(t)
	card := filepath.Join(t.TempDir(), "boardwatchd-join")
	d := running(t, t.TempDir(), func(o *Options) { o.JoinFile = card })
	many := invited(t, h, dir, "")
	a := joined(t, d, many, false)
	if a.Code == "" || a.Computer != "" || d.inHall() {
		t.Fatalf("it waits as %+v", a)
	}
	asked, err := JoinHall(t.Context(), d.opt.Dir, many, false) // the command asks with the same token
	if waits := (*uplink.WaitsError)(nil); !errors.As(err, &waits) || waits.Code != a.Code {
		t.Errorf("the command waits under another code: %v", err)
	}
	if _, ok := JoinedAs(d.opt.Dir, asked); ok {
		t.Error("the command believes that it is in the hall")
	}
	if err := h.Accept(a.Code, "table-5"); err != nil {
		t.Fatal(err)
	}
	sharedtest.Until(t, "it is in the hall", func() bool { return slices.Contains(inTheHall(h), "table-5") })
	if a := d.member.Membership(); a.Code != "" || a.Computer != "table-5" {
		t.Errorf("accepted, it is %+v", a)
	}
	if who, ok := JoinedAs(d.opt.Dir, asked); !ok || who.Computer != "table-5" {
		t.Errorf("the command does not know that the hall has answered the program: %+v", who)
	}
	if err := os.WriteFile(card, []byte(many), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := d.member.LeaveHall(); err != nil {
		t.Fatal(err)
	}
	if again := alone(t, d.opt.Dir, card); again.inHall() || again.member.token != "" {
		t.Error("after another start it asks with the token on the card")
	}
	if _, err := uplink.ReadMember(MemberFile(d.opt.Dir)); !errors.Is(err, uplink.ErrNoMember) {
		t.Errorf("it is a member: %v", err)
	}
	if err := os.WriteFile(card, []byte(invited(t, h, dir, "table-6")), 0o600); err != nil {
		t.Fatal(err)
	}
	if again := alone(t, d.opt.Dir, card); again.member.token != card {
		t.Error("another card is not read")
	}
}
