package rules_test

import (
	"strings"
	"testing"

	"boardwatchd/rules"
	"boardwatchd/rules/helpmate"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/legal/legaltest"
)

// moves reads UCI moves from a position on.
func moves(t *testing.T, pos legal.Position, text string) (list []legal.Move) {
	t.Helper()
	for _, uci := range strings.Fields(text) {
		m, ok := pos.FindUCI(uci)
		if !ok {
			t.Fatalf("%s is not legal in %s", uci, pos.FEN())
		}
		list, pos = append(list, m), pos.After(m)
	}
	return list
}

func TestWhyNever(t *testing.T) {
	for _, tt := range []struct {
		name, fen string
		side      legal.Side
		a         helpmate.Answer
		line      string
		want      string
	}{
		{"a bare king", "3k4/8/8/8/8/8/4R3/4K3 w - - 0 1", legal.Black, helpmate.Answer{Reason: helpmate.Material}, "",
			"Black can never mate: Black has only the king."},
		{"the pieces are named, with the colour of bishops", "8/4k3/8/3K2b1/2R5/8/8/8 w - - 0 1", legal.Black, helpmate.Answer{Reason: helpmate.Material}, "",
			"Black can never mate: no mating material, king and dark-squared bishop against king and rook."},
		{"a knight against queens", "8/8/4k3/6n1/8/3QKQ2/8/8 w - - 0 1", legal.Black, helpmate.Answer{Reason: helpmate.Material}, "",
			"Black can never mate: no mating material, king and knight against king and two queens."},
		{"the side is mated", "2Q3k1/5ppp/3K4/8/8/7r/2R5/8 b - - 0 1", legal.Black, helpmate.Answer{Reason: helpmate.Over}, "",
			"Black can never mate: Black is checkmated."},
		{"stalemate", "2Q5/k7/3K4/3N4/8/8/8/8 b - - 0 1", legal.Black, helpmate.Answer{Reason: helpmate.Over}, "",
			"Black can never mate: Black is stalemated."},
		{"75 moves", "3k4/8/8/8/8/8/4R3/4K3 w - - 150 120", legal.White, helpmate.Answer{Reason: helpmate.Over}, "",
			"White can never mate: 75 moves by each player without capture or pawn move have ended the game (9.6.2)."},
		{"75 moves to come", "3k4/8/8/8/8/8/4R3/4K3 w - - 147 120", legal.White, helpmate.Answer{Reason: helpmate.Counted}, "",
			"White can never mate: the 75-move rule ends the game before any mate (9.6.2)."},
		{"the last piece must be taken", "5K1k/7P/8/8/8/8/8/8 b - - 0 1", legal.White, helpmate.Answer{Reason: helpmate.Forced, Positions: 2, Ends: helpmate.Ends{Dead: 1}}, "h8h7",
			"White can never mate: 1...Kxh7 is forced, and White is left with the bare king."},
		{"one line to a stalemate, numbered as in the game", "8/p5pp/5ppk/6B1/6PK/5pP1/5P1P/8 b - - 0 41", legal.Black,
			helpmate.Answer{Reason: helpmate.Forced, Positions: 5, Ends: helpmate.Ends{Stalemate: 2}}, "f6g5 h4h3 a7a5",
			"Black can never mate: every line ends in stalemate, for example 41...fxg5+ 42.Kh3 a5."},
		{"the wrong side mates", "6k1/5ppp/8/8/8/8/5q2/R6K b - - 0 1", legal.Black, helpmate.Answer{Reason: helpmate.Forced, Ends: helpmate.Ends{Mated: 2, Dead: 1}}, "f2f1 a1f1",
			"Black can never mate: every line ends with Black mated by White or in a position in which Black can never mate, for example 1...Qf1+ 2.Rxf1."},
		{"a wall", "4k3/8/8/1p1p1p1p/1P1P1P1P/8/8/4K3 w - - 0 1", legal.White, helpmate.Answer{Reason: helpmate.Walls}, "",
			"White can never mate: the pawns are locked and nothing can pass, so that Black's king cannot be got at."},
		{"checks that never mate", "1Bb4k/1b1p1p1p/p1pP1P1P/P1P5/7B/1b6/4K3/5b2 w - - 0 1", legal.White, helpmate.Answer{Reason: helpmate.Walls, Wall: helpmate.AlwaysFree}, "",
			"White can never mate: Black's king can be checked, but never so that it has no square to go to."},
		{"pawn moves that end", "k7/8/5p2/1p6/1P6/KP6/PP3P2/8 w - - 0 1", legal.White, helpmate.Answer{Reason: helpmate.Walls, Wall: helpmate.MovesEnd}, "",
			"White can never mate: the side that has only pawn moves left runs out of them before any mate."},
		{"cases", "rb6/k1pBp1p1/1pP1P1P1/1P6/4K3/8/8/b7 w - - 0 1", legal.White, helpmate.Answer{Reason: helpmate.Walls, Wall: helpmate.AnyCapture}, "",
			"White can never mate: whatever is captured first, Black's king cannot be mated."},
		{"pieces that move freely", "3k1b2/2p1pBp1/KpP1P1P1/1P3B2/4B1B1/5B2/8/8 w - - 0 1", legal.White, helpmate.Answer{Reason: helpmate.Walls, Wall: helpmate.AnyPlace}, "",
			"White can never mate: wherever the pieces stand that can move freely, Black's king cannot be mated."},
		{"a wall after a forced move", "5K1k/7P/8/8/8/8/8/8 b - - 0 1", legal.White, helpmate.Answer{Reason: helpmate.Walls, Wall: helpmate.AlwaysFree}, "h8h7",
			"White can never mate: 1...Kxh7 is forced, and Black's king can be checked, but never so that it has no square to go to."},
		{"some positions searched and the others dead", "4k3/8/8/1p1p1p1p/1P1P1P1P/8/8/4K3 w - - 0 1", legal.White, helpmate.Answer{Reason: helpmate.Visited, Positions: 1234, DeadLeftOut: true}, "",
			"White can never mate: none of the 1234 positions that were searched is a mate by White, and where play leaves them White has no mating material or the pawns are locked."},
		{"counted out", "4k3/8/8/1p1p1p1p/1P1P1P1P/8/8/4K3 w - - 0 1", legal.White, helpmate.Answer{Reason: helpmate.Visited, Positions: 1234}, "",
			"White can never mate: none of the 1234 positions that can be reached is a mate by White."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			pos := legaltest.Position(t, tt.fen)
			tt.a.Verdict, tt.a.Line = helpmate.Never, moves(t, pos, tt.line)
			if got := rules.WhyNever(&pos, tt.side, tt.a).String(); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestWhyPossible(t *testing.T) {
	const fools = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
	for _, tt := range []struct{ name, fen, line, want string }{
		{"a short line is shown whole", fools, "f2f3 e7e5 g2g4 d8h4", "Black can mate, for example 1.f3 e5 2.g4 Qh4#."},
		{"a long one is cut", fools, "a2a3 a7a6 b2b3 b7b6 h2h3 h7h6 f2f3 e7e5 g2g4 d8h4",
			"Black can mate, for example 1.a3 a6 2.b3 b6 ... 5...Qh4# (10 half-moves)."},
		{"the mate is on the board", "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", "", "Black has given mate."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			pos := legaltest.Position(t, tt.fen)
			a := helpmate.Answer{Verdict: helpmate.Possible, Reason: helpmate.Played, Line: moves(t, pos, tt.line)}
			if got := rules.WhyPossible(&pos, legal.Black, a).String(); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}
