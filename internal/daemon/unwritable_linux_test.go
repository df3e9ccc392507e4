package daemon

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/rs/zerolog"
	"golang.org/x/sys/unix"

	"boardwatchd/internal/config"
	"boardwatchd/internal/hall/roster"
	"boardwatchd/internal/sharedtest"
	"boardwatchd/internal/web"
)

// runHall runs a hall in a state directory until end is called.
func runHall(t *testing.T, dir, run string) (d *Daemon, end func()) {
	t.Helper()
	return runHallAt(t, dir, run, "127.0.0.1:0")
}

// runHallAt runs it at an address for computers.
func runHallAt(t *testing.T, dir, run, listen string, cluster ...string) (d *Daemon, end func()) {
	t.Helper()
	conf := config.Default()
	conf.Hall.Cluster = cluster
	conf.HTTP.Listen, conf.HTTP.Secure, conf.Hall.Listen, conf.Budgets.Free = "127.0.0.1:0", config.Off, listen, 1<<10
	up, done := make(chan struct{}), make(chan error, 1)
	shown := func(text string) {
		if strings.HasPrefix(text, "Another computer joins") || strings.HasPrefix(text, "No computer can reach") {
			close(up)
		}
	}
	env := func(name string) string { return map[string]string{"RUNTIME_DIRECTORY": run}[name] }
	d = Open(Options{Config: conf, Dir: dir, Hub: true, Log: zerolog.Nop(), Show: shown, Getenv: env})
	ctx, cancel := context.WithCancel(t.Context())
	go func() { done <- d.runHall(ctx) }()
	select {
	case <-up:
	case err := <-done:
		t.Fatalf("it has ended: %v", err)
	case <-sharedtest.Hung(t):
		t.Fatal("it does not begin")
	}
	return d, func() {
		t.Helper()
		cancel()
		if err := <-done; err != nil && !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
}

// A hall that has never run, and whose state directory cannot be made, serves its page, which reports it. No computer
// can be invited, and the hall ends to start again when the directory takes files.
func TestAHallThatHasNeverBegunOnADiskThatTakesNoFile(t *testing.T) {
	parent, run := t.TempDir(), t.TempDir()
	if err := unix.Mount("tmpfs", parent, "tmpfs", unix.MS_RDONLY, "size=8m"); err != nil {
		t.Skipf("nothing can be mounted here: %v", err)
	}
	defer func() {
		if err := unix.Unmount(parent, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	}()
	dir := filepath.Join(parent, "state")
	d, end := runHall(t, dir, run)
	if rows := d.frontend.Computers().Rows; !unwritable(rows) {
		t.Errorf("the list says %+v", rows)
	}
	if token, err := d.frontend.Invite("table-1"); err == nil {
		t.Errorf("the invitation %+v", token)
	}
	if err := unix.Mount("", parent, "", unix.MS_REMOUNT, ""); err != nil {
		t.Fatal(err)
	}
	sharedtest.Until(t, "it ends to begin anew", d.startAgain.Load)
	end()
	d, end = runHall(t, dir, run)
	defer end()
	if rows := d.frontend.Computers().Rows; unwritable(rows) {
		t.Errorf("the list says %+v", rows)
	}
	if err := HallFiles(dir).Exists(); err != nil {
		t.Error(err)
	}
	if _, err := d.frontend.Invite("table-1"); err != nil {
		t.Error(err)
	}
}

// unwritable says whether the operator's list says that the hall's disk takes no file.
func unwritable(rows []roster.Row) bool {
	return slices.ContainsFunc(rows, func(r roster.Row) bool {
		return slices.ContainsFunc(r.Problems, func(p roster.Problem) bool { return p.What == "hall_unwritable" })
	})
}

// A hall whose state directory takes no file begins all the same: its page says so, it takes no journals until the
// directory takes files again, and needs no other start for that.
func TestAHallWhoseDiskTakesNoFile(t *testing.T) {
	for name, c := range map[string]struct{ harm, mend func(dir string) error }{
		"read-only": {
			func(dir string) error { return unix.Mount("", dir, "", unix.MS_REMOUNT|unix.MS_RDONLY, "") },
			func(dir string) error { return unix.Mount("", dir, "", unix.MS_REMOUNT, "") },
		},
		"full": {
			func(dir string) error {
				err := os.WriteFile(filepath.Join(dir, "filler"), make([]byte, 16<<20), 0o600)
				if !errors.Is(err, syscall.ENOSPC) {
					return errors.Join(errors.New("it is not full"), err)
				}
				return nil
			},
			func(dir string) error { return os.Remove(filepath.Join(dir, "filler")) },
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir, run := t.TempDir(), t.TempDir()
			if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=8m"); err != nil {
				t.Skipf("nothing can be mounted here: %v", err)
			}
			defer func() {
				if err := unix.Unmount(dir, unix.MNT_DETACH); err != nil {
					t.Error(err)
				}
			}()
			_, end := runHall(t, dir, run)
			end()
			if err := c.harm(dir); err != nil {
				t.Fatal(err)
			}
			d, end := runHall(t, dir, run)
			defer end()
			told := func() bool { return unwritable(d.frontend.Computers().Rows) }
			noticed := func() bool {
				return slices.ContainsFunc(d.frontend.notices(), func(n web.Notice) bool { return n.ID == stateDir || n.ID == "people" })
			}
			if !told() || !noticed() {
				t.Errorf("the list says %+v, the page %+v", d.frontend.Computers().Rows, d.frontend.notices())
			}
			if err := c.mend(dir); err != nil {
				t.Fatal(err)
			}
			sharedtest.Until(t, "it takes journals again", func() bool { return !told() })
			sharedtest.Until(t, "the page says no more of it", func() bool { return !noticed() })
		})
	}
}
