package rules

import (
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// Proof grades the evidence for a case.
type Proof uint8

const (
	NoProof  Proof = iota
	Hint           // the sensors only suggest it
	Strong         // order or timing proves it, finer than the scan of the board resolves
	Certain        // the position and the lever prove the facts
	Reported       // a person said so
)

func (p Proof) String() string {
	return [...]string{"none", "hint", "strong", "certain", "report"}[p]
}

// State is the life of a finding.
type State uint8

const (
	NoState   State = iota
	Suspected       // seen; a fresh dump of the board is awaited
	Confirmed       // the fresh dump agrees
	Withdrawn       // it did not happen, or it cannot be judged
	Expired         // it happened, and is too late to be dealt with under this rule set
)

func (s State) String() string {
	return [...]string{"none", "suspected", "confirmed", "withdrawn", "expired"}[s]
}

// A Touch is a piece that was lifted in a turn, with the square that it stood on before.
type Touch struct {
	Square legal.Square
	Piece  legal.Piece
}

// Clocks holds the displayed times in whole seconds; Known is false without a clock or while its sides are not known.
type Clocks struct {
	White, Black int
	Known        bool
}

// Of returns one side's seconds.
func (c Clocks) Of(s legal.Side) int {
	if s == legal.Black {
		return c.Black
	}
	return c.White
}

// A Case is a finding in terms of the Laws. Cases with the same ID are the same case: it may be sent again with another
// state, and the last one counts.
type Case struct {
	ID       string // the sequence number of the first evidence and the kind: "123:illegal.knight"
	Kind     kinds.Kind
	Game     int
	Ply      int        // of the move it is about: 1 is White's first
	Side     legal.Side // the offender; NoSide: not known
	State    State      // Suspected, Confirmed or Withdrawn
	Proof    Proof
	Permille int // confidence, 0 to 1000

	UCI     string         // the move, where it is one
	Squares []legal.Square // where the board differs from the expected position

	Known   bool           // Before is a position
	Before  legal.Position // the last position reached by legal moves; the offender is to move in it
	At      legal.Placement
	Stands  bool           // After is a position
	After   legal.Position // the position if nothing is done: the illegal move made, or the legal one completed
	Touched []Touch        // in the order of touch

	Cleared   bool   // of a flag: the pieces had been put away, or stood otherwise, for long
	Completed bool   // the clock was pressed, or the move ended the game
	Answered  bool   // the opponent's next move stood on the board before that press
	Clock     Clocks // the display of the clock at the press
	Gained    int    // seconds that the press added to the presser's time, as the clock showed it; -1: not known

	When int64 // when it was found, in microseconds of the recording's own clock; 0: not known
	Move int   // the move number that a report names, 0 is none
	// Note is a remark: the reason for uncertainty, or a fact that was not observed. Of a result it is the result, of a
	// person's report its text.
	Note words.Sentence

	Articles []string       // of FIDE Laws 2023, where the finder knows them more exactly than the kind
	Reason   words.Sentence // the finder's own; zero: the docket chooses one
}
