package detector

import (
	"boardwatchd/rules/legal"
)

// inTurn is what was seen or reported since the last move of the record and has a meaning only until the next one: a move
// that is committed makes it anew (settled).
type inTurn struct {
	reply   legal.Move // the opponent's reply that had already been made at the mover's press (ok2)
	replyAt int64      // when that was

	emptied        emptied         // a square that a piece of the opponent's left before the press of the last move
	knocked        knocked         // pieces displaced in the turn of a player, reported with the last move
	outOfTurn      Found           // pieces moved out of turn
	afterReply     Found           // a press after a reply that stood for long: without a move, if the opponent moves again
	replyTold      bool            // that the opponent has made his move after what was wrong was reported
	adjustedPieces uint64          // pieces adjusted off turn that were reported
	goneBefore     uint64          // squares that pieces of the player to move had left before the last move was begun
	unheard        int64           // the longest time between two readings of a running clock
	cameUnreported bool            // a piece has left a square that read empty: it is not reported when it came there
	restored       bool            // the last good position has been set up again
	pausedAs       legal.Placement // the clock was started on this board, which is another than the last move left
}
