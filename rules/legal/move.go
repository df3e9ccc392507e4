package legal

// Move is one move in one position, complete enough to be made and taken back:
//
//	bits 0-5 from, 6-11 to, 12-14 promotion, 15-17 captured, 18-20 flags, 21-23 file of the castling rook
//
// The zero value, NoMove, is no move.
type Move uint32

// NoMove is the absence of a move.
const NoMove Move = 0

const (
	moveToShift       = 6
	movePromoShift    = 12
	moveCapturedShift = 15
	moveRookShift     = 21

	moveCastling   Move = 1 << 18
	moveEnPassant  Move = 1 << 19
	moveDoubleStep Move = 1 << 20
	movePromoMask  Move = 7 << movePromoShift
)

func newMove(from, to Square) Move { return Move(from) | Move(to)<<moveToShift }

func (m Move) capturing(k Kind) Move { return m | Move(k)<<moveCapturedShift }

func (m Move) promotingTo(k Kind) Move { return m | Move(k)<<movePromoShift }

func newCastling(king, kingTo, rook Square) Move {
	return newMove(king, kingTo) | moveCastling | Move(rook.File())<<moveRookShift
}

// From returns the square the piece (in castling: the king) leaves.
func (m Move) From() Square { return Square(m & 63) }

// To returns the square the piece goes to; in castling the KING'S TARGET (g1, c1, g8, c8).
func (m Move) To() Square { return Square(m>>moveToShift) & 63 }

// Promotion returns the kind of piece that the pawn becomes; NoKind if it stays a pawn.
func (m Move) Promotion() Kind { return Kind(m>>movePromoShift) & 7 }

// Captured returns the kind of the captured piece, also en passant; NoKind for a quiet move.
func (m Move) Captured() Kind { return Kind(m>>moveCapturedShift) & 7 }

// IsCastling reports whether the move is castling, on either side.
func (m Move) IsCastling() bool { return m&moveCastling != 0 }

// IsEnPassant reports whether the move is a capture by FIDE Laws 3.7.3.1.
func (m Move) IsEnPassant() bool { return m&moveEnPassant != 0 }

// IsDoubleStep reports whether the move is a pawn's first move of two squares, FIDE Laws 3.7.2.
func (m Move) IsDoubleStep() bool { return m&moveDoubleStep != 0 }

// RookFrom returns the castling rook's square before castling; NoSquare for other moves.
func (m Move) RookFrom() Square {
	if !m.IsCastling() {
		return NoSquare
	}
	return m.To()&^7 | Square(m>>moveRookShift)&7
}

// RookTo returns the castling rook's square after castling; NoSquare for other moves.
func (m Move) RookTo() Square {
	if !m.IsCastling() {
		return NoSquare
	}
	if m.To().File() == fileG {
		return m.To()&^7 | fileF
	}
	return m.To()&^7 | fileD
}

// EnPassantVictim returns the square of the pawn captured en passant; NoSquare for other moves.
func (m Move) EnPassantVictim() Square {
	if !m.IsEnPassant() {
		return NoSquare
	}
	return m.From()&^7 | m.To()&7
}

// Victim returns the square of the piece that is captured, also en passant; NoSquare for a quiet move.
func (m Move) Victim() Square {
	switch {
	case m.IsEnPassant():
		return m.EnPassantVictim()
	case m.Captured() != NoKind:
		return m.To()
	}
	return NoSquare
}

// MaxMoves is enough for every position this package accepts. With at most 17 pieces a side, pieces moving along lines
// have at most 340 moves in all (on a line of length L with k pieces at most 2(L-k) moves, k=2 on every line), a pawn
// at most 12, a knight 8, castling 2: never more than 386. A legal game has at most 218.
const MaxMoves = 392

// MoveList is the caller's fixed array of moves; Position.Moves fills it without allocating.
type MoveList struct {
	n uint32
	m [MaxMoves]Move
}

// Len returns the number of moves.
func (l *MoveList) Len() int { return int(l.n) }

// At returns the i-th move, 0 ≤ i < Len.
func (l *MoveList) At(i int) Move { return l.Slice()[i] }

// Slice returns a view that is valid until the list is filled again.
func (l *MoveList) Slice() []Move { return l.m[:l.n] }

// Has reports whether the list contains the move.
func (l *MoveList) Has(m Move) bool {
	for _, x := range l.Slice() {
		if x == m {
			return true
		}
	}
	return false
}
