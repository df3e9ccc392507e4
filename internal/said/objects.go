package said

import (
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/words"
)

// Head has the fields with which every object begins.
type Head struct {
	Type  string  `json:"type"`
	Seq   int64   `json:"seq"`
	T     Seconds `json:"t"`
	Board string  `json:"board"`
	Game  int     `json:"game"`
}

// Game is a game that begins.
type Game struct {
	Head
	FEN      string `json:"fen"`
	Reversed bool   `json:"reversed"`
	Chess960 bool   `json:"chess960"`
}

// Sides is a number for each side: seconds on a clock, strikes.
type Sides struct {
	White int `json:"white"`
	Black int `json:"black"`
}

// Given has only the sides that get time.
type Given struct {
	White int `json:"white,omitempty"`
	Black int `json:"black,omitempty"`
}

// Move is a move that was committed.
type Move struct {
	Head
	Ply                  int     `json:"ply"`
	Side                 string  `json:"side"`
	UCI                  *string `json:"uci"`
	SAN                  *string `json:"san"`
	Clock                *Sides  `json:"clock"`
	CommittedBy          string  `json:"committed_by"`
	*StandingIllegalMove         // nil: it was legal
	Corrects             bool    `json:"corrects,omitempty"` // sent again: this ply is replaced, those after it stay
}

// StandingIllegalMove describes an illegal move that stands because it was answered. Its uci and san are null if no
// piece has moved, or more than one.
type StandingIllegalMove struct {
	Illegal  bool    `json:"illegal"` // false: the finding has been withdrawn, and the move that was played is not known
	Finding  *string `json:"finding"`
	FENAfter string  `json:"fen_after"`
}

// Press is a press as it was judged.
type Press struct {
	Head
	Side   *string `json:"side"`
	Judged string  `json:"judged"`
}

// Result is a result, proposed, withdrawn or questioned.
type Result struct {
	Head
	Result string `json:"result"`
	By     string `json:"by"`
	State  string `json:"state"`
}

// Takeback says that Ply is the last ply played now.
type Takeback struct {
	Head
	Ply int `json:"ply"`
}

// Finding is a finding in its present state.
type Finding struct {
	Head
	ID         string          `json:"id"`
	Kind       kinds.Kind      `json:"kind"`
	Side       *string         `json:"side"`
	Ply        int             `json:"ply"`
	State      string          `json:"state"`
	Proof      string          `json:"proof"`
	Confidence Permille        `json:"confidence"`
	Articles   []string        `json:"articles"`
	Edition    string          `json:"edition"`
	Reason     string          `json:"reason"`
	UCI        *string         `json:"uci"`
	Squares    []string        `json:"squares"`
	FENBefore  *string         `json:"fen_before"`
	FENAt      *string         `json:"fen_at"`
	Window     Window          `json:"window"`
	Alert      string          `json:"alert"`
	Evidence   []int64         `json:"evidence"`
	Decided    *string         `json:"decided"`
	Timeline   []Change        `json:"timeline,omitempty"`
	InAir      string          `json:"in_air,omitempty"`
	Timing     string          `json:"timing,omitempty"`     // of a report of two hands: timing evidence for and against
	TimingSay  *words.Sentence `json:"timing_say,omitempty"` // timing in every language
	Say        *words.Sentence `json:"say,omitempty"`        // reason in every language; nil: of an older program
}

// Window is a time: not before Lo and not after Hi.
type Window struct {
	Lo Seconds `json:"lo"`
	Hi Seconds `json:"hi"`
}

// Ruling is the action that the arbiter may take about a finding.
type Ruling struct {
	Head
	Finding           string   `json:"finding"`
	Profile           string   `json:"profile"`
	Kind              string   `json:"kind"`
	Position          *string  `json:"position"`
	PositionFEN       *string  `json:"position_fen"`
	MustPlay          []string `json:"must_play"`
	Bonus             Given    `json:"bonus"`
	TakeBackIncrement Given    `json:"take_back_increment"`
	ClocksToSet       *Sides   `json:"clocks_to_set"`
	RunClock          *string  `json:"run_clock"`
	StrikesAfter      Sides    `json:"strikes_after"`
	Result            *string  `json:"result"`
	Deadline          *string  `json:"deadline"`
	Text              string   `json:"text"`
	Until             *string  `json:"until"`
	UntilSide         *string  `json:"until_side"`
	StrikesBefore     Sides    `json:"strikes_before"`
	StrikesToLose     int      `json:"strikes_to_lose"`
	Advice            *string  `json:"advice"`
	Mate              *Mate    `json:"mate"`

	Say         *words.Sentence `json:"say,omitempty"`          // text in every language; nil: of an older program
	DeadlineSay *words.Sentence `json:"deadline_say,omitempty"` // deadline in every language
}

// Mate says whether the side that would win can ever mate.
type Mate struct {
	Side    string   `json:"side"`
	Verdict string   `json:"verdict"`
	Reason  string   `json:"reason"`
	Line    []string `json:"line"`
	FEN     string   `json:"fen"`
	Text    string   `json:"text"`

	Say *words.Sentence `json:"say,omitempty"` // text in every language
}

// Health is a note about the link, the board or the record.
type Health struct {
	Head
	What   string `json:"what"`
	Detail string `json:"detail"`
	FEN    string `json:"fen,omitempty"` // the position from which the game continues

	Say *words.Sentence `json:"say,omitempty"` // detail in every language; nil: a name, an error of the system, older words
}

// NotKnown is a span of unknown plies; ply_to is null if not even their number is known. If the game has ended with
// them and no position after them is known, fen is left out and side_to_move is empty.
type NotKnown struct {
	Health
	PlyFrom    int    `json:"ply_from"`
	PlyTo      *int   `json:"ply_to"`
	SideToMove string `json:"side_to_move"`
	FENBefore  string `json:"fen_before"` // before the first of them
}

// Filled is the plies that a person or the board's own log has filled in for the span that begins at ply_from. Without
// moves, they were removed again.
type Filled struct {
	Health
	PlyFrom int    `json:"ply_from"`
	Moves   []Ply  `json:"moves"`
	By      string `json:"by,omitempty"` // log; "": a person
}

// Ply is one ply that was filled in.
type Ply struct {
	UCI   string `json:"uci"`
	SAN   string `json:"san"`
	Clock *int   `json:"clock,omitempty"` // the player's time in seconds when the move was pressed, from the board's log
}

// Hands is the evidence of timing about one capture, castling or promotion (docs/hands.md). It alerts nobody.
type Hands struct {
	Head
	Ply        int      `json:"ply"`
	Side       string   `json:"side"`
	UCI        string   `json:"uci"`
	Kind       string   `json:"kind"`
	Play       string   `json:"play"`
	Raw        *Nats    `json:"raw"`        // of the model
	LLR        *Nats    `json:"llr"`        // calibrated, before the cap
	Confidence *PPM     `json:"confidence"` // with prior and cap
	Abstained  *string  `json:"abstained"`
	InAir      string   `json:"in_air"`
	Suspected  bool     `json:"suspected"`
	Windows    []Change `json:"windows"`
	Later      bool     `json:"later,omitempty"`  // sent again: the scan was not known when the move was made
	Unreported string   `json:"untold,omitempty"` // board: suspected, and not reported because suspicions were paused
}

// Change is the time of a change of one square: not before lo and not after hi.
type Change struct {
	Square string  `json:"square"`
	Piece  string  `json:"piece"`
	Lift   bool    `json:"lift"`
	Seen   bool    `json:"seen"` // false: the change was never reported by itself
	Lo     Seconds `json:"lo"`
	Hi     Seconds `json:"hi"`
}

// Scan is the health line about the board's scan.
type Scan struct {
	Health
	ScanWire
}

// ScanWire has the fields of Scan beside those of Health.
type ScanWire struct {
	PeriodMS Seconds `json:"period_ms"`
	Order    string  `json:"order"`
	Fit      Nats    `json:"fit"`
	Moves    int     `json:"moves"`
	Hands    string  `json:"hands"`
	Verdict  string  `json:"verdict"` // new, judged, record_only, not_judged
}

// HandsHeld is the health line about suspicions that are paused, or reported again.
type HandsHeld struct {
	Health
	Scope   string `json:"scope"` // board; a journal of an earlier program may also name a player
	Held    bool   `json:"held"`
	Unusual int    `json:"unusual"`
	Of      int    `json:"of"` // number of judged ones
}
