// Package emulator is a DGT board, a clock and two players: for the commands
// simulate and emulate, for demonstrations, and for every test that needs a
// board. It follows section 16 of the DGT protocol notes, and its hands have the
// rates that were measured on real boards (reconstruction notes, section 1).
//
// It knows the wire (packages dgt and clockproto, as the board speaks them), the
// rules of chess as far as players need them (rules/legal), and how people move
// pieces. It does not know the daemon that watches it, and shares no code with
// the detector: what it calls the truth is what it did.
//
// # The loop
//
// An Emulator has no clock, no goroutine and no device. Time is µs from 0, and
// passes only in Advance:
//
//	e, err := emulator.New(emulator.Options{Seed: 1, Count: 3})
//	for !e.Done() {
//		at, ok := e.NextEvent()
//		if !ok { break }
//		e.Advance(at, func(at int64, p []byte) { … }) // what the host receives
//		e.Input(at, command)                          // what the host sends
//	}
//	truth := e.Truth()
//
// Run is this loop with a function for a host, Record with a host that makes a
// recording, ServePTY runs it in real time or faster on a pseudo terminal. The
// same options and the same input at the same instants give the same bytes, on
// every machine and for ever: integers only, one seed, a generator of its own
// (SplitMix64). How finely Advance is cut does not matter. An Emulator belongs
// to one goroutine.
//
// # What is modelled
//
// The board: 64 coils, each visited once per 200–250 ms at a phase of its own;
// a visit sees what the coil has above it at that instant, and only a change is
// reported. A moving piece is above no coil, one or two. Everything odd that
// real boards report follows from this: places before lifts, captures without
// an empty square, pieces on squares they only crossed. Link modes, reporting
// modes, every request of section 3, the board's own log, and the addressed
// commands of bus mode. Not modelled: draughts boards, the Pegasus, the I2C
// variants of the update modes, and the receive buffer of ten bytes.
//
// The clock: whole seconds on the display, the increment and the lever in one
// message, flags, a second period, pause, and what people do to it with the
// clock stopped. What the board knows of it is late: see Lag.
//
// The line: 9,600 baud with ten bits per byte, or faster, or not paced; a
// USB-serial driver that hands over packets of at most 62 bytes or what has come
// within its latency timer. The host's bytes take their time as well.
//
// The hands: see Hands for the verbs, Habits for the ways of capturing,
// castling and promoting and how often each is taken, Tempo for the speed. The
// rates of AsRecorded hold for Blitz, a clock lag as recorded and a scan below
// 250 ms; with those, an update never comes after the message of its own press.
//
// # Offenders, and who only looks like one
//
// Players err only when Options.Offences say so. An offence is looked for in the
// position, so that its name is exact: a transfer is called what rules/legal
// Explain calls it, in the position that counts, and leaves a board that no other
// transfer explains. What happens then is drawn as well (After): it stands and the
// game is played on from it (legal.Setup.Standing), the opponent answers at once
// or even before the press, the arbiter restores the position and sets the clocks
// rightly or wrongly, or the players put it right among themselves. A given game
// keeps its moves unless an offence stands; from there it is a generated one. Two
// offences are four plies apart, but for a king captured in answer, and the first
// move is always a legal one. Options.Innocents are what honest people do that
// looks like an offence. Truth has all of it: GameTruth.Offences and Innocents, and
// Line for the game as it counts. Without these options nothing is drawn and not
// a byte differs.
//
// Not modelled: two hands one after the other, the wrong hand, touch-move, what is said, a surplus
// move that is answered instead of taken back, promotion to a king.
//
// # What can go wrong
//
// This is the fault model; a fault that is not here is not injected. Faults of
// the line, per byte: a bit flips, a byte is replaced, lost, or comes twice. Per
// frame: it is cut short; garbage comes before it; a field update is lost, or
// comes twice; a clock message has an impossible digit. At a given instant: the
// cable comes out, between frames or after a given byte of one, and goes in
// again; the board loses power, falls into bus mode, or is mute; noise; the
// stream of 80; a log that nobody asked for; a clock message of seven zeros. Of
// the sensors: a coil that flickers; a piece that cannot be read (Hands). Of
// the clock: no clock, unplugged for a while, battery low, late in any of the
// documented ways, acknowledgements late, refused or preceded by zeros. After a
// cable or power fault the board starts in bus mode and knows the pieces that
// stand there. Bytes are never reordered, and the host's bytes are never spoiled.
//
// # Limits
//
// A game of 80 moves with 2+ updates each takes about 2 ms on one core of a
// 2020s laptop, with offenders and look-alikes twice that: each offence is
// confirmed by three judges of legality. At 40 ‰ a game of 95 plies has five to
// six offences, of 31 kinds and ways. Memory does not grow with time except for
// Truth: about 120 bytes per move and 400 per offence. Input of any bytes at any
// time is survived.
package emulator
