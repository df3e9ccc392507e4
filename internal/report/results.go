package report

import (
	"cmp"

	"boardwatchd/internal/pairing"
)

// Results returns the results of the games at the boards, for a pairing program: of each board the last game with
// players that has a result, or else the last one with players. A game without players does not belong to the round,
// nor does a game of an earlier event in the same journal.
func (r *Report) Results() (list []pairing.Result) {
	at := map[string]int{}
	for _, g := range r.Games() {
		if g.White == "" || g.Black == "" || g.otherEvent {
			continue
		}
		now := pairing.Result{Board: cmp.Or(g.Table, g.Board), White: g.White, Black: g.Black, Result: string(g.Result)}
		of := cmp.Or(g.of, g.Board)
		i, known := at[of]
		switch {
		case !known:
			at[of] = len(list)
			list = append(list, now)
		case now.Result != "" || list[i].Result == "":
			list[i] = now
		}
	}
	return list
}
