package daemon

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"boardwatchd/internal/hall/hub"
	"boardwatchd/internal/hall/uplink"
	"boardwatchd/internal/sharedtest"
)

// The key is kept before the hall is asked: whoever does not hear the answer asks again with the same one.
func TestAKeyIsKeptBeforeJoining(t *testing.T) {
	inv, err := hub.In(t.TempDir()).Invite("table-1", []string{"127.0.0.1:1"}, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	state := t.TempDir()
	attempt := func() string {
		t.Helper()
		if _, err := JoinHall(sharedtest.Context(t), state, inv.Token()); err == nil {
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
