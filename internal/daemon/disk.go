package daemon

import (
	"context"
	"time"

	"boardwatchd/internal/journal"
	"boardwatchd/internal/retention"
	"boardwatchd/rules/words"
)

// The disk of the journals fills up slowly: a board writes at most 8 MB an hour. Log and page warn while there is time
// to make room. When the disk is full, internal/journal keeps records in memory until the disk takes them.
const (
	diskEvery = 30 * time.Second
	diskFew   = 128 << 20 // free: reported as urgent; 20 boards write this in less than an hour
)

// diskUse is how full the disk is.
type diskUse struct {
	known    bool
	free     int64 // bytes that this program may still write
	journals int64 // of all journals in the directory
}

func measureDisk(dir string) (u diskUse) {
	if u.free, u.known = freeOn(dir); !u.known {
		return u // the directory cannot be read: the alert of the journals reports it
	}
	if list, err := journal.List(dir); err == nil {
		for _, e := range list {
			u.journals += e.Size
		}
	}
	return u
}

// watchDisk warns when the disk of the journals fills up.
func (d *Daemon) watchDisk(ctx context.Context) {
	level, keeper := 0, retention.Open(d.opt.Dir, time.Now)
	var kept *mirrors // set in a hall only, which watches no board itself
	if d.hub != nil {
		kept = newMirrors(HallFiles(d.opt.Dir).Mirror())
	}
	for {
		u := measureDisk(d.opt.Dir)
		if u.known && kept != nil {
			of, _ := kept.store.Sizes() // unreadable ones are left out
			u.journals = sum(of)
			d.room.sizes.Store(&of)
			d.retainMirrored(ctx, kept, of, u)
		} else if u.known {
			d.retain(ctx, keeper, u)
		}
		if u.known {
			d.frontend.metrics.Disk(u.free, u.journals)
			level = diskLevel(u.free, d.opt.Config.Budgets.Free, level)
			d.frontend.diskIs(level, d.opt.Dir, u)
		}
		if !pause(ctx, diskEvery) {
			return
		}
	}
}

// diskLevel is 0 if there is room, 1 if there is little, 2 if there is hardly any. A level that was reported (told)
// stays until there is clearly more.
func diskLevel(free, little int64, told int) int {
	switch {
	case free < diskFew, told == 2 && free < 2*diskFew:
		return 2
	case free < little, told > 0 && free < little/4*5:
		return 1
	}
	return 0
}

func (f *frontend) diskIs(level int, dir string, u diskUse) {
	key := [...]string{"", "notice.disk_fills", "notice.disk_full"}[level]
	if key == "" {
		f.endNotice("disk-fills")
		return
	}
	f.updateNotice("disk-fills", words.Say(key, u.free>>20, u.journals>>20, dir), words.Say("notice.disk.do"))
}
