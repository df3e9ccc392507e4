package offence

import (
	"boardwatchd/detector/evidence"
	"boardwatchd/detector/play"
	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// A View is one turn as the checks see it. Everything in it is read only.
type View struct {
	Pos             *legal.Position   // the last committed position; its side to move is the one that pressed
	Line            Line              // the committed positions up to Pos: for castling rights lost long ago
	Ply             int               // the number of the last committed ply
	ReadEmpty       uint64            // squares that read empty when that ply was committed, although a piece counts there
	Origin          legal.Placement   // the board when the turn began
	At              legal.Placement   // the board as it counts for this press
	Changes         []evidence.Change // from Origin to At, in the order of their reports
	Later           []evidence.Change // reports after At, while the press was pending
	Since           int64             // when the press before this turn was reported; 0: none was
	Press           evidence.Window   // when the press was made
	By              legal.Side        // the player who pressed; NoSide: there was no press, or the player is unknown
	Now             int64             // the time of the judgement
	LateUS          int64             // a report this long after the press may still belong to before it
	Final           bool              // the last look: no further reports are awaited
	OpponentPressed bool              // the opponent has pressed since
	Bound           Bound             // the longest time from a change to its report
	PressMerged     bool              // one reading of the clock has shown this press and others
	Answered        int64             // when the last press of the opponent of By was reported
	Unheard         int64             // the longest time between two readings of the clock in this turn
	ReportsDoubtful bool              // reports were lost or could not be read: the time of a change is unknown

	// Set by Prepare.
	Base legal.Placement // the pieces of Pos
	Diff uint64          // the squares on which At differs from Base
}

// A Line is a game of the record: the position before its first ply, and the position after each ply.
type Line interface {
	Len() int
	Position(i int) *legal.Position
}

// A Shape is the offence or irregularity that a check recognises in a view.
type Shape struct {
	Kind           kinds.Kind
	Proof          rules.Proof
	Permille       int         // confidence, 0 to 1000
	Side           legal.Side  // the player who did it
	UCI            string      // the move, where it is one
	Squares        uint64      // squares that are not as the record has them, and the move's own squares
	MayBeCompleted bool        // a further act may still complete or explain it: wait for the hand while there is time
	Stands         bool        // After is a position
	After          legal.Setup // the position if nothing is done, the opponent to move; for a promotion with the queen
	Note           words.Sentence
	Articles       []string       // FIDE Laws 2023: the articles broken, without those about the consequences
	Reason         words.Sentence // a reason that an arbiter can read out, where the legality core has one
	// The pieces as the press left them, or as the offender's move did before it: the game really goes on from them.
	Board    legal.Placement
	Shown    *evidence.Change // the report after the press that proves it, if there is one
	Answered bool             // the opponent's reply was on the board before the press
	Reply    legal.Move       // this reply, legal in the position that Board is
}

// A check recognises one family of offences. It returns false where the view shows something else.
type check struct {
	name string
	see  func(*View) (Shape, bool)
}

// Classify classifies an unexplained press by the first check that recognises it. Its caller has found no legal
// explanation (detector/press.go); the two simplest are tried here all the same.
func Classify(v *View) (Shape, bool) {
	w := *v
	if !w.Prepare() {
		return Shape{}, false
	}
	for _, c := range checks {
		if s, ok := c.see(&w); ok {
			return s, true
		}
	}
	return Shape{}, false
}

// maxDiffering bounds the squares that can differ in anything that has a name: two castlings, or a capture en passant
// and a castling. A board that is disturbed further shows nothing.
const maxDiffering = 8

// Prepare computes what all checks need. It returns false where there is nothing for them to recognise.
func (v *View) Prepare() bool {
	if v.Pos == nil {
		return false
	}
	v.Base = v.Pos.Placement()
	v.Diff = play.Difference(&v.Base, &v.At)
	if n := play.Count(v.Diff); n == 0 || n > maxDiffering {
		return false
	}
	_, legally := play.OnePly(v.Pos, &v.At)
	return !legally
}

// offences are the families that are certain from the squares alone, the narrower shape first. No placement that one of
// them recognises has a second reading.
var offences = []check{
	{"promotion", seePromotion},
	{"castling", seeCastling},
	{"castling on wrong squares", seeCastlingSquares},
	{"en passant", seeEnPassant},
	{"one piece", seeOnePiece},
}

// checks are in the order that decides between readings of one placement: a piece that was pushed when it is unknown
// whose turn it was; one piece that moved; the same with the reply on the board; a piece that is missing; at last two
// pieces or more, and the wrong side.
var checks = append(append([]check{{"pushed by whom", seePushedByWhom}}, offences...),
	check{"answered", seeAnswered},
	check{"in the hand", seeInHand},
	check{"unreadable", seeUnreadable},
	check{"second piece", seeSecondPiece},
	check{"displaced", seeDisplaced},
	check{"out of turn", seeOutOfTurn},
)
