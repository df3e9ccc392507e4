package detector

import (
	"fmt"
	"testing"

	"boardwatchd/rules/legal"
)

func PositionOf(tb testing.TB, fen string) legal.Position {
	tb.Helper()
	s, err := legal.ParseFEN(fen)
	if err != nil {
		tb.Fatal(err)
	}
	pos, err := s.Position()
	if err != nil {
		tb.Fatal(err)
	}
	return pos
}

const (
	StartFEN  = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
	ScandiFEN = "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 2"
	CastleFEN = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
	PromoFEN  = "8/P5k1/8/8/8/8/8/6K1 w - - 0 1"
)

func ExampleTurnKind() {
	fmt.Println(MadeReply, TouchedOwn, PressedBack, PutBack, ClockStopped, ClockStarted, ClockEdited, RecordRebased)
	// Output: made_reply touched_own pressed_back put_back clock_stopped clock_started clock_edited record_rebased
}
