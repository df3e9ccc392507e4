package legal

import "boardwatchd/rules/words"

// Side is one of the two players.
type Side uint8

// The sides. The zero value is no side, so that a forgotten field is noticed.
const (
	NoSide Side = iota
	White
	Black
)

// Other returns the opponent; the opponent of NoSide is NoSide.
func (s Side) Other() Side {
	if s == White || s == Black {
		return s ^ (White | Black)
	}
	return NoSide
}

// String is "white", "black" or "no side".
func (s Side) String() string {
	switch s {
	case White:
		return "white"
	case Black:
		return "black"
	}
	return "no side"
}

// Name returns the side as a sentence begins with it: "White", "Black", "Nobody".
func (s Side) Name() string {
	switch s {
	case White:
		return "White"
	case Black:
		return "Black"
	}
	return "Nobody"
}

// homeRank returns the rank, counted from 0, on which the side's pieces begin (and castle).
func (s Side) homeRank() int {
	if s == Black {
		return 7
	}
	return 0
}

// forward returns the number added to a square by one step of this side's pawn.
func (s Side) forward() int {
	if s == Black {
		return -8
	}
	return 8
}

// Word returns the name of the side inside a sentence.
func (s Side) Word() words.Sentence {
	switch s {
	case White:
		return words.Say("who.white")
	case Black:
		return words.Say("who.black")
	}
	return words.Say("who.player")
}
