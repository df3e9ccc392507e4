package legal

// orthodoxNumber is the number of the ordinary array among the 960 (FIDE Laws, Guidelines II).
const orthodoxNumber = 518

// knightPairs lists the two knights' places among the five squares left, in Scharnagl's order.
var knightPairs = [10][2]int{{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 2}, {1, 3}, {1, 4}, {2, 3}, {2, 4}, {3, 4}}

// StartSetup returns the start position of a Chess960 number, 0 to 959; 518 is orthodox chess and is not
// marked Chess960. Any other number gives the zero Setup, which Position refuses.
func StartSetup(n int) Setup {
	if n < 0 || n > 959 {
		return Setup{EnPassant: NoSquare}
	}
	back := backRank(n)
	s := Setup{Turn: White, EnPassant: NoSquare, FullMoves: 1, Chess960: n != orthodoxNumber}
	for file, kind := range back {
		s.Placement[SquareOf(file, 0)] = PieceOf(White, kind)
		s.Placement[SquareOf(file, 1)] = WhitePawn
		s.Placement[SquareOf(file, 6)] = BlackPawn
		s.Placement[SquareOf(file, 7)] = PieceOf(Black, kind)
		if kind == Rook {
			s.Castling = s.Castling.With(White, file).With(Black, file)
		}
	}
	return s
}

// StartPosition returns the ordinary start of a game.
func StartPosition() Position {
	s := StartSetup(orthodoxNumber)
	p, _ := s.build()
	return p
}

// backRank decodes Scharnagl's numbering: light bishop, dark bishop, queen, knights, then R K R.
func backRank(n int) (back [8]Kind) {
	back[n%4*2+1] = Bishop
	n /= 4
	back[n%4*2] = Bishop
	n /= 4
	place(&back, n%6, Queen)
	n /= 6
	pair := knightPairs[n]
	place(&back, pair[1], Knight) // the later one first, so that the earlier keeps its place
	place(&back, pair[0], Knight)
	place(&back, 0, Rook)
	place(&back, 0, King)
	place(&back, 0, Rook)
	return back
}

// place puts the kind on the i-th square still free.
func place(back *[8]Kind, i int, k Kind) {
	for file := range back {
		if back[file] != NoKind {
			continue
		}
		if i == 0 {
			back[file] = k
			return
		}
		i--
	}
}

// Chess960Number returns the number of a back rank, from the a-file; false if it is not one of the 960
// (bishops on squares of different colours, the king between the rooks).
func Chess960Number(back [8]Kind) (int, bool) {
	for n := range 960 {
		if backRank(n) == back {
			return n, true
		}
	}
	return 0, false
}
