package replay

import (
	"errors"
	"slices"

	"boardwatchd/internal/pgn"
)

// A Prefix is the public part of a game: its legal moves with their times, the players and the result. It does not say
// why the record ends, nor anything about findings and rulings.
type Prefix struct {
	Number int // of the game in the recording
	Game   pgn.Game
	Err    error // readers do not accept the game; nil: they do
}

// errStart is for a game that begins at a position in which no game can be, for example because it was joined in a
// wrong position.
var errStart = errors.New("its first position is none that readers of PGN take")

// LegalPrefixes returns the games in their order. name returns the text for an id.
func (gs *Games) LegalPrefixes(name func(id string) string) (list []Prefix) {
	for _, g := range gs.games {
		parts, _ := g.parts(nil)
		bare := pgn.Game{Start: g.start, Result: g.result}
		g.tag(&bare, name)
		bare.Tags = slices.DeleteFunc(bare.Tags, func(t pgn.Tag) bool { return t.Name == remark })
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

// Arrayed reports whether a game begins from the usual array.
func Arrayed(g *pgn.Game) bool { return g.Start == pgn.New().Start }
