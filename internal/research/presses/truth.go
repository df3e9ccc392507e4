package presses

import (
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

// PressClass describes the press that a ply should end with.
type PressClass uint8

// The classes.
const (
	NoClass   PressClass = iota
	Pressed              // before the opponent had replied, and the lever moved
	Late                 // after the opponent had replied, and the lever moved
	Forgotten            // never
	Dead                 // tried, but the lever was down on this side already, or the flag had fallen
)

func (c PressClass) String() string {
	return [...]string{"none", "pressed", "late", "forgotten", "dead"}[min(c, 4)]
}

// PressKind is the reason why the lever was pushed.
type PressKind uint8

// The kinds.
const (
	NoKind     PressKind = iota
	EndOfPly             // to end a ply
	BounceBack           // the lever jumped back by itself
	BounceDown           // the lever was down again
	SecondTap            // the same side once more
	InPause              // while the clock was stopped
	StartWhite           // the press by which Black starts White's clock
	Correction           // after a pause or an offence, to let the right clock run
)

func (k PressKind) String() string {
	return [...]string{
		"none", "end of ply", "bounce back", "bounce down", "second tap", "in pause", "start", "correction",
	}[min(k, 7)]
}

// Press is one push of one side of the lever.
type Press struct {
	At    int64
	Side  legal.Side // the side that went down
	Kind  PressKind
	Ply   int  // index into Truth.Plies; -1 when it ends no ply
	Moved bool // false: the side was down already

	// SeenAt is the time when the board knew; 0 if the lever did not move. The message is on the line 10 ms later, or
	// after the message being sent; in a gap or another mode than UPDATE_NICE the host does not get it.
	SeenAt    int64
	Merged    bool // the board learned of it together with another movement of the lever
	Swallowed bool // the clock did not report it; the next movement was reported instead
}

// Ply is one move, or one offence in place of a move.
type Ply struct {
	Side       legal.Side
	UCI        string // "0000" for a press without a move
	FirstTouch int64
	Placed     int64 // the last change of the board that belongs to the ply
	Scanned    int64 // time when the board visited that square; 0 if no square was touched
	Class      PressClass
	PressAt    int64 // 0 if none
	Press      int   // index into Truth.Presses; -1 if none
	Scramble   bool
	Offence    int    // index into Truth.Offences; -1 if none
	After      string // FEN from which the next ply is played: after an offence, the position after it was dealt with
}

// Outcome is people's reaction to an offence.
type Outcome uint8

// The outcomes.
const (
	NoOutcome Outcome = iota
	PlayedOn          // no reaction; the next ply is played from the position on the board
	Restored          // the clock was stopped and the position restored
	Completed         // the clock was stopped and the pawn replaced by a queen (FIDE Laws 7.5.2)
)

func (o Outcome) String() string {
	return [...]string{"none", "played on", "restored", "completed"}[min(o, 3)]
}

// Offence is one offence against the Laws, with the name used in the scenarios' press_results.
type Offence struct {
	Ply       int
	Side      legal.Side
	Kind      kinds.Kind
	PressAt   int64
	Outcome   Outcome
	StopAt    int64  // 0 if play continued
	DoneAt    int64  // time when the board had been corrected
	AfterPair bool   // the two plies before did not move the lever
	Standing  string // placement at the press (first field of a FEN)
}

// Stop is one stop of the clock.
type Stop struct {
	At, ResumeAt int64 // ResumeAt is 0 at the end of the game
	AfterPly     int   // index of the last ply begun; -1 before the first
	Reason       string
	LeverMoved   bool
}

// Touch is a piece that was lifted and put back on its square.
type Touch struct {
	At, Until int64
	Square    legal.Square
	Reason    string
}

// Window is a period in which nothing reached the host, with the events in it.
type Window struct {
	From, To   int64
	LosesMode  bool  // gaps only
	Plies      []int // plies with a change of the board or a press in the window
	LeverMoved bool
}

// Fault is one byte of noise.
type Fault struct {
	At   int64
	Lost bool // false: a bit was flipped
	ID   byte // of the message
}

// Truth is the record of all events at the table. All but Faults is complete from the beginning.
type Truth struct {
	Options     Options // with the choices made by the seed
	Start       string  // FEN
	StartedAt   int64   // time when the clock was started
	ScanUS      int64   // period of the scan
	Plies       []Ply
	Presses     []Press
	Offences    []Offence
	Stops       []Stop
	Touches     []Touch
	Gaps        []Window
	Standstills []Window
	Faults      []Fault
	Disturbed   Disturbed
	Final       legal.Placement
	Reason      string // "plies", "flag", "checkmate", "stalemate", "move75", "repetition", "dead"
	EndAt       int64  // there are no events at the table after this
}
