package offence

import "testing"

func TestPromotion(t *testing.T) {
	const a7 = "8/P5k1/8/8/8/8/8/6K1 w - - 0 1"
	const queen = "Q7/6k1/8/8/8/8/8/6K1 b - - 0 1"
	see(t, []sight{
		{"the pawn is left on the last rank", a7, "-2 a7 -, -1 a8 P", "illegal.promo_incomplete certain white a7a8 a7,a8 → " + queen, ""},
		{"… and exchanged after the press", a7, "-2 a7 -, -1 a8 P, 0.8 a8 -, 1.2 a8 R", "illegal.promo_incomplete certain white a7a8 a7,a8 → " + queen, ""},
		{"… by Black", "6k1/8/8/8/8/8/p5K1/8 b - - 0 1", "-2 a2 -, -1 a1 p",
			"illegal.promo_incomplete certain black a2a1 a1,a2 → 6k1/8/8/8/8/8/6K1/q7 w - - 0 2", ""},
		{"… after a capture", "1r4k1/2P2pp1/7p/8/8/8/8/6K1 w - - 0 1", "-3 c7 -, -2 b8 -, -1 b8 P",
			"illegal.promo_incomplete certain white c7b8 c7,b8 → 1Q4k1/5pp1/7p/8/8/8/8/6K1 b - - 0 1", ""},
		{"… and the forced queen is stalemate", "2n5/k2P4/3K4/3N4/8/8/8/8 w - - 0 1", "-3 d7 -, -2 c8 -, -1 c8 P",
			"illegal.promo_incomplete certain white d7c8 d7,c8 → 2Q5/k7/3K4/3N4/8/8/8/8 b - - 0 1", ""},
		{"… with the queen lying beside it", a7, "-3 a7 -, -2 a8 P, -1 b8 Q", "illegal.promo_incomplete certain white a7a8 a7,a8,b8 → " + queen, ""},
		{"… where a pin forbids the move: the pin is the offence", "4k3/r2P3K/8/8/8/8/8/8 w - - 0 1", "-2 d7 -, -1 d8 P",
			"illegal.exposes_king certain white d7d8 d7,d8 → 3Pk3/r6K/8/8/8/8/8/8 b - - 0 1", ""},
		{"… where a pawn does not go", a7, "-2 a7 -, -1 b8 P", "illegal.pawn certain white a7b8", ""},

		{"taken off, and a knight put after the press", a7, "-4 a7 -, -3 a8 P, -2 a8 -, 1 a8 N",
			"illegal.promo_incomplete strong white a7a8 a7,a8 → " + queen, ""},
		{"taken off at once, and a queen put after the press", a7, "-4 a7 -, 1 a8 Q", "illegal.promo_incomplete strong white a7a8", ""},
		{"after a capture, and a queen put after the press", "1r4k1/2P2pp1/7p/8/8/8/8/6K1 w - - 0 1", "-3 c7 -, -2 b8 -, 1.1 b8 Q",
			"illegal.promo_incomplete strong white c7b8 c7,b8 → 1Q4k1/5pp1/7p/8/8/8/8/6K1 b - - 0 1", ""},
		{"nothing came", a7, "-4 a7 -", "sensor.unreadable certain white a7a8q a7,a8 open → " + queen,
			"sensor.unreadable certain white a7a8q a7,a8 → " + queen},
		{"nothing came, by Black after a capture", "6k1/8/8/8/8/8/p5K1/1R6 b - - 0 1", "-4 b1 -, -3 a2 -",
			"sensor.unreadable certain black a2b1q b1,a2 open", "sensor.unreadable certain black a2b1q b1,a2"},
		{"a rook was read there, and then nothing", a7, "-4 a7 -, -3 a8 R, -2 a8 -",
			"sensor.unreadable certain white a7a8r a7,a8 open → R7/6k1/8/8/8/8/8/6K1 b - - 0 1", "sensor.unreadable certain white a7a8r a7,a8"},

		{"the other colour", a7, "-3 a7 -, -1 a8 q", "irreg.promo_wrong_colour certain white a7a8q a7,a8 → " + queen, ""},
		{"the other colour after a capture", "1r4k1/2P2pp1/7p/8/8/8/8/6K1 w - - 0 1", "-3 c7 -, -2 b8 -, -1 b8 n",
			"irreg.promo_wrong_colour certain white c7b8n c7,b8 → 1N4k1/5pp1/7p/8/8/8/8/6K1 b - - 0 1", ""},
		{"a king", a7, "-3 a7 -, -1 a8 K", "illegal.promo_bad_piece certain white a7a8k a7,a8", ""},
		{"the other king", a7, "-3 a7 -, -1 a8 k", "illegal.promo_bad_piece certain white a7a8k a7,a8", ""},
		{"two new pieces", a7, "-4 a7 -, -3 a8 Q, -2 b8 Q", "illegal.promo_two certain white a7a8q a7,a8,b8 → " + queen, ""},
		{"two new pieces, and the first was another", a7, "-6 a7 -, -5 a8 N, -4 a8 -, -3 a8 Q, -2 b8 N",
			"illegal.promo_two certain white a7a8n a7,a8,b8 → N7/6k1/8/8/8/8/8/6K1 b - - 0 1", ""},

		{"innocent: a queen", a7, "-2 a7 -, -1 a8 Q", "nothing", ""},
		{"innocent: the queen within one scan of the press", a7, "-2 a7 -, 0.3 a8 Q", "nothing", ""},
		{"innocent: the pawn first, then a knight", a7, "-4 a7 -, -3 a8 P, -2 a8 -, -1 a8 N", "nothing", ""},
		{"innocent: the queen first, the pawn in time", a7, "-2 a8 Q, -1 a7 -", "nothing", ""},
		{"innocent: a capture that promotes", "1r4k1/2P2pp1/7p/8/8/8/8/6K1 w - - 0 1", "-3 c7 -, -2 b8 -, -1 b8 Q", "nothing", ""},
		{"innocent: a dump finds the queen after the press", a7, "-2 a7 -, 1 a8 Q healed", "nothing", ""},
		{"innocent: a captured piece stands beside the new queen", "1r4k1/2P2pp1/7p/8/8/8/8/6K1 w - - 0 1", "-3 c7 -, -2 b8 -, -1 b8 Q, -0.8 a8 r", "nothing", ""},
		{"the pawn is still there when the queen stands: unfinished", a7, "-2 a8 Q",
			"irreg.press_before_done strong white a8 open", "illegal.promo_incomplete certain white a7a8 a7,a8 → " + queen},
		{"… and taken off after the press", a7, "-2 a8 Q, 0.8 a7 -", "irreg.press_before_done strong white a7a8q a7,a8 → " + queen, ""},
		{"a pinned pawn taken off is only in the hand", "4k3/r2P3K/8/8/8/8/8/8 w - - 0 1", "-2 d7 -",
			"irreg.press_before_done strong white d7 open", "sensor.unreadable certain white d7"},
	})
}

// The reason names the piece on the last rank: no pawn has reached it.
func TestPawnBesideItsNewPieceIsNamed(t *testing.T) {
	v := pressView(t, "8/P5k1/8/8/8/8/8/6K1 w - - 0 1", "-1 a8 Q")
	v.Final = true
	sh, _ := Classify(v)
	if got, want := sh.Reason.String(), "The new piece (queen) was put on a8, and the pawn was not taken off a7."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
