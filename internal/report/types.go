package report

import (
	"encoding/json"
	"strings"

	"boardwatchd/internal/live"
	"boardwatchd/internal/record"
	"boardwatchd/internal/said"
)

// Options choose the content of a report.
type Options struct {
	Lang      string // of the HTML
	Anonymous bool   // no names, no offences
	Board     string // with Game: only of this board; "": of all boards
	Game      int    // only this game; 0: all
	PGN       bool   // with the moves
	Played    bool   // without games that have no move, no result and no finding
	// Called returns the name to show for the board of a file, and its table if that is known; nil: the board's own
	// name.
	Called func(file, board string) (shown, table string)
}

// A Report is one round.
type Report struct {
	Type      string     `json:"type"` // report
	Event     string     `json:"event"`
	Round     string     `json:"round"`
	Anonymous bool       `json:"anonymous"`
	Journals  []*Journal `json:"journals"`
	Strikes   []Strikes  `json:"strikes"` // of each player, over all rounds that were read
	Unread    []Unread   `json:"unread"`

	opt Options
}

// Unread is a file that could not be included in the report.
type Unread struct {
	File   string `json:"file"`
	Detail string `json:"detail"`
}

// A Journal is one board's record of the round.
type Journal struct {
	Board       string    `json:"board"`
	Table       string    `json:"table,omitempty"` // its present table, if that is known; a game has its own
	File        string    `json:"file"`
	Journal     string    `json:"journal"`
	State       string    `json:"state"`   // closed, unclosed, torn, corrupt; capture
	WallMS      int64     `json:"wall_ms"` // of its beginning, by the clock of the computer; 0: not known
	Software    []string  `json:"software"`
	Core        []string  `json:"core"`
	Serial      string    `json:"serial"` // of the board
	TimeControl string    `json:"time_control"`
	Profile     string    `json:"profile"` // as configured
	Rules       []Rules   `json:"rules"`   // the sets that were in force
	Head        *Head     `json:"head"`    // null: no journal
	Games       []Game    `json:"games"`
	Findings    []Finding `json:"findings"` // in the order of their first report
	Entered     []Entry   `json:"entered"`  // by people, in order
	Spans       []Span    `json:"spans"`
	Health      []Health  `json:"health"`
	Damage      []string  `json:"damage"`
	LeftOut     *LeftOut  `json:"left_out,omitempty"` // nil: nothing

	event, round string
	path         string     // of the file
	last         record.Seq // that was read
}

// A Head names the last record that was read: verify --head takes Text.
type Head struct {
	Journal string `json:"journal"`
	Seq     int64  `json:"seq"`
	Chain   string `json:"chain"`
}

// Text returns the printed form, which the QR code has too.
func (h Head) Text() string {
	return strings.TrimSpace(jsonInt(h.Seq) + ":" + h.Chain + " " + h.Journal)
}

// LeftOut counts what a journal has and the report does not, because there is too much of it.
type LeftOut struct {
	Findings int `json:"findings"` // the oldest that wait for nobody
	Entered  int `json:"entered"`  // the last ones
	Spans    int `json:"spans"`    // the oldest
	Health   int `json:"health"`   // reports of the board and its link, of kinds that came last
}

// Rules is a rule set in force, and the keys in which it differs from the program's rule set of that name.
type Rules struct {
	Name        string       `json:"name"`
	Title       string       `json:"title"`
	Edition     string       `json:"edition"`
	Own         bool         `json:"own"` // the program has no rule set of that name
	Differences []Difference `json:"differences"`
}

// A Difference is one local rule.
type Difference struct {
	Key   string          `json:"key"`
	Value json.RawMessage `json:"value"`
	Usual json.RawMessage `json:"usual"`
}

// A Game is one game of a journal.
type Game struct {
	Board         string      `json:"board"`
	Table         string      `json:"table,omitempty"`
	Game          int         `json:"game"`
	White         string      `json:"white"`
	Black         string      `json:"black"`
	Chess960      bool        `json:"chess960"`
	Result        live.Word   `json:"result"` // null: none was reported
	By            live.Word   `json:"by"`
	Plies         int         `json:"plies"`
	Clock         *said.Sides `json:"clock"` // at the last move, press or result; null: not known
	Profile       live.Word   `json:"profile"`
	Strikes       said.Sides  `json:"strikes"`
	StrikesToLose int         `json:"strikes_to_lose"`
	WallMS        int64       `json:"wall_ms"` // of its beginning
	PGN           string      `json:"pgn,omitempty"`

	// WhiteID and BlackID are the players' ids in the journal.
	WhiteID string `json:"-"`
	BlackID string `json:"-"`

	of         string // the board, different for each journal's directory and own name
	event      string // the event in which it was last reported, at that time of the journal
	at         int64
	begins     bool         // from the array, so that it is no game that goes on
	otherEvent bool         // it does not belong to the last event that the journal names
	began      record.Chain // at its first record, of a journal
}

// A Finding is one finding with its ruling, the decision and its time line.
type Finding struct {
	Board string `json:"board"`
	Game  int    `json:"game"`
	// Decided is the last decision; null: none. Open: the finding was left to a person, who has not decided.
	Decided live.Word `json:"decided"`
	Open    bool      `json:"open"`
	live.Item

	f   said.Finding
	r   *said.Ruling
	any said.Any
}

// A Span is a sequence of unknown plies of one board.
type Span struct {
	Board string `json:"board"`
	live.Span
}

// Health is the number of reports of one kind about the board or its link.
type Health struct {
	What  string       `json:"what"`
	Times int          `json:"times"`
	First said.Seconds `json:"first"`
	Last  said.Seconds `json:"last"`
	// Detail is that of the last report.
	Detail string `json:"detail"`
	any    said.Any
}

// Strikes are the strikes of one player.
type Strikes struct {
	Player string   `json:"player"`
	Shared bool     `json:"shared_name,omitempty"` // of one board only: two boards of a round have this name
	Total  int      `json:"total"`
	Games  []Struck `json:"games"`
}

// Struck is one game of a player.
type Struck struct {
	Round   string `json:"round"`
	Board   string `json:"board"`
	Game    int    `json:"game"`
	Side    string `json:"side"`
	Strikes int    `json:"strikes"`
}
