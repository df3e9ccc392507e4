package play

import (
	"slices"
	"strings"
	"testing"
)

func TestActs(t *testing.T) {
	const italian = "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4"
	for _, c := range []struct {
		name, fen, change string
		want              []string // arc, move and kind of each; a press without a move is among all but the last rows
	}{
		{"nothing has changed: a press without a move", "", "", []string{"no_move  illegal.no_move"}},
		{"a transfer that no legal move makes", "", "e2- e5P", []string{"offence e2e5 illegal.pawn", "no_move  illegal.no_move"}},
		{"a legal move is none", "", "e2- e4P", []string{"no_move  illegal.no_move"}},
		{"a piece of the other side is none of the mover's", "", "e7- e5p", []string{"no_move  illegal.no_move"}},
		{"the king is taken", "4k3/8/8/8/8/8/4P3/r2QK3 b - - 0 1", "a1- e1r", []string{"no_move  illegal.no_move"}},
		{"a castling that is not legal", "r1bqk1nr/pppp1ppp/2n5/4p3/2B1P3/5Nb1/PPPP3P/RNBQK2R w KQkq - 4 4", "e1- g1K h1- f1R", []string{
			"offence e1g1 illegal.castle_out_of_check", "offence e1g1 illegal.castle_out_of_check", "offence h1f1 illegal.left_in_check", "no_move  illegal.no_move",
		}},
		{"the king of a legal castling, without the rook", italian, "e1- g1K", []string{"offence e1g1 illegal.castle_king_only", "no_move  illegal.no_move"}},
		{"the pawn stays on the last rank", "1k6/4P3/8/8/8/8/8/K7 w - - 0 1", "e7- e8P", []string{"promotion_open e7e8 illegal.promo_incomplete", "no_move  illegal.no_move"}},
		{"the promotion's square is empty", "1k6/4P3/8/8/8/8/8/K7 w - - 0 1", "e7-", []string{"promotion_open e7e8 illegal.promo_incomplete", "no_move  illegal.no_move"}},
		{"a pawn captures en passant too late", "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", "e5- d6P d5-", []string{"offence e5d6 illegal.ep_late", "offence e5d6 illegal.ep_late", "no_move  illegal.no_move"}},
		{"more squares than one offence can change", "", "a2- b2- c2- d2- e2- f2- g2- h2- a4P", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := newNode(position(t, c.fen))
			image := n.place
			for _, w := range strings.Fields(c.change) {
				change(&image, w)
			}
			var got []string
			for _, a := range n.acts(&image) {
				got = append(got, a.arc.String()+" "+a.uci+" "+string(a.kind))
				if n.by(&a.place) != nil {
					t.Errorf("%s %s leads where a legal move leads", a.kind, a.uci)
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("\n got %q\nwant %q", got, c.want)
			}
		})
	}
}
