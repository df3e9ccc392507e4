package populations

import (
	"boardwatchd/detector/hands"
	"boardwatchd/dgt"
	"boardwatchd/rules/legal"
)

// Dump returns the board's message of all squares.
func Dump(t legal.Placement, reversed bool) dgt.Message {
	var p dgt.Placement
	for sq, piece := range t {
		p[hands.Field(legal.Square(sq), reversed)] = codeOf(piece)
	}
	return dgt.BoardDump{Placement: p}
}

// Update returns the board's message of one change.
func Update(r hands.Report, reversed bool) dgt.Message {
	return dgt.FieldUpdate{Square: byte(hands.Field(r.Square, reversed)), Piece: codeOf(r.Is)}
}

// codeOf returns the board's code. DGT protocol notes, section 5.1.
func codeOf(p legal.Piece) dgt.Piece {
	kinds := [...]dgt.Piece{dgt.Empty, dgt.WhitePawn, dgt.WhiteKnight, dgt.WhiteBishop, dgt.WhiteRook, dgt.WhiteQueen, dgt.WhiteKing}
	code := kinds[p.Kind()]
	if code != dgt.Empty && p.Side() == legal.Black {
		code += dgt.BlackPawn - dgt.WhitePawn
	}
	return code
}

// PieceOf reads a code of the board; result pieces and unreadable codes are no pieces.
func PieceOf(code dgt.Piece) legal.Piece {
	return Piece(func(p legal.Piece) bool { return codeOf(p) == code&15 })
}

// Piece returns the wanted piece, NoPiece if there is none.
func Piece(wanted func(legal.Piece) bool) legal.Piece {
	for k := legal.Pawn; k <= legal.King; k++ {
		for _, s := range [...]legal.Side{legal.White, legal.Black} {
			if p := legal.PieceOf(s, k); wanted(p) {
				return p
			}
		}
	}
	return legal.NoPiece
}
