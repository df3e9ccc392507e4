package hub_test

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"boardwatchd/internal/hall/hub"
	"boardwatchd/internal/hall/members"
	"boardwatchd/internal/sharedtest"
)

// bothWays runs a test with the hall's own server, and with one elsewhere that has the configuration which the hall
// wrote.
func bothWays(t *testing.T, test func(t *testing.T, servers func(dir string) []string)) {
	t.Run("own server", func(t *testing.T) { test(t, func(string) []string { return nil }) })
	t.Run("server elsewhere", func(t *testing.T) {
		test(t, func(dir string) []string { return []string{serverElsewhere(t, dir)} })
	})
}

func serverElsewhere(t *testing.T, hall string) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address = l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	confs, err := hub.FilesIn(hall).WriteCluster(dir, []string{address}, time.Now())
	if err != nil || len(confs) != 1 {
		t.Fatal(confs, err)
	}
	t.Chdir(dir) // its paths are relative
	o, err := server.ProcessConfigFile(confs[0])
	if err != nil {
		t.Fatal(err)
	}
	o.Host, o.StoreDir, o.NoSigs = "127.0.0.1", filepath.Join(dir, "store"), true
	s, err := server.NewServer(o)
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if !s.ReadyForConnections(sharedtest.Patience(t)) {
		t.Fatal("the server does not start")
	}
	return address
}

// The files for servers elsewhere are readable for their owner only, and written only for a useful number of servers.
func TestWriteCluster(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cluster")
	three := []string{"nats-a.example:4222", "10.0.0.2:4222", "[fd00::3]:4300"}
	confs, err := hub.FilesIn(t.TempDir()).WriteCluster(dir, three, time.Now())
	if err != nil || len(confs) != 3 {
		t.Fatal(confs, err)
	}
	text, err := os.ReadFile(filepath.Join(dir, confs[2]))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"tls://nats-a.example:6222", "tls://10.0.0.2:6222", "tls://[fd00::3]:6300"`, `listen: "[fd00::3]:4300"`, `listen: "[fd00::3]:6300"`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%s has no %s", confs[2], want)
		}
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 7 {
		t.Error(files, err)
	}
	for _, f := range files {
		if info, err := f.Info(); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v %v", f.Name(), info.Mode(), err)
		}
	}
	for _, servers := range [][]string{nil, three[:2], append(three, "x:1"), {"10.0.0.1:65000"}, {"nats"}} {
		if _, err := hub.FilesIn(t.TempDir()).WriteCluster(t.TempDir(), servers, time.Now()); err == nil {
			t.Errorf("%q are taken", servers)
		}
	}
}

// Somebody who knows the public key of a computer, or was revoked while the hall was away, is not let in.
func TestOnlyMembersAreLetIn(t *testing.T) {
	dir := t.TempDir()
	address := serverElsewhere(t, dir)
	h := newHall(t, dir, "", address)
	m := h.invite(t, "table-1")
	key, err := nkeys.FromSeed([]byte(m.Seed))
	if err != nil {
		t.Fatal(err)
	}
	stranger, err := nkeys.CreateUser()
	if err != nil {
		t.Fatal(err)
	}
	public, err := key.PublicKey()
	if err != nil {
		t.Fatal(err)
	}
	for what, opt := range map[string]nats.Option{
		"a forged signature": nats.Nkey(public, stranger.Sign),
		"no key":             nats.UserInfo("HALL", "HALL"),
		"nothing":            nil,
	} {
		if nc, err := h.dial(m, opt); err == nil {
			nc.Close()
			t.Errorf("%s is let in", what)
		} else if !errors.Is(err, nats.ErrAuthorization) && !strings.Contains(err.Error(), "Authorization") {
			t.Errorf("%s: %v", what, err)
		}
	}
	closed := make(chan struct{})
	h.connect(t, key, m, nats.ClosedHandler(func(*nats.Conn) { close(closed) }))
	h.stop()
	if err := h.files.Members().Change(func(r *members.Roll) error { return r.Revoke("table-1", time.Now()) }); err != nil {
		t.Fatal(err)
	}
	newHall(t, dir, "", address)
	select {
	case <-closed:
	case <-sharedtest.Hung(t):
		t.Error("who was revoked while the hall was away is still connected")
	}
}
