package detector

import (
	"boardwatchd/detector/array"
	"boardwatchd/detector/evidence"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// An Outcome is something the tracker concluded. The set is closed: GameStarted, Moved, IllegalMoveStands, NotKnown,
// Pressed, Found, Turn, Result, TakenBack, Note, HandsJudged, HandsHeld, ScanKnown.
type Outcome interface{ outcome() }

// GameStarted opens a game at its start position. Start is 0 to 959 (518 is the orthodox array), or -1 for a game that
// was joined in the middle.
type GameStarted struct {
	evidence.Stamp
	Game     int
	FEN      string
	Start    int
	Reversed bool // White sits at the far side of the board
}

// Chess960 reports whether the game began from another array than the orthodox one.
func (g GameStarted) Chess960() bool { return g.Start >= 0 && g.Start != array.OrthodoxNumber }

// CommittedBy names what completed a move.
type CommittedBy uint8

const (
	NotCommitted CommittedBy = iota
	ByPress                  // the mover's clock was pressed (FIDE Laws 6.2.1)
	ByReply                  // the opponent's next move was made (6.2.1.2), or there is no clock
	ByTerminal               // the move ended the game (5.1.1, 5.2.1) or was the last before the result
	ByArbiter
)

func (c CommittedBy) String() string {
	return [...]string{"none", "press", "reply", "terminal", "arbiter"}[c]
}

// Moved is a committed move. Before is the position it was made in. Corrects marks a ply that is reported again,
// because its promotion piece has been read since; the plies after it stay. Differs are the squares that read otherwise
// than the record counts them: a piece is displaced there, or is not read.
type Moved struct {
	evidence.Stamp
	Game, Ply int // Ply 1 is White's first move
	Before    legal.Position
	Move      legal.Move
	Clock     evidence.Times
	By        CommittedBy
	Corrects  bool
	Differs   []legal.Square
}

// IllegalMoveStands is an illegal move, or a press without a move, that the opponent has answered: it is a ply of the
// record, and the game goes on from After. UCI and SAN are empty where no single piece moved.
type IllegalMoveStands struct {
	evidence.Stamp
	Game, Ply int
	Side      legal.Side
	UCI, SAN  string
	Finding   string // its identity; empty: it was withdrawn, and it is unknown what was played
	After     legal.Position
	Clock     evidence.Times // when it was pressed
	Corrects  bool           // reported again: this ply is replaced, those after it stay
}

// NotKnown is a span of plies that are not known: the game goes on from a position that is known again. To is 0 where
// even their number is unknown; the number of the next ply is then the least possible one. Before is the position of
// the last known ply. Position is zero where the game has ended within the span.
type NotKnown struct {
	evidence.Stamp
	Game, From, To   int
	Before, Position legal.Position
}

// Ends reports whether no position after the span is known.
func (n *NotKnown) Ends() bool { return n.Position.Turn() == legal.NoSide }

// Pressed is one press of the lever while the clock runs, with its judgement: "ok", "ok2", "ok_late", "ok_start",
// "ok_restored", the kind of a finding ("illegal.knight", with "+reply" where the opponent had already answered), or
// "sensor.unknown" where the board does not show what was played. The stamp is that of the judgement.
type Pressed struct {
	evidence.Stamp
	Game   int
	Side   legal.Side
	Judged string
	Gained int            // seconds that the press added to the presser's time; -1: unknown
	Clock  evidence.Times // as shown by the press
}

// ResultState is the state of a signalled result.
type ResultState uint8

const (
	NoResult  ResultState = iota
	Proposed              // for the arbiter to confirm
	Withdrawn             // the game went on
)

func (s ResultState) String() string { return [...]string{"none", "proposed", "withdrawn"}[s] }

// Result is the end of a game as the board shows it: never more than a proposal.
type Result struct {
	evidence.Stamp
	Game   int
	Result string // "1-0", "0-1", "1/2-1/2"
	By     string // "mate", "stalemate", "kings", "piece"
	State  ResultState
}

// TakenBack reports that the game went back, by agreement of the players, so that Ply is now the last ply played.
type TakenBack struct {
	evidence.Stamp
	Game, Ply int
}

// Note is a remark about doubt, for the health line of the board. It is never an accusation.
type Note struct {
	evidence.Stamp
	Game   int
	What   string
	Detail words.Sentence
	FEN    string // record_broken: the position that the game goes on from
}

func (GameStarted) outcome()       {}
func (Moved) outcome()             {}
func (IllegalMoveStands) outcome() {}
func (NotKnown) outcome()          {}
func (Pressed) outcome()           {}
func (Result) outcome()            {}
func (TakenBack) outcome()         {}
func (Note) outcome()              {}

// Params are the widths and waits of the tracker, in microseconds. The journal's opening record holds them.
type Params struct {
	ScanUS     int64 // longest time from a change to its report: one board scan (200-250 ms measured by the maker)
	ClockLagUS int64 // longest time from a press to its report (1 s documented)
	// A board report this long after the report of the press may still belong to before the press; offence/early.go
	// decides what proves that it does not.
	LateUS     int64
	GraceUS    int64 // how long an unexplained press waits for late reports and a dump
	QuietUS    int64 // quiet time that commits mate or stalemate without a press
	KingsUS    int64 // quiet time that makes kings in the centre a result while the clock runs
	MismatchUS int64 // how long a board may be unexplained before a note is made
	ResyncUS   int64 // after a gap: how long to wait for the clock before the dump alone decides
	White      evidence.ClockSide
	Chess960   array.Mode
	Passive    bool // a recording: a request for a dump is never answered
	Hands      Hands
}

// DefaultParams are the documented widths (reconstruction notes 7.5, laws notes 1.3).
func DefaultParams() Params {
	return Params{
		ScanUS: 250_000, ClockLagUS: 1_000_000, LateUS: 350_000, GraceUS: 1_350_000, QuietUS: 2_000_000,
		KingsUS: 5_000_000, MismatchUS: 10_000_000, ResyncUS: 1_500_000, Hands: DefaultHands(),
	}
}
