package detector

import (
	"strings"
	"testing"

	"boardwatchd/rules/legal"
)

// lineOf plays moves from a position.
func lineOf(tb testing.TB, fen, moves string) []node {
	tb.Helper()
	var g game
	g.open(positionOf(tb, fen), -1, 0)
	for _, name := range strings.Fields(moves) {
		pos := g.pos()
		m, ok := pos.FindUCI(name)
		if !ok {
			tb.Fatalf("%s is not legal in %s", name, pos.FEN())
		}
		g.push(m)
	}
	return g.nodes
}

const knightsOut = " g1f3 g8f6 f3g1 f6g8"

func TestRepetitions(t *testing.T) {
	for _, c := range []struct {
		claim, fen, moves string
		want              int
	}{
		{"the first position counts", StartFEN, "", 1},
		{"out and back twice", StartFEN, strings.Repeat(knightsOut, 2), 3},
		{"nothing before a pawn move", StartFEN, strings.Repeat(knightsOut, 2) + " e2e4", 1},
		{"a lost castling right is another position", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", strings.Repeat("h1h2 e8e7 h2h1 e7e8 ", 2), 2},
		{"the other side to move is another position", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "e1e2 e8e7 e2d1 e7e8 d1e1", 1},
		{"a counter that is older than the line", "4k3/8/8/8/8/8/8/R3K3 w - - 90 70", "e1e2 e8e7 e2e1 e7e8", 2},
	} {
		if got := repetitions(lineOf(t, c.fen, c.moves)); got != c.want {
			t.Errorf("%s: %d times, want %d", c.claim, got, c.want)
		}
	}
}

// A position that may still be restored has not appeared; one that has become a ply has.
func TestRepetitionOfWhatIsNotSettled(t *testing.T) {
	line := lineOf(t, StartFEN, strings.Repeat(knightsOut, 2))
	line[4].wrong = wrong{on: true}
	if got := repetitions(line); got != 2 {
		t.Errorf("an open position is counted: %d", got)
	}
	line[4].wrong.answered = true
	if got := repetitions(line); got != 3 {
		t.Errorf("a position that stands is not counted: %d", got)
	}
}

func TestGamesThatEndByThemselves(t *testing.T) {
	for _, c := range []struct{ claim, fen, moves, want string }{
		{"the fifth time", StartFEN, strings.Repeat(knightsOut, 4), "end.fivefold"},
		{"the fourth time", StartFEN, strings.Repeat(knightsOut, 3) + " g1f3 g8f6 f3g1", ""},
		{"75 moves by each player", "8/8/4k3/8/8/3QK3/8/8 w - - 149 90", "d3e4", "end.move75"},
		{"one move less", "8/8/4k3/8/8/3QK3/8/8 w - - 148 90", "d3e4", ""},
		{"mate by the last of them", "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 149 90", "d1d8", ""},
		{"the last of them captures", "8/8/4k3/3p4/8/3QK3/8/8 w - - 149 90", "d3d5", ""},
		{"the last pieces are exchanged", "8/8/4k3/3p4/8/4K3/8/3Q4 w - - 10 90", "d1d5 e6d5", "end.dead"},
		{"it goes on", StartFEN, "e2e4", ""},
	} {
		kind, ok := drawn(lineOf(t, c.fen, c.moves))
		if string(kind) != c.want || ok != (c.want != "") {
			t.Errorf("%s: %q, want %q", c.claim, kind, c.want)
		}
	}
}

func TestClaims(t *testing.T) {
	twice := strings.Repeat(knightsOut, 2)
	for _, c := range []struct {
		claim, fen, moves string
		want              claim
		by3, by50         string
	}{
		{"the third time, with the move", StartFEN, twice, claim{threefold: true}, "", ""},
		{"the second time", StartFEN, knightsOut, claim{}, "", ""},
		{"a move would bring it about for the third time", StartFEN, twice[:len(twice)-5], claim{}, "f6g8", ""},
		{"fifty moves", "8/8/4k3/8/8/3QK3/8/8 w - - 100 90", "", claim{fifty: true}, "", "any"},
		{"the move that makes fifty", "8/8/4k3/8/8/3QK3/8/8 w - - 99 90", "", claim{}, "", "any"},
		{"a move short of that", "8/8/4k3/8/8/3QK3/8/8 w - - 98 90", "", claim{}, "", ""},
	} {
		line := lineOf(t, c.fen, c.moves)
		got := claims(line)
		pos := &line[len(line)-1].pos
		if name := pos.UCI(got.threefoldBy); c.by3 != "" && name != c.by3 {
			t.Errorf("%s: threefold by %s, want %s", c.claim, name, c.by3)
		}
		if c.by50 == "" && got.fiftyBy != legal.NoMove || c.by50 != "" && !pos.IsLegal(got.fiftyBy) {
			t.Errorf("%s: fifty by %s", c.claim, pos.UCI(got.fiftyBy))
		}
		if got.threefold != c.want.threefold || got.fifty != c.want.fifty {
			t.Errorf("%s: %+v", c.claim, got)
		}
	}
}

// After the move on the board its player can no longer claim; the opponent can.
func TestClaimsOnAMoveThatWasMade(t *testing.T) {
	line := lineOf(t, StartFEN, strings.TrimSuffix(strings.Repeat(knightsOut, 2), " f6g8"))
	pos := &line[len(line)-1].pos
	m, _ := pos.FindUCI("f6g8")
	if c := claims(line); c.threefold {
		t.Error("Black could claim before his move without making one")
	}
	if n, after := repetitionsAfter(line, m), pos.After(m); n < 3 || after.HalfMoves() >= fiftyMoves {
		t.Errorf("after it: %d times, %d half-moves", n, after.HalfMoves())
	}
	other, _ := pos.FindUCI("f6h5")
	if n := repetitionsAfter(line, other); n >= 3 {
		t.Errorf("after another move: %d times", n)
	}
}

// repetitionsAfter is repetitions of the longer line.
func TestRepetitionsAfterAgreesWithPlayingIt(t *testing.T) {
	var g game
	g.open(positionOf(t, StartFEN), 518, 0)
	state := uint32(7)
	for range 300 {
		pos := g.pos()
		var list legal.MoveList
		pos.Moves(&list)
		if list.Len() == 0 {
			break
		}
		state = state*1664525 + 1013904223
		m := list.At(int(state>>8) % list.Len())
		for _, c := range list.Slice() { // come back where possible, so that there are repetitions
			if state>>3&3 != 0 && repetitionsAfter(g.nodes, c) > 1 {
				m = c
			}
		}
		want := repetitionsAfter(g.nodes, m)
		g.push(m)
		if got := repetitions(g.nodes); got != want {
			t.Fatalf("ply %d: %d times, foreseen %d", g.last().ply, got, want)
		}
	}
}

// longLine is a hundred half-moves without pawn move or capture, and the last position is new.
func longLine(tb testing.TB) []node {
	return lineOf(tb, "r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1",
		strings.Repeat("a1a2 a8a7 a2a3 a7a6 a3b3 a6b6 b3b1 b6b8 b1a1 b8a8 ", 10)[:490]+"h1g1 h8g8")
}

func BenchmarkRepetitions(b *testing.B) {
	line := longLine(b)
	if len(line) != 101 {
		b.Fatal(len(line))
	}
	for b.Loop() {
		repetitions(line)
	}
}

func BenchmarkDrawn(b *testing.B) {
	line := longLine(b)
	for b.Loop() {
		drawn(line)
	}
}
