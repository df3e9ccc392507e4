package helpmate

import "boardwatchd/rules/legal"

// A walker holds the position of one node of the tree and the line to it.
type walker struct {
	pos   legal.Position
	mat   material
	shape uint64 // of the pawns and the material: see novelty
	path  []step // path[0] is the root
	hop   []uint32
}

type step struct {
	node  uint32
	move  legal.Move
	undo  legal.Undo
	mat   material // before the move
	shape uint64
}

func (w *walker) reset(pos *legal.Position) {
	w.pos, w.mat = *pos, materialOf(pos)
	w.shape = shapeOf(&w.pos, w.mat)
	w.path = append(w.path[:0], step{})
}

// goTo makes pos the node's position, by way of the last position that both lines share.
func (w *walker) goTo(t *tree, n uint32) {
	w.hop = w.hop[:0]
	for {
		here := t.at(n)
		if int(here.depth) < len(w.path) && w.path[here.depth].node == n {
			break
		}
		w.hop = append(w.hop, n)
		n = here.parent
	}
	for len(w.path)-1 > int(t.at(n).depth) {
		last := &w.path[len(w.path)-1]
		w.pos.Unmake(last.move, &last.undo)
		w.mat, w.shape = last.mat, last.shape
		w.path = w.path[:len(w.path)-1]
	}
	for i := len(w.hop) - 1; i >= 0; i-- {
		n := w.hop[i]
		w.path = append(w.path, step{node: n, move: t.at(n).move, mat: w.mat, shape: w.shape})
		last := &w.path[len(w.path)-1]
		w.mat = w.mat.after(last.move, w.pos.Turn())
		w.pos.Make(last.move, &last.undo)
		if changesWalls(&w.pos, last.move) {
			w.shape = shapeOf(&w.pos, w.mat)
		}
	}
}

// shapeAfter is the shape after the move that has been made on the board.
func (w *walker) shapeAfter(m legal.Move) uint64 {
	if !changesWalls(&w.pos, m) {
		return w.shape
	}
	return shapeOf(&w.pos, w.mat.after(m, w.pos.Turn().Other()))
}
