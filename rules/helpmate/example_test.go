package helpmate_test

import (
	"fmt"

	"boardwatchd/rules/helpmate"
	"boardwatchd/rules/legal"
)

// White's flag has fallen: does Black win, or can Black never mate (FIDE Laws 6.9)?
func ExampleAsk() {
	for _, fen := range []string{
		"8/8/8/4k3/8/8/4K2P/6n1 w - - 0 1",  // a knight, and a pawn of White's that can stand in its own king's way
		"8/8/8/4k3/8/8/4K3/3Q2n1 w - - 0 1", // a knight alone against a queen
		"5K1k/7P/8/8/8/8/8/8 b - - 0 1",     // the bare king
	} {
		setup, err := legal.ParseFEN(fen)
		if err != nil {
			fmt.Println(err)
			return
		}
		pos, err := setup.Position()
		if err != nil {
			fmt.Println(err)
			return
		}
		answer := helpmate.Ask(&pos, legal.Black, 1_000_000)
		fmt.Println(answer.Verdict, answer.Reason, len(answer.Line) > 0)
	}
	// Output:
	// possible played true
	// never material false
	// never material false
}
