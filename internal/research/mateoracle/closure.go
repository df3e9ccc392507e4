package mateoracle

// A Result is the result of a search through all reachable positions.
type Result struct {
	White, Black bool // that side mates in one of them
	Closed       bool // all were visited: a side without a mate can never mate
	Positions    int
}

// Mates reports whether the side mates in a visited position.
func (r Result) Mates(s Side) bool { return s == White && r.White || s == Black && r.Black }

// Never reports whether the side can never mate.
func (r Result) Never(s Side) bool { return r.Closed && !r.Mates(s) }

// places is a set of packed boards: a list of them in the order they were found, and an open-addressed index into it.
// Two boards are the same if all their 192 bits are.
type places struct {
	rows  []packed
	index []uint32 // row + 1
}

func (p *places) add(x packed) {
	if len(p.rows) >= len(p.index)/2 {
		p.grow()
	}
	mask := uint64(len(p.index) - 1)
	for i := x.hash() & mask; ; i = (i + 1) & mask {
		switch row := p.index[i]; {
		case row == 0:
			p.rows = append(p.rows, x)
			p.index[i] = uint32(len(p.rows))
			return
		case p.rows[row-1] == x:
			return
		}
	}
}

func (p *places) grow() {
	p.index = make([]uint32, max(1024, 2*len(p.index)))
	mask := uint64(len(p.index) - 1)
	for row := range p.rows {
		i := p.rows[row].hash() & mask
		for p.index[i] != 0 {
			i = (i + 1) & mask
		}
		p.index[i] = uint32(row + 1)
	}
}

// Closure visits the reachable positions, breadth first, until each of the asked sides mates in one, none is left, or
// there are more than most. The half-move counter is ignored.
func Closure(b Board, most int, asked ...Side) (r Result) {
	if len(asked) == 0 {
		asked = []Side{White, Black}
	}
	var seen places
	seen.add(b.pack())
	var list []Move
	for next := 0; next < len(seen.rows); next++ {
		if len(seen.rows) > most {
			r.Positions = len(seen.rows)
			return r
		}
		here := seen.rows[next].unpack()
		list = here.Moves(list[:0])
		if len(list) == 0 && here.InCheck() {
			r.White, r.Black = r.White || here.turn == Black, r.Black || here.turn == White
			if r.has(asked) {
				r.Positions = len(seen.rows)
				return r
			}
		}
		for _, m := range list {
			after := here
			after.Play(m)
			seen.add(after.pack())
		}
	}
	r.Closed, r.Positions = true, len(seen.rows)
	return r
}

func (r Result) has(asked []Side) bool {
	for _, s := range asked {
		if !r.Mates(s) {
			return false
		}
	}
	return true
}

// Clocked visits the positions that are reachable before the game is drawn by 9.6.2 (75 moves by each side without
// capture or pawn move, unless the last of them mates). A position that is reached again with a smaller counter is
// visited again.
func Clocked(b Board, most int) (r Result) {
	best := map[packed]int16{}
	todo := []Board{b}
	best[b.pack()] = b.clock
	var list []Move
	for len(todo) > 0 {
		here := todo[0]
		todo = todo[1:]
		if best[here.pack()] < here.clock {
			continue
		}
		if r.Positions++; r.Positions > most {
			return r
		}
		list = here.Moves(list[:0])
		if len(list) == 0 && here.InCheck() {
			r.White, r.Black = r.White || here.turn == Black, r.Black || here.turn == White
		}
		if r.White && r.Black {
			return r
		}
		if here.clock >= 150 {
			continue
		}
		for _, m := range list {
			after := here
			after.Play(m)
			key := after.pack()
			if old, ok := best[key]; !ok || after.clock < old {
				best[key] = after.clock
				todo = append(todo, after)
			}
		}
	}
	r.Closed = true
	return r
}
