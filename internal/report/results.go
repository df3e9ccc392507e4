package report

import (
	"cmp"

	"boardwatchd/internal/pairing"
)

// abandonedPlies is the length below which a game without a result is a beginning that was given up, if another game of
// the same players follows: a wrong array, a clock that was set wrongly. A longer one may have been played to its end
// without anybody entering the result, and the game after it may be one that does not count.
const abandonedPlies = 10

// A seat is what the games of one board give for the results.
type seat struct {
	result pairing.Result
	plies  int  // of the longest game without a result
	open   bool // a game without a result and one with a result may be the pairing's
}

// Results returns the results of the games at the boards, for a pairing program: one for each board, that of its last
// pairing. A pairing has the result of its first game that has one; where a longer game without a result was played
// before and nobody has entered the result, it is left open. A game without players does not belong to the round, nor
// does a game of an earlier event in the same journal.
func (r *Report) Results() (list []pairing.Result) {
	for _, s := range r.seats() {
		list = append(list, s.result)
	}
	return list
}

// Unclear returns the tables whose result is left open because two games of the same players may be the pairing's.
func (r *Report) Unclear() (tables []string) {
	for _, s := range r.seats() {
		if s.open {
			tables = append(tables, s.result.Board)
		}
	}
	return tables
}

func (r *Report) seats() (list []seat) {
	at := map[string]int{}
	for _, g := range r.Games() {
		if g.White == "" || g.Black == "" || g.otherEvent {
			continue
		}
		of := cmp.Or(g.of, g.Board)
		i, known := at[of]
		if !known {
			i = len(list)
			at[of], list = i, append(list, seat{})
		}
		list[i].add(&g, !known)
	}
	return list
}

// add takes the next game of a board.
func (s *seat) add(g *Game, first bool) {
	now := pairing.Result{Board: cmp.Or(g.Table, g.Board), White: g.White, Black: g.Black, Result: string(g.Result)}
	switch same := s.result.White == now.White && s.result.Black == now.Black; {
	case !first && !same && now.Result == "" && s.result.Result != "":
	case first || !same:
		*s = seat{result: now}
		if now.Result == "" {
			s.plies = g.Plies
		}
	case s.result.Result != "":
		// what is played after the pairing's game is another game
	case now.Result == "":
		s.result.Board = now.Board
		s.plies = max(s.plies, g.Plies)
	case s.plies >= abandonedPlies && g.begins && g.By != "arbiter":
		s.open = true
	default:
		s.result, s.open = now, false
	}
}
