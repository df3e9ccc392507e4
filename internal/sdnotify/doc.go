// Package sdnotify reports the state of the service to systemd: ready, alive, stopping, and a line of status.
//
// It knows the notification protocol of sd_notify(3): one datagram of
// NAME=value lines to the socket named in NOTIFY_SOCKET. It does not know when
// the service is ready or alive; in particular it has no ticker of its own,
// because a watchdog that is fed by a ticker watches the ticker. The caller
// feeds it from the loop whose progress counts:
//
//	every := sdnotify.WatchdogInterval(os.Getenv, os.Getpid()) / 2
//	… once per turn of the loop, when every has passed since the last time:
//	sdnotify.Notify(sdnotify.Watchdog)
//
// Without systemd (no NOTIFY_SOCKET) everything is a successful no-op. A
// message is at most a few lines; the send waits at most one second, so that a
// wedged service manager cannot stop the watching of games.
//
// The 60 lines stand in for github.com/coreos/go-systemd (measured: equal
// binary size), whose other parts are not needed.
package sdnotify
