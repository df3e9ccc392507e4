package rules

import (
	"slices"

	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

// mustPlay returns, in notation, the moves that touch-move allows as replacement of an illegal one; empty: any legal
// move (FIDE Laws 4.3 to 4.5, 4.7; US Chess rule 10). The target square of the illegal move itself does not count.
func (d *Docket) mustPlay(m *matter) []string {
	c := &m.c
	if d.blind || d.assisted || d.noTouch || c.Kind == kinds.IllegalNoMove {
		return nil
	}
	if !m.known.listed {
		m.known.listed, m.known.must = true, replacements(c)
	}
	return m.known.must
}

func replacements(c *Case) []string {
	pos := c.Before
	var list legal.MoveList
	pos.Moves(&list)
	touched := touches(c)
	rook := miscastledRook(c, touched)
	moves := with(list.Slice(), func(m legal.Move) bool { return m.IsCastling() && m.RookFrom() == rook })
	if moves == nil {
		moves = compulsory(&pos, list.Slice(), touched, c.Kind.Row().Castling || rook != legal.NoSquare)
	}
	var names []string
	for _, m := range moves {
		names = append(names, pos.SAN(m))
	}
	slices.Sort(names)
	return names
}

// miscastledRook returns the rook of a castling to wrong squares: king and rook were touched, and castling on that side
// is compulsory if it is legal (FIDE Laws 4.4.1). It returns NoSquare if the move was no such castling, or if the rook
// was touched first (4.4.2).
func miscastledRook(c *Case, touched []Touch) legal.Square {
	us := c.Before.Turn()
	if c.Kind != kinds.IllegalKing || len(touched) == 0 || touched[0].Piece != legal.PieceOf(us, legal.King) {
		return legal.NoSquare
	}
	for _, sq := range c.Squares {
		rook := legal.PieceOf(us, legal.Rook)
		if c.Before.PieceAt(sq) == rook && c.At[sq&63] != rook {
			return sq
		}
	}
	return legal.NoSquare
}

// touches returns the pieces touched, in order. Without an observed touch, it is the piece that was moved.
func touches(c *Case) []Touch {
	if len(c.UCI) < 4 || len(c.Touched) > 0 && !c.Answered {
		return c.Touched
	}
	if len(c.Touched) > 0 {
		return beforeReply(c)
	}
	from, ok := legal.ParseSquare(c.UCI[:2])
	if !ok || c.Before.PieceAt(from) == legal.NoPiece {
		return nil
	}
	return []Touch{{from, c.Before.PieceAt(from)}}
}

// beforeReply returns the touches that belong to the move and not to the opponent's answer, which stood on the board
// before the press: those up to the piece that moved, and the captured piece. Later lifts may have been by the
// opponent's hand.
func beforeReply(c *Case) (list []Touch) {
	moved := false
	for _, t := range c.Touched {
		name := t.Square.String()
		switch {
		case !moved:
			list = append(list, t)
			moved = name == c.UCI[:2]
		case name == c.UCI[2:4], t.Piece.Side() == c.Side && c.Kind.Row().Castling:
			list = append(list, t)
		}
	}
	if !moved {
		return c.Touched
	}
	return list
}

// compulsory returns the legal moves that the touched pieces allow; empty: any. The order of the articles: castling
// that was not allowed asks for a king's move (4.4.3); one own and one of the opponent's pieces, for that capture
// (4.3.3); else the first piece that can be moved or captured (4.3.1, 4.3.2); else nothing is compulsory (4.5).
func compulsory(pos *legal.Position, all []legal.Move, touched []Touch, castling bool) []legal.Move {
	us := pos.Turn()
	if castling && len(touched) > 0 && touched[0].Piece == legal.PieceOf(us, legal.King) {
		return with(all, func(m legal.Move) bool { return m.From() == touched[0].Square })
	}
	own, theirs := legal.NoSquare, legal.NoSquare
	for _, t := range touched {
		switch t.Piece.Side() {
		case us:
			if own == legal.NoSquare {
				own = t.Square
			}
		case us.Other():
			if theirs == legal.NoSquare {
				theirs = t.Square
			}
		}
	}
	if own != legal.NoSquare && theirs != legal.NoSquare {
		if list := with(all, func(m legal.Move) bool { return m.From() == own && m.Victim() == theirs }); list != nil {
			return list
		}
	}
	for _, t := range touched {
		list := with(all, func(m legal.Move) bool {
			if t.Piece.Side() == us {
				return m.From() == t.Square
			}
			return m.Victim() == t.Square
		})
		if list != nil {
			return list
		}
	}
	return nil
}

func with(all []legal.Move, is func(legal.Move) bool) (list []legal.Move) {
	for _, m := range all {
		if is(m) {
			list = append(list, m)
		}
	}
	return list
}
