package legal

import "boardwatchd/rules/words"

// Kind is the kind of a piece, regardless of its side.
type Kind uint8

// The kinds of pieces (FIDE Laws 2.2).
const (
	NoKind Kind = iota
	Pawn
	Knight
	Bishop
	Rook
	Queen
	King
)

var kindNames = [...]string{"no piece", "pawn", "knight", "bishop", "rook", "queen", "king"}

// String returns the English name, "pawn" to "king".
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "unknown piece"
}

// Word names the kind of piece inside a sentence.
func (k Kind) Word() words.Sentence { return words.Say("piece." + k.String()) }

// Letter returns the capital letter of notation, 'N' for a knight, 'P' for a pawn; '-' for none.
func (k Kind) Letter() byte {
	if k <= King {
		return "-PNBRQK"[k]
	}
	return '-'
}

// kindOf reads a letter of either case.
func kindOf(letter byte) Kind {
	switch letter | 0x20 {
	case 'p':
		return Pawn
	case 'n':
		return Knight
	case 'b':
		return Bishop
	case 'r':
		return Rook
	case 'q':
		return Queen
	case 'k':
		return King
	}
	return NoKind
}

// Piece is a kind with its side. The low three bits are the kind and bit 3 is set for
// Black, so that the hot paths take a piece apart without a table.
type Piece uint8

const (
	NoPiece Piece = 0

	WhitePawn   = Piece(Pawn)
	WhiteKnight = Piece(Knight)
	WhiteBishop = Piece(Bishop)
	WhiteRook   = Piece(Rook)
	WhiteQueen  = Piece(Queen)
	WhiteKing   = Piece(King)

	BlackPawn   = Piece(Pawn) | blackBit
	BlackKnight = Piece(Knight) | blackBit
	BlackBishop = Piece(Bishop) | blackBit
	BlackRook   = Piece(Rook) | blackBit
	BlackQueen  = Piece(Queen) | blackBit
	BlackKing   = Piece(King) | blackBit
)

const blackBit Piece = 8

// PieceOf combines a side and a kind; NoPiece if either is missing.
func PieceOf(s Side, k Kind) Piece {
	if k == NoKind || k > King {
		return NoPiece
	}
	switch s {
	case White:
		return Piece(k)
	case Black:
		return Piece(k) | blackBit
	}
	return NoPiece
}

// Kind returns the kind of the piece; NoKind for NoPiece.
func (p Piece) Kind() Kind { return Kind(p & 7) }

// Side returns the owner of the piece; NoSide for NoPiece.
func (p Piece) Side() Side {
	if p&7 == 0 {
		return NoSide
	}
	return White + Side(p>>3)&1
}

// String returns the FEN letter, capital for White; "-" for NoPiece.
func (p Piece) String() string { return string([]byte{p.letter()}) }

func (p Piece) letter() byte {
	c := p.Kind().Letter()
	if p.Side() == Black {
		c |= 0x20
	}
	return c
}

// valid reports whether p is a piece of the table above or NoPiece.
func (p Piece) valid() bool {
	return p == NoPiece || (p < 16 && p.Kind() != NoKind && p.Kind() <= King)
}

// pieceOfLetter reads a FEN letter; NoPiece if it is not one.
func pieceOfLetter(c byte) Piece {
	if c < 'A' || c > 'z' {
		return NoPiece
	}
	side := White
	if c&0x20 != 0 {
		side = Black
	}
	return PieceOf(side, kindOf(c))
}
