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

// used is the use of those budgets that are not counted elsewhere.
type used struct {
	descriptors, descriptorsLimit atomic.Int64 // when they were last counted
	logLeftOut                    atomic.Int64
	due, removed                  atomic.Int64             // journals
	boards                        atomic.Int64             // watched boards
	announced                     atomic.Pointer[wire.Due] // removals by a computer that watches boards; nil: none
}

// memberGC is GOGC of a computer in a hall, which watches one board or a few. It saves 1.1 MiB of 9.
const memberGC = 50

// limitProcess sets the limits of this process. A memory limit of the environment has precedence over the
// configuration. The runtime has raised the limit of descriptors to the maximum, which is more than the serial library
// can use; a service must not change its limit, and has the right one.
func (d *Daemon) limitProcess() {
	b := d.opt.Config.Budgets
	if d.opt.Hub { // no serial ports, but a connection and a file for each of hundreds of boards
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

// minBacklog is enough for a quarter of an hour of a game.
const minBacklog = 256 << 10

// backlog is how much each board may keep in memory while the disk takes nothing. All boards together get two fifths of
// the memory limit, so that the system does not end the whole program and lose everything.
func (d *Daemon) backlog() int {
	share := d.opt.Config.Budgets.Memory * 2 / 5 / max(1, d.used.boards.Load())
	return int(min(max(share, minBacklog), journal.MaxBacklog))
}

// budgets are the budgets and their use for Prometheus.
func (d *Daemon) budgets() metrics.Budgets {
	b, u := d.opt.Config.Budgets, &d.used
	return metrics.Budgets{
		Journals: b.Journals, Free: b.Free, Garbage: b.Garbage, Due: int(u.due.Load()), Removed: u.removed.Load(),
		Memory: memoryUsed(), MemoryLimit: debug.SetMemoryLimit(-1), // -1 only reads the limit
		Descriptors: int(u.descriptors.Load()), DescriptorsLimit: int(u.descriptorsLimit.Load()),
		LogLines: b.LogLines, LogLinesLeftOut: u.logLeftOut.Load(),
	}
}

// memoryUsed is the amount that the runtime compares with its limit.
func memoryUsed() int64 {
	s := []runtimemetrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	runtimemetrics.Read(s)
	return int64(min(s[0].Value.Uint64()-s[1].Value.Uint64(), math.MaxInt64))
}

// Default limits of a hall's program.
const (
	hallMemory      = 224 << 20
	hallDescriptors = 16384
)
