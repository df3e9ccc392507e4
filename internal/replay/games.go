package replay

import (
	"encoding/json"
	"fmt"
	"strings"

	"boardwatchd/internal/pgn"
	"boardwatchd/internal/record"
	"boardwatchd/internal/watch"
	"boardwatchd/rules/legal"
)

// Games collects what a machine says into games for PGN. The zero value is ready.
type Games struct {
	games              []*game
	event, round, date string
	white, black       string // who plays, as told last
}

// A game is a line of moves under construction. Where the record was broken off (the players went on from a position
// that no recorded move leads to) the PGN ends with a comment: what follows is not a legal continuation of it.
type game struct {
	pgn    pgn.Game
	line   []legal.Position // before each ply, and after the last
	base   int              // plies before the first one here (a game joined in the middle)
	broken bool
	// who plays; empty: not told
	white, black string
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

// Input takes an input record of the journal, before what the machine says to it: the opening says where and when is
// played, an instruction may say who plays.
func (gs *Games) Input(r record.Record) {
	switch r.Kind {
	case record.Open:
		gs.Opening(r.Body)
	case record.Instruct:
		var i watch.Instruction
		if json.Unmarshal(r.Body, &i) == nil && i.Do == watch.DoNames {
			gs.white, gs.black = string(i.White), string(i.Black)
		}
	}
}

// name gives a game the names that were told last. They are given when it begins, moves or ends: the names of the next
// round, told while the pieces still stand, are not the last game's.
func (gs *Games) name(g *game) { g.white, g.black = gs.white, gs.black }

// playedPlies is how long a game without a result is when it counts as played: after ten moves each not even a wrong
// start position makes it begin again in rapid chess (FIDE Laws A.5.1.2).
const playedPlies = 20

// forget drops the names when a new game begins and a game under them was played: who plays now was not told, and a
// wrong name is worse than none.
func (gs *Games) forget(start legal.Setup) {
	if len(gs.games) == 0 || !arrayed(&start.Placement) {
		return // joined in the middle: the same game, as far as is known
	}
	last := gs.games[len(gs.games)-1]
	played := last.pgn.Result != pgn.Unknown || len(last.pgn.Moves) >= playedPlies
	if played && last.white == gs.white && last.black == gs.black {
		gs.white, gs.black = "", ""
	}
}

// arrayed says whether the two ranks of each side are full: a game begins, from whatever array.
func arrayed(p *legal.Placement) bool {
	for sq := range p {
		if home := sq < 16 || sq >= 48; home && p[sq] == legal.NoPiece {
			return false
		}
	}
	return true
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
		gs.name(g)
		g.move(s)
	case "takeback":
		g.cut(s.Ply - g.base)
	case "result":
		if s.State != "withdrawn" && g.pgn.Result == pgn.Unknown {
			gs.name(g)
		}
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
	gs.forget(setup)
	gs.name(g)
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
		for _, t := range [...]pgn.Tag{{Name: "White", Value: g.white}, {Name: "Black", Value: g.black}} {
			if t.Value != "" {
				g.pgn.SetTag(t.Name, t.Value)
			}
		}
		var err error
		if text, err = pgn.Append(text, g.pgn); err != nil {
			return text, fmt.Errorf("game %d: %w", i+1, err)
		}
	}
	return text, nil
}
