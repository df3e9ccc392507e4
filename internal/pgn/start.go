package pgn

import (
	"errors"
	"strings"

	"boardwatchd/rules/legal"
)

// startOf returns the set-up that the tags FEN, SetUp and Variant describe, and the place of the deciding tag.
func startOf(tags map[string]token) (legal.Setup, place, error) {
	variant, fen := tags["Variant"], tags["FEN"]
	chess960, known := isChess960(variant.text)
	if !known {
		return legal.Setup{}, variant.place, errors.New("the variant " + show(variant.text) + " is not played here; chess and Chess960 are")
	}
	switch {
	case fen.text == "" && chess960:
		return legal.Setup{}, variant.place, errors.New("a game of Chess960 needs its start position: add a tag FEN")
	case fen.text == "":
		return legal.StartSetup(orthodox), place{}, nil
	}
	s, err := legal.ParseFEN(fen.text)
	if err != nil {
		return legal.Setup{}, fen.place, err
	}
	// The FEN itself says Chess960 where its rights cannot be orthodox.
	s.Chess960 = s.Chess960 || chess960
	return s, fen.place, nil
}

// isChess960 recognises the names that programs write into the tag Variant.
func isChess960(variant string) (yes, known bool) {
	name := strings.Map(func(r rune) rune {
		if r == ' ' || r == '-' || r == '_' {
			return -1
		}
		return r
	}, strings.ToLower(variant))
	switch name {
	case "", "?", "standard", "chess", "normal", "orthodox", "fromposition":
		return false, true
	case "chess960", "960", "fischerandom", "fischerrandom", "frc", "freestyle", "freestylechess", "chess9lx":
		return true, true
	}
	return false, false
}

// startPosition returns the position to begin from. A game that continues after an illegal move may begin from a
// position that no legal move leads to: the side that has moved is in check.
func startPosition(s legal.Setup) (legal.Position, error) {
	pos, err := s.Position()
	if err == nil {
		return pos, nil
	}
	if standing, e := s.Standing(); e == nil {
		return standing, nil
	}
	return pos, err
}
