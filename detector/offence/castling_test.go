package offence

import (
	"slices"
	"testing"
)

func TestCastling(t *testing.T) {
	const kingside = "-4 e1 -, -3 g1 K, -2 h1 -, -1 f1 R"
	const queenside = "-4 e1 -, -3 c1 K, -2 a1 -, -1 d1 R"
	see(t, []sight{
		{"out of check", "4k3/8/8/8/4r3/8/8/4K2R w K - 0 1", kingside,
			"illegal.castle_out_of_check certain white e1g1 e1,f1,g1,h1 → 4k3/8/8/8/4r3/8/8/5RK1 b - - 1 1", ""},
		{"through an attacked square", "4k3/8/8/8/8/5r2/8/4K2R w K - 0 1", kingside, "illegal.castle_through_check certain white e1g1", ""},
		{"into check", "4k3/8/8/8/8/6r1/8/4K2R w K - 0 1", kingside, "illegal.castle_into_check certain white e1g1", ""},
		{"over a piece of one's own", "4k3/8/8/8/8/8/8/RN2K3 w Q - 0 1", queenside, "illegal.castle_blocked certain white e1c1", ""},
		{"over a piece of the opponent's", "4k3/8/8/8/8/8/8/Rn2K3 w Q - 0 1", queenside, "illegal.castle_blocked certain white e1c1", ""},
		{"a piece of one's own is taken off for it", "4k3/8/8/8/8/8/8/4K1NR w K - 0 1", "-5 g1 -, " + kingside,
			"illegal.castle_blocked certain white e1g1", ""},
		{"a piece of one's own is taken off for the rook", "4k3/8/8/8/8/8/8/4KB1R w K - 0 1", "-5 f1 -, " + kingside,
			"illegal.castle_blocked certain white e1g1", ""},
		{"queenside out of check, by Black", "r3k3/8/8/8/4R3/8/8/4K3 b q - 0 1", "-4 e8 -, -3 c8 k, -2 a8 -, -1 d8 r",
			"illegal.castle_out_of_check certain black e8c8", ""},
		{"the right was never there", "4k3/8/8/8/8/8/8/4K2R w - - 0 1", kingside, "illegal.castle_right_lost certain white e1g1", ""},
		{"from a wrong array, over two squares", "4k3/8/8/8/8/8/8/3K3R w - - 0 1", "-4 d1 -, -3 f1 K, -2 h1 -, -1 e1 R",
			"illegal.castle_right_lost certain white d1f1", ""},
		{"from a wrong array, to the usual square", "4k3/8/8/8/8/8/8/3K3R w - - 0 1", "-4 d1 -, -3 g1 K, -2 h1 -, -1 f1 R",
			"illegal.castle_right_lost certain white d1g1", ""},
		{"rook first is the same", "4k3/8/8/8/4r3/8/8/4K2R w K - 0 1", "-4 h1 -, -3 f1 R, -2 e1 -, -1 g1 K",
			"illegal.castle_out_of_check certain white e1g1", ""},

		{"the king alone", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "-2 e1 -, -1 g1 K",
			"illegal.castle_king_only certain white e1g1 e1,f1,g1,h1 open → 4k3/8/8/8/8/8/8/6KR b - - 1 1",
			"illegal.castle_king_only certain white e1g1 e1,f1,g1,h1 → 4k3/8/8/8/8/8/8/6KR b - - 1 1"},
		{"the king alone, to the queenside", "r3k3/8/8/8/8/8/8/4K3 b q - 0 1", "-2 e8 -, -1 c8 k",
			"illegal.castle_king_only certain black e8c8 a8,c8,d8,e8 open", "illegal.castle_king_only certain black e8c8"},
		{"the king alone where castling was forbidden", "4k3/8/8/8/8/5r2/8/4K2R w K - 0 1", "-2 e1 -, -1 g1 K",
			"illegal.castle_through_check certain white e1g1 e1,g1 → 4k3/8/8/8/8/5r2/8/6KR b - - 1 1", ""},
		{"the king alone, the rook after the press", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "-2 e1 -, -1 g1 K, 0.6 h1 -, 0.9 f1 R",
			"irreg.press_before_done strong white e1g1 e1,g1,h1 → 4k3/8/8/8/8/8/8/5RK1 b - - 1 1", ""},

		{"innocent: castling", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", kingside, "nothing", ""},
		{"innocent: the rook alone", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "-2 h1 -, -1 f1 R", "nothing", ""},
		{"innocent: castled to the other side instead", "4k3/8/8/8/8/5r2/8/R3K2R w KQ - 0 1",
			"-9 e1 -, -8 g1 K, -7 g1 -, -6 c1 K, -5 a1 -, -4 d1 R", "nothing", ""},
		{"the rook is right, and the king is beside its square and was never on it", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "-4 e1 -, -3 h1 -, -2 h1 K, -1 f1 R",
			"illegal.king strong white e1h1 e1,f1,h1 open", "illegal.king strong white e1h1 e1,f1,h1 → 4k3/8/8/8/8/8/8/5R1K b - - 1 1"},
		{"innocent: castled, and then the king went on", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "-6 e1 -, -5 g1 K, -4 h1 -, -3 f1 R, -2 g1 -, -1 h1 K",
			"nothing", ""},
		{"innocent: the king has passed its square, and which came first is not known", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "-6 e1 -, -5 g1 K, -4 h1 -, -3 g1 -, -2 h1 K, -1 f1 R",
			"nothing", ""},
		{"king and rook have changed their squares, both in the air together", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "-4 e1 -, -3 h1 -, -2 f1 K, -1 g1 R",
			"illegal.king strong white e1f1 e1,f1,g1,h1 open", "illegal.king strong white e1f1 e1,f1,g1,h1 → 4k3/8/8/8/8/8/8/5KR1 b - - 1 1"},
		{"innocent: a step of the king, and then the rook's move beside it", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "-4 e1 -, -3 f1 K, -2 h1 -, -1 g1 R",
			"irreg.double_move certain", ""},
		{"the king is right, the rook on the far side of it, both in the air together", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "-4 e1 -, -3 a1 -, -2 c1 K, -1 b1 R",
			"illegal.king strong white e1c1 a1,b1,c1,e1 open", "illegal.king strong white e1c1 a1,b1,c1,e1 → 4k3/8/8/8/8/8/8/1RK5 b - - 1 1"},
		{"king and rook both beside where castling puts them", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "-4 e1 -, -3 h1 -, -2 h1 K, -1 g1 R",
			"illegal.king certain white e1h1 e1,g1,h1 open → 4k3/8/8/8/8/8/8/6RK b - - 1 1",
			"illegal.king certain white e1h1 e1,g1,h1 → 4k3/8/8/8/8/8/8/6RK b - - 1 1"},
		{"… where there is no right to castle", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "-4 e1 -, -3 a1 -, -2 b1 K, -1 c1 R",
			"illegal.king certain white e1b1 a1,b1,c1,e1 open → 4k3/8/8/8/8/8/8/1KR5 b - - 1 1",
			"illegal.king certain white e1b1 a1,b1,c1,e1 → 4k3/8/8/8/8/8/8/1KR5 b - - 1 1"},
		{"the rook is right, the king is not, to the queenside", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "-4 e1 -, -3 a1 -, -2 b1 K, -1 d1 R",
			"illegal.king strong white e1b1 a1,b1,d1,e1 open", "illegal.king strong white e1b1 a1,b1,d1,e1"},
		{"the king is right, the rook went to his square and was never on its own", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "-4 e1 -, -3 g1 K, -2 h1 -, -1 e1 R",
			"illegal.king strong white e1g1 e1,g1,h1 open", "illegal.king strong white e1g1 e1,g1,h1 → 4k3/8/8/8/8/8/8/4R1K1 b - - 1 1"},
		{"castled, and then a second move with the rook", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "-6 e1 -, -5 g1 K, -4 h1 -, -3 f1 R, -2 f1 -, -1 e1 R",
			"irreg.double_move certain", ""},
		{"innocent: king and rook have not passed each other", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "-4 e1 -, -3 d1 K, -2 a1 -, -1 c1 R",
			"irreg.double_move certain", ""},
		{"the rook in the hand", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "-3 e1 -, -2 g1 K, -1 h1 -",
			"irreg.press_before_done strong white e1,g1,h1 open",
			"sensor.unreadable certain white e1g1 e1,g1,h1 → 4k3/8/8/8/8/8/8/5RK1 b - - 1 1"},
		{"the king in the hand", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "-3 h1 -, -2 f1 R, -1 e1 -",
			"irreg.press_before_done strong white e1,f1,h1 open", "sensor.unreadable certain white e1,f1,h1"},
		{"both in the air", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "-3 e1 -, -2 h1 -",
			"irreg.press_before_done strong white e1,h1 open", "sensor.unreadable certain white e1,h1"},
	})
}

func TestCastlingInChess960(t *testing.T) {
	see(t, []sight{
		{"through check, king and rook exchanged", "4k3/8/8/8/8/8/6r1/5KR1 w G - 0 1", "-4 f1 -, -3 g1 -, -2 g1 K, -1 f1 R",
			"illegal.castle_into_check certain white f1g1 f1,g1", ""},
		{"the right is lost, and only the rook moves: over the king", "4k3/8/8/8/8/8/8/1R4KR w B - 0 1", "-2 h1 -, -1 f1 R",
			"illegal.castle_right_lost certain white g1h1 f1,g1,h1", ""},
		{"blocked, to the queenside", "4k3/8/8/8/8/8/8/1RN3K1 w B - 0 1", "-4 g1 -, -3 c1 -, -3 c1 K, -2 b1 -, -1 d1 R",
			"illegal.castle_blocked certain white g1b1", ""},
		{"the king alone", "4k3/8/8/8/8/8/8/1R3K2 w B - 0 1", "-2 f1 -, -1 c1 K",
			"illegal.castle_king_only certain white f1b1 b1,c1,d1,f1 open", "illegal.castle_king_only certain white f1b1"},
		{"innocent: castled, the king off the board meanwhile", "4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "-4 f1 -, -3 g1 -, -2 f1 R, -1 g1 K", "nothing", ""},
		{"innocent: castled, only the rook moves", "4k3/8/8/8/8/8/8/6KR w H - 0 1", "-2 h1 -, -1 f1 R", "nothing", ""},
		{"innocent: castled, only the king moves", "4k3/8/8/8/8/8/8/4KR2 w F - 0 1", "-2 e1 -, -1 g1 K", "nothing", ""},
		{"innocent: a step of the king", "4k3/8/8/8/8/8/8/1R3K2 w B - 0 1", "-2 f1 -, -1 g1 K", "nothing", ""},
		{"the king on the rook's square, the rook in the hand", "4k3/8/8/8/8/8/8/4K1R1 w G - 0 1", "-3 g1 -, -2 e1 -, -1 g1 K",
			"irreg.press_before_done strong white e1,g1 open", "sensor.unreadable certain white e1g1 e1,g1 →"},
	})
}

func TestALostRightIsCitedFromTheGame(t *testing.T) {
	const castled = "-4 e1 -, -3 g1 K, -2 h1 -, -1 f1 R"
	for _, c := range []struct{ name, start, article string }{
		{"the king has moved", "start e2e4 e7e5 g1f3 b8c6 f1e2 g8f6 e1f1 f8e7 f1e1 a7a6", "3.8.2.1.1"},
		{"the rook has moved", "start e2e4 e7e5 g1f3 b8c6 f1e2 g8f6 h1g1 f8e7 g1h1 a7a6", "3.8.2.1.2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, ok := Classify(pressView(t, c.start, castled))
			if !ok || s.Kind != "illegal.castle_right_lost" || !slices.Equal(s.Articles, []string{c.article}) {
				t.Errorf("%s, articles %v, and not %s", shapeLine(s, ok), s.Articles, c.article)
			}
		})
	}
}
