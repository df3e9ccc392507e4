//go:build linux

package e2e

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// TestTwoComputersInANetwork: the hall and a board's computer are in network namespaces of their own, and a phone in a
// third; each of the two has nothing but the program, and two commands: hall and hall invite here, join and run there.
// The phone pairs by what the hall printed, and sees the board.
func TestTwoComputersInANetwork(t *testing.T) {
	t.Parallel()
	hall, table, phone := newNetwork(t)
	h := &hub{venue: newVenue(t)}
	h.network, h.phones = hall, phone
	h.ran(h.start(t, "hall"))
	h.invited(t)
	token := strings.TrimSpace(h.run(t, "", "hall", "invite", "table-7").want(t, 0).out)
	h.secret("token", token)

	c := &tableComputer{place: newPlace(t), name: "table-7"}
	c.network = table
	c.conf = c.write(t, "boardwatchd.yaml", fmt.Sprintf("boards: [{name: %s, port: %s, white_clock: left}]\ntime_control: 90+30\n%s", boardName, c.path("board"), phoneTiming))
	c.run(t, "", "join", token).want(t, 0)
	c.process = c.start(t, "run", "-c", c.conf)
	c.err.await(t, `"message":"the hall is there"`)
	c.plug(t)

	ann := h.pair(t, "Ann")
	eventually(t, "the board", func() bool { return len(ann.boards(t).Boards) == 1 }, func() string { return fmt.Sprint(ann.boards(t)) })
	found := ann.awaitConfirmed(t)
	ann.rule(t, found, "confirm")
	for _, url := range []string{"http://10.66.0.1:8160/", "http://10.66.0.2:8160/"} { // the computer's own page is there as well
		a, err := ann.web.Get(url)
		if err != nil {
			t.Fatal(err)
		}
		if err := a.Body.Close(); err != nil || a.StatusCode != http.StatusOK {
			t.Errorf("%s: %d %v", url, a.StatusCode, err)
		}
	}
	c.stopped(t)
}

// A namespace is a network of its own.
type namespace string

// newNetwork makes a network of three.
func newNetwork(t *testing.T) (hall, table, phone namespace) {
	t.Helper()
	if _, err := exec.LookPath("ip"); err != nil || os.Geteuid() != 0 {
		t.Skip("network namespaces need root and the command ip (apt-get install iproute2)")
	}
	ip := func(args ...string) error {
		out, err := exec.Command("ip", args...).CombinedOutput()
		if err != nil {
			return fmt.Errorf("ip %s: %w: %s", strings.Join(args, " "), err, out)
		}
		return nil
	}
	name := func(n int) string { return fmt.Sprintf("bw%d-%d", os.Getpid(), n) }
	if err := ip("netns", "add", name(0)); err != nil { // the switch
		t.Skip("network namespaces are not allowed here: ", err)
	}
	t.Cleanup(func() { _ = ip("netns", "del", name(0)) })
	must := func(args ...string) {
		t.Helper()
		if err := ip(args...); err != nil {
			t.Fatal(err)
		}
	}
	must("-n", name(0), "link", "add", "bridge", "type", "bridge")
	must("-n", name(0), "link", "set", "bridge", "up")
	for n := 1; n <= 3; n++ {
		must("netns", "add", name(n))
		t.Cleanup(func() { _ = ip("netns", "del", name(n)) })
		port := fmt.Sprintf("port%d", n)
		must("-n", name(0), "link", "add", port, "type", "veth", "peer", "name", "eth0", "netns", name(n))
		must("-n", name(0), "link", "set", port, "master", "bridge", "up")
		must("-n", name(n), "addr", "add", fmt.Sprintf("10.66.0.%d/24", n), "dev", "eth0")
		must("-n", name(n), "link", "set", "eth0", "up")
		must("-n", name(n), "link", "set", "lo", "up")
	}
	return namespace(name(1)), namespace(name(2)), namespace(name(3))
}

// dial connects from a namespace: a socket belongs to the one in which its thread was. The thread goes back to its own
// afterwards and does not end, because the programs that were started from it would end with it.
func (n namespace) dial(ctx context.Context, network, address string) (c net.Conn, err error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	own, err := os.Open("/proc/thread-self/ns/net")
	if err != nil {
		return nil, err
	}
	defer own.Close() // read only
	other, err := os.Open("/run/netns/" + string(n))
	if err != nil {
		return nil, err
	}
	defer other.Close() // read only
	if err := unix.Setns(int(other.Fd()), unix.CLONE_NEWNET); err != nil {
		return nil, err
	}
	defer func() {
		if err := unix.Setns(int(own.Fd()), unix.CLONE_NEWNET); err != nil {
			panic("the tests' own network: " + err.Error())
		}
	}()
	return (&net.Dialer{}).DialContext(ctx, network, address)
}
