package legal

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/notnil/chess"
)

func TestSAN(t *testing.T) {
	for _, c := range []struct{ claim, fen, uci, san string }{
		{"pawn", startFEN, "e2e4", "e4"},
		{"knight", startFEN, "g1f3", "Nf3"},
		{"two knights, files differ", "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "b1d2", "Nbd2"},
		{"two rooks on one file", "4k3/R7/8/8/8/8/8/R5K1 w - - 0 1", "a1a4", "R1a4"},
		{"three queens", "7k/6p1/8/8/Q2Q4/8/8/Q5K1 w - - 0 1", "a4d1", "Qa4d1"},
		{"a pinned rival needs no distinction", "4k3/4r3/8/8/8/4N3/8/1N2K3 w - - 0 1", "b1c3", "Nc3"},
		{"a pinned rival on the same square", "4k3/4r3/8/8/8/4N3/8/K1N5 w - - 0 1", "e3d1", "Nd1"},
		{"capture", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", "exd5"},
		{"en passant", "7k/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "e5d6", "exd6"},
		{"promotion with check", "7k/P7/8/8/8/8/8/K7 w - - 0 1", "a7a8q", "a8=Q+"},
		{"capture with promotion", "1n5k/P7/8/8/8/8/8/K7 w - - 0 1", "a7b8n", "axb8=N"},
		{"short castling", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "O-O"},
		{"long castling with check", "3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", "O-O-O+"},
		{"mate", "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq g3 0 2", "d8h4", "Qh4#"},
	} {
		p := mustPosition(t, c.fen)
		m := p.mustFind(t, c.uci)
		if got := p.SAN(m); got != c.san {
			t.Errorf("%s: %s is %s, want %s", c.claim, c.uci, got, c.san)
		}
		if back, err := p.ParseSAN(c.san); err != nil || back != m {
			t.Errorf("%s: %s read as %v, %v", c.claim, c.san, back, err)
		}
	}
}

func TestSANIsReadInItsUsualVariants(t *testing.T) {
	castle := "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
	promote := "7k/P7/8/8/8/8/8/K7 w - - 0 1"
	for _, c := range []struct{ fen, san, uci string }{
		{castle, "0-0", "e1g1"}, {castle, "0-0-0", "e1c1"}, {castle, "O-O!?", "e1g1"},
		{startFEN, "Ng1f3", "g1f3"}, {startFEN, "Ngf3", "g1f3"}, {startFEN, "N1f3", "g1f3"}, {startFEN, "Ng1-f3", "g1f3"},
		{startFEN, "e2e4", "e2e4"}, {startFEN, "e2-e4", "e2e4"}, {startFEN, "e4!!", "e2e4"}, {startFEN, "Pe4", "e2e4"},
		{promote, "a8Q", "a7a8q"}, {promote, "a8=N", "a7a8n"}, {promote, "a8(R)", "a7a8r"}, {promote, "a8/B", "a7a8b"},
		{"7k/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "exd6 e.p.", "e5d6"}, {"7k/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "exd6e.p.", "e5d6"},
	} {
		p := mustPosition(t, c.fen)
		m, err := p.ParseSAN(c.san)
		if err != nil || p.UCI(m) != c.uci {
			t.Errorf("%s: read as %s, %v, want %s", c.san, p.UCI(m), err, c.uci)
		}
	}
}

func TestSANThatNamesNoSingleMoveIsRefused(t *testing.T) {
	for _, c := range []struct {
		fen, san string
		matches  int
	}{
		{startFEN, "", 0}, {startFEN, "e5", 0}, {startFEN, "Ke2", 0}, {startFEN, "O-O", 0}, {startFEN, "Nf", 0}, {startFEN, "=Q", 0},
		{startFEN, "e4=Q", 0}, {startFEN, "zz", 0}, {startFEN, "Nb1g1f3", 0},
		{"7k/P7/8/8/8/8/8/K7 w - - 0 1", "a8", 0}, // the choice is the player's
		{"4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "Nd2", 2},
	} {
		p := mustPosition(t, c.fen)
		m, err := p.ParseSAN(c.san)
		bad, ok := err.(*SANError)
		if !ok || bad.Matches != c.matches || m != NoMove || bad.Error() == "" {
			t.Errorf("%q: %v, %v, want %d matches", c.san, m, err, c.matches)
		}
	}
}

// crowdedBoards have several pieces of each kind that share squares, pins and checks.
func crowdedBoards(count int) (out []Position) {
	r := rand.New(rand.NewPCG(4, 2))
	pieces := []Piece{WhiteQueen, WhiteQueen, WhiteQueen, WhiteRook, WhiteRook, WhiteRook, WhiteBishop, WhiteBishop, WhiteKnight,
		WhiteKnight, WhiteKnight, BlackQueen, BlackRook, BlackRook, BlackBishop, BlackKnight, BlackPawn, BlackPawn}
	for len(out) < count {
		s := Setup{Turn: White, EnPassant: NoSquare, FullMoves: 1}
		squares := r.Perm(64)
		s.Placement[squares[0]], s.Placement[squares[1]] = WhiteKing, BlackKing
		for _, sq := range squares[2 : 4+r.IntN(len(pieces))] {
			s.Placement[sq] = pieces[r.IntN(len(pieces))]
		}
		if p, err := s.Standing(); err == nil {
			out = append(out, p)
		}
	}
	return out
}

func TestSANIsTheShortestThatNamesOneMove(t *testing.T) {
	var l MoveList
	added := 0
	for _, p := range crowdedBoards(300) {
		p.Moves(&l)
		for _, m := range l.Slice() {
			kind := p.board[m.From()].Kind()
			if kind == Pawn || kind == King {
				continue
			}
			want := ""
			from := m.From().String()
			for _, origin := range []string{"", from[:1], from[1:], from} {
				want = string(kind.Letter()) + origin + m.To().String()
				if found, err := p.ParseSAN(want); err == nil && found == m {
					added += len(origin)
					break
				}
			}
			if m.Captured() != NoKind {
				want = want[:len(want)-2] + "x" + m.To().String()
			}
			if got := strings.TrimRight(p.SAN(m), "+#"); got != want {
				t.Fatalf("%s: %s is written %s, want %s", &p, p.UCI(m), got, want)
			}
		}
	}
	if added < 1000 {
		t.Errorf("only %d letters were needed: the boards are not crowded", added)
	}
}

func TestPlaySANPlaysTheMove(t *testing.T) {
	var l MoveList
	for _, p := range samplePositions(60, true) {
		p.Moves(&l)
		for _, m := range l.Slice() {
			q := p
			text := string(q.PlaySAN([]byte("12."), m))
			if after := p.After(m); q != after || text != "12."+p.SAN(m) {
				t.Fatalf("%s: %s is written %s and leads to %s", &p, p.UCI(m), text, &q)
			}
		}
	}
}

func TestSANAgreesWithTheSecondOpinion(t *testing.T) {
	moves := 0
	for _, p := range samplePositions(60, false) {
		moves += compareSAN(t, &p)
	}
	if moves < 1000 {
		t.Errorf("only %d moves compared", moves)
	}
}

// compareSAN compares the whole move list and every notation with another program.
func compareSAN(t *testing.T, p *Position) int {
	t.Helper()
	other, ok := foreign(p)
	if !ok {
		t.Fatalf("%s: the other program cannot read it", p)
	}
	var l MoveList
	p.Moves(&l)
	theirs := other.ValidMoves()
	if len(theirs) != l.Len() {
		t.Fatalf("%s: %d moves, the other program has %d", p, l.Len(), len(theirs))
	}
	for _, m := range theirs {
		own, ok := p.FindUCI(m.String())
		if !ok {
			t.Fatalf("%s: %s only in the other program's list", p, m)
		}
		san := chess.AlgebraicNotation{}.Encode(other, m)
		if got := p.SAN(own); got != san {
			t.Fatalf("%s: %s is written %s, the other program writes %s", p, m, got, san)
		}
	}
	return len(theirs)
}

func FuzzCoreAgainstSecondOpinion(f *testing.F) {
	f.Add([]byte("the quick brown fox jumps over the lazy dog"), false)
	f.Add([]byte{250, 1, 250, 2, 3, 90, 100, 110, 240, 12}, true)
	f.Fuzz(func(t *testing.T, choices []byte, kiwipete bool) {
		if len(choices) > 120 {
			return
		}
		start := uint16(518)
		if kiwipete {
			start = 961
		}
		var last Position
		walk(fuzzStart(start), choices, func(p *Position) { last = *p })
		compareSAN(t, &last)
	})
}

func FuzzSAN(f *testing.F) {
	f.Add(uint16(518), []byte("e4"), "Nf3")
	f.Add(uint16(962), []byte{}, "a8=Q(+#e.p.")
	f.Fuzz(func(t *testing.T, start uint16, choices []byte, text string) {
		if len(choices) > 150 {
			return
		}
		var last Position
		walk(fuzzStart(start), choices, func(p *Position) { last = *p })
		if m, err := last.ParseSAN(text); err == nil && !last.IsLegal(m) {
			t.Fatalf("%s: %q is read as %s, which is not legal", &last, text, last.UCI(m))
		}
		if m, ok := last.FindUCI(text); ok && !last.IsLegal(m) {
			t.Fatalf("%s: %q is read as %s, which is not legal", &last, text, last.UCI(m))
		}
		var l MoveList
		last.Moves(&l)
		for _, m := range l.Slice() {
			if back, err := last.ParseSAN(last.SAN(m)); err != nil || back != m {
				t.Fatalf("%s: %s is written %s and read as %v, %v", &last, last.UCI(m), last.SAN(m), back, err)
			}
			if back, ok := last.FindUCI(last.UCI(m)); !ok || back != m {
				t.Fatalf("%s: %s is read as %v", &last, last.UCI(m), back)
			}
		}
	})
}
