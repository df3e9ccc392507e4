package legal

import "boardwatchd/rules/kinds"

// pieceOffences is the kind of finding for a piece that does not move so, by Kind. No piece on the origin: nobody can have moved it.
var pieceOffences = [...]kinds.Kind{
	kinds.NotUnderstood, kinds.IllegalPawn, kinds.IllegalKnight, kinds.IllegalBishop, kinds.IllegalRook, kinds.IllegalQueen, kinds.IllegalKing,
}

// howItMoves completes "a … " in a reason, by Kind.
var howItMoves = [...]string{
	"",
	"moves straight ahead and captures diagonally ahead",
	"moves two squares along a rank or file and one to the side",
	"moves along diagonals",
	"moves along ranks and files",
	"moves along ranks, files and diagonals",
	"moves to a neighbouring square",
}
