package detector

import (
	"boardwatchd/rules/legal"
)

// inTurn holds what was seen or reported since the last move of the record and loses its meaning with the next one:
// every commit resets it (settled).
type inTurn struct {
	reply   legal.Move // the opponent's reply that was already on the board at the mover's press (ok2)
	replyAt int64      // when that was seen

	emptied         emptied         // a square that one of the opponent's pieces left before the press of the last move
	knocked         knocked         // displaced pieces that were reported with the last move
	outOfTurn       Found           // pieces moved out of turn
	pressAfterReply Found           // a press long after the reply: without a move, if the opponent moves again
	replyReported   bool            // the opponent's move after a reported offence has been reported
	adjustedPieces  uint64          // pieces adjusted off turn, already reported
	goneBefore      uint64          // squares that pieces of the player to move had left before the last move was begun
	unheard         int64           // the longest time between two readings of a running clock
	cameUnreported  bool            // a piece has left a square that read empty: its arrival there was not reported
	restored        bool            // the last good position has been set up again
	restartedOn     legal.Placement // the board on which the clock was started, if the last move left another one
}
