package replay

import (
	"encoding/json"
	"fmt"
	"strings"

	"boardwatchd/internal/pgn"
	"boardwatchd/internal/watch"
	"boardwatchd/rules/legal"
)

// Games collects what a machine says into games for PGN. The zero value is ready.
type Games struct {
	games              []*game
	event, round, date string
}

// A game is a line of moves under construction. Where the record was broken off (the players went on from a position
// that no recorded move leads to) the PGN ends with a comment: what follows is not a legal continuation of it.
type game struct {
	pgn    pgn.Game
	line   []legal.Position // before each ply, and after the last
	base   int              // plies before the first one here (a game joined in the middle)
	broken bool
}

// said has the fields of the objects that matter here.
type said struct {
	Type, FEN, UCI, Result, State, What, Detail, Board, By string
	Game, Ply                                              int
	Clock                                                  *struct{ White, Black int }
}

// Opening takes the body of an opening record: event, round and date stand there. The date is the wall clock's, which may
// have been wrong.
func (gs *Games) Opening(body []byte) {
	o, err := watch.ParseOpening(body)
	if err != nil {
		return
	}
	var conf struct{ Event, Round string }
	if len(o.Config) > 0 && json.Unmarshal(o.Config, &conf) == nil {
		gs.event, gs.round = conf.Event, conf.Round
	}
	if len(o.Wall) >= len("2006-01-02") {
		gs.date = strings.ReplaceAll(o.Wall[:len("2006-01-02")], "-", ".")
	}
}

// Said takes one object of contract section 3.
func (gs *Games) Said(body []byte) {
	var s said
	if json.Unmarshal(body, &s) != nil {
		return
	}
	switch s.Type {
	case "game":
		gs.begin(s)
		return
	}
	if len(gs.games) == 0 {
		return
	}
	g := gs.games[len(gs.games)-1]
	switch s.Type {
	case "move":
		g.move(s)
	case "takeback":
		g.cut(s.Ply - g.base)
	case "result":
		g.result(s)
	case "health":
		if s.What == "record_broken" && !g.broken {
			g.broken = true
			g.pgn.After = "the record is broken off here: " + s.Detail
		}
	}
}

func (gs *Games) begin(s said) {
	setup, err := legal.ParseFEN(s.FEN)
	if err != nil {
		return
	}
	pos, err := setup.Position()
	if err != nil {
		return
	}
	g := &game{pgn: pgn.New(), line: []legal.Position{pos}}
	g.pgn.Start = setup
	if pos.Turn() == legal.Black {
		g.base = 1
	}
	for _, t := range [...]pgn.Tag{{Name: "Event", Value: gs.event}, {Name: "Date", Value: gs.date}, {Name: "Round", Value: gs.round}, {Name: "Board", Value: s.Board}} {
		if t.Value != "" {
			g.pgn.Tags = append(g.pgn.Tags, t)
		}
	}
	gs.games = append(gs.games, g)
}

func (g *game) move(s said) {
	if g.broken || s.Ply-g.base > len(g.line) {
		return
	}
	g.cut(s.Ply - g.base - 1)
	pos := g.line[len(g.line)-1]
	m, ok := pos.FindUCI(s.UCI)
	if !ok {
		return
	}
	ply := pgn.Ply{Move: m}
	if s.Clock != nil {
		ply.HasClock = true
		if ply.ClockSec = s.Clock.White; pos.Turn() == legal.Black {
			ply.ClockSec = s.Clock.Black
		}
	}
	g.pgn.Moves = append(g.pgn.Moves, ply)
	g.line = append(g.line, pos.After(m))
}

// cut goes back to n plies.
func (g *game) cut(n int) {
	if n >= 0 && n < len(g.pgn.Moves) {
		g.pgn.Moves, g.line = g.pgn.Moves[:n], g.line[:n+1]
	}
}

func (g *game) result(s said) {
	g.pgn.Result = pgn.Unknown
	if r, ok := pgn.ParseResult(s.Result); ok && s.State != "withdrawn" {
		g.pgn.Result = r
	}
}

// PGN returns all games.
func (gs *Games) PGN() ([]byte, error) {
	var text []byte
	for i, g := range gs.games {
		var err error
		if text, err = pgn.Append(text, g.pgn); err != nil {
			return text, fmt.Errorf("game %d: %w", i+1, err)
		}
	}
	return text, nil
}
