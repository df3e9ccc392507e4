package legal

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// checkGenerator is the oracle of several tests: the list, the count and the direct predicate name the
// same moves, each once, and making and taking back any of them restores everything.
func checkGenerator(t *testing.T, p *Position) {
	t.Helper()
	var l MoveList
	p.Moves(&l)
	if n := p.countMoves(); n != l.Len() {
		t.Fatalf("%s: %d moves listed, %d counted", p.FEN(), l.Len(), n)
	}
	want := predicateMoves(p)
	for _, m := range l.Slice() {
		if !want[m] {
			t.Fatalf("%s: %s is listed (twice, or against the predicate)", p.FEN(), p.UCI(m))
		}
		delete(want, m)
		checkMake(t, p, m)
	}
	checkSingle(t, p, &l)
	checkCaptures(t, p, &l)
	for m := range want {
		t.Fatalf("%s: %s is not listed, but the predicate allows it", p.FEN(), p.UCI(m))
	}
}

// checkCaptures compares Captures with what of the list captures or promotes.
func checkCaptures(t *testing.T, p *Position, l *MoveList) {
	t.Helper()
	var captures MoveList
	p.Captures(&captures)
	count := 0
	for _, m := range l.Slice() {
		if m.Captured() == NoKind && m.Promotion() == NoKind {
			continue
		}
		if count++; !captures.Has(m) {
			t.Fatalf("%s: %s is not among the captures", p.FEN(), p.UCI(m))
		}
	}
	if captures.Len() != count {
		t.Fatalf("%s: %d captures listed, %d in the list", p.FEN(), captures.Len(), count)
	}
}

// checkSingle compares Lists and Between with the list, for every move there is and for every move that one bit turns
// it into.
func checkSingle(t *testing.T, p *Position, l *MoveList) {
	t.Helper()
	for _, m := range l.Slice() {
		if !p.Lists(m) {
			t.Fatalf("%s: %s (%x) is in the list, but Lists denies it", p.FEN(), p.UCI(m), m)
		}
		if between := p.Between(m.From(), m.To(), m.Promotion()); between != m && !m.IsCastling() && !m.IsEnPassant() {
			t.Fatalf("%s: Between gives %x for %x", p.FEN(), between, m)
		}
		for b := range 24 {
			if other := m ^ 1<<b; p.Lists(other) != l.Has(other) {
				t.Fatalf("%s: %x is in the list: %t, but Lists denies it", p.FEN(), other, l.Has(other))
			}
		}
	}
	for from := A1; from < NoSquare; from++ {
		for to := A1; to < NoSquare; to++ {
			if m := p.Between(from, to, NoKind); p.Lists(m) != l.Has(m) {
				t.Fatalf("%s: %x is in the list: %t, but Lists denies it", p.FEN(), m, l.Has(m))
			}
		}
	}
}

// predicateMoves tries the predicate on every combination of squares and promotions.
func predicateMoves(p *Position) map[Move]bool {
	out := map[Move]bool{}
	ask := func(m Move) {
		if full, ok := p.describe(m); ok && p.IsLegal(full) {
			out[full] = true
		}
	}
	for from := A1; from < NoSquare; from++ {
		if p.PieceAt(from).Side() != p.Turn() {
			continue
		}
		for to := A1; to < NoSquare; to++ {
			for promo := NoKind; promo <= King; promo++ {
				ask(newMove(from, to).promotingTo(promo))
			}
			if to.Rank() == p.Turn().homeRank() {
				ask(newCastling(from, castlingTarget(p.Turn(), true), to))
				ask(newCastling(from, castlingTarget(p.Turn(), false), to))
			}
		}
	}
	return out
}

func checkMake(t *testing.T, p *Position, m Move) {
	t.Helper()
	q := *p
	var u Undo
	q.Make(m, &u)
	if q.KingSquare(p.Turn()) == NoSquare || q.attackers(q.KingSquare(p.Turn()), q.Turn(), q.occupied()) != 0 {
		t.Fatalf("%s: after %s the king can be taken", p.FEN(), p.UCI(m))
	}
	// Everything that is kept up to date move by move equals the values computed from scratch.
	fresh, err := q.Setup().Standing()
	if err != nil {
		t.Fatalf("%s: after %s: %v", p.FEN(), p.UCI(m), err)
	}
	fresh.step, fresh.chess960, fresh.rooks = q.step, q.chess960, q.rooks
	if fresh != q {
		t.Fatalf("%s: after %s the position is\n%+v\nfrom nothing\n%+v", p.FEN(), p.UCI(m), q, fresh)
	}
	if q.key == p.key {
		t.Fatalf("%s: %s does not change the key", p.FEN(), p.UCI(m))
	}
	q.Unmake(m, &u)
	if q != *p {
		t.Fatalf("%s: %s taken back leaves\n%+v, was\n%+v", p.FEN(), p.UCI(m), q, *p)
	}
}

func TestGeneratorPredicateAndUndoAgreeOnSamplePositions(t *testing.T) {
	for _, chess960 := range []bool{false, true} {
		for _, p := range samplePositions(150, chess960) {
			checkGenerator(t, &p)
		}
	}
	for _, c := range oddPerft {
		p := mustPosition(t, c.fen)
		checkGenerator(t, &p)
	}
}

func TestSlidingAttacks(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for s := A1; s < NoSquare; s++ {
		for range 500 {
			occupied := bitboard(r.Uint64() & r.Uint64())
			if got, want := rookAttacks(s, occupied), walkRays(s, rookSteps, occupied); got != want {
				t.Fatalf("rook %s, occupied %x: %x, want %x", s, occupied, got, want)
			}
			if got, want := bishopAttacks(s, occupied), walkRays(s, bishopSteps, occupied); got != want {
				t.Fatalf("bishop %s, occupied %x: %x, want %x", s, occupied, got, want)
			}
		}
	}
}

func TestKeysStayTheSameForEver(t *testing.T) {
	const startKey = 0x80dc067f6e524394 // keys may be stored: a new value is a new format
	p := StartPosition()
	if got := p.Key(); got != startKey {
		t.Errorf("key of the start position is %#x, want %#x", got, uint64(startKey))
	}
}

func TestMoveDescribesItself(t *testing.T) {
	for _, c := range []struct {
		fen, uci                       string
		castling, enPassant, twoSteps  bool
		captured, promotion            Kind
		to, rookFrom, rookTo, epVictim Square
	}{
		{"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", true, false, false, NoKind, NoKind, G1, H1, F1, NoSquare},
		{"r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8a8", true, false, false, NoKind, NoKind, C8, A8, D8, NoSquare},
		{"6k1/8/8/8/8/8/8/1R4KR w HB - 0 1", "g1h1", true, false, false, NoKind, NoKind, G1, H1, F1, NoSquare},
		{"7k/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "e5d6", false, true, false, Pawn, NoKind, D6, NoSquare, NoSquare, D5},
		{startFEN, "e2e4", false, false, true, NoKind, NoKind, E4, NoSquare, NoSquare, NoSquare},
		{"1n5k/P7/8/8/8/8/8/K7 w - - 0 1", "a7b8n", false, false, false, Knight, Knight, B8, NoSquare, NoSquare, NoSquare},
	} {
		p := mustPosition(t, c.fen)
		m, ok := p.FindUCI(c.uci)
		if !ok {
			t.Errorf("%s not found in %s", c.uci, c.fen)
			continue
		}
		if m.IsCastling() != c.castling || m.IsEnPassant() != c.enPassant || m.IsDoubleStep() != c.twoSteps || m.Captured() != c.captured ||
			m.Promotion() != c.promotion || m.To() != c.to || m.RookFrom() != c.rookFrom || m.RookTo() != c.rookTo || m.EnPassantVictim() != c.epVictim {
			t.Errorf("%s in %s: %+v", c.uci, c.fen, m)
		}
	}
}

func TestCastlingIsNamedByTheKindOfChess(t *testing.T) {
	for _, c := range []struct {
		claim, fen, in, out string
	}{
		{"orthodox is written king's target", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1h1", "e1g1"},
		{"Chess960 is written king takes rook", "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", "e1c1", "e1a1"},
		{"a step of the king comes before castling", "5k2/8/8/8/8/8/8/5K1R w H - 0 1", "f1g1", "f1g1"},
		{"king takes rook is always castling", "5k2/8/8/8/8/8/8/5K1R w H - 0 1", "f1h1", "f1h1"},
	} {
		p := mustPosition(t, c.fen)
		m, ok := p.FindUCI(c.in)
		if !ok || p.UCI(m) != c.out {
			t.Errorf("%s: %s is %v %s, want %s", c.claim, c.in, ok, p.UCI(m), c.out)
		}
	}
}

func FuzzMovesAgainstPredicate(f *testing.F) {
	f.Add(uint16(518), []byte("a quiet game of chess"))
	f.Add(uint16(0), []byte{0, 255, 3, 4, 7, 200, 90, 17, 33})
	f.Add(uint16(961), []byte{9, 8, 7, 6, 5, 4, 3, 2, 1})
	f.Fuzz(func(t *testing.T, start uint16, choices []byte) {
		if len(choices) > 150 {
			return
		}
		var last Position
		walk(fuzzStart(start), choices, func(p *Position) { last = *p })
		checkGenerator(t, &last)
	})
}

func TestUCIMovesAreSorted(t *testing.T) {
	p := mustPosition(t, "8/8/8/8/8/8/6k1/R3K3 w Q - 0 1")
	got := strings.Join(p.UCIMoves(), " ")
	if want := "a1a2 a1a3 a1a4 a1a5 a1a6 a1a7 a1a8 a1b1 a1c1 a1d1 e1c1 e1d1 e1d2 e1e2"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
