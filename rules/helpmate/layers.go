package helpmate

import "boardwatchd/rules/legal"

// layers visits every position with few pieces, in the order of the half-moves that it needs from the root, all
// positions of one count at once. So it finds the shortest mate, or proves that none comes before a draw by 9.6.2.
//
// It is for boards with two kings and at most two other pieces, without pawns and rights to castle, on which every
// capture leaves material that cannot mate (fits). A mate then comes without a capture: all pieces of the root are on
// the board, and the half-move counter only goes up. A position that was met with fewer half-moves need not be looked
// at again.
//
// A place is the squares of the kings and of the first of the other pieces. For each place one set holds the squares on
// which the second piece may be. A move of the second piece is made for the whole set at once, and any other move for
// all positions that differ only in the second piece.
type layers struct {
	winner        legal.Side
	turn          legal.Side
	first, second piece // a single piece is the second; then the first has no kind

	seen  [3][]squares // by side to move, by place
	next  []squares    // by place: the positions after the moves of a layer, legal or not
	newly []uint32     // the places in next
	rows  []row        // of all layers, one after the other
	ends  []int        // by layer: where its rows end
	mate  spot         // its second piece is on no square until a mate is found
}

// A row is one place of a layer with the squares of the second piece.
type row struct {
	place uint32
	on    squares
}

// A place has 6 bits for the square of White's king, of Black's and of the first piece.
const (
	places    = 1 << 18
	blackKing = 6
	firstAt   = 12
)

const (
	// maxRows is the number of rows that are kept: 40 MB.
	maxRows = 2_500_000
	// rowsForNode is the number of rows that cost a node: a row takes a quarter of the time of a move.
	rowsForNode = 4
)

// A spot is one position, or several that differ only in the second piece: the squares of each piece.
type spot struct{ white, black, first, second squares }

func (g *layers) spot(place uint32, second squares) spot {
	s := spot{1 << (place & 63), 1 << (place >> blackKing & 63), 1 << (place >> firstAt & 63), second}
	if g.first.kind == legal.NoKind {
		s.first = 0
	}
	return s
}

func (s *spot) place() uint32 {
	return (uint32(s.white.first()) | uint32(s.black.first())<<blackKing | uint32(s.first.first())<<firstAt) & (places - 1)
}

// kings is the squares of the side's king and of the other one.
func (s *spot) kings(side legal.Side) (own, other squares) {
	if side == legal.White {
		return s.white, s.black
	}
	return s.black, s.white
}

func (s *spot) moveKing(side legal.Side, to squares) {
	if side == legal.White {
		s.white = to
	} else {
		s.black = to
	}
}

// fits sets the pieces of a position, if layers can answer for it.
func (g *layers) fits(pos *legal.Position, mat material, winner legal.Side) bool {
	if mat&(pawns|pawns<<sideBits) != 0 || pos.Castling() != 0 || inCheckOutOfTurn(pos) {
		return false
	}
	g.winner, g.turn, g.first, g.second = winner, pos.Turn(), piece{}, piece{}
	count := 0
	for side := legal.White; side <= legal.Black; side++ {
		for kind := legal.Knight; kind < legal.King; kind++ {
			for x := squares(pos.Pieces(side, kind)); x != 0; x &= x - 1 {
				if !(mat - unit(side, kind, x.first())).barren(winner) {
					return false
				}
				g.first, g.second = g.second, piece{kind: kind, side: side, home: x & -x}
				count++
			}
		}
	}
	return count == 1 || count == 2
}

// count returns an answer as counting does.
func (g *layers) count(pos *legal.Position, limit int) Answer {
	a := g.visit(pos, lastHalfMove-pos.HalfMoves(), limit)
	switch a.Verdict {
	case Possible:
		a.Line = g.line(*pos)
	case Never:
		for i := range g.rows {
			a.Positions += g.rows[i].on.count()
		}
		a.DeadLeftOut = true // the captures
	}
	return a
}

// visit goes through the layers until one holds a mate, halfMoves half-moves were made, or the limit of nodes is used
// up.
func (g *layers) visit(pos *legal.Position, halfMoves, limit int) (a Answer) {
	g.open(pos)
	for from := 0; from < len(g.rows); {
		if len(g.ends) > halfMoves {
			a.Verdict, a.Reason = Never, Counted
			return a
		}
		to := len(g.rows)
		switch a.Nodes += 1 + (to-from)/rowsForNode; {
		case a.Nodes > limit:
			return Answer{Verdict: Unknown, Reason: OutOfBudget, Nodes: limit}
		case to > maxRows:
			a.Verdict, a.Reason = Unknown, OutOfMemory
			return a
		}
		for _, r := range g.rows[from:to] {
			g.step(r)
		}
		from, g.turn = to, g.turn.Other()
		g.keep()
		g.ends = append(g.ends, len(g.rows))
		if g.mate.second != 0 {
			a.Verdict, a.Reason = Possible, Played
			return a
		}
	}
	a.Verdict, a.Reason = Never, Visited
	return a
}

// open starts with the root alone.
func (g *layers) open(pos *legal.Position) {
	for side := legal.White; side <= legal.Black; side++ {
		g.seen[side] = room(g.seen[side], places)
	}
	g.next, g.newly, g.mate = room(g.next, places), g.newly[:0], spot{}
	root := spot{squares(pos.Pieces(legal.White, legal.King)), squares(pos.Pieces(legal.Black, legal.King)), g.first.home, g.second.home}
	g.seen[g.turn][root.place()] = root.second
	g.rows, g.ends = append(g.rows[:0], row{root.place(), root.second}), append(g.ends[:0], 1)
}

// step makes every move without capture from the positions of a row.
func (g *layers) step(r row) {
	at := g.spot(r.place, 0)
	own, other := at.kings(g.turn)
	for x := beside(own) &^ (around(other) | at.first); x != 0; x &= x - 1 {
		to := at
		to.moveKing(g.turn, x&-x)
		g.reach(&to, r.on&^(x&-x))
	}
	if g.first.side == g.turn {
		g.moveFirst(at, r.on)
	}
	if g.second.side == g.turn {
		fixed := at.white | at.black | at.first
		g.reach(&at, g.second.strikes(r.on, ^fixed)&^fixed)
	}
}

// moveFirst makes the moves of the first piece. The second piece blocks on each square where it may be.
func (g *layers) moveFirst(at spot, on squares) {
	kings, from := at.white|at.black, at.first
	if g.first.kind == legal.Knight {
		for x := leapsFrom(from) &^ kings; x != 0; x &= x - 1 {
			at.first = x & -x
			g.reach(&at, on&^at.first)
		}
		return
	}
	for _, way := range g.first.ways() {
		passed := squares(0)
		for x := way.shift(from) &^ kings; x != 0; x = way.shift(x) &^ kings {
			passed |= x
			at.first = x
			g.reach(&at, on&^passed)
		}
	}
}

// reach notes positions after a move.
func (g *layers) reach(at *spot, on squares) {
	if on == 0 {
		return
	}
	place := at.place()
	if g.next[place] == 0 {
		g.newly = append(g.newly, place)
	}
	g.next[place] |= on
}

// keep makes a layer of the legal positions that were not met before, and looks for a mate among them.
func (g *layers) keep() {
	for _, place := range g.newly {
		at := g.spot(place, 0)
		on := g.next[place] &^ g.seen[g.turn][place]
		g.next[place] = 0
		if on != 0 {
			on &= g.unattacked(&at, g.turn.Other())
		}
		if on == 0 {
			continue
		}
		g.seen[g.turn][place] |= on
		g.rows = append(g.rows, row{place, on})
		if g.turn == g.winner {
			continue
		}
		if checked := on &^ g.unattacked(&at, g.turn); checked != 0 {
			g.findMate(at, checked&g.caught(&at))
		}
	}
	g.newly = g.newly[:0]
}

// unattacked is the set of squares of the second piece with which the side's king is not attacked.
func (g *layers) unattacked(at *spot, side legal.Side) squares {
	king, other := at.kings(side)
	free := ^(king | other | at.first)
	if g.first.side == side.Other() && g.first.strikes(at.first, ^other)&king != 0 {
		free &= g.first.between(at.first, king)
	}
	if g.second.side == side.Other() {
		free &^= g.second.strikes(king, ^(other | at.first))
	}
	return free
}

// caught is the set of squares of the second piece with which the loser's king has no step. A step is free unless the
// winner attacks the square, looking through the king, or one of the loser's own pieces is there.
func (g *layers) caught(at *spot) squares {
	loser := g.winner.Other()
	king, other := at.kings(loser)
	left := ^(king | other | at.first)
	steps := beside(king) &^ around(other)
	if g.first.side == loser {
		steps &^= at.first
	}
	for ; steps != 0; steps &= steps - 1 {
		step := steps & -steps
		free := ^squares(0)
		if g.first.side == g.winner && g.first.strikes(at.first, ^other)&step != 0 {
			free = g.first.between(at.first, step)
		}
		if g.second.side == g.winner {
			free &^= g.second.strikes(step, ^(other | at.first&^step))
		} else {
			free &^= step
		}
		left &^= free
	}
	return left
}

// findMate looks for a mate among positions in which the loser's king is attacked and has no step.
func (g *layers) findMate(at spot, on squares) {
	setup := legal.Setup{Turn: g.turn, EnPassant: legal.NoSquare, FullMoves: 1}
	setup.Placement[at.white.first()&63], setup.Placement[at.black.first()&63] = legal.WhiteKing, legal.BlackKing
	if at.first != 0 {
		setup.Placement[at.first.first()&63] = legal.PieceOf(g.first.side, g.first.kind)
	}
	for ; on != 0; on &= on - 1 {
		at.second = on & -on
		set := setup
		set.Placement[at.second.first()&63] = legal.PieceOf(g.second.side, g.second.kind)
		if pos, err := set.Position(); err == nil && pos.Outcome() == legal.Checkmate {
			g.mate = at
			return
		}
	}
}

// line is the line of moves from the root to the mate, found backwards: each position of a layer was reached from one
// of the layer before it.
func (g *layers) line(pos legal.Position) []legal.Move {
	ways := make([]squares, len(g.ends)-1) // by move: the square that it leaves and the one that it goes to
	at, turn := g.mate, g.turn
	for layer := len(ways) - 1; layer >= 0; layer-- {
		turn = turn.Other()
		begin := 0
		if layer > 0 {
			begin = g.ends[layer-1]
		}
		for _, r := range g.rows[begin:g.ends[layer]] {
			if was, ok := g.before(&at, r, turn); ok {
				ways[layer] = was.occupied() ^ at.occupied()
				at = was
				break
			}
		}
	}
	line := make([]legal.Move, 0, len(ways))
	var list legal.MoveList
	for _, way := range ways {
		pos.Moves(&list)
		for _, m := range list.Slice() {
			if set(m.From())|set(m.To()) == way {
				line = append(line, m)
				pos = pos.After(m)
				break
			}
		}
	}
	return line
}

func (s *spot) occupied() squares { return s.white | s.black | s.first | s.second }

// before finds a position of the row from which one move of the side leads to the present one.
func (g *layers) before(now *spot, r row, side legal.Side) (was spot, ok bool) {
	was = g.spot(r.place, now.second)
	own, other := was.kings(side)
	king, otherNow := now.kings(side)
	switch {
	case other != otherNow || own != king && was.first != now.first:
		return was, false
	case own == king && was.first == now.first:
		was.second = r.on & g.second.strikes(now.second, ^(own|other|was.first))
		was.second &= -was.second
		return was, was.second != 0 && g.second.side == side
	case r.on&now.second == 0:
		return was, false
	case own != king:
		return was, beside(own)&king != 0
	}
	return was, g.first.side == side && g.first.strikes(was.first, ^(own|other|now.second))&now.first != 0
}

// everyWay is the directions of a rook and those of a bishop.
var everyWay = [8]direction{straight[0], straight[1], straight[2], straight[3], diagonal[0], diagonal[1], diagonal[2], diagonal[3]}

// ways is the directions in which a slider moves; none for other pieces.
func (m *piece) ways() []direction {
	switch m.kind {
	case legal.Queen:
		return everyWay[:]
	case legal.Rook:
		return everyWay[:4]
	case legal.Bishop:
		return everyWay[4:]
	}
	return nil
}

// between is the set of squares between a slider and a square that it attacks; empty for other pieces.
func (m *piece) between(from, to squares) squares {
	for _, way := range m.ways() {
		passed := squares(0)
		for x := way.shift(from); x != 0; x = way.shift(x) {
			if x == to {
				return passed
			}
			passed |= x
		}
	}
	return 0
}
