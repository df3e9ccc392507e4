package legal

// The direct predicate is a second, slow and simple algorithm, written so that it shares nothing with the generator but
// the types: it walks from square to square on a plain board, makes the move there and checks whether the king can be
// captured. Explain calls a move illegal only if both agree.

// IsLegal reports whether the move, with all its parts (captured piece, flags, rook), is legal here.
func (p *Position) IsLegal(m Move) bool {
	want, ok := p.describe(m)
	return ok && want == m && p.allows(m)
}

// describe completes a move from its squares, promotion and castling flag.
func (p *Position) describe(m Move) (Move, bool) {
	from, to := m.From(), m.To()
	piece := p.board[from]
	if piece.Side() != p.turn {
		return NoMove, false
	}
	if m.IsCastling() {
		return newCastling(from, to, m.RookFrom()), piece.Kind() == King
	}
	full := newMove(from, to).promotingTo(m.Promotion()).capturing(p.board[to].Kind())
	if piece.Kind() == Pawn {
		switch {
		case from.File() != to.File() && p.board[to] == NoPiece:
			full = full.capturing(Pawn) | moveEnPassant
		case abs(from.Rank()-to.Rank()) == 2:
			full |= moveDoubleStep
		}
	}
	return full, true
}

// allows decides on a move from describe.
func (p *Position) allows(m Move) bool {
	if m.IsCastling() {
		return p.allowsCastling(m)
	}
	from, to := m.From(), m.To()
	piece, target := p.board[from], p.board[to]
	if from == to || target.Side() == p.turn || target.Kind() == King {
		return false
	}
	if !p.reaches(from, to) || !promotionFits(piece, to, m.Promotion()) {
		return false
	}
	after := p.board
	after[from], after[to] = NoPiece, piece
	if m.IsEnPassant() {
		after[m.EnPassantVictim()] = NoPiece
	}
	king := to
	if piece.Kind() != King {
		king = (*Placement)(&p.board).find(PieceOf(p.turn, King))
	}
	return !attackedOn(&after, king, p.turn.Other())
}

func promotionFits(piece Piece, to Square, promotion Kind) bool {
	if piece.Kind() == Pawn && to.Rank() == piece.Side().Other().homeRank() {
		return promotion >= Knight && promotion <= Queen
	}
	return promotion == NoKind
}

// reaches reports whether the piece moves in this way (FIDE Laws 3.2 to 3.8.1) and the way is clear.
func (p *Position) reaches(from, to Square) bool {
	df, dr := to.File()-from.File(), to.Rank()-from.Rank()
	switch p.board[from].Kind() {
	case Pawn:
		return p.pawnReaches(from, to)
	case Knight:
		return df*df+dr*dr == 5
	case King:
		return abs(df) <= 1 && abs(dr) <= 1
	case Bishop:
		return abs(df) == abs(dr) && p.clear(from, to)
	case Rook:
		return (df == 0 || dr == 0) && p.clear(from, to)
	case Queen:
		return (df == 0 || dr == 0 || abs(df) == abs(dr)) && p.clear(from, to)
	}
	return false
}

// pawnReaches applies FIDE Laws 3.7.1, 3.7.2, 3.7.3 and 3.7.3.1 (after the double step just made, whether or not the
// capture is legal).
func (p *Position) pawnReaches(from, to Square) bool {
	side := p.board[from].Side()
	df, dr := to.File()-from.File(), (to.Rank()-from.Rank())*side.forward()/8
	switch {
	case df == 0 && dr == 1:
		return p.board[to] == NoPiece
	case df == 0 && dr == 2:
		secondRank := side.homeRank() + side.forward()/8
		return from.Rank() == secondRank && p.board[to] == NoPiece && p.clear(from, to)
	case abs(df) == 1 && dr == 1:
		return p.board[to] != NoPiece || to == p.step
	}
	return false
}

// clear walks from one square towards another in a straight line.
func (p *Position) clear(from, to Square) bool {
	df, dr := sign(to.File()-from.File()), sign(to.Rank()-from.Rank())
	file, rank := from.File()+df, from.Rank()+dr
	for file != to.File() || rank != to.Rank() {
		if p.board[SquareOf(file, rank)] != NoPiece {
			return false
		}
		file, rank = file+df, rank+dr
	}
	return true
}

// attackedOn looks from the square in every direction from which a piece could attack.
func attackedOn(board *[64]Piece, s Square, by Side) bool {
	for _, step := range knightSteps {
		if to := SquareOf(s.File()+step[0], s.Rank()+step[1]); to.valid() && board[to] == PieceOf(by, Knight) {
			return true
		}
	}
	for _, side := range [...]int{-1, 1} {
		// A pawn that attacks s stands one rank behind it, as seen by that pawn.
		if at := SquareOf(s.File()+side, s.Rank()-by.forward()/8); at.valid() && board[at] == PieceOf(by, Pawn) {
			return true
		}
	}
	return rayHits(board, s, rookSteps, PieceOf(by, Rook), by) || rayHits(board, s, bishopSteps, PieceOf(by, Bishop), by)
}

func rayHits(board *[64]Piece, s Square, steps [4][2]int, slider Piece, by Side) bool {
	queen, king := PieceOf(by, Queen), PieceOf(by, King)
	for _, step := range steps {
		for n := 1; ; n++ {
			at := SquareOf(s.File()+n*step[0], s.Rank()+n*step[1])
			if !at.valid() {
				break
			}
			piece := board[at]
			if piece == slider || piece == queen || (piece == king && n == 1) {
				return true
			}
			if piece != NoPiece {
				break
			}
		}
	}
	return false
}

// allowsCastling applies FIDE Laws 3.8.2 with Guidelines II.3, on the plain board.
func (p *Position) allowsCastling(m Move) bool {
	king, rook := m.From(), m.RookFrom()
	home := p.turn.homeRank()
	if king.Rank() != home || m.To().Rank() != home || (m.To().File() != fileC && m.To().File() != fileG) {
		return false
	}
	if p.board[king] != PieceOf(p.turn, King) || p.board[rook] != PieceOf(p.turn, Rook) || !p.Castling().Has(p.turn, rook.File()) {
		return false
	}
	if (m.To().File() == fileG) != (rook > king) {
		return false
	}
	board := p.board
	board[king], board[rook] = NoPiece, NoPiece
	lo, hi := min(king, rook, m.To(), m.RookTo()), max(king, rook, m.To(), m.RookTo())
	for s := lo; s <= hi; s++ {
		if onWay(s, king, m.To()) || onWay(s, rook, m.RookTo()) {
			if board[s] != NoPiece {
				return false
			}
		}
		if onWay(s, king, m.To()) && s != m.To() || s == king {
			standing := board
			standing[rook] = PieceOf(p.turn, Rook)
			if s == rook {
				standing[rook] = NoPiece
			}
			if attackedOn(&standing, s, p.turn.Other()) {
				return false
			}
		}
	}
	board[m.To()], board[m.RookTo()] = PieceOf(p.turn, King), PieceOf(p.turn, Rook)
	return !attackedOn(&board, m.To(), p.turn.Other())
}

// onWay reports whether s lies from a to b inclusive, all on one rank.
func onWay(s, a, b Square) bool { return s >= min(a, b) && s <= max(a, b) }

func abs(n int) int { return max(n, -n) }

func sign(n int) int { return min(max(n, -1), 1) }
