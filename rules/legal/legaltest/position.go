package legaltest

import (
	"testing"

	"boardwatchd/rules/legal"
)

// Position returns the position of a FEN, or fails the test. A board that no game can reach is taken as it stands: the
// Laws know such boards too (A.5.2).
func Position(t testing.TB, fen string) legal.Position {
	t.Helper()
	setup := Setup(t, fen)
	pos, err := setup.Position()
	if err != nil {
		pos, err = setup.Standing()
	}
	if err != nil {
		t.Fatalf("%s: %v", fen, err)
	}
	return pos
}

// Setup returns what a FEN says, or fails the test.
func Setup(t testing.TB, fen string) legal.Setup {
	t.Helper()
	setup, err := legal.ParseFEN(fen)
	if err != nil {
		t.Fatalf("%s: %v", fen, err)
	}
	return setup
}

// Placement returns the placement that the first field of a FEN names, or fails the test.
func Placement(t testing.TB, field string) legal.Placement {
	t.Helper()
	return Setup(t, field+" w - - 0 1").Placement
}
