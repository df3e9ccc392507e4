package legal

import "boardwatchd/rules/kinds"

// pieceOffences gives the kind of finding for a piece that does not move in this way, by Kind. An origin without a
// piece has its own entry.
var pieceOffences = [...]kinds.Kind{
	kinds.NotUnderstood, kinds.IllegalPawn, kinds.IllegalKnight, kinds.IllegalBishop, kinds.IllegalRook, kinds.IllegalQueen, kinds.IllegalKing,
}
