//go:build linux

package e2e

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"boardwatchd/internal/sharedtest"
)

// TestAHallWithACluster: three NATS servers of the same version as the library's, with the configuration that the hall
// writes, carry for a hall of two computers. BOARDWATCHD_HALL_CLUSTER times (0: not run) one of them is killed, and
// started again while decisions are made at both boards. In the end none of them is lost or doubled, the mirrors are
// the boards' journals, and a computer that is revoked is cut off.
//
//	BOARDWATCHD_HALL_CLUSTER=9 go test -v -timeout 20m -run TestAHallWithACluster ./internal/e2e
func TestAHallWithACluster(t *testing.T) {
	n, _ := strconv.Atoi(os.Getenv("BOARDWATCHD_HALL_CLUSTER"))
	if n == 0 {
		t.Skip("BOARDWATCHD_HALL_CLUSTER is not set")
	}
	program := filepath.Join(t.TempDir(), "nats-server")
	if out, err := exec.Command("go", "build", "-o", program, "github.com/nats-io/nats-server/v2").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	h := &hub{venue: newVenue(t)}
	addresses := []string{serverPort(t), serverPort(t), serverPort(t)}
	h.configure(t, "event: Hall Open\nhall: {cluster: ['"+strings.Join(addresses, "', '")+"']}\n")
	dir := h.path("cluster")
	h.run(t, "", "hall", "cluster", dir, "-c", h.conf).want(t, 0)
	servers := make([]*process, len(addresses))
	serve := func(i int) {
		cmd := exec.Command(program, "-c", fmt.Sprintf("nats-%d.conf", i+1))
		cmd.Dir = dir
		servers[i] = start(t, cmd)
	}
	for i := range servers {
		serve(i)
	}
	h.open(t)
	var tables []*tableComputer
	for i, board := range []string{boardName, "b2"} {
		c := h.newTable(t, fmt.Sprintf("table-%d", i+1), board, "")
		c.run(t, "", "join", "-c", c.conf, h.token(t, c.name)).want(t, 0)
		c.watch(t)
		tables = append(tables, c)
	}
	phone := h.pair(t, "Ann")
	eventually(t, "two boards", func() bool { return len(phone.boards(t).Boards) == 2 }, func() string { return fmt.Sprint(phone.boards(t)) })

	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	deciders := []*decider{{refused: map[string]int{}, phone: phone, board: boardName}, {refused: map[string]int{}, phone: h.pair(t, "Bob"), board: "b2"}}
	var deciding sync.WaitGroup
	for _, d := range deciders {
		eventually(t, "a finding at "+d.board, func() bool { _, ok := d.finding(ctx); return ok }, func() string { return d.board })
		deciding.Go(func() { d.decide(ctx) })
	}
	for k := range n {
		i := k % len(servers)
		t.Logf("%s: %s is killed", time.Now().Format("15:04:05"), addresses[i])
		servers[i].kill()
		begun := time.Now()
		for _, d := range deciders { // with two servers, and the decisions are not only kept
			before := d.direct.Load()
			eventually(t, "a decision at "+d.board+" goes through", func() bool { return d.direct.Load() > before+1 }, func() string { return d.board })
		}
		t.Logf("  decisions go on after %.1f s", time.Since(begun).Seconds())
		serve(i)
		sharedtest.Until(t, "the server is there", func() bool {
			c, err := net.Dial("tcp", addresses[i])
			if err == nil {
				err = c.Close()
			}
			return err == nil
		})
		time.Sleep(5 * time.Second) // it takes over what the others have before the next one is killed
	}
	cancel()
	deciding.Wait()
	for i, d := range deciders {
		d.settled(t, tables[i])
		h.mirrored(t, tables[i])
	}
	h.run(t, "", "hall", "revoke", "table-1", "-c", h.conf).want(t, 0)
	tables[0].err.await(t, "the hall is away")
	for _, c := range tables {
		c.stopped(t)
	}
}

// serverPort is a free port with the one above it at which the server meets the others.
func serverPort(t *testing.T) string {
	t.Helper()
	for {
		port := freePort(t)
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port+2000))
		if err != nil || errors.Join(l.Close()) != nil || port+2000 > 65535 {
			continue
		}
		return fmt.Sprintf("127.0.0.1:%d", port)
	}
}
