package report

import (
	"cmp"
	"encoding/json"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Reports returns one report of each round, in the order in which they were played.
func (c *Collector) Reports() []*Report {
	c.once()
	var list []*Report
	var strangers []*Journal // journals without a round: damaged at their beginning, or of another program
	add := func(j *Journal) {
		i := slices.IndexFunc(list, func(r *Report) bool { return r.Event == j.event && r.Round == j.round })
		if i < 0 {
			i = len(list)
			list = append(list, &Report{Type: "report", Event: j.event, Round: j.round, Anonymous: c.Options.Anonymous, Journals: []*Journal{}, opt: c.Options})
		}
		list[i].Journals = append(list[i].Journals, j)
	}
	for _, j := range c.journals {
		if j.Profile == "" {
			strangers = append(strangers, j)
			continue
		}
		add(j)
	}
	for _, j := range strangers {
		if len(list) == 1 {
			j.event, j.round = list[0].Event, list[0].Round
		}
		add(j)
	}
	if len(list) == 0 && len(c.unread) > 0 {
		list = []*Report{{Type: "report", Anonymous: c.Options.Anonymous, Journals: []*Journal{}, opt: c.Options}}
	}
	slices.SortStableFunc(list, func(a, b *Report) int { return cmp.Compare(a.begun(), b.begun()) })
	strikes := c.strikes()
	for _, r := range list {
		slices.SortStableFunc(r.Journals, func(a, b *Journal) int {
			return cmp.Or(compareBoards(a.Board, b.Board), cmp.Compare(a.WallMS, b.WallMS))
		})
		r.Strikes, r.Unread = strikes, append([]Unread{}, c.unread...)
	}
	return list
}

func (r *Report) begun() (ms int64) {
	for _, j := range r.Journals {
		if j.WallMS > 0 && (ms == 0 || j.WallMS < ms) {
			ms = j.WallMS
		}
	}
	return ms
}

// compareBoards orders 2 before 10.
func compareBoards(a, b string) int {
	x, errX := strconv.Atoi(a)
	y, errY := strconv.Atoi(b)
	if errX == nil && errY == nil {
		return cmp.Compare(x, y)
	}
	return cmp.Compare(a, b)
}

// strikes returns the strikes of each player whose name is known, over all journals that were read; players without any
// are left out. A journal knows players by their names: the same name at two boards of a round may be two people, so
// the strikes of these boards are not added up.
func (c *Collector) strikes() []Strikes {
	shared := c.shared()
	type player struct{ name, board string }
	of := map[player]*Strikes{}
	add := func(j *Journal, g *Game, name, side string, n int) {
		if n == 0 || name == "" {
			return
		}
		p := player{name: name}
		if shared[name] {
			p.board = j.Board
		}
		s := of[p]
		if s == nil {
			s = &Strikes{Player: name, Shared: shared[name]}
			of[p] = s
		}
		s.Total += n
		s.Games = append(s.Games, Struck{Round: j.round, Board: j.Board, Game: g.Game, Side: side, Strikes: n})
	}
	for _, j := range c.journals {
		for i := range j.Games {
			g := &j.Games[i]
			add(j, g, g.White, "white", g.Strikes.White)
			add(j, g, g.Black, "black", g.Strikes.Black)
		}
	}
	list := []Strikes{}
	for _, p := range slices.SortedFunc(maps.Keys(of), func(a, b player) int { return cmp.Or(cmp.Compare(a.name, b.name), compareBoards(a.board, b.board)) }) {
		list = append(list, *of[p])
	}
	return list
}

// shared returns the names that are at two boards of one round, or at both sides of one board.
func (c *Collector) shared() map[string]bool {
	type seat struct{ event, round, name string }
	boards, shared := map[seat]string{}, map[string]bool{}
	for _, j := range c.journals {
		for i := range j.Games {
			g := &j.Games[i]
			for _, name := range []string{g.White, g.Black} {
				at := seat{j.event, j.round, name}
				board, known := boards[at]
				if known && board != j.Board || g.White == g.Black {
					shared[name] = true
				}
				boards[at] = j.Board
			}
		}
	}
	return shared
}

// Name returns the name of the report's files, without their extension: letters, digits and hyphens.
func (r *Report) Name() string {
	name := "report"
	for _, part := range []string{r.Event, r.Round} {
		if safe := fileSafe(part); safe != "" {
			name += "-" + safe
		}
	}
	if r.opt.Game > 0 {
		if board := fileSafe(r.opt.Board); board != "" {
			name += "-board" + board
		}
		name += "-game" + strconv.Itoa(r.opt.Game)
	}
	if r.Anonymous {
		name += "-anonymous"
	}
	return name
}

// maxNamePart is the largest number of characters of an event's name in a file's name.
const maxNamePart = 40

func fileSafe(s string) string {
	safe := strings.Map(func(c rune) rune {
		if unicode.IsLetter(c) || unicode.IsDigit(c) {
			return unicode.ToLower(c)
		}
		return '-'
	}, s)
	for strings.Contains(safe, "--") {
		safe = strings.ReplaceAll(safe, "--", "-")
	}
	if runes := []rune(safe); len(runes) > maxNamePart {
		safe = string(runes[:maxNamePart])
	}
	return strings.Trim(safe, "-")
}

// JSON writes the report as one object.
func (r *Report) JSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(r)
}
