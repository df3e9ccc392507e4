package report

import (
	"encoding/json"

	"boardwatchd/internal/record"
	"boardwatchd/internal/said"
	"boardwatchd/internal/watch"
)

// A ledger counts the strikes of each game as rules.Docket does: those that a person has entered, and those that each
// confirmed ruling adds. The number before a ruling, as that ruling states it, is not used, because a ruling may be
// reported again long afterwards.
type ledger struct {
	game          int
	entered       map[int]said.Sides // by game, less the strikes of confirmed rulings at that time
	strikesToLose map[int]int
	rulings       map[string]said.Ruling // the last of each finding
	confirmed     map[string]bool        // findings that were confirmed
	fresh         bool                   // entered, and no move since: they count in the next game if one begins now
}

func (l *ledger) begin(game int) {
	if l.entered == nil {
		l.entered, l.strikesToLose, l.rulings, l.confirmed = map[int]said.Sides{}, map[int]int{}, map[string]said.Ruling{}, map[string]bool{}
	}
	if l.fresh {
		l.entered[game], _ = l.of(l.game)
	}
	l.game = game
}

func (l *ledger) of(game int) (stand said.Sides, toLose int) {
	told, ruled := l.entered[game], l.ruled(game)
	return said.Sides{White: max(told.White+ruled.White, 0), Black: max(told.Black+ruled.Black, 0)}, l.strikesToLose[game]
}

// ruled returns the number that the confirmed rulings of a game add.
func (l *ledger) ruled(game int) (sum said.Sides) {
	for finding, r := range l.rulings {
		if l.confirmed[finding] && r.Game == game {
			sum.White += r.StrikesAfter.White - r.StrikesBefore.White
			sum.Black += r.StrikesAfter.Black - r.StrikesBefore.Black
		}
	}
	return sum
}

func (l *ledger) ruling(body []byte) {
	var r said.Ruling
	if l.entered != nil && json.Unmarshal(body, &r) == nil {
		l.rulings[r.Finding] = r
		l.strikesToLose[r.Game] = max(r.StrikesToLose, l.strikesToLose[r.Game])
	}
}

func (l *ledger) moved() { l.fresh = false }

// person handles a decision or an entry of a person.
func (l *ledger) person(rec record.Record) {
	if rec.Kind == record.Decide {
		var d watch.Decision
		if json.Unmarshal(rec.Body, &d) == nil && d.Decision != "later" && l.entered != nil {
			l.confirmed[d.Finding] = d.Decision == "confirm"
		}
		return
	}
	var i watch.Instruction
	if l.entered != nil && json.Unmarshal(rec.Body, &i) == nil && i.Do == watch.DoStrikes {
		ruled := l.ruled(l.game)
		l.entered[l.game] = said.Sides{White: max(i.White.Number(), 0) - ruled.White, Black: max(i.Black.Number(), 0) - ruled.Black}
		l.fresh = true
	}
}
