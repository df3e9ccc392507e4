// Package emulator is a DGT board with its clock, its cable and their faults: for the commands simulate and emulate,
// for demonstrations, and for every test that needs a board. It follows section 16 of the DGT protocol notes.
//
// It knows the wire (packages dgt and clockproto, as the board speaks them) and the names of squares, pieces and sides
// (rules/legal). It does not know the rules of chess, the people at the table (package players; it uses them through
// the interface People), or the daemon that watches it.
//
// # The loop
//
// An Emulator has no clock, no goroutine and no device. Time is µs from 0, and
// passes only in Advance:
//
//	e := emulator.New(emulator.Options{Seed: 1, Table: table, Script: acts})
//	for !e.Done() {
//		at, ok := e.NextEvent()
//		if !ok { break }
//		e.Advance(at, func(at int64, p []byte) { … }) // bytes that the host receives
//		e.Input(at, command)                          // bytes that the host sends
//	}
//
// Run is this loop with a function for a host, Record with a host that makes a recording, ServePTY runs it in real time
// or faster on a pseudo terminal. Events at the table are acts: from Options.Script, from Perform, or from the People,
// who are called at the instants that they chose (Cue) and when a flag falls. The same options, the same acts and the
// same input at the same instants give the same bytes, on every machine and for ever: integers only, one seed, package
// random. The steps of Advance do not matter. An Emulator belongs to one goroutine.
//
// # What is modelled
//
// The board: 64 coils, each visited once per 200–250 ms at a phase of its own; a visit reads the piece above the coil
// at that instant, and only a change is reported. A moving piece is above no coil, one or two. All oddities that real
// boards report follow from this: places before lifts, captures without an empty square, pieces on squares they only
// crossed. Link modes, reporting modes, every request of section 3, the board's own log, and the addressed commands of
// bus mode. Not modelled: draughts boards, the Pegasus, the I2C variants of the update modes, and the receive buffer of
// ten bytes.
//
// The clock: whole seconds on the display, the increment and the lever in one message, flags, a second period, pause,
// and edits of the stopped clock. The board's knowledge of it is delayed: see Lag.
//
// The line: 9,600 baud with ten bits per byte, or faster, or not paced; a USB-serial driver that delivers packets of at
// most 62 bytes or the bytes received within its latency timer. The host's bytes also take time.
//
// # Faults
//
// This is the fault model; other faults are not injected. Faults of the line, per byte: a bit flips, a byte is
// replaced, lost, or sent twice. Per frame: it is cut short; garbage precedes it; a field update is lost, or sent
// twice; a clock message has an impossible digit. At a given instant: the cable comes out, between frames or after a
// given byte of one, and goes in again; the board loses power, falls into bus mode, or is mute; noise; the stream of
// 80; a log without a request; a clock message of seven zeros. Of the sensors: a coil that flickers; a piece that
// cannot be read (a Sense act without a piece). Of the clock: no clock, unplugged for a while, battery low, late in any
// of the documented ways, acknowledgements late, refused or preceded by zeros. After a cable or power fault the board
// starts in bus mode and knows the pieces that stand there. Bytes are never reordered, and the host's bytes are never
// spoiled.
//
// # Limits
//
// Memory grows with the acts that are still to come only. It survives input of any bytes at any time.
package emulator
