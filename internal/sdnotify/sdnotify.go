package sdnotify

import (
	"fmt"
	"net"
	"os"
	"strconv"
	"time"
)

// States to notify; several are joined with "\n".
const (
	Ready     = "READY=1"    // started: configuration read, listeners open
	Watchdog  = "WATCHDOG=1" // alive: every part has made progress since the last one
	Stopping  = "STOPPING=1"
	Reloading = "RELOADING=1"
)

// patience is the longest wait for a full socket.
const patience = time.Second

// Notify sends the state to the service manager. Without one it does nothing.
func Notify(state string) error { return notify(os.Getenv("NOTIFY_SOCKET"), state) }

func notify(socket, state string) error {
	switch {
	case socket == "":
		return nil
	case socket[0] != '/' && socket[0] != '@':
		// Other kinds, such as vsock, are for virtual machines, not for services.
		return fmt.Errorf("notify systemd: socket %q is of an unsupported kind", socket)
	}
	// Package net writes an abstract name, which begins with a NUL, as @ too.
	conn, err := net.DialUnix("unixgram", nil, &net.UnixAddr{Name: socket, Net: "unixgram"})
	if err != nil {
		return fmt.Errorf("notify systemd: %w", err)
	}
	err = conn.SetWriteDeadline(time.Now().Add(patience))
	if err == nil {
		_, err = conn.Write([]byte(state))
	}
	if e := conn.Close(); err == nil {
		err = e
	}
	if err != nil {
		return fmt.Errorf("notify systemd: %w", err)
	}
	return nil
}

// WatchdogInterval is the time after which systemd restarts a silent service, and 0 if it does not. The watchdog may be
// meant for another process of the service (WATCHDOG_PID). getenv is os.Getenv and pid os.Getpid in production. The
// caller notifies twice as often.
func WatchdogInterval(getenv func(string) string, pid int) time.Duration {
	us, err := strconv.ParseInt(getenv("WATCHDOG_USEC"), 10, 64)
	if err != nil || us <= 0 || us > int64(24*time.Hour/time.Microsecond) {
		return 0
	}
	if owner := getenv("WATCHDOG_PID"); owner != "" && owner != strconv.Itoa(pid) {
		return 0
	}
	return time.Duration(us) * time.Microsecond
}
