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

// A program runs through most of its code once at its start: tables of packages, certificates, the page's files. From
// then on the kernel counts these pages of the program's file as memory of this process. In a hall each table has a
// small computer, and two thirds of its daemon's memory are pages of that file.

// startupTime is long enough for the start to have ended.
const startupTime = time.Minute

// forgetStart gives back the memory that only the start needed.
func (d *Daemon) forgetStart(ctx context.Context) {
	if !pause(ctx, startupTime) {
		return
	}
	if err := dropProgram(); err != nil {
		d.opt.Log.Debug().Err(err).Msg("what only the start needed stays in memory")
	}
}

// dropProgram removes the pages of the program's file from this process. Pages that are used again are read from the
// kernel's cache, or from the file, as at the start. It drops only mappings that cannot be written and have no written
// page: written pages are not in the file, such as the addresses that a loader sets in a relocatable program.
func dropProgram() error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	f, err := os.Open("/proc/self/smaps")
	if errors.Is(err, fs.ErrNotExist) {
		return nil // not Linux
	}
	if err != nil {
		return err
	}
	defer f.Close() // read only
	var begin, end uintptr
	ours := false
	for lines := bufio.NewScanner(f); ; { // BEGIN-END r-xp OFFSET DEVICE INODE PATH, and lines of attributes
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

// addresses parses BEGIN-END, in hexadecimal.
func addresses(text string) (begin, end uintptr, ok bool) {
	from, to, _ := strings.Cut(text, "-")
	a, err := strconv.ParseUint(from, 16, strconv.IntSize)
	b, err2 := strconv.ParseUint(to, 16, strconv.IntSize)
	return uintptr(a), uintptr(b), err == nil && err2 == nil && a < b
}
