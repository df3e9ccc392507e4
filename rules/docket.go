package rules

import "boardwatchd/rules/legal"

// Alert says how the arbiter is told.
type Alert uint8

const (
	NoAlert Alert = iota
	Log           // in the record only
	OnClaim       // shown when the arbiter opens a claim
	Advise        // a quiet "please look", no offence named
	Now           // at once
)

func (a Alert) String() string {
	return [...]string{"none", "log", "on_claim", "advise", "now"}[a]
}

// An Entry is one line of the docket as it stands now: the case, how it is told, and what is proposed.
type Entry struct {
	Case     // its State may be Expired
	Alert    Alert
	Articles []string
	Edition  string
	Reason   string // a sentence that an arbiter can read out
	Ruling   *Ruling
	Decided  string // the arbiter's last decision: confirm, reject, accident, sensor, later; "": none
	Order    int    // of appearance, from 1; it never changes
}

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
	Strikes     [3]int // after the ruling, by legal.Side
	Result      string // 1-0, 0-1, 1/2-1/2; "": none, or not known: the text says that it needs a look
	Deadline    string // until when, in words
	Text        string // one sentence in plain words, and the other reading where there is one
}
