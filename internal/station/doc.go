// Package station is the loop of one board: it stamps what comes in, writes it down, lets the machine judge it, writes
// down what the machine said and carries that out.
//
// # What it knows
//
// The order of the five steps (docs/architecture.md) and recovery: on start the board's journal is read
// through the same machine, effects that were never written are written, a gap is recorded and the loop goes on.
// It does not know what bytes mean, how ports are opened, or who listens.
//
// # Ownership
//
// One goroutine, the one that calls Run, owns the machine, the journal's writer and the timer. Everything comes to it
// through one bounded channel; when that is full the sender waits, which for a serial port means that the bytes stay
// in the driver's buffer. Nothing is dropped. People's words (Instruct, Decide) come the same way; who says them waits
// until they are in the journal and judged, or until the caller's context ends.
//
// While garbage fills the line, the machine and the journal get the messages among it, and a gap record for the rest: flood.go.
//
// # Time
//
// Times are microseconds on the journal's own line: the host's monotonic time since this start, behind what the
// journal already holds. Wall time is an annotation in the opening record and nothing is computed from it, except how
// long the daemon was away, and that only if it is between zero and a day.
//
// # Limits
//
// A step that commits a move takes well under a millisecond; a journal of 10 MB is recovered in under 2 s.
package station
