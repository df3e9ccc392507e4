package hint

import "testing"

func TestRookFirst(t *testing.T) {
	checkHints(t, []hintCase{
		{"the rook is moved first", castleFEN, "h1 -, f1 R, e1 -, g1 K", "irreg.rook_first strong e1 f1 g1 h1"},
		{"the rook is lifted first", castleFEN, "h1 -, +0.4 e1 -, +0.1 g1 K, +0.1 f1 R", "irreg.rook_first strong e1 f1 g1 h1"},
		{"the king first", castleFEN, "e1 -, g1 K, h1 -, f1 R", ""},
		{"both lifted within a scan: the order is not known", castleFEN, "h1 -, +0.2 e1 -, +0.2 g1 K, +0.1 f1 R", ""},
		{"one report of the king is missing", castleFEN, "h1 -, f1 R, g1 K, +0.1 e1 -", "irreg.rook_first strong e1 f1 g1 h1"},
		{"the rook put in order, then the king first", castleFEN, "h1 -, h1 R, e1 -, g1 K, h1 -, f1 R", ""},
		{"the rook put in order, then the rook first", castleFEN, "h1 -, h1 R, h1 -, f1 R, e1 -, g1 K",
			"irreg.rook_first strong e1 f1 g1 h1"},
		{"the rook went to f1 and back, then the king first", castleFEN, "h1 -, f1 R, f1 -, h1 R, e1 -, g1 K, h1 -, f1 R",
			"irreg.rook_first strong e1 f1 g1 h1"},
		{"the king put in order, then the rook first: the king was touched before", castleFEN,
			"e1 -, e1 K, h1 -, f1 R, e1 -, g1 K", ""},
		{"queenside", castleFEN, "a1 -, d1 R, e1 -, c1 K", "irreg.rook_first strong a1 c1 d1 e1"},
		{"Chess960: less sure", "4k3/8/8/8/8/8/8/1R2K3 w B - 0 1", "b1 -, d1 R, e1 -, c1 K", "irreg.rook_first hint b1 c1 d1 e1"},
		{"Chess960: the rook stands where the king goes", "4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "g1 -, +0.5 f1 -, g1 K, f1 R", ""},
		{"Chess960: the king does not move", "4k3/8/8/8/8/8/8/6KR w H - 0 1", "h1 -, f1 R", ""},
		{"Chess960: the king does not move and is put in order", "4k3/8/8/8/8/8/8/6KR w H - 0 1", "h1 -, f1 R, g1 -, g1 K", ""},
		{"Chess960: the rook does not move", "4k3/8/8/8/8/8/8/4KR2 w F - 0 1", "e1 -, g1 K", ""},
	})
}

func TestBothInTheAir(t *testing.T) {
	checkHints(t, []hintCase{
		{"king and rook in the air together", castleFEN, "e1 -, +0.4 h1 -, +0.5 g1 K, +0.4 f1 R", "illegal.two_hands hint e1 f1 g1 h1"},
		{"the rook first as well", castleFEN, "h1 -, +0.4 e1 -, +0.5 g1 K, +0.4 f1 R",
			"irreg.rook_first strong e1 f1 g1 h1; illegal.two_hands hint e1 f1 g1 h1"},
		{"one after the other", castleFEN, "e1 -, +0.4 g1 K, +0.4 h1 -, +0.4 f1 R", ""},
		{"the king is put down within the scan in which the rook goes", castleFEN, "e1 -, +0.4 h1 -, +0.2 g1 K, +0.4 f1 R", ""},
		{"tried, undone and done with one hand", castleFEN,
			"e1 -, +0.4 h1 -, +0.5 g1 K, +0.4 f1 R, g1 -, e1 K, f1 -, h1 R, e1 -, g1 K, h1 -, f1 R", ""},
		{"a slide of the king over f1", castleFEN, "e1 -, +0.4 h1 -, +0.4 f1 K, +0.2 f1 -, +0.2 g1 K, +0.4 f1 R",
			"illegal.two_hands hint e1 f1 g1 h1"},
		{"the other rook was lifted too: it is not known which is which", castleFEN,
			"a1 -, e1 -, +0.4 h1 -, a1 R, g1 K, f1 R", ""},
		{"a capture is no castling", scandiFEN, "e4 -, +0.4 d5 -, +0.6 d5 P", ""},
		{"Chess960: king and rook change places", "4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "f1 -, +0.4 g1 -, +0.5 g1 K, f1 R", ""},
	})
}
