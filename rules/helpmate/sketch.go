package helpmate

import "boardwatchd/rules/legal"

// A sketch is the picture of a mate that the quick walk goes for, and what every piece is worth on every square on the
// way there, the lower the better. The picture is the loser's king at the edge, the winner's king two steps before it,
// and a queen or a rook that gives check along the edge; for minor pieces the loser's king in a corner, and beside it
// one of its own pieces. It decides what is tried first and nothing else, and mates that look otherwise are taken as
// they come.
type sketch struct {
	edge
	haste  int     // how many quarters a half-move counts: 0 is the quickest to find something, 1 finds shorter lines
	helped bool    // pieces or pawns of the loser are of use
	greedy bool    // but for the king's steps, only captures and promotions of the winner come nearer
	spent  squares // where the loser's king went in earlier sketches of the question
	rows   [16][64]int8
}

// Rows of small numbers, filled once and never written again.
var (
	kingRow   = kingRows()   // twice the steps of a king to a square
	knightRow = knightRows() // twice the moves of a knight, and what a knight is worth that is needed
	bishopRow = bishopRows() // the same for a bishop
	pawnRow   = pawnRows()   // by side: what a pawn has to go
	flatRow   = flatRows()   // flatRow[v+32] is v everywhere
	edges     = allEdges()
	corners   = allCorners()
	nets      = allNets()
)

// An edge is where the kings stand in one picture. In a corner, too: where a piece of the loser stands in its own
// king's way, and where the winner's knight is of use.
type edge struct{ kingOfLoser, king, blocker, knight legal.Square }

func kingRows() (rows [64][64]int8) {
	for a := legal.A1; a < legal.NoSquare; a++ {
		for b := legal.A1; b < legal.NoSquare; b++ {
			rows[a][b] = int8(2 * distance(a, b))
		}
	}
	return rows
}

// needed is what a piece is worth without which there is no mate.
const needed = -24

func knightRows() (rows [64][64]int8) {
	for to := range rows {
		for s := range rows[to] {
			rows[to][s] = int8(needed + 2*int(leaps[s][to]))
		}
	}
	return rows
}

func bishopRows() (rows [64][64]int8) {
	for to := legal.A1; to < legal.NoSquare; to++ {
		for s := legal.A1; s < legal.NoSquare; s++ {
			switch {
			case s == to:
				rows[to][s] = needed
			case isDark(s) == isDark(to):
				rows[to][s] = needed + 2
			}
		}
	}
	return rows
}

func pawnRows() (rows [3][64]int8) {
	for s := legal.A1; s < legal.NoSquare; s++ {
		rows[legal.White][s] = int8(2*toPromotion(s, legal.White) - 4)
		rows[legal.Black][s] = int8(2*toPromotion(s, legal.Black) - 4)
	}
	return rows
}

func flatRows() (rows [64][64]int8) {
	for v := range rows {
		for s := range rows[v] {
			rows[v][s] = int8(v - 32)
		}
	}
	return rows
}

func flat(v int) [64]int8 { return flatRow[v+32] }

func allEdges() (list []edge) {
	add := func(file, rank, kingFile, kingRank int) {
		list = append(list, edge{kingOfLoser: legal.SquareOf(file, rank), king: legal.SquareOf(kingFile, kingRank)})
	}
	for i := range 8 {
		add(i, 0, i, 2)
		add(i, 7, i, 5)
		add(0, i, 2, i)
		add(7, i, 5, i)
	}
	return list
}

// allCorners is for one minor piece and a piece of the loser; from its square a knight is near.
func allCorners() (list []edge) {
	for _, corner := range [...]legal.Square{legal.A1, legal.H1, legal.A8, legal.H8} {
		list = append(list,
			edge{kingOfLoser: corner, king: inside(corner, 0, 2), blocker: inside(corner, 1, 0), knight: inside(corner, 3, 3)},
			edge{kingOfLoser: corner, king: inside(corner, 2, 0), blocker: inside(corner, 0, 1), knight: inside(corner, 3, 3)})
	}
	return list
}

// allNets is for two minor pieces with a bishop among them: the winner's king a knight's move from the corner, and a
// knight that reaches the last square by check.
func allNets() (list []edge) {
	for _, corner := range [...]legal.Square{legal.A1, legal.H1, legal.A8, legal.H8} {
		list = append(list,
			edge{kingOfLoser: corner, king: inside(corner, 1, 2), knight: inside(corner, 2, 3)},
			edge{kingOfLoser: corner, king: inside(corner, 2, 1), knight: inside(corner, 3, 2)})
	}
	return list
}

// inside is so many files and ranks from a corner.
func inside(corner legal.Square, files, ranks int) legal.Square {
	in, up := 1-2*(corner.File()/7), 1-2*(corner.Rank()/7)
	return legal.SquareOf(corner.File()+files*in, corner.Rank()+ranks*up)
}

// draw makes the sketch for a position. The weights were chosen by the positions visited on the test material: a
// queen or a rook outweighs any walk, taking pieces helps because it makes room, minor pieces are of no use.
func (k *sketch) draw(pos *legal.Position, mat material, winner legal.Side) {
	loser := winner.Other()
	minor := bareMinors(mat, winner)
	k.haste, k.helped, k.greedy = 0, minor, !minor && mat.need(winner) != needQueen
	if minor && mat.need(winner) == needMinors {
		k.haste = 1
	}
	switch {
	case !minor:
		k.choose(pos, winner, edges, ^squares(0))
	case k.haste > 0 && mat.of(winner)&^knights != 0:
		k.choose(pos, winner, nets, cornerColours(mat, winner))
	default:
		k.choose(pos, winner, corners, cornerColours(mat, winner))
	}
	for kind := legal.Pawn; kind < legal.King; kind++ {
		k.rows[legal.PieceOf(loser, kind)] = flat(3)
	}
	k.rows[legal.PieceOf(loser, legal.King)] = kingRow[k.kingOfLoser]
	k.rows[legal.PieceOf(winner, legal.King)] = kingRow[k.king]
	k.rows[legal.PieceOf(winner, legal.Queen)] = flat(-17)
	k.rows[legal.PieceOf(winner, legal.Rook)] = flat(-15)
	k.rows[legal.PieceOf(winner, legal.Bishop)] = flat(0)
	k.rows[legal.PieceOf(winner, legal.Knight)] = flat(0)
	k.rows[legal.PieceOf(winner, legal.Pawn)] = flat(-2)
	if mat.need(winner) == needQueen {
		k.rows[legal.PieceOf(winner, legal.Pawn)] = pawnRow[winner]
	}
	if minor {
		k.drawMinor(mat, winner)
	}
}

// bareMinors: the side has no other pieces.
func bareMinors(mat material, side legal.Side) bool {
	return mat.of(side)&(pawns|rooks|queens) == 0
}

// drawMinor is for minor pieces alone: they are needed, and mostly a piece of the loser is, who may have to come from a
// pawn.
func (k *sketch) drawMinor(mat material, winner legal.Side) {
	loser := winner.Other()
	k.rows[legal.PieceOf(winner, legal.Bishop)] = flat(needed)
	k.rows[legal.PieceOf(winner, legal.Knight)] = knightRow[k.knight]
	need := mat.need(winner)
	if need != needBlocker && need != needHelper {
		return
	}
	k.rows[legal.PieceOf(loser, legal.Knight)] = knightRow[k.blocker]
	k.rows[legal.PieceOf(loser, legal.Bishop)] = bishopRow[k.blocker]
	if mat.of(winner)&knights != 0 {
		k.rows[legal.PieceOf(loser, legal.Rook)] = flat(needed)
	}
	if need == needHelper {
		k.rows[legal.PieceOf(loser, legal.Pawn)] = pawnRow[loser]
	}
}

// cornerColours is the corners in which the winner's bishop can give check, or else a bishop of the loser can stand
// beside its king.
func cornerColours(mat material, winner legal.Side) squares {
	own, other := mat.of(winner), mat.of(winner.Other())
	light, dark := own&lightBishops != 0, own&darkBishops != 0
	if !light && !dark && other&knights == 0 {
		light, dark = other&darkBishops != 0, other&lightBishops != 0
	}
	switch {
	case light && !dark:
		return lightSquares
	case dark && !light:
		return ^squares(lightSquares)
	}
	return ^squares(0)
}

// choose takes the picture that is nearest to where the kings stand, as far as the pawns let them walk.
func (k *sketch) choose(pos *legal.Position, winner legal.Side, among []edge, colours squares) {
	var kingOfWinner, kingOfLoser ways
	kingOfWinner.fill(pos, winner)
	kingOfLoser.fill(pos, winner.Other())
	best := 1 << 20
	for i := range among {
		e := &among[i]
		far, near := int(kingOfWinner[e.king&63]), int(kingOfLoser[e.kingOfLoser&63])
		price := 5*max(far, near) + min(far, near)
		if k.spent&set(e.kingOfLoser) != 0 {
			price += 1 << 10
		}
		if colours&set(e.kingOfLoser) == 0 {
			price += 1 << 11
		}
		if price < best {
			best, k.edge = price, *e
		}
	}
	k.spent |= around(around(set(k.kingOfLoser)))
}

// ways is how many steps a king has to each square, far where there is none.
type ways [64]int8

// fill lets the side's king walk while all pawns stay where they are.
func (w *ways) fill(pos *legal.Position, side legal.Side) {
	for i := range w {
		w[i] = far
	}
	other := side.Other()
	open := ^squares(pos.Pieces(side, legal.Pawn)) &^ pawnStrikes(squares(pos.Pieces(other, legal.Pawn)), other)
	done, edge := squares(0), set(pos.KingSquare(side))
	for n := int8(0); edge != 0 && n < far; n++ {
		for x := edge; x != 0; x &= x - 1 {
			w[x.first()&63] = n
		}
		done |= edge
		edge = around(edge) & open &^ done
	}
}

// change is what a move adds to the sum over the board. In castling the rook is left out.
func (k *sketch) change(pos *legal.Position, m legal.Move) int {
	from, to := m.From(), m.To()
	moved := pos.PieceAt(from)
	sum := -int(k.rows[moved&15][from&63])
	if m.Captured() != legal.NoKind {
		at := m.Victim()
		sum -= int(k.rows[pos.PieceAt(at)&15][at&63])
	}
	if promotion := m.Promotion(); promotion != legal.NoKind {
		moved = legal.PieceOf(moved.Side(), promotion)
	}
	return sum + int(k.rows[moved&15][to&63])
}
