package pairing

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A Result is the result of the game at a board.
type Result struct {
	Board, White, Black string
	Result              string // 1-0, 0-1, 1/2-1/2; "": none was entered
}

// Results writes results as a list with the columns board, white, black, result, in the order of the boards.
func Results(w io.Writer, list []Result) error {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b Result) int {
		m, aNumber := number(a.Board)
		n, bNumber := number(b.Board)
		if aNumber && bNumber && m != n {
			return m - n
		}
		return strings.Compare(a.Board, b.Board)
	})
	out := csv.NewWriter(w)
	rows := [][]string{{"board", "white", "black", "result"}}
	for _, r := range list {
		rows = append(rows, []string{r.Board, r.White, r.Black, r.Result})
	}
	return out.WriteAll(rows)
}

// signs are the signs of a result in TRF for White and for Black, with half-points.
var signs = map[string][2]struct {
	sign rune
	half int
}{
	"1-0":     {{'1', 2}, {'0', 0}},
	"0-1":     {{'0', 0}, {'1', 2}},
	"1/2-1/2": {{'=', 1}, {'=', 1}},
}

// FillTRF returns a TRF with the results of a round (0: the latest), and the number of games that received one. A
// result that is already there is kept. Games are found by their players. A result without a game, or one that differs
// from the text, is reported. A fault of the text is an *Error.
func FillTRF(name string, data []byte, round int, list []Result) (out []byte, filled int, left []string, err error) {
	p, bad := read(data, round, nil)
	t, badText := newText(data)
	switch {
	case bad == nil && badText == nil && !isTRF(t.first()):
		bad = fault(1, 1, "results are written into a TRF only; without one they are a list (CSV)")
	case badText != nil:
		bad = badText
	}
	if bad != nil {
		bad.File = name
		return nil, 0, nil, bad
	}
	f := filler{text: t, round: Round(p.Round), line: map[int]int{}}
	for i, line := range t.lines {
		if pl, e := player(i+1, line); e == nil && strings.HasPrefix(line, "001 ") {
			f.players, f.line[pl.number] = append(f.players, pl), i
		}
	}
	for _, r := range list {
		if r.Result == "" {
			continue
		}
		if why := f.fill(r); why != "" {
			left = append(left, fmt.Sprintf("%s – %s, %s: %s", r.White, r.Black, r.Result, why))
			continue
		}
		filled++
	}
	return []byte(strings.Join(f.text.lines, "\n")), filled, left, nil
}

type filler struct {
	text    text
	round   int
	players []trfPlayer
	line    map[int]int // of a start number, from 0
}

// fill writes one result into the lines of both players, or returns why it cannot.
func (f *filler) fill(r Result) (why string) {
	both, ok := signs[r.Result]
	if !ok {
		return "it is no result of a game"
	}
	i := slices.IndexFunc(f.players, func(p trfPlayer) bool {
		if p.player.Name != r.White || f.round > len(p.rounds) {
			return false
		}
		g := p.rounds[f.round-1]
		return g.paired() && g.colour == 'w' && slices.ContainsFunc(f.players, func(o trfPlayer) bool { return o.number == g.opponent && o.player.Name == r.Black })
	})
	if i < 0 {
		return "nobody is paired so in round " + strconv.Itoa(f.round)
	}
	white, black := f.players[i].number, f.players[i].rounds[f.round-1].opponent
	at := trfRounds + trfStep*(f.round-1) + 7
	for n, start := range []int{white, black} {
		if there := f.cells(start).columns(at, at+1); strings.TrimSpace(there) != "" && there != string(both[n].sign) {
			return "the file has another result there, " + quote(there)
		}
	}
	for n, start := range []int{white, black} {
		f.write(start, at, both[n].sign, both[n].half)
	}
	return ""
}

func (f *filler) cells(start int) *fields {
	c, bad := layOut(1, f.text.lines[f.line[start]])
	if bad != nil {
		panic("pairing: internal error: " + bad.Text) // the line was read before
	}
	return &c
}

// The points of a player, in the columns 81 to 84.
const trfPoints, trfPointsEnd = 80, 84

// write puts a sign into a player's line, and adds the points unless the sign was there.
func (f *filler) write(start, at int, sign rune, half int) {
	c := f.cells(start)
	for len(c.cells) <= at {
		c.cells = append(c.cells, ' ')
	}
	if c.cells[at] == sign {
		return
	}
	c.cells[at] = sign
	if points, err := strconv.ParseFloat(strings.TrimSpace(c.columns(trfPoints, trfPointsEnd)), 64); err == nil && points >= 0 && points < 1000 {
		copy(c.cells[trfPoints:trfPointsEnd], []rune(fmt.Sprintf("%4.1f", points+float64(half)/2)))
	}
	var b strings.Builder
	for _, r := range c.cells {
		if r != utf8.RuneError { // a further column of a character of several bytes
			b.WriteRune(r)
		}
	}
	f.text.lines[f.line[start]] = b.String()
}
