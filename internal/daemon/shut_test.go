package daemon

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"boardwatchd/internal/hall/members"
	"boardwatchd/internal/hall/roster"
	"boardwatchd/internal/sharedtest"
)

// begunHall is the state directory of a hall with one computer, table-1.
func begunHall(t *testing.T, run string) string {
	t.Helper()
	dir := t.TempDir()
	_, end := runHall(t, dir, run)
	end()
	err := HallFiles(dir).Members().Change(func(r *members.Roll) error {
		r.Computers = append(r.Computers, members.Computer{Name: "table-1", Key: "a key"})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	mirroredJournal(t, filepath.Join(HallFiles(dir).Mirror(), "table-1"), "b1", "b1-r1", 0, time.Now())
	return dir
}

// told is the text of a trouble that the list of computers has.
func told(d *Daemon, text string) bool {
	for _, r := range d.frontend.Computers().Rows {
		for _, p := range r.Problems {
			if r.Own && p.Level == roster.Bad && strings.Contains(p.Text, text) && p.Do != "" {
				return true
			}
		}
	}
	return false
}

// knows says whether table-1 is a computer of the hall, and its board is shown.
func knows(d *Daemon) bool {
	d.frontend.Computers() // which looks for boards that are gone
	shown := d.frontend.boards.Summaries()
	return d.hub.Member("table-1") && len(shown) == 1 && shown[0].Board == "b1" && !shown[0].Gone
}

// Whichever of its files is damaged, a hall begins, and says what is lost.
func TestAHallWithADamagedFile(t *testing.T) {
	for _, name := range []string{"waiting.json", "shown.json", "homes.json"} {
		t.Run(name, func(t *testing.T) {
			run := t.TempDir()
			dir := begunHall(t, run)
			path := filepath.Join(dir, hallDir, name)
			if err := os.WriteFile(path, []byte(`{"x":`), 0o600); err != nil {
				t.Fatal(err)
			}
			d, end := runHall(t, dir, run)
			defer end()
			if !told(d, path+".damaged-") || !knows(d) {
				t.Errorf("the list says %+v", d.frontend.Computers().Rows)
			}
			if aside, err := filepath.Glob(path + ".damaged-*"); err != nil || len(aside) != 1 {
				t.Errorf("kept are %q, %v", aside, err)
			}
		})
	}
}

// A hall whose keys or whose list of computers is damaged uses its copy; where there is none it serves its page, no
// computer can reach it, and it begins anew when the file is whole again.
func TestAHallWithDamagedKeys(t *testing.T) {
	for _, name := range []string{"computers.json", "hub.seed", "ca/ca.crt", "ca/ca.key"} {
		for _, copied := range []bool{true, false} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				run := ""
				if copied {
					run = t.TempDir()
				}
				dir := begunHall(t, run)
				path := filepath.Join(dir, hallDir, filepath.FromSlash(name))
				good, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				if copied { // of a start after the computer has joined
					d, end := runHall(t, dir, run)
					sharedtest.Until(t, "the copy is there", func() bool {
						now, err := os.ReadFile(filepath.Join(d.frontend.files.spare, keyCopies, filepath.FromSlash(name)))
						return err == nil && string(now) == string(good)
					})
					end()
				}
				if err := os.WriteFile(path, []byte("{"), 0o600); err != nil {
					t.Fatal(err)
				}
				d, end := runHall(t, dir, run)
				if !knows(d) {
					t.Error("the computers of the hall are not known")
				}
				if copied {
					defer end()
					if now, err := os.ReadFile(path); err != nil || string(now) != string(good) || !told(d, "A copy of it counts") {
						t.Errorf("%q, %v; the list says %+v", now, err, d.frontend.Computers().Rows)
					}
					return
				}
				if !told(d, "No computer can reach this hall") || !told(d, filepath.Join(dir, hallDir, strings.Split(name, "/")[0])) {
					t.Errorf("the list says %+v", d.frontend.Computers().Rows)
				}
				if token, err := d.frontend.Invite("table-2"); err == nil {
					t.Errorf("the invitation %+v", token)
				}
				if err := os.WriteFile(path, good, 0o600); err != nil {
					t.Fatal(err)
				}
				sharedtest.Until(t, "it ends to begin anew", d.startAgain.Load)
				end()
			})
		}
	}
}

// The keys for servers that are programs of their own: a hall with such servers is shut without them, another is not.
func TestAHallWithADamagedKeyForItsServers(t *testing.T) {
	t.Parallel()
	const server = "127.0.0.1:4222"
	dir := begunHall(t, "")
	if _, err := HallFiles(dir).WriteCluster(t.TempDir(), []string{server}, time.Now()); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, hallDir, "issuer.seed")
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	d, end := runHall(t, dir, "")
	if told(d, path) {
		t.Error("a hall with its own server is shut")
	}
	end()
	d, end = runHallAt(t, dir, "", "127.0.0.1:0", server)
	if !knows(d) || !told(d, "No computer can reach this hall") || !told(d, path) {
		t.Errorf("the list says %+v", d.frontend.Computers().Rows)
	}
	if err := os.WriteFile(path, good, 0o600); err != nil {
		t.Fatal(err)
	}
	sharedtest.Until(t, "it ends to begin anew", d.startAgain.Load)
	end()
}

// A hall whose port is taken serves its page, names the program that has it, and begins anew when it is free.
func TestAHallWhosePortIsTaken(t *testing.T) {
	t.Parallel()
	dir := begunHall(t, "")
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	d, end := runHallAt(t, dir, "", l.Addr().String())
	if !told(d, "it cannot listen at "+l.Addr().String()) || !told(d, "(process ") || !knows(d) {
		t.Errorf("the list says %+v", d.frontend.Computers().Rows)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	sharedtest.Until(t, "it ends to begin anew", d.startAgain.Load)
	end()
}
