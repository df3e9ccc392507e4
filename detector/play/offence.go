package play

import (
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

// An act is something other than a legal move that an image shows.
type act struct {
	arc   Arc
	kind  kinds.Kind
	place legal.Placement
	uci   string
}

// maxChanged bounds the squares that one offence can change.
const maxChanged = 8

// acts lists the offences of the side to move that can have led to the image.
func (n *node) acts(image *legal.Placement) (list []act) {
	d := Difference(&n.place, image)
	if d == 0 {
		return []act{{ArcNoMove, kinds.IllegalNoMove, n.place, ""}}
	}
	if Count(d) > maxChanged {
		return nil
	}
	list = n.castlings(image, list)
	me := n.turn()
	for set := d; set != 0; set &= set - 1 {
		from := Lowest(set)
		p := n.place[from]
		if p.Side() != me {
			continue
		}
		if p.Kind() == legal.Pawn {
			list = n.openPromotions(from, image, list)
		}
		for to := d; to != 0; to &= to - 1 {
			list = n.transfers(from, Lowest(to), d, image, list)
		}
	}
	return append(list, act{ArcNoMove, kinds.IllegalNoMove, n.place, ""})
}

// castlings adds castlings that are not legal, with king and rook on their squares after it.
func (n *node) castlings(image *legal.Placement, list []act) []act {
	me := n.turn()
	home := legal.SquareOf(4, 0)
	if me == legal.Black {
		home = legal.SquareOf(4, 7)
	}
	king, rook := legal.PieceOf(me, legal.King), legal.PieceOf(me, legal.Rook)
	for _, c := range [2][3]legal.Square{{home + 2, home + 3, home + 1}, {home - 2, home - 4, home - 1}} {
		to, rookFrom, rookTo := c[0], c[1], c[2]
		if n.place[home] != king || image[to] != king || image[rookTo] != rook || n.place[rookFrom] != rook || image[home] != legal.NoPiece {
			continue
		}
		place := n.place
		place[home], place[rookFrom], place[to], place[rookTo] = legal.NoPiece, legal.NoPiece, king, rook
		if n.by(&place) == nil {
			uci := home.String() + to.String()
			list = append(list, act{ArcOffence, n.kindOf(uci), place, uci})
		}
	}
	return list
}

// openPromotions adds promotions that the image does not show complete.
func (n *node) openPromotions(from legal.Square, image *legal.Placement, list []act) []act {
	for _, s := range n.successors() {
		if s.Move.Promotion() != legal.Queen || s.Move.From() != from {
			continue
		}
		to := s.Move.To()
		is := image[to]
		side := n.turn()
		if is == legal.NoPiece || is == legal.PieceOf(side, legal.Pawn) || is == legal.PieceOf(side, legal.King) || is.Side() != side && is != n.place[to] {
			place := s.Place
			place[to] = is
			list = append(list, act{ArcPromotionOpen, kinds.IllegalPromoIncomplete, place, from.String() + to.String()})
		}
	}
	return list
}

// transfers adds one piece on another square, and the same with a pawn beside it missing as if captured en passant.
func (n *node) transfers(from, to legal.Square, d uint64, image *legal.Placement, list []act) []act {
	p, old := n.place[from], n.place[to]
	if to == from || old.Side() == n.turn() || old.Kind() == legal.King || image[to] != p || promotes(p, from, to) {
		return list
	}
	a := act{arc: ArcOffence, place: n.place, uci: from.String() + to.String()}
	a.place[from], a.place[to] = legal.NoPiece, p
	if n.by(&a.place) != nil {
		return list
	}
	a.kind = n.kindOf(a.uci)
	list = append(list, a)
	victim := legal.SquareOf(to.File(), from.Rank())
	if p.Kind() != legal.Pawn || old != legal.NoPiece || from.File() == to.File() || d>>victim&1 == 0 || image[victim] != legal.NoPiece {
		return list
	}
	a.place[victim] = legal.NoPiece
	if n.by(&a.place) == nil {
		list = append(list, a)
	}
	return list
}

// promotes reports whether a pawn moves to the last rank: openPromotions handles that.
func promotes(p legal.Piece, from, to legal.Square) bool {
	return p.Kind() == legal.Pawn && (to.Rank() == 0 || to.Rank() == 7) && (from.Rank() == 1 || from.Rank() == 6)
}

// kindOf returns the offence of a transfer.
func (n *node) kindOf(uci string) kinds.Kind {
	v := n.pos.Explain(uci)
	if v.Kind == "" {
		return kinds.IllegalCastleKingOnly // the king's move of a legal castling, without the rook's
	}
	return v.Kind
}
