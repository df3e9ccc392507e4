package daemon

import (
	"context"
	"io"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"boardwatchd/rules/words"
)

// Descriptors are open files, ports and connections. When all are in use, a board that is plugged in again cannot be
// opened and a phone cannot connect; what is open stays so. Log and page warn before that.
const (
	descriptorsEvery = 2 * time.Second
	// fewDescriptors is how many should be left for several boards at once: each needs four, for a port, a journal's
	// file and its directory.
	fewDescriptors = 32
)

// descriptors counts the open descriptors of this process. It opens its own early, because that is impossible once all
// are in use.
type descriptors struct {
	list  *os.File
	limit func() (int, error)
}

func openDescriptors() (*descriptors, error) {
	list, err := os.Open("/proc/self/fd")
	return &descriptors{list: list, limit: descriptorLimit}, err
}

func descriptorLimit() (int, error) {
	var l unix.Rlimit
	err := unix.Getrlimit(unix.RLIMIT_NOFILE, &l)
	return int(min(l.Cur, 1<<30)), err
}

// count returns how many are in use, and the limit.
func (c *descriptors) count() (used, limit int, err error) {
	if _, err = c.list.Seek(0, io.SeekStart); err != nil {
		return 0, 0, err
	}
	names, err := c.list.Readdirnames(-1)
	if err != nil {
		return 0, 0, err
	}
	limit, err = c.limit()
	return len(names), limit, err
}

// watchDescriptors warns when few are left.
func (d *Daemon) watchDescriptors(ctx context.Context) {
	c, err := openDescriptors()
	if err != nil {
		d.opt.Log.Warn().Err(err).Msg("how many descriptors are used cannot be seen")
		return
	}
	defer c.list.Close() // nothing was written
	level := 0
	for {
		if used, limit, err := c.count(); err == nil {
			d.used.descriptors.Store(int64(used))
			d.used.descriptorsLimit.Store(int64(limit))
			now := descriptorLevel(used, limit, level)
			if now != level {
				level = now
				d.frontend.descriptorsAre(level, used, limit)
			}
		}
		if !pause(ctx, descriptorsEvery) {
			return
		}
	}
}

// descriptorLevel is 0 if enough are left, 1 if few are, 2 if none is. A level that was reported (told) stays until
// clearly more are left.
func descriptorLevel(used, limit, told int) int {
	left := limit - used
	few := min(fewDescriptors, limit/4)
	switch {
	case left <= 2, told == 2 && left <= few/2:
		return 2
	case left <= few, told > 0 && left <= 2*few:
		return 1
	}
	return 0
}

func (f *frontend) descriptorsAre(level, used, limit int) {
	switch level {
	case 0:
		f.endNotice("descriptors")
	case 1:
		f.setNotice("descriptors", words.Say("notice.descriptors_few", used, limit), words.Say("notice.descriptors.do"))
	default:
		f.setNotice("descriptors", words.Say("notice.descriptors_none", used, limit), words.Say("notice.descriptors.do"))
	}
}
