package detector

import (
	"boardwatchd/detector/evidence"
	"boardwatchd/detector/hands"
	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

// A Found is a finding: something that the Laws have a name for, with its evidence. It is reported again with the same
// ID when its state changes.
type Found struct {
	evidence.Stamp
	rules.Case
	Window   evidence.Window // when it can have happened
	Evidence []evidence.Seq  // the records that show it, oldest first

	Timeline []hands.Window // of a suspicion about hands: when each square changed
	InAir    hands.Air
}

// findingID names a finding by its first evidence, the same in every replay.
func findingID(first evidence.Seq, kind kinds.Kind) string {
	return kinds.ID(int64(first), kind)
}

// A Turn is an event around an open case to which the Laws attach a consequence; What is one of the constants below.
type Turn struct {
	evidence.Stamp
	Game       int
	What       TurnKind
	Side       legal.Side
	Clock      evidence.Times
	Before     evidence.Times // ClockEdited: what was shown before
	Gained     int            // PressedBack, LeverBounced: seconds added by the press; -1: unknown
	NotStarted bool           // ClockStopped: the clock had counted the time of the game before
	Promoting  bool           // ClockStopped: a pawn stands on the last rank, or has left the board there
	Ply        int            // RecordRebased, PutBack: plies played
	Position   legal.Position // RecordRebased
}

// TurnKind is the kind of such an event.
type TurnKind uint8

const (
	_             TurnKind = iota
	MadeReply              // the side has made its next move on the board, with or without a press (A.5.2)
	TouchedOwn             // the side has lifted one of its pieces in its turn (4.8)
	PressedBack            // the side pressed without a move, and it restarted the offender's clock
	PutBack                // the last good position is on the board again
	ClockStopped           // Side: whose time ran
	ClockStarted           // Side: whose time runs
	ClockEdited            //
	LeverMoved             // the lever was moved while the clock was stopped; Side: whose time would run now
	RecordRebased          // the opponent has played on: the game goes on from Position
	LeverBounced           // the lever bounced while a press was being judged; Side: whose end went down
)

func (k TurnKind) String() string {
	return [...]string{
		"none", "made_reply", "touched_own", "pressed_back", "put_back", "clock_stopped", "clock_started", "clock_edited",
		"lever_moved", "record_rebased", "lever_bounced",
	}[k]
}

func (Found) outcome() {}
func (Turn) outcome()  {}
