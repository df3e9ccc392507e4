package daemon

import (
	"math"
	"runtime/debug"
	runtimemetrics "runtime/metrics"
	"sync/atomic"

	"golang.org/x/sys/unix"

	"boardwatchd/internal/config"
	"boardwatchd/internal/hall/wire"
	"boardwatchd/internal/journal"
	"boardwatchd/internal/metrics"
)

// used is what is used of the budgets, as far as it is not counted elsewhere.
type used struct {
	descriptors, descriptorsLimit atomic.Int64 // at the last look
	logLeftOut                    atomic.Int64
	due, removed                  atomic.Int64             // journals
	boards                        atomic.Int64             // that are watched
	announced                     atomic.Pointer[wire.Due] // removals that are announced, of a computer that watches boards; nil: none
}

// memberGC is GOGC of a computer in a hall: of many small ones, each with a board or a few. It saves 1.1 MiB of 9.
const memberGC = 50

// limitProcess sets the limits of this process. What the environment says about memory goes before the configuration.
// The runtime has raised the limit of descriptors as far as it could, which is more than the serial library can use; a
// service may not change it, and has the right one.
func (d *Daemon) limitProcess() {
	b := d.opt.Config.Budgets
	if d.opt.Hub { // has no serial ports, and a connection and a file for each of hundreds of boards
		b.Descriptors = max(b.Descriptors, hallDescriptors)
		if b.Memory == config.DefaultMemory {
			b.Memory = hallMemory
		}
	}
	if d.opt.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(b.Memory)
	}
	if d.inHall() && d.opt.Getenv("GOGC") == "" {
		debug.SetGCPercent(memberGC)
	}
	var l unix.Rlimit
	err := unix.Getrlimit(unix.RLIMIT_NOFILE, &l)
	if want := uint64(b.Descriptors); err == nil && l.Cur != want && (l.Cur > want || l.Cur < l.Max) {
		l.Cur = min(want, l.Max)
		err = unix.Setrlimit(unix.RLIMIT_NOFILE, &l)
	}
	if err != nil {
		d.opt.Log.Warn().Err(err).Int("descriptors", b.Descriptors).Msg("the limit of descriptors could not be set; the system's holds")
	}
}

// minBacklog is for a quarter of an hour of a game.
const minBacklog = 256 << 10

// backlog is how much each board may keep in memory while the disk takes nothing: together they have two fifths of what
// this program tries to stay below, so that none is lost because the system ends the whole program.
func (d *Daemon) backlog() int {
	share := d.opt.Config.Budgets.Memory * 2 / 5 / max(1, d.used.boards.Load())
	return int(min(max(share, minBacklog), journal.MaxBacklog))
}

// budgets are what Prometheus hears of them.
func (d *Daemon) budgets() metrics.Budgets {
	b, u := d.opt.Config.Budgets, &d.used
	return metrics.Budgets{
		Journals: b.Journals, Free: b.Free, Garbage: b.Garbage, Due: int(u.due.Load()), Removed: u.removed.Load(),
		Memory: memoryUsed(), MemoryLimit: debug.SetMemoryLimit(-1), // asks
		Descriptors: int(u.descriptors.Load()), DescriptorsLimit: int(u.descriptorsLimit.Load()),
		LogLines: b.LogLines, LogLinesLeftOut: u.logLeftOut.Load(),
	}
}

// memoryUsed is what the runtime compares with its limit.
func memoryUsed() int64 {
	s := []runtimemetrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	runtimemetrics.Read(s)
	return int64(min(s[0].Value.Uint64()-s[1].Value.Uint64(), math.MaxInt64))
}

// What the program of a hall has, where the configuration does not say more.
const (
	hallMemory      = 224 << 20
	hallDescriptors = 16384
)
