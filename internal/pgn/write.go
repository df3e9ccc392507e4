package pgn

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"boardwatchd/rules/legal"
)

// roster is the Seven Tag Roster (specification, section 8.1.1) with the values for "not known".
var roster = []Tag{
	{"Event", "?"}, {"Site", "?"}, {"Date", "????.??.??"}, {"Round", "?"}, {"White", "?"}, {"Black", "?"}, {"Result", "*"},
}

// lineLength is the largest number of characters on a line of movetext (section 4.3).
const lineLength = 79

// Append writes the game to dst, with an empty line after it. It fails only if the start is not a position, a move is
// illegal in its place, or the name of a tag is invalid.
func Append(dst []byte, g Game) ([]byte, error) {
	dst, err := appendTags(dst, g)
	if err != nil {
		return dst, err
	}
	dst = append(dst, '\n')
	pos, err := startPosition(g.Start)
	if err != nil {
		return dst, fmt.Errorf("write pgn: start position: %w", err)
	}
	w := wrapper{dst: dst}
	before := g.Before
	if len(g.Moves) == 0 { // no move separates the two comments, and they are read back as one
		before = joined([]string{before, g.After})
	}
	w.comment(nil, before)
	numbered := false // the number before Black's move is needed after anything in between
	for i, ply := range g.Moves {
		if !pos.IsLegal(ply.Move) {
			return dst, fmt.Errorf("write pgn: half-move %d (%s): not legal in %s", i+1, pos.UCI(ply.Move), pos.FEN())
		}
		if number := strconv.Itoa(pos.FullMoves()); pos.Turn() == legal.White {
			w.word(number + ".")
		} else if !numbered {
			w.word(number + "...")
		}
		w.word(pos.SAN(ply.Move))
		var told []byte
		if ply.HasClock {
			told = appendTime(told, "clk", ply.ClockSec)
		}
		if ply.HasElapsed {
			told = appendTime(told, "emt", ply.ElapsedSec)
		}
		numbered = !w.comment(told, ply.Comment)
		pos = pos.After(ply.Move)
	}
	if len(g.Moves) > 0 {
		w.comment(nil, g.After)
	}
	w.word(result(g).String())
	return append(w.dst, "\n\n"...), nil
}

func result(g Game) Result {
	if g.Result == NoResult {
		return Unknown
	}
	return g.Result
}

func appendTags(dst []byte, g Game) ([]byte, error) {
	written := map[string]bool{}
	add := func(name, value string) {
		dst = append(dst, '[')
		dst = append(dst, name...)
		dst = append(dst, ` "`...)
		dst = append(dst, strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(printable(value))...)
		dst = append(dst, "\"]\n"...)
		written[name] = true
	}
	for _, t := range roster {
		value := t.Value
		if v := g.Tag(t.Name); v != "" {
			value = v
		}
		if t.Name == "Result" {
			value = result(g).String()
		}
		add(t.Name, value)
	}
	if g.Start.Chess960 {
		add("Variant", "Chess960")
	}
	if g.Start != legal.StartSetup(orthodox) {
		add("SetUp", "1")
		add("FEN", g.Start.FEN())
	}
	for _, t := range g.Tags {
		switch {
		case derived(t.Name) || written[t.Name]:
		case !isTagName(t.Name):
			return dst, errors.New("write pgn: " + show(t.Name) + " is no name of a tag: letters, digits and _")
		default:
			add(t.Name, t.Value)
		}
	}
	return dst, nil
}

func isTagName(s string) bool {
	for i := range len(s) {
		if c := s[i]; !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_') {
			return false
		}
	}
	return s != "" && len(s) <= 255
}

// wrapper puts words on lines.
type wrapper struct {
	dst    []byte
	column int
}

func (w *wrapper) word(s string) { w.put(s, len(s), false) }

// put writes s on this line if there is room for that many characters, or if it must stay with the word before.
func (w *wrapper) put(s string, room int, stay bool) {
	switch {
	case w.column == 0:
	case w.column+1+room > lineLength && !stay:
		w.dst = append(w.dst, '\n')
		w.column = 0
	default:
		w.dst = append(w.dst, ' ')
		w.column++
	}
	w.dst = append(w.dst, s...)
	w.column += len([]rune(s))
}

// comment writes {times text} and reports whether there was anything to write.
// The times and their brace stay on one line.
func (w *wrapper) comment(told []byte, text string) bool {
	words := strings.Fields(plain(text))
	if len(told) > 0 {
		words = append([]string{string(told)}, words...)
	}
	if len(words) == 0 {
		return false
	}
	words[0] = "{" + words[0]
	words[len(words)-1] += "}"
	for i, s := range words {
		with := ""
		if i+1 < len(words) && sticks(words[i+1]) {
			with = " " + words[i+1]
		}
		w.put(s, len([]rune(s+with)), i > 0 && sticks(s))
	}
	return true
}

// sticks reports whether a line must not begin with this word: % would make it an escape, and simple readers take [ for
// the beginning of a tag.
func sticks(s string) bool { return s[0] == '%' || s[0] == '[' }

// plain returns the text as a comment can hold it: a brace would end it, and [% would be read back as a command.
func plain(s string) string {
	last := ' '
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '{':
			r = '('
		case r == '}':
			r = ')'
		case r == '%' && last == '[':
			return -1
		}
		last = r
		return r
	}, printable(s))
	return strings.Join(strings.Fields(s), " ")
}
