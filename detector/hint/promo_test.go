package hint

import "testing"

func TestPromotionPieceChanged(t *testing.T) {
	checkHints(t, []hintCase{
		{"a queen, then a knight", promoFEN, "a7 -, a8 Q, a8 -, a8 N", "irreg.promo_piece_changed certain a7 a8"},
		{"a knight, then a queen", promoFEN, "a7 -, a8 P, a8 N, a8 -, a8 Q", "irreg.promo_piece_changed certain a7 a8"},
		{"a queen, a knight and the queen after all", promoFEN, "a7 -, a8 Q, a8 -, a8 N, a8 -, a8 Q", ""},
		{"the queen is lifted and put back", promoFEN, "a7 -, a8 Q, a8 -, a8 Q", ""},
		{"the pawn itself is no choice", promoFEN, "a7 -, a8 P, a8 -, a8 Q", ""},
		{"a piece of the wrong colour is no choice", promoFEN, "a7 -, a8 q, a8 -, a8 N", ""},
		{"a king is no choice", promoFEN, "a7 -, a8 K, a8 -, a8 N", ""},
		{"misread for one scan", promoFEN, "a7 -, a8 R, +0.25 a8 Q", ""},
		{"replaced without the square being seen empty", promoFEN, "a7 -, a8 Q, a8 N", "irreg.promo_piece_changed certain a7 a8"},
		{"touched and gone at once", promoFEN, "a7 -, a8 Q, +0.35 a8 -, a8 N", "irreg.promo_piece_changed hint a7 a8"},
		{"the queen is put down before the pawn is taken off", promoFEN, "a8 Q, +2 a7 -", ""},
		{"another rook was in the air: it is not known which one stood there", "8/P5k1/8/8/8/8/8/R5K1 w - - 0 1",
			"a1 -, a1 R, a7 -, a8 R, a8 -, a8 Q", "irreg.touch_move hint a1 a7 a8"},
		{"with a capture", "1n6/P3k3/8/8/8/8/8/4K3 w - - 0 1", "b8 -, a7 -, b8 Q, b8 -, b8 N", "irreg.promo_piece_changed certain a7 b8"},
		{"an ordinary exchange in any order", promoFEN, "a8 Q, +0.1 a7 -", ""},
	})
}
