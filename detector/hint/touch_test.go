package hint

import "testing"

func TestTouchMove(t *testing.T) {
	checkHints(t, []hintCase{
		{"one pawn lifted and returned, another moved", startFEN, "e2 -, e2 P, d2 -, d4 P", "irreg.touch_move hint d2 e2 d4"},
		{"the same, and the touched piece could not have moved", startFEN, "a1 -, a1 R, d2 -, d4 P", ""},
		{"two pieces are put in order", startFEN, "e2 -, e2 P, g1 -, g1 N, d2 -, d4 P", ""},
		{"two pieces are put in order, one of which could not move", startFEN, "e2 -, e2 P, f1 -, f1 B, d2 -, d4 P", ""},
		{"the moved piece is put in order", startFEN, "d2 -, d2 P, d2 -, d4 P", ""},
		{"the moved piece and another one are put in order", startFEN, "e2 -, e2 P, d2 -, d2 P, d2 -, d4 P", ""},
		{"the moved piece was touched before the other", startFEN, "d2 -, e2 -, e2 P, d4 P", ""},
		{"a piece is put in order after the move", startFEN, "d2 -, d4 P, e2 -, e2 P", ""},
		{"which was first is within a scan", startFEN, "e2 -, +0.1 d2 -, e2 P, d4 P", ""},
		{"a square that flickers for a scan was not touched", startFEN, "e2 -, +0.25 e2 P, d2 -, d4 P", ""},
		{"a touch of a third of a second", startFEN, "e2 -, +0.34 e2 P, d2 -, d4 P", "irreg.touch_move hint d2 e2 d4"},
		{"a piece that was put on another square first was touched as well", startFEN, "e2 -, e4 P, +2 e4 -, e2 P, d2 -, d4 P",
			"irreg.touch_move hint d2 e2 d4"},
		{"a piece that was moved, another one after it, and the first one taken back", startFEN,
			"e2 -, e4 P, d2 -, d4 P, e4 -, e2 P", "irreg.touch_move hint d2 e2 d4"},
		{"both in the air: it is not known which is which", startFEN, "e2 -, d2 -, d4 P, e2 P", ""},
		{"a piece that went where it cannot go and came back", startFEN, "g1 -, g3 N, g3 -, g1 N, d2 -, d4 P",
			"irreg.touch_move hint g1 d2 d4"},
		{"the other rook before castling", castleFEN, "a1 -, a1 R, e1 -, g1 K, h1 -, f1 R",
			"irreg.touch_move hint a1 e1 f1 g1 h1"},
		{"the castling rook put in order before castling", castleFEN, "h1 -, h1 R, e1 -, g1 K, h1 -, f1 R", ""},
		{"the king touched, and a rook moved", castleFEN, "e1 -, e1 K, a1 -, a4 R", "irreg.touch_move hint a1 e1 a4"},
		{"a knock before the move looks like a touch", startFEN, "d2 -, d2 P, e2 -, e4 P", "irreg.touch_move hint d2 e2 e4"},
	})
}

func TestTouchOfTheOpponentsPieces(t *testing.T) {
	checkHints(t, []hintCase{
		{"a piece that could be taken, and was not", scandiFEN, "d5 -, d5 p, g1 -, f3 N", "irreg.touch_move hint g1 f3 d5"},
		{"a piece that could not be taken", startFEN, "e7 -, e7 p, d2 -, d4 P", ""},
		{"the captured piece is lifted first", scandiFEN, "d5 -, e4 -, d5 P", ""},
		{"the captured piece is lifted, returned and taken after all", scandiFEN, "d5 -, d5 p, d5 -, e4 -, d5 P", ""},
		{"a capture is tried, undone and played again with one hand", scandiFEN,
			"d5 -, e4 -, d5 P, d5 -, e4 P, d5 p, e4 -, d5 -, d5 P", ""},
		{"a capture is tried, undone, and something else played", scandiFEN,
			"d5 -, e4 -, d5 P, d5 -, e4 P, d5 p, g1 -, f3 N", "irreg.touch_move hint g1 f3 e4 d5"},
		{"a capture is tried, undone, and the pawn goes on", scandiFEN,
			"d5 -, e4 -, d5 P, d5 -, e4 P, d5 p, e4 -, e5 P",
			"irreg.touch_move hint e4 d5 e5; irreg.released_piece_moved hint e4 d5 e5"},
		{"in the hand's way: the moving pawn could take it", scandiFEN, "e4 -, d5 -, d5 p, e5 P", "irreg.touch_move hint e4 d5 e5"},
		{"in the hand's way: the moving piece cannot take it, another could", scandiFEN, "g1 -, d5 -, d5 p, f3 N", ""},
		{"after the move: the opponent's own affair", scandiFEN, "e4 -, e5 P, d5 -, d5 p", ""},
		{"two pieces of the opponent are put in order", scandiFEN, "d5 -, d5 p, e7 -, e7 p, g1 -, f3 N", ""},
		{"one piece of each colour that have nothing to do with each other", scandiFEN, "d5 -, d5 p, b1 -, b1 N, g1 -, f3 N", ""},
		{"one of each colour, the one can take the other", scandiFEN, "e4 -, e4 P, d5 -, d5 p, g1 -, f3 N",
			"irreg.touch_move hint g1 f3 e4 d5"},
		{"en passant: the pawn that could be taken is touched", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "d5 -, d5 p, e1 -, d1 K",
			"irreg.touch_move hint d1 e1 d5"},
		{"en passant: the right has expired", "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", "d5 -, d5 p, e1 -, d1 K", ""},
	})
}

func TestReleasedPiece(t *testing.T) {
	checkHints(t, []hintCase{
		{"put down on e3, then moved on to e4", startFEN, "e2 -, e3 P, +3 e3 -, e4 P", "irreg.released_piece_moved hint e2 e3 e4"},
		{"nine tenths of a second are enough", startFEN, "e2 -, e3 P, +0.9 e3 -, e4 P", "irreg.released_piece_moved hint e2 e3 e4"},
		{"a square that is slid over", startFEN, "e2 -, e3 P, +0.3 e3 -, e4 P", ""},
		{"a pause of half a second", startFEN, "e2 -, e3 P, +0.6 e3 -, e4 P", ""},
		{"back home and then on", startFEN, "e2 -, e3 P, +3 e3 -, e2 P, e2 -, e4 P", "irreg.released_piece_moved hint e2 e3 e4"},
		{"an illegal square binds nobody", startFEN, "g1 -, g3 N, +3 g3 -, f3 N", ""},
		{"on the same square in the end", startFEN, "e2 -, e4 P, +3 e4 -, e3 P, +3 e3 -, e4 P", ""},
		{"two squares on the way: the first counts", startFEN, "e2 -, e4 P, +3 e4 -, e3 P", "irreg.released_piece_moved hint e2 e3 e4"},
		{"the place is reported before the lift", startFEN, "e3 P, +0.1 e2 -, +3 e3 -, e4 P", "irreg.released_piece_moved hint e2 e3 e4"},
		{"another pawn was lifted too: it is not known which one stood there", startFEN, "d2 -, e2 -, e3 P, d2 P, +3 e3 -, e4 P", ""},
		{"illegal castling is turned into the other kind", "4k3/8/8/8/8/5r2/8/R3K2R w KQ - 0 1", "e1 -, g1 K, g1 -, c1 K, a1 -, d1 R", ""},
		{"legal castling is turned into the other kind", castleFEN, "e1 -, g1 K, g1 -, c1 K, a1 -, d1 R",
			"irreg.released_piece_moved hint a1 c1 d1 e1 g1"},
		{"the king rests on its way to castling", castleFEN, "e1 -, f1 K, +2 f1 -, g1 K, h1 -, f1 R",
			"irreg.released_piece_moved hint e1 f1 g1 h1"},
		{"a pawn that waits for its queen has not gone on", promoFEN, "a7 -, a8 P, +5 a8 -, a8 Q", ""},
		{"a capture is taken back for a quiet move", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4 -, d5 P, +2 d5 -, d5 p, e5 P",
			"irreg.released_piece_moved hint e4 d5 e5"},
	})
}
