package rules

import (
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// A matter is one case on the docket with its history.
type matter struct {
	c         Case   // as last received
	order     int    // of appearance
	from      string // the finding that this one follows from
	proves    string // the finding whose offence the capture of the king claims
	merged    string // the finding of the same move, which is one strike with this one
	sameAs    string // the carried or decided finding about the same incident, see other.go
	carried   *Entry // proposal of a case that only another revision found; nil: this core found it
	carriedAt int64  // sequence number of the decision by which it was carried

	closed      closing
	closedPly   int  // plies played when its time ended
	answered    bool // the opponent's next move stands on the board
	position    next // effect of the next move on an illegal position
	recalled    bool // the clock was stopped soon after its time ended
	claimed     bool // a player claims it
	back        bool // the opponent pressed back
	restored    bool // the last good position was on the board again
	replaced    bool // another move was played from the position that was set up
	pressedOnce bool // that move was not pressed again: the press of the illegal one has completed it
	found       int  // the move number at which it was reported to be found
	excused     bool // a person has reported an explanation
	castled     bool // the move was castling
	held        bool // reported while the move was being made: it waits for the press
	routine     bool // a lever moved in a stop that had a reason
	claimedAt   int  // the last matter's order when it was first claimed

	overtaken   bool    // the game has gone on from it
	plyAt       int     // plies played when it came up
	past        bool    // put right, overtaken by moves, or the game has ended
	uncorrected bool    // the game has gone on, and the board does not agree with the record on the squares of the case
	playedOn    bool    // a ruling was not carried out, and both players have moved since
	carriedOut  bool    // the clock was started after a decision: times to set would be those of that moment
	beneath     *matter // the earlier offence to which the kept ruling goes back; nil: none
	settledBy   string  // the finding whose ruling restored a position before it, or that rules for both
	idlePress   string  // of a report that another person pressed: the press without a move
	follows     string  // of a difference from a ruling: the finding with that ruling
	timesSet    bool    // the clock was started with the times of the ruling
	otherTimes  bool    // other times were set before a decision: the clock cannot be compared with the ruling
	insisted    bool    // a result that the position contradicts was entered again
	right       string  // the result that the position gives, the reason, and the articles
	why         words.Sentence
	articles    []string
	mate        *Mate

	onClock       correction     // the part of its times that was set before a decision
	tally         tally          // irregular presses, the offender's own among them
	counted       [3]int         // presses that a correction takes back, as last reported
	period        [3]int         // seconds that those of them have added that began the next period, increment included
	correctedFrom Clocks         // the times on which a correction is based
	resumedFrom   legal.Position // the position from which the game went on after the correction
	before        [3]int         // the ledger when the matter came up
	mild          bool           // proposed without the penalty: an accident
	upheld        bool           // proposed as it is when the arbiter confirms it: the claim is right

	decision  string
	rank      int        // number of the decision among all
	strikeFor legal.Side // the side to which the decision gives a strike
	kept      *Entry     // as decided; nil: the entry follows events

	decidedAt  int  // the last matter's order at the decision
	decidedPly int  // plies played at the decision
	startedAt  int  // the last matter's order when the clock was first started after the decision; 0: it was not
	checked    bool // the edit of the clock that followed has been compared

	said  bool
	entry Entry // as last returned
	known cachedFacts
}

// cachedFacts holds facts about a case that never change, because the legality core is slow compared with the rest.
type cachedFacts struct {
	explained bool
	verdict   legal.Verdict
	listed    bool
	must      []string // the moves that touch-move leaves
}

// verdict returns the legality core's verdict on the move, where the case has one; it is computed once.
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

// closing is the reason why a matter can no longer be dealt with.
type closing uint8

const (
	stillOpen closing = iota
	byReply           // the opponent has made his next move (A.5.2)
	byMoves           // more moves than the rule set looks back
	byTouch           // the opponent has touched a piece (4.8)
	bySigning         // the game is over (7.5.1)
)

// next is the effect of the next move on an illegal position that an illegal move left: both kings in check, or a pawn
// on a last rank.
type next uint8

const (
	notSeen      next = iota // no such position, or no move yet, or the position is not known
	positionGone             // by that move
	stillThere
)

// live reports whether the matter has not been withdrawn.
func (m *matter) live() bool { return m.c.State != Withdrawn }

// open reports whether the matter is undecided and can still be dealt with.
func (m *matter) open() bool {
	return m.live() && m.kept == nil && m.closed == stillOpen && m.sameAs == ""
}

// familyOf returns the family by which a case is dealt with: a suspicion of two hands from the order of lifts is
// evidence, not an offence.
func familyOf(c *Case) kinds.Family {
	if c.Kind == kinds.IllegalTwoHands && c.Proof != Reported {
		return kinds.Hand
	}
	return c.Kind.Family()
}

// handOnly reports whether the finding is an offence only because of a hand: such a finding is void where an assistant
// moves the pieces.
func handOnly(c *Case) bool {
	switch familyOf(c) {
	case kinds.Touch, kinds.Hand:
		return true
	}
	return c.Kind == kinds.AdjustOffTurn || c.Kind == kinds.OtherHand
}
