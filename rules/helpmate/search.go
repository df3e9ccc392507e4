package helpmate

import "boardwatchd/rules/legal"

// search walks through distinct positions, the most promising first, until it mates or has seen everything. Every position
// is reached once; the costs only order the frontier, so that an empty frontier is a proof.
type search struct {
	root      legal.Position
	winner    legal.Side
	irregular bool // the root shows the side not to move in check
	limit     int  // nodes this search may use
	nodes     int  // nodes used
	end       ending
	late      bool // a mate was passed over because the game had ended before it

	walker
	frontier
	seen    seen
	compass compass
	eager   int // see cost
	base    int // the root's estimate
	prover  prover

	list, replies legal.MoveList
	values        [maxMoves]int16 // of the moves in list
	due           [maxMoves]bool  // the moves of list to be tried now
}

// maxMoves is how many moves a legal.MoveList may hold.
const maxMoves = 384

// ending is how a search ended.
type ending uint8

const (
	running ending = iota
	mating         // the node stored last is the mate
	empty          // every reachable position was seen
	spent          // the budget or the memory is used up
)

// start begins at the root, which is set already.
func (s *search) start(c course, limit int) {
	s.limit, s.nodes, s.end, s.late = limit, 0, running, false
	s.walker.reset(&s.root)
	s.frontier.reset()
	s.seen.clear()
	s.seen.add(s.pos.Key())
	s.compass.point(c, s.winner)
	s.eager = c.eager
	s.prover = prover{idle: !c.prove}
	s.base = s.estimate(s.mat.need(s.winner))
}

// walk takes the cheapest node until there is none, or the budget is gone.
func (s *search) walk() {
	for s.end == running {
		n, cost, ok := s.pop()
		if !ok {
			s.end = empty
			return
		}
		s.goTo(s.tree, n)
		s.expand(n, cost)
	}
}

// cost of a node so deep, with this estimate: a move that makes progress is cheaper than none.
func (s *search) cost(depth, value int) int {
	return min(max(middle+depth+s.eager*value, 0), buckets-1)
}

// listPrice: weighing so many moves takes as long as trying one. Without it a budget would last three times as long on a crowded board.
const listPrice = 8

// expand tries those of the node's moves that cost as little as the node, and lays the node back for the next dearer ones.
func (s *search) expand(n uint32, now int) {
	s.pos.Moves(&s.list)
	s.nodes = min(s.nodes+s.list.Len()/listPrice, s.limit)
	first := s.tree[n].move&tried == 0
	s.tree[n].move |= tried
	later := buckets
	depth, need := int(s.tree[n].depth)+1, s.mat.need(s.winner)
	for i, m := range s.list.Slice() {
		value := s.value(n, need, m)
		c := s.cost(depth, value)
		s.values[i] = int16(value)
		s.due[i] = c == now || c < now && first
		if c > now {
			later = min(later, c)
		}
	}
	if later < buckets {
		s.push(n, later)
	}
	for i, m := range s.list.Slice() {
		if s.due[i] {
			s.try(n, m, s.values[i])
			if s.end != running {
				return
			}
		}
	}
}

// value is the estimate after a move, counted from the root's.
func (s *search) value(n uint32, now need, m legal.Move) int {
	if m.Captured() != legal.NoKind || m.Promotion() != legal.NoKind {
		if then := s.mat.after(m, s.pos.Turn()).need(s.winner); then != now {
			return s.estimate(then) + s.change(then, m) - s.base
		}
	}
	return int(s.tree[n].value) + s.change(now, m)
}

// try plays one move.
func (s *search) try(n uint32, m legal.Move, value int16) {
	if s.nodes >= s.limit || len(s.tree) >= maxPositions {
		s.end = spent
		return
	}
	s.nodes++
	mover := s.pos.Turn()
	mat := s.mat.after(m, mover)
	var undo legal.Undo
	s.pos.Make(m, &undo)
	if s.seen.add(s.pos.Key()) {
		s.meet(n, m, mover, mat, value)
	}
	s.pos.Unmake(m, &undo)
}

// meet looks at a new position; if it is neither the end nor dead it becomes a node.
func (s *search) meet(n uint32, m legal.Move, mover legal.Side, mat material, value int16) {
	if mover == s.winner && s.pos.InCheck() {
		s.pos.Moves(&s.replies)
		if s.replies.Len() == 0 {
			s.mate(n, m)
			return
		}
	}
	switch {
	case (mat != s.mat || s.irregular) && mat.barren(s.winner):
	case s.changesWall(m) && s.dead():
	case s.tree[n].depth >= maxDepth:
		s.late = true
	default:
		child := s.store(n, m, value)
		s.push(child, s.cost(int(s.tree[child].depth), int(value)))
	}
}

// mate looks at a mate on the board: it counts if the game did not end earlier by FIDE Laws 9.6.2. If it did, another,
// shorter line may still be found, but "never" is not proved by this search any more.
func (s *search) mate(n uint32, m legal.Move) {
	s.store(n, m, 0)
	if mates(s.root, s.winner, s.line()) {
		s.end = mating
		return
	}
	s.drop()
	s.late = true
}

// prover asks about walls in the middle of a search, as long as the answers are worth it.
type prover struct {
	idle           bool
	asked, granted int
	board          mobility
}

// proofPrice is what a question about walls costs in nodes: some 10 to 20 µs against 0.2.
const proofPrice = 50

// changesWall: only a capture or a move of a pawn, just made, changes what walls there are.
func (s *search) changesWall(m legal.Move) bool {
	return m.Captured() != legal.NoKind || m.Promotion() != legal.NoKind || s.pos.PieceAt(m.To()).Kind() == legal.Pawn
}

// dead tries to prove that nothing can come of the position. After 32 questions, if fewer than one in eight was answered, only every
// thirty-second is asked.
func (s *search) dead() bool {
	p := &s.prover
	if p.idle || s.limit-s.nodes < proofPrice {
		return false
	}
	p.asked++
	if p.asked > 32 && p.asked > 8*p.granted && p.asked%32 != 0 {
		return false
	}
	s.nodes += proofPrice
	if p.board.survey(&s.pos, s.winner) && p.board.walled() {
		p.granted++
		return true
	}
	return false
}
