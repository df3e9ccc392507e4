package rules

import "boardwatchd/rules/legal"

// An Event is something that the docket must know. The set is closed.
type Event interface{ event() }

// Begun opens a game. The ledger of strikes starts at zero.
type Begun struct {
	Game     int
	Position legal.Position
	Clock    Clocks
}

// Found is a case: new, or the same with another state.
type Found struct{ Case Case }

// Moved is a move that was committed. Mover's clock is as shown after it.
type Moved struct {
	Seq    int64
	Ply    int
	Before legal.Position
	Move   legal.Move
	Clock  Clocks
}

// TakenBack says that Ply is the last ply played now.
type TakenBack struct{ Ply int }

// Corrected says that an earlier move was another one: its promotion piece has been read since. Position is the last one now.
type Corrected struct {
	Ply      int
	Before   legal.Position
	Move     legal.Move
	Position legal.Position
}

// Rebased says that the game goes on from a position that the moves do not lead to: an illegal move stands, because it
// was answered. Ply is the number of plies played.
type Rebased struct {
	Ply      int
	Position legal.Position
}

// Pressed is one press while the clock ran, with what it was judged to be (ok, ok2, illegal.knight …) and the seconds
// that it added to the presser's time; -1: not known.
type Pressed struct {
	Side   legal.Side
	Judged string
	Gained int
	Clock  Clocks
}

// Answered says that the side has made its next move on the board, pressed or not: the window of A.5.2 closes. It is
// told only while a case of the other side is open.
type Answered struct{ Side legal.Side }

// TouchedPiece says that a side has lifted one of its pieces in its own turn (FIDE Laws 4.8). It is told only after a
// case about the ply before.
type TouchedPiece struct{ Side legal.Side }

// Bounced is a press by a lever that bounced while another press was being judged: nobody is judged for it, and the clock has credited
// it. Gained as in Pressed.
type Bounced struct {
	Side   legal.Side
	Gained int
	Clock  Clocks
}

// PressedBack says that a side has pressed without a move right after the other side's open case: it restarted the
// offender's clock. Gained as in Pressed, and that event is not sent as well.
type PressedBack struct {
	Side   legal.Side
	Gained int
	Clock  Clocks
}

// Restored says that the last good position stands on the board again and that it is the offender's turn, by the
// players' or the arbiter's doing.
type Restored struct{}

// Stopped is a clock that was stopped while a game is on; Turn is whose time ran. Promoting says that a pawn has come to
// the last rank and no piece stands there for it: one is probably wanted (FIDE Laws 6.11.2).
type Stopped struct {
	Seq       int64 // of the record that shows it; a finding about the stop is named by it
	Turn      legal.Side
	Clock     Clocks
	Promoting bool
}

// StoodLong is a clock that has stood for LongStopUS. It is told while Docket.Stands says that it is waited for.
type StoodLong struct{}

// Started is a clock that runs again; Turn is whose time runs.
type Started struct {
	Seq       int64
	Turn      legal.Side
	Clock     Clocks
	Seen      bool            // Placement is what the board reads
	Placement legal.Placement // while the clock is started
}

// LeverMoved is a stopped clock whose lever was moved to the other side; Turn is whose time would run now.
type LeverMoved struct {
	Seq   int64
	Turn  legal.Side
	Clock Clocks
}

// ClockSet is a stopped clock whose times were edited. It is told once for each reading that differs.
type ClockSet struct{ From, To Clocks }

// ResultTold is a result that a person enters. Resigned is who has resigned, where that was told. It comes before Ended.
type ResultTold struct {
	Seq      int64
	Result   string
	Resigned legal.Side
	Position legal.Position // on the board, with a move that was made and not pressed; none: the last one that was told
}

// Ended is the end of the game as signalled, found or told: By is mate, stalemate, kings, piece, arbiter.
type Ended struct{ Result, By string }

// Reopened takes an end back.
type Reopened struct{}

// Signed says that the players have signed: nothing is corrected any more (FIDE Laws 7.5.1, 8.7).
type Signed struct{}

// A Report is what a person saw and told: two-hands, other-hand, press-before-release, foreign-press, queen-brought,
// clock-setting-wrong, displaced, colours-reversed, found, draw-offer, assistant (the scenario file's vocabulary).
type Report struct {
	Seq  int64
	What string
	Side legal.Side
	Move int    // the move number it is about or was found at; 0 is none
	Note string // for displaced: the squares, "d2-d3"
	// InProgress says that Side has begun its move, or made it and not pressed: a report about hands is about that move, and
	// waits for the press (FIDE Laws 7.5.4).
	InProgress bool
}

// A Claim opens the claim tool: draw3, draw50, touch, illegal, two-hands, flag.
type Claim struct {
	Seq  int64
	What string
	Side legal.Side
}

// A Decision is the arbiter's: confirm, reject, accident, sensor, undo, later, unseen. Only these change the ledger.
type Decision struct {
	Seq     int64 // of its record
	Finding string
	Do      string
}

// SetStrikes writes strikes into the ledger that were given before: on paper, on another board.
type SetStrikes struct{ White, Black int }

// Flag switches a rule of this board: appendix_d, assistant, position_start, no_touch.
type Flag struct {
	Name string
	On   bool
}

// OtherCore begins or ends a part of the journal that another revision of the core judged. The decisions of that part hold, see
// OtherSaid.
type OtherCore struct{ On bool }

// OtherSaid is an entry of that revision, and follows the event that it answers. Seq is the number of that event's record.
// Decides is false in journals of programs whose findings did not say what was decided.
type OtherSaid struct {
	Seq     int64
	Entry   Entry
	Decides bool
}

// OtherGame is a game that the other revision began, with its number. OtherMoved is a move that it committed.
type (
	OtherGame  struct{ Game int }
	OtherMoved struct{}
)

func (Begun) event()        {}
func (Found) event()        {}
func (Moved) event()        {}
func (TakenBack) event()    {}
func (Rebased) event()      {}
func (Corrected) event()    {}
func (Pressed) event()      {}
func (Answered) event()     {}
func (TouchedPiece) event() {}
func (PressedBack) event()  {}
func (Bounced) event()      {}
func (Restored) event()     {}
func (Stopped) event()      {}
func (StoodLong) event()    {}
func (Started) event()      {}
func (LeverMoved) event()   {}
func (ClockSet) event()     {}
func (ResultTold) event()   {}
func (Ended) event()        {}
func (Reopened) event()     {}
func (Signed) event()       {}
func (Report) event()       {}
func (Claim) event()        {}
func (Decision) event()     {}
func (SetStrikes) event()   {}
func (Flag) event()         {}
func (OtherCore) event()    {}
func (OtherSaid) event()    {}
func (OtherGame) event()    {}
func (OtherMoved) event()   {}
