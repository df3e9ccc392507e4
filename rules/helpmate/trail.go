package helpmate

import "boardwatchd/rules/legal"

// A twig is a move after a position that was visited, or the position it leads to.
type twig struct {
	parent, next uint32
	move         legal.Move
	depth        uint16
	value        int16
}

// A trail is one position of a tree of twigs, and the line to it.
type trail struct {
	pos  legal.Position
	mat  material
	path []hop // path[0] is the root
	way  []uint32
}

// A hop is one move of the line.
type hop struct {
	twig uint32
	move legal.Move
	undo legal.Undo
	mat  material // before the move
}

func (t *trail) start(pos *legal.Position, mat material) {
	t.pos, t.mat = *pos, mat
	t.path = append(t.path[:0], hop{})
}

// here is the twig of the current position.
func (t *trail) here() uint32 { return t.path[len(t.path)-1].twig }

func (t *trail) make(n uint32, m legal.Move, mat material) {
	t.path = append(t.path, hop{twig: n, move: m, mat: t.mat})
	t.pos.Make(m, &t.path[len(t.path)-1].undo)
	t.mat = mat
}

func (t *trail) unmake() {
	last := &t.path[len(t.path)-1]
	t.pos.Unmake(last.move, &last.undo)
	t.mat = last.mat
	t.path = t.path[:len(t.path)-1]
}

// climb goes to a twig, by way of the last position that both lines share.
func (t *trail) climb(twigs []twig, n uint32) {
	t.way = t.way[:0]
	for depth := int(twigs[n].depth); depth >= len(t.path) || t.path[depth].twig != n; depth-- {
		t.way = append(t.way, n)
		n = twigs[n].parent
	}
	for len(t.path)-1 > int(twigs[n].depth) {
		t.unmake()
	}
	for i := len(t.way) - 1; i >= 0; i-- {
		m := twigs[t.way[i]].move
		t.make(t.way[i], m, t.mat.after(m, t.pos.Turn()))
	}
}

// line appends the moves of the line to a slice.
func (t *trail) line(to []legal.Move) []legal.Move {
	for i := range t.path[1:] {
		to = append(to, t.path[i+1].move)
	}
	return to
}
