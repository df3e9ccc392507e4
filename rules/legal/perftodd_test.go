package legal

// oddPerft holds further positions, chosen for typical errors of generators; the counts come from another program
// (Stockfish 15.1, go perft, UCI_Chess960), not from this one.
var oddPerft = []perftCase{
	{"first array (0)", "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1", []uint64{20, 400, 9006, 201143, 4975808}},
	{"last array (959)", "rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/RKRNNQBB w CAca - 0 1", []uint64{20, 400, 9006, 201143, 4973573}},
	{"king on its target, rook beside it", "6k1/8/8/8/8/8/8/1R4KR w HB - 0 1", []uint64{25, 71, 1911, 9646, 275480, 1325513}},
	{"rook that shields its king", "4k3/8/8/8/8/8/8/rR1K4 w B - 0 1", []uint64{7, 84, 1190, 18483, 299776, 4897472}},
	{"king and rook change places", "4k3/8/8/8/8/8/8/5KR1 w G - 0 1", []uint64{13, 58, 1033, 5689, 105989, 601693}},
	{"inner rook has the right", "4k3/8/8/8/8/8/8/RR2K1RR w GB - 0 1", []uint64{38, 162, 7107, 33573, 1564317}},
	{"castling across a far king's wing", "1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w FBfb - 0 9", []uint64{29, 502, 14569, 287739}},
	{"open wings", "r1k1r3/8/8/8/8/8/8/R1K1R3 w EAea - 0 1", []uint64{25, 528, 12240, 268704}},
	{"218 moves", "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1", []uint64{218, 99, 19073, 85043}},
	{"en passant pinned along the rank", "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1", []uint64{6, 96, 656, 11689, 78822, 1457872}},
	{"en passant the only way out of check", "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1", []uint64{9, 50, 379, 2369, 17879, 111840}},
	{"promotions on both sides", "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", []uint64{24, 496, 9483, 182838, 3605103}},
}
