package detector

import (
	"boardwatchd/rules"
	"boardwatchd/rules/legal"
)

// A view is one turn as the checks see it. Everything in it is read only.
type view struct {
	pos     *legal.Position // the last committed position; its side to move is the one that pressed
	line    []node          // the committed positions, pos is the last: for castling rights lost long ago
	origin  legal.Placement // the board when the turn began
	at      legal.Placement // the board as it counts for this press
	changes []change        // from origin to at, in the order of their reports
	later   []change        // what was reported after at, while the press was pending
	press   Window          // when the press was made
	now     int64           // the time of the judgement
	lateUS  int64           // a report this long after the press still belongs to before it
	final   bool            // the last look: nothing more is waited for
}

// A shape is what a check recognises in a view.
type shape struct {
	kind     string // laws notes section 1.4
	proof    rules.Proof
	permille int         // confidence, 0 to 1000
	side     legal.Side  // who did it
	uci      string      // the move, where it is one
	squares  uint64      // where the board is not as it should be, and the move's own squares
	open     bool        // a further act may still complete or explain it: wait for the hand while there is time
	stands   bool        // after is a position
	after    legal.Setup // what stands if nothing is done, the opponent to move; for a promotion the forced queen
	note     string
}

// A check recognises one family of offences. It returns false where the view shows something else.
type check struct {
	name string
	see  func(*view) (shape, bool)
}

// classify says what an unexplained press shows: the first check that recognises it. No legal explanation exists when it
// is asked (see press.go).
func classify(v *view) (shape, bool) {
	for _, c := range checks {
		if s, ok := c.see(v); ok {
			return s, true
		}
	}
	return shape{}, false
}

// checks are asked in this order: the narrower shape first.
var checks = []check{}
