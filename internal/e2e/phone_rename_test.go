//go:build linux

package e2e

import (
	"context"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// failing lets calls of the process fail until the test, or the process, ends.
func (pr *process) failing(t *testing.T, calls, with string) {
	t.Helper()
	if _, err := exec.LookPath("strace"); err != nil {
		t.Skip("strace is missing: apt-get install strace")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, "strace", "-f", "-qq", "-p", strconv.Itoa(pr.cmd.Process.Pid), "-o", os.DevNull,
		"-e", "trace="+calls, "-e", "inject="+calls+":error="+with)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGINT) } // it lets the program go on
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cancel()
		_ = cmd.Wait() // it ends with the program, or is interrupted
	})
}

// TestPhoneFullRename: the disk takes a file, and no other name for it. What stands in such a file is not answered
// "saved", page and log say so, and a restart brings back what the file holds; a note that a decision comes with is
// saved in the journal.
func TestPhoneFullRename(t *testing.T) {
	long(t)
	t.Parallel()
	for _, full := range []string{"ENOSPC", "EDQUOT"} {
		t.Run(full, func(t *testing.T) {
			t.Parallel()
			v := openVenue(t, "")
			ann := v.pair(t, "Ann")
			v.pair(t, "Bob")
			id := ann.deviceCalled(t, "Bob")
			item := ann.awaitConfirmed(t)
			v.failing(t, "rename,renameat,renameat2", full)
			status, answer, name, before := 0, "", "Bob", ""
			eventually(t, "a new name is not saved", func() bool {
				name, before = name+"y", name // those before the disk was full are saved
				code, text, err := ann.call(t.Context(), "PATCH", "/api/v1/devices/"+id, map[string]string{"name": name})
				if err != nil {
					t.Fatal(err)
				}
				status, answer = code, string(text)
				return status != http.StatusOK
			}, func() string { return answer })
			if status != http.StatusServiceUnavailable || !strings.Contains(answer, "not_saved") || !strings.Contains(answer, "Free the disk") {
				t.Errorf("%d %s", status, answer)
			}
			eventually(t, "the page tells it", func() bool { return strings.Contains(ann.notices(t), "could not be saved") }, func() string { return ann.notices(t) })
			v.err.await(t, "could not be saved")
			d := decision(item, "confirm")
			d.body["note"] = "behind the curtain"
			if saved := ann.tell(t, d); saved.Item == nil || saved.Item.Decisions[0].Note != "behind the curtain" {
				t.Errorf("the decision is answered %+v", saved)
			}
			eventually(t, "a notice about the list of names", func() bool { return strings.Contains(ann.notices(t), "list of names is not on the disk") },
				func() string { return ann.notices(t) })
			v.kill()
			if left, _ := filepath.Glob(filepath.Join(v.state(), "*.new")); len(left) != 0 {
				t.Errorf("left over are %v", left)
			}
			v.again(t)
			ann.deviceCalled(t, name, false)
			ann.deviceCalled(t, before)
			i := ann.awaitItem(t, "with its decision", func(i apiItem) bool { return i.Finding.ID == item.Finding.ID && len(i.Decisions) == 1 })
			if i.Decisions[0].Note != "behind the curtain" {
				t.Errorf("after the restart: %+v", i.Decisions[0])
			}
		})
	}
}

// deviceCalled is the id of the device of that name; it must be there, or must not.
func (h *handset) deviceCalled(t *testing.T, name string, there ...bool) (id string) {
	t.Helper()
	var a struct{ Devices []struct{ ID, Name string } }
	h.ask(t, "GET", "/api/v1/devices", nil, &a)
	for _, d := range a.Devices {
		if d.Name == name {
			id = d.ID
		}
	}
	if want := len(there) == 0; (id != "") != want {
		t.Errorf("devices %+v; one called %s: want %v", a.Devices, name, want)
	}
	return id
}
