package players

import (
	"fmt"
	"strings"

	"boardwatchd/rules/legal"
)

// End is the way in which the players finish.
type End uint8

// The ends.
const (
	EndUnset End = iota // EndStop for a given game, drawn for a generated one
	EndStop             // the clock is stopped, nothing else
	EndKings            // the kings go to the centre squares that show the result (DGT protocol notes, section 13)
	EndFlag             // the time of the player to move runs out, then as EndKings
	EndLeave            // the players leave and the clock runs on
)

func (e End) String() string {
	names := [...]string{"unset", "stop", "kings", "flag", "leave"}
	if int(e) < len(names) {
		return names[e]
	}
	return fmt.Sprintf("end(%d)", uint8(e))
}

// Game is one game to be played, from a list of moves.
type Game struct {
	Start      legal.Setup // the zero Setup means the orthodox start position
	Moves      []string    // UCI or SAN; [Moves] splits a text
	End        End
	Result     string // "1-0", "0-1" or "1/2-1/2"; "" or "*" with EndKings means by the last position, else a draw
	SilentMate bool   // the last move is not followed by a press
	AdjournAt  int    // after this number of plies the game is interrupted and set up again
}

// Moves splits a line or a page of moves: numbers, comments in braces, "!", "?"
// and the result are left out.
func Moves(text string) []string {
	var moves []string
	depth := 0
	for _, word := range strings.Fields(strings.NewReplacer("{", " { ", "}", " } ", "(", " ( ", ")", " ) ").Replace(text)) {
		switch word {
		case "{", "(":
			depth++
			continue
		case "}", ")":
			depth = max(0, depth-1)
			continue
		}
		if word = bareMove(word); word != "" && depth == 0 {
			moves = append(moves, word)
		}
	}
	return moves
}

// bareMove removes number and annotation from a word; "" if no move is left.
func bareMove(word string) string {
	word = strings.TrimSuffix(strings.TrimRight(word, "!?"), "e.p.")
	if i := strings.LastIndexByte(word, '.'); i >= 0 {
		word = word[i+1:]
	}
	switch {
	case word == "1-0", word == "0-1", word == "1/2-1/2", word == "*":
		return ""
	case strings.HasPrefix(word, "$"), strings.Trim(word, "0123456789") == "":
		return ""
	}
	return word
}

// game is a game whose moves are known to be legal.
type game struct {
	start      legal.Setup
	first      legal.Position
	moves      []played
	end        End
	result     string
	silentMate bool
	adjournAt  int
	scripted   bool // a given game: its moves are kept as long as they are legal
	mood       mood
}

type played struct {
	move     legal.Move
	uci, san string
}

func (g *game) add(pos *legal.Position, m legal.Move) {
	g.moves = append(g.moves, played{move: m, uci: pos.UCI(m), san: pos.SAN(m)})
}

// resolve checks a given game.
func (o Game) resolve() (game, error) {
	g := game{start: o.Start, end: o.End, result: o.Result, silentMate: o.SilentMate, adjournAt: o.AdjournAt, scripted: true}
	if g.start.Turn == legal.NoSide {
		g.start = legal.StartSetup(518)
	}
	if g.end == EndUnset {
		g.end = EndStop
	}
	pos, err := g.start.Position()
	if err != nil {
		return game{}, fmt.Errorf("start position: %w", err)
	}
	g.first = pos
	for i, text := range o.Moves {
		m, ok := pos.FindUCI(text)
		if !ok {
			if m, err = pos.ParseSAN(text); err != nil {
				return game{}, fmt.Errorf("move %d %q: %w", i+1, text, err)
			}
		}
		g.add(&pos, m)
		pos = pos.After(m)
	}
	if g.result == "" || g.result == "*" {
		g.result = "1/2-1/2"
		if pos.Outcome() == legal.Checkmate {
			g.result = winner(pos.Turn().Other())
		}
	}
	return g, nil
}

// transferOf returns a legal move as hands perform it.
func transferOf(pos *legal.Position, m legal.Move) Transfer {
	t := Transfer{From: m.From(), To: m.To(), Victim: m.Victim(), RookFrom: m.RookFrom(), RookTo: m.RookTo()}
	if k := m.Promotion(); k != legal.NoKind {
		t.Put = legal.PieceOf(pos.Turn(), k)
	}
	return t
}
