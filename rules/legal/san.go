package legal

// SAN writes a legal move in the notation of FIDE Laws appendix C with English letters, as PGN does:
// Nbd7, exd6, e8=Q+, O-O-O, Qxf7#.
func (p *Position) SAN(m Move) string {
	var l MoveList
	p.Moves(&l)
	b := p.appendPlainSAN(make([]byte, 0, 8), m, &l)
	after := p.After(m)
	if after.InCheck() {
		if after.countMoves() == 0 {
			b = append(b, '#')
		} else {
			b = append(b, '+')
		}
	}
	return string(b)
}

func (p *Position) appendPlainSAN(b []byte, m Move, l *MoveList) []byte {
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
		b = append(b, to.String()...)
		if promotion := m.Promotion(); promotion != NoKind {
			b = append(b, '=', promotion.Letter())
		}
		return b
	}
	b = append(b, kind.Letter())
	file, rank := p.ambiguity(m, l)
	if file {
		b = append(b, 'a'+byte(from.File()))
	}
	if rank {
		b = append(b, '1'+byte(from.Rank()))
	}
	if m.Captured() != NoKind {
		b = append(b, 'x')
	}
	return append(b, to.String()...)
}

// ambiguity is what must be added: the file if that is enough, else the rank, else both (appendix C.10).
func (p *Position) ambiguity(m Move, l *MoveList) (file, rank bool) {
	from := m.From()
	rival, sameFile, sameRank := false, false, false
	for _, other := range l.Slice() {
		if other.To() != m.To() || other.From() == from || other.IsCastling() || p.board[other.From()] != p.board[from] {
			continue
		}
		rival = true
		sameFile = sameFile || other.From().File() == from.File()
		sameRank = sameRank || other.From().Rank() == from.Rank()
	}
	if !rival {
		return false, false
	}
	return !sameFile || sameRank, sameFile
}
