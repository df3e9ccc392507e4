package rules_test

import (
	"strings"
	"testing"

	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/legal/legaltest"
)

// promotionForgotten returns a game in which White has pressed with the pawn on a8.
func promotionForgotten(t *testing.T, profileName string) *game {
	g := begin(t, profileName, "8/P7/8/8/8/5k2/8/7K w - - 0 1")
	g.wrong(kinds.IllegalPromoIncomplete, "a7a8", "a7", "a7 - a8 Q")
	g.pos = legaltest.Position(t, "P7/8/8/8/8/5k2/8/7K b - - 0 1")
	return g
}

// A flag after a pawn was not exchanged: the pawn counts as a queen for the question which side can mate (7.5.2), never
// as a piece that cannot move.
func TestFlagOverAPawnThatWasNotExchanged(t *testing.T) {
	for _, name := range []string{"fide-standard", "fide-blitz"} {
		g := promotionForgotten(t, name)
		g.flag(legal.Black, 6)
		r := g.entry(g.last).Ruling
		if r.Mate == nil || r.Mate.Verdict != "possible" || r.Mate.FEN != "Q7/8/8/8/8/5k2/8/7K b - - 0 1" || !strings.Contains(r.Text.String(), "time decides: 1-0. The pawn that was not exchanged counts as a queen") {
			t.Errorf("%s: %+v %s", name, r.Mate, r.Text.String())
		}
	}
	late := promotionForgotten(t, "fide-standard").play("f3e3")
	late.flag(legal.Black, 9)
	if r := late.entry(late.last).Ruling; r.Mate == nil || r.Mate.Verdict != "possible" || !strings.Contains(r.Text.String(), "1-0") {
		t.Errorf("one reply later: %+v %s", r.Mate, r.Text.String())
	}
	stands := promotionForgotten(t, "fide-standard")
	stands.decide(stands.last, "reject")
	stands.flag(legal.Black, 9)
	if r := stands.entry(stands.last).Ruling; r.Result != "" || r.Mate == nil || r.Mate.Verdict != "unknown" || !strings.Contains(r.Text.String(), "last rank") {
		t.Errorf("the pawn stands: %q %+v %s", r.Result, r.Mate, r.Text.String())
	}
}

// bishopTakes returns a game in which an illegal capture has left a bishop, and a legal reply followed; then the
// position is reported as dead.
func bishopTakes(t *testing.T, profileName string) (g *game, illegal, dead string) {
	g = begin(t, profileName, "4k3/8/8/3n4/3B4/8/8/4K3 w - - 0 1")
	g.wrong(kinds.IllegalBishop, "d4d5", "d4 d5", "d4 - d5 B")
	illegal = g.last
	g.play("e8e7")
	g.step(rules.Found{Case: g.find("end.dead", legal.NoSide, rules.Certain)})
	return g, illegal, g.last
}

// An illegal move that the rule set still corrects has ended no game.
func TestEndAboveAnOpenIllegalMove(t *testing.T) {
	g, illegal, dead := bishopTakes(t, "fide-standard")
	g.wants("illegal.bishop confirmed now illegal_move restore +0/120 -10/0 #1/0")
	e := g.entry(dead)
	if r := e.Ruling; e.Alert != rules.Advise || r.Kind != "arbiter_decides" || r.Result != "" || !strings.Contains(r.Text.String(), "illegal.bishop") || !strings.Contains(r.Text.String(), "1/2-1/2") {
		t.Errorf("%s %s %q %s", e.Alert, r.Kind, r.Result, r.Text.String())
	}
	g.flag(legal.Black, 9)
	if r := g.entry(g.last).Ruling; r.Mate == nil || r.Mate.Verdict != "possible" || r.Mate.FEN != "4k3/8/8/3n4/3B4/8/8/4K3 w - - 0 1" {
		t.Errorf("the flag asks about another position than the one restored: %+v %s", r.Mate, r.Text.String())
	}
	g.decide(illegal, "reject")
	if e := g.entry(dead); e.Alert != rules.Now || e.Ruling.Result != "1/2-1/2" {
		t.Errorf("the illegal move is rejected: %s", words(&e))
	}

	stands, _, dead := bishopTakes(t, "fide-blitz")
	if e := stands.entry(dead); e.Alert != rules.Now || e.Ruling.Result != "1/2-1/2" {
		t.Errorf("the illegal move stands: %s", words(&e))
	}
}

// A move after the end is no offence.
func TestOffenceAfterTheEnd(t *testing.T) {
	for _, name := range []string{"fide-blitz", "fide-standard", "uscf-regular", "caa-2strike"} {
		g := begin(t, name, "5K1k/8/7P/8/8/8/8/8 w - - 0 1").play("h6h7")
		g.step(rules.Found{Case: g.find("end.dead", legal.NoSide, rules.Certain)})
		end := g.last
		g.play("h8h7")
		g.wrong(kinds.IllegalKing, "f8d8", "f8", "f8 - d8 K")
		offence := g.last
		if e := g.entry(offence); e.Alert != rules.Log || e.Ruling.Kind != "none" || !strings.Contains(e.Ruling.Text.String(), "was over") {
			t.Errorf("%s: %s: %s", name, words(&e), e.Ruling.Text.String())
		}
		g.decide(end, "reject")
		if e := g.entry(offence); e.Ruling.Kind != "illegal_move" {
			t.Errorf("%s: the end is rejected: %s", name, words(&e))
		}
	}
}

// The question after a losing strike is about the position that the ruling sets up.
func TestLosingStrikeAsksAboutThePositionOfTheRuling(t *testing.T) {
	g := begin(t, "fide-standard", "r3k3/8/8/8/8/8/8/4K2R w K - 0 1")
	g.step(rules.SetStrikes{White: 1})
	g.wrong("illegal.castle_king_only", "e1g1", "e1", "e1 - g1 K")
	if r := g.entry(g.last).Ruling; r.Mate == nil || r.Mate.FEN != "r3k3/8/8/8/8/8/8/5RK1 b - - 1 1" || r.PositionFEN != r.Mate.FEN {
		t.Errorf("%s, asked about %+v", r.PositionFEN, r.Mate)
	}
}

// A line goes with the verdict only if it was played to its end.
func TestNoLineWithWhatIsOnlyCounted(t *testing.T) {
	g := begin(t, "fide-standard", "4k3/8/8/8/8/8/8/4KR2 b - - 148 90")
	g.flag(legal.Black, 6)
	if m := g.entry(g.last).Ruling.Mate; m == nil || m.Reason != "counted" || len(m.Line) != 0 {
		t.Errorf("%+v", m)
	}
}

// Under a table of material nothing is known about mate, and nothing is stated about it.
func TestWordsUnderTablesOfMaterial(t *testing.T) {
	for _, tt := range []struct{ fen, result, words string }{
		{"8/8/8/8/5R2/7k/2Q3q1/6K1 w - - 0 60", "0-1", "Black has the material to mate: White loses"},
		{"4k3/8/8/1p1p1p1p/1P1P1P1P/8/8/4K3 w - - 0 51", "1/2-1/2", "neither player can ever mate: the game is drawn"},
	} {
		fallen := legal.White
		g := begin(t, "uscf-regular", tt.fen)
		g.flag(fallen, 6)
		g.step(rules.Claim{What: "flag", Side: fallen.Other()})
		if r := g.entry(g.last).Ruling; r.Result != tt.result || !strings.Contains(r.Text.String(), tt.words) {
			t.Errorf("%s: %q %s", tt.fen, r.Result, r.Text.String())
		}
	}
}
