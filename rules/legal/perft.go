package legal

// Perft counts the games of exactly depth half-moves, the usual proof of a move generator. The last
// half-move is counted, not played.
func (p *Position) Perft(depth int) uint64 {
	if depth <= 0 {
		return 1
	}
	q := *p
	return q.perft(depth)
}

func (p *Position) perft(depth int) uint64 {
	if depth == 1 {
		return uint64(p.countMoves())
	}
	var l MoveList
	var u Undo
	p.Moves(&l)
	nodes := uint64(0)
	for _, m := range l.Slice() {
		p.Make(m, &u)
		nodes += p.perft(depth - 1)
		p.Unmake(m, &u)
	}
	return nodes
}

// countMoves returns the number of legal moves without listing them. It must agree with Moves: checkGenerator in the
// tests compares them, and so does the fuzz target FuzzMovesAgainstPredicate.
func (p *Position) countMoves() int {
	var v view
	p.look(&v)
	n := p.kingTargets(&v, ^bitboard(0)).count()
	if v.checkers.several() {
		return n
	}
	if v.checkers == 0 && p.rights&rightBits(v.us) != 0 {
		n += p.countCastling(&v)
	}
	n += p.countPieces(&v) + p.countPawns(&v)
	if p.ep != NoSquare {
		for b := pawnAttacks[v.them&3][p.ep&63] & p.kinds[Pawn] & v.own; b != 0; b &= b - 1 {
			if p.enPassantSafe(b.first(), p.ep) {
				n++
			}
		}
	}
	return n
}

func (p *Position) countCastling(v *view) (n int) {
	for i := 2 * int(v.us-White); i < 2*int(v.us-White)+2; i++ {
		if p.rights>>i&1 != 0 && p.castlingFree(v, newCastling(v.king, castlingTarget(v.us, i&1 == 0), p.rooks[i&3])) {
			n++
		}
	}
	return n
}

func (p *Position) countPieces(v *view) (n int) {
	for b := p.kinds[Knight] & v.own &^ v.pinned; b != 0; b &= b - 1 {
		n += (knightAttacks[b.first()&63] & v.allowed).count()
	}
	bishops := (p.kinds[Bishop] | p.kinds[Queen]) & v.own
	rooks := (p.kinds[Rook] | p.kinds[Queen]) & v.own
	for b := bishops &^ v.pinned; b != 0; b &= b - 1 {
		n += (bishopAttacks(b.first(), v.occupied) & v.allowed).count()
	}
	for b := rooks &^ v.pinned; b != 0; b &= b - 1 {
		n += (rookAttacks(b.first(), v.occupied) & v.allowed).count()
	}
	for b := bishops & v.pinned; b != 0; b &= b - 1 {
		s := b.first()
		n += (bishopAttacks(s, v.occupied) & v.allowed & line[v.king&63][s&63]).count()
	}
	for b := rooks & v.pinned; b != 0; b &= b - 1 {
		s := b.first()
		n += (rookAttacks(s, v.occupied) & v.allowed & line[v.king&63][s&63]).count()
	}
	return n
}

func (p *Position) countPawns(v *view) int {
	pawns := p.kinds[Pawn] & v.own
	t := p.pawnMoves(v, pawns&^v.pinned)
	n := t.count()
	for b := pawns & v.pinned; b != 0; b &= b - 1 {
		t := p.pawnMoves(v, b&-b)
		t.keep(line[v.king&63][b.first()&63])
		n += t.count()
	}
	return n
}

func (t *pawnTargets) count() int {
	const last = rank1BB | rank8BB
	n := t.one.count() + t.two.count() + t.east.count() + t.west.count()
	if promotions := (t.one | t.east | t.west) & last; promotions != 0 {
		n += 3 * ((t.one & last).count() + (t.east & last).count() + (t.west & last).count())
	}
	return n
}
