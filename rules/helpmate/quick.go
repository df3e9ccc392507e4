package helpmate

import (
	"math/bits"
	"slices"

	"boardwatchd/rules/legal"
)

// quick looks for the mate that nearly every position of a real game has: it walks towards the picture of a mate, always on from the
// most promising position, and gives up after a few hundred. It proves nothing when it fails.
//
// Unlike the big search it makes no move to weigh it: a twig is a move that may be played, and becomes a position only when its turn comes.
type quick struct {
	trail
	winner legal.Side
	sketch sketch
	limit  int
	used   int // positions visited, checks tried included

	twigs []twig
	heads [quickBuckets]uint32 // by estimate: the twig that was put there last
	low   int                  // no bucket below it holds a twig
	seen  visits

	list, replies legal.MoveList
	mate          []legal.Move // the way to it
}

// quickShares is how many positions each sketch of a question may visit. On real games the mean is some 50, checks tried included.
// Mates by two minor men take more, and positions with them alone are cheap.
var (
	quickShares = [...]int{100, 100, 200, 400, 800}
	minorShares = [...]int{100, 100, 400, 1500}
)

const quickBuckets = 1 << 9

// maxSetback: a move that loses more is not even kept. It saves a tenth of the time and decides as many questions.
const maxSetback = 3

// lack makes estimates of different needs comparable: a side without heavy men and pawns has a long way to a mate.
var lack = [needs]int{needKings: 0, needMinors: 0, needQueen: 8, needBlocker: 20, needHelper: 30}

// run walks by one sketch after the other; if it mates, the way is in q.mate.
func (q *quick) run(pos *legal.Position, mat material, winner legal.Side, limit int) bool {
	q.winner, q.limit, q.used = winner, 0, 0
	q.sketch.spent = 0
	shares := quickShares[:]
	if mat.need(winner) == needMinors {
		shares = minorShares[:]
	}
	for _, share := range shares {
		q.limit = min(limit, q.limit+share)
		q.start(pos, mat)
		q.sketch.draw(&q.pos, mat, winner)
		q.reset()
		if q.walk() {
			return true
		}
		if q.used >= limit {
			return false
		}
	}
	return false
}

func (q *quick) reset() {
	q.twigs = append(q.twigs[:0], twig{})
	for i := range q.heads {
		q.heads[i] = noTwig
	}
	q.low = quickBuckets
	q.seen.forget()
	q.seen.add(q.pos.Key())
}

func (q *quick) walk() bool {
	for q.used < q.limit {
		if q.expand() {
			return true
		}
		n, ok := q.pop()
		for ok && !q.enter(n) {
			n, ok = q.pop()
		}
		if !ok {
			return false
		}
	}
	return false
}

func (q *quick) pop() (uint32, bool) {
	for q.low < quickBuckets && q.heads[q.low] == noTwig {
		q.low++
	}
	if q.low == quickBuckets {
		return 0, false
	}
	n := q.heads[q.low]
	q.heads[q.low] = q.twigs[n].next
	return n, true
}

// enter makes the twig's position the one at hand; false if it is dead by material, or was visited before.
func (q *quick) enter(n uint32) bool {
	t := &q.twigs[n]
	q.climb(q.twigs, t.parent)
	mat := q.mat.after(t.move, q.pos.Turn())
	if mat != q.mat && mat.barren(q.winner) {
		return false
	}
	q.make(n, t.move, mat)
	return q.seen.add(q.pos.Key())
}

// expand lists the moves of the position at hand, and tells whether it is the mate or one of them mates.
func (q *quick) expand() bool {
	q.used++
	q.pos.Moves(&q.list)
	mover := q.pos.Turn()
	if q.list.Len() == 0 {
		return mover != q.winner && q.pos.InCheck() && q.keep()
	}
	if q.pos.HalfMoves() >= lastHalfMove {
		return false // FIDE Laws 9.6.2
	}
	if mover == q.winner && q.strike() {
		return true
	}
	q.branch(mover)
	return false
}

// branch puts every move of the position at hand where its estimate belongs.
func (q *quick) branch(mover legal.Side) {
	here := q.here()
	parent := q.twigs[here]
	most := int(parent.value) + maxSetback
	base := quickBuckets/2 + int(parent.depth)*q.sketch.haste/4
	need := lack[q.mat.need(q.winner)]
	twigs, low := slices.Grow(q.twigs, q.list.Len()), q.low
	for _, m := range q.list.Slice() {
		value := int(parent.value) + q.sketch.change(&q.pos, m)
		if m.Captured() != legal.NoKind || m.Promotion() != legal.NoKind {
			value += lack[q.mat.after(m, mover).need(q.winner)] - need
		}
		if value > most {
			continue
		}
		bucket := min(max(base+value, 0), quickBuckets-1)
		n := len(twigs)
		twigs = twigs[:n+1]
		twigs[n] = twig{parent: here, next: q.heads[bucket], depth: parent.depth + 1, value: int16(value), move: m}
		q.heads[bucket] = uint32(n)
		low = min(low, bucket)
	}
	q.twigs, q.low = twigs, low
}

// keep writes down the way to the position at hand.
func (q *quick) keep() bool {
	q.mate = q.line(q.mate[:0])
	return true
}

// maxFlights: with more squares for the loser's king no single check mates.
const maxFlights = 5

// strike tries the moves that give check and seem to leave the loser's king no square, and tells whether one mates.
func (q *quick) strike() bool {
	king := q.pos.KingSquare(q.winner.Other())
	occupied := q.pos.Occupied(legal.White) | q.pos.Occupied(legal.Black)
	checks := q.checks(king, occupied)
	flights, known := squares(0), false
	for _, m := range q.list.Slice() {
		kind, to := q.pos.PieceAt(m.From()).Kind(), set(m.To())
		if promotion := m.Promotion(); promotion != legal.NoKind {
			kind = promotion
		}
		if checks[kind&7]&to == 0 {
			continue
		}
		if !known {
			if flights, known = q.flights(king, occupied), true; flights.count() > maxFlights {
				return false
			}
		}
		seen := squares(legal.Reach(kind, m.To(), occupied&^uint64(set(king)|set(m.From()))))
		if kind == legal.Pawn {
			seen = pawnStrikes(to, q.winner)
		}
		if flights&^seen == 0 && q.hit(m) {
			return true
		}
	}
	return false
}

// flights is the squares that are left to the loser's king before the check. It is asked for when there is a check to try.
func (q *quick) flights(king legal.Square, occupied uint64) squares {
	free := around(set(king)) &^ (set(king) | squares(q.pos.Occupied(q.winner.Other())) | around(set(q.pos.KingSquare(q.winner))))
	return free &^ q.attacks(occupied&^uint64(set(king)))
}

// hit plays a check and tells whether it mates.
func (q *quick) hit(m legal.Move) bool {
	q.used++
	q.make(0, m, q.mat)
	q.pos.Moves(&q.replies)
	if q.replies.Len() == 0 && q.pos.InCheck() {
		return q.keep()
	}
	q.unmake()
	return false
}

// checks is by kind where the winner's man gives check to the king.
func (q *quick) checks(king legal.Square, occupied uint64) (from [8]squares) {
	from[legal.Pawn] = pawnStrikes(set(king), q.winner.Other())
	from[legal.Knight] = squares(legal.Reach(legal.Knight, king, occupied))
	from[legal.Bishop] = squares(legal.Reach(legal.Bishop, king, occupied))
	from[legal.Rook] = squares(legal.Reach(legal.Rook, king, occupied))
	from[legal.Queen] = from[legal.Bishop] | from[legal.Rook]
	return from
}

// attacks is every square that the winner's men, the king left out, attack.
func (q *quick) attacks(occupied uint64) squares {
	reach := uint64(pawnStrikes(squares(q.pos.Men(q.winner, legal.Pawn)), q.winner))
	for x := q.pos.Men(q.winner, legal.Knight); x != 0; x &= x - 1 {
		reach |= legal.Reach(legal.Knight, lowest(x), occupied)
	}
	queens := q.pos.Men(q.winner, legal.Queen)
	for x := q.pos.Men(q.winner, legal.Bishop) | queens; x != 0; x &= x - 1 {
		reach |= legal.Reach(legal.Bishop, lowest(x), occupied)
	}
	for x := q.pos.Men(q.winner, legal.Rook) | queens; x != 0; x &= x - 1 {
		reach |= legal.Reach(legal.Rook, lowest(x), occupied)
	}
	return squares(reach)
}

func lowest(x uint64) legal.Square { return legal.Square(bits.OnesCount64((x - 1) &^ x)) }
