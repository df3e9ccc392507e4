package legal

// Position checks the set-up. The error is a Refusal with every reason that applies.
//
// An en passant square is kept only where the capture is legal. It is refused only when no double
// step can have just passed over it.
func (s Setup) Position() (Position, error) {
	bad := s.faults(maxPieces)
	if bad&unbuildable != 0 {
		return Position{}, Refusal{bad}
	}
	p, more := s.build()
	bad |= more | p.checkFaults()
	if bad != 0 {
		return Position{}, Refusal{bad}
	}
	return p, nil
}

// unbuildable lists the reasons that leave nothing further to check.
const unbuildable = EmptyBoard | UnknownPiece | NoSideToMove | MissingKingWhite | MissingKingBlack | TooManyKings

// Standing returns the position on the board after an illegal move that is not taken back (FIDE Laws A.5.2, A.5.4): the
// king of the side not to move may be in check, a pawn may be on the last rank, kings may be adjacent. Rights and en
// passant that the placement does not support are dropped. A second piece may be there for one pawn (3.7.3.3), which
// has passed its opponent by a capture. Everything else works as in a Position; the capture of the king is never among
// the moves.
func (s Setup) Standing() (Position, error) {
	const tolerated = TooManyPawns | PawnOnLastRank
	if bad := s.faults(maxPieces+1) &^ tolerated; bad != 0 {
		return Position{}, Refusal{bad}
	}
	p, bad := s.build()
	const castlingFaults = CastlingRightWithoutKing | CastlingRightWithoutRook | CastlingRightAmbiguous
	const enPassantFaults = EnPassantWrongRank | EnPassantWithoutPawn | EnPassantSquareOccupied
	if bad&castlingFaults != 0 {
		s.Castling = s.soundRights()
	}
	if bad&enPassantFaults != 0 {
		s.EnPassant = NoSquare
	}
	if bad != 0 {
		p, _ = s.build()
	}
	return p, nil
}

// maxPieces is the number of pieces that a side has at the start.
const maxPieces = 16

// faults returns the faults that can be found without attacks, where a side may have that number of pieces.
func (s *Setup) faults(most int) (bad Reason) {
	var pieces, kings, pawns [3]int
	for sq, piece := range s.Placement {
		if !piece.valid() {
			bad |= UnknownPiece
			continue
		}
		side := piece.Side()
		switch rank := Square(sq).Rank(); piece.Kind() {
		case King:
			kings[side]++
		case Pawn:
			pawns[side]++
			if rank == 0 || rank == 7 {
				bad |= PawnOnLastRank
			}
		}
		pieces[side]++
	}
	if pieces[White]+pieces[Black] == 0 {
		bad |= EmptyBoard
	}
	if kings[White] == 0 {
		bad |= MissingKingWhite
	}
	if kings[Black] == 0 {
		bad |= MissingKingBlack
	}
	if kings[White] > 1 || kings[Black] > 1 {
		bad |= TooManyKings
	}
	if max(pieces[White], pieces[Black]) > most || pieces[White]+pieces[Black] > 2*maxPieces {
		bad |= TooManyPieces
	}
	if pawns[White] > 8 || pawns[Black] > 8 {
		bad |= TooManyPawns
	}
	if s.Turn != White && s.Turn != Black {
		bad |= NoSideToMove
	}
	return bad
}

// build fills a Position and reports faults of rights and en passant; those are then not set.
func (s *Setup) build() (Position, Reason) {
	p := Position{
		turn: s.Turn, half: int32(min(max(s.HalfMoves, 0), maxCounter)), full: int32(min(max(s.FullMoves, 1), maxCounter)),
		ep: NoSquare, step: NoSquare, chess960: s.Chess960 || !s.orthodoxRights(),
		rooks: [4]Square{NoSquare, NoSquare, NoSquare, NoSquare},
	}
	for sq, piece := range s.Placement {
		if piece != NoPiece {
			p.put(piece, Square(sq))
		}
	}
	if p.turn == Black {
		p.key ^= blackKey
	}
	bad := p.grantCastling(s)
	bad |= p.grantEnPassant(s)
	return p, bad
}

func (p *Position) grantCastling(s *Setup) (bad Reason) {
	for _, side := range [...]Side{White, Black} {
		if s.Castling.Files(side) == 0 {
			continue
		}
		king := p.KingSquare(side)
		if king.Rank() != side.homeRank() {
			bad |= CastlingRightWithoutKing
			continue
		}
		right, left, ok := s.Castling.wings(side, king.File())
		if !ok {
			bad |= CastlingRightAmbiguous
			continue
		}
		for i, file := range [...]int{right, left} {
			if file < 0 {
				continue
			}
			rook := SquareOf(file, side.homeRank())
			if p.board[rook] != PieceOf(side, Rook) {
				bad |= CastlingRightWithoutRook
				continue
			}
			index := 2*int(side-White) + i
			p.rooks[index] = rook
			p.rights |= 1 << index
			p.castling |= bit(rook) | bit(king)
		}
	}
	// An orthodox right belongs to a king on the e-file; for any other king the set-up must say Chess960.
	p.key ^= rightKeys[p.rights&15]
	return bad
}

// soundRights keeps the rights whose king and rook are on their squares.
func (s *Setup) soundRights() (keep Rights) {
	for _, side := range [...]Side{White, Black} {
		king := s.kingSquare(side)
		if king == NoSquare || king.Rank() != side.homeRank() {
			continue
		}
		if _, _, ok := s.Castling.wings(side, king.File()); !ok {
			continue
		}
		for file := range 8 {
			if s.Castling.Has(side, file) && s.Placement[SquareOf(file, side.homeRank())] == PieceOf(side, Rook) {
				keep = keep.With(side, file)
			}
		}
	}
	return keep
}

// grantEnPassant checks the target: the pawn stands in front of the target (seen from its owner), the target and the
// square it came from are empty.
func (p *Position) grantEnPassant(s *Setup) Reason {
	target := s.EnPassant
	if target == NoSquare {
		return 0
	}
	them := p.turn.Other()
	if !target.valid() || target.Rank() != them.homeRank()+2*them.forward()/8 {
		return EnPassantWrongRank
	}
	pawn := Square(int(target) + them.forward())
	origin := Square(int(target) - them.forward())
	var bad Reason
	if p.board[pawn] != PieceOf(them, Pawn) {
		bad |= EnPassantWithoutPawn
	}
	if p.board[target] != NoPiece || p.board[origin] != NoPiece {
		bad |= EnPassantSquareOccupied
	}
	if bad == 0 {
		p.stepped(target)
	}
	return bad
}

// stepped notes a double step over the square, made by the side not to move.
func (p *Position) stepped(target Square) {
	p.step = target
	capturers := pawnAttacks[(p.turn^3)&3][target&63] & p.kinds[Pawn] & p.sides[p.turn&3]
	for ; capturers != 0; capturers &= capturers - 1 {
		if p.enPassantSafe(capturers.first(), target) {
			p.ep = target
			p.key ^= enPassantKeys[target.File()]
			return
		}
	}
}

// checkFaults looks at checks. A triple check is refused as impossible: a move gives check itself and opens one more
// line, and en passant, which empties two squares, never opens both towards a king that the pawn attacks as well. With
// an en passant square the last move is known, and a check that is older than the double step is refused too. Other
// checks that no last move can have given (two lines from opposite sides) occur in well-known test positions for
// generators, so they are accepted.
func (p *Position) checkFaults() (bad Reason) {
	us, them := p.turn, p.turn.Other()
	ours, theirs := p.KingSquare(us), p.KingSquare(them)
	if kingAttacks[ours].has(theirs) {
		bad |= NeighbouringKings
	}
	if p.attackers(theirs, us, p.occupied())&^p.kinds[King] != 0 {
		bad |= SideNotToMoveInCheck
	}
	checkers := p.attackers(ours, them, p.occupied()) &^ p.kinds[King]
	if checkers.count() > 2 {
		bad |= ImpossibleCheck
	}
	if p.step != NoSquare && p.checkedBeforeStep() {
		if checkers != 0 {
			bad |= ImpossibleCheck
		} else {
			bad |= EnPassantOutOfCheck
		}
	}
	return bad
}

// checkedBeforeStep reports whether the side to move was in check before the double step that passed over p.step. It
// was not its turn then, so no game reaches such a position. The position before the double step differs only in the
// pawn, which was on its home square: a check that the pawn gives now, or that its home square blocked, did not exist
// then, and every other check did. The kings were where they are, so a king does not count as a checker.
func (p *Position) checkedBeforeStep() bool {
	us, them := p.turn, p.turn.Other()
	pawn, home := Square(int(p.step)+them.forward()), Square(int(p.step)-them.forward())
	king := p.KingSquare(us)
	if pawnAttacks[them&3][home&63].has(king) {
		return true
	}
	occupied := p.occupied()&^bit(pawn) | bit(home)
	return p.attackers(king, them, occupied)&^(p.kinds[King]|bit(pawn)) != 0
}
