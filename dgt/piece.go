package dgt

import "fmt"

// A Piece is the code that a board reports for a square (section 5.1).
type Piece byte

// The codes, in the board's own order. Boards without piece recognition report
// every piece as [WhitePawn].
const (
	Empty Piece = iota
	WhitePawn
	WhiteRook
	WhiteKnight
	WhiteBishop
	WhiteKing
	WhiteQueen
	BlackPawn
	BlackRook
	BlackKnight
	BlackBishop
	BlackKing
	BlackQueen
	ResultDraw  // result pieces, known since 2012
	ResultWhite // White wins
	ResultBlack // Black wins
)

// The codes of draughts sets, which share the numbers of chess pieces.
const (
	WhiteMan         = WhitePawn
	BlackMan         = WhiteBishop
	WhiteCrownedKing = BlackPawn
	BlackCrownedKing = BlackBishop
)

// pieceMask removes a bit of unknown meaning that a note of 2014 mentions.
const pieceMask = 0x0F

var pieceNames = [16]string{
	"empty", "white pawn", "white rook", "white knight", "white bishop", "white king", "white queen",
	"black pawn", "black rook", "black knight", "black bishop", "black king", "black queen",
	"draw piece", "white-wins piece", "black-wins piece",
}

// String names the piece.
func (p Piece) String() string {
	if int(p) < len(pieceNames) {
		return pieceNames[p]
	}
	return fmt.Sprintf("piece %02x", byte(p))
}

// A Placement is the content of all squares in the board's own numbering: 0 at the far left of the player who has the
// connector at the left hand, 63 near right. The numbering is fixed to the hardware and never rotates.
type Placement [squares]Piece

func (p *Placement) read(data []byte) {
	for i := range p {
		p[i] = Piece(data[i] & pieceMask)
	}
}

func appendPieces(dst []byte, ps []Piece) []byte {
	for _, p := range ps {
		dst = append(dst, byte(p)&pieceMask)
	}
	return dst
}
