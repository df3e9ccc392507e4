// Package uptime measures how long the computer has been running, including the time in which it was suspended.
//
// While a laptop with a closed lid is suspended, the game on the board goes on: the time line of a journal must include
// that time. Go's own monotonic time stops while Linux is suspended.
//
// It knows one clock of the operating system, and not what is measured with it. On a system without such a clock it
// uses Go's own, and the time of a suspension is missing.
package uptime
