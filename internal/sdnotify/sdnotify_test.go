package sdnotify

import (
	"net"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"boardwatchd/internal/sharedtest"
)

// manager is the service manager's end of the socket.
func manager(t *testing.T, name string) *net.UnixConn {
	t.Helper()
	c, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: name, Net: "unixgram"})
	if err != nil {
		t.Skipf("no such sockets here: %v", err)
	}
	t.Cleanup(func() { _ = c.Close() })
	if err := c.SetReadDeadline(sharedtest.Late(t)); err != nil {
		t.Fatal(err)
	}
	return c
}

func TestNotifyReachesTheManager(t *testing.T) {
	for kind, name := range map[string]string{
		"a path":           filepath.Join(t.TempDir(), "notify"),
		"an abstract name": "@boardwatchd-test-" + strings.ReplaceAll(t.Name(), "/", "-") + strconv.FormatInt(time.Now().UnixNano(), 36),
	} {
		t.Run(kind, func(t *testing.T) {
			m := manager(t, name)
			t.Setenv("NOTIFY_SOCKET", name)
			for _, state := range []string{Ready, Watchdog, "STATUS=watching 2 boards", Ready + "\n" + Stopping} {
				if err := Notify(state); err != nil {
					t.Fatal(err)
				}
				b := make([]byte, 1000)
				if n, err := m.Read(b); err != nil || string(b[:n]) != state {
					t.Errorf("the manager got %q, %v; want %q", b[:n], err, state)
				}
			}
		})
	}
}

func TestNotifyWithoutAManagerDoesNothing(t *testing.T) {
	if err := notify("", Ready); err != nil {
		t.Error(err)
	}
}

func TestNotifyToNobodyIsAnError(t *testing.T) {
	for _, socket := range []string{filepath.Join(t.TempDir(), "gone"), "vsock:2:1234", "notify"} {
		if err := notify(socket, Ready); err == nil || !strings.HasPrefix(err.Error(), "notify systemd: ") {
			t.Errorf("%s: %v", socket, err)
		}
	}
}

func TestNotifyDoesNotHangOnADeafManager(t *testing.T) {
	name := filepath.Join(t.TempDir(), "notify")
	manager(t, name) // reads nothing
	var err error
	for i := 0; err == nil && i < 10000; i++ {
		err = notify(name, Watchdog)
	}
	if err == nil {
		t.Error("ten thousand messages went to somebody who reads none")
	}
}

func TestWatchdogInterval(t *testing.T) {
	for name, tc := range map[string]struct {
		usec, pid string
		want      time.Duration
	}{
		"on":                     {"10000000", "", 10 * time.Second},
		"on for this process":    {"10000000", "42", 10 * time.Second},
		"on for another process": {"10000000", "41", 0},
		"off":                    {"", "", 0},
		"zero":                   {"0", "", 0},
		"negative":               {"-1", "", 0},
		"no number":              {"10s", "", 0},
		"beyond a day":           {"9223372036854775807", "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			env := map[string]string{"WATCHDOG_USEC": tc.usec, "WATCHDOG_PID": tc.pid}
			if got := WatchdogInterval(func(k string) string { return env[k] }, 42); got != tc.want {
				t.Errorf("%v, want %v", got, tc.want)
			}
		})
	}
}
