package play

import (
	"math/bits"

	"boardwatchd/rules/legal"
)

// A node is a position with its placement and its successors, which are computed when first used.
type node struct {
	pos   legal.Position
	place legal.Placement
	next  []Successor
	made  bool
}

// A Successor is a legal move and the placement after it.
type Successor struct {
	Move  legal.Move
	Place legal.Placement
	Diff  uint64 // the squares that the move changes
}

func newNode(pos legal.Position) *node { return &node{pos: pos, place: pos.Placement()} }

func (n *node) turn() legal.Side { return n.pos.Turn() }

func (n *node) successors() []Successor {
	if !n.made {
		n.next, n.made = Successors(&n.pos), true
	}
	return n.next
}

// Successors returns all legal moves of a position.
func Successors(pos *legal.Position) []Successor {
	var list legal.MoveList
	pos.Moves(&list)
	from := pos.Placement()
	next := make([]Successor, 0, list.Len())
	for _, m := range list.Slice() {
		place := PlacementAfter(from, m)
		next = append(next, Successor{m, place, Difference(&from, &place)})
	}
	return next
}

// by returns the legal move that leads exactly to a placement. No two legal moves of one position lead to the same one.
func (n *node) by(place *legal.Placement) *Successor {
	if !couldBeOne(&n.place, place, n.turn()) {
		return nil
	}
	diff := Difference(&n.place, place)
	list := n.successors()
	for i := range list {
		if list[i].Diff == diff && list[i].Place == *place {
			return &list[i]
		}
	}
	return nil
}

func (n *node) after(s *Successor) *node { return newNode(n.pos.After(s.Move)) }

// standing returns the position with another placement and the given side to move; nil where it is no position.
// Castling rights are never given back.
func (n *node) standing(place *legal.Placement, turn legal.Side) *node {
	s := n.pos.Setup()
	if s.Turn == legal.Black && turn == legal.White {
		s.FullMoves++
	}
	s.Castling = KeptRights(&s, place)
	s.Placement, s.Turn, s.EnPassant = *place, turn, legal.NoSquare
	pos, err := s.Standing()
	if err != nil || Crowded(place) {
		return nil
	}
	return newNode(pos)
}

// Crowded reports whether a side has more pieces than at the start: one was laid down there, or is read on an empty
// square.
func Crowded(place *legal.Placement) bool {
	n := BySide(place)
	return max(n[legal.White], n[legal.Black]) > 16
}

// Surplus returns the squares of pieces that can have come from nowhere: a side has more of that kind than before, and
// no pawn was near enough to be promoted.
func Surplus(before, now *legal.Placement) (set uint64) {
	had, has := counts(before), counts(now)
	for _, s := range [...]legal.Side{legal.White, legal.Black} {
		pawn := legal.PieceOf(s, legal.Pawn)
		if has[pawn] > had[pawn] {
			set |= gained(before, now, pawn)
		}
		promoted := min(max(had[pawn]-has[pawn], 0), advanced(before, s))
		for k := legal.Knight; k <= legal.Queen; k++ {
			p := legal.PieceOf(s, k)
			if more := has[p] - had[p]; more > promoted {
				set |= gained(before, now, p)
			} else {
				promoted -= max(more, 0)
			}
		}
	}
	return set
}

// gained returns the squares on which a piece is now and was not before.
func gained(before, now *legal.Placement, p legal.Piece) (set uint64) {
	for sq := range now {
		if now[sq] == p && before[sq] != p {
			set |= 1 << sq
		}
	}
	return set
}

// advanced counts the pawns of a side that have passed the middle.
func advanced(place *legal.Placement, s legal.Side) (n int) {
	for sq, p := range place {
		if p == legal.PieceOf(s, legal.Pawn) && (legal.Square(sq).Rank() > 3) == (s == legal.White) {
			n++
		}
	}
	return n
}

// counts returns the number of each piece.
func counts(place *legal.Placement) (n [16]int) {
	for _, p := range place {
		n[p]++
	}
	return n
}

// BySide counts the pieces of each side.
func BySide(place *legal.Placement) (n [3]int) {
	for _, p := range place {
		n[p.Side()]++
	}
	return n
}

// KeptRights returns the castling rights of a position whose king and rook are still on their squares. A board never
// gives a right back (laws notes 1.3); it can only show that one is gone.
func KeptRights(s *legal.Setup, live *legal.Placement) (kept legal.Rights) {
	for _, side := range [...]legal.Side{legal.White, legal.Black} {
		home := legal.Square(0)
		if side == legal.Black {
			home = 56
		}
		king := legal.PieceOf(side, legal.King)
		rook := legal.PieceOf(side, legal.Rook)
		stays := false
		for f := legal.Square(0); f < 8; f++ {
			stays = stays || s.Placement[home+f] == king && live[home+f] == king
		}
		for f := 0; stays && f < 8; f++ {
			if s.Castling.Has(side, f) && live[home+legal.Square(f)] == rook {
				kept = kept.With(side, f)
			}
		}
	}
	return kept
}

// PlacementAfter returns the placement after a move.
func PlacementAfter(from legal.Placement, m legal.Move) legal.Placement {
	p := from
	mover := p[m.From()]
	p[m.From()] = legal.NoPiece
	switch {
	case m.IsCastling():
		rook := p[m.RookFrom()]
		p[m.RookFrom()] = legal.NoPiece
		p[m.To()] = mover
		p[m.RookTo()] = rook
		return p
	case m.IsEnPassant():
		p[m.EnPassantVictim()] = legal.NoPiece
	}
	if k := m.Promotion(); k != legal.NoKind {
		mover = legal.PieceOf(mover.Side(), k)
	}
	p[m.To()] = mover
	return p
}

// Difference returns the squares on which two placements differ. It is the function that is called most: it compares
// eight squares at once, as the bytes of one number.
func Difference(a, b *legal.Placement) (set uint64) {
	const low7, oneEach = 0x7f7f_7f7f_7f7f_7f7f, 0x0101_0101_0101_0101
	const gather = 0x0102_0408_1020_4080 // brings the lowest bits of eight bytes together in the highest byte
	for at := 0; at < len(a); at += 8 {
		x := eight((*[8]legal.Piece)(a[at:])) ^ eight((*[8]legal.Piece)(b[at:]))
		differs := ((x&low7 + low7) | x) >> 7 & oneEach // a one for each byte that is not 0
		set |= differs * gather >> 56 << at
	}
	return set
}

// eight returns eight squares as one number, the first one in the lowest byte.
func eight(p *[8]legal.Piece) uint64 {
	return uint64(p[0]) | uint64(p[1])<<8 | uint64(p[2])<<16 | uint64(p[3])<<24 |
		uint64(p[4])<<32 | uint64(p[5])<<40 | uint64(p[6])<<48 | uint64(p[7])<<56
}

// Count returns the number of squares in a set, one bit for each.
func Count(set uint64) int { return bits.OnesCount64(set) }

// Lowest returns the first square of a set that is not empty.
func Lowest(set uint64) legal.Square { return legal.Square(bits.TrailingZeros64(set)) }

// couldCapture reports whether a piece could capture from one square on another by the geometry of its move alone,
// whatever is between; a pawn on its fifth rank also captures beside itself, en passant.
func couldCapture(p legal.Piece, from, to legal.Square) bool {
	df, dr := to.File()-from.File(), to.Rank()-from.Rank()
	a, b := max(df, -df), max(dr, -dr)
	switch p.Kind() {
	case legal.Knight:
		return a*b == 2
	case legal.King:
		return max(a, b) == 1
	case legal.Pawn:
		ahead, fifth := 1, 4
		if p.Side() == legal.Black {
			ahead, fifth = -1, 3
		}
		return a == 1 && (dr == ahead || dr == 0 && from.Rank() == fifth)
	case legal.Rook:
		return a == 0 || b == 0
	case legal.Bishop:
		return a == b
	case legal.Queen:
		return a == b || a == 0 || b == 0
	}
	return false
}

// clear reports whether no piece is between two squares of a line.
func clear(place *legal.Placement, from, to legal.Square) bool {
	df, dr := to.File()-from.File(), to.Rank()-from.Rank()
	n := max(df, -df, dr, -dr)
	if df != 0 && dr != 0 && df != dr && df != -dr {
		return true // a knight
	}
	for i := 1; i < n; i++ {
		if place[legal.SquareOf(from.File()+df/n*i, from.Rank()+dr/n*i)] != legal.NoPiece {
			return false
		}
	}
	return true
}

// CountOf returns how many of a piece there are.
func CountOf(place *legal.Placement, p legal.Piece) (n int) {
	for _, is := range place {
		if is == p {
			n++
		}
	}
	return n
}

// SquareList lists the squares of a set, from a1 to h8.
func SquareList(set uint64) (list []legal.Square) {
	for ; set != 0; set &= set - 1 {
		list = append(list, Lowest(set))
	}
	return list
}
