package rules

import (
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// A matter is one case on the docket with everything that has happened to it.
type matter struct {
	c         Case   // as it was told last
	order     int    // of appearance
	from      string // the finding that this one follows from
	proves    string // the finding that a king's capture claims
	merged    string // the finding of the same move, which is one strike with this one
	sameAs    string // the carried or decided finding about the same incident, see other.go
	carried   *Entry // proposal of a case that only another revision found; nil: this core found it
	carriedAt int64  // sequence number of the decision for which it was carried

	closed    closing
	closedPly int  // plies played when its time ran out
	answered  bool // the opponent's next move stands on the board
	resolved  bool // an illegal position is gone (A.5.4)
	recalled  bool // somebody stopped the clock soon after its time ran out
	claimed   bool // somebody claims it
	back      bool // the opponent pressed back
	restored  bool // the last good position stood again
	replaced  bool // and another move was played from it
	found     int  // the move number at which it was reported to be found
	excused   bool // a person has reported what explains it
	castled   bool // the move was castling
	held      bool // reported while the move was being made: it waits for the press
	routine   bool // a lever moved in a stop that had a reason
	claimedAt int  // the last matter's order when it was claimed first

	overtaken bool   // the game has gone on from it
	plyAt     int    // plies played when it came up
	past      bool   // put right, overtaken by moves, or the game has ended
	undone    string // the finding by whose ruling the position went back before it, or that rules for both
	about     string // of a report that somebody else pressed: the press without a move
	follows   string // of what differs from a ruling afterwards: the finding that was ruled on
	paid      bool   // the times that the clock was started with are those of the ruling
	unclear   bool   // other times were set before anybody decided: nobody knows by what they are to be measured
	insisted  bool   // a result that the position contradicts was entered again
	right     string // and the one that the position gives, why, and by which articles
	why       words.Sentence
	articles  []string
	mate      *Mate

	tally   tally          // irregular presses, the offender's own among them
	counted [3]int         // those that a correction takes back, as last told
	shown   Clocks         // the times that a correction starts from
	stood   legal.Position // where the game stands since the offence was put right
	before  [3]int         // the ledger when the matter came up
	mild    bool           // proposed without the penalty: an accident

	decision string
	rank     int        // of the decision among all
	struck   legal.Side // whose strike the decision is
	kept     *Entry     // as decided; nil: it follows what happens
	checked  bool       // the clock edit that followed has been looked at

	said  bool
	entry Entry // as returned last
	known lore
}

// lore is what can be found out about a case once and for all: asking the legality core takes longer than all the rest.
type lore struct {
	explained bool
	verdict   legal.Verdict
	listed    bool
	must      []string // the moves that touch-move leaves
}

// verdict is the legality core's opinion of the move, where the case has one; asked once.
func (m *matter) verdict() *legal.Verdict {
	k := &m.known
	if c := &m.c; !k.explained {
		k.explained = true
		if c.Kind.Illegal() && c.Known && len(c.UCI) >= 4 && c.Before != (legal.Position{}) {
			if v := c.Before.Explain(c.UCI); v.Kind == c.Kind {
				k.verdict = v
			}
		}
	}
	return &k.verdict
}

// closing is why it is too late.
type closing uint8

const (
	stillOpen closing = iota
	byReply           // the opponent has made his next move (A.5.2)
	byMoves           // more moves than the rule set looks back
	byTouch           // the opponent has touched a piece (4.8)
	bySigning         // the game is over (7.5.1)
)

// live says that it has not been withdrawn.
func (m *matter) live() bool { return m.c.State != Withdrawn }

// open says that nobody has decided it and that it is not too late.
func (m *matter) open() bool {
	return m.live() && m.kept == nil && m.closed == stillOpen && m.sameAs == ""
}

// familyOf is how a case is dealt with: what only the order of lifts suggests about two hands is evidence, and no offence.
func familyOf(c *Case) kinds.Family {
	if c.Kind == kinds.IllegalTwoHands && c.Proof != Reported {
		return kinds.Hand
	}
	return c.Kind.Family()
}

// handOnly says that only a hand makes the finding an offence: nothing of it holds where an assistant moves the pieces.
func handOnly(c *Case) bool {
	switch familyOf(c) {
	case kinds.Touch, kinds.Hand:
		return true
	}
	return c.Kind == kinds.AdjustOffTurn || c.Kind == kinds.OtherHand
}
