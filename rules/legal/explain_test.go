package legal

import (
	"slices"
	"strings"
	"testing"

	"boardwatchd/rules/kinds"
)

type explainCase struct {
	claim, fen, uci string
	kind            kinds.Kind
	articles        []string
	says            string // part of the reason
}

var explainCases = []explainCase{
	{"knight", "rnbqkbnr/ppp1pppp/3p4/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 0 2", "f3d5", kinds.IllegalKnight, []string{"3.6", "3.10.2"}, "two squares along"},
	{"bishop to the other colour", "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2", "f1c5", kinds.IllegalBishop, []string{"3.2"}, "diagonals"},
	{"queen over her pawn", "rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2", "d1d6", kinds.IllegalJump, []string{"3.4", "3.5"}, "over the pawn on d4"},
	{"rook onto its own rook", "4k3/8/8/r7/8/8/6K1/r7 b - - 0 1", "a5a1", kinds.IllegalOwnCapture, []string{"3.1"}, "own rook"},
	{"rook down a blocked file names the first in the way", "r3k3/p7/p7/8/8/8/8/4K3 b - - 0 1", "a8a5", kinds.IllegalJump, []string{"3.3", "3.5"}, "pawn on a7"},
	{"bishop over a piece", startFEN, "c1a3", kinds.IllegalJump, []string{"3.2", "3.5"}, "pawn on b2"},
	{"queen like a knight", startFEN, "d1e3", kinds.IllegalQueen, []string{"3.4"}, "ranks, files and diagonals"},
	{"rook diagonally", "6k1/5ppp/8/8/8/8/r4PPP/4R1K1 b - - 0 1", "a2c4", kinds.IllegalRook, []string{"3.3"}, "ranks and files"},
	{"king too far", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "e1e3", kinds.IllegalKing, []string{"3.8.1"}, "neighbouring"},
	{"king two squares without a rook there is no castling", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "e1g1", kinds.IllegalKing, []string{"3.8.1"}, "neighbouring"},
	{"pawn captures straight ahead", "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2", "e4e5", kinds.IllegalPawn, []string{"3.7.1", "3.7.3"}, "straight ahead"},
	{"pawn diagonally to an empty square", startFEN, "e2d3", kinds.IllegalPawn, []string{"3.7.3"}, "d3 is empty"},
	{"pawn backwards", "4k3/8/8/8/4P3/8/8/4K3 w - - 0 1", "e4e3", kinds.IllegalPawn, []string{"3.7.1", "3.7.3"}, "forward"},
	{"pawn two squares, not its first move", "4k3/8/8/8/4P3/8/8/4K3 w - - 0 1", "e4e6", kinds.IllegalPawn, []string{"3.7.2"}, "first move"},
	{"pawn two squares over a piece", "4k3/8/8/8/8/4n3/4P3/3K4 w - - 0 1", "e2e4", kinds.IllegalPawn, []string{"3.7.2"}, "knight stands on e3"},
	{"pawn two squares onto a piece", "4k3/8/8/8/4n3/8/4P3/3K4 w - - 0 1", "e2e4", kinds.IllegalPawn, []string{"3.7.2"}, "knight stands on e4"},
	{"pawn sideways", "4k3/8/8/8/4P3/8/8/4K3 w - - 0 1", "e4f4", kinds.IllegalPawn, []string{"3.7.1", "3.7.3"}, "cannot go"},
	{"en passant a move too late", "rnbqkbnr/1pp1pppp/8/p2pP3/8/7P/PPPP1PP1/RNBQKBNR w KQkq - 0 4", "e5d6", kinds.IllegalEPLate, []string{"3.7.3.2"}, "double step"},
	{"a diagonal step with no pawn beside it is only a pawn's fault", "4k3/8/8/4P3/8/8/8/4K3 w - - 0 1", "e5d6", kinds.IllegalPawn, []string{"3.7.3"}, "empty"},
	{"en passant in time, but pinned", "4r2k/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "e5d6", kinds.IllegalExposesKing, []string{"3.9.2"}, "rook on e8"},
	{"en passant in time, but both pawns leave the rank", "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1", "e5d6", kinds.IllegalExposesKing, []string{"3.9.2"}, "rook on h5"},
	{"own capture", startFEN, "d1c1", kinds.IllegalOwnCapture, []string{"3.1"}, "own bishop"},
	{"own capture comes before the way of moving", startFEN, "b1c1", kinds.IllegalOwnCapture, []string{"3.1"}, "own bishop"},
	{"the king is never captured", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1e8", kinds.IllegalKingCapture, []string{"1.4.1"}, "never captured"},
	{"pinned rook leaves the file", "4r2k/8/8/8/8/8/4R3/4K3 w - - 0 1", "e2a2", kinds.IllegalExposesKing, []string{"3.9.2"}, "rook on e8"},
	{"a check ignored", "6k1/5ppp/8/8/8/8/4RPPP/r5K1 w - - 0 1", "h2h3", kinds.IllegalLeftInCheck, []string{"3.9.2"}, "rook on a1"},
	{"in check, a pinned piece moves: the check was there first", "4r1k1/8/8/8/7b/8/4R3/4K3 w - - 0 1", "e2a2", kinds.IllegalLeftInCheck, []string{"3.9.2"}, "still attacks"},
	{"king onto an attacked square", "8/3k4/3P4/3K4/8/8/8/8 b - - 0 1", "d7e7", kinds.IllegalKingIntoCheck, []string{"3.9.2"}, "pawn on d6"},
	{"king beside the king", "8/8/8/3k4/8/3K4/8/8 w - - 0 1", "d3d4", kinds.IllegalKingIntoCheck, []string{"3.9.2"}, "beside the other king"},
	{"king back along the line of the check", "4k3/8/8/8/4r3/8/8/4K3 w - - 0 1", "e1e2", kinds.IllegalKingIntoCheck, []string{"3.9.2"}, "rook on e4"},
	{"castling out of check", "4k3/8/8/8/4r3/8/8/4K2R w K - 0 1", "e1g1", kinds.IllegalCastleOutOfCheck, []string{"3.8.2.2.1"}, "rook on e4"},
	{"castling through check", "4k3/8/8/8/8/5r2/8/4K2R w K - 0 1", "e1g1", kinds.IllegalCastleThroughCheck, []string{"3.8.2.2.1"}, "f1"},
	{"castling into check", "4k3/8/8/8/8/6r1/8/4K2R w K - 0 1", "e1g1", kinds.IllegalCastleIntoCheck, []string{"3.8.2.2.1"}, "g1"},
	{"castling over a piece", "4k3/8/8/8/8/8/8/4KB1R w K - 0 1", "e1g1", kinds.IllegalCastleBlocked, []string{"3.8.2.2.2"}, "bishop on f1"},
	{"castling over a piece beside the rook", "4k3/8/8/8/8/8/8/RN2K3 w Q - 0 1", "e1c1", kinds.IllegalCastleBlocked, []string{"3.8.2.2.2"}, "knight on b1"},
	{"castling onto an enemy piece", "4k3/8/8/8/8/8/8/4K1nR w K - 0 1", "e1g1", kinds.IllegalCastleBlocked, []string{"3.8.2.2.2"}, "knight on g1"},
	{"castling onto an own piece is an own capture", "4k3/8/8/8/8/8/8/4K1NR w K - 0 1", "e1g1", kinds.IllegalOwnCapture, []string{"3.1"}, "own knight"},
	{"right lost, one wing: that rook", "4k3/8/8/8/8/8/8/R3K2R w Q - 0 1", "e1g1", kinds.IllegalCastleRightLost, []string{"3.8.2.1.2"}, "that rook"},
	{"right lost, both wings: king or rook", "4k3/8/8/8/8/8/8/R3K2R w - - 0 1", "e1g1", kinds.IllegalCastleRightLost, []string{"3.8.2.1.1", "3.8.2.1.2"}, "the king or that rook"},
	{"a lost right comes before a check", "4k3/8/8/8/4r3/8/8/4K2R w - - 0 1", "e1g1", kinds.IllegalCastleRightLost, []string{"3.8.2.1.1", "3.8.2.1.2"}, "moved before"},
	{"a check comes before a piece in the way", "4k3/8/8/8/4r3/8/8/4KB1R w K - 0 1", "e1g1", kinds.IllegalCastleOutOfCheck, []string{"3.8.2.2.1"}, "in check"},
	{"a piece in the way comes before the squares crossed", "4k3/8/8/8/8/5r2/8/4K1nR w K - 0 1", "e1g1", kinds.IllegalCastleBlocked, []string{"3.8.2.2.2"}, "stands in the way"},
	{"orthodox king on its rook is an own capture", "4k3/8/8/8/8/5r2/8/4K2R w K - 0 1", "e1h1", kinds.IllegalOwnCapture, []string{"3.1"}, "own rook"},
	{"Chess960 king on its rook is castling", "4k3/8/8/8/8/5r2/8/4K2R w H - 0 1", "e1h1", kinds.IllegalCastleThroughCheck, []string{"3.8.2.2.1"}, "f1"},
	{"Chess960: the rook shields its king", "4k3/8/8/8/8/8/8/rR1K4 w B - 0 1", "d1b1", kinds.IllegalCastleIntoCheck, []string{"3.8.2.2.1"}, "rook on a1"},
	{"Chess960: right lost", "4k3/8/8/8/8/8/8/RK4R1 w G - 0 1", "b1a1", kinds.IllegalCastleRightLost, []string{"3.8.2.1.2"}, "that rook"},
	{"promotion forgotten", "8/P5k1/8/8/8/8/8/6K1 w - - 0 1", "a7a8", kinds.IllegalPromoIncomplete, []string{"3.7.3.3", "7.5.2"}, "not exchanged"},
	{"promotion to a king", "8/P5k1/8/8/8/8/8/6K1 w - - 0 1", "a7a8k", kinds.IllegalPromoBadPiece, []string{"3.7.3.3"}, "cannot become a king"},
	{"promotion to a pawn", "8/P5k1/8/8/8/8/8/6K1 w - - 0 1", "a7a8p", kinds.IllegalPromoBadPiece, []string{"3.7.3.3"}, "cannot become a pawn"},
	{"promotion where none is due", startFEN, "e2e4q", kinds.IllegalPromoBadPiece, []string{"3.7.3.3"}, "only a pawn that reaches"},
	{"a promotion that exposes the king is that", "8/P5k1/8/8/8/8/8/K5r1 w - - 0 1", "a7a8", kinds.IllegalLeftInCheck, []string{"3.9.2"}, "in check"},
	{"Black castles through check", "4k2r/8/8/8/8/8/5R2/4K3 b k - 0 1", "e8g8", kinds.IllegalCastleThroughCheck, []string{"3.8.2.2.1"}, "f8"},
	{"Black castles long over a piece", "r1b1k3/8/8/8/8/8/8/4K3 b q - 0 1", "e8c8", kinds.IllegalOwnCapture, []string{"3.1"}, "own bishop"},
	{"Black takes en passant too late", "4k3/8/8/8/3pP3/8/8/4K3 b - - 0 1", "d4e3", kinds.IllegalEPLate, []string{"3.7.3.2"}, "double step"},
	{"Black's pawn goes backwards", "4k3/8/8/8/3p4/8/8/4K3 b - - 0 1", "d4d5", kinds.IllegalPawn, []string{"3.7.1", "3.7.3"}, "forward"},
	{"Black's pawn is not exchanged", "4k3/8/8/8/8/8/p7/4K3 b - - 0 1", "a2a1", kinds.IllegalPromoIncomplete, []string{"3.7.3.3", "7.5.2"}, "not exchanged"},
	{"nothing moved", startFEN, "e2e2", kinds.IllegalNoMove, []string{"6.2.4", "7.5.3"}, "no move"},
	{"the null move", startFEN, "0000", kinds.IllegalNoMove, []string{"6.2.4", "7.5.3"}, "no move"},
	{"the opponent's piece", startFEN, "e7e5", kinds.OutOfTurn, []string{"1.2", "1.3"}, "White's turn"},
	{"no piece", startFEN, "e4e5", kinds.NotUnderstood, nil, "No piece"},
}

func TestExplainNamesTheRuleThatIsBroken(t *testing.T) {
	for _, c := range explainCases {
		p := mustPosition(t, c.fen)
		v := p.Explain(c.uci)
		if v.Legal || v.Doubt || v.Kind != c.kind {
			t.Errorf("%s: %s is %+v, want %s", c.claim, c.uci, v, c.kind)
		}
		if !slices.Equal(v.Articles, c.articles) {
			t.Errorf("%s: articles %v, want %v", c.claim, v.Articles, c.articles)
		}
		if !strings.Contains(v.Reason.String(), c.says) || !strings.HasSuffix(v.Reason.String(), ".") {
			t.Errorf("%s: reason %q does not say %q", c.claim, v.Reason, c.says)
		}
	}
}

func TestExplainAcceptsWhatIsLegal(t *testing.T) {
	for _, c := range []struct{ fen, uci string }{
		{startFEN, "e2e4"},
		{"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1"},
		{"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1h1"},
		{"1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1"}, // only the rook crosses an attacked square
		{"r3k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1"},  // the rook itself is attacked
		{"8/P5k1/8/8/8/8/8/6K1 w - - 0 1", "a7a8n"},
		{"5k2/8/8/8/8/8/8/5KR1 w G - 0 1", "f1g1"},
	} {
		p := mustPosition(t, c.fen)
		if v := p.Explain(c.uci); !v.Legal || v.Doubt || v.Kind != "" || p.UCI(v.Move) == "" {
			t.Errorf("%s in %s: %+v", c.uci, c.fen, v)
		}
	}
}

func TestExplainOfTextThatIsNoMoveIsDoubt(t *testing.T) {
	p := StartPosition()
	for _, text := range []string{"", "e2", "e2e9", "e2e4x", "Nf3", "e2e4qq", "\x00\x00\x00\x00"} {
		if v := p.Explain(text); v.Legal || !v.Doubt || v.Kind != "" || v.Reason.IsZero() {
			t.Errorf("%q: %+v", text, v)
		}
	}
}

func TestHistoryKnowsWhichPieceLostTheRight(t *testing.T) {
	king := playUCI(t, StartPosition(), "e2e4", "e7e5", "g1f3", "b8c6", "f1e2", "g8f6", "e1f1", "f8e7", "f1e1", "a7a6")
	if v := king.Explain("e1g1"); v.Kind != kinds.IllegalCastleRightLost || !slices.Equal(v.Articles, []string{"3.8.2.1.1"}) || !strings.Contains(v.Reason.String(), "Kf1 on move 4") {
		t.Errorf("king moved: %+v", v)
	}
	rook := playUCI(t, StartPosition(), "e2e4", "e7e5", "g1f3", "b8c6", "f1e2", "g8f6", "h1g1", "f8e7", "g1h1", "a7a6")
	if v := rook.Explain("e1g1"); v.Kind != kinds.IllegalCastleRightLost || !slices.Equal(v.Articles, []string{"3.8.2.1.2"}) {
		t.Errorf("rook moved: %+v", v)
	}
	if v := rook.Explain("d2d4"); !v.Legal {
		t.Errorf("a legal move: %+v", v)
	}
}

// checkExplain: a move is legal exactly when it is in the list; otherwise the verdict has a known kind with articles
// and a sentence. A doubt is an error, because the three opinions must agree.
func checkExplain(t *testing.T, p *Position, from, to Square, promo string) {
	t.Helper()
	uci := from.String() + to.String() + promo
	v := p.Explain(uci)
	m, legal := p.FindUCI(uci)
	switch {
	case v.Doubt:
		t.Fatalf("%s %s: doubt (list %t, second opinion %v): %s", p.FEN(), uci, legal, SecondOpinion(p, from, to, NoKind), v.Reason)
	case v.Legal != legal || v.Legal && v.Move != m:
		t.Fatalf("%s %s: explained as %+v, list says %t", p.FEN(), uci, v, legal)
	case !v.Legal && v.Kind != kinds.NotUnderstood && len(v.Articles) == 0, !v.Legal && (v.Kind == "" || !strings.HasSuffix(v.Reason.String(), ".")):
		t.Fatalf("%s %s: %+v says too little", p.FEN(), uci, v)
	}
}

func TestExplainAgreesWithTheListOnSamplePositions(t *testing.T) {
	for _, chess960 := range []bool{false, true} {
		for i, p := range samplePositions(12, chess960) {
			for from := A1; from < NoSquare; from++ {
				if p.PieceAt(from).Side() != p.Turn() || int(from)%3 != i%3 {
					continue
				}
				for to := A1; to < NoSquare; to++ {
					checkExplain(t, &p, from, to, "")
				}
			}
		}
	}
}

func FuzzExplain(f *testing.F) {
	f.Add(uint16(518), []byte("e4 e5 Nf3 Nc6"), uint8(4), uint8(6), uint8(0))
	f.Add(uint16(962), []byte{1, 250, 3}, uint8(52), uint8(60), uint8(5))
	f.Fuzz(func(t *testing.T, start uint16, choices []byte, from, to, promo uint8) {
		if len(choices) > 150 {
			return
		}
		letters := []string{"", "q", "n", "k", "p"}
		var last Position
		walk(fuzzStart(start), choices, func(p *Position) { last = *p })
		checkExplain(t, &last, Square(from%64), Square(to%64), letters[int(promo)%len(letters)])
	})
}
