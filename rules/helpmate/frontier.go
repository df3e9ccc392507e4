package helpmate

import (
	"math/bits"

	"boardwatchd/rules/legal"
)

// maxPositions is the number of positions that one search may hold, whatever its budget: with 56 bytes each and at most
// 32 MiB of keys a question stays at 100 MiB.
const maxPositions = 1_200_000

// A node is a position that has been reached, stored as its last move. It is in the queue of every guide that is awake.
type node struct {
	parent uint32
	move   legal.Move
	depth  uint16
	marks  uint16             // bit g: guide g has tried its cheapest moves; see done
	value  [withCompass]int16 // by guide: the estimate, counted from the root's
	next   [guides]uint32     // by guide: the node below it in its bucket
}

const (
	noNode   = ^uint32(0)
	maxDepth = 1<<16 - 2

	// done marks a node whose moves were all tried: the queues drop it when they meet it.
	done uint16 = 1 << 15
)

// The tree is stored in pieces, so that it grows without copies and is kept for the next question.
const (
	chunkBits = 10
	chunkSize = 1 << chunkBits
)

type tree struct {
	chunks []*[chunkSize]node
	count  uint32
}

func (t *tree) at(n uint32) *node { return &t.chunks[n>>chunkBits][n&(chunkSize-1)] }

// reset keeps the root only.
func (t *tree) reset() {
	t.count = 0
	root := t.add()
	*root = node{parent: noNode}
}

// add makes room for one more node.
func (t *tree) add() *node {
	if int(t.count>>chunkBits) == len(t.chunks) {
		t.chunks = append(t.chunks, new([chunkSize]node))
	}
	t.count++
	return t.at(t.count - 1)
}

// store makes a new node, which is in no queue yet.
func (t *tree) store(parent uint32, m legal.Move) uint32 {
	depth := t.at(parent).depth + 1
	n := t.add()
	n.parent, n.move, n.depth, n.marks = parent, m, depth, 0
	return t.count - 1
}

// drop removes the node that was stored last.
func (t *tree) drop() { t.count-- }

// line is the line of moves from the root to a node.
func (t *tree) line(n uint32) []legal.Move {
	line := make([]legal.Move, t.at(n).depth)
	for i := len(line) - 1; i >= 0; i-- {
		line[i] = t.at(n).move
		n = t.at(n).parent
	}
	return line
}

const (
	buckets = 4096
	middle  = buckets / 2 // the root's cost
)

// queue is one guide's order: a stack of nodes for every cost, so that the cheapest and latest comes first.
type queue struct {
	heads [buckets]uint32      // valid where the bit of full is set
	full  [buckets / 64]uint64 // by cost: the stack holds a node
	word  int                  // all words of full with a smaller index are 0
}

func (q *queue) reset() {
	q.full = [buckets / 64]uint64{}
	q.word = buckets / 64
}

// push puts a node on the stack of its cost.
func (q *queue) push(t *tree, guide int, n uint32, cost int) {
	word, bit := cost>>6&(buckets/64-1), uint64(1)<<(cost&63)
	below := noNode
	if q.full[word]&bit != 0 {
		below = q.heads[cost&(buckets-1)]
	}
	t.at(n).next[guide] = below
	q.full[word] |= bit
	q.heads[cost&(buckets-1)] = n
	q.word = min(q.word, word)
}

// pop takes the cheapest node that is not done; false if there is none.
func (q *queue) pop(t *tree, guide int) (n uint32, cost int, ok bool) {
	for q.word < buckets/64 {
		if q.full[q.word] == 0 {
			q.word++
			continue
		}
		cost = q.word<<6 + bits.TrailingZeros64(q.full[q.word])
		n = q.heads[cost]
		here := t.at(n)
		if q.heads[cost] = here.next[guide]; here.next[guide] == noNode {
			q.full[q.word] &= q.full[q.word] - 1
		}
		if here.marks&done == 0 {
			return n, cost, true
		}
	}
	return 0, 0, false
}
