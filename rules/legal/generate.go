package legal

// view holds facts that the generator computes once per node, so that it lists only legal moves: the checkers, the
// pinned pieces, and the squares where a move may end.
type view struct {
	us, them    Side
	king        Square
	own, enemy  bitboard
	occupied    bitboard
	checkers    bitboard
	pinned      bitboard
	rooksQueens bitboard // the opponent's
	bishQueens  bitboard // the opponent's
	// allowed holds the targets of all pieces other than the king: not their own pieces or the opponent's king, and in
	// check only squares between king and checker, or the checker's.
	allowed bitboard
}

func (p *Position) look(v *view) {
	us := p.turn & 3
	them := (us ^ 3) & 3
	own, enemy := p.sides[us], p.sides[them]
	occupied := own | enemy
	king := (p.kinds[King] & own).first() & 63
	queens := p.kinds[Queen]
	v.us, v.them, v.king = us, them, king
	v.own, v.enemy, v.occupied = own, enemy, occupied
	v.rooksQueens = (p.kinds[Rook] | queens) & enemy
	v.bishQueens = (p.kinds[Bishop] | queens) & enemy

	// An adjacent king counts as a checker so that the same code serves Standing positions.
	checkers := enemy & (knightAttacks[king]&p.kinds[Knight] | pawnAttacks[us][king]&p.kinds[Pawn] | kingAttacks[king]&p.kinds[King])
	pinned := bitboard(0)
	row := &between[king]
	for lurkers := rookRays[king]&v.rooksQueens | bishopRays[king]&v.bishQueens; lurkers != 0; lurkers &= lurkers - 1 {
		lurker := lurkers.first()
		switch inTheWay := row[lurker&63] & occupied; {
		case inTheWay == 0:
			checkers |= bit(lurker)
		case !inTheWay.several():
			pinned |= inTheWay
		}
	}
	v.checkers, v.pinned = checkers, pinned&own
	allowed := ^(own | p.kinds[King])
	if checkers != 0 {
		if checkers.several() {
			allowed = 0
		} else {
			allowed &= row[checkers.first()&63] | checkers
		}
	}
	v.allowed = allowed
}

// Moves fills the list with the legal moves, without allocating. Their order is fixed but has no meaning.
func (p *Position) Moves(l *MoveList) {
	l.n = 0
	var v view
	p.look(&v)
	l.add(p, v.king, p.kingTargets(&v, ^bitboard(0)))
	if v.checkers.several() {
		return // FIDE Laws 3.9.2: only the king can answer a double check
	}
	if v.checkers == 0 && p.rights&rightBits(v.us) != 0 {
		p.addCastling(l, &v)
	}
	p.addPieces(l, &v, v.allowed)
	p.addPawns(l, &v)
	if p.ep != NoSquare {
		p.addEnPassant(l, &v)
	}
}

// Captures fills the list with those legal moves that capture or promote.
func (p *Position) Captures(l *MoveList) {
	l.n = 0
	var v view
	p.look(&v)
	l.add(p, v.king, p.kingTargets(&v, v.enemy))
	if v.checkers.several() {
		return
	}
	p.addPieces(l, &v, v.allowed&v.enemy)
	v.allowed &= v.enemy | rank1BB | rank8BB
	p.addPawns(l, &v)
	if p.ep != NoSquare {
		p.addEnPassant(l, &v)
	}
}

// add lists one piece's moves.
func (l *MoveList) add(p *Position, from Square, targets bitboard) {
	n := l.n
	for ; targets != 0 && n < MaxMoves; targets &= targets - 1 {
		to := targets.first()
		l.m[n] = newMove(from, to) | Move(p.board[to&63]&7)<<moveCapturedShift
		n++
	}
	l.n = n
}

func (l *MoveList) push(m Move) {
	if l.n < MaxMoves {
		l.m[l.n] = m
		l.n++
	}
}

// kingTargets returns those of the squares that are beside the king and not attacked once it has left.
func (p *Position) kingTargets(v *view, among bitboard) bitboard {
	targets := kingAttacks[v.king] & among &^ (v.own | p.kinds[King])
	targets &^= p.pawnsAttack(v.them)
	targets &^= kingAttacks[(p.kinds[King]&v.enemy).first()&63]
	if targets == 0 {
		return 0
	}
	return targets &^ p.attackedAmong(targets, v, v.occupied&^bit(v.king))
}

// attackedAmong returns those of the squares that the opponent's pieces (not pawns, not the king) attack. To test first
// whether a piece can attack in that direction at all is slower than looking everything up.
func (p *Position) attackedAmong(squares bitboard, v *view, occupied bitboard) (hit bitboard) {
	for knights := p.kinds[Knight] & v.enemy; knights != 0; knights &= knights - 1 {
		hit |= knightAttacks[knights.first()&63]
	}
	for b := v.rooksQueens; b != 0; b &= b - 1 {
		hit |= rookAttacks(b.first(), occupied)
	}
	for b := v.bishQueens; b != 0; b &= b - 1 {
		hit |= bishopAttacks(b.first(), occupied)
	}
	return hit & squares
}

// pawnsAttack returns every square that the side's pawns attack.
func (p *Position) pawnsAttack(s Side) bitboard {
	pawns := p.kinds[Pawn] & p.sides[s&3]
	if s == White {
		return pawns&^fileABB<<7 | pawns&^fileHBB<<9
	}
	return pawns&^fileHBB>>7 | pawns&^fileABB>>9
}

// addPieces adds the moves of knights, bishops, rooks and queens to the squares; a pinned piece stays on the line
// through the king.
func (p *Position) addPieces(l *MoveList, v *view, among bitboard) {
	own := v.own
	for b := p.kinds[Knight] & own &^ v.pinned; b != 0; b &= b - 1 { // a pinned knight has no move
		from := b.first() & 63
		l.add(p, from, knightAttacks[from]&among)
	}
	queens := p.kinds[Queen]
	for b := (p.kinds[Bishop] | queens) & own; b != 0; b &= b - 1 {
		from := b.first() & 63
		targets := bishopAttacks(from, v.occupied) & among
		if b&-b&v.pinned != 0 {
			targets &= line[v.king][from]
		}
		l.add(p, from, targets)
	}
	for b := (p.kinds[Rook] | queens) & own; b != 0; b &= b - 1 {
		from := b.first() & 63
		targets := rookAttacks(from, v.occupied) & among
		if b&-b&v.pinned != 0 {
			targets &= line[v.king][from]
		}
		l.add(p, from, targets)
	}
}

// pawnTargets holds the targets of a set of pawns, by kind of step.
type pawnTargets struct {
	one, two, east, west bitboard // east: towards the h-file
}

func (p *Position) pawnMoves(v *view, pawns bitboard) (t pawnTargets) {
	empty := ^v.occupied
	prey := v.enemy & v.allowed
	if v.us == White {
		one := pawns << 8 & empty
		t.two = (one & rank3BB) << 8 & empty & v.allowed
		t.one = one & v.allowed
		t.east = pawns &^ fileHBB << 9 & prey
		t.west = pawns &^ fileABB << 7 & prey
		return t
	}
	one := pawns >> 8 & empty
	t.two = (one & rank6BB) >> 8 & empty & v.allowed
	t.one = one & v.allowed
	t.east = pawns &^ fileHBB >> 7 & prey
	t.west = pawns &^ fileABB >> 9 & prey
	return t
}

func (t *pawnTargets) keep(mask bitboard) {
	t.one &= mask
	t.two &= mask
	t.east &= mask
	t.west &= mask
}

func (p *Position) addPawns(l *MoveList, v *view) {
	pawns := p.kinds[Pawn] & v.own
	t := p.pawnMoves(v, pawns&^v.pinned)
	p.listPawns(l, v.us, &t)
	for b := pawns & v.pinned; b != 0; b &= b - 1 {
		t := p.pawnMoves(v, b&-b)
		t.keep(line[v.king][b.first()&63])
		p.listPawns(l, v.us, &t)
	}
}

func (p *Position) listPawns(l *MoveList, us Side, t *pawnTargets) {
	up := us.forward()
	p.listPawnWay(l, t.one, up)
	for b := t.two; b != 0; b &= b - 1 {
		to := b.first()
		l.push(newMove(Square(int(to)-2*up), to) | moveDoubleStep)
	}
	p.listPawnWay(l, t.east, up+1)
	p.listPawnWay(l, t.west, up-1)
}

// listPawnWay lists moves that all go the same way; on the last rank each target gives four moves (FIDE Laws 3.7.3.3).
func (p *Position) listPawnWay(l *MoveList, targets bitboard, step int) {
	for b := targets &^ (rank1BB | rank8BB); b != 0; b &= b - 1 {
		to := b.first()
		l.push(newMove(Square(int(to)-step), to) | Move(p.board[to&63]&7)<<moveCapturedShift)
	}
	for b := targets & (rank1BB | rank8BB); b != 0; b &= b - 1 {
		to := b.first()
		m := newMove(Square(int(to)-step), to) | Move(p.board[to&63]&7)<<moveCapturedShift
		l.push(m.promotingTo(Queen))
		l.push(m.promotingTo(Rook))
		l.push(m.promotingTo(Bishop))
		l.push(m.promotingTo(Knight))
	}
}

func (p *Position) addEnPassant(l *MoveList, v *view) {
	for b := pawnAttacks[v.them][p.ep&63] & p.kinds[Pawn] & v.own; b != 0; b &= b - 1 {
		if from := b.first(); p.enPassantSafe(from, p.ep) {
			l.push(newMove(from, p.ep).capturing(Pawn) | moveEnPassant)
		}
	}
}

// enPassantSafe makes the capture on the occupied squares alone: it empties two squares at once, which pins and the
// check mask cannot express.
func (p *Position) enPassantSafe(from, target Square) bool {
	us := p.turn & 3
	them := us ^ 3
	victim := bit(from&^7 | target&7)
	king := (p.kinds[King] & p.sides[us]).first()
	occupied := p.occupied()&^(bit(from)|victim) | bit(target)
	return p.attackers(king, them, occupied)&^victim == 0
}

// addCastling is called out of check only.
func (p *Position) addCastling(l *MoveList, v *view) {
	for i := 2 * int(v.us-White); i < 2*int(v.us-White)+2; i++ {
		if p.rights>>i&1 == 0 {
			continue
		}
		rook := p.rooks[i&3]
		if m := newCastling(v.king, castlingTarget(v.us, i&1 == 0), rook); p.castlingFree(v, m) {
			l.push(m)
		}
	}
}

// castlingTarget returns the king's square after castling: the g-file towards the h-file, else the c-file.
func castlingTarget(s Side, kingside bool) Square {
	if kingside {
		return SquareOf(fileG, s.homeRank())
	}
	return SquareOf(fileC, s.homeRank())
}

// castlingFree applies FIDE Laws 3.8.2.2 and Guidelines II.3 (Chess960). All squares that king and rook cross or reach
// are empty but for those two, and the king never stands on an attacked square. In Chess960 the rook may have shielded
// its king from a piece further out, so the last square is examined as it will be after the move.
func (p *Position) castlingFree(v *view, m Move) bool {
	king, rook, kingTo, rookTo := v.king, m.RookFrom(), m.To(), m.RookTo()
	others := v.occupied &^ (bit(king) | bit(rook))
	path := between[king][kingTo&63] | bit(kingTo)
	if (path|between[rook&63][rookTo&63]|bit(rookTo))&others != 0 {
		return false
	}
	for b := path &^ bit(king); b != 0; b &= b - 1 {
		if p.attackers(b.first(), v.them, v.occupied&^bit(king)) != 0 {
			return false
		}
	}
	return p.attackers(kingTo, v.them, others|bit(kingTo)|bit(rookTo)) == 0
}
