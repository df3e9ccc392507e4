package detector

import (
	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// A view is one turn as the checks see it. Everything in it is read only.
type view struct {
	pos     *legal.Position // the last committed position; its side to move is the one that pressed
	line    line            // the committed positions, pos is the last: for castling rights lost long ago
	ply     int             // the number of the last committed ply
	unread  uint64          // squares that read empty when it was committed, where a piece should stand
	origin  legal.Placement // the board when the turn began
	at      legal.Placement // the board as it counts for this press
	changes []change        // from origin to at, in the order of their reports
	later   []change        // what was reported after at, while the press was pending
	since   int64           // when the press of the turn before was reported, 0: by none
	press   Window          // when the press was made
	by      legal.Side      // who pressed, NoSide: nobody, or it is not known
	now     int64           // the time of the judgement
	lateUS  int64           // a report this long after the press still belongs to before it
	final   bool            // the last look: nothing more is waited for
	replied bool            // the opponent has pressed since
	bound   bound           // the longest time from a change to its report
	shaken  bool            // reports were lost or could not be read: when something was done is not known

	// Worked out by classify.
	base legal.Placement // the pieces of pos
	diff uint64          // where at differs from it
}

// A line is a game as the record has it: the position before its first ply, and that after each ply.
type line interface {
	Len() int
	Position(i int) *legal.Position
}

// A shape is what a check recognises in a view.
type shape struct {
	kind     kinds.Kind
	proof    rules.Proof
	permille int         // confidence, 0 to 1000
	side     legal.Side  // who did it
	uci      string      // the move, where it is one
	squares  uint64      // where the board is not as it should be, and the move's own squares
	open     bool        // a further act may still complete or explain it: wait for the hand while there is time
	stands   bool        // after is a position
	after    legal.Setup // what stands if nothing is done, the opponent to move; for a promotion the forced queen
	note     words.Sentence
	articles []string        // FIDE Laws 2023, of what was broken; what follows from it is not listed
	reason   words.Sentence  // an arbiter can read it out, where the legality core has one
	board    legal.Placement // the pieces as the press, or before it the offender's move, left them: what is really played on from
	shown    *change         // the report after the press that proves it, where one does
	answered bool            // the opponent's reply was on the board before the press
	reply    legal.Move      // … this one, legal in the position that board is
}

// A check recognises one family of offences. It returns false where the view shows something else.
type check struct {
	name string
	see  func(*view) (shape, bool)
}

// classify says what an unexplained press shows: the first check that recognises it. No legal explanation exists when
// it is asked (see press.go); the two simplest are looked for here all the same.
func classify(v *view) (shape, bool) {
	w := *v
	if !w.prepare() {
		return shape{}, false
	}
	for _, c := range checks {
		if s, ok := c.see(&w); ok {
			return s, true
		}
	}
	return shape{}, false
}

// maxDiffering bounds the squares that can differ in anything that has a name: a castling each, or a capture en passant
// and a castling. A board that is disturbed further shows nothing.
const maxDiffering = 8

// prepare works out what all checks need. It returns false where there is nothing for them to see.
func (v *view) prepare() bool {
	if v.pos == nil {
		return false
	}
	v.base = v.pos.Placement()
	v.diff = difference(&v.base, &v.at)
	if n := squares(v.diff); n == 0 || n > maxDiffering {
		return false
	}
	_, legally := onePly(v.pos, &v.at)
	return !legally
}

// offences are the families that are certain from the squares alone, the narrower shape first. One move, one offence:
// no second reading fits what they recognise.
var offences = []check{
	{"promotion", seePromotion},
	{"castling", seeCastling},
	{"castling on wrong squares", seeCastlingSquares},
	{"en passant", seeEnPassant},
	{"one piece", seeOnePiece},
}

// The order of checks decides between readings of one placement: a piece that was pushed when nobody knows whose turn
// it was; one piece that moved; the same with the reply on the board; a piece that is missing; at last two pieces or
// more, and the wrong side.
var checks = append(append([]check{{"pushed by whom", seePushedByWhom}}, offences...),
	check{"answered", seeAnswered},
	check{"in the hand", seeInHand},
	check{"unreadable", seeUnreadable},
	check{"second piece", seeSecondPiece},
	check{"displaced", seeDisplaced},
	check{"out of turn", seeOutOfTurn},
)
