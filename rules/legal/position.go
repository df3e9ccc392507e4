package legal

// Position is a checked position, small enough to copy freely (about 200 bytes) and comparable. Setup.Position makes
// it; the zero value is not a position.
type Position struct {
	kinds    [8]bitboard // by Kind, both sides together
	sides    [4]bitboard // by Side
	board    [64]Piece
	key      uint64
	castling bitboard  // squares of the kings and rooks that still have a right
	rooks    [4]Square // the rook of each right, in the order of the right bits
	half     int32     // half-moves since the last capture or pawn move
	full     int32
	turn     Side
	rights   uint8  // right bits
	ep       Square // en passant target, kept only while such a capture is LEGAL (FIDE Laws 9.2.3.2)
	step     Square // the square that the last move's double step passed over, whether or not the pawn can be captured
	chess960 bool
}

// The right bits: king's wing and queen's wing of each side.
const (
	whiteKingside uint8 = 1 << iota
	whiteQueenside
	blackKingside
	blackQueenside
)

// rightBits is both rights of a side.
func rightBits(s Side) uint8 {
	if s == Black {
		return blackKingside | blackQueenside
	}
	return whiteKingside | whiteQueenside
}

// Turn returns the side to move.
func (p *Position) Turn() Side { return p.turn }

// PieceAt returns the piece on the square; NoPiece outside the board.
func (p *Position) PieceAt(s Square) Piece {
	if !s.valid() {
		return NoPiece
	}
	return p.board[s]
}

// Pieces returns the squares of the side's pieces of a kind, bit 0 = a1.
func (p *Position) Pieces(s Side, k Kind) uint64 { return uint64(p.kinds[k&7] & p.sides[s&3]) }

// Placement returns the pieces on the board alone.
func (p *Position) Placement() Placement { return Placement(p.board) }

// HalfMoves counts half-moves since the last capture or pawn move (FIDE Laws 9.3, 9.6.2).
func (p *Position) HalfMoves() int { return int(p.half) }

// Uncounted returns the position with the half-move counter at zero, as if a pawn had just moved.
func (p *Position) Uncounted() Position {
	q := *p
	q.half = 0
	return q
}

// PawnAtTheEnd reports whether a pawn is on a last rank. Legal play never leaves one there, but the board may show one
// until the pawn is exchanged (FIDE Laws 7.5.2, A.5.4).
func (p *Position) PawnAtTheEnd() bool { return p.kinds[Pawn]&(rank1BB|rank8BB) != 0 }

// FullMoves returns the number of the move to be played, from 1.
func (p *Position) FullMoves() int { return int(p.full) }

// Chess960 reports whether castling is written as king takes rook.
func (p *Position) Chess960() bool { return p.chess960 }

// EnPassant returns the square on which a pawn can LEGALLY be captured en passant now; NoSquare otherwise.
func (p *Position) EnPassant() Square { return p.ep }

// Castling returns the rights, by file of the rook.
func (p *Position) Castling() Rights {
	var r Rights
	for i, rook := range p.rooks {
		if p.rights>>i&1 != 0 {
			r = r.With(White+Side(i/2), rook.File())
		}
	}
	return r
}

// KingSquare returns the square of the side's king.
func (p *Position) KingSquare(s Side) Square { return (p.kinds[King] & p.sides[s&3]).first() }

// Occupied returns the squares of all the side's pieces, as a set.
func (p *Position) Occupied(s Side) uint64 { return uint64(p.sides[s&3]) }

// Attacked reports whether the side attacks the square, with pinned pieces too (FIDE Laws 3.1.2, 3.9.1).
func (p *Position) Attacked(s Square, by Side) bool {
	return s.valid() && p.attackers(s, by, p.occupied()) != 0
}

// Reach returns the squares that a knight, bishop, rook, queen or king on the square attacks with these squares
// occupied, as a set; empty for other kinds.
func Reach(k Kind, from Square, occupied uint64) uint64 {
	from &= 63
	switch k {
	case Knight:
		return uint64(knightAttacks[from])
	case Bishop:
		return uint64(bishopAttacks(from, bitboard(occupied)))
	case Rook:
		return uint64(rookAttacks(from, bitboard(occupied)))
	case Queen:
		return uint64(rookAttacks(from, bitboard(occupied)) | bishopAttacks(from, bitboard(occupied)))
	case King:
		return uint64(kingAttacks[from])
	}
	return 0
}

// Key returns a 64-bit hash of the position in the sense of FIDE Laws 9.2.3: same placement, same side to move, same
// castling rights, same legal en passant capture. Equal positions have equal keys; Same compares exactly.
func (p *Position) Key() uint64 { return p.key }

// Same applies FIDE Laws 9.2.3 exactly: the possible moves of all pieces of both players are the same. The move
// counters do not matter.
func (p *Position) Same(q *Position) bool {
	return p.key == q.key && p.turn == q.turn && p.ep == q.ep && p.board == q.board && p.Castling() == q.Castling()
}

// Setup returns the position as a set-up.
func (p *Position) Setup() Setup {
	return Setup{
		Placement: p.Placement(), Turn: p.turn, Castling: p.Castling(), EnPassant: p.ep,
		HalfMoves: int(p.half), FullMoves: int(p.full), Chess960: p.chess960,
	}
}

// FEN writes the position; the en passant square only where the capture is legal.
func (p *Position) FEN() string { return p.Setup().FEN() }

// String returns the FEN.
func (p *Position) String() string { return p.FEN() }

func (p *Position) occupied() bitboard { return p.sides[White] | p.sides[Black] }

// put sets a piece on an empty square and keeps boards and key together; lift is its opposite.
func (p *Position) put(piece Piece, s Square) {
	p.board[s&63] = piece
	p.kinds[piece&7] |= bit(s)
	p.sides[piece.Side()&3] |= bit(s)
	p.key ^= pieceKeys[piece&15][s&63]
}

// InCheck reports whether the side to move is in check (FIDE Laws 3.9.1).
func (p *Position) InCheck() bool {
	king := p.KingSquare(p.turn)
	return p.attackers(king, p.turn.Other(), p.occupied()) != 0
}

// Checkers returns the squares of the pieces giving check to the side to move, from a1 to h8.
func (p *Position) Checkers() []Square {
	var out []Square
	for b := p.attackers(p.KingSquare(p.turn), p.turn.Other(), p.occupied()); b != 0; b &= b - 1 {
		out = append(out, b.first())
	}
	return out
}

// Attackers returns the squares of the side's pieces that attack the square, pinned or not (FIDE Laws
// 3.1.2, 3.9.1: a pinned piece still attacks).
func (p *Position) Attackers(s Square, by Side) []Square {
	if !s.valid() {
		return nil
	}
	var out []Square
	for b := p.attackers(s, by, p.occupied()); b != 0; b &= b - 1 {
		out = append(out, b.first())
	}
	return out
}

// attackers looks outward from the square, with a set of occupied squares of the caller's choice.
func (p *Position) attackers(s Square, by Side, occupied bitboard) bitboard {
	s &= 63
	queens := p.kinds[Queen]
	return p.sides[by&3] & (knightAttacks[s]&p.kinds[Knight] |
		kingAttacks[s]&p.kinds[King] |
		pawnAttacks[by.Other()&3][s]&p.kinds[Pawn] |
		rookAttacks(s, occupied)&(p.kinds[Rook]|queens) |
		bishopAttacks(s, occupied)&(p.kinds[Bishop]|queens))
}
