package rules_test

import (
	"strings"
	"testing"

	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/legal/legaltest"
)

// The positions of the source documents and of official keys from laws notes 3.2: a move, and the sides that can still
// mate after it. Mover is the side that makes the move.
var examples = []struct {
	name, fen, uci string
	other, mover   bool   // whether the other side and the mover can ever mate
	unexchanged    bool   // the pawn was not exchanged: it becomes a queen
	words          string // contained in the ruling
}{
	{"1a, queen", "8/3b2p1/k5K1/8/8/6Q1/8/8 w - - 0 1", "g6g7", false, true, false, "no mating material, king and light-squared bishop against king and queen"},
	{"1a, rook", "8/3b2p1/k5K1/8/8/6R1/8/8 w - - 0 1", "g6g7", false, true, false, "no mating material, king and light-squared bishop against king and rook"},
	{"1a, nothing", "8/3b2p1/k5K1/8/8/8/8/8 w - - 0 1", "g6g7", false, false, false, "no mating material, king and light-squared bishop against the bare king"},
	{"1a, dark bishop", "8/3b2p1/k5K1/8/8/6B1/8/8 w - - 0 1", "g6g7", true, true, false, ""},
	{"1a, light bishop", "8/3b2p1/k5K1/8/8/5B2/8/8 w - - 0 1", "g6g7", false, false, false, "no mating material, king and light-squared bishop against king and light-squared bishop"},
	{"1a, knight on g3", "8/3b2p1/k5K1/8/8/6N1/8/8 w - - 0 1", "g6g7", true, true, false, ""},
	{"1a, knight on b1", "8/3b2p1/k5K1/8/8/8/8/1N6 w - - 0 1", "g6g7", true, true, false, ""},
	{"1a, pawn", "8/3b2p1/k5K1/8/8/6P1/8/8 w - - 0 1", "g6g7", true, true, false, ""},
	{"2b, mate", "6k1/2P2ppp/3K4/8/8/7r/2R5/8 w - - 0 1", "c7c8q", false, true, false, "is checkmated"},
	{"2c, mate by the queen that is forced", "6k1/2P2ppp/3K4/8/8/7r/2R5/8 w - - 0 1", "c7c8q", false, true, true, "is checkmated"},
	{"2, one free reply", "6k1/2P2ppp/3K4/8/8/4r3/2R5/8 w - - 0 1", "c7c8q", true, true, false, ""},
	{"2, one free reply to the queen that is forced", "6k1/2P2ppp/3K4/8/8/4r3/2R5/8 w - - 0 1", "c7c8q", true, true, true, ""},
	{"3b, all replies are forced", "8/p5pp/5ppk/6n1/6PK/4BpP1/5P1P/8 w - - 0 1", "e3g5", false, false, false, "every line ends in stalemate, for example "},
	{"a pawn that must be taken", "5K1k/8/7P/8/8/8/8/8 w - - 0 1", "h6h7", false, false, false, "has only the king"},
	{"dxc8 unexchanged, stalemate", "2n5/k2P4/3K4/3N4/8/8/8/8 w - - 0 1", "d7c8q", false, false, true, "is stalemated"},
	{"f8 unexchanged, stalemate", "8/5P1k/5K2/8/8/8/8/8 w - - 0 1", "f7f8q", false, false, true, "is stalemated"},
}

// TestExamplesOfTheSources plays each example three times: as the losing strike of rules that know the exceptions (a),
// (b), (c), and with the flag of either side down after the move; and all of it once more with the colours changed.
func TestExamplesOfTheSources(t *testing.T) {
	for _, e := range examples {
		for _, mover := range [...]legal.Side{legal.White, legal.Black} {
			fen, uci, words := e.fen, e.uci, e.words
			if mover == legal.Black {
				fen, uci, words = mirrored(fen), mirroredUCI(uci), strings.ReplaceAll(words, "light", "dark")
			}
			t.Run(e.name+", "+mover.String()+" moves", func(t *testing.T) {
				strike := begin(t, "caa-2strike", fen)
				strike.step(rules.SetStrikes{White: 1, Black: 1})
				strike.commit(uci, e.unexchanged)
				checkMate(t, strike.entry(strike.last), mover.Other(), e.other, words)

				for _, fallen := range [...]legal.Side{legal.White, legal.Black} {
					flag := begin(t, "fide-standard", fen).move(uci)
					flag.step(rules.Found{Case: flag.find("clock.flag", fallen, rules.Certain)})
					can := e.mover
					if fallen == mover {
						can = e.other
					}
					checkMate(t, flag.entry(flag.last), fallen.Other(), can, "")
				}
			})
		}
	}
}

// commit plays the move as an offence: with two hands, or without exchanging the pawn.
func (g *game) commit(uci string, unexchanged bool) {
	g.t.Helper()
	if !unexchanged {
		mover := g.pos.Turn()
		g.play(uci)
		g.report("two-hands", mover, 0)
		for id := range g.said {
			if strings.HasSuffix(id, ":illegal.two_hands") {
				g.last = id
			}
		}
		return
	}
	from, to, letter := uci[:2], uci[2:4], "Q"
	if g.pos.Turn() == legal.Black {
		letter = "q"
	}
	g.wrong(kinds.IllegalPromoIncomplete, from+to, from, from+" - "+to+" "+letter)
}

// checkMate compares a ruling with the known answer: the result, the verdict, and a line that is played to the mate.
func checkMate(t *testing.T, e rules.Entry, winner legal.Side, can bool, words string) {
	t.Helper()
	r := e.Ruling
	result, verdict := "1/2-1/2", "never"
	if can {
		result, verdict = map[legal.Side]string{legal.White: "1-0", legal.Black: "0-1"}[winner], "possible"
	}
	m := r.Mate
	switch {
	case r.Result != result:
		t.Errorf("%s: result %q, want %s: %s", e.Kind, r.Result, result, r.Text.String())
	case m == nil || m.Side != winner || m.Verdict != verdict || m.FEN != r.PositionFEN:
		t.Errorf("%s: %+v, want %s for %s in %s", e.Kind, m, verdict, winner, r.PositionFEN)
	case !strings.Contains(r.Text.String(), words):
		t.Errorf("%q is not in %s", words, r.Text.String())
	case can:
		pos := legaltest.Position(t, m.FEN)
		for _, san := range m.Line {
			move, err := pos.ParseSAN(san)
			if err != nil {
				t.Fatalf("%v in %s", err, m.Line)
			}
			pos = pos.After(move)
		}
		if pos.Outcome() != legal.Checkmate || pos.Turn() == winner {
			t.Errorf("%v does not mate", m.Line)
		}
	}
}

// mirrored returns the same position with the colours changed.
func mirrored(fen string) string {
	fields := strings.Fields(fen)
	ranks := strings.Split(fields[0], "/")
	for i, j := 0, len(ranks)-1; i < j; i, j = i+1, j-1 {
		ranks[i], ranks[j] = ranks[j], ranks[i]
	}
	swap := func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return r - 'a' + 'A'
		case r >= 'A' && r <= 'Z':
			return r - 'A' + 'a'
		}
		return r
	}
	fields[0] = strings.Map(swap, strings.Join(ranks, "/"))
	fields[1] = map[string]string{"w": "b", "b": "w"}[fields[1]]
	return strings.Join(fields, " ")
}

func mirroredUCI(uci string) string {
	b := []byte(uci)
	for _, i := range [...]int{1, 3} {
		b[i] = '1' + '8' - b[i]
	}
	return string(b)
}

// A flag is decided by the sides that can still mate: more positions of official keys, and of source 004.
func TestFlagByWhatCanStillHappen(t *testing.T) {
	for _, tt := range []struct {
		name, fen string
		fallen    legal.Side
		can       bool
		words     string
	}{
		{"bishops of two colours, and pawns of the fallen side", "8/8/3k4/5b2/3K1P2/4B1P1/7P/8 w - - 0 1", legal.White, true, "A line that mates: 1."},
		{"the other way round", "8/8/3k4/5b2/3K1P2/4B1P1/7P/8 w - - 0 1", legal.Black, true, "A line that mates: 1."},
		{"bishop against rook", "8/4k3/8/3K2b1/2R5/8/8/8 w - - 0 1", legal.White, false, "king and dark-squared bishop against king and rook"},
		{"rook against bishop", "8/4k3/8/3K2b1/2R5/8/8/8 w - - 0 1", legal.Black, true, ""},
		{"the last pawn must be taken", "5K1k/7P/8/8/8/8/8/8 b - - 0 1", legal.Black, false, "1...Kxh7 is forced, and White is left with the bare king"},
		{"the last rook must be taken, and a pawn remains", "5r1k/4K2P/8/8/8/8/8/8 w - - 0 1", legal.White, true, ""},
		{"the mate must be given", "8/8/8/8/5R2/7k/2Q3q1/6K1 w - - 0 60", legal.White, false, "60.Qxg2# is forced, and Black is mated by White"},
		{"the mate must be given, the other way round", "8/8/8/8/5R2/7k/2Q3q1/6K1 w - - 0 60", legal.Black, true, "A line that mates: 60.Qxg2#."},
		{"a wall of pawns", "4k3/8/8/1p1p1p1p/1P1P1P1P/8/8/4K3 w - - 0 1", legal.White, false, "the pawns are locked and nothing can pass"},
		{"a wall of pawns, the other way round", "4k3/8/8/1p1p1p1p/1P1P1P1P/8/8/4K3 w - - 0 1", legal.Black, false, "the pawns are locked and nothing can pass"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := begin(t, "fide-blitz", tt.fen)
			g.step(rules.Found{Case: g.find("clock.flag", tt.fallen, rules.Certain)})
			checkMate(t, g.entry(g.last), tt.fallen.Other(), tt.can, tt.words)
		})
	}
}

// With a budget that is too small no result is given: the text says that a person has to look, and names the budget.
func TestBudgetForMate(t *testing.T) {
	const fen = "8/8/3k4/5b2/3K1P2/4B1P1/7P/8 w - - 0 1"
	d := rules.NewDocket(profile(t, "fide-blitz"))
	d.SetMatingBudget(2)
	g := beginWith(t, d, fen)
	g.step(rules.Found{Case: g.find("clock.flag", legal.White, rules.Certain)})
	r := g.entry(g.last).Ruling
	if r.Result != "" || r.Mate == nil || r.Mate.Verdict != "unknown" || r.Mate.Reason != "budget" || len(r.Mate.Line) != 0 ||
		!strings.Contains(r.Text.String(), "budget of 2 moves tried") || !strings.Contains(r.Text.String(), "needs a look") {
		t.Errorf("%q %+v %s", r.Result, r.Mate, r.Text.String())
	}

	d.SetMatingBudget(0) // the usual one
	g.step(rules.Flag{Name: "appendix_d"})
	if r := g.entry(g.last).Ruling; r.Result != "0-1" || r.Mate.Verdict != "possible" {
		t.Errorf("with the usual budget: %q %+v", r.Result, r.Mate)
	}
}

// 75 moves end no game by themselves where the rule set leaves them to the director.
func TestMoves75DoNotDecideAnAmericanFlag(t *testing.T) {
	g := begin(t, "uscf-blitz", "3k4/8/8/8/8/8/4R3/4K3 w - - 150 120")
	g.step(rules.Found{Case: g.find("clock.flag", legal.Black, rules.Certain)})
	g.step(rules.Claim{What: "flag", Side: legal.White})
	g.wants("clock.flag confirmed on_claim fact stands 1-0")
}

// A dead position ends the game with a reason; if its move is taken back and the game goes on, it has not ended the
// game.
func TestDeadPositionSaysWhy(t *testing.T) {
	for _, tt := range []struct{ fen, uci, want string }{
		{"5K1k/8/7P/8/8/8/8/8 w - - 0 1", "h6h7", "White can never mate: "},
		{"4k3/8/7p/1p1p1p2/1P1P1P1P/8/8/4K3 b - - 0 1", "h6h5", "locked"},
		{"8/8/8/8/3k4/8/4r3/4K3 w - - 0 1", "e1e2", "no mating material, bare king against the bare king."},
	} {
		g := begin(t, "fide-standard", tt.fen).play(tt.uci)
		g.step(rules.Found{Case: g.find("end.dead", legal.NoSide, rules.Certain)})
		g.wants("end.dead confirmed now fact stands 1/2-1/2")
		if e := g.entry(g.last); !strings.Contains(e.Ruling.Text.String(), tt.want) {
			t.Errorf("%q is not in %s", tt.want, e.Ruling.Text.String())
		}
	}
}

func TestDeadPositionThatIsTakenBack(t *testing.T) {
	g := begin(t, "fide-blitz", "5K1k/8/7P/8/8/8/8/8 w - - 0 1").play("h6h7")
	g.step(rules.Found{Case: g.find("end.dead", legal.NoSide, rules.Certain)})
	dead := g.last
	g.step(rules.TakenBack{Ply: g.ply - 1})
	g.wants("end.dead confirmed now fact stands 1/2-1/2") // putting pieces back after a game does not continue it
	g.ply--
	g.pos = legaltest.Position(t, "5K1k/8/7P/8/8/8/8/8 w - - 0 1")
	g.play("f8f7")
	g.step(rules.Found{Case: g.find("clock.flag", legal.Black, rules.Certain)})
	g.wants("clock.flag confirmed now fact stands 1-0")
	if e := g.entry(dead); e.Alert != rules.Log || e.Ruling.Result != "" {
		t.Errorf("%s %q: %s", e.Alert, e.Ruling.Result, e.Ruling.Text.String())
	}
}
