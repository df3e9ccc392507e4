package clubplay

import (
	"cmp"
	"slices"

	"boardwatchd/internal/random"
	"boardwatchd/rules/legal"
)

// A Player plays like a club player. It keeps no state.
type Player struct{}

// Choose returns a move in the last position of a history, which must have one.
func (Player) Choose(r *random.Source, h *legal.History) legal.Move {
	pos := *h.Position()
	if m, ok := fromBook(r, &pos); ok {
		return m
	}
	var list legal.MoveList
	pos.Moves(&list)
	var all []candidate
	for _, m := range list.Slice() {
		after := pos.After(m)
		switch after.Outcome() {
		case legal.Checkmate:
			return m
		case legal.Ongoing:
			s := searcher{left: quietNodes}
			worth := -s.quiet(&after, -mate, mate) + habits(&pos, m) + int(r.Below(noise))
			if again := *h; worth > 0 { // the better side does not repeat the position
				again.Push(m)
				worth -= repeating * (again.Repetition() - 1)
			}
			all = append(all, candidate{m, worth})
		default:
			all = append(all, candidate{m, 0}) // a draw on the board
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(b.worth, a.worth) })
	for _, c := range all {
		if after := pos.After(c.move); !allowsMate(&after) {
			return c.move
		}
	}
	return all[0].move
}

type candidate struct {
	move  legal.Move
	worth int
}

// repeating is subtracted from a position that has occurred before.
const repeating = 80

// noise is the error of people's judgement: a quarter of a pawn.
const noise = 25

// fromBook draws one of the book's moves in a position, if the book has the position.
func fromBook(r *random.Source, pos *legal.Position) (legal.Move, bool) {
	moves := book()[key(pos)]
	if len(moves) == 0 {
		return 0, false
	}
	m, ok := pos.FindUCI(moves[r.Below(int64(len(moves)))])
	return m, ok
}

// allowsMate reports whether the side to move can mate at once.
func allowsMate(pos *legal.Position) bool {
	var list legal.MoveList
	pos.Moves(&list)
	for _, m := range list.Slice() {
		if after := pos.After(m); after.InCheck() && after.Outcome() == legal.Checkmate {
			return true
		}
	}
	return false
}

// pieceValues are the values of the pieces, in hundredths of a pawn.
var pieceValues = [...]int{legal.Pawn: 100, legal.Knight: 310, legal.Bishop: 330, legal.Rook: 500, legal.Queen: 900, legal.King: 0}

const mate = 100_000

// quietNodes limits the exchanges that are examined after one move.
const quietNodes = 400

// searcher examines exchanges.
type searcher struct{ left int }

// quiet is the value of a position for the side to move after all profitable captures.
func (s *searcher) quiet(pos *legal.Position, low, high int) int {
	var list legal.MoveList
	pos.Moves(&list)
	if list.Len() == 0 {
		if pos.InCheck() {
			return -mate
		}
		return 0
	}
	stand := balance(pos)
	if stand >= high || s.left <= 0 {
		return stand
	}
	low = max(low, stand)
	takes := make([]legal.Move, 0, 16)
	for _, m := range list.Slice() {
		if m.Captured() != legal.NoKind || m.Promotion() == legal.Queen {
			takes = append(takes, m)
		}
	}
	gain := func(m legal.Move) int { return pieceValues[m.Captured()]*8 - pieceValues[pos.PieceAt(m.From()).Kind()] }
	slices.SortStableFunc(takes, func(a, b legal.Move) int { return cmp.Compare(gain(b), gain(a)) })
	for _, m := range takes {
		s.left--
		after := pos.After(m)
		low = max(low, -s.quiet(&after, -high, -low))
		if low >= high {
			break
		}
	}
	return low
}

// Balance is the advantage of the side to move, in hundredths of a pawn.
func (Player) Balance(pos *legal.Position) int { return balance(pos) }

func balance(pos *legal.Position) (sum int) {
	placement := pos.Placement()
	for sq, p := range placement {
		if p == legal.NoPiece {
			continue
		}
		v := pieceValues[p.Kind()] + place(p, sq>>3, sq&7)
		if p.Side() != pos.Turn() {
			v = -v
		}
		sum += v
	}
	return sum
}

// place is the value of a square for a piece: the centre for minor pieces, the way to promotion for a pawn.
func place(p legal.Piece, rank, file int) int {
	centre := min(file, 7-file) + min(rank, 7-rank) // 0 to 6
	if p.Side() == legal.Black {
		rank = 7 - rank
	}
	switch p.Kind() {
	case legal.Pawn:
		return rank*rank + min(file, 7-file)*2
	case legal.Knight:
		return centre * 5
	case legal.Bishop:
		return centre * 3
	case legal.Queen:
		return centre
	case legal.Rook:
		if rank == 6 {
			return 15
		}
	}
	return 0
}

// habits is the value of a move apart from the resulting position: people castle, develop their pieces and leave the
// king where it is.
func habits(pos *legal.Position, m legal.Move) int {
	if m.IsCastling() {
		return 60
	}
	light := lightPieces(pos)
	piece := pos.PieceAt(m.From())
	switch home := m.From()>>3 == 0 || m.From()>>3 == 7; piece.Kind() {
	case legal.King:
		if light > 4 {
			return -40
		}
		rank, file := int(m.To()>>3), int(m.To()&7) // in an ending the king goes to the centre
		return 4 * (min(file, 7-file) + min(rank, 7-rank))
	case legal.Knight, legal.Bishop:
		if home {
			return 15
		}
	case legal.Queen:
		if light > 10 {
			return -20
		}
	case legal.Pawn:
		if file := m.From() & 7; light > 8 && (file == 0 || file >= 5) {
			return -12
		}
	}
	return 0
}

// lightPieces counts the pieces other than kings and pawns.
func lightPieces(pos *legal.Position) (n int) {
	placement := pos.Placement()
	for _, p := range placement {
		if p != legal.NoPiece && p.Kind() != legal.King && p.Kind() != legal.Pawn {
			n++
		}
	}
	return n
}

// key identifies a position of the book: the FEN without its counters.
func key(pos *legal.Position) string {
	fen := pos.FEN()
	for range 2 {
		for fen != "" && fen[len(fen)-1] != ' ' {
			fen = fen[:len(fen)-1]
		}
		fen = fen[:max(0, len(fen)-1)]
	}
	return fen
}
