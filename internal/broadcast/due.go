package broadcast

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"boardwatchd/internal/pgn"
	"boardwatchd/internal/record"
	"boardwatchd/internal/replay"
	"boardwatchd/internal/said"
)

// Terms determine what the public may see.
type Terms struct {
	DelayUS      int64                  // of the board's time
	ResultAtOnce bool                   // a result is not delayed
	Name         func(id string) string // the name of the player with that id; nil: no names are reported
}

// A Sheet is the part of one board that is due.
type Sheet struct {
	Games   []string // as PGN, each with an empty line after it
	Plies   int      // in all of them
	Next    int64    // when something else becomes due; never: nothing will
	Trouble error    // a game cannot be written; nil: all can
}

// Due returns what is due after this time has passed. It depends on nothing else.
func (t *Tape) Due(passed int64, terms Terms) Sheet {
	n, next := t.due(passed, terms.DelayUS)
	games := t.fold(t.events[:n], terms.DelayUS)
	list := games.LegalPrefixes(terms.name)
	if terms.ResultAtOnce {
		list = t.withResults(list, terms)
	}
	return written(list, next)
}

// due returns the number of records that are due, and when the next one will be.
func (t *Tape) due(passed, delay int64) (n int, next int64) {
	for i := range t.events {
		e := &t.events[i]
		if e.at > passed-delay && e.seq > t.shownUpTo {
			return i, min(e.at, never-delay) + delay
		}
	}
	return len(t.events), never
}

// fold makes games of records. A ply that was gone before it was due counts as unknown: the legal prefix ends before
// it, until the ply that replaced it is due.
func (t *Tape) fold(events []event, delay int64) *replay.Games {
	games := new(replay.Games)
	for i := range events {
		switch e := &events[i]; {
		case e.kind != record.Say:
			games.Input(record.Record{Seq: record.Seq(e.seq), At: e.at, Kind: e.kind, Body: e.body})
		case e.ply > 0 && e.gone-delay <= e.at:
			games.Said(unknown(e))
		default:
			games.Said(e.body)
		}
	}
	return games
}

// unknown is an unknown ply in the place of a hidden one.
func unknown(e *event) []byte {
	body, err := json.Marshal(said.Move{
		Head: said.Head{Type: "move", Seq: e.seq, T: said.Seconds(e.at), Game: e.game},
		Ply:  e.ply, Side: e.side, StandingIllegalMove: &said.StandingIllegalMove{Illegal: true},
	})
	if err != nil {
		panic("broadcast: internal error: " + err.Error()) // texts and numbers only
	}
	return body
}

// withResults adds the results that are known now. A game of which nothing is due yet is shown without its moves, if
// its first position reveals nothing either.
func (t *Tape) withResults(list []replay.Prefix, terms Terms) []replay.Prefix {
	for _, now := range t.fold(t.events, terms.DelayUS).LegalPrefixes(terms.name) {
		i := 0
		for i < len(list) && list[i].Number != now.Number {
			i++
		}
		switch {
		case i < len(list):
			list[i].Game.Result = now.Game.Result
		case now.Game.Result != pgn.Unknown && replay.Arrayed(&now.Game):
			now.Game.Moves = nil
			list = append(list, now)
		}
	}
	return list
}

// written makes PGN of the games. A game without moves is written only if it is the last one, which may be about to
// begin; after other games it has players then. Pieces that were only set up again after a game have none.
func written(list []replay.Prefix, next int64) Sheet {
	s := Sheet{Next: next}
	for i, p := range list {
		empty := len(p.Game.Moves) == 0 && p.Game.Result == pgn.Unknown
		if empty && (i+1 < len(list) || i > 0 && p.Game.Tag("White")+p.Game.Tag("Black") == "") {
			continue
		}
		err := p.Err
		var text []byte
		if err == nil {
			text, err = pgn.Append(nil, p.Game)
		}
		if err != nil {
			s.Trouble = errors.Join(s.Trouble, fmt.Errorf("game %d: %w", p.Number, err))
			continue
		}
		s.Games, s.Plies = append(s.Games, string(text)), s.Plies+len(p.Game.Moves)
	}
	return s
}

// name is a player's name; "" for an id without a known name.
func (t Terms) name(id string) string {
	if t.Name == nil || id == "" {
		return ""
	}
	if text := t.Name(id); text != id || !isID(id) {
		return text
	}
	return ""
}

// isID reports whether a text has the form of an id of package people.
func isID(s string) bool {
	rest, ok := strings.CutPrefix(s, "p-")
	return ok && len(rest) == 10 && strings.Trim(rest, "abcdefghijklmnopqrstuvwxyz0123456789") == ""
}
