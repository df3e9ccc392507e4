package rules_test

import (
	"slices"
	"strings"
	"testing"

	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/legal/legaltest"
)

func TestCompulsoryMoves(t *testing.T) {
	tests := []struct {
		name, fen                string
		kind                     kinds.Kind
		uci, touched, edit, want string
	}{
		{"the touched piece", "rnbqkbnr/ppp1pppp/3p4/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 0 2", kinds.IllegalKnight, "f3d5", "f3", "f3 - d5 N", "Nd4 Ne5 Ng1 Ng5 Nh4"},
		{"touched, and cannot move", startFEN, kinds.IllegalBishop, "c1f4", "c1", "c1 - f4 B", ""},
		{"own and enemy piece: that capture", "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2", kinds.IllegalPawn, "e4d4", "e4 d5", "e4 - d5 - d4 P", "exd5"},
		{"the capture is not legal: the first piece", "4k3/8/8/6n1/8/8/4B3/4K3 w - - 0 1", kinds.IllegalBishop, "e2g5", "e2 g5", "e2 - g5 B", "Ba6 Bb5+ Bc4 Bd1 Bd3 Bf1 Bf3 Bg4 Bh5+"},
		{"the first piece cannot move: the second is captured", "4k3/8/8/8/3p4/2P1P3/8/B3K3 w - - 0 1", kinds.IllegalJump, "a1d4", "a1 d4", "a1 - d4 B", "Bb2"},
		{"the enemy piece first, and nothing captures it", "4k3/8/8/4p3/4P3/8/8/4K3 w - - 0 1", kinds.IllegalPawn, "e4e5", "e5 e4", "e4 - e5 P", ""},
		{"castling that was not allowed: the king", "4k3/8/8/8/4r3/8/8/4K2R w K - 0 1", kinds.IllegalCastleOutOfCheck, "e1g1", "e1 h1", "e1 - h1 - g1 K f1 R", "Kd1 Kd2 Kf1 Kf2"},
		{"castling that was not allowed, and no king's move", "4k3/8/8/8/8/4nn2/8/3RK2R w K - 0 1", kinds.IllegalCastleOutOfCheck, "e1g1", "e1 h1", "e1 - h1 - g1 K f1 R", "Ke2 Kf2"},
		{"other castling is a king's move", "4k3/8/8/8/8/5r2/8/R3K2R w KQ - 0 1", kinds.IllegalCastleThroughCheck, "e1g1", "e1 h1", "e1 - h1 - g1 K f1 R", "Kd1 Kd2 Ke2 O-O-O"},
		{"castled on wrong squares: castling on that side", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", kinds.IllegalKing, "e1h1", "e1 h1", "e1 - h1 K g1 R", "O-O"},
		{"castled on wrong squares where castling is not legal: the king", "4k3/8/8/8/8/5r2/8/R3K2R w KQ - 0 1", kinds.IllegalKing, "e1h1", "e1 h1", "e1 - h1 K g1 R", "Kd1 Kd2 Ke2 O-O-O"},
		{"castled on wrong squares, the rook first: the rook", "4k3/8/8/8/8/8/7P/4K2R w K - 0 1", kinds.IllegalKing, "e1h1", "h1 e1", "e1 - h1 K g1 R", "Rf1 Rg1"},
		{"no touch was seen: the piece that was moved", "4r2k/8/8/8/8/8/4R3/4K3 w - - 0 1", kinds.IllegalExposesKing, "e2a2", "", "e2 - a2 R", "Re3 Re4 Re5 Re6 Re7 Rxe8+"},
		{"a pinned piece: only along the pin", "4r2k/8/8/8/8/8/4R3/4K3 w - - 0 1", kinds.IllegalExposesKing, "e2a2", "e2 e1", "e2 - a2 R", "Re3 Re4 Re5 Re6 Re7 Rxe8+"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := begin(t, "fide-standard", tt.fen).wrong(tt.kind, tt.uci, tt.touched, tt.edit)
			r := g.entry(g.last).Ruling
			if got := strings.Join(r.MustPlay, " "); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if tt.want == "" && !strings.Contains(r.Text.String(), "any legal move") {
				t.Error(r.Text.String())
			}
		})
	}
}

func TestTouchIsNotJudgedWhereSomebodyElseMovesThePieces(t *testing.T) {
	for _, flag := range []string{"appendix_d", "assistant", "no_touch"} {
		g := begin(t, "fide-standard", startFEN)
		g.step(rules.Flag{Name: flag, On: true})
		g.step(rules.Found{Case: g.find("irreg.touch_move", legal.White, rules.Hint)})
		g.wants("none")
		g.knight()
		if r := g.entry(g.last).Ruling; len(r.MustPlay) != 0 || r.Kind != "illegal_move" {
			t.Errorf("%s: %+v", flag, r)
		}
	}
	g := begin(t, "fide-standard", startFEN)
	g.report("assistant", legal.NoSide, 0)
	g.step(rules.Found{Case: g.find("irreg.touch_move", legal.White, rules.Hint)})
	g.wants("none")
}

func TestLosingStrike(t *testing.T) {
	tests := []struct {
		name, profile, fen       string
		kind                     kinds.Kind
		uci, touched, edit, want string
	}{
		{"the opponent can mate", "fide-standard", startFEN, kinds.IllegalBishop, "c1f4", "c1", "c1 - f4 B", "illegal.bishop confirmed now illegal_move restore #2/0 0-1"},
		{"a bare king cannot", "fide-standard", "8/8/4k3/8/8/3QK3/8/8 w - - 0 1", kinds.IllegalQueen, "d3e5", "d3", "d3 - e5 Q", "illegal.queen confirmed now illegal_move restore #2/0 1/2-1/2"},
		{"a knight can, against rook and pawn", "fide-standard", "8/8/4k3/6n1/8/3RK2P/8/8 w - - 0 1", kinds.IllegalRook, "d3c5", "d3", "d3 - c5 R", "illegal.rook confirmed now illegal_move restore #2/0 0-1"},
		{"a pawn that is lost by force cannot", "fide-standard", "7k/5K1P/8/8/8/8/8/8 b - - 0 1", kinds.IllegalKingIntoCheck, "h8g8", "h8", "h8 - g8 k", "illegal.king_into_check confirmed now illegal_move restore +120/0 -0/10 #1/1"},
		{"the queen that is forced mates", "caa-2strike", "6k1/2P2ppp/3K4/8/8/7r/2R5/8 w - - 0 1", kinds.IllegalPromoIncomplete, "c7c8", "c7", "c7 - c8 Q", "illegal.promo_incomplete confirmed now illegal_move queen #2/0 1/2-1/2"},
		{"material for American blitz", "uscf-blitz", "8/8/4k3/8/8/3QK3/7n/8 w - - 0 1", kinds.IllegalQueen, "d3e5", "d3", "d3 - e5 Q", "illegal.queen confirmed on_claim illegal_move #2/0 1/2-1/2"},
		{"two knights need a pawn to mate", "uscf-blitz", "8/8/4k3/8/8/3QK3/6nn/8 w - - 0 1", kinds.IllegalQueen, "d3e5", "d3", "d3 - e5 Q", "illegal.queen confirmed on_claim illegal_move #2/0 1/2-1/2"},
		{"two knights against a pawn", "uscf-blitz", "8/8/4k3/8/8/3QK2P/6nn/8 w - - 0 1", kinds.IllegalQueen, "d3e5", "d3", "d3 - e5 Q", "illegal.queen confirmed on_claim illegal_move #2/0 0-1"},
		{"three strikes: the second does not lose", "caa-3strike", startFEN, kinds.IllegalBishop, "c1f4", "c1", "c1 - f4 B", "illegal.bishop confirmed now illegal_move restore +0/120 -10/0 #2/0"},
		{"American regular: no strike loses", "uscf-regular", startFEN, kinds.IllegalBishop, "c1f4", "c1", "c1 - f4 B", "illegal.bishop confirmed now illegal_move restore +0/120 #2/0"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := begin(t, tt.profile, tt.fen)
			g.step(rules.SetStrikes{White: 1})
			g.wrong(tt.kind, tt.uci, tt.touched, tt.edit).wants(tt.want)
		})
	}
}

func TestForcedQueenThatEndsTheGame(t *testing.T) {
	g := begin(t, "fide-blitz", "2n5/k2P4/3K4/3N4/8/8/8/8 w - - 0 1")
	g.wrong(kinds.IllegalPromoIncomplete, "d7c8", "d7 c8", "d7 - c8 Q")
	g.step(rules.Found{Case: g.find("clock.flag", legal.Black, rules.Certain)})
	g.wants("illegal.promo_incomplete confirmed now illegal_move queen #1/0 1/2-1/2")
}

func TestTwoHands(t *testing.T) {
	const capture = "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
	const mate = "6k1/2P2ppp/3K4/8/8/7r/2R5/8 w - - 0 1"
	const castle = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
	tests := []struct {
		name, profile, fen, move string
		strikes                  int
		want                     string
	}{
		{"a strike, and the move stands", "fide-standard", capture, "e4d5", 0, "illegal.two_hands confirmed now illegal_move stands +0/120 #1/0"},
		{"a mate was over before", "fide-standard", mate, "c7c8q", 1, "none"},
		{"a mate as losing strike, by the sources", "caa-2strike", mate, "c7c8q", 1, "illegal.two_hands confirmed now illegal_move stands #2/0 1/2-1/2"},
		{"a mate that is not the losing strike", "caa-2strike", mate, "c7c8q", 0, "none"},
		{"not in the draft's list", "rc-2017-draft", capture, "e4d5", 0, "illegal.two_hands confirmed now arbiter_decides stands +0/120 #1/0"},
		{"not regulated", "uscf-regular", capture, "e4d5", 0, "none"},
		{"a penalty", "uscf-blitz", capture, "e4d5", 0, "illegal.two_hands confirmed on_claim irregularity stands +0/60"},
		{"a count of its own", "wbca-blitz", capture, "e4d5", 0, "irreg.two_hands_wbca confirmed on_claim irregularity stands"},
		{"castling may use both", "wbca-blitz", castle, "e1g1", 0, "none"},
		{"castling may not", "fide-blitz", castle, "e1g1", 0, "illegal.two_hands confirmed now illegal_move stands +0/60 #1/0"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := begin(t, tt.profile, tt.fen)
			g.step(rules.SetStrikes{White: tt.strikes})
			g.play(tt.move)
			g.report("two-hands", legal.White, 0)
			g.wants(tt.want)
		})
	}
	t.Run("not pressed, not completed", func(t *testing.T) {
		g := begin(t, "fide-standard", mate).move("c7c8q")
		g.report("two-hands", legal.White, 0)
		g.wants("none")
	})
}

func TestWBCACountsTwoHandsByThemselves(t *testing.T) {
	g := begin(t, "wbca-blitz", startFEN)
	for _, want := range []string{
		"irreg.two_hands_wbca confirmed on_claim irregularity stands",
		"irreg.two_hands_wbca confirmed on_claim irregularity stands +0/60",
		"irreg.two_hands_wbca confirmed on_claim irregularity stands 0-1",
	} {
		g.play("g1f3", "g8f6")
		g.report("two-hands", legal.White, 0)
		g.wants(want)
		g.decide(firstID(g), "confirm")
		g.play("f3g1", "f6g8")
	}
	if g.d.Strikes() != [3]int{} {
		t.Error("they are no strikes:", g.d.Strikes())
	}
}

func firstID(g *game) string { e, _ := g.first(); return e.ID }

func TestKingCaptured(t *testing.T) {
	const fen = "6k1/5ppp/8/8/8/8/4RPPP/r5K1 w - - 0 1"
	for _, tt := range [][2]string{
		{"fide-standard", "illegal.king_capture confirmed now arbiter_decides restore +120/0 -10/10 #0/1"},
		{"fide-blitz", "illegal.king_capture confirmed now illegal_move restore +60/0 -0/10 #0/1"},
		{"uscf-blitz", "illegal.left_in_check confirmed on_claim illegal_move #1/0 0-1"},
		{"wbca-blitz", "illegal.left_in_check confirmed on_claim illegal_move #1/0 0-1"},
	} {
		g := begin(t, tt[0], fen).wrong(kinds.IllegalLeftInCheck, "h2h3", "h2", "h2 - h3 P")
		g.step(rules.Answered{Side: legal.Black})
		g.kingTaken()
		g.wants(tt[1])
	}
}

// kingTaken has Black's rook take the king on g1, which White has left in check.
func (g *game) kingTaken() rules.Case {
	g.seq++
	g.ply++
	c := g.find(kinds.IllegalKingCapture, legal.Black, rules.Certain)
	c.UCI, c.Completed, c.Stands, c.Gained = "a1g1", true, false, g.gain
	g.press(legal.Black, string(c.Kind))
	g.step(rules.Found{Case: c})
	return c
}

// The ruling on the capture of a king goes back before the illegal move that it answered: once its position stands
// again, or the arbiter has confirmed it, a later illegal move goes back before itself alone.
func TestALaterIllegalMoveAfterTheCaptureOfAKing(t *testing.T) {
	for _, how := range []string{"confirmed", "put right"} {
		g := begin(t, "fide-standard", "6k1/5ppp/8/8/8/8/4RPPP/r5K1 w - - 0 1")
		start := g.pos
		g.wrong(kinds.IllegalLeftInCheck, "h2h3", "h2", "h2 - h3 P")
		first := g.last
		c := g.kingTaken()
		g.stop(false)
		switch how {
		case "confirmed":
			g.decide(c.ID, "confirm")
		default:
			g.step(rules.Restored{})
		}
		g.pos, g.ply = start, 0
		g.step(rules.Started{Turn: legal.White, Clock: g.clock})
		g.play("e2e1", "g7g6", "g2g3")
		before := g.pos.FEN()
		g.wrong(kinds.IllegalRook, "a1b2", "a1", "a1 - b2 r")
		if e := g.entry(g.last); e.Ruling.PositionFEN != before {
			t.Errorf("%s: %s, want %s", how, e.Ruling.PositionFEN, before)
		}
		if e := g.entry(first); how == "confirmed" && e.Alert > rules.Log {
			t.Errorf("%s: %s", how, words(&e))
		}
	}
}

func TestKingBesideKingAndThenTheClaim(t *testing.T) {
	g := begin(t, "uscf-blitz", "8/8/8/3k4/8/3K4/8/R6r w - - 0 1")
	g.wrong(kinds.IllegalKingIntoCheck, "d3d4", "d3", "d3 - d4 K").wrong(kinds.IllegalLeftInCheck, "h1h2", "h1", "h1 - h2 r")
	g.step(rules.Claim{What: "illegal", Side: legal.White})
	if e := g.entry(g.last); e.Ruling.Result != "0-1" {
		t.Error(words(&e), e.Ruling.Text.String())
	}
}

func TestPressWithoutAMove(t *testing.T) {
	for _, tt := range [][2]string{
		{"fide-standard", "illegal.no_move confirmed now illegal_move restore +0/120 -10/0 #1/0"},
		{"uscf-regular", "illegal.no_move confirmed log irregularity stands"},
		{"uscf-blitz", "none"},
		{"wbca-blitz", "none"},
	} {
		g := begin(t, tt[0], startFEN).play("e2e4", "e7e5").wrong(kinds.IllegalNoMove, "", "", "")
		g.wants(tt[1])
	}
	g := begin(t, "fide-standard", startFEN).play("e2e4", "e7e5").wrong(kinds.IllegalNoMove, "", "", "")
	g.report("foreign-press", legal.White, 0)
	g.wants("clock.foreign_press confirmed advise fact stands -10/0")
}

func TestReadingsOfDisputedOffences(t *testing.T) {
	ep := begin(t, "fide-standard", startFEN).play("e2e4", "a7a6", "e4e5", "d7d5")
	ep.wrong("illegal.ep_pawn_left", "e5d6", "e5", "e5 - d6 P")
	ep.wants("illegal.ep_pawn_left confirmed now arbiter_decides restore +0/120 -10/0 #1/0")
	castle := begin(t, "fide-standard", "4k3/8/8/8/8/8/8/4K2R w K - 0 1")
	castle.wrong("illegal.castle_king_only", "e1g1", "e1", "e1 - g1 K")
	castle.wants("illegal.castle_king_only confirmed now arbiter_decides stands +0/120 #1/0")
	if e, _ := castle.first(); e.Ruling.PositionFEN != "4k3/8/8/8/8/8/8/5RK1 b - - 1 1" {
		t.Error(e.Ruling.PositionFEN)
	}
	two := begin(t, "fide-standard", "8/P5k1/8/8/8/8/8/6K1 w - - 0 1")
	two.wrong("illegal.promo_two", "a7a8q", "a7", "a7 - a8 Q")
	two.wants("illegal.promo_two confirmed now arbiter_decides stands +0/120 #1/0")
	p := profile(t, "fide-standard")
	p.EPPawnLeft, p.KingOnly, p.WrongColour = "illegal", "illegal", "illegal"
	strict := beginWith(t, rules.NewDocket(p), "4k3/8/8/8/8/8/8/4K2R w K - 0 1")
	strict.wrong("illegal.castle_king_only", "e1g1", "e1", "e1 - g1 K")
	strict.wants("illegal.castle_king_only confirmed now illegal_move restore +0/120 -10/0 #1/0")
	for _, e := range []*game{ep, castle, two} {
		if first, _ := e.first(); !strings.Contains(first.Ruling.Text.String(), "Other reading") {
			t.Error(first.Ruling.Text.String())
		}
	}
}

func TestFlags(t *testing.T) {
	tests := []struct{ name, profile, fen, want string }{
		{"the opponent can mate", "fide-standard", "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "clock.flag confirmed now fact stands 0-1"},
		{"a bare king", "fide-blitz", "8/8/4k3/8/8/3QK3/8/8 w - - 0 1", "clock.flag confirmed now fact stands 1/2-1/2"},
		{"opposite bishops", "fide-blitz", "8/8/3k4/5b2/3K1P2/4B1P1/7P/8 w - - 0 1", "clock.flag confirmed now fact stands 0-1"},
		{"only the players", "uscf-regular", "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "clock.flag confirmed none fact stands"},
	}
	for _, tt := range tests {
		g := begin(t, tt.profile, tt.fen)
		g.step(rules.Found{Case: g.find("clock.flag", legal.White, rules.Certain)})
		g.wants(tt.want)
	}
	g := begin(t, "uscf-regular", "8/8/4k2b/8/8/3QK3/8/8 w - - 0 1")
	g.step(rules.Found{Case: g.find("clock.flag", legal.White, rules.Certain)})
	g.step(rules.Claim{What: "flag", Side: legal.Black})
	g.wants("clock.flag confirmed on_claim fact stands 1/2-1/2")

	g = begin(t, "fide-blitz", startFEN).play("g1f3", "d7d6")
	g.step(rules.Found{Case: g.find("clock.flag", legal.White, rules.Certain)})
	g.wrong(kinds.IllegalKnight, "f3d5", "f3", "f3 - d5 N")
	g.wants("clock.flag confirmed now fact stands 0-1")

	g = begin(t, "fide-blitz", "6k1/2P2ppp/3K4/8/8/7r/2R5/8 w - - 0 1").move("c7c8q")
	g.step(rules.Found{Case: g.find("end.checkmate", legal.White, rules.Certain)})
	g.step(rules.Found{Case: g.find("clock.flag", legal.White, rules.Certain)})
	g.wants("end.checkmate confirmed now fact stands 1-0")
}

func TestEnds(t *testing.T) {
	tests := []struct {
		kind          kinds.Kind
		profile, want string
	}{
		{"end.stalemate", "fide-rapid", "end.stalemate confirmed now fact stands 1/2-1/2"},
		{"end.dead", "fide-rapid", "end.dead confirmed now fact stands 1/2-1/2"},
		{"end.fivefold", "fide-rapid", "end.fivefold confirmed now fact stands 1/2-1/2"},
		{"end.fivefold", "uscf-regular", "end.fivefold confirmed advise fact stands"},
		{"end.move75", "uscf-regular", "end.move75 confirmed advise fact stands"},
		{"end.move75", "wbca-blitz", "none"},
		{"draw.threefold_claimable", "fide-rapid", "draw.threefold_claimable confirmed on_claim fact stands 1/2-1/2"},
		{"draw.claim_incorrect", "fide-blitz", "draw.claim_incorrect confirmed on_claim fact stands +0/60"},
		{"draw.claim_incorrect", "fide-standard", "draw.claim_incorrect confirmed on_claim fact stands +0/120"},
		{"draw.claim_incorrect", "wbca-blitz", "draw.claim_incorrect confirmed on_claim fact stands"},
	}
	for _, tt := range tests {
		g := begin(t, tt.profile, startFEN)
		g.step(rules.Found{Case: g.find(tt.kind, legal.White, rules.Certain)})
		g.wants(tt.want)
	}
	g := begin(t, "fide-standard", startFEN)
	g.step(rules.Ended{Result: "1-0", By: "arbiter"})
	g.step(rules.Found{Case: g.find("end.result_signal", legal.NoSide, rules.Certain)})
	g.wants("end.result_signal confirmed log fact 1-0")
}

func TestSetUp(t *testing.T) {
	tests := []struct {
		kind    kinds.Kind
		profile string
		move    int
		want    string
	}{
		{"setup.wrong_array", "fide-standard", 5, "now confirmed"}, {"setup.wrong_array", "fide-standard", 40, "now confirmed"},
		{"setup.wrong_array", "fide-rapid", 10, "now confirmed"}, {"setup.wrong_array", "fide-rapid", 11, "log expired"},
		{"setup.wrong_array", "fide-rapid-supervised", 12, "now confirmed"}, {"setup.wrong_array", "uscf-regular", 10, "now confirmed"},
		{"setup.wrong_array", "uscf-regular", 11, "log expired"}, {"setup.wrong_array", "uscf-blitz", 1, "now confirmed"},
		{"setup.wrong_array", "uscf-blitz", 2, "log expired"}, {"setup.board_rotated", "fide-blitz", 12, "log expired"},
		{"setup.board_rotated", "fide-standard", 12, "now confirmed"},
	}
	for _, tt := range tests {
		d := rules.NewDocket(profile(t, tt.profile))
		g := &game{t: t, d: d, said: map[string]rules.Entry{}}
		c := g.find(tt.kind, legal.NoSide, rules.Certain)
		c.Known, c.Stands = false, false
		g.step(rules.Found{Case: c}) // before the game begins
		g.step(rules.Begun{Game: 1, Position: legaltest.Position(t, startFEN)})
		g.report("found", legal.NoSide, tt.move)
		if e := g.entry(c.ID); e.Alert.String()+" "+e.State.String() != tt.want {
			t.Errorf("%s, %s, move %d: %s %s, want %s", tt.kind, tt.profile, tt.move, e.Alert, e.State, tt.want)
		}
	}
}

// An opponent's piece with which the player to move presses was moved by that player or by its owner: no side is named.
func TestOutOfTurnByNobody(t *testing.T) {
	for _, name := range profiles {
		g := begin(t, name, startFEN).play("e2e4", "e7e5")
		c := g.find(kinds.OutOfTurn, legal.NoSide, rules.Hint)
		g.step(rules.Found{Case: c})
		g.wants("irreg.out_of_turn confirmed advise arbiter_decides restore")
		e := g.entry(c.ID)
		if e.Ruling.RunClock != legal.White || e.Ruling.PositionFEN != c.Before.FEN() {
			t.Errorf("%s: %s's clock runs from %s", name, e.Ruling.RunClock, e.Ruling.PositionFEN)
		}
		for _, text := range []string{e.Reason.String(), e.Ruling.Text.String()} {
			if !strings.Contains(text, "not known") {
				t.Errorf("%s: %q does not say that it is not known who moved the piece", name, text)
			}
		}
	}
}

// Where the player to move has moved as well, the game goes on: the arbiter is not alerted.
func TestOutOfTurnByNobodyThatIsAnswered(t *testing.T) {
	for _, name := range profiles {
		g := begin(t, name, startFEN).play("e2e4", "e7e5")
		c := g.find(kinds.OutOfTurn, legal.NoSide, rules.Hint)
		c.Answered = true
		g.step(rules.Found{Case: c})
		g.play("g1f3", "b8c6")
		g.wants("irreg.out_of_turn confirmed log irregularity")
		if r := g.entry(c.ID).Ruling; r.RunClock != legal.NoSide || r.Text.String() == "" {
			t.Errorf("%s: %s's clock runs, %q", name, r.RunClock, r.Text)
		}
	}
}

func TestReports(t *testing.T) {
	tests := []struct {
		what, profile string
		side          legal.Side
		move          int
		want          string
	}{
		{"other-hand", "fide-blitz", legal.White, 0, "irreg.other_hand confirmed on_claim irregularity stands"},
		{"press-before-release", "fide-blitz", legal.White, 0, "irreg.press_before_done confirmed on_claim irregularity stands"},
		{"clock-setting-wrong", "fide-blitz", legal.NoSide, 12, "clock.setting_wrong confirmed advise fact"},
		{"displaced", "fide-standard", legal.NoSide, 3, "irreg.displaced_found confirmed now irregularity restore"},
		{"colours-reversed", "fide-standard", legal.NoSide, 14, "setup.colours_reversed confirmed now fact"},
		{"draw-offer", "fide-standard", legal.White, 0, "irreg.draw_offer_timing confirmed none irregularity"},
		{"queen-brought", "fide-standard", legal.NoSide, 0, "none"},
		{"found", "fide-standard", legal.NoSide, 3, "none"},
		{"a word that nobody knows", "fide-standard", legal.White, 0, "none"},
	}
	for _, tt := range tests {
		g := begin(t, tt.profile, startFEN).play("e2e4")
		g.report(tt.what, tt.side, tt.move)
		g.wants(tt.want)
	}
	late, soon := begin(t, "fide-blitz", startFEN), begin(t, "fide-blitz", startFEN)
	late.report("clock-setting-wrong", legal.NoSide, 12)
	soon.report("clock-setting-wrong", legal.NoSide, 3)
	if a, b := late.entry(firstID(late)), soon.entry(firstID(soon)); a.Ruling.Text.String() == b.Ruling.Text.String() {
		t.Error("ten moves make no difference:", a.Ruling.Text.String())
	}
}

func TestTouchMoveClaims(t *testing.T) {
	g := begin(t, "fide-standard", startFEN)
	g.ply = 1
	g.step(rules.Found{Case: g.find("irreg.touch_move", legal.White, rules.Hint)})
	g.wants("irreg.touch_move confirmed log irregularity")
	g.step(rules.Claim{What: "touch", Side: legal.Black})
	g.wants("irreg.touch_move confirmed on_claim irregularity restore")
	g.step(rules.TouchedPiece{Side: legal.Black})
	g.wants("irreg.touch_move expired on_claim none stands")

	quiet := begin(t, "fide-standard", startFEN)
	quiet.ply = 1
	quiet.step(rules.Found{Case: quiet.find("irreg.touch_move", legal.White, rules.Hint)})
	quiet.step(rules.TouchedPiece{Side: legal.Black})
	quiet.wants("none")

	changed := begin(t, "fide-standard", startFEN)
	changed.step(rules.Found{Case: changed.find("irreg.promo_piece_changed", legal.White, rules.Certain)})
	changed.wants("irreg.promo_piece_changed confirmed now irregularity")
}

func TestHandsAreNeverAccused(t *testing.T) {
	for kind, want := range map[kinds.Kind]string{
		"illegal.two_hands":          "illegal.two_hands confirmed log fact stands",
		"suspect.two_hands_castling": "suspect.two_hands_castling confirmed advise fact stands",
	} {
		g := begin(t, "fide-standard", startFEN)
		g.step(rules.Found{Case: g.find(kind, legal.White, rules.Hint)})
		g.wants(want)
		g.decide(g.last, "confirm")
		if g.d.Strikes() != [3]int{} {
			t.Error("a hint became a strike")
		}
	}
}

func TestClockStoppedWithoutAReason(t *testing.T) {
	g := begin(t, "fide-rapid", startFEN).play("e2e4")
	g.stop(false)
	g.wants("none")
	g.step(rules.LongStop{})
	g.wants("irreg.pause_no_reason confirmed advise irregularity")
	g.step(rules.Claim{What: "draw3", Side: legal.Black})
	g.wants("none")
	short := begin(t, "fide-rapid", startFEN).play("e2e4")
	short.stop(false)
	short.step(rules.Started{Seq: 900, Turn: legal.Black, Clock: short.clock})
	short.step(rules.LongStop{}) // too late: it runs again
	short.wants("none")
	for _, reason := range []rules.Event{
		rules.Report{Seq: 900, What: "queen-brought"}, rules.Ended{Result: "1-0", By: "arbiter"}, rules.Signed{},
		rules.Found{Case: g.find("irreg.out_of_turn", legal.White, rules.Strong)}, rules.ClockSet{}, rules.Decision{Finding: "1:x", Do: "confirm"},
	} {
		g := begin(t, "fide-rapid", startFEN).play("e2e4")
		g.stop(false)
		g.step(reason)
		if g.d.Stands() {
			t.Errorf("%T does not explain the stop", reason)
		}
		g.step(rules.LongStop{})
		if e, _ := g.first(); e.Kind == "irreg.pause_no_reason" {
			t.Errorf("%T is no reason", reason)
		}
	}
	queen := begin(t, "fide-rapid", startFEN).play("e2e4")
	queen.stop(true)
	queen.wants("none")
	called := begin(t, "fide-rapid", startFEN).knight()
	called.stop(false)
	called.wants("illegal.knight confirmed now illegal_move restore +0/60 -10/0 #1/0")
}

// A game of some length whose clock stands may be over: the reason for the stop is asked only when the game goes on.
func TestClockStoppedAtAPossibleEnd(t *testing.T) {
	moves := []string{"g1f3", "g8f6", "f3g1", "f6g8"}
	g := begin(t, "fide-rapid", startFEN)
	for range 6 {
		g.play(moves...)
	}
	g.stop(false)
	g.step(rules.LongStop{})
	g.lever(legal.Black)
	g.wants("clock.lever_changed_in_pause confirmed log fact")
	g.step(rules.Started{Seq: 900, Turn: legal.White, Clock: g.clock})
	g.wants("irreg.pause_no_reason confirmed advise irregularity")
}

func TestUnreadableAndDisplaced(t *testing.T) {
	g := begin(t, "fide-blitz", startFEN).play("e2e4")
	c := g.find("sensor.unreadable", legal.White, rules.Hint)
	g.step(rules.Found{Case: c})
	g.wants("sensor.unreadable confirmed advise arbiter_decides")
	g.step(rules.PressedBack{Side: legal.Black, Gained: 2, Clock: g.clock})
	g.wants("irreg.displaced confirmed now arbiter_decides restore")

	us := begin(t, "uscf-regular", startFEN).play("e2e4")
	us.step(rules.Found{Case: us.find("sensor.unreadable", legal.White, rules.Hint)})
	us.step(rules.PressedBack{Side: legal.Black, Gained: 0, Clock: us.clock})
	us.wants("none")

	promotion := begin(t, "fide-rapid", "8/P5k1/8/8/8/8/8/6K1 w - - 0 1")
	c = promotion.find("sensor.unreadable", legal.White, rules.Certain)
	c.UCI = "a7a8q"
	promotion.step(rules.Found{Case: c})
	promotion.wants("sensor.unreadable confirmed now fact stands")

	for _, tt := range [][2]string{
		{"fide-standard", "irreg.displaced confirmed now irregularity restore"},
		{"uscf-regular", "irreg.displaced confirmed now illegal_move restore +0/120 #1/0"},
	} {
		g := begin(t, tt[0], startFEN)
		c := g.find("irreg.displaced", legal.White, rules.Strong)
		c.Completed = true
		g.step(rules.Found{Case: c})
		g.wants(tt[1])
	}
}

// A captured piece that is laid down on an empty square displaces nothing: no illegal move in US Chess (11C).
func TestTheCapturedPieceLiesOnTheBoard(t *testing.T) {
	for _, tt := range []struct {
		name, square string
		piece        legal.Piece
		want         string
	}{
		{"the captured pawn", "h5", legal.BlackPawn, "irregularity"},
		{"another piece", "h5", legal.BlackRook, "illegal_move"},
		{"a piece that has moved", "h5", legal.WhitePawn, "illegal_move"},
	} {
		g := begin(t, "uscf-regular", startFEN).play("e2e4", "d7d5")
		c := g.find("irreg.displaced", legal.White, rules.Strong)
		m, _ := g.pos.FindUCI("e4d5")
		after := g.pos.After(m)
		sq, _ := legal.ParseSquare(tt.square)
		c.UCI, c.After, c.At, c.Squares, c.Completed = "e4d5", after, after.Placement(), []legal.Square{sq}, true
		c.At[sq] = tt.piece
		g.step(rules.Found{Case: c})
		if got := g.entry(g.last).Ruling.Kind; got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// A difference between the board and the record stays open, however long the game goes on.
func TestDisplacedAndNotPutRight(t *testing.T) {
	for _, kind := range []kinds.Kind{"irreg.displaced", "irreg.double_move"} {
		g := begin(t, "fide-standard", startFEN).play("e2e4")
		c := g.find(kind, legal.White, rules.Strong)
		c.Completed, c.Squares = true, []legal.Square{legal.A8}
		g.step(rules.Found{Case: c})
		g.differs = []legal.Square{legal.A8}
		g.play("e7e5", "g1f3", "b8c6")
		g.wants(string(kind) + " confirmed now arbiter_decides restore")
		if text := g.entry(g.last).Ruling.Text.String(); !strings.Contains(text, "does not agree with the record") {
			t.Errorf("%s: %s", kind, text)
		}
		g.differs = nil
		g.play("f1c4")
		if e := g.entry(g.last); e.State != rules.Expired || !strings.Contains(e.Ruling.Text.String(), "agrees with the record there again") {
			t.Errorf("%s: %s %s", kind, e.State, e.Ruling.Text)
		}
	}
}

// A square that read empty is no step any more when it reads as the record has it and the game goes on.
func TestUnreadableUntilItReadsAgain(t *testing.T) {
	g := begin(t, "fide-standard", startFEN).play("e2e4")
	c := g.find("sensor.unreadable", legal.White, rules.Certain)
	c.Squares = []legal.Square{legal.G2}
	g.step(rules.Found{Case: c})
	g.differs = []legal.Square{legal.G2}
	g.play("e7e5")
	g.wants("sensor.unreadable confirmed advise arbiter_decides")
	g.differs = nil
	g.play("g1f3")
	if e := g.entry(g.last); e.State != rules.Expired || e.Alert != rules.Log {
		t.Errorf("%s %s", e.State, e.Alert)
	}
}

// A move that stands keeps one increment: that of the press that completed it, whichever of a player's presses that
// was.
func TestIncrementOfTheMoveThatStands(t *testing.T) {
	for _, tt := range []struct {
		again bool // White presses the move that replaces the illegal one
		white int
	}{{false, 0}, {true, 10}} {
		g := begin(t, "fide-standard", startFEN).knight()
		white := g.entry(g.last).Before
		g.step(rules.Restored{})
		g.pos, g.ply = white, g.ply-1
		if tt.again {
			g.press(legal.White, "ok_restored")
		} else {
			g.press(legal.Black, "ok")
		}
		g.move("f3g5")
		if r := g.entry(g.last).Ruling; r.TakeBack[legal.White] != tt.white {
			t.Errorf("pressed again %v: White's increment %d is taken back, want %d", tt.again, r.TakeBack[legal.White], tt.white)
		}
	}
}

func TestDisplacedByAnUnknownPlayerNamesNoSide(t *testing.T) {
	for _, name := range profiles {
		g := begin(t, name, startFEN).play("e2e4")
		c := g.find("irreg.displaced", legal.NoSide, rules.Hint)
		c.Completed = true
		g.step(rules.Found{Case: c})
		g.step(rules.PressedBack{Side: legal.Black, Gained: 2, Clock: g.clock})
		g.wants("irreg.displaced confirmed advise arbiter_decides restore")
		e := g.entry(g.last)
		if text := e.Reason.String() + e.Ruling.Text.String(); e.Ruling.RunClock != legal.NoSide || strings.Contains(text, "White") || strings.Contains(text, "{side}") {
			t.Errorf("%s: %s %+v", name, e.Reason, e.Ruling)
		}
	}
}

func TestOutOfTurnIsNoIllegalMove(t *testing.T) {
	for _, kind := range []kinds.Kind{"irreg.out_of_turn", "irreg.double_move"} {
		for _, name := range profiles {
			g := begin(t, name, startFEN)
			g.step(rules.Found{Case: g.find(kind, legal.White, rules.Certain)})
			e := g.entry(g.last)
			if e.Ruling.Kind != "irregularity" || e.Ruling.Strikes != [3]int{} || e.Ruling.Bonus != [3]int{} {
				t.Errorf("%s under %s: %s", kind, name, words(&e))
			}
		}
	}
}

func TestArticlesNameTheBook(t *testing.T) {
	tests := []struct{ profile, want string }{
		{"fide-standard", "7.5.5"}, {"fide-rapid", "A.5.2"}, {"fide-rapid-supervised", "A.4"}, {"fide-blitz", "B.3"},
		{"fide-blitz-supervised", "B.2"}, {"uscf-regular", "US 11A"}, {"uscf-blitz", "US blitz 7c"}, {"wbca-blitz", "WBCA (source 003)"},
		{"rc-2017-draft", "draft A.4.2.1"}, {"ffe-youth-rapid", "A.3"},
	}
	for _, tt := range tests {
		d := rules.NewDocket(profile(t, tt.profile))
		if tt.profile == "rc-2017-draft" {
			d.SetTimeControl(900, 10, 0)
		}
		g := beginWith(t, d, startFEN).knight()
		if e := g.entry(g.last); !slices.Contains(e.Articles, tt.want) {
			t.Errorf("%s: %v, want %s among them", tt.profile, e.Articles, tt.want)
		}
	}
	p := profile(t, "fide-standard")
	p.Articles = map[kinds.Kind][]string{kinds.IllegalKnight: {"local 1"}}
	g := beginWith(t, rules.NewDocket(p), startFEN).knight()
	if e := g.entry(g.last); !slices.Equal(e.Articles, []string{"local 1"}) {
		t.Error("a local rule is not cited:", e.Articles)
	}
}
