//go:build linux

package e2e

import (
	"fmt"
	"net"
	"testing"

	"golang.org/x/sys/unix"
)

// freePort is one at which nobody listens, and that nobody else is given as long as the test lasts: a socket of the
// test is bound to it and never listens. Whoever names the port can listen at it, as often as it likes (Linux: both
// have SO_REUSEADDR, as every listener of net has, and not both listen).
func freePort(t testing.TB) int {
	t.Helper()
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unix.Close(fd) })
	if err := unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_REUSEADDR, 1); err != nil {
		t.Fatal(err)
	}
	if err := unix.Bind(fd, &unix.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		t.Fatal(err)
	}
	at, err := unix.Getsockname(fd)
	if err != nil {
		t.Fatal(err)
	}
	return at.(*unix.SockaddrInet4).Port
}

// TestAFreePortStaysFree: nobody answers at it, whoever names it can listen, again and again, and nobody else gets it.
func TestAFreePortStaysFree(t *testing.T) {
	t.Parallel()
	port := freePort(t)
	for _, host := range []string{"127.0.0.1", "", "127.0.0.1"} {
		// A process that another test is just starting has all that this one has open until it runs its own program.
		until(t, "nobody answers", func() bool {
			c, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port))
			if err == nil {
				c.Close()
			}
			return err != nil
		})
		address := fmt.Sprintf("%s:%d", host, port)
		l, err := net.Listen("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		if second, err := net.Listen("tcp", address); err == nil {
			second.Close()
			t.Error("two listen at it")
		}
		c, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err != nil {
			t.Fatal(err)
		}
		c.Close()
		l.Close()
	}
	seen := map[int]bool{port: true}
	for range 200 {
		if p := freePort(t); seen[p] {
			t.Fatalf("port %d is given twice", p)
		} else {
			seen[p] = true
		}
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		if p := l.Addr().(*net.TCPAddr).Port; seen[p] {
			t.Fatalf("port %d is a listener's", p)
		}
	}
}
