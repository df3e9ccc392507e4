package helpmate

import "boardwatchd/rules/legal"

// quiet bounds the reach of play without captures and pawn moves: the least number of moves that each side needs until
// the winner mates. In such play the pawns never change, so that they are walls, and all pieces stay on the board.
//
// The bound. Suppose that such moves lead to a mate. One of the winner's pieces gives the check, from a square from
// which only pawns could block it. Each square beside the mated king is denied to it in one of these ways: a pawn of
// its own occupies it; a pawn of the winner attacks it, or another piece might from anywhere; the winner's king is
// beside it; a piece of the loser occupies it, a different one on each square. So the loser has made as many moves as
// its king and those pieces need to their squares, and the winner as many as its king and the checking piece need. The
// moves of each are counted as if only pawns were on the board, which is never too many.
//
// It is used only if no capture or pawn move can come before a mate: no pawn can step, and after every capture that
// quiet play leads to, the winner can never mate (captures).
type quiet struct {
	winner   legal.Side
	pawns    squares
	routes   [8]routes // by kind; loserRoutes are those of the loser's king
	pictures []picturedMate

	// The current position.
	helpers [32]helperAt // the loser's pieces
	count   int
}

// routes are the squares that a piece can come to from each square, by number of moves.
type routes [64][maxQuietMoves + 1]squares

const (
	loserRoutes = legal.King + 1

	// maxQuietMoves is enough from a half-move counter of 100 on, where each side has 25 moves.
	maxQuietMoves = 25

	// maxFilled is the number of squares beside the king that are checked for a piece; further ones are assumed to be
	// filled.
	maxFilled = 4
)

// A picturedMate is a square on which the loser's king may be mated.
type picturedMate struct {
	king   squares
	checks [8]squares // by kind: where a piece gives check from
	ways   []denial
}

// A denial is one way to deny the king all squares that only a king or its own pieces can deny: the winner's king is on
// one of some squares, and pieces of the loser are on all of others.
type denial struct{ king, filled squares }

type helperAt struct {
	kind legal.Kind
	at   legal.Square
}

// survey examines the root; it returns false if the bound must not be used. The board is scratch space.
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
	h := b.mateReach()
	for x := h.kingOfLoser & h.attacked; x != 0; x &= x - 1 {
		if b.checkmated(&h, x&-x) {
			q.picture(b, &h, x&-x)
		}
	}
	return true
}

// routesOf returns the routes of a piece.
func (q *quiet) routesOf(kind legal.Kind, side legal.Side) *routes {
	if kind == legal.King && side != q.winner {
		kind = loserRoutes
	}
	return &q.routes[kind&7]
}

// fill computes the routes of a piece; they are the same for every piece of its kind.
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

// moves is the least number of moves from a square to the nearest one of a set.
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
func (q *quiet) picture(b *mobility, h *mateReach, square squares) {
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

// deny adds a denial, if pieces of the loser can reach the squares.
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

// captures reports whether the winner can never mate after any capture that quiet play leads to. Before the capture
// each piece is on a square that quiet play allows; after it the facts grow as in a proof by cases (split.go).
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

// mayMate reports whether quiet play might mate before the draw by 9.6.2.
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

// toCheck is the number of moves that some piece of the winner needs to a square that gives the check.
func (q *quiet) toCheck(pos *legal.Position, p *picturedMate) int {
	least := maxQuietMoves + 1
	for kind := legal.Knight; kind < legal.King; kind++ {
		for x := squares(pos.Pieces(q.winner, kind)); x != 0; x &= x - 1 {
			least = min(least, q.routes[kind].moves(x.first(), p.checks[kind]))
		}
	}
	return least
}

// filled reports whether different pieces of the loser can reach all the squares with that number of moves in total.
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
