package rules

import (
	"boardwatchd/rules/helpmate"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// Results as PGN writes them.
const drawn = "1/2-1/2"

// wins returns the result in which a side has won; "" where the side is not known.
func wins(s legal.Side) string {
	switch s {
	case legal.White:
		return "1-0"
	case legal.Black:
		return "0-1"
	}
	return ""
}

// hasMaterial reports whether a side has material to mate by the American tables: more than a bare king, one bishop or
// one knight; two knights only against pawns (14E3).
func hasMaterial(pos *legal.Position, side legal.Side, test string) bool {
	var n [7]int
	pawns := 0
	for sq := legal.A1; sq < legal.NoSquare; sq++ {
		switch p := pos.PieceAt(sq); {
		case p.Side() == side:
			n[p.Kind()]++
		case p.Kind() == legal.Pawn:
			pawns++
		}
	}
	minor := n[legal.Knight] + n[legal.Bishop]
	switch {
	case n[legal.Pawn]+n[legal.Rook]+n[legal.Queen] > 0:
		return true
	case minor < 2:
		return false
	case test != "material" && minor == 2 && n[legal.Knight] == 2:
		return pawns > 0
	}
	return true
}

// lost writes the consequence of the losing strike (laws notes 3.1). Whether the opponent can mate is tested in the
// position of the ruling, which must be set before.
func (s *sheet) lost() {
	pos, ok := s.posAfter, s.posAfter != legal.Position{}
	winner := s.opponent()
	s.r.MustPlay, s.r.RunClock = nil, legal.NoSide
	if s.p.Book != bookFIDE && s.r.Kind == kindIllegal {
		s.r.Position, s.r.PositionFEN = "", ""
	}
	verdict := helpmate.Unknown
	if ok {
		verdict = s.canWin(&pos, winner)
	}
	var why words.Sentence
	switch verdict {
	case helpmate.Possible:
		s.r.Result = wins(winner)
	case helpmate.Never:
		s.r.Result = drawn
		why = words.Say("lost.no_material", winner)
		switch m := s.r.Mate; {
		case m != nil:
			why = words.Say("lost.never", winner, m.because)
		case s.dead:
			why = words.Say("lost.neither")
		}
	default:
		s.r.Result = "" // unknown: the text says so
	}
	if s.adjacentKings() {
		s.r.Result = wins(s.m.c.Side)
		why = words.Say("lost.trick", winner)
	}
	s.r.Text = s.lostText(why)
}

// adjacentKings reports whether a king was put beside the opponent's, to capture it if the opponent overlooks that (US
// Chess blitz 7d).
func (s *sheet) adjacentKings() bool {
	c := &s.m.c
	if !s.p.KingsAdjacent || !s.m.claimed || !c.Kind.Row().Check {
		return false
	}
	return s.d.latest(func(m *matter) bool {
		if m.c.Side != c.Side.Other() || m.c.Ply != c.Ply-1 || m.c.Kind != kinds.IllegalKingIntoCheck || !m.live() || !m.c.Stands {
			return false
		}
		w, b := m.c.After.KingSquare(legal.White), m.c.After.KingSquare(legal.Black)
		df, dr := w.File()-b.File(), w.Rank()-b.Rank()
		return max(df, -df, dr, -dr) <= 1
	}) != nil
}
