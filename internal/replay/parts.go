package replay

import (
	"fmt"
	"strings"

	"boardwatchd/internal/pgn"
	"boardwatchd/internal/said"
	"boardwatchd/rules/legal"
)

// This file makes PGN of a game whose record does not lead from its first position to its last by legal moves alone.
// PGN knows only legal moves (specification, section 8.2.3), so the game becomes several: the legal prefix, then a game
// with SetUp and FEN for each position from which the players continued.

// A Form is the way to write games whose record is not one row of legal moves.
type Form uint8

// The forms.
const (
	Parts       Form = iota // the legal prefix, then the continuations
	LegalPrefix             // only the legal prefix
	Full                    // the legal prefix, and the rest as a comment of the PGN
)

// PGN returns all games.
func (gs *Games) PGN(form Form) ([]byte, error) {
	var text []byte
	for i, g := range gs.games {
		if len(g.plies) == 0 && g.result == pgn.Unknown && len(gs.games) > 1 {
			continue // set up, and not played
		}
		for _, part := range g.written(form, gs.withdrawn) {
			var err error
			if text, err = pgn.Append(text, part); err != nil {
				return text, fmt.Errorf("game %d: %w", i+1, err)
			}
		}
	}
	return text, nil
}

// written returns the parts of a game in a form, with the result in the last one.
func (g *game) written(form Form, withdrawn map[string]bool) []pgn.Game {
	parts, rest := g.parts(withdrawn)
	switch first := &parts[0]; {
	case form == Parts || len(parts) == 1 && len(rest) == 0:
	case form == Full:
		first.After = "" // what stands there is a part of the rest, also where a game without moves has it in a tag
		if len(first.Moves) == 0 {
			first.Tags = g.part(first.Start).Tags
		}
		comment(first, strings.TrimSuffix(strings.Join(rest, " "), ";"))
		fallthrough
	default:
		parts = parts[:1]
	}
	parts[len(parts)-1].Result = g.result
	if n := len(parts); n > 1 {
		for i := range parts {
			parts[i].SetTag(partTag, fmt.Sprintf("%d/%d", i+1, n))
		}
	}
	return parts
}

// partTag links the parts of one game: the second of three has "2/3".
const partTag = "Part"

// part opens a game at a position, with the tags of this one.
func (g *game) part(start legal.Setup) pgn.Game {
	p := pgn.New()
	p.Start = start
	g.tag(&p, g.people.Said)
	return p
}

// tag gives a part of this game its tags. name returns the text for a player's id.
func (g *game) tag(p *pgn.Game, name func(id string) string) {
	p.Tags = append(p.Tags, g.tags...)
	for _, t := range [...]pgn.Tag{{Name: "Board", Value: g.table}, {Name: "White", Value: name(g.white)}, {Name: "Black", Value: name(g.black)}} {
		if t.Value != "" {
			p.SetTag(t.Name, t.Value)
		}
	}
}

// A writer goes through the plies of a game.
type writer struct {
	g         *game
	parts     []pgn.Game
	pos       legal.Position // before the next move
	given     legal.Position // pos by the record: after plies that a person filled in, rights may differ
	lastPlies [2]said.Any    // the last two plies, the later one last
	lost      bool           // pos is not known: moves are skipped until a position is given
	why       string         // the reason for a position that readers refuse; "": they accept it
	rest      []string       // everything recorded after the first part, in words
}

// parts returns the rows of legal moves in the record, and in words everything recorded after the first row.
func (g *game) parts(withdrawn map[string]bool) ([]pgn.Game, []string) {
	pos, _ := g.start.Standing()
	w := writer{g: g, parts: []pgn.Game{g.part(g.start)}, pos: pos, given: pos}
	if !readable(g.start) {
		w.refusedStart()
	}
	for _, s := range g.plies {
		switch {
		case s.What == "not_known" && w.filled(s):
		case s.What == "not_known":
			w.breakRow(s.Detail, s.FEN)
		case s.Type != "move":
			w.breakRow("the record is broken off here: "+s.Detail, s.FEN)
		case s.Illegal && withdrawn[s.Finding]:
			w.breakRow(numbered(s)+" is not certain: what was found about it has been withdrawn", s.FENAfter)
		case s.Illegal:
			w.breakRow(numbered(s)+" was illegal ("+kindOf(s.Finding)+") and stood", s.FENAfter)
		default:
			w.move(s)
		}
		w.lastPlies = [2]said.Any{w.lastPlies[1], s}
	}
	return w.parts, w.rest
}

func (w *writer) move(s said.Any) {
	last := &w.parts[len(w.parts)-1]
	if w.lost {
		w.noteRest(numbered(s))
		return
	}
	m, ok := w.pos.FindUCI(s.UCI)
	if !ok && w.pos != w.given {
		w.breakRow("the plies that were filled in do not allow "+numbered(s), w.given.FEN())
		m, ok = w.pos.FindUCI(s.UCI)
		last = &w.parts[len(w.parts)-1]
	}
	if !ok {
		w.breakRow(numbered(s)+" is no legal move here", s.FENAfter)
		return
	}
	if w.why != "" {
		w.moveInComment(s, m)
		return
	}
	ply := pgn.Ply{Move: m}
	if s.Clock != nil {
		ply.HasClock = true
		ply.ClockSec = of(s.Clock, w.pos.Turn())
	}
	ply.ElapsedSec, ply.HasElapsed = w.g.elapsed(w.lastPlies, s, w.pos.Turn())
	last.Moves = append(last.Moves, ply)
	w.pos = w.pos.After(m)
	if g, ok := w.given.FindUCI(s.UCI); ok {
		w.given = w.given.After(g)
	} else {
		w.given = w.pos
	}
	if len(w.parts) > 1 {
		w.noteRest(numbered(s))
	}
}

// filled appends the plies that were filled in for a span. It returns false if there are none, or they do not fit.
func (w *writer) filled(s said.Any) bool {
	given, ok := standing(s.FEN, w.g.start.Chess960)
	ends := s.FEN == ""
	plies := s.Plies()
	if !ok && !ends || w.lost || w.why != "" || len(plies) == 0 {
		return false
	}
	pos := w.pos
	var row []pgn.Ply
	for _, filled := range plies {
		m, ok := pos.FindUCI(filled.UCI)
		if !ok {
			return false
		}
		ply := pgn.Ply{Move: m}
		if filled.Clock != nil {
			ply.HasClock, ply.ClockSec = true, *filled.Clock
		}
		row, pos = append(row, ply), pos.After(m)
	}
	row[0].Comment = "filled in by a person"
	if s.By == "log" {
		row[0].Comment = "filled in from the board's own log"
	}
	if n := len(row); n > 1 {
		row[0].Comment += ", up to " + numbered(said.Any{Brief: said.Brief{Ply: s.PlyFrom + n - 1, SAN: plies[n-1].SAN}})
	}
	last := &w.parts[len(w.parts)-1]
	last.Moves = append(last.Moves, row...)
	if ends {
		given = pos
	}
	w.pos, w.given = pos, given
	if len(w.parts) > 1 {
		w.noteRest(row[0].Comment)
	}
	return true
}

// breakRow ends a row of moves with a reason. The next one begins at the position from which the players continued, if
// that is known and no reader refuses it.
func (w *writer) breakRow(why, fen string) {
	w.noteRest(why + ";")
	if !w.lost {
		comment(&w.parts[len(w.parts)-1], why)
	}
	w.lost, w.why = true, ""
	if pos, ok := standing(fen, w.g.start.Chess960); ok {
		w.pos, w.given, w.lost = pos, pos, false
		w.goOn(why)
	}
}

// refusedStart begins with a game that has no moves and no FEN, because readers refuse the position in which this one
// began: a pawn stood in a queen's place. The moves are in its remark, up to a position that readers accept.
func (w *writer) refusedStart() {
	w.parts[0] = w.g.part(pgn.New().Start)
	w.why = "begins from a position that readers refuse, " + w.g.start.FEN()
	w.noteRest(w.why + ";")
	comment(&w.parts[0], w.why)
}

// goOn begins a part at the current position, unless other readers refuse it because no game can have it (FIDE Laws
// 3.9, 4.4).
func (w *writer) goOn(why string) {
	if w.why = ""; !readable(w.pos.Setup()) {
		w.why = why
		return
	}
	next := w.g.part(w.pos.Setup())
	next.SetTag(remark, "continued: "+why)
	w.parts = append(w.parts, next)
}

// moveInComment puts a move from a position that readers refuse into the comment after the part before it, and
// continues from there.
func (w *writer) moveInComment(s said.Any, m legal.Move) {
	w.noteRest(numbered(s))
	comment(&w.parts[len(w.parts)-1], numbered(s))
	w.pos = w.pos.After(m)
	w.given = w.pos
	w.goOn(w.why + "; " + numbered(s))
}

// readable reports whether a game of PGN may begin at a set-up.
func readable(s legal.Setup) bool {
	_, err := s.Position()
	return err == nil
}

// standing returns the position of a FEN from which the players continued.
func standing(fen string, chess960 bool) (pos legal.Position, ok bool) {
	s, err := legal.ParseFEN(fen)
	if err != nil {
		return pos, false
	}
	s.Chess960 = chess960
	pos, err = s.Standing()
	return pos, err == nil
}

// remark is the tag that says why a game begins or ends as it does. Readers stumble over comments before the first move
// (notnil/chess does), so a game without moves has this instead of a comment.
const remark = "Remark"

// comment adds after the last move the reason why a row of moves ends there.
func comment(g *pgn.Game, why string) {
	if len(g.Moves) > 0 {
		g.After = strings.TrimPrefix(g.After+"; "+why, "; ")
		return
	}
	g.SetTag(remark, strings.Trim(g.Tag(remark)+"; "+why, "; "))
}

// noteRest adds to the record of everything after the legal prefix.
func (w *writer) noteRest(words string) { w.rest = append(w.rest, words) }

// numbered returns a move with its number.
func numbered(s said.Any) string {
	dots := "."
	if s.Ply%2 == 0 {
		dots = "..."
	}
	what := s.SAN
	if what == "" {
		what = s.UCI
	}
	if what == "" {
		what = "--" // no single piece moved
	}
	return fmt.Sprintf("%d%s %s", (s.Ply+1)/2, dots, what)
}

// kindOf returns the kind in a finding's identity.
func kindOf(id string) string {
	_, kind, _ := strings.Cut(id, ":")
	return kind
}
