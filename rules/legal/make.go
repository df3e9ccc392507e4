package legal

// Undo holds the facts that Unmake cannot recompute.
type Undo struct {
	key      uint64
	castling bitboard
	half     int32
	rights   uint8
	ep       Square
	step     Square
}

// Make plays a legal move and fills u for Unmake. A move that is not legal in this position
// leaves the position undefined: use Explain or IsLegal for moves from outside.
func (p *Position) Make(m Move, u *Undo) {
	*u = Undo{key: p.key, castling: p.castling, half: p.half, rights: p.rights, ep: p.ep, step: p.step}
	us := p.turn
	them := us ^ 3
	key := p.key ^ blackKey
	if p.ep != NoSquare {
		key ^= enPassantKeys[p.ep&7]
	}
	p.ep, p.step = NoSquare, NoSquare
	p.turn = them
	p.half++
	p.full += int32(us >> 1)
	from, to := m.From(), m.To()
	if p.castling&(bit(from)|bit(to)) != 0 {
		key ^= rightKeys[p.rights&15]
		p.loseRights(us, from, to)
		key ^= rightKeys[p.rights&15]
	}
	if m&moveCastling != 0 {
		p.key = key
		p.castle(us, m)
		return
	}
	moved := p.board[from&63]
	if captured := m.Captured(); captured != NoKind {
		at := to
		if m&moveEnPassant != 0 {
			at = m.EnPassantVictim()
			p.board[at&63] = NoPiece
		}
		p.kinds[captured&7] &^= bit(at)
		p.sides[them&3] &^= bit(at)
		key ^= pieceKeys[pieceOf(them, captured)&15][at&63]
		p.half = 0
	}
	p.board[from&63] = NoPiece
	p.kinds[moved&7] &^= bit(from)
	p.sides[us&3] ^= bit(from) | bit(to)
	key ^= pieceKeys[moved&15][from&63]
	if moved&7 == Piece(Pawn) {
		p.half = 0
		if promotion := m.Promotion(); promotion != NoKind {
			moved = pieceOf(us, promotion)
		}
	}
	p.board[to&63] = moved
	p.kinds[moved&7] |= bit(to)
	p.key = key ^ pieceKeys[moved&15][to&63]
	if m&moveDoubleStep != 0 {
		p.stepped((from + to) / 2)
	}
}

// Unmake takes back the last move made; m and u are those of its Make.
func (p *Position) Unmake(m Move, u *Undo) {
	them := p.turn
	us := them ^ 3
	p.turn = us
	p.full -= int32(us >> 1)
	p.key, p.castling, p.half, p.rights, p.ep, p.step = u.key, u.castling, u.half, u.rights, u.ep, u.step
	if m&moveCastling != 0 {
		p.uncastle(us, m)
		return
	}
	from, to := m.From(), m.To()
	moved := p.board[to&63]
	p.board[to&63] = NoPiece
	p.kinds[moved&7] &^= bit(to)
	if m&movePromoMask != 0 {
		moved = pieceOf(us, Pawn)
	}
	p.board[from&63] = moved
	p.kinds[moved&7] |= bit(from)
	p.sides[us&3] ^= bit(from) | bit(to)
	if captured := m.Captured(); captured != NoKind {
		at := to
		if m&moveEnPassant != 0 {
			at = m.EnPassantVictim()
		}
		p.board[at&63] = pieceOf(them, captured)
		p.kinds[captured&7] |= bit(at)
		p.sides[them&3] |= bit(at)
	}
}

// After returns the position after a legal move; p is not changed.
func (p *Position) After(m Move) Position {
	q := *p
	var u Undo
	q.Make(m, &u)
	return q
}

// pieceOf is PieceOf for a known side and kind, without checks.
func pieceOf(s Side, k Kind) Piece { return Piece(k) | Piece(s&2)<<2 }

// loseRights removes both rights when the king moves, and a rook's right when it moves or is captured (FIDE Laws
// 3.8.2.1).
func (p *Position) loseRights(us Side, from, to Square) {
	if p.board[from&63]&7 == Piece(King) {
		p.rights &^= rightBits(us)
	}
	for i, rook := range p.rooks {
		if rook == from || rook == to {
			p.rights &^= 1 << i
		}
	}
	p.castling = 0
	for i, rook := range p.rooks {
		if p.rights>>i&1 != 0 {
			p.castling |= bit(rook) | p.kinds[King]&p.sides[White+Side(i/2)]
		}
	}
}

// castle moves both pieces; in Chess960 either may end where the other began, so both are lifted first.
func (p *Position) castle(us Side, m Move) {
	king, rook := pieceOf(us, King), pieceOf(us, Rook)
	p.lift(king, m.From())
	p.lift(rook, m.RookFrom())
	p.put(king, m.To())
	p.put(rook, m.RookTo())
}

func (p *Position) uncastle(us Side, m Move) {
	king, rook, key := pieceOf(us, King), pieceOf(us, Rook), p.key
	p.lift(king, m.To())
	p.lift(rook, m.RookTo())
	p.put(king, m.From())
	p.put(rook, m.RookFrom())
	p.key = key
}

func (p *Position) lift(piece Piece, s Square) {
	p.board[s&63] = NoPiece
	p.kinds[piece&7] &^= bit(s)
	p.sides[piece.Side()&3] &^= bit(s)
	p.key ^= pieceKeys[piece&15][s&63]
}
