// Package players simulates the people at an emulated board: two players, honest or not, and an arbiter, with a record
// of their actions. Their hands have the rates that were measured on real boards (reconstruction notes, section 1).
//
// It knows the rules of chess as far as players need them (rules/legal), how people move pieces, and which acts an
// emulated board takes (package emulator). It does not know the wire, what the board reports, or the daemon that
// watches it, and shares no code with the detector: its truth is the record of its own actions.
//
// # The loop
//
// A Table is an emulator.Emulator with people at it, who are its People; its loop is that of the package emulator, and
// Truth returns the record:
//
//	t, err := players.New(players.Options{Seed: 1, Count: 3})
//	emulator.Run(t.Emulator, host, linger, limit)
//	truth := t.Truth()
//
// Record is the same with a host that makes a recording. The players plan one turn at a time; their actions depend on
// the seed and on the time left, never on the board's reports. The same options and the same input at the same instants
// give the same bytes and the same truth, on every machine and for ever. A Table belongs to one goroutine. Hands can
// also be used alone, to write a script for an emulator.
//
// # What is modelled
//
// The hands: see Hands for the verbs, Habits for the ways of capturing,
// castling and promoting and how often each is taken, Tempo for the speed. The
// rates of AsRecorded hold for Blitz, a clock lag as recorded and a scan below
// 250 ms; with those, an update never comes after the message of its own press.
//
// # Offenders and look-alikes
//
// Players commit offences only with Options.Offences. An offence is searched in the position, so that its name is
// exact: a transfer has the name that rules/legal Explain gives it, in the position that counts, and leaves a board
// that no other transfer explains. The consequence is drawn as well (After): the offence stays and the game continues
// from it (legal.Setup.Standing), the opponent answers at once or even before the press, the arbiter restores the
// position and sets the clocks rightly or wrongly, or the players correct it among themselves. A given game keeps its
// moves unless an offence stays; from there it is a generated one. Two offences are at least four plies apart, except
// the capture of a king in answer to one, and the first move is always legal. Options.Innocents are actions of honest
// players that look like an offence. Truth contains all of it: GameTruth.Offences and Innocents, and Line for the game
// as it counts. Without these options nothing is drawn, and not a byte differs.
//
// Not modelled: two hands one after the other, the wrong hand, touch-move, speech, a surplus move that is answered
// instead of taken back, promotion to a king.
//
// # Limits
//
// A game of 80 moves with 2+ updates each takes about 2 ms on one core of a
// 2020s laptop, with offenders and look-alikes twice that: each offence is
// confirmed by three judges of legality. At 40 ‰ a game of 95 plies has five to
// six offences, of 31 kinds and ways. Memory does not grow with time except for
// Truth: about 120 bytes per move and 400 per offence.
package players
