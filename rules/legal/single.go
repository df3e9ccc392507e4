package legal

// This file makes or checks one move, which costs less than listing all of them.

// Between returns the move from one square to another, with the piece that it captures there. The move need not be
// legal; castling and en passant cannot be expressed.
func (p *Position) Between(from, to Square, promotion Kind) Move {
	m := newMove(from&63, to&63).promotingTo(promotion).capturing(p.board[to&63].Kind())
	if p.board[from&63].Kind() == Pawn && abs(from.Rank()-to.Rank()) == 2 {
		m |= moveDoubleStep
	}
	return m
}

// Lists reports whether Moves lists the move. It looks at the piece that moves and nothing else.
func (p *Position) Lists(m Move) bool {
	if m.IsCastling() || m.IsEnPassant() {
		var list MoveList
		p.Moves(&list)
		return list.Has(m)
	}
	from, to := m.From(), m.To()
	if p.board[from].Side() != p.turn || m != p.Between(from, to, m.Promotion()) {
		return false
	}
	kind := p.board[from].Kind()
	if kind == King {
		return m.Promotion() == NoKind && p.kingSteps(from, to)
	}
	var v view
	p.look(&v)
	if v.checkers.several() {
		return false
	}
	targets := v.allowed
	if v.pinned.has(from) {
		targets &= line[v.king][from]
	}
	if kind == Pawn {
		t := p.pawnMoves(&v, bit(from))
		promotes := m.Promotion() >= Knight && m.Promotion() <= Queen
		return (t.one|t.two|t.east|t.west)&targets&bit(to) != 0 && promotes == (rank1BB|rank8BB).has(to) && (promotes || m.Promotion() == NoKind)
	}
	return m.Promotion() == NoKind && Reach(kind, from, uint64(v.occupied))&uint64(targets&bit(to)) != 0
}

// kingSteps reports whether the king may go to the square: it is a neighbour that holds no piece of its own and no
// king, and is not attacked once the king has left.
func (p *Position) kingSteps(from, to Square) bool {
	us, them := p.turn, p.turn.Other()
	return kingAttacks[from].has(to) && !(p.sides[us&3] | p.kinds[King]).has(to) &&
		p.attackers(to, them, p.occupied()&^bit(from)) == 0
}
