package live

import (
	"encoding/json"
	"fmt"
	"strings"

	"boardwatchd/detector/array"
	"boardwatchd/internal/record"
	"boardwatchd/internal/watch"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// arrayWrong is the word for pieces that are set up with an error before the first move.
const arrayWrong = "setup_otherwise"

// fewMissing is the largest number of missing pieces with which the others still look set up for a game, so that the
// empty squares are worth a look. With more, somebody is still setting up, or has not begun to.
const fewMissing = 4

// arrayset reports a wrong set-up while it can still be corrected: the finding about it (setup.wrong_array) comes only
// when the clock is started. It names no side, because both have set up and no player has done anything wrong yet (FIDE
// Laws 7.2.1).
type arrayset struct {
	mode      array.Mode
	placement string          // as last received
	since     int64           // the time since which the placement is that
	wrong     *words.Sentence // the error; nil: none
	reported  remark          // reported.what is empty if nothing is wrong
}

// opened reads the settings of an opening record.
func (a *arrayset) opened(r record.Record) {
	var s struct {
		Chess960 string `json:"chess960"`
	}
	if o, err := watch.ParseOpening(r.Body); err == nil && json.Unmarshal(o.Config, &s) == nil {
		*a = arrayset{mode: watch.Chess960Mode(s.Chess960)}
	}
}

// see evaluates the machine's view; plies are those of the game. It waits as clockset does, because somebody may still
// be setting up.
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

// missingOf returns the squares of the first and last two ranks that read empty. It returns none if a piece is between
// these ranks, or if a rank of pawns has another piece.
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

// isWrong reports whether the detector would find the array wrong if the clock were started now.
func (a *arrayset) isWrong(placement string) bool {
	s, err := legal.ParseFEN(placement + " w - - 0 1")
	if err != nil {
		return false
	}
	_, _, wrong := array.Wrong(&s.Placement, a.mode)
	return wrong
}
