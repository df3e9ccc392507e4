package doctor

import (
	"context"
	"strconv"
	"time"
)

// Before the first the program did not exist; after the last a 32-bit clock has overflowed.
var earliest, latest = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2038, 1, 19, 0, 0, 0, 0, time.UTC)

// clock checks the wall time. Games are judged on the monotonic clock; dates in the PGN, certificates and the age of a
// journal are not.
func clock(_ context.Context, v *visit) {
	now := v.Now()
	const set = "sudo timedatectl set-time '2026-05-01 09:00:00' with the real time, or connect it to a network with a time server"
	if now.Before(earliest) || now.After(latest) {
		v.fail(set, "the date is %s: certificates are not valid then, and yesterday's journals look like today's", now.Format(time.DateOnly))
	} else {
		v.ok("it is %s here", now.Format("2006-01-02 15:04 MST"))
	}
	switch synced, err := v.Synced(); {
	case err != nil:
		v.ok("whether the time is synchronised is not told here (%v)", err)
	case synced:
		v.ok("the time is synchronised with a server")
	default:
		v.warn("sudo timedatectl set-ntp true; without internet compare it with a watch before the first game", "the time is not synchronised with a server; judging games does not need it, dates and certificates do")
	}
	if !v.there("/sys/class/rtc") {
		return // a container, or a virtual machine with its host's clock
	}
	rtc, err := strconv.ParseInt(v.read("/sys/class/rtc/rtc0/since_epoch"), 10, 64)
	switch off := now.Sub(time.Unix(rtc, 0)).Abs(); {
	case err != nil:
		v.warn("fit a clock module with a battery, or check the date after every start without a network", "this computer has no clock that goes on without power")
	case off > 10*time.Minute:
		v.warn("sudo hwclock --systohc; change its battery if it comes back", "the battery clock differs by %s: after a power cut the date is wrong", off.Round(time.Minute))
	default:
		v.ok("the battery clock agrees")
	}
}
