//go:build unix

package retention

import (
	"os"
	"syscall"
	"testing"
)

// What root starts once must not keep the service from its list afterwards.
func TestTheLockIsTheDirectorysOwners(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root")
	}
	s := newShelf(t)
	s.must(os.Chown(s.dir, 1234, 1234))
	s.lock(File + ".lock")
	info, err := os.Stat(s.path(File + ".lock"))
	s.must(err)
	if owner := info.Sys().(*syscall.Stat_t).Uid; owner != 1234 {
		t.Errorf("it is of user %d", owner)
	}
}
