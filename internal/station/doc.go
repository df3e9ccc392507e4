// Package station is the loop of one board: it stamps each input, writes it to the journal, steps the machine with it,
// writes the effects to the journal and carries them out.
//
// # What it knows
//
// It knows the order of the five steps (docs/architecture.md) and recovery: on start the board's journal is read
// through the same machine, effects that were never written are written, a gap is recorded and the loop goes on. It
// does not know the meaning of bytes, how ports are opened, or who uses the output.
//
// # Ownership
//
// One goroutine, the one that calls Run, owns the machine, the journal's writer and the timer. All inputs reach it
// through one bounded channel; when that is full the sender waits, which for a serial port means that the bytes stay in
// the driver's buffer. Nothing is dropped. Instructions and decisions of people (Instruct, Decide) take the same way;
// the caller waits until they are in the journal and judged, or until its context ends.
//
// While garbage fills the line, the machine and the journal receive the messages in it, and a gap record for the rest:
// flood.go.
//
// # Time
//
// Times are microseconds on the journal's own line: the host's monotonic time since this start, after the last time in
// the journal. The time for which the daemon did not run comes from the computer's uptime, where that goes on since the
// last opening record. Wall time is an annotation in the opening record and nothing is computed from it, except the
// time of an absence in which the computer was started again, and that only if it is between zero and a day.
//
// # Limits
//
// A step that commits a move takes well under a millisecond; a journal of 10 MB is recovered in under 2 s.
package station
