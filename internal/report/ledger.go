package report

import (
	"encoding/json"

	"boardwatchd/internal/record"
	"boardwatchd/internal/said"
	"boardwatchd/internal/watch"
)

// A ledger follows the strikes of each game: what rulings say stood before them, what decisions have made of it, and
// what a person has told.
type ledger struct {
	game    int
	games   map[int]strikes
	rulings map[string]said.Ruling
	counted map[string]bool // findings that were confirmed
}

type strikes struct {
	stand  said.Sides
	toLose int
}

func (l *ledger) begin(game int) {
	if l.games == nil {
		l.games, l.rulings, l.counted = map[int]strikes{}, map[string]said.Ruling{}, map[string]bool{}
	}
	l.game, l.games[game] = game, strikes{}
}

func (l *ledger) of(game int) (said.Sides, int) { return l.games[game].stand, l.games[game].toLose }

func (l *ledger) set(game int, now said.Sides, toLose int) {
	if l.games != nil {
		l.games[game] = strikes{now, max(toLose, l.games[game].toLose)}
	}
}

// ruled takes a ruling. What stood before it is the ledger of now, unless its finding is in it already.
func (l *ledger) ruled(body []byte) {
	var r said.Ruling
	if l.games == nil || json.Unmarshal(body, &r) != nil {
		return
	}
	l.rulings[r.Finding] = r
	now := r.StrikesBefore
	if l.counted[r.Finding] {
		now = r.StrikesAfter
	}
	l.set(r.Game, now, r.StrikesToLose)
}

// told takes what a person has decided or told.
func (l *ledger) told(rec record.Record) {
	if rec.Kind == record.Instruct {
		var i watch.Instruction
		if json.Unmarshal(rec.Body, &i) == nil && i.Do == watch.DoStrikes {
			l.set(l.game, said.Sides{White: i.White.Number(), Black: i.Black.Number()}, 0)
		}
		return
	}
	var d watch.Decision
	if json.Unmarshal(rec.Body, &d) != nil {
		return
	}
	r, ok := l.rulings[d.Finding]
	if !ok || d.Decision == "later" {
		return
	}
	was := l.counted[d.Finding]
	switch now := d.Decision == "confirm"; {
	case now && !was:
		l.set(r.Game, r.StrikesAfter, r.StrikesToLose)
	case !now && was:
		l.set(r.Game, r.StrikesBefore, r.StrikesToLose)
	}
	l.counted[d.Finding] = d.Decision == "confirm"
}
