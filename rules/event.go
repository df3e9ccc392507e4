package rules

import "boardwatchd/rules/legal"

// An Event is an input of the docket. The set is closed.
type Event interface{ event() }

// Begun opens a game. The ledger of strikes starts at zero.
type Begun struct {
	Game     int
	Position legal.Position
	Clock    Clocks
}

// Found carries a case: a new one, or a known one with another state.
type Found struct{ Case Case }

// Moved is a committed move. Clock is the display after it. Differs are the squares on which the board disagrees with
// the record.
type Moved struct {
	Seq     int64
	Ply     int
	Before  legal.Position
	Move    legal.Move
	Clock   Clocks
	Differs []legal.Square
}

// TakenBack says that moves were taken back: Ply is now the last ply played.
type TakenBack struct{ Ply int }

// Corrected says that an earlier move was another one: its promotion piece has been read since. Position is the current
// position.
type Corrected struct {
	Ply      int
	Before   legal.Position
	Move     legal.Move
	Position legal.Position
}

// Rebased says that the game goes on from a position that the moves do not lead to: an illegal move was answered and is
// no longer taken back. Ply is the number of plies played.
type Rebased struct {
	Ply      int
	Position legal.Position
}

// Pressed is one press while the clock ran, with its judgement (ok, ok2, illegal.knight …) and the seconds that it
// added to the presser's time; -1: not known.
type Pressed struct {
	Side   legal.Side
	Judged string
	Gained int
	Clock  Clocks
}

// Answered says that the side has made its next move on the board, pressed or not: the window of A.5.2 closes. It is
// sent only while a case of the other side is open.
type Answered struct{ Side legal.Side }

// TouchedPiece says that a side has lifted one of its pieces in its own turn (FIDE Laws 4.8). It is sent only after a
// case about the ply before.
type TouchedPiece struct{ Side legal.Side }

// Bounced is a press by a lever that bounced while another press was being judged: no player is judged for it, and the
// clock has credited it. Gained as in Pressed.
type Bounced struct {
	Side   legal.Side
	Gained int
	Clock  Clocks
}

// PressedBack says that a side has pressed without a move right after the other side's open case: it restarted the
// offender's clock. Gained as in Pressed, and Pressed is not sent for the same press.
type PressedBack struct {
	Side   legal.Side
	Gained int
	Clock  Clocks
}

// Restored says that the last good position is on the board again and that the offender is to move. Players or the
// arbiter have restored it. Ply is the number of plies that lead to it.
type Restored struct{ Ply int }

// Stopped says that the clock was stopped during a game; Turn is the side whose time ran. Promoting says that a pawn
// has reached the last rank and no piece is on that square yet: a player probably needs one (FIDE Laws 6.11.2).
type Stopped struct {
	Seq       int64 // of the record that shows it; a finding about the stop takes its identity from it
	Turn      legal.Side
	Clock     Clocks
	Promoting bool
	// NotStarted: the clock had counted the time of the game before, and was not started for this one.
	NotStarted bool
}

// LongStop says that the clock has been stopped for LongStopUS. It is sent only while Docket.Stands is true.
type LongStop struct{}

// Started says that the clock runs again; Turn is the side whose time runs.
type Started struct {
	Seq       int64
	Turn      legal.Side
	Clock     Clocks
	Seen      bool            // Placement is the reading of the board
	Placement legal.Placement // at the start of the clock
}

// LeverMoved says that the lever of a stopped clock was moved to the other side; Turn is the side whose time would run
// now.
type LeverMoved struct {
	Seq   int64
	Turn  legal.Side
	Clock Clocks
}

// ClockSet says that the times of a stopped clock were edited. It is sent once for each reading that differs.
type ClockSet struct{ From, To Clocks }

// ResultEntered is a result entered by a person. Resigned is the side that resigned, if that was entered. It comes
// before Ended.
type ResultEntered struct {
	Seq      int64
	Result   string
	Resigned legal.Side
	Position legal.Position // on the board, with a move that was made and not pressed; none: the last position received
}

// Ended is the end of the game as signalled, found, entered or decided: By is mate, stalemate, kings, piece, arbiter,
// or what ResultByDecision names.
type Ended struct {
	Result, By string
	Ruled      bool // by a ruling that was confirmed
}

// Reopened cancels the end of a game.
type Reopened struct {
	Unsigned bool // the signing is cancelled too: a person says that the game goes on
}

// Signed says that the players have signed: no corrections are made any more (FIDE Laws 7.5.1, 8.7).
type Signed struct{}

// A Report is an observation entered by a person: two-hands, other-hand, press-before-release, foreign-press,
// queen-brought, clock-setting-wrong, displaced, colours-reversed, found, draw-offer, assistant (the scenario file's
// vocabulary).
type Report struct {
	Seq  int64
	What string
	Side legal.Side
	Move int    // the move number it is about or was found at; 0: none
	Note string // for displaced: the squares, "d2-d3"
	// InProgress says that Side has begun its move, or made it and not pressed: a report about hands is about that
	// move, and waits for the press (FIDE Laws 7.5.4).
	InProgress bool
}

// A Claim opens the page for a claim: draw3, draw50, touch, illegal, two-hands, flag.
type Claim struct {
	Seq  int64
	What string
	Side legal.Side
}

// A Decision is the arbiter's: confirm, reject, accident, sensor, undo, later, unseen. Only decisions change the
// ledger.
type Decision struct {
	Seq     int64 // of its record
	Finding string
	Do      string
}

// SetStrikes writes earlier strikes into the ledger: kept on paper, or given on another board.
type SetStrikes struct{ White, Black int }

// Flag switches a rule of this board.
type Flag struct {
	Name string
	On   bool
}

// The names of flags. People know them by these words, on the page, in the API and in journals.
const (
	FlagAppendixD = "appendix_d" // a player cannot see: nothing is judged that depends on whose hand it was
	FlagAssistant = "assistant"  // an assistant moves the pieces for a player
	FlagNoTouch   = "no_touch"   // the event has no touch-move
)

// ReportAssistant is the What of a report that sets FlagAssistant.
const ReportAssistant = "assistant"

// OtherCore begins or ends a part of the journal that another revision of the core judged. The decisions of that part
// hold, see OtherSaid.
type OtherCore struct{ On bool }

// OtherSaid is an entry of that revision, sent after the event that it answers. Seq is the number of that event's
// record. Decides is false in journals of programs whose findings did not state the decision.
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

func (Begun) event()         {}
func (Found) event()         {}
func (Moved) event()         {}
func (TakenBack) event()     {}
func (Rebased) event()       {}
func (Corrected) event()     {}
func (Pressed) event()       {}
func (Answered) event()      {}
func (TouchedPiece) event()  {}
func (PressedBack) event()   {}
func (Bounced) event()       {}
func (Restored) event()      {}
func (Stopped) event()       {}
func (LongStop) event()      {}
func (Started) event()       {}
func (LeverMoved) event()    {}
func (ClockSet) event()      {}
func (ResultEntered) event() {}
func (Ended) event()         {}
func (Reopened) event()      {}
func (Signed) event()        {}
func (Report) event()        {}
func (Claim) event()         {}
func (Decision) event()      {}
func (SetStrikes) event()    {}
func (Flag) event()          {}
func (OtherCore) event()     {}
func (OtherSaid) event()     {}
func (OtherGame) event()     {}
func (OtherMoved) event()    {}
