package legal

// SAN writes a legal move in the notation of FIDE Laws appendix C with English letters, as PGN does:
// Nbd7, exd6, e8=Q+, O-O-O, Qxf7#.
func (p *Position) SAN(m Move) string {
	q := *p
	return string(q.PlaySAN(make([]byte, 0, 8), m))
}

// PlaySAN appends a legal move to b in the notation of SAN, and plays it: a long line is written move by move, without
// listing the moves of any position. It does not allocate if b has room for seven bytes.
func (p *Position) PlaySAN(b []byte, m Move) []byte {
	b = p.appendPlainSAN(b, m)
	var u Undo
	p.Make(m, &u)
	if !p.InCheck() {
		return b
	}
	if p.countMoves() == 0 {
		return append(b, '#')
	}
	return append(b, '+')
}

func (p *Position) appendPlainSAN(b []byte, m Move) []byte {
	if m.IsCastling() {
		if m.To().File() == fileG {
			return append(b, "O-O"...)
		}
		return append(b, "O-O-O"...)
	}
	from, to := m.From(), m.To()
	kind := p.board[from].Kind()
	if kind == Pawn {
		if m.Captured() != NoKind {
			b = append(b, 'a'+byte(from.File()), 'x')
		}
		b = appendSquare(b, to)
		if promotion := m.Promotion(); promotion != NoKind {
			b = append(b, '=', promotion.Letter())
		}
		return b
	}
	b = append(b, kind.Letter())
	if rivals := p.rivals(m); rivals != 0 {
		b = appendOrigin(b, from, rivals)
	}
	if m.Captured() != NoKind {
		b = append(b, 'x')
	}
	return appendSquare(b, to)
}

func appendSquare(b []byte, s Square) []byte {
	return append(b, 'a'+byte(s.File()), '1'+byte(s.Rank()))
}

// rivals returns the squares of other pieces of the same kind and side that could legally go to the same square. Their
// moves need not be tried: m is legal, so any move to its square answers a check as m does, and only a pin off that
// line prevents one.
func (p *Position) rivals(m Move) bitboard {
	from, to := m.From(), m.To()
	rivals := p.attackers(to, p.turn, p.occupied()) & p.kinds[p.board[from]&7] &^ bit(from)
	if rivals == 0 {
		return 0
	}
	var v view
	p.look(&v)
	for b := rivals & v.pinned; b != 0; b &= b - 1 {
		if rival := b.first(); !line[v.king][rival&63].has(to) {
			rivals &^= bit(rival)
		}
	}
	return rivals
}

// appendOrigin writes the necessary part of the origin: the file if that is enough, else the rank, else both (appendix
// C.10).
func appendOrigin(b []byte, from Square, rivals bitboard) []byte {
	sameFile := rivals&(fileABB<<from.File()) != 0
	sameRank := rivals&(rank1BB<<(8*from.Rank())) != 0
	if !sameFile || sameRank {
		b = append(b, 'a'+byte(from.File()))
	}
	if sameFile {
		b = append(b, '1'+byte(from.Rank()))
	}
	return b
}
