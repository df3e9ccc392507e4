package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"boardwatchd/internal/config"
	"boardwatchd/internal/disk"
	texts "boardwatchd/internal/web/page"
)

func configuration(_ context.Context, v *visit) {
	var problems config.Problems
	switch {
	case errors.As(v.Problem, &problems):
		for _, p := range problems {
			v.fail("mend the file; boardwatchd check-config "+v.File, "%v", p)
		}
	case v.Problem != nil:
		v.fail("mend the file; boardwatchd check-config "+v.File, "%v", v.Problem)
	case v.File == "":
		v.ok("no configuration is given: the defaults hold (-c FILE names one)")
	default:
		v.ok("%s is valid", v.File)
	}
	if v.Problem != nil {
		v.ok("everything below is about the defaults")
	}
}

// Room for journals: at most 8 MB an hour and board (reliability notes, F19).
const tooLittle = 64 << 20

// kinds lists file systems that do not keep written data, or not in the way that a journal needs (statfs(2)).
var kinds = map[int64]struct{ name, what string }{
	unix.TMPFS_MAGIC:           {"tmpfs", "is in memory: a power cut loses every journal"},
	unix.RAMFS_MAGIC:           {"ramfs", "is in memory: a power cut loses every journal"},
	unix.OVERLAYFS_SUPER_MAGIC: {"overlay", "is part of a container's image: the journals go with the container"},
	unix.NFS_SUPER_MAGIC:       {"NFS", "is on another computer: it fails with the network"},
	unix.SMB_SUPER_MAGIC:       {"SMB", "is on another computer: it fails with the network"},
	0xff534d42:                 {"CIFS", "is on another computer: it fails with the network"},
	0xfe534d42:                 {"SMB2", "is on another computer: it fails with the network"},
	unix.MSDOS_SUPER_MAGIC:     {"FAT", "has no journal of its own: a power cut can damage all of it"},
}

func state(_ context.Context, v *visit) {
	dir, err := v.Config.StateDirectory(v.Getenv)
	const service = "/var/lib/boardwatchd"
	if v.Config.StateDir == "" && v.Getenv("STATE_DIRECTORY") == "" && v.there(service) {
		dir, err = service, nil // the service's directory is checked, not that of this shell
	}
	if err != nil {
		v.fail("write state_dir into the configuration", "%v", err)
		return
	}
	v.dir = dir
	place := nearest(v.path(dir))
	unwritable := v.Writable(place)
	info, err := os.Stat(v.path(dir))
	switch {
	case unwritable != nil:
		v.unwritable(dir, unwritable)
	case errors.Is(err, fs.ErrNotExist):
		v.ok("%s is made at the first start", dir)
	case err != nil:
		v.unwritable(dir, err)
		return
	case !info.IsDir():
		v.fail("set state_dir to a directory", "%s is not a directory", dir)
		return
	default:
		v.ok("%s can be written", dir)
	}
	v.space(dir, place)
	v.locks(dir)
}

func (v *visit) unwritable(dir string, err error) {
	switch why := texts.English(disk.Why(err)); {
	case disk.Cause(err) == "full":
		v.fail("delete or move what is old", "%s takes no file: %s", dir, why)
	case disk.Cause(err) == "read_only":
		v.fail("do not restart a boardwatchd that runs here: it keeps in memory what it could not write; after the last game change the disk or the card (docs/operator.md, \"the disk is dead\")",
			"%s takes no file: %s", dir, why)
	case dir == "/var/lib/boardwatchd" && v.UID != 0:
		v.warn("sudo boardwatchd doctor", "%s is the service's; this user may not look into it", dir)
	default:
		v.fail("set state_dir to a directory that this user may write, or run it as the user that may", "%s cannot be written: %v", dir, err)
	}
}

// nearest returns the directory itself or the existing one above it.
func nearest(dir string) string {
	for {
		if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) || dir == filepath.Dir(dir) {
			return dir
		}
		dir = filepath.Dir(dir)
	}
}

func (v *visit) space(dir, place string) {
	d, err := v.Disk(place)
	if err != nil {
		v.warn("df shows it", "free space of %s is not known: %v", dir, err)
		return
	}
	if k, odd := kinds[d.Kind]; odd {
		v.warn("set state_dir to a directory on a disk of this computer", "the file system (%s) %s", k.name, k.what)
	}
	switch free := megabytes(d.Free); {
	case d.ReadOnly:
		v.fail("mount it for writing: sudo mount -o remount,rw …; a worn card goes read-only by itself, then change it", "the file system is mounted read-only")
	case d.Free < tooLittle:
		v.fail("delete or move what is old", "only %s are free; a board writes up to 8 MB an hour", free)
	case d.Free < v.Config.Budgets.Free:
		v.warn("delete or move what is old", "%s are free; a board writes up to 8 MB an hour", free)
	default:
		v.ok("%s are free", free)
	}
}

func megabytes(n int64) string {
	if n >= 10<<30 {
		return fmt.Sprintf("%d GB", n>>30)
	}
	return fmt.Sprintf("%d MB", n>>20)
}

// locks looks for a boardwatchd that writes the journals, in the kernel's list: trying a lock would take it. The
// process that holds the lock of a journal has written its number into the file. The inode alone may name another file
// on another disk, and some file systems show another device in the list than stat does.
func (v *visit) locks(dir string) {
	files, err := os.ReadDir(v.path(dir))
	if err != nil {
		return
	}
	holds := map[string]bool{} // "PID INODE"
	for _, line := range strings.Split(v.read("/proc/locks"), "\n") {
		if f := strings.Fields(line); len(f) >= 6 && f[1] == "FLOCK" {
			holds[f[4]+" "+f[5][strings.LastIndexByte(f[5], ':')+1:]] = true
		}
	}
	held, by := 0, ""
	for _, f := range files {
		info, err := f.Info()
		if err != nil || !strings.HasSuffix(f.Name(), ".lock") {
			continue
		}
		owner := strings.TrimSpace(v.read(filepath.Join(dir, f.Name())))
		if st, ok := info.Sys().(*syscall.Stat_t); ok && holds[fmt.Sprint(owner, " ", st.Ino)] {
			held, by = held+1, owner
		}
	}
	if held == 0 {
		return
	}
	v.writer = by
	v.line(OK, "before another one is started, end it: sudo systemctl stop boardwatchd, or kill "+by,
		"process %s (%s) is writing %d of the journals now", by, v.name(by), held)
}
