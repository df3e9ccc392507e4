package report

import (
	"cmp"

	"boardwatchd/internal/pairing"
)

// Results are those of the games at the boards, for a pairing program: of each board the last game with players that
// has a result, or else the last one with players. A game without players is none of the round, and one of an earlier
// event, in whose journal the board has gone on, is none of this event.
func (r *Report) Results() (list []pairing.Result) {
	at := map[string]int{}
	for _, g := range r.Games() {
		if g.White == "" || g.Black == "" || g.other {
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
