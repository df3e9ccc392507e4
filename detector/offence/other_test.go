package offence

import "testing"

func TestAnsweredBeforeThePress(t *testing.T) {
	const open = "start g1f3 d7d6"
	const stands = "rnbqkbnr/ppp1pppp/3p4/3N4/8/8/PPPPPPPP/RNBQKB1R b KQkq - 1 2"
	see(t, []sight{
		{"an illegal move and the reply", open, "-4 f3 -, -3 d5 N, -2 c7 -, -1 c6 p", "illegal.knight+reply certain white f3d5 f3,d5 → " + stands, ""},
		{"… the reply begun", open, "-4 f3 -, -3 d5 N, -2 c7 -", "illegal.knight certain white f3d5 f3,d5 → " + stands, ""},
		{"… the reply follows at once", open, "-0.5 f3 -, -0.4 d5 N, -0.3 c7 -, -0.2 c6 p", "illegal.knight+reply certain white f3d5", ""},
		{"… the reply takes the piece that moved", open, "-4 f3 -, -3 f5 N, -2 c8 -, -1 f5 b", "illegal.knight+reply certain white f3f5", ""},
		{"… too soon to be sure that he was put down", open, "-4 f3 -, -3 f5 N, -2.9 c8 -, -2.8 f5 b", "nothing", ""},
		{"… he was there for one scan only", open, "-4 f3 -, -3 f5 N, -2.8 f5 b, -2.7 c8 -", "nothing", ""},
		{"an unexchanged pawn and the reply", "8/P5k1/8/8/8/8/8/6K1 w - - 0 1", "-4 a7 -, -3 a8 P, -2 g7 -, -1 g6 k",
			"illegal.promo_incomplete+reply certain white a7a8 a7,a8 → Q7/6k1/8/8/8/8/8/6K1 b - - 0 1", ""},
		{"castling out of check and the reply", "4k3/8/8/8/4r3/8/8/4K2R w K - 0 1", "-6 e1 -, -5 g1 K, -4 h1 -, -3 f1 R, -2 e8 -, -1 e7 k",
			"illegal.castle_out_of_check+reply certain white e1g1", ""},
		{"a check not seen, and the reply takes en passant", "4k3/8/8/8/3pr3/8/2P5/4K3 w - - 0 1", "-5 c2 -, -4 c4 P, -3 d4 -, -2 c3 p, -1 c4 -",
			"illegal.left_in_check+reply certain white c2c4", ""},

		{"innocent: the reply is illegal too", open, "-4 f3 -, -3 d5 N, -2 c7 -, -1 b4 p", "illegal.knight certain white f3d5", ""},
		{"innocent: the mover's own piece is in the air", open, "-4 f3 -, -3 d5 N, -2 a2 -", "nothing", ""},
	})
}

func TestInTheHand(t *testing.T) {
	see(t, []sight{
		{"lifted, and put after the press", "start", "-1 e2 -, 0.9 e4 P",
			"irreg.press_before_done strong white e2e4 e2,e4 → rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", ""},
		{"lifted, and never put", "start", "-1 e2 -", "irreg.press_before_done strong white e2 open", "sensor.unreadable certain white e2"},
		{"both pieces of a capture in the air", "start e2e4 d7d5", "-2 d5 -, -1 e4 -", "irreg.press_before_done strong white e4,d5 open",
			"sensor.unreadable certain white e4,d5"},
		{"the victim lifted", "start e2e4 d7d5", "-2 d5 -", "irreg.press_before_done strong white d5 open", "sensor.unreadable certain white d5"},
		{"put after the press where it may not go", "start", "-1 e2 -, 0.9 e5 P", "irreg.press_before_done strong white e2,e5 open",
			"irreg.press_before_done strong white e2,e5"},

		{"innocent: put within one scan", "start", "-0.1 e2 -, 0.2 e4 P", "nothing", ""},
		{"innocent: put back", "start", "-1 e2 -, 0.9 e2 P", "nothing", ""},
		{"innocent: three pieces off the board", "start", "-1 e2 -, -1 d2 -, -1 d7 -", "nothing", ""},
	})
}

func TestUnreadable(t *testing.T) {
	const e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
	see(t, []sight{
		{"a move, and a pawn knocked over", "start", "-3 e2 -, -2 e4 P, -1 d2 -", "sensor.unreadable hint white e2e4 d2,e2,e4 → " + e4, ""},
		{"a move, and two pieces knocked over", "start", "-3 e2 -, -2 e4 P, -1 d2 -, -1 d1 -", "sensor.unreadable hint white e2e4 d1,d2,e2,e4 → " + e4, ""},
		{"a move of Black's, and his pawn knocked over", "start e2e4", "-3 e7 -, -2 e5 p, -1 d7 -",
			"sensor.unreadable hint black e7e5 e5,d7,e7 → rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2", ""},
		{"a double step that can still be taken en passant", "start e2e4 a7a6 e4e5", "-3 d7 -, -2 d5 p, -1 b7 -",
			"sensor.unreadable hint black d7d5 d5,b7,d7 → rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3", ""},
		{"which of two knights moved is not known", "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "-3 b1 -, -2 f3 -, -1 d2 N", "sensor.unreadable hint white b1,d2,f3", ""},
		{"… but for the order in which they left", "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "-3 b1 -, -2 d2 N, -1 f3 -",
			"sensor.unreadable hint white b1d2 b1,d2,f3 → 4k3/8/8/8/8/5N2/3N4/4K3 b - - 1 1", ""},
		{"a legal reading goes before an illegal one", "4k3/8/8/8/8/5N2/8/N3K3 w - - 0 1", "-3 a1 -, -2 f3 -, -1 d2 N",
			"sensor.unreadable hint white f3d2 a1,d2,f3", ""},
		{"innocent: stood up again", "start", "-4 e2 -, -3 e4 P, -2 d2 -, -1 d2 P", "nothing", ""},
	})
}

func TestSecondPiece(t *testing.T) {
	see(t, []sight{
		{"a pawn pushed aside", "4k3/8/8/8/8/8/3P4/4K3 w - - 0 1", "-3 e1 -, -2 f1 K, -1 d2 -, -1 c2 P",
			"irreg.displaced strong white e1f1 e1,f1,c2,d2 → 4k3/8/8/8/8/8/3P4/5K2 b - - 1 1", ""},
		{"a pawn pushed on while another moves", "start", "-3 e2 -, -2 e4 P, -1 d2 -, -1 d3 P",
			"irreg.displaced strong white e2e4 d2,e2,d3,e4 → rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", ""},
		{"two moves in one turn", "start", "-4 e2 -, -3 e4 P, -2 d2 -, -1 d4 P",
			"irreg.double_move certain white e2e4 d2,e2,d4,e4 → rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", ""},
		{"… the second needs the first", "start", "-4 e2 -, -3 e4 P, -2 f1 -, -1 e2 B",
			"irreg.double_move certain white e2e4 f1,e2,e4", ""},
		{"… the second one step only, and taken in hand", "start", "-4 e2 -, -3 e4 P, -2 d2 -, -1 d3 P",
			"irreg.double_move certain white e2e4 d2,e2,d3,e4", ""},
		{"… between which Black has moved out and back", "start e2e4 e7e5", "-3.4 g1 -, -3.0 f3 N, -2.6 b8 -, -2.3 a6 n, -1.5 d2 -, -1.3 d4 P, -0.8 a6 -, -0.6 b8 n", "nothing", ""},
		{"… and Black takes the second where it stood", "start e2e4 d7d5", "-1.4 b1 -, -1.0 c3 N, -0.6 e4 -, -0.2 g5 P", "nothing", ""},
		{"… the second as no knight goes", "start", "-4 e2 -, -3 e4 P, -2 g1 -, -1 d5 N", "irreg.double_move strong white e2e4", ""},
		{"… which was the first is not known", "start", "-4 e2 -, -3.9 d2 -, -3 d4 P, -2.9 e4 P", "irreg.double_move certain white d2,e2,d4,e4", ""},
		{"one step each, both in one scan: nothing can be said", "start", "-2 e2 -, -2 d2 -, -1.9 d3 P, -1.9 e3 P", "nothing", ""},
		{"innocent: a piece slid over his own pawn, which is gone", "start e2e4 e7e5", "-3 f1 -, -2 f2 -, -1 f3 B", "nothing", ""},
		{"innocent: castling", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "-4 e1 -, -3 g1 K, -2 h1 -, -1 f1 R", "nothing", ""},
		{"innocent: king and rook, no castling", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "-4 e1 -, -3 g1 K, -2 a1 -, -1 d1 R", "nothing", ""},
	})
}

func TestOutOfTurn(t *testing.T) {
	see(t, []sight{
		{"Black begins", "start", "-2 e7 -, -1 e5 p",
			"irreg.out_of_turn certain black e7e5 e5,e7 → rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", ""},
		{"Black begins with one step", "start", "-2 e7 -, -1 e6 p", "irreg.out_of_turn certain black e7e6", ""},
		{"later it is strong", "start e2e4", "-2 d2 -, -1 d4 P", "irreg.out_of_turn strong white d2d4 d2,d4 → rnbqkbnr/pppppppp/8/8/3PP3/8/PPP2PPP/RNBQKBNR b KQkq - 0 1", ""},
		{"… and an impossible move is no illegal one", "start g1f3", "-2 f3 -, -1 d5 N", "irreg.out_of_turn strong white f3d5", ""},
		{"castling out of turn", "4k3/8/8/8/8/8/8/4K2R b K - 0 1", "-4 e1 -, -3 g1 K, -2 h1 -, -1 f1 R", "irreg.out_of_turn strong white e1g1", ""},
		{"a piece pushed to where he could not go", "start e2e4", "-1 d2 -, -1 e2 P", "irreg.displaced hint black d2,e2", ""},
		{"innocent: a move and the reply", "start", "-4 e2 -, -3 e4 P, -2 e7 -, -1 e5 p", "nothing", ""},
	})
}
