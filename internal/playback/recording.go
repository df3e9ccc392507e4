package playback

import (
	"encoding/json"
	"strconv"

	"boardwatchd/internal/said"
	"boardwatchd/rules/legal"
)

// A Recording is the data of one recording for the replay page.
type Recording struct {
	Board   string     `json:"board"`
	Journal string     `json:"journal"`
	Event   string     `json:"event"`
	Round   string     `json:"round"`
	Core    string     `json:"core"`    // the revision of the core that judged
	Wall    [][2]int64 `json:"wall"`    // milliseconds since 1970: from t on
	Games   []*Game    `json:"games"`   // those in which a piece was moved; if there is none, the only game
	Seq     int64      `json:"seq"`     // of the last record
	Damage  []string   `json:"damage"`  // unreadable parts, in English, in the words of verify
	WhatIf  *WhatIf    `json:"what_if"` // null: not requested
}

// A Game has the events from its beginning to that of the next one.
type Game struct {
	Game      int               `json:"game"` // its number in the recording
	White     string            `json:"white"`
	Black     string            `json:"black"`
	Result    string            `json:"result"` // "": none
	By        string            `json:"by"`
	Profile   string            `json:"profile"` // of the last ruling; "": none
	From      int64             `json:"from"`
	To        int64             `json:"to"`
	Plies     int               `json:"plies"`
	Placement string            `json:"placement"` // at the beginning; "": unknown
	FEN       string            `json:"fen"`       // of the record at the beginning; "": unknown
	Touches   []Touch           `json:"touches"`
	Presses   []Press           `json:"presses"`
	Positions []Position        `json:"positions"`
	Clock     []int64           `json:"clock"`
	Away      [][2]int64        `json:"away"`
	Moves     []json.RawMessage `json:"moves"` // even those that were taken back or reported again
	Results   []json.RawMessage `json:"results"`
	Notes     []json.RawMessage `json:"notes"` // health, and moves that were taken back
	Findings  []*Finding        `json:"findings"`

	last [5]int64 // the last row of Clock
}

// A Finding is a finding with its ruling, alert, states and decisions.
type Finding struct {
	Finding   json.RawMessage `json:"finding"` // as last reported
	Ruling    json.RawMessage `json:"ruling"`  // the last one that came in time for an action
	After     json.RawMessage `json:"after"`   // the last one that came too late, or after the decision; null: none
	Alert     string          `json:"alert"`   // the strongest level it had, even if it is too late for an action now
	States    []State         `json:"states"`
	Decisions []Decision      `json:"decisions"`

	t      int64 // end of the window
	head   said.Any
	ruling said.Any
}

// MarshalJSON adds the time of the event.
func (f *Finding) MarshalJSON() ([]byte, error) {
	type plain Finding
	return json.Marshal(struct {
		T int64 `json:"t"`
		*plain
	}{f.t, (*plain)(f)})
}

// A State is a state into which a finding changed.
type State struct {
	Seq   int64
	T     int64
	State string
}

// MarshalJSON writes a row.
func (s State) MarshalJSON() ([]byte, error) { return newRow(s.Seq, s.T).text(s.State).end() }

// A Decision is a person's decision about a finding.
type Decision struct {
	Seq      int64  `json:"seq"`
	T        int64  `json:"t"`
	Decision string `json:"decision"`
	By       string `json:"by"`
	Note     string `json:"note"`
	WallMS   int64  `json:"wall_ms"`
}

// A Touch is a change of one square, or without a square the whole board.
type Touch struct {
	Seq, T, Width int64
	Square        string
	Was, Is       string
	Dump          bool
}

// MarshalJSON writes a row.
func (x Touch) MarshalJSON() ([]byte, error) {
	r := newRow(x.Seq, x.T).number(x.Width).text(x.Square).text(x.Was).text(x.Is)
	if x.Dump {
		r = r.number(1)
	}
	return r.end()
}

// A Press is a press, or a movement of the lever.
type Press struct {
	Seq, T, Width int64
	Side          string
	Judged        string
}

// MarshalJSON writes a row.
func (p Press) MarshalJSON() ([]byte, error) {
	return newRow(p.Seq, p.T).number(p.Width).text(p.Side).text(p.Judged).end()
}

// A Position is the position of the record from a time on.
type Position struct {
	Seq, T int64
	FEN    string
}

// MarshalJSON writes a row.
func (p Position) MarshalJSON() ([]byte, error) { return newRow(p.Seq, p.T).text(p.FEN).end() }

// cells is a row that is being written.
type cells []byte

func newRow(seq, t int64) cells {
	b := strconv.AppendInt(cells{'['}, seq, 10)
	return cells(b).number(t)
}

func (c cells) number(n int64) cells { return strconv.AppendInt(append(c, ','), n, 10) }

func (c cells) text(s string) cells {
	b, err := json.Marshal(s)
	if err != nil {
		panic("playback: internal error: " + err.Error()) // of a string
	}
	return append(append(c, ','), b...)
}

func (c cells) end() ([]byte, error) { return append(c, ']'), nil }

// A reading is the display of a clock.
type reading struct {
	white, black int
	running      string
}

// read adds a reading.
func (g *Game) read(seq, t int64, r reading) {
	next := [5]int64{seq, t, int64(r.white), int64(r.black), 0}
	switch r.running {
	case legal.White.String():
		next[4] = 1
	case legal.Black.String():
		next[4] = 2
	}
	for i := range next {
		g.Clock = append(g.Clock, next[i]-g.last[i])
	}
	g.last = next
}
