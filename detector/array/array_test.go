package array

import (
	"strings"
	"testing"

	"boardwatchd/detector/play"
	"boardwatchd/rules/legal"
)

func TestWrongArray(t *testing.T) {
	for _, c := range []struct {
		claim, fen string
		wrong      string // the squares; "" where nothing is wrong
		castling   string // what the set-up's FEN says
		never960   string // the squares where only the orthodox array is right, if not the same
	}{
		{"the orthodox array", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", "", "", ""},
		{"White's king and queen are exchanged: White cannot castle", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR", "d1 e1", "kq", ""},
		{"Black's king and queen are exchanged", "rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", "d8 e8", "KQ", ""},
		{"bishop and knight are exchanged: castling is not touched", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RBNQKBNR", "b1 c1", "KQkq", ""},
		{"bishop and knight on both of White's wings", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RBNQKNBR", "b1 c1 f1 g1", "KQkq", ""},
		{"rook and knight: that rook cannot castle", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBRN", "g1 h1", "Qkq", ""},
		{"a knight of each colour is exchanged", "rNbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RnBQKBNR", "b1 b8", "KQkq", ""},
		{"the queens are exchanged", "rnbQkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBqKBNR", "d1 d8", "KQkq", ""},
		{"king and queen on both sides: an array of Chess960, and a mistake", "rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR", "d1 e1 d8 e8", "-", ""},
		{"another array of Chess960", "rnbbkqnr/pppppppp/8/8/8/8/PPPPPPPP/RNBBKQNR", "", "", "d1 f1 d8 f8"},
		{"White in one array of Chess960, Black in another by an exchange of two", "bbnnrkrq/pppppppp/8/8/8/8/PPPPPPPP/BBNNRKQR",
			"g8 h8", "KQq", "*"},
		{"a piece is missing", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBN1", "", "", ""},
		{"two queens and no king", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQQBNR", "", "", ""},
		{"a pawn has moved", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBKQBNR", "", "", ""},
		{"a pawn and a knight are exchanged", "rnbqkbnr/pppppppp/8/8/8/8/PNPPPPPP/RPBQKBNR", "", "", ""},
		{"an empty board", "8/8/8/8/8/8/8/8", "", "", ""},
		{"Black sits where White should", "RNBKQBNR/PPPPPPPP/8/8/8/8/pppppppp/rnbkqbnr", "", "", ""},
	} {
		t.Run(c.claim, func(t *testing.T) {
			p, err := placementOf(c.fen)
			if err != nil {
				t.Fatal(err)
			}
			set, setup, ok := Wrong(&p, Auto)
			if got := squareNames(set); got != c.wrong || ok != (c.wrong != "") {
				t.Errorf("wrong squares %q, %v; want %q", got, ok, c.wrong)
			}
			if ok {
				checkArray(t, &p, setup, c.castling)
			}
			if n, is := Number(&p); is {
				if set, _, ok := Wrong(&p, Always); ok {
					t.Errorf("array %d is wrong at %s where Chess960 is always played", n, squareNames(set))
				}
			}
			if c.never960 == "*" {
				return
			}
			want := c.never960
			if want == "" {
				want = c.wrong
			}
			if set, _, ok := Wrong(&p, Never); squareNames(set) != want || ok != (want != "") {
				t.Errorf("without Chess960: %q, %v; want %q", squareNames(set), ok, want)
			}
		})
	}
}

func squareNames(set uint64) (names string) {
	for _, sq := range play.SquareList(set) {
		if names != "" {
			names += " "
		}
		names += sq.String()
	}
	return names
}

func checkArray(t *testing.T, p *legal.Placement, setup legal.Setup, castling string) {
	t.Helper()
	if _, err := setup.Standing(); err != nil {
		t.Fatalf("nothing can be played from %s: %v", setup.FEN(), err)
	}
	if setup.Placement != *p || setup.Turn != legal.White || setup.FullMoves != 1 || setup.EnPassant != legal.NoSquare {
		t.Errorf("the set-up is %+v", setup)
	}
	if got := strings.Fields(setup.FEN())[2]; got != castling {
		t.Errorf("castling %s, want %s", got, castling)
	}
}

func TestQuarterTurned(t *testing.T) {
	start := legal.StartSetup(518).Placement
	swapped := start
	swapped[legal.D1], swapped[legal.E1] = swapped[legal.E1], swapped[legal.D1]
	missing := start
	missing[legal.H1] = legal.NoPiece
	for _, c := range []struct {
		claim string
		seen  legal.Placement // as White sees it
		want  bool
	}{
		{"the start array", start, true},
		{"king and queen exchanged as well", swapped, true},
		{"an array of Chess960", legal.StartSetup(80).Placement, true},
		{"a piece is missing", missing, false},
	} {
		left := c.seen
		for turns := 1; turns <= 4; turns++ {
			left = quarter(&left)
			turned, ok := QuarterTurned(&left)
			if want := c.want && turns%2 == 1; ok != want {
				t.Errorf("%s, turned %d times: %v", c.claim, turns, ok)
			}
			if ok && turned != c.seen {
				t.Errorf("%s, turned %d times: not turned back", c.claim, turns)
			}
		}
		if left != c.seen {
			t.Errorf("%s: four quarters are no whole turn", c.claim)
		}
	}
}

// White's pieces on the a- and b-files, as in the case of the Polish exam.
func TestQuarterTurnedByFiles(t *testing.T) {
	p, err := placementOf("RP4pr/NP4pn/BP4pb/KP4pk/QP4pq/BP4pb/NP4pn/RP4pr")
	if err != nil {
		t.Fatal(err)
	}
	turned, ok := QuarterTurned(&p)
	if n, start := Number(&turned); !ok || !start {
		t.Errorf("not found: array %d, %v", n, ok)
	}
}

// FuzzArray: whatever stands on the board, the answers agree with each other.
func FuzzArray(f *testing.F) {
	f.Add([]byte{}, uint8(0))
	f.Add([]byte{3, 4}, uint8(1))
	f.Add([]byte{1, 57, 59, 60, 2, 61}, uint8(3))
	f.Add([]byte{0, 12}, uint8(2))
	f.Fuzz(func(t *testing.T, swaps []byte, turns uint8) {
		p := legal.StartSetup(int(turns) * 5 % 960).Placement
		for i := 0; i+1 < len(swaps); i += 2 {
			a, b := swaps[i]&63, swaps[i+1]&63
			p[a], p[b] = p[b], p[a]
		}
		for range turns % 4 {
			p = quarter(&p)
		}
		set, setup, wrong := Wrong(&p, Auto)
		n, right := Number(&p)
		right = right && Auto.Opens(n)
		only, _, not518 := Wrong(&p, Never)
		turned, quarterTurn := QuarterTurned(&p)
		switch {
		case wrong && right:
			t.Error("right and wrong")
		case wrong && set == 0, not518 && only == 0:
			t.Error("wrong nowhere")
		case wrong && !not518:
			t.Error("wrong among the 960, and orthodox")
		case (wrong || right) != complete(&p):
			t.Error("complete, and neither right nor wrong")
		case quarterTurn && complete(&p):
			t.Error("two ways round")
		case quarterTurn && !complete(&turned):
			t.Error("turned to nothing")
		case wrong && setup.Placement != p:
			t.Error("another placement")
		}
		if wrong {
			if _, err := setup.Standing(); err != nil {
				t.Errorf("%s: %v", setup.FEN(), err)
			}
		}
	})
}

// placementOf reads the pieces of a FEN, of which the rest may be missing.
func placementOf(fen string) (legal.Placement, error) {
	if !strings.Contains(fen, " ") {
		fen += " w - - 0 1"
	}
	s, err := legal.ParseFEN(fen)
	return s.Placement, err
}
