package detector

import "boardwatchd/rules/legal"

// keptRights are the castling rights of a position whose king and rook still stand where they stood. A board never
// gives a right back (laws notes 1.3); it can only show that one is gone.
func keptRights(s *legal.Setup, live *legal.Placement) (kept legal.Rights) {
	for _, side := range [...]legal.Side{legal.White, legal.Black} {
		home := legal.Square(0)
		if side == legal.Black {
			home = 56
		}
		king := legal.PieceOf(side, legal.King)
		rook := legal.PieceOf(side, legal.Rook)
		stays := false
		for f := legal.Square(0); f < 8; f++ {
			stays = stays || s.Placement[home+f] == king && live[home+f] == king
		}
		for f := 0; stays && f < 8; f++ {
			if s.Castling.Has(side, f) && live[home+legal.Square(f)] == rook {
				kept = kept.With(side, f)
			}
		}
	}
	return kept
}

// homeRights are the most generous orthodox rights that a placement allows.
func homeRights(p *legal.Placement) legal.Rights {
	start := legal.StartSetup(518)
	return keptRights(&start, p)
}
