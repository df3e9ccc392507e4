package pairing

import (
	"errors"
	"strings"

	"boardwatchd/internal/pgn"
)

// header is a run of tags in a PGN text: one game's.
type header struct {
	line int             // of the first tag
	seen map[string]bool // the tags that begin a line
	text strings.Builder
}

// readPGN reads the headers and skips the moves.
func readPGN(t text, round int, left *leftOut) (Pairing, *Error) {
	found, bad := headers(t)
	if bad == nil && len(found) > maxRows {
		bad = fault(found[maxRows].line, 1, tooMany)
	}
	if bad != nil {
		return Pairing{}, bad
	}
	var all []entry
	for _, h := range found {
		e, bad := h.entry()
		if bad != nil {
			if bad = left.take(bad); bad != nil {
				return Pairing{}, bad
			}
			continue
		}
		if !isNobody(e.game.White.Name) && !isNobody(e.game.Black.Name) {
			all = append(all, e)
		}
	}
	return choose(all, round, left)
}

// entry reads the tags of one game.
func (h *header) entry() (entry, *Error) {
	g, err := pgn.NewReader([]byte(h.text.String())).Next()
	var bad *pgn.Error
	switch {
	case errors.As(err, &bad):
		return entry{}, fault(h.line+bad.Line-1, bad.Column, bad.Text)
	case err != nil:
		return entry{}, fault(h.line, 1, "no tags of a game here: "+err.Error())
	}
	e, problem := entryOf(&g, h.line)
	if problem != "" {
		return entry{}, fault(h.line, 1, problem)
	}
	return e, nil
}

// headers finds the tags. A game begins with the first tag after moves, with a second Event, or after a blank line with
// a tag that has already occurred.
func headers(t text) (all []*header, bad *Error) {
	var h *header // nil after moves
	inComment, blank := false, false
	for i, line := range t.lines {
		name, isTag := tagName(line)
		switch {
		case inComment || !isTag && strings.TrimSpace(line) != "":
			h, inComment = nil, comment(line, inComment)
			continue
		case !isTag:
			blank = true
			line = ""
		case h != nil && h.seen[name] && name != "Event" && !blank:
			return nil, fault(i+1, 1, "the tag "+name+" stands there twice; put a blank line and [Event …] before each game")
		case h == nil || h.seen[name]:
			h = &header{line: i + 1, seen: map[string]bool{}}
			all = append(all, h)
		}
		if h == nil {
			continue
		}
		if isTag {
			blank = false
			h.seen[name] = true
		}
		if onlyStart(name, line) {
			line = ""
		}
		h.text.WriteString(line)
		h.text.WriteByte('\n')
	}
	return all, nil
}

// tagName is the name of the tag that begins a line.
func tagName(line string) (string, bool) {
	line = strings.TrimSpace(line)
	if !strings.HasPrefix(line, "[") {
		return "", false
	}
	name, _, _ := strings.Cut(strings.TrimSpace(line[1:]), " ")
	return name, true
}

// onlyStart reports whether a line has only a tag about the start position, which does not concern the players: errors
// in it are ignored.
func onlyStart(name, line string) bool {
	return (name == "FEN" || name == "SetUp" || name == "Variant") && strings.Count(line, "[") == 1
}

// comment reports whether a line of moves ends inside a comment in braces.
func comment(line string, inside bool) bool {
	if !inside && strings.HasPrefix(line, "%") {
		return false
	}
	for _, c := range line {
		switch {
		case inside && c == '}':
			inside = false
		case !inside && c == '{':
			inside = true
		case !inside && c == ';':
			return false
		}
	}
	return inside
}

func entryOf(g *pgn.Game, line int) (entry, string) {
	e := entry{line: line, column: 1, event: knownValue(g.Tag("Event")), round: knownValue(g.Tag("Round"))}
	e.game.Board = knownValue(g.Tag("Board"))
	if _, table, ok := strings.Cut(e.round, "."); ok && e.game.Board == "" {
		e.game.Board = clean(table)
	}
	if whole, _, ok := strings.Cut(e.round, "."); ok {
		e.round = whole
	}
	for _, side := range [...]struct {
		name string
		p    *Player
	}{{"White", &e.game.White}, {"Black", &e.game.Black}} {
		tags := map[string]string{}
		for _, t := range g.Tags {
			if what, ok := strings.CutPrefix(t.Name, side.name); ok {
				tags[strings.ToLower(what)] = t.Value
			}
		}
		if _, ok := tags[""]; !ok {
			return e, "the tag " + side.name + " is missing in the game that begins here; write [" + side.name + ` "Name"]`
		}
		if problem := side.p.fill(tags); problem != "" {
			return e, "the tags of " + side.name + ": " + problem
		}
	}
	return e, ""
}

// knownValue is a tag's value; ? and - count as missing.
func knownValue(s string) string {
	if s = clean(s); s == "?" || s == "-" {
		return ""
	}
	return s
}

// fill sets the details of a player, by the words of column.
func (p *Player) fill(said map[string]string) (problem string) {
	p.Name = clean(said[""])
	if problem := checkName(p.Name); problem != "" {
		return problem
	}
	p.Title = title(said["title"])
	for _, word := range [...]string{"fed", "federation", "country"} {
		if p.Federation == "" {
			p.Federation = federation(said[word])
		}
	}
	ok := true
	if p.Rating, ok = rating(said["elo"]); !ok {
		return "the rating " + quote(said["elo"]) + " is no number from 0 to 9999"
	}
	if p.FideID, ok = fideID(said["fideid"]); !ok {
		return "the FIDE number " + quote(said["fideid"]) + " is no number of at most 11 digits"
	}
	return ""
}
