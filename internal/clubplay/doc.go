// Package clubplay chooses moves that people would recognise as chess: an opening from a small book of its own, then
// moves that take a mate in one, allow none where that can be helped, and leave no piece where it can simply be taken.
// Demonstrations and rehearsals use it; the games of the tests are random ones (package players).
//
// It knows the rules (rules/legal), the values of pieces and a few habits of club players. It makes no plans and knows
// no endings.
//
//	move := clubplay.Player{}.Choose(&source, history)
//
// # The input it must survive
//
// Any position that can arise, even one after an illegal move (legal.Setup.Standing), and Chess960. The position must
// have a legal move.
//
// # Limits
//
// About 1 ms for a move in the middle game on one core of a 2020s laptop. The same source and history give the same
// move on every machine: there is no floating point and no clock in it.
package clubplay
