package helpmate

import "boardwatchd/rules/legal"

// nearMate tells, for the last moves before 9.6.2, from which squares the two kings can still come to a mate in time.
// It leaves positions out, so that what it says must be proved.
//
// It is for boards without pawns and without rights to castle on which the winner has at most two pieces beside the
// king and every capture leaves material that cannot mate (needed by point). Then a mate in time comes without a
// capture, and all pieces of the root are on the board. At the mate each square beside the loser's king is attacked by
// the winner's king or by one of those two pieces, or occupied by a piece of the loser, on each another one. What a
// piece attacks is counted as if the board were empty, which is more than it is, and it may stand on any square, a
// bishop on any of its colour. For each square of the loser's king that gives the squares on which the winner's king
// may stand. Neither king comes there with fewer of its side's moves than it has steps to go.
type nearMate struct {
	winner legal.Side
	known  bool
	pieces []mater
	light  int // pieces of the loser that may stand on a light square
	dark   int // on a dark square
	all    int // pieces of the loser
	scenes []mateScene
	many   bool        // more than mostScenes: kings takes their place
	kings  [64]squares // by the square of the loser's king: where the winner's may stand at the mate
	last   int         // 1 if the mating move is never the king's: only a slider gives check along a line that it leaves
}

// A mateScene is where the kings stand at a mate, and which squares pieces of the loser occupy.
type mateScene struct {
	kingOfLoser legal.Square
	kings       squares
	blocks      squares
	on          [2]squares // where the winner's pieces may stand
}

// mostScenes is how many scenes are looked at one by one.
const mostScenes = 1000

// A mater is a piece of the winner: its kind and where it may stand.
type mater struct {
	kind legal.Kind
	on   squares
}

// point works the squares out, if the board is one of those that it is for.
func (m *nearMate) point(pos *legal.Position, mat material, winner legal.Side) {
	m.winner, m.pieces, m.known = winner, m.pieces[:0], false
	if mat&(pawns|pawns<<sideBits) != 0 || pos.Castling() != 0 || inCheckOutOfTurn(pos) || !capturesLeaveNothing(pos, mat, winner) {
		return
	}
	m.last = 1
	for kind := legal.Knight; kind < legal.King; kind++ {
		for x := squares(pos.Pieces(winner, kind)); x != 0; x &= x - 1 {
			on := ^squares(0)
			if kind == legal.Bishop {
				on = coloured(x.first())
			}
			m.pieces = append(m.pieces, mater{kind, on})
			if kind != legal.Knight {
				m.last = 0
			}
		}
	}
	if m.known = len(m.pieces) <= 2; !m.known {
		return
	}
	loser := winner.Other()
	bishops := squares(pos.Pieces(loser, legal.Bishop))
	m.all = squares(pos.Occupied(loser)).count() - 1
	m.light, m.dark = m.all-(bishops&darkSquares).count(), m.all-(bishops&^darkSquares).count()
	m.scenes, m.many, m.kings = m.scenes[:0], false, [64]squares{}
	for s := legal.A1; s < legal.NoSquare; s++ {
		m.fill(s)
	}
}

// capturesLeaveNothing tells whether after each capture the winner has no material to mate.
func capturesLeaveNothing(pos *legal.Position, mat material, winner legal.Side) bool {
	for side := legal.White; side <= legal.Black; side++ {
		for kind := legal.Knight; kind < legal.King; kind++ {
			for x := squares(pos.Pieces(side, kind)); x != 0; x &= x - 1 {
				if !(mat - unit(side, kind, x.first())).barren(winner) {
					return false
				}
			}
		}
	}
	return true
}

// fill notes where the winner's king may stand when the loser's is mated on the square.
func (m *nearMate) fill(at legal.Square) {
	kingOfLoser := set(at)
	ring := beside(kingOfLoser)
	first, second := prints{}, prints{}
	first.add(0, ^squares(0)) // it attacks none of the squares, or there is no such piece
	second.add(0, ^squares(0))
	if len(m.pieces) > 0 {
		first.fill(m.pieces[0], ring|kingOfLoser)
	}
	if len(m.pieces) > 1 {
		second.fill(m.pieces[1], ring|kingOfLoser)
	}
	near := around(ring) // farther away the king attacks none of the squares
	m.mates(&first, &second, at, ring, ^near)
	for x := near &^ (ring | kingOfLoser); x != 0; x &= x - 1 {
		m.mates(&first, &second, at, ring&^beside(x&-x), x&-x)
	}
}

// mates notes the scene if the two pieces may check and the squares that are left to the loser's king may be occupied.
func (m *nearMate) mates(first, second *prints, at legal.Square, free, kings squares) {
	kingOfLoser := set(at)
	begin := len(m.scenes)
	for i := range first.list[:first.n] {
		for j := range second.list[:second.n] {
			a, b := &first.list[i], &second.list[j]
			left := free &^ (a.attacks | b.attacks)
			if (a.attacks|b.attacks)&kingOfLoser == 0 || left.count() > m.all || (left&^darkSquares).count() > m.light || (left&darkSquares).count() > m.dark {
				continue
			}
			m.kings[at] |= kings
			m.note(begin, mateScene{at, kings, left, [2]squares{a.from, b.from}})
		}
	}
}

// note keeps a scene. From begin on are those with the same kings.
func (m *nearMate) note(begin int, x mateScene) {
	for i := begin; i < len(m.scenes); i++ {
		if s := &m.scenes[i]; s.blocks == x.blocks {
			s.on[0] |= x.on[0]
			s.on[1] |= x.on[1]
			return
		}
	}
	if m.many = m.many || len(m.scenes) == mostScenes; !m.many {
		m.scenes = append(m.scenes, x)
	}
}

// prints is the different sets of squares that a piece may attack around a king, and whence.
type prints struct {
	list [65]struct{ attacks, from squares }
	n    int
}

func (p *prints) fill(m mater, around squares) {
	mover := piece{kind: m.kind}
	for x := m.on; x != 0; x &= x - 1 {
		p.add(mover.strikes(x&-x, ^squares(0))&around, x&-x)
	}
}

func (p *prints) add(attacks, from squares) {
	for i := range p.list[:p.n] {
		if x := &p.list[i]; x.attacks == attacks {
			x.from |= from
			return
		}
	}
	p.list[p.n].attacks, p.list[p.n].from = attacks, from
	p.n++
}

// tooLate tells that no mate comes before the draw by 9.6.2.
func (m *nearMate) tooLate(pos *legal.Position) bool {
	return m.known && m.least(pos, lastHalfMove-pos.HalfMoves()) > lastHalfMove-pos.HalfMoves()
}

// least is the least number of half-moves to a mate, as far as is known; anything above most if it is more than that.
func (m *nearMate) least(pos *legal.Position, most int) int {
	king, kingOfLoser, loser := pos.KingSquare(m.winner), pos.KingSquare(m.winner.Other()), m.winner.Other()
	if m.many {
		for plies := m.plies(pos, 0, 0); plies <= most; plies += 2 {
			kingOfWinner := disc(king, (plies+1)/2)
			for x := disc(kingOfLoser, plies/2); x != 0; x &= x - 1 {
				if m.kings[x.first()]&kingOfWinner != 0 {
					return plies
				}
			}
		}
		return most + 1
	}
	best := most + 1
	for i := range m.scenes {
		x := &m.scenes[i]
		fleeing := distance(kingOfLoser, x.kingOfLoser)
		if m.plies(pos, 0, fleeing) >= best {
			continue
		}
		hunting := 0
		for disc(king, hunting)&x.kings == 0 {
			hunting++
		}
		if m.plies(pos, hunting, fleeing) >= best {
			continue
		}
		hunting += m.toScene(pos, x)
		for y := x.blocks; y != 0; y &= y - 1 {
			fleeing += blockerWay(pos, loser, y&-y)
		}
		best = min(best, m.plies(pos, hunting, fleeing))
	}
	return best
}

// plies is how many half-moves there are until both sides have made so many moves and the last one was the winner's.
func (m *nearMate) plies(pos *legal.Position, hunting, fleeing int) int {
	if pos.Turn() == m.winner {
		return max(2*hunting-1, 2*fleeing+1)
	}
	return max(2*hunting, 2*fleeing)
}

// toScene is how many moves of its pieces the winner needs at least.
func (m *nearMate) toScene(pos *legal.Position, x *mateScene) (way int) {
	var pieces [2]squares
	n := 0
	for kind := legal.Knight; kind < legal.King; kind++ {
		for y := squares(pos.Pieces(m.winner, kind)); y != 0; y &= y - 1 {
			pieces[n] = y & -y
			n++
		}
	}
	if n == 2 && pieces[0]&m.pieces[0].on == 0 {
		pieces[0], pieces[1] = pieces[1], pieces[0] // bishops of two colours, which have passed each other
	}
	for i := range m.pieces {
		way += m.pieces[i].way(pieces[i], x.on[i])
	}
	if n == 2 && m.pieces[0] == m.pieces[1] {
		way = min(way, m.pieces[0].way(pieces[0], x.on[1])+m.pieces[1].way(pieces[1], x.on[0]))
	}
	if pos.Turn() == m.winner {
		return max(way, m.last) // else it may be the mate already
	}
	return way
}

// way is how many moves the piece needs to some square of a set on an empty board.
func (m mater) way(from, to squares) int {
	mover := piece{kind: m.kind}
	n := 0
	for from&to == 0 && n < 6 {
		from |= mover.strikes(from, ^squares(0))
		n++
	}
	return n
}

// blockerWay is how many moves some piece of the side other than the king needs to the square, if nothing is in its
// way.
func blockerWay(pos *legal.Position, side legal.Side, to squares) int {
	way, at := 99, to.first()
	for x := squares(pos.Pieces(side, legal.Knight)); x != 0; x &= x - 1 {
		way = min(way, int(leaps[x.first()][at]))
	}
	for kind := legal.Bishop; kind < legal.King; kind++ {
		for x := squares(pos.Pieces(side, kind)); x != 0; x &= x - 1 {
			mover := piece{kind: kind}
			switch {
			case x&-x == to:
				return 0
			case mover.strikes(x&-x, ^squares(0))&to != 0:
				way = min(way, 1)
			case kind != legal.Bishop || coloured(x.first())&to != 0:
				way = min(way, 2)
			}
		}
	}
	return way
}

// discs is the squares within so many steps of a king. Filled once, never written again.
var discs = allDiscs()

func allDiscs() (table [64][8]squares) {
	for s := range table {
		table[s][0] = 1 << s
		for n := 1; n < 8; n++ {
			table[s][n] = around(table[s][n-1])
		}
	}
	return table
}

func disc(s legal.Square, steps int) squares { return discs[s&63][min(steps, 7)] }
