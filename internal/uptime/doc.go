// Package uptime tells how long the computer has been running, with the time in which it was suspended.
//
// A laptop whose lid was closed plays no game, but the board beside it does: the time line of a journal must not leave
// that time out. Go's own monotonic time stands still while Linux is suspended.
//
// It knows one clock of the operating system, and not what is measured with it. Where there is no such clock, Go's own
// is taken, and time that the computer was suspended is left out.
package uptime
