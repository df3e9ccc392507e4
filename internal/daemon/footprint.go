package daemon

import (
	"bufio"
	"context"
	"errors"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// The start of a program runs through most of its code once: tables of packages, certificates, the page's files. The
// kernel counts these pages of the program's file as this process's memory from then on. A hall has a small computer at
// each table, and two thirds of what its daemon has are pages of that file.

// startupTime is when the start has certainly ended.
const startupTime = time.Minute

// forgetStart gives back what only the start needed.
func (d *Daemon) forgetStart(ctx context.Context) {
	if !pause(ctx, startupTime) {
		return
	}
	if err := dropProgram(); err != nil {
		d.opt.Log.Debug().Err(err).Msg("what only the start needed stays in memory")
	}
}

// dropProgram takes the pages of the program's file out of this process. What is used again is taken from the kernel's
// cache of the file, or from the file, as at the start. Only mappings that cannot be written and have no written page
// are dropped: what was written is not in the file, as the addresses that a loader has put into a program that may lie
// anywhere.
func dropProgram() error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	f, err := os.Open("/proc/self/smaps")
	if errors.Is(err, fs.ErrNotExist) {
		return nil // another system than Linux
	}
	if err != nil {
		return err
	}
	defer f.Close() // read only
	var begin, end uintptr
	ours := false
	for lines := bufio.NewScanner(f); ; { // BEGIN-END r-xp OFFSET DEVICE INODE PATH, and lines of facts about it
		if !lines.Scan() {
			return lines.Err()
		}
		part := strings.Fields(lines.Text())
		if len(part) >= 5 && strings.Contains(part[0], "-") {
			ours = len(part) == 6 && part[5] == program && strings.HasPrefix(part[1], "r-") && strings.HasSuffix(part[1], "p")
			if ours {
				begin, end, ours = addresses(part[0])
			}
			continue
		}
		if !ours || len(part) != 3 || part[0] != "Anonymous:" || part[1] != "0" {
			continue
		}
		if _, _, e := unix.Syscall(unix.SYS_MADVISE, begin, end-begin, unix.MADV_DONTNEED); e != 0 {
			return e
		}
	}
}

// addresses reads BEGIN-END, in hexadecimal.
func addresses(text string) (begin, end uintptr, ok bool) {
	from, to, _ := strings.Cut(text, "-")
	a, err := strconv.ParseUint(from, 16, strconv.IntSize)
	b, err2 := strconv.ParseUint(to, 16, strconv.IntSize)
	return uintptr(a), uintptr(b), err == nil && err2 == nil && a < b
}
