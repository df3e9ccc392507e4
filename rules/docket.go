package rules

import (
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// Alert says how the arbiter is told.
type Alert = kinds.Alert

// The alerts, from the quietest.
const (
	NoAlert = kinds.NoAlert
	Log     = kinds.Log
	OnClaim = kinds.OnClaim
	Advise  = kinds.Advise
	Now     = kinds.Now
)

// An Entry is one line of the docket as it stands now: the case, how it is told, and what is proposed.
type Entry struct {
	Case     // its State may be Expired
	Alert    Alert
	Articles []string
	Edition  string
	Reason   words.Sentence // an arbiter can read it out
	Ruling   *Ruling
	Decided  string // the arbiter's last decision: confirm, reject, accident, sensor, later, unseen; "": none
	Order    int    // of appearance, from 1; it never changes
	Carried  bool   // only another revision of the core found it, and somebody has decided it
}

// Until is what ends the time in which an offence can be dealt with.
type Until string

// The ends. The empty one is that nothing is said about it.
const (
	UntilPress  Until = "press"    // the clock is pressed: until then it can be put right
	UntilReply  Until = "reply"    // the next move on the board (FIDE Laws A.5.2)
	UntilTouch  Until = "touch"    // a piece touched with intent (FIDE Laws 4.8)
	UntilMoves  Until = "moves"    // more moves than can be looked back to (US Chess 11A)
	UntilEnd    Until = "game_end" // the end of the game (FIDE Laws 7.5.1)
	UntilNever  Until = "always"   // it stays open
	UntilClosed Until = "closed"   // it has ended
)

// Advice is what comes before the steps of a ruling.
type Advice string

const (
	LookFirst Advice = "look_first" // act if you have seen it, or on a claim (Arbiters' Manual 2025, page 15)
	Wait      Advice = "wait"       // the next completed move decides (FIDE Laws A.5.4)
)

// A Ruling is what the arbiter may do. It is advice.
type Ruling struct {
	Profile     string
	Kind        string   // illegal_move, irregularity, arbiter_decides, fact, none
	Position    string   // restore, stands, queen; "" where nothing is said
	PositionFEN string   // what to set up, or what stands
	MustPlay    []string // SAN; empty: nothing, or any legal move
	Bonus       [3]int   // seconds to add, by legal.Side
	TakeBack    [3]int   // seconds to take off, by legal.Side: what irregular presses credited
	Clocks      Clocks   // what to type in
	RunClock    legal.Side
	Strikes     [3]int         // after the ruling, by legal.Side
	Before      [3]int         // the ledger without it
	Limit       int            // so many strikes lose the game; 0: none ever do
	Result      string         // 1-0, 0-1, 1/2-1/2; "": none, or not known: the text says that it needs a look
	Deadline    words.Sentence // until when
	Until       Until          // the same for a program
	Closer      legal.Side     // whose doing it is, where it is one side's
	Advice      Advice
	Mate        *Mate          // can the side that would win ever mate? nil: it was not asked
	Text        words.Sentence // one sentence in plain words, and the other reading where there is one
}
