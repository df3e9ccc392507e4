package live

import (
	"boardwatchd/detector/array"
	"encoding/json"
	"fmt"
	"strings"

	"boardwatchd/internal/record"
	"boardwatchd/internal/watch"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// arrayWrong is the word for pieces that are set up for a game with an error in it, before the first move.
const arrayWrong = "setup_otherwise"

// fewMissing is with how many pieces missing the others still look set up for a game, and the square or the piece is to
// be looked at. With more somebody is setting up, or nobody has begun to.
const fewMissing = 4

// arrayset tells it while there is time to put it right: the finding about it (setup.wrong_array) comes when the clock
// is started. It names no side: both have set up, and nobody has done anything wrong yet (FIDE Laws 7.2.1).
type arrayset struct {
	mode      array.Mode
	placement string          // as last seen …
	since     int64           // … since then
	wrong     *words.Sentence // what is; nil: nothing
	reported  remark          // reported.what is empty if nothing is wrong
}

// opened takes the settings of an opening record.
func (a *arrayset) opened(r record.Record) {
	var s struct {
		Chess960 string `json:"chess960"`
	}
	if o, err := watch.ParseOpening(r.Body); err == nil && json.Unmarshal(o.Config, &s) == nil {
		*a = arrayset{mode: watch.Chess960Mode(s.Chess960)}
	}
}

// see takes the machine's view; plies are those of the game. It waits as for the clock: somebody may be setting up.
func (a *arrayset) see(v *watch.View, plies int) {
	switch {
	case plies > 0:
		if a.placement != "" { // at most records it is gone
			*a = arrayset{mode: a.mode}
		}
	case v.Placement != a.placement:
		*a = arrayset{mode: a.mode, placement: v.Placement, since: v.At}
		if missing := missingOf(v.Placement); ready(v) && a.isWrong(v.Placement) {
			s := words.Say("row.setup_otherwise")
			a.wrong = &s
		} else if len(missing) > 0 && len(missing) <= fewMissing {
			s := words.Say("row.setup_missing", strings.Join(missing, ", "))
			a.wrong = &s
		}
	case a.wrong == nil:
	case a.reported.what == "" && v.At-a.since >= clockSetUS:
		a.reported = worded(arrayWrong, *a.wrong)
	}
}

// missingOf are the squares of the first and last two ranks that read empty; none where anything stands between, or a
// rank of pawns has another piece.
func missingOf(placement string) (squares []string) {
	rank, file := 8, 0
	for _, c := range placement {
		switch pawns := rank == 2 && c != 'P' || rank == 7 && c != 'p'; {
		case c == '/':
			rank, file = rank-1, 0
		case c >= '1' && c <= '8':
			for range int(c - '0') {
				if rank < 3 || rank > 6 {
					squares = append(squares, fmt.Sprintf("%c%d", 'a'+file, rank))
				}
				file++
			}
		case pawns || rank >= 3 && rank <= 6:
			return nil
		default:
			file++
		}
	}
	return squares
}

// isWrong says whether the detector would find the array wrong if the clock were started now.
func (a *arrayset) isWrong(placement string) bool {
	s, err := legal.ParseFEN(placement + " w - - 0 1")
	if err != nil {
		return false
	}
	_, _, wrong := array.Wrong(&s.Placement, a.mode)
	return wrong
}
