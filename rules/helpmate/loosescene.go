package helpmate

import "boardwatchd/rules/legal"

// scenePieces is the largest number of exact pieces in a scene.
const scenePieces = 29

// A scene is the squares of the exact pieces, 6 bits for each, and the side to move.
type scene [3]uint64

// scenes is a set of scenes in the order in which they were found.
type scenes struct {
	rows  []scene
	index []uint32 // a power of two of them; into rows, counted from 1; 0 is an empty place

	stay  [3]squares // by side: squares that one of its exact pieces occupies in every scene that was shown
	kings squares    // squares that a king occupies in every such scene
}

const (
	firstScenes = 1 << 10
	maxScenes   = 1 << 17 // 3 MB, and 1 MB for the index
)

func (s *scenes) forget() {
	if s.index == nil {
		s.index = make([]uint32, 2*firstScenes)
	}
	s.rows, s.index = s.rows[:0], s.index[:2*firstScenes]
	clear(s.index)
}

// add adds a scene if it is new; it returns false if there is no room.
func (s *scenes) add(x scene) bool {
	at := s.place(&x)
	if *at != 0 {
		return true
	}
	if len(s.rows) == maxScenes {
		return false
	}
	s.rows = append(s.rows, x)
	*at = uint32(len(s.rows))
	if 2*len(s.rows) > len(s.index) {
		s.grow()
	}
	return true
}

// place returns the index entry of the scene, or the one where it would be put.
func (s *scenes) place(x *scene) *uint32 {
	h := (x[0]*0x9E3779B97F4A7C15 ^ x[1]) * 0xD6E8FEB86659FD93
	h = (h ^ h>>32 ^ x[2]) * 0x9E3779B97F4A7C15
	mask := uint64(len(s.index) - 1)
	for i := h >> 40 & mask; ; i = (i + 1) & mask {
		if at := &s.index[i]; *at == 0 || s.rows[*at-1] == *x {
			return at
		}
	}
}

func (s *scenes) grow() {
	n := 2 * len(s.index)
	if cap(s.index) >= n {
		s.index = s.index[:n]
		clear(s.index)
	} else {
		s.index = make([]uint32, n)
	}
	for i := range s.rows {
		*s.place(&s.rows[i]) = uint32(i + 1)
	}
}

// scene encodes the current scene. Pieces that are alike come in the order of their squares.
func (g *looseProof) scene() (x scene) {
	at := g.at
	for i := range g.exact {
		for ; g.alike>>i&1 != 0 && at[i] < at[i-1]; i-- {
			at[i], at[i-1] = at[i-1], at[i]
		}
	}
	gone := at[winnerKing] // no other piece is on this square
	for i := range g.exact {
		here := at[i]
		if here == 0 {
			here = gone
		}
		x[i/10] |= uint64(here.first()) << (6 * (i % 10))
	}
	x[2] |= uint64(g.turn) << 60
	return x
}

// show makes a scene the current one.
func (g *looseProof) show(x *scene) {
	for i := range g.exact {
		g.at[i] = 1 << (x[i/10] >> (6 * (i % 10)) & 63)
		if i >= firstPiece && g.at[i] == g.at[winnerKing] {
			g.at[i] = 0
		}
	}
	g.turn = legal.Side(x[2] >> 60)
	g.pieces = [3]squares{}
	for i := range g.exact {
		g.pieces[g.exact[i].side] |= g.at[i]
	}
	g.stay[legal.White] &= g.pieces[legal.White]
	g.stay[legal.Black] &= g.pieces[legal.Black]
	g.kings &= g.at[winnerKing] | g.at[loserKing]
}

// visit goes through all scenes; it returns false if a move may mate or promote, or if there are too many.
func (g *looseProof) visit() bool {
	g.open()
	for n := 0; n < len(g.rows); n++ {
		g.show(&g.rows[n])
		if !g.step() {
			return false
		}
	}
	return true
}

// open starts with the root's scene, and shows it.
func (g *looseProof) open() {
	g.turn = g.root
	for i := range g.exact {
		g.at[i] = g.exact[i].home
	}
	g.forget()
	g.add(g.scene())
	g.stay, g.kings = [3]squares{^squares(0), ^squares(0), ^squares(0)}, ^squares(0)
	g.show(&g.rows[0])
}
