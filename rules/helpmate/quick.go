package helpmate

import (
	"math/bits"
	"slices"

	"boardwatchd/rules/legal"
)

// quick looks for the mate that nearly every position of a real game has: it walks towards the picture of a mate,
// always on from the most promising position, and gives up after a few hundred. It proves nothing when it fails.
//
// Unlike the big search it makes no move to weigh it: a twig is a move that may be played, and becomes a position only
// when its turn comes.
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
	better        [64]legal.Move
	mate          []legal.Move // the way to it
}

// quickShares is how many positions each sketch of a question may visit. On real games the mean is some 50, checks
// tried included. Mates by two minor pieces take more, and positions with them alone are cheap.
var (
	quickShares = [...]int{100, 100, 200, 400, 800}
	minorShares = [...]int{100, 100, 400, 1500}
)

const quickBuckets = 1 << 9

// maxSetback: a move that loses more is not even kept. It saves a tenth of the time and decides as many questions.
const maxSetback = 3

// lack makes estimates of different needs comparable: a side without heavy pieces and pawns has a long way to a mate.
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
	if t.move == legal.NoMove {
		q.unfold(n)
		return false
	}
	q.climb(q.twigs, t.parent)
	mat := q.mat.after(t.move, q.pos.Turn())
	if mat != q.mat && mat.barren(q.winner) {
		return false
	}
	q.make(n, t.move, mat)
	return q.seen.add(q.pos.Key())
}

// expand goes on from the position at hand, and tells whether it is the mate or one of its moves mates. It lists the
// moves only where neither a step of the king comes nearer nor the loser can wait: that is so in a minority of
// positions.
func (q *quick) expand() bool {
	q.used++
	mover := q.pos.Turn()
	if q.pos.HalfMoves() < lastHalfMove { // FIDE Laws 9.6.2
		switch {
		case mover == q.winner && q.strike():
			return true
		case q.stride(mover), mover != q.winner && q.wait(mover):
			return false
		}
	}
	q.pos.Moves(&q.list)
	if q.list.Len() == 0 {
		return mover != q.winner && q.pos.InCheck() && q.keep()
	}
	if q.pos.HalfMoves() < lastHalfMove {
		q.branch(mover)
	}
	return false
}

// branch puts the moves of the position at hand that come nearer to the picture where their estimate belongs, or one of
// the best if none does. The others wait as one twig, the rest of the position: most walks never come back for it.
func (q *quick) branch(mover legal.Side) {
	best, least, here := legal.NoMove, maxSetback+1, q.here()
	better, rows := q.better[:0], &q.sketch.rows
	for _, m := range q.list.Slice() {
		from, to := m.From()&63, m.To()&63
		row := &rows[q.pos.PieceAt(from)&15]
		change := int(row[to]) - int(row[from])
		if m.Captured() != legal.NoKind || m.Promotion() != legal.NoKind {
			change = q.weigh(m, mover)
		}
		if change > least {
			continue
		}
		if best, least = m, change; change < 0 {
			better = append(better, m)
		}
	}
	if least > maxSetback {
		q.branchAll(here, mover)
		return
	}
	q.put(here, legal.NoMove, max(least, 0))
	if least >= 0 {
		q.put(here, best, least)
		return
	}
	for _, m := range better {
		q.put(here, m, q.weigh(m, mover))
	}
}

// branchAll puts every move of the position at hand. All of them lose ground: mostly the loser must take a piece that
// the picture counts on.
func (q *quick) branchAll(here uint32, mover legal.Side) {
	for _, m := range q.list.Slice() {
		q.put(here, m, q.weigh(m, mover))
	}
}

// wait puts a quiet move of the loser, where its king comes nearer to nothing: any move that does not go back will do.
// The piece is not pinned and gives no check. Where pieces or pawns of the loser are of use all moves are weighed.
func (q *quick) wait(mover legal.Side) bool {
	if q.sketch.helped || q.pos.InCheck() {
		return false
	}
	king := q.pos.KingSquare(mover)
	all := q.pos.Occupied(legal.White) | q.pos.Occupied(legal.Black)
	free := ^legal.Reach(legal.Queen, king, all)
	if to := pawnSteps(squares(q.pos.Pieces(mover, legal.Pawn)&free), mover) &^ (squares(all) | rank1 | rank8); to != 0 {
		at := to.first()
		q.putQuiet(pawnSteps(set(at), mover.Other()).first(), at, 0)
		return true
	}
	other := q.pos.KingSquare(q.winner)
	for kind := legal.Knight; kind < legal.King; kind++ {
		for x := q.pos.Pieces(mover, kind) & free; x != 0; x &= x - 1 {
			from := lowest(x)
			if to := legal.Reach(kind, from, all) &^ (all | legal.Reach(kind, other, all)); to != 0 {
				q.putQuiet(from, lowest(to), 0)
				return true
			}
		}
	}
	return false
}

// putQuiet puts a move that captures nothing, and the rest of the position behind it.
func (q *quick) putQuiet(from, to legal.Square, change int) {
	here := q.here()
	q.put(here, legal.NoMove, 0)
	q.put(here, q.pos.Between(from, to, legal.NoKind), change)
}

// stride puts a step of the king that comes nearer, without listing what else there is: most moves of a walk are such
// steps.
func (q *quick) stride(mover legal.Side) bool {
	king := q.pos.KingSquare(mover)
	row := &q.sketch.rows[legal.PieceOf(mover, legal.King)&15]
	best, change := legal.NoSquare, 0
	occupied := squares(q.pos.Occupied(legal.White) | q.pos.Occupied(legal.Black))
	for x := around(set(king)) &^ occupied; x != 0; x &= x - 1 {
		if to := x.first(); int(row[to&63])-int(row[king&63]) < change && !q.pos.Attacked(to, mover.Other()) {
			best, change = to, int(row[to&63])-int(row[king&63])
		}
	}
	if best == legal.NoSquare || q.pos.InCheck() {
		return false // in check, the square behind the king is attacked as well
	}
	q.putQuiet(king, best, change)
	return true
}

// unfold puts the rest of a position in its places.
func (q *quick) unfold(n uint32) {
	parent := q.twigs[n].parent
	q.climb(q.twigs, parent)
	q.pos.Moves(&q.list)
	mover := q.pos.Turn()
	q.twigs = slices.Grow(q.twigs, q.list.Len())
	for _, m := range q.list.Slice() {
		if change := q.weigh(m, mover); change <= maxSetback {
			q.put(parent, m, change)
		}
	}
}

// weigh is how much farther the move leads from the picture.
func (q *quick) weigh(m legal.Move, mover legal.Side) int {
	if m.Captured() == legal.NoKind && m.Promotion() == legal.NoKind {
		row := &q.sketch.rows[q.pos.PieceAt(m.From())&15]
		return int(row[m.To()&63]) - int(row[m.From()&63])
	}
	return q.sketch.change(&q.pos, m) + lack[q.mat.after(m, mover).need(q.winner)] - lack[q.mat.need(q.winner)]
}

func (q *quick) put(parent uint32, m legal.Move, change int) {
	from := &q.twigs[parent]
	value := int(from.value) + change
	bucket := min(max(quickBuckets/2+int(from.depth)*q.sketch.haste/4+value, 0), quickBuckets-1)
	n := len(q.twigs)
	q.twigs = append(q.twigs, twig{parent: parent, next: q.heads[bucket], depth: from.depth + 1, value: int16(value), move: m})
	q.heads[bucket] = uint32(n)
	q.low = min(q.low, bucket)
}

// keep writes down the way to the position at hand.
func (q *quick) keep() bool {
	q.mate = q.line(q.mate[:0])
	return true
}

// maxFlights: with more squares for the loser's king no single check mates.
const maxFlights = 5

// strike tries the moves that give check and seem to leave the loser's king no square, and tells whether one mates. The
// checking piece is the one that moves.
func (q *quick) strike() bool {
	king := q.pos.KingSquare(q.winner.Other())
	occupied := q.pos.Occupied(legal.White) | q.pos.Occupied(legal.Black)
	flights := q.flights(king, occupied)
	if flights.count() > maxFlights {
		return false
	}
	own := squares(q.pos.Occupied(q.winner))
	checks := q.checks(king, occupied)
	for kind := legal.Knight; kind < legal.King; kind++ {
		for x := q.pos.Pieces(q.winner, kind); x != 0; x &= x - 1 {
			from := lowest(x)
			for to := squares(legal.Reach(kind, from, occupied)) & checks[kind&7] &^ own; to != 0; to &= to - 1 {
				seen := squares(legal.Reach(kind, to.first(), occupied&^uint64(set(king)|set(from))))
				if flights&^seen == 0 && q.hit(q.pos.Between(from, to.first(), legal.NoKind)) {
					return true
				}
			}
		}
	}
	return q.strikeWithPawn(king, occupied, flights, &checks)
}

// strikeWithPawn tries the checks of pawns that step or capture, and of the pieces that they promote to.
func (q *quick) strikeWithPawn(king legal.Square, occupied uint64, flights squares, checks *[8]squares) bool {
	const ends = rank1 | rank8
	open, other := ^squares(occupied), squares(q.pos.Occupied(q.winner.Other()))
	on := checks[legal.Pawn]&^ends | (checks[legal.Queen]|checks[legal.Knight])&ends
	for x := squares(q.pos.Pieces(q.winner, legal.Pawn)); x != 0; x &= x - 1 {
		from := x & -x
		step := pawnSteps(from, q.winner) & open
		if from&(rank1<<8|rank8>>8) != 0 {
			step |= pawnSteps(step, q.winner) & open &^ ends
		}
		for to := (step | pawnStrikes(from, q.winner)&other) & on; to != 0; to &= to - 1 {
			if q.pawnMates(king, from.first(), to.first(), occupied, flights, checks) {
				return true
			}
		}
	}
	return false
}

func (q *quick) pawnMates(king, from, to legal.Square, occupied uint64, flights squares, checks *[8]squares) bool {
	if to.Rank() != 0 && to.Rank() != 7 {
		return flights&^pawnStrikes(set(to), q.winner) == 0 && q.hit(q.pos.Between(from, to, legal.NoKind))
	}
	for kind := legal.Queen; kind >= legal.Knight; kind-- {
		if checks[kind&7]&set(to) == 0 {
			continue
		}
		seen := squares(legal.Reach(kind, to, occupied&^uint64(set(king)|set(from))))
		if flights&^seen == 0 && q.hit(q.pos.Between(from, to, kind)) {
			return true
		}
	}
	return false
}

// flights is the squares that are left to the loser's king before the check.
func (q *quick) flights(king legal.Square, occupied uint64) squares {
	free := around(set(king)) &^ (set(king) | squares(q.pos.Occupied(q.winner.Other())) | around(set(q.pos.KingSquare(q.winner))))
	return free &^ q.attacks(occupied&^uint64(set(king)))
}

// hit plays a check and tells whether it mates. Only then it matters whether the check is legal: the piece may be
// pinned, or its king in check.
func (q *quick) hit(m legal.Move) bool {
	q.used++
	q.make(0, m, q.mat)
	q.pos.Moves(&q.replies)
	if q.replies.Len() == 0 && q.pos.InCheck() && !q.pos.Attacked(q.pos.KingSquare(q.winner), q.winner.Other()) {
		return q.keep()
	}
	q.unmake()
	return false
}

// checks is by kind where the winner's piece gives check to the king.
func (q *quick) checks(king legal.Square, occupied uint64) (from [8]squares) {
	from[legal.Pawn] = pawnStrikes(set(king), q.winner.Other())
	from[legal.Knight] = squares(legal.Reach(legal.Knight, king, occupied))
	from[legal.Bishop] = squares(legal.Reach(legal.Bishop, king, occupied))
	from[legal.Rook] = squares(legal.Reach(legal.Rook, king, occupied))
	from[legal.Queen] = from[legal.Bishop] | from[legal.Rook]
	return from
}

// attacks is every square that the winner's pieces, the king left out, attack.
func (q *quick) attacks(occupied uint64) squares {
	reach := uint64(pawnStrikes(squares(q.pos.Pieces(q.winner, legal.Pawn)), q.winner))
	for x := q.pos.Pieces(q.winner, legal.Knight); x != 0; x &= x - 1 {
		reach |= legal.Reach(legal.Knight, lowest(x), occupied)
	}
	queens := q.pos.Pieces(q.winner, legal.Queen)
	for x := q.pos.Pieces(q.winner, legal.Bishop) | queens; x != 0; x &= x - 1 {
		reach |= legal.Reach(legal.Bishop, lowest(x), occupied)
	}
	for x := q.pos.Pieces(q.winner, legal.Rook) | queens; x != 0; x &= x - 1 {
		reach |= legal.Reach(legal.Rook, lowest(x), occupied)
	}
	return squares(reach)
}

func lowest(x uint64) legal.Square { return legal.Square(bits.OnesCount64((x - 1) &^ x)) }
