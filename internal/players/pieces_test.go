package players

import (
	"boardwatchd/dgt"
	"boardwatchd/rules/legal"
)

// codes are the board's own, in the order of DGT protocol notes, section 5.1.
var codes = map[dgt.Piece]legal.Piece{
	dgt.WhitePawn: legal.WhitePawn, dgt.WhiteRook: legal.WhiteRook, dgt.WhiteKnight: legal.WhiteKnight,
	dgt.WhiteBishop: legal.WhiteBishop, dgt.WhiteKing: legal.WhiteKing, dgt.WhiteQueen: legal.WhiteQueen,
	dgt.BlackPawn: legal.BlackPawn, dgt.BlackRook: legal.BlackRook, dgt.BlackKnight: legal.BlackKnight,
	dgt.BlackBishop: legal.BlackBishop, dgt.BlackKing: legal.BlackKing, dgt.BlackQueen: legal.BlackQueen,
}

func pieceOf(code dgt.Piece) legal.Piece { return codes[code] } // NoPiece for an empty square

func codeOf(p legal.Piece) dgt.Piece {
	for code, piece := range codes {
		if piece == p {
			return code
		}
	}
	return dgt.Empty
}

// squareOf returns a square of the board's own numbering.
func squareOf(n int, reversed bool) legal.Square {
	if reversed {
		n = 63 - n
	}
	return legal.Square(n ^ 56) // a8 = 0
}
