package legal

import "math/bits"

// Rights are the castling rights of both sides: for each side the set of files whose rook on the home rank may still
// castle. The low byte is White's (bit 0 = a-file), the high byte Black's. The zero value is no rights. One form serves
// orthodox chess and Chess960.
type Rights uint16

// OrthodoxRights are the four rights of the ordinary start position.
const OrthodoxRights Rights = 0x8181

// Files returns the set of one side's files, bit 0 for the a-file.
func (r Rights) Files(s Side) uint8 {
	if s == Black {
		return uint8(r >> 8)
	}
	return uint8(r)
}

// Has reports whether the side may still castle with the rook of this file.
func (r Rights) Has(s Side, file int) bool {
	return file >= 0 && file < 8 && r.Files(s)>>file&1 != 0
}

// With adds one right.
func (r Rights) With(s Side, file int) Rights {
	if file < 0 || file > 7 {
		return r
	}
	switch s {
	case White:
		return r | 1<<file
	case Black:
		return r | 1<<(8+file)
	}
	return r
}

// Without removes every right of a side.
func (r Rights) Without(s Side) Rights {
	switch s {
	case White:
		return r &^ 0x00FF
	case Black:
		return r &^ 0xFF00
	}
	return r
}

// Setup is any placement, with the other fields of a FEN. It promises nothing; Setup.Position checks it. It is
// comparable.
type Setup struct {
	Placement Placement
	Turn      Side
	Castling  Rights
	EnPassant Square // the square passed over by a double step of the last move; NoSquare (not 0, which is a1) for none
	HalfMoves int    // since the last capture or pawn move
	FullMoves int    // 1 at the start, grows after Black's move
	Chess960  bool   // castling is written and read as king takes rook
}

// kingSquare returns the square of the side's king, NoSquare if it has none; with several, the first from a1.
func (s *Setup) kingSquare(side Side) Square {
	return s.Placement.find(PieceOf(side, King))
}

func (p *Placement) find(piece Piece) Square {
	for sq := A1; sq < NoSquare; sq++ {
		if p[sq] == piece {
			return sq
		}
	}
	return NoSquare
}

// outermostRook returns the file that X-FEN's K (towards the h-file) or Q (towards the a-file) names: that of the
// outermost rook on the home rank beyond the king; -1 if there is none.
func (s *Setup) outermostRook(side Side, kingside bool) int {
	king := s.kingSquare(side)
	rank := side.homeRank()
	if king == NoSquare || king.Rank() != rank {
		return -1
	}
	rook := PieceOf(side, Rook)
	if kingside {
		for f := fileH; f > king.File(); f-- {
			if s.Placement[SquareOf(f, rank)] == rook {
				return f
			}
		}
		return -1
	}
	for f := fileA; f < king.File(); f++ {
		if s.Placement[SquareOf(f, rank)] == rook {
			return f
		}
	}
	return -1
}

// orthodoxRights reports whether every right belongs to a king on the e-file and a rook on the a- or h-file.
func (s *Setup) orthodoxRights() bool {
	for _, side := range [...]Side{White, Black} {
		files := s.Castling.Files(side)
		if files == 0 {
			continue
		}
		king := s.kingSquare(side)
		if files&^0x81 != 0 || (king != NoSquare && king.File() != fileE) {
			return false
		}
	}
	return true
}

// wings splits a side's rights by the king's file: the rook on each wing, -1 for none. ok is false when two rights lie
// on one wing, which is impossible in a game.
func (r Rights) wings(s Side, kingFile int) (kingside, queenside int, ok bool) {
	files := r.Files(s)
	right := files &^ (1<<(kingFile+1) - 1)
	left := files & (1<<kingFile - 1)
	kingside, queenside = -1, -1
	if right != 0 {
		kingside = bits.Len8(right) - 1
	}
	if left != 0 {
		queenside = bits.TrailingZeros8(left)
	}
	return kingside, queenside, right&(right-1) == 0 && left&(left-1) == 0 && files>>kingFile&1 == 0
}
