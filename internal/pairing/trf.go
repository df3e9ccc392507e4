package pairing

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Columns of a line of TRF, from 0: FIDE Handbook C.04, annex 2 (TRF16), player section.
const (
	trfRounds = 91 // of the first round: opponent 4, free, colour, free, result
	trfStep   = 10 // from round to round
)

// blanks are the columns between the fields of a player.
var blanks = [...]int{3, 8, 13, 47, 52, 56, 68, 79, 84, 89, 90}

// isTRF reports whether a text with this first line is a TRF: a code of three digits, of JaVaFo (XXR …), or a remark
// (###).
func isTRF(first string) bool {
	code, _, _ := strings.Cut(first, " ")
	if len(code) != 3 {
		return false
	}
	_, err := strconv.Atoi(code)
	return err == nil || strings.HasPrefix(code, "XX") || code == "###"
}

// trfPlayer is a line 001, of one player.
type trfPlayer struct {
	line   int
	number int // the start number
	player Player
	rounds []trfResult
}

// trfResult is one round of a player.
type trfResult struct {
	opponent int // 0: a bye, or absent
	colour   byte
	result   byte
}

// paired reports whether this is a game at a board. A game that was forfeited before it was paired has no colour.
func (r trfResult) paired() bool { return r.opponent > 0 && (r.colour == 'w' || r.colour == 'b') }

// half is the value of a result, in half-points.
func (r trfResult) half() int {
	switch r.result {
	case '1', '+', 'W', 'F', 'U':
		return 2
	case '=', 'D', 'H':
		return 1
	}
	return 0
}

// trf is a report.
type trf struct {
	event   string
	dates   string // the line 132
	players []trfPlayer
	byStart map[int]int // index in players
}

func readTRF(t text, round int, _ *leftOut) (Pairing, *Error) {
	r := trf{byStart: map[int]int{}}
	for i, line := range t.lines {
		if e := r.line(i+1, line); e != nil {
			return Pairing{}, e
		}
	}
	if len(r.players) == 0 {
		return Pairing{}, fault(1, 1, "no line of a player (001 …) stands in this TRF")
	}
	latest := r.latest()
	if round == 0 {
		round = latest
	}
	if latest == 0 {
		return Pairing{}, fault(r.players[0].line, 1, "nobody is paired in this TRF; export it after the round was paired")
	}
	games, e := r.games(round)
	switch {
	case e != nil:
		return Pairing{}, e
	case len(games) == 0:
		return Pairing{}, fault(r.players[0].line, 1, fmt.Sprintf("nobody is paired in round %d, the latest pairing is that of round %d; export the TRF after the round was paired", round, latest))
	case len(games) > MaxGames:
		return Pairing{}, fault(1, 1, fmt.Sprintf("more than %d games in one round", MaxGames))
	}
	return Pairing{Event: r.event, Round: strconv.Itoa(round), Date: r.date(round), Games: games, BoardsDerived: true}, nil
}

func (r *trf) line(n int, line string) *Error {
	if utf8.RuneCountInString(line) < 3 {
		return nil
	}
	code, rest, _ := strings.Cut(line, " ")
	switch code {
	case "012":
		r.event = clean(rest)
	case "132":
		r.dates = line
	case "013", "310":
		return fault(n, 1, "this is a team tournament, and TRF does not say who sits at which board; export the round as a list or as PGN")
	case "001":
		p, e := player(n, line)
		if e != nil {
			return e
		}
		if other, twice := r.byStart[p.number]; twice {
			return fault(n, 5, fmt.Sprintf("the start number %d stands in line %d too; each player has its own", p.number, r.players[other].line))
		}
		if len(r.players) == maxPlayers {
			return fault(n, 1, fmt.Sprintf("more than %d players", maxPlayers))
		}
		r.byStart[p.number] = len(r.players)
		r.players = append(r.players, p)
	}
	return nil
}

// fields are the columns of a line.
type fields struct {
	line  int
	cells []rune // one for each column
}

// layOut splits a line into columns: of characters, or of bytes if a program has counted these.
func layOut(n int, line string) (fields, *Error) {
	if at := strings.IndexByte(line, '\t'); at >= 0 {
		return fields{}, fault(n, 1+utf8.RuneCountInString(line[:at]), "a tab; the columns of TRF are made of spaces, export the file again")
	}
	f := fields{line: n, cells: []rune(line)}
	bad := f.shifted()
	if bad < 0 {
		return f, nil
	}
	if utf8.RuneCountInString(line) < len(line) {
		// A character of several bytes takes several columns; those after its first are marked, and clean removes them.
		byBytes := fields{line: n}
		for _, c := range line {
			byBytes.cells = append(byBytes.cells, c)
			for range utf8.RuneLen(c) - 1 {
				byBytes.cells = append(byBytes.cells, utf8.RuneError)
			}
		}
		if byBytes.shifted() < 0 {
			return byBytes, nil
		}
	}
	return f, fault(n, bad+1, fmt.Sprintf("column %d of a player's line is blank in TRF, here it is %s: the columns are shifted; export the file again", bad+1, quote(string(f.cells[bad]))))
}

// shifted is the first column, from 0, that should be blank and is not, or -1.
func (f *fields) shifted() int {
	for _, at := range blanks {
		if at < len(f.cells) && f.cells[at] != ' ' {
			return at
		}
	}
	for at := trfRounds; at < len(f.cells); at += trfStep {
		for _, free := range [...]int{4, 6, 8, 9} {
			if at+free < len(f.cells) && f.cells[at+free] != ' ' {
				return at + free
			}
		}
	}
	return -1
}

// columns is the text of the columns from to to, which may be beyond the line's end.
func (f *fields) columns(from, to int) string {
	from, to = min(from, len(f.cells)), min(to, len(f.cells))
	return string(f.cells[from:to])
}

// number reads a number; an empty field is 0.
func (f *fields) number(from, to int, what string) (int, *Error) {
	s := strings.TrimSpace(f.columns(from, to))
	if s == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 || strings.HasPrefix(s, "+") {
		return 0, fault(f.line, from+1, what+" "+quote(s)+" is no number; the columns may be shifted, export the file again")
	}
	return n, nil
}

func player(n int, line string) (p trfPlayer, bad *Error) {
	f, bad := layOut(n, strings.TrimRight(line, " "))
	if bad != nil {
		return p, bad
	}
	p.line = n
	if p.number, bad = f.number(4, 8, "the start number"); bad != nil {
		return p, bad
	}
	if p.number == 0 {
		return p, fault(n, 5, "the start number is missing")
	}
	if problem := p.player.fill(map[string]string{
		"": f.columns(14, 47), "title": f.columns(10, 13), "elo": f.columns(48, 52), "fed": f.columns(53, 56), "fideid": f.columns(57, 68),
	}); problem != "" {
		return p, fault(n, 15, problem+"; the columns may be shifted, export the file again")
	}
	p.player.Name = withSpace(p.player.Name)
	if p.player.Name == "" {
		return p, fault(n, 15, "the name is missing")
	}
	for at := trfRounds; at < len(f.cells); at += trfStep {
		r, bad := f.result(at)
		if bad != nil {
			return p, bad
		}
		p.rounds = append(p.rounds, r)
	}
	return p, nil
}

func (f *fields) result(at int) (r trfResult, bad *Error) {
	if r.opponent, bad = f.number(at, at+4, "the opponent"); bad != nil {
		return r, bad
	}
	colour, result := strings.ToLower(f.columns(at+5, at+6)), strings.ToUpper(f.columns(at+7, at+8))
	if !strings.Contains("wb- ", colour) {
		return r, fault(f.line, at+6, "the colour "+quote(colour)+" is not w, b or -; the columns may be shifted, export the file again")
	}
	if !strings.Contains("10=+-WDLHFUZ ", result) {
		return r, fault(f.line, at+8, "the result "+quote(result)+" is none of 1 0 = + - W D L H F U Z; the columns may be shifted, export the file again")
	}
	r.colour, r.result = first(colour), first(result)
	return r, nil
}

func first(s string) byte {
	if s == "" {
		return ' '
	}
	return s[0]
}

// withSpace adds the usual space to "Carlsen,Magnus".
func withSpace(name string) string { return clean(strings.ReplaceAll(name, ",", ", ")) }

// latest is the last round with a pairing.
func (r *trf) latest() int {
	latest := 0
	for _, p := range r.players {
		for i, g := range p.rounds {
			if g.paired() {
				latest = max(latest, i+1)
			}
		}
	}
	return latest
}

// scoreBefore is a player's score before a round, with the start number.
type scoreBefore struct{ half, number int }

func (p *trfPlayer) before(round int) scoreBefore {
	s := scoreBefore{number: p.number}
	for _, g := range p.rounds[:min(len(p.rounds), round-1)] {
		s.half += g.half()
	}
	return s
}

// pair is a game with the figures that determine its place.
type pair struct {
	game          Game
	better, other scoreBefore
}

// games are the games of a round in the order in which pairings are published (C.04.2, D.9), which numbers the boards.
func (r *trf) games(round int) ([]Game, *Error) {
	var pairs []pair
	for i := range r.players {
		p := &r.players[i]
		g, o, e := r.opponent(p, round)
		if e != nil {
			return nil, e
		}
		if o == nil || g.colour != 'w' {
			continue
		}
		m := pair{game: Game{White: p.player, Black: o.player}, better: p.before(round), other: o.before(round)}
		if m.other.half > m.better.half || m.other.half == m.better.half && m.other.number < m.better.number {
			m.better, m.other = m.other, m.better
		}
		pairs = append(pairs, m)
	}
	slices.SortFunc(pairs, func(a, b pair) int {
		if d := b.better.half - a.better.half; d != 0 {
			return d
		}
		if d := b.better.half + b.other.half - a.better.half - a.other.half; d != 0 {
			return d
		}
		return a.better.number - b.better.number
	})
	games := make([]Game, len(pairs))
	for i := range pairs {
		games[i] = pairs[i].game
		games[i].Board = strconv.Itoa(i + 1)
	}
	return games, nil
}

// opponent is the player with whom a player is paired at a board, or nil. The lines of both must agree.
func (r *trf) opponent(p *trfPlayer, round int) (g trfResult, o *trfPlayer, bad *Error) {
	if round > len(p.rounds) || !p.rounds[round-1].paired() {
		return g, nil, nil
	}
	g = p.rounds[round-1]
	column := trfRounds + trfStep*(round-1) + 1
	i, known := r.byStart[g.opponent]
	if !known || g.opponent == p.number {
		return g, nil, fault(p.line, column, fmt.Sprintf("the opponent of round %d, %d, is no other player's start number", round, g.opponent))
	}
	o = &r.players[i]
	if round > len(o.rounds) || !o.rounds[round-1].paired() || o.rounds[round-1].opponent != p.number || o.rounds[round-1].colour == g.colour {
		return g, nil, fault(p.line, column, fmt.Sprintf("in round %d start number %d has %s against %d, but line %d does not say the same; export the file again",
			round, p.number, colours[g.colour], g.opponent, o.line))
	}
	return g, o, nil
}

var colours = map[byte]string{'w': "White", 'b': "Black"}

// date is the round's, from the line 132; YY/MM/DD, YY.MM.DD, or with the whole year, which moves the columns.
func (r *trf) date(round int) string {
	days := strings.Fields(r.dates)
	if len(days) < round+1 {
		return ""
	}
	parts := strings.FieldsFunc(days[round], func(c rune) bool { return c == '/' || c == '.' || c == '-' })
	if len(parts) != 3 {
		return ""
	}
	var n [3]int
	for i, p := range parts {
		v, err := strconv.Atoi(p)
		if err != nil {
			return ""
		}
		n[i] = v
	}
	if n[0] < 100 {
		n[0] += 2000
	}
	if n[0] < 1000 || n[0] > 9999 || n[1] < 1 || n[1] > 12 || n[2] < 1 || n[2] > 31 {
		return ""
	}
	return fmt.Sprintf("%04d.%02d.%02d", n[0], n[1], n[2])
}
