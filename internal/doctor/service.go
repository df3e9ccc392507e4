package doctor

import (
	"context"
	"strconv"
	"strings"
)

const unit = "boardwatchd.service"

// minMemory is the memory for 64 boards and 50 phones with a reserve.
const minMemory = 64 << 20

// service checks the service that restarts boardwatchd, and its rights.
func service(ctx context.Context, v *visit) {
	v.root()
	if !v.there("/run/systemd/system") {
		v.ok("systemd does not run here: whoever starts boardwatchd has to start it again")
		return
	}
	said, err := v.Run(ctx, "systemctl", "show", unit, "--property=LoadState,ActiveState,SubState,UnitFileState,WatchdogUSec,MemoryMax,User,DynamicUser,Result")
	if err != nil {
		v.ok("systemd does not tell about %s", unit)
		return
	}
	is := map[string]string{}
	for _, line := range strings.Split(said, "\n") {
		if k, value, ok := strings.Cut(strings.TrimSpace(line), "="); ok {
			is[k] = printable(value)
		}
	}
	if is["LoadState"] != "loaded" {
		v.warn("deploy/systemd/README.md installs it as a service", "not a service: after a crash or a power cut nobody starts it again")
		return
	}
	switch {
	case is["ActiveState"] == "active":
		v.ok("%s is running", unit)
	case is["ActiveState"] == "failed" || is["SubState"] == "auto-restart":
		v.fail("sudo journalctl -u boardwatchd -n 50 tells why", "%s has failed (%s)", unit, is["Result"])
	default:
		v.warn("sudo systemctl start boardwatchd", "%s is not running (%s)", unit, is["ActiveState"])
	}
	if is["UnitFileState"] == "disabled" {
		v.warn("sudo systemctl enable boardwatchd", "%s is not started at boot", unit)
	}
	if w := is["WatchdogUSec"]; w == "0" || w == "infinity" {
		v.warn("WatchdogSec=10 in the unit", "%s has no watchdog: a program that hangs is not restarted", unit)
	}
	if n, err := strconv.ParseInt(is["MemoryMax"], 10, 64); err == nil && n < minMemory {
		v.warn("MemoryMax=192M in the unit", "%s may use %s of memory only", unit, megabytes(n))
	}
	if is["DynamicUser"] != "yes" && (is["User"] == "" || is["User"] == "root") {
		v.warn("DynamicUser=yes and SupplementaryGroups=dialout in the unit", "%s runs as root, which nothing in it needs", unit)
	}
}

// watches reports whether a process is a daemon, and not another command of the program.
func (v *visit) watches(pid int) bool {
	args := strings.Split(v.read("/proc/"+strconv.Itoa(pid)+"/cmdline"), "\x00")
	return len(args) > 1 && (args[1] == "run" || args[1] == "simulate")
}

// root checks whether a running boardwatchd has more rights than it needs.
func (v *visit) root() {
	var pids []string
	for _, p := range v.processes("boardwatchd") {
		if !v.watches(p.pid) {
			continue
		}
		for _, line := range strings.Split(v.read("/proc/"+strconv.Itoa(p.pid)+"/status"), "\n") {
			if f := strings.Fields(line); len(f) > 2 && f[0] == "Uid:" && f[2] == "0" {
				pids = append(pids, strconv.Itoa(p.pid))
			}
		}
	}
	if len(pids) > 0 {
		v.warn("run it as a user of the group dialout, or as the service of deploy/systemd", "boardwatchd runs as root, which nothing in it needs (process %s)", strings.Join(pids, ", "))
	}
}
