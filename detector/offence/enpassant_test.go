package offence

import "testing"

func TestEnPassant(t *testing.T) {
	const now = "start e2e4 a7a6 e4e5 d7d5"
	const late = "start e2e4 a7a6 e4e5 d7d5 h2h3 a6a5"
	see(t, []sight{
		{"one move too late", late, "-4 e5 -, -3 d6 P, -2 d5 -",
			"illegal.ep_late certain white e5d6 d5,e5,d6 → rnbqkbnr/1pp1pppp/3P4/p7/8/7P/PPPP1PP1/RNBQKBNR b KQkq - 0 4", ""},
		{"one move too late, the victim first, by Black", "start a2a3 e7e5 a3a4 e5e4 d2d4 h7h6 h2h3", "-4 d4 -, -3 e4 -, -2 d3 p",
			"illegal.ep_late certain black e4d3 d3,d4,e4", ""},
		{"too late, and the victim is left: a pawn went where it may not", late, "-4 e5 -, -3 d6 P", "illegal.pawn certain white e5d6 e5,d6", ""},
		{"of a piece that is no pawn", "start e2e4 b8c6 e4e5 c6d4 a2a3 d4f5 b2b3 h7h6", "-4 e5 -, -3 f6 P, -2 f5 -",
			"illegal.pawn certain white e5f6 e5,f5,f6", ""},
		{"the captured pawn is left", now, "-4 e5 -, -3 d6 P",
			"illegal.ep_pawn_left certain white e5d6 d5,e5,d6 open → rnbqkbnr/1pp1pppp/p2P4/3p4/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 3",
			"illegal.ep_pawn_left certain white e5d6 d5,e5,d6 → rnbqkbnr/1pp1pppp/p2P4/3p4/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 3"},
		{"the captured pawn is removed after the press", now, "-4 e5 -, -3 d6 P, 0.6 d5 -",
			"irreg.press_before_done strong white e5d6 d5,e5,d6 → rnbqkbnr/1pp1pppp/p2P4/8/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 3", ""},
		{"it opens the rank to the own king", "8/8/8/8/k2Pp2R/8/8/4K3 b - d3 0 1", "-4 e4 -, -3 d3 p, -2 d4 -",
			"illegal.exposes_king certain black e4d3 d3,d4,e4", ""},

		{"innocent: en passant", now, "-4 e5 -, -3 d6 P, -2 d5 -", "nothing", ""},
		{"innocent: the pawn is removed late and before the press", now, "-4 e5 -, -3 d6 P, -0.1 d5 -", "nothing", ""},
		{"innocent: the pawn is removed within one scan", now, "-4 e5 -, -3 d6 P, 0.3 d5 -", "nothing", ""},
		{"innocent: a piece of one's own is missing as well", now, "-4 e5 -, -3 d6 P, -2 f2 -", "nothing", ""},
	})
}
