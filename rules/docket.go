package rules

import (
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// Alert is the way in which the arbiter is alerted.
type Alert = kinds.Alert

// The alerts, from the quietest.
const (
	NoAlert = kinds.NoAlert
	Log     = kinds.Log
	OnClaim = kinds.OnClaim
	Advise  = kinds.Advise
	Now     = kinds.Now
)

// An Entry is one line of the docket in its present state: the case, its alert, and the proposal.
type Entry struct {
	Case     // its State may be Expired
	Alert    Alert
	Articles []string
	Edition  string
	Reason   words.Sentence // text that an arbiter can read out
	Ruling   *Ruling
	Decided  string // the arbiter's last decision: confirm, reject, accident, sensor, later, unseen; "": none
	Order    int    // of appearance, from 1; it never changes
	Carried  bool   // only another revision of the core found it, and a person has decided it
}

// Until names the event that ends the time in which an offence can be dealt with.
type Until string

// The ends. The empty one means that nothing is stated.
const (
	UntilPress  Until = "press"    // the clock is pressed: until then it can be put right
	UntilReply  Until = "reply"    // the next move on the board (FIDE Laws A.5.2)
	UntilTouch  Until = "touch"    // a piece touched with intent (FIDE Laws 4.8)
	UntilMoves  Until = "moves"    // more moves than the rule set looks back (US Chess 11A)
	UntilEnd    Until = "game_end" // the end of the game (FIDE Laws 7.5.1)
	UntilNever  Until = "always"   // it stays open
	UntilClosed Until = "closed"   // the time has ended
)

// Advice is shown before the steps of a ruling.
type Advice string

const (
	LookFirst Advice = "look_first" // act if you have seen it, or on a claim (Arbiters' Manual 2025, page 15)
	Wait      Advice = "wait"       // the next completed move decides (FIDE Laws A.5.4)
)

// A Ruling is a proposal to the arbiter: advice, not a decision.
type Ruling struct {
	Profile     string
	Kind        string   // illegal_move, irregularity, arbiter_decides, fact, none
	Position    string   // restore, stands, queen; "" where the ruling does not concern it
	PositionFEN string   // the position to set up, or the one that stands
	MustPlay    []string // SAN; empty: no move is compulsory
	Bonus       [3]int   // seconds to add, by legal.Side; less than 0: on the clock already, and an accident has none
	TakeBack    [3]int   // seconds to take off, by legal.Side: the time credited by irregular presses
	Clocks      Clocks   // the times to set
	RunClock    legal.Side
	Strikes     [3]int         // after the ruling, by legal.Side
	Before      [3]int         // the ledger before the ruling
	Limit       int            // number of strikes that loses the game; 0: none
	Result      string         // 1-0, 0-1, 1/2-1/2; "": none, or not known: the text says that it needs a look
	Deadline    words.Sentence // until when
	Until       Until          // the same for a program
	Closer      legal.Side     // the side whose action ends the time, where it is one side's
	Advice      Advice
	Mate        *Mate          // whether the side that would win can ever mate; nil: not examined
	Text        words.Sentence // one plain sentence, and the other reading where there is one
}
