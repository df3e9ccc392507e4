package lab

import (
	"boardwatchd/detector/hands"
	"boardwatchd/internal/research/populations"
	"boardwatchd/rules/legal"
)

// A lane is one manipulation of the pieces of a set-up. Unused squares are NoSquare; so is From of a piece beside the
// board.
type lane struct {
	hands.Handling
	back bool // it goes back and forth
}

// spanned reports whether one hand can gather both pieces at once: the limit is 12 cm, a little over two squares.
func (l lane) spanned() bool {
	file, rank := l.From.File()-l.To.File(), l.From.Rank()-l.To.Rank()
	return file*file+rank*rank <= 5
}

// layouts are the set-ups: few pieces that never block each other, so that a reset is one movement. The captures have
// the distances 1, 2, 4 and 7 (timing notes, 4.5), once along the files and once along the ranks: it is not known in
// which direction the board scans.
var layouts = map[What][][]lane{
	Plain:     {lanes("Ra1a6", "Ng1f3", "Bf1b5", "rh8h3", "nb8c6", "qd8d4")},
	Drop:      {lanes("R--e4", "R--b2", "R--g7", "R--d5")},
	Slide:     {lanes("Ra4h4", "re8e1")},
	Capture:   {lanes("Ra1a2p", "Qd1d3n", "Bc1g5b", "Rh1h8r"), lanes("ra8b8N", "qh5f5B", "bc6g2P", "ra1h1R")},
	Castling:  {lanes("Ke1g1h1f1", "Ke1c1a1d1", "ke8g8h8f8", "ke8c8a8d8")},
	Promotion: {lanes("Pa7a8-Q", "Pc7d8nQ", "ph2h1-q", "pf2e1Nq")},
	Press:     {lanes("Ng1f3", "Ra1a6", "Bc1g5", "Qd1d4")},
}

// lanes parses entries of layouts: the piece, from, to; and the captured piece, the promotion piece, or the rook's way.
func lanes(words ...string) (list []lane) {
	for _, w := range words {
		d := hands.Handling{Mover: pieceOf(w[:1]), From: squareOf(w[1:3]), To: squareOf(w[3:5]), Victim: legal.NoSquare, RookFrom: legal.NoSquare, RookTo: legal.NoSquare}
		d.Put = d.Mover
		switch len(w) {
		case 9:
			d.RookFrom, d.RookTo = squareOf(w[5:7]), squareOf(w[7:])
		case 7:
			d.Put = pieceOf(w[6:])
			fallthrough
		case 6:
			if d.Taken = pieceOf(w[5:6]); d.Taken != legal.NoPiece {
				d.Victim = d.To
			}
		}
		list = append(list, lane{d, len(w) == 5 && d.From < legal.NoSquare})
	}
	return list
}

// pieceOf reads a letter; NoPiece for others.
func pieceOf(letter string) legal.Piece {
	return populations.Piece(func(p legal.Piece) bool { return p.String() == letter })
}

func squareOf(name string) legal.Square {
	if sq, ok := legal.ParseSquare(name); ok {
		return sq
	}
	return legal.NoSquare
}

// set puts a piece on a square, unless that is NoSquare.
func set(t *legal.Placement, sq legal.Square, p legal.Piece) {
	if sq < legal.NoSquare {
		t[sq] = p
	}
}

// rook returns the castling rook.
func (l lane) rook() legal.Piece { return legal.PieceOf(l.Mover.Side(), legal.Rook) }

// before returns the board that the lane needs, with its other squares empty.
func (l lane) before(t legal.Placement) legal.Placement {
	set(&t, l.To, legal.NoPiece)
	set(&t, l.RookTo, legal.NoPiece)
	set(&t, l.Victim, l.Taken)
	set(&t, l.From, l.Mover)
	set(&t, l.RookFrom, l.rook())
	return t
}

// setUp returns the board before the first card.
func setUp(list []lane) (t legal.Placement) {
	for _, l := range list {
		t = l.before(t)
	}
	return t
}
