package watch_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"boardwatchd/internal/players"
	"boardwatchd/rules/legal"
)

// An entry of a record is a ply, or a span of unknown plies.
type entry struct {
	uci  string // "": a span
	last int    // of a span: its last ply, 0 if not known
	ply  int

	filled []string // of a span: the plies filled in from the board's own log
}

// entries returns the record of each game: the last output about each ply.
func (r *rig) entries() (games [][]entry) {
	for _, v := range r.said {
		if v.Type == "game" {
			games = append(games, nil)
			continue
		}
		if len(games) == 0 {
			continue
		}
		g := &games[len(games)-1]
		cut := func(from int) {
			for len(*g) > 0 && (*g)[len(*g)-1].ply >= from {
				*g = (*g)[:len(*g)-1]
			}
		}
		switch {
		case v.Type == "takeback":
			cut(v.Ply + 1)
		case v.Type == "move" && v.Corrects:
			for i := range *g {
				if (*g)[i].ply == v.Ply && (*g)[i].uci != "" {
					(*g)[i].uci = v.UCI
				}
			}
		case v.Type == "move":
			cut(v.Ply)
			e := entry{uci: v.UCI, ply: v.Ply}
			if v.Illegal {
				e.uci = "?"
			}
			*g = append(*g, e)
		case v.What == "not_known":
			cut(v.PlyFrom)
			e := entry{ply: v.PlyFrom}
			if v.PlyTo != nil {
				e.last = *v.PlyTo
			}
			*g = append(*g, e)
		case v.What == "filled":
			var plies []struct{ UCI string }
			if json.Unmarshal(v.Moves, &plies) != nil {
				panic(string(v.Moves))
			}
			g := games[v.Game-1]
			for i := range g {
				if g[i].uci != "" || g[i].ply != v.PlyFrom {
					continue
				}
				g[i].filled = nil
				for _, p := range plies {
					g[i].filled = append(g[i].filled, p.UCI)
				}
			}
		}
	}
	for i, g := range games {
		games[i] = nil
		for _, e := range g {
			if len(e.filled) == 0 {
				games[i] = append(games[i], e)
			}
			for n, uci := range e.filled {
				games[i] = append(games[i], entry{uci: uci, ply: e.ply + n})
			}
		}
	}
	return games
}

// A reckoning is the comparison of a record with the truth.
type reckoning struct {
	plies, notKnown int // of the truth; those in unknown spans
	invented        string
}

// reckon compares a record with the truth: each ply of it must be one of the truth, in order, and plies between them
// must be in a span.
func reckon(record []entry, truth []string) (k reckoning) {
	k.plies = len(truth)
	// fits[j] exists if the entries so far can end before truth[j]; its value is the least number of plies in spans on
	// the way.
	fits := map[int]int{0: 0}
	for i, e := range record {
		next := map[int]int{}
		put := func(j, n int) {
			if old, ok := next[j]; j <= len(truth) && (!ok || n < old) {
				next[j] = n
			}
		}
		for j := 0; j <= len(truth); j++ {
			n, ok := fits[j]
			switch {
			case !ok:
			case e.uci != "":
				if j < len(truth) && truth[j] == e.uci {
					put(j+1, n)
				}
			case e.last > 0:
				span := e.last - e.ply + 1
				put(j+span, n+span)
			default:
				for to := j; to <= len(truth); to++ {
					put(to, n+to-j)
				}
			}
		}
		if len(next) == 0 {
			words := []string{}
			for _, o := range record[max(0, i-3):min(len(record), i+4)] {
				words = append(words, fmt.Sprint(o))
			}
			j := 0
			for at := range fits {
				j = max(j, at)
			}
			k.invented = fmt.Sprintf("%v is no ply of the game: … %s …, and the truth %v", e, strings.Join(words, " "), truth[max(0, j-3):min(len(truth), j+4)])
			return k
		}
		fits = next
	}
	best := -1
	for j, n := range fits {
		if best < 0 || j > best {
			best, k.notKnown = j, n
		}
	}
	return k
}

// reckonings compares the records of all games with the truth.
func reckonings(r *rig, truth players.Truth) (list []reckoning) {
	records := r.entries()
	for i, g := range truth.Games {
		all, _ := truthLine(g)
		if i < len(records) {
			list = append(list, reckon(records[i], all))
		}
	}
	return list
}

func TestReckon(t *testing.T) {
	ply := func(n int, uci string) entry { return entry{uci: uci, ply: n} }
	truth := []string{"e2e4", "e7e5", "g1f3", "b8c6", "f1c4"}
	for _, c := range []struct {
		name     string
		record   []entry
		notKnown int
		invented bool
	}{
		{"all", []entry{ply(1, "e2e4"), ply(2, "e7e5"), ply(3, "g1f3")}, 0, false},
		{"a span", []entry{ply(1, "e2e4"), {ply: 2, last: 4}, ply(5, "f1c4")}, 3, false},
		{"a span without an end", []entry{ply(1, "e2e4"), {ply: 2}, ply(4, "f1c4")}, 3, false},
		{"another ply", []entry{ply(1, "e2e4"), ply(2, "e7e6")}, 0, true},
		{"a span that is too short", []entry{ply(1, "e2e4"), {ply: 2, last: 2}, ply(3, "f1c4")}, 0, true},
		{"more than was played", []entry{{ply: 1, last: 5}, ply(6, "f8c5")}, 0, true},
	} {
		k := reckon(c.record, truth)
		if (k.invented != "") != c.invented || !c.invented && k.notKnown != c.notKnown {
			t.Errorf("%s: %+v", c.name, k)
		}
	}
}

// truthLine returns the plies that count; an offence that stands is "?", and is not among the legal plies.
func truthLine(g players.GameTruth) (all, legally []string) {
	steps, _ := g.Line()
	orthodox := g.Start.Placement == legal.StartSetup(518).Placement
	for _, s := range steps {
		if s.Offence != nil {
			all = append(all, "?")
			continue
		}
		uci := s.UCI
		if orthodox && s.Move.IsCastling() {
			uci = s.Move.From().String() + s.Move.To().String()
		}
		all, legally = append(all, uci), append(legally, uci)
	}
	return all, legally
}
