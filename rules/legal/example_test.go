package legal_test

import (
	"fmt"

	"boardwatchd/rules/legal"
)

// A FEN is read and checked; the position lists its moves and explains why a move is illegal.
func Example() {
	setup, err := legal.ParseFEN("rnbqkbnr/ppp1pppp/3p4/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 0 2")
	if err != nil {
		fmt.Println(err) // names the field and the remedy
		return
	}
	pos, err := setup.Position()
	if err != nil {
		fmt.Println(err) // a Refusal: every reason why it is not a position of a game
		return
	}
	var list legal.MoveList
	pos.Moves(&list)
	fmt.Println(list.Len(), "legal moves")

	verdict := pos.Explain("f3d5")
	fmt.Println(verdict.Legal, verdict.Kind, verdict.Articles)
	fmt.Println(verdict.Reason)
	// Output:
	// 22 legal moves
	// false illegal.knight [3.6 3.10.2]
	// The knight cannot go from f3 to d5: a knight moves two squares along a rank or file and one to the side.
}

// A refusal contains all reasons at once.
func ExampleSetup_Position() {
	setup, err := legal.ParseFEN("4k3/8/8/8/8/8/8/8 w - - 0 1")
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = setup.Position()
	fmt.Println(err)
	// Output: not a chess position: missing_king_white
}
