//go:build linux

package retention

import (
	"os"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// A run by root must not lock the service out of its list afterwards.
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

// A link and a pipe are not announced, and the keeper does not wait for a pipe.
func TestAJournalThatIsNoRegularFileIsNotAnnounced(t *testing.T) {
	s := newShelf(t)
	s.journal("b1-r1", "b1", 40)
	s.journal("b1-r2", "b1", 39)
	s.journal("b1-r3", "b1", 8)
	s.must(os.Rename(s.path("b1-r1.bwj"), s.path("elsewhere")))
	s.must(os.Symlink("elsewhere", s.path("b1-r1.bwj")))
	at := unix.NsecToTimespec(s.today.AddDate(0, 0, -40).UnixNano())
	s.must(unix.UtimesNanoAt(unix.AT_FDCWD, s.path("b1-r1.bwj"), []unix.Timespec{at, at}, unix.AT_SYMLINK_NOFOLLOW))
	s.must(unix.Mkfifo(s.path("b1-r2.2.bwj"), 0o600))
	s.must(os.Chtimes(s.path("b1-r2.2.bwj"), s.today.AddDate(0, 0, -39), s.today.AddDate(0, 0, -39)))
	s.limits.Journals = 1
	if o := s.look(); len(o.Due) != 0 || o.Unknown != 2 {
		t.Errorf("%+v", o)
	}
}
