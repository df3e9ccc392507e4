package offence

import (
	"testing"

	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

func TestOnePiece(t *testing.T) {
	const open = "start g1f3 d7d6"
	see(t, []sight{
		{"a knight goes two squares diagonally", open, "-2 f3 -, -1 d5 N",
			"illegal.knight certain white f3d5 f3,d5 → rnbqkbnr/ppp1pppp/3p4/3N4/8/8/PPPPPPPP/RNBQKB1R b KQkq - 1 2", ""},
		{"put before the lift is reported", open, "-1.1 d5 N, -1 f3 -", "illegal.knight certain white f3d5", ""},
		{"reported within one scan of the press", open, "-0.1 f3 -, 0.3 d5 N", "illegal.knight certain white f3d5", ""},
		{"a bishop that leaves its colour", "start e2e4 e7e5", "-2 f1 -, -1 c5 B", "illegal.bishop certain white f1c5", ""},
		{"a queen over a pawn", "start d2d4 d7d5", "-2 d1 -, -1 d6 Q", "illegal.jump certain white d1d6", ""},
		{"a rook on a diagonal", "8/8/4k3/6n1/8/3RK2P/8/8 w - - 0 1", "-2 d3 -, -1 c5 R", "illegal.rook certain white d3c5", ""},
		{"a queen as a knight goes", "8/8/4k3/8/8/3QK3/8/8 w - - 0 1", "-2 d3 -, -1 e5 Q", "illegal.queen certain white d3e5", ""},
		{"a king two squares ahead", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "-2 e1 -, -1 e3 K", "illegal.king certain white e1e3", ""},
		{"a pawn that captures straight ahead", "start e2e4 e7e5", "-3 e4 -, -2 e5 -, -1 e5 P",
			"illegal.pawn certain white e4e5 e4,e5 → rnbqkbnr/pppp1ppp/8/4P3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2", ""},
		{"a pawn sideways is no piece that was pushed", "start e2e4 e7e5", "-2 e4 -, -1 d4 P", "illegal.pawn certain white e4d4", ""},
		{"a pawn three squares", "start", "-2 e2 -, -1 e5 P", "illegal.pawn certain white e2e5", ""},
		{"a pawn two squares from the third rank", "start e2e3 e7e6", "-2 e3 -, -1 e5 P",
			"illegal.pawn certain white e3e5 e3,e5 → rnbqkbnr/pppp1ppp/4p3/4P3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2", ""},
		{"a bishop that captures as it does not move", "4k3/8/8/6n1/8/8/4B3/4K3 w - - 0 1", "-3 e2 -, -2 g5 -, -1 g5 B",
			"illegal.bishop certain white e2g5", ""},
		{"an own piece is captured", "start", "-3 c1 -, -2 d1 -, -1 c1 Q",
			"illegal.own_capture certain white d1c1 c1,d1 → rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNQ1KBNR b KQkq - 0 1", ""},
		{"a pinned rook leaves its line", "4r2k/8/8/8/8/8/4R3/4K3 w - - 0 1", "-2 e2 -, -1 a2 R",
			"illegal.exposes_king certain white e2a2 a2,e2 → 4r2k/8/8/8/8/8/R7/4K3 b - - 1 1", ""},
		{"a pinned pawn captures", "1r2k3/p6p/4pp2/5P2/6P1/1P6/P3R1K1/8 b - - 0 1", "-2 e6 -, -1 f5 p",
			"illegal.exposes_king certain black e6f5", ""},
		{"a check is not seen", "4k3/8/8/8/4r3/8/3P4/4K2R w K - 0 1", "-2 d2 -, -1 d3 P", "illegal.left_in_check certain white d2d3", ""},
		{"a king beside the other", "8/3k4/3P4/3K4/8/8/8/8 b - - 0 1", "-2 d7 -, -1 e7 k", "illegal.king_into_check certain black d7e7", ""},
		{"a king on an attacked square", "5K1k/7P/8/8/8/8/8/8 b - - 0 1", "-2 h8 -, -1 g8 k", "illegal.king_into_check certain black h8g8", ""},
		{"a king is taken, and what stands is no position", "6k1/5ppp/8/8/8/7P/4RPP1/r5K1 b - - 0 1", "-4 a1 -, -3 g1 -, -1 g1 r",
			"illegal.king_capture certain black a1g1 a1,g1", ""},
		{"a king is taken without an empty report", "6k1/5ppp/8/8/8/7P/4RPP1/r5K1 b - - 0 1", "-2 a1 -, -1 g1 r",
			"illegal.king_capture certain black a1g1 a1,g1", ""},
		{"a promotion that leaves the king in check", "4r2k/P7/8/8/8/8/8/4K3 w - - 0 1", "-2 a7 -, -1 a8 Q",
			"illegal.left_in_check certain white a7a8q", ""},
		{"a pawn exchanged where it may not go", "7k/P7/8/8/8/8/8/4K3 w - - 0 1", "-2 a7 -, -1 b8 Q", "illegal.pawn certain white a7b8q", ""},
		{"a double step that leaves the king in check can be answered en passant", "4k3/8/8/8/3pr3/8/2P5/4K3 w - - 0 1", "-2 c2 -, -1 c4 P",
			"illegal.left_in_check certain white c2c4 c2,c4 → 4k3/8/8/8/2Ppr3/8/8/4K3 b - c3 0 1", ""},
		{"a rook that moves illegally loses its right", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 9", "-2 a1 -, -1 b3 R",
			"illegal.rook certain white a1b3 a1,b3 → r3k2r/8/8/8/8/1R6/8/4K2R b Kkq - 4 9", ""},
		{"a rook that is taken illegally takes the right with it", "r3k2r/8/8/8/8/8/8/RN2K2R w KQkq - 3 9", "-2 b1 -, -1 a8 N",
			"illegal.knight certain white b1a8 b1,a8 → N3k2r/8/8/8/8/8/8/R3K2R b KQk - 0 9", ""},

		{"innocent: a legal move", open, "-2 f3 -, -1 d4 N", "nothing", ""},
		{"innocent: illegal on the way only", open, "-4 f3 -, -3 d5 N, -2 d5 -, -1 d4 N", "nothing", ""},
		{"innocent: nothing has moved", open, "-4 f3 -, -3 f3 N", "nothing", ""},
		{"innocent: another piece is missing as well", open, "-2 f3 -, -1 d5 N, -0.5 a2 -, -0.5 a7 -", "nothing", ""},
		{"innocent: an illegal move and a new piece", open, "-2 f3 -, -1 d5 N, -0.5 a4 N", "nothing", ""},
		{"innocent: a pawn takes, and another is pushed to where it stood", "4k3/8/4p3/3P4/4P3/8/8/4K3 w - - 0 1",
			"-4 e6 -, -3 d5 -, -2 e6 P, -1 e4 -, -1 d5 P", "irreg.displaced strong white d5e6", ""},
		{"the other pawn was only touched", "4k3/8/4p3/3P4/4P3/8/8/4K3 w - - 0 1",
			"-6 d5 -, -5 d5 P, -3 e4 -, -2 e6 -, -1 e6 P", "illegal.pawn certain white e4e6", ""},
		{"innocent: two pieces exchanged", "start", "-4 c1 -, -3 d1 -, -2 c1 Q, -1 d1 B", "nothing", ""},
		{"innocent: the piece reads as another", open, "-2 f3 -, -1 d5 B", "nothing", ""},
		{"innocent: a board that fell over", "start", "-2 a2 -, -2 b2 -, -2 c2 -, -2 d2 -, -2 e2 -, -2 f2 -, -2 g2 -, -2 h2 -, -2 e1 -", "nothing", ""},
	})
}

// TestOwnPieceThatIsNotRead: an own piece on a square that read empty before the turn has not been captured there.
func TestOwnPieceThatIsNotRead(t *testing.T) {
	for _, c := range []struct {
		what  string
		tweak func(*View)
		want  bool
	}{
		{"it was read there", func(*View) {}, true},
		{"the square read empty when the turn began", func(v *View) { v.Origin[2] = legal.NoPiece }, false},
		{"and when the record put it there", func(v *View) { v.ReadEmpty = 1 << 2 }, false},
	} {
		v := pressView(t, "start", "-2 d1 -, -1 c1 Q")
		c.tweak(v)
		if sh, ok := Classify(v); (ok && sh.Kind == kinds.IllegalOwnCapture) != c.want {
			t.Errorf("%s: %s", c.what, shapeLine(sh, ok))
		}
	}
}
