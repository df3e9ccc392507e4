package helpmate

import "boardwatchd/rules/legal"

// quiet bounds what play without captures and pawn moves can reach: how many moves each side needs at least until the
// winner mates. In such play the pawns never change, so that they are walls, and all pieces stay on the board.
//
// The bound. Suppose that such moves lead to a mate. A piece of the winner's gives the check, from a square of which
// only pawns could bar the way. Each square beside the mated king is denied to it, and each is one of these: a pawn of
// its own stands there; a pawn of the winner's attacks it, or another piece might from anywhere; the winner's king
// stands beside it; a piece of the loser's stands there, on each square another one. So the loser has made as many moves
// as its king needs to that square and those pieces to theirs, and the winner as many as its king and the checking piece
// need. The moves of each are counted as if there were nothing but pawns on the board, which is never too many.
//
// It is used only where no capture or pawn move can come before a mate: no pawn can step, and after every capture that
// quiet play leads to, the winner can never mate (captures).
type quiet struct {
	winner   legal.Side
	pawns    squares
	routes   [8]routes // by kind; loserRoutes are those of the loser's king
	pictures []picturedMate

	// The position at hand.
	helpers [32]helperAt // the loser's pieces
	count   int
}

// routes are the squares that a piece can come to from each square, by number of moves.
type routes [64][maxQuietMoves + 1]squares

const (
	loserRoutes = legal.King + 1

	// maxQuietMoves is enough from a half-move counter of 100 on, where each side has 25 moves.
	maxQuietMoves = 25

	// maxFilled is how many squares beside the king are asked to be filled. Others are believed to be.
	maxFilled = 4
)

// A picturedMate is a square on which the loser's king may be mated.
type picturedMate struct {
	king   squares
	checks [8]squares // by kind: where a piece gives check from
	ways   []denial
}

// A denial is one way to take all squares from the king that only a king or its own pieces can take: the winner's king
// stands on one of some squares, and pieces of the loser's on all of others.
type denial struct{ king, filled squares }

type helperAt struct {
	kind legal.Kind
	at   legal.Square
}

// survey looks at the root; false if the bound must not be used. The board is for its own use.
func (q *quiet) survey(b *mobility, pos *legal.Position, mat material, winner legal.Side) bool {
	return q.draw(b, pos, winner) && q.captures(b, mat)
}

// draw lists the mates; false if castling or a pawn's step is possible.
func (q *quiet) draw(b *mobility, pos *legal.Position, winner legal.Side) bool {
	white, black := squares(pos.Pieces(legal.White, legal.Pawn)), squares(pos.Pieces(legal.Black, legal.Pawn))
	q.winner, q.pawns, q.pictures = winner, white|black, q.pictures[:0]
	steps := (pawnSteps(white, legal.White) | pawnSteps(black, legal.Black)) &^ q.pawns
	if pos.Castling() != 0 || pos.EnPassant() != legal.NoSquare || steps != 0 {
		return false
	}
	b.set(pos, winner)
	for i := range b.pieces[:b.count] {
		if m := &b.pieces[i]; m.kind != legal.Pawn {
			shut := q.pawns
			if m.kind == legal.King {
				shut |= pawnStrikes(squares(pos.Pieces(m.side.Other(), legal.Pawn)), m.side.Other())
			}
			m.reach = m.reachFrom(m.home, q.pawns, shut)
			q.fill(m, shut)
		}
	}
	b.freeze()
	h := b.hunt()
	for x := h.kingOfLoser & h.attacked; x != 0; x &= x - 1 {
		if b.checkmated(&h, x&-x) {
			q.picture(b, &h, x&-x)
		}
	}
	return true
}

// routesOf is which routes a piece has.
func (q *quiet) routesOf(kind legal.Kind, side legal.Side) *routes {
	if kind == legal.King && side != q.winner {
		kind = loserRoutes
	}
	return &q.routes[kind&7]
}

// fill works out the routes of a piece; those of its kind are the same.
func (q *quiet) fill(m *piece, shut squares) {
	r := q.routesOf(m.kind, m.side)
	for from := range r {
		reach := squares(1) << from
		for n := range r[from] {
			r[from][n] = reach
			reach |= m.strikes(reach, ^q.pawns) &^ shut
		}
	}
}

// moves is how many moves there are at least from a square to the nearest one of a set.
func (r *routes) moves(from legal.Square, to squares) int {
	row := &r[from&63]
	for n := range row {
		if row[n]&to != 0 {
			return n
		}
	}
	return len(row)
}

// picture adds the mates on one square, if there are any.
func (q *quiet) picture(b *mobility, h *hunt, square squares) {
	p := picturedMate{king: square}
	for kind := legal.Knight; kind < legal.King; kind++ {
		m := piece{kind: kind}
		p.checks[kind] = m.strikes(square, ^q.pawns) &^ q.pawns
	}
	free := beside(square) &^ h.attacked
	for i := firstPiece; i < b.count; i++ {
		if m := &b.pieces[i]; m.kind == legal.Pawn && m.side != q.winner {
			free &^= m.home
		}
	}
	if p.deny(b, ^squares(0), free); free != 0 {
		for x := h.king &^ around(square); x != 0; x &= x - 1 {
			if left := free &^ around(x&-x); left != free {
				p.deny(b, x&-x, left)
			}
		}
	}
	if len(p.ways) > 0 {
		q.pictures = append(q.pictures, p)
	}
}

// deny adds a way, if pieces of the loser's can come to the squares.
func (p *picturedMate) deny(b *mobility, king, filled squares) {
	if !b.filled(filled) {
		return
	}
	for filled.count() > maxFilled {
		filled &= filled - 1
	}
	for i := range p.ways {
		if w := &p.ways[i]; w.filled == filled {
			w.king |= king
			return
		}
	}
	p.ways = append(p.ways, denial{king, filled})
}

// captures tells whether the winner can never mate after any capture that quiet play leads to: before it each piece
// stands where quiet play may bring it, and from there on the facts grow as in a proof by cases (split.go).
func (q *quiet) captures(b *mobility, mat material) bool {
	for i := firstPiece; i < b.count; i++ {
		victim := &b.pieces[i]
		if (mat - unit(victim.side, victim.kind, victim.home.first())).barren(q.winner) {
			continue
		}
		next, taken := *b, false
		for j := range next.pieces[:next.count] {
			m := &next.pieces[j]
			if m.side != victim.side.Other() {
				continue
			}
			if takes := b.strikesAt(&b.pieces[j], victim.reach); takes != 0 {
				m.reach |= takes
				m.takes |= takes
				taken = true
			}
		}
		if !taken {
			continue
		}
		next.remove(i)
		next.spare, next.held = next.lastPiece(), true
		if left := maxCases; !next.cases(&left) {
			return false
		}
	}
	return true
}

// mayMate tells whether quiet play might mate before the draw by 9.6.2.
func (q *quiet) mayMate(pos *legal.Position) bool {
	loser, left := q.winner.Other(), lastHalfMove-pos.HalfMoves()
	own, other := (left+1)/2, (left+1)/2-1
	if pos.Turn() == loser {
		own, other = left/2, left/2
	}
	q.gather(pos)
	for i := range q.pictures {
		p := &q.pictures[i]
		rest := other - q.routesOf(legal.King, loser).moves(pos.KingSquare(loser), p.king)
		if rest < 0 {
			continue
		}
		free := own - q.toCheck(pos, p)
		for j := range p.ways {
			w := &p.ways[j]
			if q.routesOf(legal.King, q.winner).moves(pos.KingSquare(q.winner), w.king) <= free && q.filled(w.filled, rest, 0) {
				return true
			}
		}
	}
	return false
}

// gather notes where the loser's pieces stand.
func (q *quiet) gather(pos *legal.Position) {
	q.count = 0
	for kind := legal.Knight; kind < legal.King; kind++ {
		for x := squares(pos.Pieces(q.winner.Other(), kind)); x != 0; x &= x - 1 {
			q.helpers[q.count] = helperAt{kind, x.first()}
			q.count++
		}
	}
}

// toCheck is how many moves some piece of the winner's needs to a square that gives the check.
func (q *quiet) toCheck(pos *legal.Position, p *picturedMate) int {
	least := maxQuietMoves + 1
	for kind := legal.Knight; kind < legal.King; kind++ {
		for x := squares(pos.Pieces(q.winner, kind)); x != 0; x &= x - 1 {
			least = min(least, q.routes[kind].moves(x.first(), p.checks[kind]))
		}
	}
	return least
}

// filled tells whether different pieces of the loser's can come to all the squares with that many moves in all.
func (q *quiet) filled(open squares, moves int, used uint32) bool {
	if open == 0 {
		return true
	}
	for i := range q.helpers[:q.count] {
		if used>>i&1 != 0 {
			continue
		}
		h := &q.helpers[i]
		if n := q.routes[h.kind&7].moves(h.at, open&-open); n <= moves && q.filled(open&(open-1), moves-n, used|1<<i) {
			return true
		}
	}
	return false
}
