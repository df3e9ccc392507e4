package helpmate

import (
	"math/bits"
	"slices"

	"boardwatchd/rules/legal"
)

// quick looks for the mate that nearly every position of a real game has: it walks towards the picture of a mate,
// always from the most promising position, and gives up after a few hundred. It proves nothing when it fails.
//
// Unlike the big search it makes no move in order to weigh it: a twig is a move that may be played, and becomes a
// position only when it is chosen.
type quick struct {
	trail
	winner legal.Side
	sketch sketch
	limit  int
	net    net
	used   int // positions visited, checks tried included

	twigs []twig
	heads [quickBuckets]uint32 // by estimate: the twig that was put there last; 0: none, for that is the root
	low   int                  // no bucket below it holds a twig
	seen  visits

	list   legal.MoveList
	better [64]legal.Move
	mate   []legal.Move // the line to the mate
}

// quickShares is the number of positions that each sketch of a question may visit. On real games the mean is some 35,
// checks tried included. Mates by two minor pieces take more, and positions with only these are cheap.
var (
	quickShares = [...]int{100, 100, 200, 400, 800}
	minorShares = [...]int{100, 100, 400, 1500}
)

const quickBuckets = 1 << 9

// maxSetback is the largest loss of a move that is kept. The limit saves a tenth of the time and answers as many
// questions.
const maxSetback = 3

// maxUnfolded is the number of moves that are tried among those of equal estimate: one quiet move is as good as
// another.
const maxUnfolded = 12

// lack makes estimates of different needs comparable: a side without heavy pieces and pawns has a long way to a mate.
var lack = [needs]int{needKings: 0, needMinors: 0, needQueen: 8, needBlocker: 20, needHelper: 30}

// run walks by one sketch after the other; if it finds a mate, the line is in q.mate.
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
	clear(q.heads[:])
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
	for q.low < quickBuckets && q.heads[q.low] == 0 {
		q.low++
	}
	if q.low == quickBuckets {
		return 0, false
	}
	n := q.heads[q.low]
	q.heads[q.low] = q.twigs[n].next
	return n, true
}

// enter makes the twig's position the current one; it returns false if that is dead by material, or was visited before.
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

// expand continues from the current position, and reports whether it is the mate or one of its moves mates. It lists
// all moves only if no step of the king and no capture comes nearer and the side cannot wait, which is a minority of
// positions.
func (q *quick) expand() bool {
	q.used++
	mover := q.pos.Turn()
	if q.pos.HalfMoves() < lastHalfMove { // FIDE Laws 9.6.2
		switch {
		case mover == q.winner && q.tryChecks():
			return true
		case q.putKingStep(mover), mover == q.winner && q.putCaptures(), q.putWaitingMove(mover):
			return false
		}
	}
	q.pos.Moves(&q.list)
	if q.list.Len() == 0 {
		return mover != q.winner && q.pos.InCheck() && q.storeLine()
	}
	if q.pos.HalfMoves() < lastHalfMove {
		q.branch(mover)
	}
	return false
}

// putCaptures puts the winner's captures and promotions if only these and steps of its king come nearer to the picture.
// It reports whether there are any.
func (q *quick) putCaptures() bool {
	if !q.sketch.greedy {
		return false
	}
	q.pos.Captures(&q.list)
	here, any := q.here(), false
	for _, m := range q.list.Slice() {
		change := q.weigh(m, q.winner)
		if change >= 0 {
			continue
		}
		if !any {
			q.put(here, legal.NoMove, 0)
			any = true
		}
		q.put(here, m, change)
	}
	return any
}

// branch puts the moves of the current position that come nearer to the picture in the buckets of their estimates, or
// one of the best moves if none comes nearer. The others wait as one twig, the rest of the position: most walks never
// need it.
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

// branchAll puts every move of the current position. All of them lose ground: mostly the loser must capture a piece
// that the picture needs.
func (q *quick) branchAll(here uint32, mover legal.Side) {
	for _, m := range q.list.Slice() {
		q.put(here, m, q.weigh(m, mover))
	}
}

// noQuietMoveHelps reports whether no quiet move comes nearer to the picture, except steps of the side's king.
func (q *quick) noQuietMoveHelps(mover legal.Side) bool {
	return q.sketch.greedy || mover != q.winner && !q.sketch.helped
}

// putWaitingMove puts one quiet move if nothing comes nearer: any move that does not go back is good enough. The piece
// is not pinned and gives no check. If quiet moves of the side are useful, all moves are weighed instead.
func (q *quick) putWaitingMove(mover legal.Side) bool {
	if !q.noQuietMoveHelps(mover) || q.pos.InCheck() {
		return false
	}
	king := q.pos.KingSquare(mover)
	all := q.pos.Occupied(legal.White) | q.pos.Occupied(legal.Black)
	other := mover.Other()
	lurkers := q.pos.Pieces(other, legal.Queen) | q.pos.Pieces(other, legal.Rook) | q.pos.Pieces(other, legal.Bishop)
	free := ^uint64(0)
	if lurkers&legal.Reach(legal.Queen, king, 0) != 0 {
		free = ^legal.Reach(legal.Queen, king, all)
	}
	if to := pawnSteps(squares(q.pos.Pieces(mover, legal.Pawn)&free), mover) &^ (squares(all) | rank1 | rank8); to != 0 {
		at := to.first()
		q.putQuiet(pawnSteps(set(at), other).first(), at, 0)
		return true
	}
	otherKing := q.pos.KingSquare(other)
	for kind := legal.Knight; kind < legal.King; kind++ {
		for x := q.pos.Pieces(mover, kind) & free; x != 0; x &= x - 1 {
			from := lowest(x)
			if to := legal.Reach(kind, from, all) &^ (all | legal.Reach(kind, otherKing, all)); to != 0 {
				q.putQuiet(from, lowest(to), 0)
				return true
			}
		}
	}
	return false
}

// putQuiet puts two entries: the position again, for its other moves, and the one after a move that captures nothing.
func (q *quick) putQuiet(from, to legal.Square, change int) {
	here := q.here()
	q.put(here, legal.NoMove, 0)
	q.put(here, q.pos.Between(from, to, legal.NoKind), change)
}

// putKingStep puts a step of the king that comes nearer, without listing the other moves: most moves of a walk are such
// steps.
func (q *quick) putKingStep(mover legal.Side) bool {
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

// unfold puts the moves of the rest of a position in their buckets.
func (q *quick) unfold(n uint32) {
	parent := q.twigs[n].parent
	q.climb(q.twigs, parent)
	q.pos.Moves(&q.list)
	mover := q.pos.Turn()
	q.twigs = slices.Grow(q.twigs, q.list.Len())
	list := q.list.Slice()
	if q.noQuietMoveHelps(mover) {
		list = list[max(0, len(list)-maxUnfolded):]
	}
	for _, m := range list {
		if change := q.weigh(m, mover); change <= maxSetback {
			q.put(parent, m, change)
		}
	}
}

// weigh is the number by which the move increases the distance from the picture.
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

// storeLine stores the line to the current position.
func (q *quick) storeLine() bool {
	q.mate = q.line(q.mate[:0])
	return true
}

// maxFlights is the number of squares for the loser's king above which a single check seldom mates; looking for one
// then costs more than walking on.
const maxFlights = 2

// A net is the facts that decide whether one check mates the loser's king on its square.
type net struct {
	king        legal.Square
	occupied    uint64
	free        squares // beside the king, without its own side's pieces and what the winner's king attacks
	once, twice squares // attacked by the winner's other pieces, by two of them
	checks      [8]squares
}

// left is the set of squares that the king may enter, or capture on, after a check by a piece with this reach.
func (n *net) left(reach squares) squares { return n.free &^ n.twice &^ (n.once &^ reach) }

// tryChecks tries the moves that give check and seem to leave the loser's king no square, and reports whether one
// mates. The checking piece is the one that moves.
func (q *quick) tryChecks() bool {
	n := &q.net
	n.king = q.pos.KingSquare(q.winner.Other())
	n.occupied = q.pos.Occupied(legal.White) | q.pos.Occupied(legal.Black)
	king := set(n.king)
	n.free = around(king) &^ (king | squares(q.pos.Occupied(q.winner.Other())) | around(set(q.pos.KingSquare(q.winner))))
	q.attacks(n)
	if (n.free &^ n.once).count() > maxFlights {
		return false
	}
	own := squares(q.pos.Occupied(q.winner))
	q.checks(n)
	for kind := legal.Knight; kind < legal.King; kind++ {
		for x := q.pos.Pieces(q.winner, kind); x != 0; x &= x - 1 {
			from := lowest(x)
			reach := squares(legal.Reach(kind, from, n.occupied))
			for to := reach & n.checks[kind&7] &^ own; to != 0; to &= to - 1 {
				seen := squares(legal.Reach(kind, to.first(), n.occupied&^uint64(king|set(from))))
				if n.left(reach)&^seen == 0 && q.playCheck(q.pos.Between(from, to.first(), legal.NoKind)) {
					return true
				}
			}
		}
	}
	return q.tryPawnChecks(n)
}

// tryPawnChecks tries the checks of pawns that step or capture, and of the pieces that they promote to.
func (q *quick) tryPawnChecks(n *net) bool {
	const ends = rank1 | rank8
	open, other := ^squares(n.occupied), squares(q.pos.Occupied(q.winner.Other()))
	on := n.checks[legal.Pawn]&^ends | (n.checks[legal.Queen]|n.checks[legal.Knight])&ends
	for x := squares(q.pos.Pieces(q.winner, legal.Pawn)); x != 0; x &= x - 1 {
		from := x & -x
		step := pawnSteps(from, q.winner) & open
		if from&(rank1<<8|rank8>>8) != 0 {
			step |= pawnSteps(step, q.winner) & open &^ ends
		}
		for to := (step | pawnStrikes(from, q.winner)&other) & on; to != 0; to &= to - 1 {
			if q.pawnMates(n, from.first(), to.first()) {
				return true
			}
		}
	}
	return false
}

func (q *quick) pawnMates(n *net, from, to legal.Square) bool {
	left := n.left(pawnStrikes(set(from), q.winner))
	if to.Rank() != 0 && to.Rank() != 7 {
		return left&^pawnStrikes(set(to), q.winner) == 0 && q.playCheck(q.pos.Between(from, to, legal.NoKind))
	}
	for kind := legal.Queen; kind >= legal.Knight; kind-- {
		if n.checks[kind&7]&set(to) == 0 {
			continue
		}
		seen := squares(legal.Reach(kind, to, n.occupied&^uint64(set(n.king)|set(from))))
		if left&^seen == 0 && q.playCheck(q.pos.Between(from, to, kind)) {
			return true
		}
	}
	return false
}

// playCheck plays a check and reports whether it mates. Whether the check is legal matters only then: the piece may be
// pinned, or its king in check.
func (q *quick) playCheck(m legal.Move) bool {
	q.used++
	q.make(0, m, q.mat)
	if q.pos.Outcome() == legal.Checkmate && !q.pos.Attacked(q.pos.KingSquare(q.winner), q.winner.Other()) {
		return q.storeLine()
	}
	q.unmake()
	return false
}

// checks sets, by kind, the squares from which the winner's piece gives check to the king.
func (q *quick) checks(n *net) {
	n.checks[legal.Pawn] = pawnStrikes(set(n.king), q.winner.Other())
	n.checks[legal.Knight] = squares(legal.Reach(legal.Knight, n.king, n.occupied))
	n.checks[legal.Bishop] = squares(legal.Reach(legal.Bishop, n.king, n.occupied))
	n.checks[legal.Rook] = squares(legal.Reach(legal.Rook, n.king, n.occupied))
	n.checks[legal.Queen] = n.checks[legal.Bishop] | n.checks[legal.Rook]
}

// attacks sets the squares that the winner's pieces attack, without the king, looking through the loser's king.
func (q *quick) attacks(n *net) {
	pawns, occupied := squares(q.pos.Pieces(q.winner, legal.Pawn)), n.occupied&^uint64(set(n.king))
	east, west := pawnSteps(pawns&^fileH<<1, q.winner), pawnSteps(pawns&^fileA>>1, q.winner)
	n.once, n.twice = east|west, east&west
	for kind := legal.Knight; kind < legal.King; kind++ {
		for x := q.pos.Pieces(q.winner, kind); x != 0; x &= x - 1 {
			reach := squares(legal.Reach(kind, lowest(x), occupied))
			n.twice |= n.once & reach
			n.once |= reach
		}
	}
}

func lowest(x uint64) legal.Square { return legal.Square(bits.OnesCount64((x - 1) &^ x)) }
