// Package presses generates the traffic of a chess board and a chess clock on which people play, move, press, forget to
// press and commit offences, together with a true record of the events. It was written from the protocol notes and the
// rules of chess alone, without knowledge of the program that it tests or of any other generator in this module, so
// that it shares only published assumptions with them.
//
//	t := presses.New(presses.Options{Seed: 1, Clock: presses.PolledClock, Offences: 100})
//	for !t.Done() {
//		at, _ := t.NextEvent() // or an earlier instant at which the host acts
//		t.Advance(at, host.Read)
//		t.Input(at, host.Written()) // the host must open the conversation: a board is silent at power-up
//	}
//	check(t.Truth())
//
// Time is microseconds from 0, in integers. One seed gives one table; the bytes do not depend on the steps of Advance,
// and the game does not depend on the family of the clock, the noise, the gaps, or the host: the three families can be
// compared on the same games. A Table is owned by one caller; there is no goroutine and no clock of the machine.
//
// # What is modelled, with the sources of the numbers (sections of the protocol notes)
//
//   - The line: 9600 baud, one message after the other (1.1). Noise loses bytes or flips bits.
//   - Bus mode at power-up, single-board mode by the first command, IDLE, UPDATE (every 500 ms), UPDATE_BOARD and
//     UPDATE_NICE (2). A byte with bit 7 set leads back to bus mode and its three followers are passed over (16, step
//     1).
//   - The commands 40 to 4D and 55, and clock commands with their ACK after 75 to 400 ms in 43 and 4B (3, 5, 6.2 to
//     6.5; 16, step 6). Set-and-run is refused. A wired board does not answer unknown commands. 4E makes the board
//     mute. The trademark is a text of this project.
//   - The log of 7939 bytes, 8.27 s (1.1, 7).
//   - The scan: a period of 200 to 250 ms, a fixed phase per square, either direction (11.1; 16, step 3). Places before
//     lifts, direct replacements and ghosts of sliding (11.2) follow from it.
//   - White on either side of the board (5.2) and of the clock (5.4), independently.
//   - The clock's face: whole seconds rounded up, so that zero comes with the flag; increment, lever and turn in one
//     message; status 08, 09, 12, 13 (5.4, 15.2).
//   - The event clock: every change within 2 to 30 ms (6.7, items 1, 4, 5). The polled clock: read every 0.97 to 1.04 s
//     (the worst of 16, step 5, and the bound of 6.7, item 6). The slow clock: ticks 30 to 250 ms late, presses 0.2 to
//     2 s.
//   - A gap, after which the mode is lost or kept (2), with the message cut on the line (14, rows 1 and 2).
//
// # What is invented
//
// There is no public record of the frequency of the following. Rates are in Habits, per 10,000 plies unless stated
// otherwise.
//
//   - Hands: three ways of capturing (lift and swap 60, victim first 25, piece held 15 of 100), three of en passant and
//     two of promotion; spans of thinking, lifting and pressing in plan.go. Only "lift to place mostly within one
//     second" and "field updates before the press" (11.2) hold them. A press comes 0.23 to 1.1 s after the move in
//     blitz, up to 3 s in classical play, and in a scramble 50 to 260 ms, so that there the press is sometimes known
//     before the scan.
//   - Forgotten presses: 80; 2,000 in the next ply of a player who has just forgotten, which gives chains. The opponent
//     then
//     presses in vain (half) or not at all. Noticed after the reply: 50; in one case out of ten the reply is then not
//     pressed. A press after 2 to 8 s: 120.
//   - Bounce 30, double tap 60, scrambles of 6 to 20 plies 40 (200 in blitz).
//   - The clock stopped by the opponent after a press 25, in a think 40, for 3 to 40 s; in a quarter of these the lever
//     is moved, and in 3 of 10 of those it is left wrong until after the restart. The lever while the clock stands is
//     reported like any other press and adds no increment: unknown in 5.4 and 18, item 4.
//   - Pieces touched and put back 120, adjusted 150. A touched piece may be another one than the piece that then moves,
//     so a touch-move offence (FIDE Laws 4.3) may lie in it; the truth does not name it.
//   - The lever on the wrong side at the start: 25 of 100 games, put right before or after the start.
//   - Swallowed presses of the slow clock: the first in 30 of 100 games, others 100. Four of five make the clock silent
//     until the lever moves again or the clock stops, one of five leaves the old lever in reports whose times are true.
//     Both forms are guesses, and so is that only the last change is reported after a silence.
//   - Offences: the mix of offenceWeights, five times as often in check and before a promotion, twenty times where
//     castling looks possible and is not. Half are played on. The rest are stopped after 0.8 to 6 s and put right; of
//     ten incomplete promotions six by a queen; in 3 of 10 the opponent gets two minutes; in 3 of 10 the lever is put
//     right only after the restart. After a pair of plies without a movement of the lever, eight times the rate.
//   - Gaps of 2 to 40 s, standstills of 1 to 30 s; both begin within a second or two of a move.
//   - The pace Quick, 0.5 to 1 s a ply, and one square that reads wrong for the rest of the game: its coil is dead, its
//     piece has fallen, or a captured piece is laid on it. Nobody pays attention to it.
//   - Random games: any legal move, castling, captures and queens preferred. They have more checks and fewer exchanges
//     than games of people.
//
// # What is not modelled
//
// Moves out of turn, en passant too late, captures of the king, colours or arrays wrong at the start, pieces that
// cannot be read but for one square (Options.Disturbed), king signals (13), bus commands (8), remote control of the
// clock, several periods of time, a clock unplugged, null messages of Bluetooth boards (5.4), a piece seen on the way
// between two squares other than by sliding.
package presses
