package legal

import "boardwatchd/rules/kinds"

// pieceOffences is the kind of finding for a piece that does not move so, by Kind. No piece on the origin: nobody can have moved it.
var pieceOffences = [...]kinds.Kind{
	kinds.NotUnderstood, kinds.IllegalPawn, kinds.IllegalKnight, kinds.IllegalBishop, kinds.IllegalRook, kinds.IllegalQueen, kinds.IllegalKing,
}
