package replay

import (
	"errors"

	"boardwatchd/internal/pgn"
)

// A Prefix is what anybody may have of a game: its legal moves with their times, who plays and the result. No word
// stands in it about why the record breaks off, what was found and what was ruled.
type Prefix struct {
	Number int // of the game in the recording
	Game   pgn.Game
	Err    error // the game is not one that readers take; nil: it is
}

// errStart is for a game that begins at a position in which no game can stand, like one that was joined in a wrong
// position.
var errStart = errors.New("its first position is none that readers of PGN take")

// LegalPrefixes returns the games in their order. name makes the text of an id.
func (gs *Games) LegalPrefixes(name func(id string) string) (list []Prefix) {
	for _, g := range gs.games {
		parts, _ := g.parts(nil)
		bare := pgn.Game{Start: g.start, Result: g.result}
		g.tag(&bare, name)
		for _, p := range parts[0].Moves {
			p.Comment = ""
			bare.Moves = append(bare.Moves, p)
		}
		out := Prefix{Number: g.number, Game: bare}
		if !readable(g.start) {
			out.Err = errStart
		}
		list = append(list, out)
	}
	return list
}

// Arrayed says that a game begins from the usual array, which tells nothing of what is on the board.
func Arrayed(g *pgn.Game) bool { return g.Start == pgn.New().Start }
