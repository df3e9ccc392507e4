package legal

// Square is a square of the board: A1 is 0, B1 is 1, H8 is 63.
type Square uint8

const (
	A1 Square = iota
	B1
	C1
	D1
	E1
	F1
	G1
	H1
	A2
	B2
	C2
	D2
	E2
	F2
	G2
	H2
	A3
	B3
	C3
	D3
	E3
	F3
	G3
	H3
	A4
	B4
	C4
	D4
	E4
	F4
	G4
	H4
	A5
	B5
	C5
	D5
	E5
	F5
	G5
	H5
	A6
	B6
	C6
	D6
	E6
	F6
	G6
	H6
	A7
	B7
	C7
	D7
	E7
	F7
	G7
	H7
	A8
	B8
	C8
	D8
	E8
	F8
	G8
	H8
	NoSquare
)

// Files and ranks that the Laws give a meaning to, counted from 0.
const (
	fileA, fileC, fileD, fileE, fileF, fileG, fileH = 0, 2, 3, 4, 5, 6, 7
)

// SquareOf returns the square on a file and a rank, both counted from 0; NoSquare outside the board.
func SquareOf(file, rank int) Square {
	if file < 0 || file > 7 || rank < 0 || rank > 7 {
		return NoSquare
	}
	return Square(rank<<3 | file)
}

// File counts from 0, the a-file. NoSquare has no file; the answer is then 0.
func (s Square) File() int { return int(s & 7) }

// Rank counts from 0, White's first rank. NoSquare has rank 8.
func (s Square) Rank() int { return int(s >> 3) }

// valid is false for NoSquare and beyond.
func (s Square) valid() bool { return s < NoSquare }

// squareNames holds the names of all squares in one string: reading a journal names hundreds of thousands.
const squareNames = "a1b1c1d1e1f1g1h1a2b2c2d2e2f2g2h2a3b3c3d3e3f3g3h3a4b4c4d4e4f4g4h4" +
	"a5b5c5d5e5f5g5h5a6b6c6d6e6f6g6h6a7b7c7d7e7f7g7h7a8b8c8d8e8f8g8h8"

// String is "a1" to "h8", or "-" as FEN writes no square.
func (s Square) String() string {
	if !s.valid() {
		return "-"
	}
	return squareNames[2*s : 2*s+2]
}

// ParseSquare reads "a1" to "h8".
func ParseSquare(name string) (Square, bool) {
	if len(name) != 2 || name[0] < 'a' || name[0] > 'h' || name[1] < '1' || name[1] > '8' {
		return NoSquare, false
	}
	return SquareOf(int(name[0]-'a'), int(name[1]-'1')), true
}

// Placement holds the piece on each square and nothing else, as a board shows it.
type Placement [64]Piece
