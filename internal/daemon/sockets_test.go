package daemon

import (
	"os"
	"path/filepath"
	"testing"
)

// TestSockets: a port has the name of its socket, of several the last one; another one has its own.
func TestSockets(t *testing.T) {
	dir := t.TempDir()
	for name, target := range map[string]string{"path-1": "../ttyACM0", "dgt-1": "ttyACM1", "dgt-2": filepath.Join(filepath.Dir(dir), "ttyACM0")} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	names := socketNames([]string{dir + "/path-*", dir + "/dgt-*"})
	if up, in := filepath.Join(filepath.Dir(dir), "ttyACM0"), filepath.Join(dir, "ttyACM1"); names[up] != dir+"/dgt-2" || names[in] != dir+"/dgt-1" || len(names) != 2 {
		t.Errorf("%v", names)
	}
	var s sockets
	if s.of("") != "" || s.of("/dev/none") != "/dev/none" {
		t.Error("a port without a socket has another name")
	}
}
