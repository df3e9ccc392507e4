package helpmate

import "boardwatchd/rules/legal"

// maxPositions is how many positions one search may hold, whatever its budget: 16 bytes each, which grow in steps, and 16 MiB of
// keys, keep a question below 64 MiB.
const maxPositions = 1_200_000

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

	buckets = 4096
	middle  = buckets / 2 // the root's cost
)

// frontier is the tree of positions reached, and a stack of nodes for every cost, so that the cheapest and latest comes first.
type frontier struct {
	tree   []node
	heads  [buckets]uint32
	lowest int // no stack below it holds a node
}

// reset leaves the root alone, on its stack.
func (f *frontier) reset() {
	f.tree = append(f.tree[:0], node{parent: noNode})
	for i := range f.heads {
		f.heads[i] = noNode
	}
	f.lowest = middle
	f.push(0, middle)
}

// push lays a node on the stack of a cost.
func (f *frontier) push(n uint32, cost int) {
	f.tree[n].next = f.heads[cost]
	f.heads[cost] = n
	f.lowest = min(f.lowest, cost)
}

// pop takes the cheapest node; false if there is none.
func (f *frontier) pop() (n uint32, cost int, ok bool) {
	for f.lowest < buckets && f.heads[f.lowest] == noNode {
		f.lowest++
	}
	if f.lowest == buckets {
		return 0, 0, false
	}
	n = f.heads[f.lowest]
	f.heads[f.lowest] = f.tree[n].next
	return n, f.lowest, true
}

// store makes a new node, which lies on no stack yet.
func (f *frontier) store(parent uint32, m legal.Move, value int16) uint32 {
	f.tree = append(f.tree, node{parent: parent, move: m, depth: f.tree[parent].depth + 1, value: value})
	return uint32(len(f.tree) - 1)
}

// drop forgets the node that was stored last.
func (f *frontier) drop() { f.tree = f.tree[:len(f.tree)-1] }

// line is the way from the root to the node that was stored last.
func (f *frontier) line() []legal.Move {
	n := uint32(len(f.tree) - 1)
	line := make([]legal.Move, f.tree[n].depth)
	for i := len(line) - 1; i >= 0; i-- {
		line[i] = f.tree[n].move &^ tried
		n = f.tree[n].parent
	}
	return line
}

// A walker holds the position of one node of the tree and the way to it.
type walker struct {
	pos  legal.Position
	mat  material
	path []step // path[0] is the root
	hop  []uint32
}

type step struct {
	node uint32
	move legal.Move
	undo legal.Undo
	mat  material // before the move
}

func (w *walker) reset(pos *legal.Position) {
	w.pos, w.mat = *pos, materialOf(pos)
	w.path = append(w.path[:0], step{})
}

// goTo makes pos the node's position, by way of the last position that both ways share.
func (w *walker) goTo(tree []node, n uint32) {
	w.hop = w.hop[:0]
	for int(tree[n].depth) >= len(w.path) || w.path[tree[n].depth].node != n {
		w.hop = append(w.hop, n)
		n = tree[n].parent
	}
	for len(w.path)-1 > int(tree[n].depth) {
		last := &w.path[len(w.path)-1]
		w.pos.Unmake(last.move, &last.undo)
		w.mat = last.mat
		w.path = w.path[:len(w.path)-1]
	}
	for i := len(w.hop) - 1; i >= 0; i-- {
		n := w.hop[i]
		w.path = append(w.path, step{node: n, move: tree[n].move &^ tried, mat: w.mat})
		last := &w.path[len(w.path)-1]
		w.mat = w.mat.after(last.move, w.pos.Turn())
		w.pos.Make(last.move, &last.undo)
	}
}
