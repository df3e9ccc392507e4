package helpmate

import "boardwatchd/rules/legal"

// maxPositions is how many positions one search may hold, whatever its budget: 16 bytes each, and 11 to 22 bytes in the set of
// keys, keep a question below 64 MiB.
const maxPositions = 1_400_000

// A node is a position that has been reached, by its last move.
type node struct {
	parent uint32
	next   uint32 // the node below it in its bucket
	move   legal.Move
	depth  uint16
	value  int16 // the estimate, counted from the root's
}

const (
	noNode   = ^uint32(0)
	maxDepth = 1<<16 - 2

	// tried is a bit beside the move: the node's cheapest moves have been tried.
	tried legal.Move = 1 << 31

	// A node's cost is its depth plus eager times its estimate: a move that makes progress is cheaper than none.
	eager   = 4
	buckets = 4096
	middle  = 2048 // the root's cost
)

// search walks through distinct positions, the most promising first, until it mates or has seen everything. Every position
// is reached once; the costs only order the frontier, so that an empty frontier is a proof.
type search struct {
	winner, loser legal.Side
	root          legal.Position
	irregular     bool // the root shows the side not to move in check
	goal          goal
	limit         int // nodes this search may use
	nodes         int // moves tried

	pos  legal.Position // the position of the last node of path
	mat  material
	path []step

	tree   []node
	seen   seen
	heads  [buckets]uint32
	lowest int
	end    ending
	cut    bool // a mate was passed over because it came too late

	wall           mobility
	prove          bool
	asked, granted int
	base           int // the root's estimate
	compass        compass
	values         [384]int16
	due            [384]bool
	list, replies  legal.MoveList
	hop            []uint32
}

// ending is how a search ended.
type ending uint8

const (
	running ending = iota
	mating         // the last node is the mate
	empty          // every reachable position was seen
	spent          // the budget or the memory is used up
)

type step struct {
	node uint32
	move legal.Move
	undo legal.Undo
	mat  material // before the move
}

// explore asks one search after the other, each with another goal; the last one gets what is left.
func explore(pos *legal.Position, side legal.Side, limit int, irregular bool) (Verdict, []legal.Move) {
	list := goals(materialOf(pos), side)
	left := limit
	s := &search{seen: newSeen(), irregular: irregular}
	if !irregular && s.wall.survey(pos) && s.wall.walled(side) {
		return Never, nil
	}
	for i, g := range list {
		share := left
		if i < len(list)-1 {
			share = left / 8
		}
		s.start(pos, side, g, share)
		s.prove, s.asked, s.granted = i > 0, 0, 0
		s.walk()
		left -= s.nodes
		switch {
		case s.end == mating:
			return Possible, s.line()
		case s.end == empty && !s.cut:
			return Never, nil
		}
	}
	return Unknown, nil
}

func (s *search) start(pos *legal.Position, side legal.Side, g goal, limit int) {
	s.winner, s.loser, s.goal, s.limit = side, side.Other(), g, limit
	s.root, s.pos, s.mat = *pos, *pos, materialOf(pos)
	s.nodes, s.cut, s.end = 0, false, running
	s.path = append(s.path[:0], step{node: 0})
	s.tree = append(s.tree[:0], node{parent: noNode})
	s.seen.clear()
	s.seen.add(pos.Key())
	for i := range s.heads {
		s.heads[i] = noNode
	}
	s.compass.set(g, side)
	s.base = s.estimate(s.mat.need(side))
	s.lowest = middle
	s.push(0, middle)
}

// walk takes the most promising node until there is none, or the budget is gone.
func (s *search) walk() {
	for s.end == running {
		for s.lowest < buckets && s.heads[s.lowest] == noNode {
			s.lowest++
		}
		if s.lowest == buckets {
			s.end = empty
			return
		}
		n := s.heads[s.lowest]
		s.heads[s.lowest] = s.tree[n].next
		s.goTo(n)
		s.expand(n, s.lowest)
	}
}

// push lays a node on the stack of a cost.
func (s *search) push(n uint32, cost int) {
	s.tree[n].next = s.heads[cost]
	s.heads[cost] = n
	s.lowest = min(s.lowest, cost)
}

// cost is that of a node so deep and with this estimate.
func cost(depth, value int) int {
	return min(max(middle+depth+eager*value, 0), buckets-1)
}

// goTo makes pos the node's position, by way of the last common position.
func (s *search) goTo(n uint32) {
	s.hop = s.hop[:0]
	for int(s.tree[n].depth) >= len(s.path) || s.path[s.tree[n].depth].node != n {
		s.hop = append(s.hop, n)
		n = s.tree[n].parent
	}
	for len(s.path)-1 > int(s.tree[n].depth) {
		last := &s.path[len(s.path)-1]
		s.pos.Unmake(last.move, &last.undo)
		s.mat = last.mat
		s.path = s.path[:len(s.path)-1]
	}
	for i := len(s.hop) - 1; i >= 0; i-- {
		n := s.hop[i]
		s.path = append(s.path, step{node: n, move: s.tree[n].move &^ tried, mat: s.mat})
		last := &s.path[len(s.path)-1]
		s.mat = s.mat.after(last.move, s.pos.Turn())
		s.pos.Make(last.move, &last.undo)
	}
}

// expand tries those of the node's moves that cost as little as the node, and lays the node back for the next dearer ones.
func (s *search) expand(n uint32, now int) {
	s.pos.Moves(&s.list)
	first := s.tree[n].move&tried == 0
	s.tree[n].move |= tried
	later := buckets
	depth, need := int(s.tree[n].depth)+1, s.mat.need(s.winner)
	for i, m := range s.list.Slice() {
		value := s.value(n, need, m)
		c := cost(depth, value)
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

// value is the estimate after a move.
func (s *search) value(n uint32, now need, m legal.Move) int {
	if m.Captured() != legal.NoKind || m.Promotion() != legal.NoKind {
		if then := s.mat.after(m, s.pos.Turn()).need(s.winner); then != now {
			return s.estimate(then) + s.change(then, m) - s.base
		}
	}
	return int(s.tree[n].value) + s.change(now, m)
}

// try plays one move; a position that was never seen, and is neither dead nor an end, becomes a node.
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
		s.meet(n, m, mat, mover, value)
	}
	s.pos.Unmake(m, &undo)
}

// meet looks at a new position.
func (s *search) meet(n uint32, m legal.Move, mat material, mover legal.Side, value int16) {
	if mover == s.winner && s.pos.InCheck() {
		s.pos.Moves(&s.replies)
		if s.replies.Len() == 0 {
			s.mated(n, m)
			return
		}
	}
	switch {
	case (s.irregular || mat != s.mat) && mat.barren(s.winner):
	case s.prove && (m.Captured() != legal.NoKind || s.pos.PieceAt(m.To()).Kind() == legal.Pawn) && s.proved():
	case s.tree[n].depth >= maxDepth:
		s.cut = true
	default:
		child := s.store(n, m)
		s.tree[child].value = value
		s.push(child, cost(int(s.tree[child].depth), int(value)))
	}
}

func (s *search) proved() bool {
	s.asked++
	if s.asked > 32 && s.asked > 8*s.granted && s.asked%32 != 0 {
		return false
	}
	s.nodes += 50
	if s.wall.survey(&s.pos) && s.wall.walled(s.winner) {
		s.granted++
		return true
	}
	return false
}

// mated looks at a mate on the board: it counts if the game did not end earlier by FIDE Laws 9.6.2. If it did, another,
// shorter line may still be found, but "never" can no longer be proved.
func (s *search) mated(n uint32, m legal.Move) {
	s.store(n, m)
	if mates(s.root, s.winner, s.line()) {
		s.end = mating
		return
	}
	s.tree = s.tree[:len(s.tree)-1]
	s.cut = true
}

func (s *search) store(parent uint32, m legal.Move) uint32 {
	s.tree = append(s.tree, node{parent: parent, move: m, depth: s.tree[parent].depth + 1})
	return uint32(len(s.tree) - 1)
}

// line is the way to the last node.
func (s *search) line() []legal.Move {
	n := uint32(len(s.tree) - 1)
	line := make([]legal.Move, s.tree[n].depth)
	for i := len(line) - 1; i >= 0; i-- {
		line[i] = s.tree[n].move &^ tried
		n = s.tree[n].parent
	}
	return line
}
