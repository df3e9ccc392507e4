//go:build linux

package e2e

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"boardwatchd/internal/sharedtest"
)

// nobody is the user without rights, for tests that run as root.
const nobody = 65534

// warnings are the lines of the log that are worse than information.
func warnings(log string) (lines []string) {
	for _, line := range strings.Split(log, "\n") {
		if strings.Contains(line, `"level":"warn"`) || strings.Contains(line, `"level":"error"`) {
			lines = append(lines, line)
		}
	}
	return lines
}

// TestNoPort: a port that is not there, or is none, is reported once, with what to do
// about it; the daemon looks on and ends in order.
func TestNoPort(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, port string
		says       []string
	}{
		{"absent", "/dev/ttyUSB77", []string{"open /dev/ttyUSB77: no such device; plug the board in"}},
		{"a file", "FILE", []string{"not a serial port; it is a file; recordings are read by `boardwatchd replay`"}},
		{"a directory", "/dev", []string{"open /dev: not a serial port; it is a directory"}},
		{"not a terminal", "/dev/null", []string{"open /dev/null: not a serial port; it is a device of another kind"}},
		{"none to be found", "auto", []string{"plug one in, or name its port in the configuration"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newPlace(t)
			if c.port == "FILE" {
				c.port = w.write(t, "file", "text")
			}
			d := w.daemon(t, w.configure(t, c.port, "timing:\n  settle: 0s\n"))
			d.err.await(t, append(c.says, "boardwatchd ports")...)
			d.stopped(t)
			if all := warnings(d.err.String()); len(all) != 1 {
				t.Errorf("%d warnings:\n%s", len(all), strings.Join(all, "\n"))
			}
			w.judged(t)
		})
	}
}

// TestRunFindsNothing: without a configuration and without a board run says so and
// looks on.
func TestRunFindsNothing(t *testing.T) {
	t.Parallel()
	w := newPlace(t)
	d := w.start(t, "run")
	d.err.await(t, "no board is watched yet", "boardwatchd ports")
	d.stopped(t)
	if found, _ := filepath.Glob(w.path("boardwatchd/*.bwj")); len(found) != 0 {
		t.Errorf("journals of no board: %v", found)
	}
}

// TestPortDenied: the remedy names the group and the command.
func TestPortDenied(t *testing.T) {
	t.Parallel()
	w := newPlace(t)
	p := newPort(t)
	if err := os.Chmod(p.path, 0); err != nil {
		t.Fatal(err)
	}
	cmd := w.command(context.Background(), "run", "-c", w.configure(t, p.path, calm))
	asNobody(t, w, cmd.SysProcAttr)
	d := start(t, cmd)
	d.err.await(t, "open "+p.path+": permission denied", "add the user to the group", "sudo usermod -aG", "log in again")
	// The right was given: the board is watched without a restart.
	if err := os.Chmod(p.path, 0o666); err != nil {
		t.Fatal(err)
	}
	d.err.await(t, "board connected")
	d.stopped(t)
}

// asNobody makes a command run without root's rights, in a folder of its own.
func asNobody(t *testing.T, w place, attr *syscall.SysProcAttr) {
	t.Helper()
	if os.Getuid() != 0 {
		return // without rights already
	}
	attr.Credential = &syscall.Credential{Uid: nobody, Gid: nobody}
	// t.TempDir is a folder in a folder that only its owner may enter.
	err := os.Chmod(filepath.Dir(w.dir), 0o755)
	if err == nil {
		err = os.Chown(w.dir, nobody, nobody)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestStateDirectoryDenied: the board is watched and the page served all the same, everybody hears of it, and what was
// kept in memory comes to the disk when that takes it.
func TestStateDirectoryDenied(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		mode os.FileMode
		make bool // the directory itself is there
	}{
		{"its parent may not be written", 0o555, false},
		{"it may not be written", 0o555, true},
		{"it may not be entered", 0o000, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w, p := newPlace(t), newPort(t)
			config := w.configure(t, p.path, calm)
			if err := os.Chmod(p.path, 0o666); err != nil {
				t.Fatal(err)
			}
			cmd := w.command(context.Background(), "run", "-c", config)
			asNobody(t, w, cmd.SysProcAttr)
			closed, owner := w.dir, nobody
			if c.make {
				closed = w.state()
				if err := os.Mkdir(closed, 0o755); err != nil {
					t.Fatal(err)
				}
			}
			if os.Getuid() == 0 {
				if err := os.Chown(closed, 0, 0); err != nil {
					t.Fatal(err)
				}
			} else {
				owner = os.Getuid()
			}
			if err := os.Chmod(closed, c.mode); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = os.Chmod(closed, 0o755) })
			d := start(t, cmd)
			d.err.await(t, "state directory", w.dir, "takes no file", "may not write there", "set state_dir")
			d.err.await(t, "the arbiter's page")
			d.out.await(t, "link_up")
			if err := errors.Join(os.Chown(closed, owner, -1), os.Chmod(closed, 0o755)); err != nil {
				t.Fatal(err)
			}
			d.err.await(t, "the journal is on the disk again")
			if !strings.Contains(d.err.String(), "the journal is kept in memory") {
				t.Error("nobody was told that the journal was in memory")
			}
			d.stopped(t)
			w.judged(t)
			if body, err := os.ReadFile(w.journal()); !bytes.Contains(body, []byte("link_up")) {
				t.Errorf("the journal does not have what was said before the disk took it: %v", err)
			}
		})
	}
}

// TestPortInUse: a second daemon at the same port says who may be there and takes
// over when the first one ends. Two daemons never write one journal.
func TestPortInUse(t *testing.T) {
	t.Parallel()
	p := newPort(t)
	first, second := newPlace(t), newPlace(t)
	config := first.configure(t, p.path, calm)
	a := first.daemon(t, config)
	a.err.await(t, "board connected")

	b := second.daemon(t, second.configure(t, p.path, calm))
	b.err.await(t, "open "+p.path+": in use by another program", "fuser -v "+p.path)

	c := first.daemon(t, config)
	if code := c.wait(t); code != 1 {
		t.Errorf("a second daemon with the same journal: exit status %d, want 1", code)
	}
	said := strings.Split(strings.TrimSpace(c.err.String()), "\n") // on a slow computer the page is there first, and says so
	if last := said[len(said)-1]; !strings.Contains(last, journalName) {
		t.Errorf("a second daemon with the same journal says %q; want a last line that names it", said)
	}

	a.stopped(t)
	b.err.await(t, "board connected")
	b.stopped(t)
	if all := warnings(b.err.String()); len(all) != 1 {
		t.Errorf("%d warnings:\n%s", len(all), strings.Join(all, "\n"))
	}
	first.judged(t)
	second.judged(t)
}

// impatient asks often and waits little.
const impatient = "timing:\n  settle: 0s\n  probe: 300ms\n  silence: 1s\n"

// TestNoBoardAtThePort: something is at the port, but it is no board, or another
// one: it is reported once, in words, and the daemon goes on.
func TestNoBoardAtThePort(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		rest  string
		serve func(t *testing.T, p *port, asked []byte) // called with what was sent
		says  []string
	}{
		{"nothing answers", "", func(*testing.T, *port, []byte) {},
			[]string{"(no_answer) the board has been silent for 1 s; check its cable and power"}},
		{"a modem answers", "", func(t *testing.T, p *port, asked []byte) {
			p.put(t, bytes.Repeat([]byte("ERROR\r\n"), len(asked)))
		}, []string{"(noise)", "bytes were not part of any message"}},
		{"garbage answers", "", func(t *testing.T, p *port, asked []byte) {
			p.put(t, bytes.Repeat([]byte{0x8e, 0xff, 0xff, 0x80, 0xa7, 0x00}, len(asked)))
		}, []string{"(noise)", "bytes were not part of any message"}},
		{"another board answers", "    serial: \"27182\"\n", func(t *testing.T, p *port, asked []byte) {
			a := answering{port: p, dump: startDump(), clock: []byte{0x8d, 0, 10, 0x20, 3, 0, 0x20, 3, 0, 8}}
			a.serve(t, asked)
		}, []string{"(wrong_board)", "31415", "27182", "heck which cable is in which port"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newPlace(t)
			p := newPort(t)
			d := w.daemon(t, w.configure(t, p.path, c.rest+impatient))
			d.err.await(t, "board connected")
			// Told, and not told again while it goes on.
			more := 8
			for late := sharedtest.Late(t); more > 0; {
				if time.Now().After(late) {
					t.Fatalf("%q is never told:\n%s", c.says, d.out.String())
				}
				asked := p.commands(t, 50*time.Millisecond)
				c.serve(t, p, asked)
				if tellsAll(d.out.String(), c.says) {
					more -= len(asked)
				}
			}
			d.stopped(t)
			seen := w.judged(t)
			if len(seen.findings) != 0 || len(seen.uci) != 0 {
				t.Errorf("it saw moves %v and findings %v", seen.uci, seen.findings)
			}
			told := map[string]int{}
			for _, h := range seen.health {
				told[h]++
			}
			for what, n := range told {
				if n > 2 { // a serial number and a version are two
					t.Errorf("%s is told %d times", what, n)
				}
			}
		})
	}
}

// tellsAll tells whether one of the lines has all the texts.
func tellsAll(out string, texts []string) bool {
	for _, line := range strings.Split(out, "\n") {
		if containsAll(line, texts) {
			return true
		}
	}
	return false
}

// startDump is the message of a board with the pieces set up.
func startDump() []byte {
	m := append([]byte{0x86, 0, 67}, make([]byte, 64)...)
	// Rook, knight, bishop, king, queen are 2, 3, 4, 5, 6; black ones 6 more.
	for i, p := range []byte{2, 3, 4, 6, 5, 4, 3, 2} {
		m[3+i], m[3+8+i], m[3+48+i], m[3+56+i] = p+6, 7, 1, p
	}
	return m
}

// TestManyBoards: one silent board does not hold up the others, and each has its
// own journal.
func TestManyBoards(t *testing.T) {
	t.Parallel()
	w := newPlace(t)
	all := bytes.Join(wire(t, recorded[0].name), nil)
	const boards = 4
	var b strings.Builder
	fmt.Fprintf(&b, "round: \"1\"\nstate_dir: %s\n%sboards:\n", w.state(), ownPage)
	ports := make([]*port, boards)
	for i := range ports {
		ports[i] = newPort(t)
		fmt.Fprintf(&b, "  - name: b%d\n    port: %s\n", i, ports[i].path)
	}
	d := w.daemon(t, w.write(t, "boards.yaml", b.String()))
	for range boards {
		d.err.await(t, "board connected")
	}
	for i := 1; i < boards; i++ { // board 0 is silent
		ports[i].put(t, all)
	}
	for late := sharedtest.Late(t); strings.Count(d.out.String(), recorded[0].last) < boards-1; {
		if time.Now().After(late) {
			t.Fatal("not every board's game is watched to its end")
		}
		for _, p := range ports {
			p.commands(t, 5*time.Millisecond)
		}
	}
	d.stopped(t)
	for i := range ports {
		l := mustRead(t, w.state(), fmt.Sprintf("b%d-r1", i))
		if i > 0 {
			checkRecorded(t, l.tale(t), 0)
		}
		w.run(t, "", "verify", segmentPath(w.state(), fmt.Sprintf("b%d-r1", i), 1)).want(t, 0)
	}
}
