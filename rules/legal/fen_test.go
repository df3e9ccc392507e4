package legal

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"boardwatchd/rules/kinds"
)

const startFEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

func TestFENIsReadAndWritten(t *testing.T) {
	for _, c := range []struct {
		claim, in, out string
		chess960       bool
	}{
		{"the start is orthodox", startFEN, startFEN, false},
		{"counters may be left out", "4k3/8/8/8/8/8/8/4K3 b - -", "4k3/8/8/8/8/8/8/4K3 b - - 0 1", false},
		{"move 0 is move 1", "4k3/8/8/8/8/8/8/4K3 w - - 7 0", "4k3/8/8/8/8/8/8/4K3 w - - 7 1", false},
		{"rights come in any order", "r3k2r/8/8/8/8/8/8/R3K2R w qkQK - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", false},
		{"file letters mean Chess960, also on the ordinary squares", "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", true},
		{"X-FEN: K is the outermost rook", "1k6/8/8/8/8/8/8/1K2R1R1 w K - 0 1", "1k6/8/8/8/8/8/8/1K2R1R1 w K - 0 1", true},
		{"X-FEN: a letter names an inner rook", "1k6/8/8/8/8/8/8/1K2R1R1 w E - 0 1", "1k6/8/8/8/8/8/8/1K2R1R1 w E - 0 1", true},
		{"Shredder letters become K and Q where that is the same", "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1",
			"bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1", true},
		{"a king not on the e-file means Chess960", "3k4/8/8/8/8/8/8/R2K3R w KQ - 0 1", "3k4/8/8/8/8/8/8/R2K3R w KQ - 0 1", true},
		{"a rook not in the corner means Chess960", "4k3/8/8/8/8/8/8/4K1R1 w K - 0 1", "4k3/8/8/8/8/8/8/4K1R1 w K - 0 1", true},
		{"an en passant square nobody can use is dropped", "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq e6 0 2",
			"rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 2", false},
		{"an en passant square that only a pinned pawn could use is dropped", "4r2k/8/8/3pP3/8/8/8/4K3 w - d6 0 2",
			"4r2k/8/8/3pP3/8/8/8/4K3 w - - 0 2", false},
		{"an en passant square that can be used is kept", "7k/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "7k/8/8/3pP3/8/8/8/4K3 w - d6 0 2", false},
	} {
		p := mustPosition(t, c.in)
		if got := p.FEN(); got != c.out {
			t.Errorf("%s: %q is written %q, want %q", c.claim, c.in, got, c.out)
		}
		if p.Chess960() != c.chess960 {
			t.Errorf("%s: Chess960 is %t", c.claim, p.Chess960())
		}
	}
}

func TestFENThatCannotBeReadNamesTheField(t *testing.T) {
	for _, c := range []struct{ fen, field, remedy string }{
		{"", "fields", "0 found"},
		{"8/8/8/8/8/8/8/8 w - - 0", "fields", "5 found"},
		{"8/8/8/8/8/8/8 w - - 0 1", "placement", "7 ranks"},
		{"8/8/8/8/8/8/8/7 w - - 0 1", "placement", "rank 1 describes 7"},
		{"8/8/8/8/8/8/8/9 w - - 0 1", "placement", "digits 1 to 8"},
		{"8/8/8/8/8/8/8/ppppppppp w - - 0 1", "placement", "describes 9"},
		{"8/8/8/8/8/44/8/8 w - - 0 1", "placement", "two digits"},
		{"8/8/8/8/8/8/8/7é w - - 0 1", "placement", "only KQRBNP"},
		{"8/8/8/8/8/8/8/8 x - - 0 1", "side to move", "w or b"},
		{"8/8/8/8/8/8/8/8 w KK - 0 1", "castling", "each once"},
		{"8/8/8/8/8/8/8/8 w X - 0 1", "castling", "KQkq"},
		{"8/8/8/8/8/8/8/8 w - e9 0 1", "en passant", "e3"},
		{"8/8/8/8/8/8/8/8 w - - -1 1", "half-moves", "whole number"},
		{"8/8/8/8/8/8/8/8 w - - 0 99999999999", "full moves", "20000"},
		{strings.Repeat("8", 300), "fields", "at most"},
	} {
		_, err := ParseFEN(c.fen)
		var bad *FENError
		if !errors.As(err, &bad) {
			t.Errorf("%q: error %v is no FENError", c.fen, err)
			continue
		}
		if bad.Field != c.field || !strings.Contains(bad.Remedy, c.remedy) {
			t.Errorf("%q: %v, want field %s and %q", c.fen, err, c.field, c.remedy)
		}
	}
}

func TestSetupIsRefusedWithEveryReason(t *testing.T) {
	for _, c := range []struct {
		fen     string
		reasons []string
	}{
		{"8/8/8/8/8/8/8/8 w - - 0 1", []string{"empty_board", "missing_king_white", "missing_king_black"}},
		{"4k3/8/8/8/8/8/8/8 w - - 0 1", []string{"missing_king_white"}},
		{"8/8/8/8/8/8/8/4K3 w - - 0 1", []string{"missing_king_black"}},
		{"4k3/8/8/8/8/8/8/K3K3 w - - 0 1", []string{"too_many_kings"}},
		{"4k3/8/8/8/8/8/8/P3K3 w - - 0 1", []string{"pawn_on_last_rank"}},
		{"p3k3/8/8/8/8/8/8/4K3 w - - 0 1", []string{"pawn_on_last_rank"}},
		{"4k3/8/8/8/8/8/8/4RK2 w - - 0 1", []string{"side_not_to_move_in_check"}},
		{"8/8/8/3kK3/8/8/8/8 w - - 0 1", []string{"neighbouring_kings"}},
		{"4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1", []string{"castling_right_without_rook"}},
		{"4k3/8/8/8/8/8/8/R2K3R b KQkq - 0 1", []string{"castling_right_without_rook"}},
		{"r3k2r/8/8/8/8/8/4K3/R6R w KQkq - 0 1", []string{"castling_right_without_king"}},
		{"1k6/8/8/8/8/8/8/1K2R1R1 w EG - 0 1", []string{"castling_right_ambiguous"}},
		{"4k3/8/8/8/8/8/8/4K3 w - e6 0 1", []string{"en_passant_without_pawn"}},
		{"4k3/8/8/4P3/8/8/8/4K3 w - e6 0 1", []string{"en_passant_without_pawn"}},
		{"4k3/8/4n3/4p3/8/8/8/4K3 w - e6 0 1", []string{"en_passant_square_occupied"}},
		{"3k4/4p3/8/4p3/8/8/8/4K3 w - e6 0 1", []string{"en_passant_square_occupied"}},
		{"4k3/8/8/4p3/8/8/8/4K3 w - e3 0 1", []string{"en_passant_wrong_rank"}},
		{"4k3/8/8/8/1b4r1/5n2/8/4K3 w - - 0 1", nil},
		{"4k3/8/8/8/1b2r3/5n2/8/4K3 w - - 0 1", []string{"impossible_check"}},
		// The checks are older than the double step: Black was in check with White to move.
		{"8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3 0 1", []string{"impossible_check"}},
		{"8/8/8/8/3Pp1k1/8/8/3QK3 b - d3 0 1", []string{"impossible_check"}},
		{"4k3/8/5N2/8/3P4/8/8/4K3 b - d3 0 1", []string{"impossible_check"}},
		{"8/8/8/2k5/3P4/B7/8/4K3 b - d3 0 1", []string{"impossible_check"}},
		{"r6K/8/8/4p3/8/8/8/4k3 w - e6 0 1", []string{"impossible_check"}},
		// The pawn gives check, or a bishop behind its home square.
		{"8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1", nil},
		{"8/8/8/6k1/3P4/8/8/2B1K3 b - d3 0 1", nil},
		// The pawn attacked the king from its home square, or has shut the line of a rook. It shuts nothing behind
		// another pawn.
		{"8/8/8/8/3P4/4k3/8/6K1 b - d3 0 1", []string{"en_passant_out_of_check"}},
		{"8/8/8/8/R2P2k1/8/8/4K3 b - d3 0 1", []string{"en_passant_out_of_check"}},
		{"4k3/8/8/K3p2r/8/8/8/8 w - e6 0 1", []string{"en_passant_out_of_check"}},
		{"4k3/8/8/K2Pp2r/8/8/8/8 w - e6 0 1", nil},
		{"4k3/8/8/8/PPPPPPPP/P7/8/4K3 w - - 0 1", []string{"too_many_pawns"}},
		{"4k3/8/8/8/NNNNNNNN/NNNNNNNN/8/4K3 w - - 0 1", []string{"too_many_pieces"}},
		{"P3k3/8/8/8/8/8/8/4RK2 w - e4 0 1", []string{"pawn_on_last_rank", "side_not_to_move_in_check", "en_passant_wrong_rank"}},
	} {
		s, err := ParseFEN(c.fen)
		if err != nil {
			t.Errorf("%q: %v", c.fen, err)
			continue
		}
		_, err = s.Position()
		var refusal Refusal
		errors.As(err, &refusal)
		if got := refusal.Reasons(); !slices.Equal(got, c.reasons) {
			t.Errorf("%q: refused for %v, want %v", c.fen, got, c.reasons)
		}
	}
}

func TestZeroAndDamagedSetupsAreRefusedNotCrashedOn(t *testing.T) {
	for _, s := range []Setup{{}, {Turn: 9}, {Placement: Placement{200}, Turn: White}, StartSetup(-1), StartSetup(960)} {
		if _, err := s.Position(); err == nil {
			t.Errorf("%+v became a position", s)
		}
		if _, err := s.Standing(); err == nil {
			t.Errorf("%+v became a standing position", s)
		}
		_ = s.FEN()
	}
	s := StartSetup(518)
	s.EnPassant, s.HalfMoves, s.FullMoves = 200, -5, -5
	if _, err := s.Position(); err == nil {
		t.Error("an en passant square outside the board was accepted")
	}
}

func TestStandingPlaysOnAfterAnIllegalMoveThatStands(t *testing.T) {
	// A case in which White ignored a check, the move stands, and Black takes the king.
	s, err := ParseFEN("6k1/5ppp/8/8/8/7P/4RPP1/r5K1 b - - 0 1")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Position(); err == nil {
		t.Error("a position with the side not to move in check was accepted")
	}
	p, err := s.Standing()
	if err != nil {
		t.Fatal(err)
	}
	if v := p.Explain("a1g1"); v.Kind != kinds.IllegalKingCapture {
		t.Errorf("taking the king: %+v", v)
	}
	if v := p.Explain("a1a2"); !v.Legal {
		t.Errorf("another move: %+v", v)
	}
	for fen, stands := range map[string]bool{
		"rnbqkbnr/1ppppppp/8/8/8/Q7/PPPPPPPP/RNBQKBNR b KQk - 0 9":   true, // a second queen for one pawn
		"rnbqkbnr/pppppppp/8/8/8/Q7/PPPPPPPP/RNBQKBNR b KQkq - 0 9":  false,
		"rnbqkbnr/1ppppppp/8/8/8/QQ6/PPPPPPPP/RNBQKBNR b KQkq - 0 9": false,
	} {
		s, _ := ParseFEN(fen)
		if _, err := s.Standing(); (err == nil) != stands {
			t.Errorf("%s: %v", fen, err)
		}
	}
	s, _ = ParseFEN("P3k3/8/8/8/8/8/8/4RK2 w K e4 0 1")
	if p, err = s.Standing(); err != nil || p.Castling() != 0 {
		t.Errorf("pawn on the last rank: %v, rights %v", err, p.Castling())
	}
}

func TestChess960Numbers(t *testing.T) {
	for n := range 960 {
		s := StartSetup(n)
		var back [8]Kind
		for file := range back {
			back[file] = s.Placement[file].Kind()
		}
		if got, ok := Chess960Number(back); !ok || got != n {
			t.Fatalf("array %d is numbered %d, %t", n, got, ok)
		}
		p, err := s.Position()
		if err != nil {
			t.Fatalf("array %d: %v", n, err)
		}
		if p.Chess960() != (n != 518) {
			t.Errorf("array %d: Chess960 %t", n, p.Chess960())
		}
	}
	if got := StartSetup(518).FEN(); got != startFEN {
		t.Errorf("number 518 is %s", got)
	}
	for n, want := range map[int]string{0: "BBQNNRKR", 959: "RKRNNQBB", 1: "BQNBNRKR"} {
		if s := StartSetup(n); !strings.HasPrefix(s.FEN(), strings.ToLower(want)) {
			t.Errorf("number %d is %s, want %s", n, s.FEN(), want)
		}
	}
	if _, ok := Chess960Number([8]Kind{Rook, Knight, Bishop, King, Queen, Bishop, Knight, Pawn}); ok {
		t.Error("an array with a pawn has a number")
	}
}

func FuzzFEN(f *testing.F) {
	for _, c := range standardSix {
		f.Add(c.fen)
	}
	for _, c := range oddPerft {
		f.Add(c.fen)
	}
	f.Add("8/8/8/3kK3/8/8/8/8 w KQkq e3 0 1")
	f.Add("1k6/8/8/8/8/8/8/1K2R1R1 w EGeg e6 5 9")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseFEN(text)
		if err != nil {
			return
		}
		again, err := ParseFEN(s.FEN())
		if err != nil {
			t.Fatalf("%q is written %q, which cannot be read: %v", text, s.FEN(), err)
		}
		p, err := s.Position()
		if err != nil {
			var refusal Refusal
			if !errors.As(err, &refusal) || len(refusal.Reasons()) == 0 {
				t.Fatalf("%q: refused without a reason: %v", text, err)
			}
			if q, err := s.Standing(); err == nil {
				checkGenerator(t, &q)
			}
			return
		}
		if again != s {
			t.Fatalf("%q: round trip %+v, was %+v", text, again, s)
		}
		q, err := p.Setup().Position()
		if err != nil || !q.Same(&p) || q.FEN() != p.FEN() {
			t.Fatalf("%q: position %s, its own set-up gives %s, %v", text, p.FEN(), q.FEN(), err)
		}
		checkGenerator(t, &p)
	})
}
