package live

import (
	"encoding/json"

	"boardwatchd/internal/said"
	"boardwatchd/internal/watch"
	"boardwatchd/rules/words"
)

// A Word is a text that is null in JSON if empty: not known, or none.
type Word string

// MarshalJSON writes null for the empty word.
func (w Word) MarshalJSON() ([]byte, error) {
	if w == "" {
		return []byte("null"), nil
	}
	return json.Marshal(string(w))
}

// Info holds the data of a board before it is watched.
type Info struct {
	Journal string // the name of its journal
	Rate    int64  // speed of its time line relative to real time; 0 is 1
}

// A Summary is one line of the overview of all boards.
type Summary struct {
	Board string `json:"board"`
	Table string `json:"table,omitempty"` // its table, if one was assigned
	// Name is the name that people use if there is no table and Board is another name. It lacks the name of the
	// computer, unless another board has the same name or the table of that number.
	Name         string `json:"name,omitempty"`
	Watching     bool   `json:"watching"`
	Gone         bool   `json:"gone,omitempty"` // in a hall: its computer has left or lost it
	Health       Health `json:"health"`
	HealthWhat   string `json:"health_what"`   // the word of a health object (said.Health.What), or one of this package
	HealthDetail string `json:"health_detail"` // a sentence for the operator
	// HealthSay is HealthDetail in every language; nil: the detail is a name or an error of the system.
	HealthSay     *words.Sentence `json:"health_say,omitempty"`
	HealthDo      *words.Sentence `json:"health_do,omitempty"` // advice, a key of the page's texts; nil: none
	Link          string          `json:"link"`                // up, down, silent, wrong_board, unknown
	Journal       string          `json:"journal"`             // ok, degraded
	Game          int             `json:"game"`
	Round         Word            `json:"round"` // of its journal; null: not named
	Playing       bool            `json:"playing"`
	Paused        bool            `json:"paused"`               // by a person: nothing is judged meanwhile
	AppendixD     bool            `json:"appendix_d,omitempty"` // a person has said so: hands and touch-move are not judged
	Assistant     bool            `json:"assistant,omitempty"`
	NoTouch       bool            `json:"no_touch,omitempty"` // a person has said that touch-move alone is not judged
	Result        Word            `json:"result"`
	Signed        bool            `json:"signed"` // by both players: the decisions about this game stay
	Ply           int             `json:"ply"`
	Turn          Word            `json:"turn"`
	Last          Word            `json:"last"`
	LastUCI       Word            `json:"last_uci"`
	FEN           Word            `json:"fen"`
	Placement     Word            `json:"placement"`
	Reversed      bool            `json:"reversed"`
	WhiteClock    string          `json:"-"` // White's side of the clock, left or right; "": not known
	Chess960      bool            `json:"chess960"`
	Clock         *Clock          `json:"clock"`
	ClockSides    *ClockSides     `json:"clock_sides"` // null: Clock has the times, nothing was read, or the clock runs
	Names         *Names          `json:"names"`
	Profile       Word            `json:"profile"`
	Strikes       Sides           `json:"strikes"`
	StrikesToLose int             `json:"strikes_to_lose"`
	Finish        *Finish         `json:"finish"` // null: the game continues, or a person has entered the result
	Open          int             `json:"open"`   // findings that wait for a person
	Scan          *Scan           `json:"scan"`   // null: not known yet
	T             float64         `json:"t"`      // seconds on the board's time line
	WallMS        int64           `json:"wall_ms"`
	StoodMS       int64           `json:"stood_ms"` // wall time at which the clock was last not known to run: a later decision is not carried out yet
	Rate          int64           `json:"rate"`
}

// A Finish asks whether the game is over: the clock is stopped, or the board or the clock shows a result.
type Finish struct {
	Since  float64 `json:"since"`  // seconds on the board's time line: when the clock was stopped
	Result Word    `json:"result"` // null: no result is shown
	By     Word    `json:"by"`     // as in the result object, from mate to piece; null: only the clock is stopped
}

// Health is one word for the quality of the watching of a board.
type Health string

// The words of Health.
const (
	Good Health = "ok"
	Warn Health = "warn"
	Bad  Health = "bad"
)

// A Clock is the clock as last read.
type Clock struct {
	White   int     `json:"white"`
	Black   int     `json:"black"`
	Running Word    `json:"running"`
	Age     float64 `json:"age"` // seconds since the reading
}

// ClockSides is the display of a stopped clock of which it is not known which side is White's.
type ClockSides struct {
	Left  int `json:"left"`
	Right int `json:"right"`
}

// Scan describes the board's scan, and whether its timing is judged for two hands.
type Scan struct {
	PeriodMS int     `json:"period_ms"`
	Order    string  `json:"order"` // raster, raster reversed, columns, columns reversed, batch, unknown
	Fit      float64 `json:"fit"`   // 0 to 1
	Moves    int     `json:"moves"`
	Hands    string  `json:"hands"` // judged, record_only, not_judged
	Held     string  `json:"held"`  // side with too many suspicions, held back: white, black, both, board; "": none
}

// Names are the names of the players.
type Names struct {
	White string `json:"white"`
	Black string `json:"black"`
}

// Sides is a number for each side.
type Sides = said.Sides

// A State holds all data of one board. It contains every event up to Last and none after it.
type State struct {
	Epoch    string            `json:"epoch"`
	Last     string            `json:"last"`
	Board    Summary           `json:"board"`
	Journal  string            `json:"journal"`  // its name: findings of another one may have the same ids
	Moves    []json.RawMessage `json:"moves"`    // the move objects of the current game
	Findings []Item            `json:"findings"` // newest first
	Health   []json.RawMessage `json:"health"`   // the last health objects, oldest first
	Spans    []Span            `json:"spans"`    // of unknown plies, also in earlier games, the oldest first
	Dropped  Dropped           `json:"-"`
}

// Dropped counts what is no longer held of a board because there was too much of it.
type Dropped struct{ Findings, Spans int }

// A Span is a sequence of unknown plies, with those that a person or the board's own log has filled in.
type Span struct {
	Game       int        `json:"game"`
	PlyFrom    int        `json:"ply_from"`
	PlyTo      *int       `json:"ply_to"` // null: not even their number is known
	SideToMove string     `json:"side_to_move"`
	FENBefore  string     `json:"fen_before"`
	FEN        string     `json:"fen"`  // after them; "": the game has ended with them, and that position is not known
	Rows       [][]string `json:"rows"` // SAN: all possible rows of plies, if they are few; else none
	Moves      []Filled   `json:"moves"`
	By         string     `json:"by,omitempty"` // log: filled in by the board's log; "": by a person

	of       watch.Span
	reported remark
}

// Filled is one ply that was filled in.
type Filled = said.Ply

// An Item is one finding with all its data.
type Item struct {
	Finding          json.RawMessage `json:"finding"`
	Ruling           json.RawMessage `json:"ruling"` // null: none
	Decisions        []Decision      `json:"decisions"`
	Alert            json.RawMessage `json:"alert"` // null here: the serving room fills it in
	Timeline         []Moment        `json:"timeline"`
	TimelineComplete bool            `json:"timeline_complete"` // false: touches are missing in it
	ClockAt          *Sides          `json:"clock_at"`          // the clock at the press; null: not known
	WallMS           int64           `json:"wall_ms"`           // of the end of the window; 0: not known

	ID    string `json:"-"`
	Seq   int64  `json:"-"` // of the last finding or ruling: the state that a decision refers to
	Since int64  `json:"-"` // the Seq since which its meaning for a decision is the same
	Waits bool   `json:"-"` // for a person
}

// A Decision is the arbiter's decision about a finding, as an event and in an Item.
type Decision struct {
	Type     string  `json:"type"` // decision
	Board    string  `json:"board"`
	Seq      int64   `json:"seq"`
	T        float64 `json:"t"`
	Finding  string  `json:"finding"`
	Decision string  `json:"decision"`
	By       string  `json:"by"`
	Note     string  `json:"note"`
	Request  string  `json:"request"`
	WallMS   int64   `json:"wall_ms"`
}

// A Moment is one entry of a finding's time line: a square that changed, or a press.
type Moment struct {
	T      float64 `json:"t"`    // seconds: not after
	Lo     float64 `json:"lo"`   // seconds: not before
	What   string  `json:"what"` // lift, place, replace, press
	Square string  `json:"square"`
	Was    string  `json:"was"` // the letter of a FEN, "" for an empty square
	Is     string  `json:"is"`
	Side   string  `json:"side"`           // press: its side
	Judged string  `json:"judged"`         // press: its judgement
	Dump   bool    `json:"dump,omitempty"` // a dump of the board showed the change, no field update
	Seq    int64   `json:"seq"`
}

// An Event is one entry of the feed.
type Event struct {
	ID    string // EPOCH-N; "": volatile, not stored
	Name  string
	Board string // "": concerns no board
	Data  []byte // JSON, shared by all followers: not to be changed
	At    int64  // its time by Boards.Now in nanoseconds
}

// Stats are counts for the metrics.
type Stats struct {
	Boards    []BoardStats // in the order in which they were added
	Findings  []FindingCount
	Decisions []DecisionCount
	Followers int
	Events    uint64 // durable events published since the start
}

// BoardStats are the counts of one board.
type BoardStats struct {
	Board    string
	Watching bool
	Health   Health
	Frames   int64
	Garbage  int64
	LateUS   int64 // total time for which this program stood still
	LeftOut  int64 // bytes of garbage of which the journal has only the number
	Losses   int64 // of the link, since the start
	Degraded bool  // the journal
	Open     int   // findings that wait for a person
	Hands    []HandsCount
}

// HandsCount is the number of manipulations of a kind that were judged by their timing, those of the journal included.
type HandsCount struct {
	Kind string // capture, castling, promotion
	watch.HandsView
}

// FindingCount is the number of findings that have entered a state since the start.
type FindingCount struct {
	Kind, State string
	N           uint64
}

// DecisionCount is the number of decisions of a kind since the start.
type DecisionCount struct {
	Decision string
	N        uint64
}
