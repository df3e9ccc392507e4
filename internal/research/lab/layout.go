package lab

import "boardwatchd/rules/legal"

// A lane is one thing to do with the pieces of a set-up. Squares that are not used are NoSquare.
type lane struct {
	from, to         legal.Square
	victim           legal.Square
	rookFrom, rookTo legal.Square
	mover, taken     legal.Piece
	put, rook        legal.Piece
	back             bool // the next time it goes the other way: nothing has to be put back
	off              bool // from is beside the board
}

// spanned tells whether one hand can gather both pieces at once: over two squares and a little it can, 12 cm.
func (l lane) spanned() bool {
	if l.off {
		return false
	}
	file, rank := l.from.File()-l.to.File(), l.from.Rank()-l.to.Rank()
	return file*file+rank*rank <= 5
}

// layouts are the set-ups: few pieces that never stand in each other's way, so that a reset is one movement. The captures
// have the distances 1, 2, 4 and 7 (timing notes, 4.5), once along the files and once along the ranks: which of
// the two the board scans along is one of the questions.
var layouts = map[What][][]lane{
	Plain: {{
		toggle("R", "a1", "a6"), toggle("N", "g1", "f3"), toggle("B", "f1", "b5"),
		toggle("r", "h8", "h3"), toggle("n", "b8", "c6"), toggle("q", "d8", "d4"),
	}},
	Drop:  {{drop("e4"), drop("b2"), drop("g7"), drop("d5")}},
	Slide: {{toggle("R", "a4", "h4"), toggle("r", "e8", "e1")}},
	Capture: {
		{take("R", "a1", "p", "a2"), take("Q", "d1", "n", "d3"), take("B", "c1", "b", "g5"), take("R", "h1", "r", "h8")},
		{take("r", "a8", "N", "b8"), take("q", "h5", "B", "f5"), take("b", "c6", "P", "g2"), take("r", "a1", "R", "h1")},
	},
	Castling: {{
		castle("K", "e1", "g1", "R", "h1", "f1"), castle("K", "e1", "c1", "R", "a1", "d1"),
		castle("k", "e8", "g8", "r", "h8", "f8"), castle("k", "e8", "c8", "r", "a8", "d8"),
	}},
	Promotion: {{
		promote("P", "a7", "a8", "", "Q"), promote("P", "c7", "d8", "n", "Q"),
		promote("p", "h2", "h1", "", "q"), promote("p", "f2", "e1", "N", "q"),
	}},
	Press: {{toggle("N", "g1", "f3"), toggle("R", "a1", "a6"), toggle("B", "c1", "g5"), toggle("Q", "d1", "d4")}},
}

func lane0(piece, from, to string) lane {
	p := pieceOf(piece)
	none := legal.NoSquare
	return lane{from: squareOf(from), to: squareOf(to), victim: none, rookFrom: none, rookTo: none, mover: p, put: p}
}

func toggle(piece, from, to string) lane {
	l := lane0(piece, from, to)
	l.back = true
	return l
}

// drop sets a rook down from beside the board.
func drop(to string) lane {
	l := lane0("R", to, to)
	l.from, l.off = legal.NoSquare, true
	return l
}

func take(piece, from, victim, to string) lane {
	l := lane0(piece, from, to)
	l.victim, l.taken = l.to, pieceOf(victim)
	return l
}

func castle(king, from, to, rook, rookFrom, rookTo string) lane {
	l := lane0(king, from, to)
	l.rook, l.rookFrom, l.rookTo = pieceOf(rook), squareOf(rookFrom), squareOf(rookTo)
	return l
}

func promote(pawn, from, to, victim, queen string) lane {
	l := lane0(pawn, from, to)
	l.put = pieceOf(queen)
	if victim != "" {
		l.victim, l.taken = l.to, pieceOf(victim)
	}
	return l
}

// setUp is the board before the first card.
func setUp(lanes []lane) (t legal.Placement) {
	for _, l := range lanes {
		if !l.off {
			t[l.from] = l.mover
		}
		if l.victim < legal.NoSquare {
			t[l.victim] = l.taken
		}
		if l.rookFrom < legal.NoSquare {
			t[l.rookFrom] = l.rook
		}
	}
	return t
}

// turned is the lane as it stands on this board: one that goes back and forth goes from where the piece is.
func (l lane) turned(t *legal.Placement) lane {
	if l.back && t[l.from] == legal.NoPiece && t[l.to] == l.mover {
		l.from, l.to = l.to, l.from
	}
	return l
}

// after is the board when it was done.
func (l lane) after(t legal.Placement) legal.Placement {
	if !l.off {
		t[l.from] = legal.NoPiece
	}
	if l.victim < legal.NoSquare {
		t[l.victim] = legal.NoPiece
	}
	if l.rookFrom < legal.NoSquare {
		t[l.rookFrom] = legal.NoPiece
		t[l.rookTo] = l.rook
	}
	t[l.to] = l.put
	return t
}

// pieceOf and squareOf read the table above; what they cannot read is its fault.
func pieceOf(letter string) legal.Piece {
	for p := legal.Piece(1); p < 16; p++ {
		if p.Kind() != legal.NoKind && p.Side() != legal.NoSide && p.String() == letter {
			return p
		}
	}
	return legal.NoPiece
}

func squareOf(name string) legal.Square {
	sq, ok := legal.ParseSquare(name)
	if !ok {
		return legal.NoSquare
	}
	return sq
}

// rotated is the board seen from the other side.
func rotated(t legal.Placement) (r legal.Placement) {
	for sq, p := range t {
		r[63-sq] = p
	}
	return r
}
