package pairing

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
)

// columns are the words of a header, without case, space and marks, with their meanings.
var columns = map[string]string{
	"board": "board", "bo": "board", "table": "board", "brett": "board", "tisch": "board", "échiquier": "board", "echiquier": "board",
	"tablero": "board", "mesa": "board", "доска": "board", "стол": "board",
	"round": "round", "rd": "round", "runde": "round", "ronde": "round", "ronda": "round", "тур": "round",
	"event": "event", "tournament": "event", "turnier": "event", "tournoi": "event", "torneo": "event", "турнир": "event",
}

// sides are the words for the players. If a word begins another one, the rest of that one is no detail, so nothing is
// mistaken.
var sides = [...]struct{ word, side string }{
	{"white", "white"}, {"weiß", "white"}, {"weiss", "white"}, {"blanc", "white"}, {"blancs", "white"}, {"blancas", "white"}, {"белые", "white"},
	{"black", "black"}, {"schwarz", "black"}, {"noir", "black"}, {"noirs", "black"}, {"negras", "black"}, {"чёрные", "black"}, {"черные", "black"},
}

// details are the words for the details of a player.
var details = map[string]string{
	"": "", "name": "", "player": "", "title": "title", "titel": "title", "fed": "fed", "federation": "fed", "country": "fed", "land": "fed",
	"rating": "elo", "elo": "elo", "rtg": "elo", "fideid": "fideid", "fide": "fideid", "fidenumber": "fideid", "id": "fideid",
}

// meaning is the meaning of a column: "board", "round", "event", "white", "white title" …, or "" if it is unknown.
func meaning(word string) string {
	word = strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, word)
	if what, ok := columns[word]; ok {
		return what
	}
	for _, s := range sides {
		for _, cut := range [...]func(string, string) (string, bool){strings.CutPrefix, strings.CutSuffix} {
			rest, ok := cut(word, s.word)
			what, known := details[rest]
			if ok && known {
				return strings.TrimSpace(s.side + " " + what)
			}
		}
	}
	return ""
}

// listReader reads a list with a header.
type listReader struct {
	text     text
	csv      *csv.Reader
	names    []string // the columns' meanings
	oneSided []entry  // rows with one player and an empty other seat
}

var tooMany = fmt.Sprintf("more than %d games; export one round only", maxRows)

const noList = "this is neither PGN (it would begin with [), nor TRF (012 …), nor a list: the first line of a list names its columns, for instance board,white,black"

func readList(t text, round int, left *leftOut) (Pairing, *Error) {
	l := listReader{text: t}
	if e := l.header(); e != nil {
		return Pairing{}, e
	}
	var all []entry
	for rows := 0; ; rows++ {
		row, err := l.csv.Read()
		if errors.Is(err, io.EOF) {
			p, e := choose(all, round, left)
			if e == nil {
				l.noteAlone(all, p.Round, left)
			}
			return p, e
		}
		if err != nil {
			if bad := left.take(l.fault(err)); bad != nil {
				return Pairing{}, bad
			}
			continue
		}
		e, some, bad := l.entry(row)
		if bad != nil && left.take(bad) == nil {
			continue
		}
		switch {
		case rows == maxRows:
			return Pairing{}, fault(e.line, 1, tooMany)
		case bad != nil:
			return Pairing{}, bad
		case some:
			all = append(all, e)
		}
	}
}

// header finds the separator with which the first line has the columns white and black.
func (l *listReader) header() *Error {
	lines := append([]string(nil), l.text.lines...)
	for i, line := range lines {
		if s := strings.TrimSpace(line); len(s) == len("sep=;") && strings.EqualFold(s[:4], "sep=") {
			lines[i] = "" // the line in which a spreadsheet names its separator
		} else if s != "" {
			break
		}
	}
	body := strings.Join(lines, "\n")
	for _, comma := range ",;\t" {
		r := csv.NewReader(strings.NewReader(body))
		r.Comma, r.FieldsPerRecord = comma, -1
		row, err := r.Read()
		if err != nil {
			continue
		}
		l.csv, l.names = r, make([]string, len(row))
		for i, word := range row {
			l.names[i] = meaning(word)
		}
		if l.has("white") && l.has("black") {
			return l.checkDuplicates(row)
		}
	}
	for i, line := range lines {
		if strings.TrimSpace(line) != "" {
			return fault(i+1, 1, noList)
		}
	}
	return fault(1, 1, noList)
}

func (l *listReader) has(what string) bool {
	for _, n := range l.names {
		if n == what {
			return true
		}
	}
	return false
}

// checkDuplicates refuses a header with a repeated column.
func (l *listReader) checkDuplicates(row []string) *Error {
	for i, n := range l.names {
		for _, before := range l.names[:i] {
			if n != "" && n == before {
				line, column := l.place(i)
				return fault(line, column, "the column "+quote(row[i])+" is there twice; take one out")
			}
		}
	}
	return nil
}

// place is the position of a field of the last row.
func (l *listReader) place(field int) (line, column int) {
	line, column = l.csv.FieldPos(field)
	return line, l.text.character(line, column)
}

// fault turns an error of the CSV reader into a fault of the text.
func (l *listReader) fault(err error) *Error {
	var p *csv.ParseError
	if errors.As(err, &p) {
		return fault(p.Line, l.text.character(p.Line, p.Column), p.Err.Error()+`; a field with quotation marks stands in quotation marks, and they are doubled inside: "a ""b"" c"`)
	}
	return fault(1, 1, err.Error())
}

// entry reads a row. A row without two players is no game.
func (l *listReader) entry(row []string) (e entry, some bool, bad *Error) {
	said := map[string]map[string]string{"white": {}, "black": {}}
	where := map[string]int{}
	for i, field := range row {
		if i >= len(l.names) {
			if strings.TrimSpace(field) == "" {
				continue
			}
			line, column := l.place(i)
			return e, false, fault(line, column, fmt.Sprintf("%d fields, but the header has %d; put a name with a separator in it between quotation marks", len(row), len(l.names))).
				withWords("fields", len(row), len(l.names))
		}
		side, what, _ := strings.Cut(l.names[i], " ")
		switch side {
		case "board":
			e.game.Board = clean(field)
		case "round":
			e.round = clean(field)
		case "event":
			e.event = clean(field)
		case "white", "black":
			said[side][what] = field
			where[side] = max(where[side], i)
		}
	}
	e.line, e.column = l.place(0)
	for _, s := range [...]struct {
		side string
		p    *Player
	}{{"white", &e.game.White}, {"black", &e.game.Black}} {
		if name := clean(said[s.side][""]); isNobody(name) {
			l.seatless(e, name, clean(said["white"][""])+clean(said["black"][""]))
			return e, false, nil
		}
		if problem := s.p.fill(said[s.side]); problem != "" {
			line, column := l.place(where[s.side])
			return e, false, fault(line, column, problem)
		}
	}
	if l.has("board") && e.game.Board == "" {
		return e, false, fault(e.line, e.column, "this game has no board; write one, or take the column out to number the games as they stand").withWords("no_board")
	}
	return e, true, nil
}

// seatless keeps a row with one player and an empty opponent; a bye would be marked as such.
func (l *listReader) seatless(e entry, missing, other string) {
	if missing != "" || isNobody(other) || len(l.oneSided) == maxLeftOut {
		return
	}
	e.game.White.Name = other
	l.oneSided = append(l.oneSided, e)
}

// noteAlone reports the players of a round without an opponent. If no game names its round, all rows count as the
// requested round.
func (l *listReader) noteAlone(games []entry, round string, left *leftOut) {
	if !slices.ContainsFunc(games, func(e entry) bool { return e.round != "" }) {
		round = ""
	}
	for _, a := range l.oneSided {
		if a.round == round || Round(a.round) == Round(round) {
			left.note(l.aloneAt(a))
		}
	}
}

// aloneAt says of a player that he has no opponent: his line may have another separator than the first one.
func (l *listReader) aloneAt(a entry) (e *Error) {
	defer func() { e.NoGame = true }()
	const other = ";"
	if comma := string(l.csv.Comma); comma != other && strings.Count(l.text.lines[a.line-1], other) > 1 {
		return fault(a.line, a.column, "the columns of this line are separated by "+other+", and those of the first line by "+comma).
			withWords("separator", other, comma)
	}
	e = fault(a.line, a.column, "no opponent of "+quote(a.game.White.Name)+" stands here, so this is no game; write the name, or bye").
		withWords("no_opponent", quote(a.game.White.Name))
	e.Alone = a.game
	return e
}

// A Row is a line of a list without a header.
type Row struct {
	Line   int
	Fields []string
	Bad    string // why it cannot be read; "": it is valid
}

// Rows reads a list of independent lines: separated by semicolons or tabs, else by commas, with quotation marks around
// a field that has one of these. Blank lines and those that begin with # are left out.
func Rows(data []byte) (rows []Row) {
	t, bad := newText(data)
	if bad != nil {
		return []Row{{Line: bad.Line, Bad: bad.Text}}
	}
	for i, line := range t.lines {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		r := csv.NewReader(strings.NewReader(line))
		r.LazyQuotes, r.TrimLeadingSpace = true, true
		if at := strings.IndexAny(line, ";\t"); at >= 0 {
			r.Comma = rune(line[at])
		}
		row := Row{Line: i + 1}
		fields, err := r.Read()
		if err != nil {
			row.Bad = err.Error()
		}
		for _, f := range fields {
			row.Fields = append(row.Fields, strings.TrimSpace(f))
		}
		rows = append(rows, row)
	}
	return rows
}
