package said

import (
	"encoding/json"

	"boardwatchd/rules/kinds"
	"boardwatchd/rules/words"
)

// Any has the fields of every object that a reader of them all needs; those that an object does not have stay empty, and null
// is empty.
type Any struct {
	Head
	FEN         string `json:"fen"`
	Reversed    bool   `json:"reversed"`
	Chess960    bool   `json:"chess960"`
	Ply         int    `json:"ply"`
	Side        string `json:"side"`
	UCI         string `json:"uci"`
	SAN         string `json:"san"`
	Clock       *Sides `json:"clock"`
	CommittedBy string `json:"committed_by"`
	Corrects    bool   `json:"corrects"`
	Illegal     bool   `json:"illegal"`
	Finding     string `json:"finding"` // of a move that stood, of a ruling
	FENAfter    string `json:"fen_after"`
	Judged      string `json:"judged"`
	Result      string `json:"result"`
	By          string `json:"by"`
	State       string `json:"state"`
	What        string `json:"what"`
	Detail      string `json:"detail"`
	PlyFrom     int    `json:"ply_from"`

	Say *words.Sentence `json:"say"` // of a finding, a ruling, a health line

	// Moves is a list of Ply in what was filled in, a number in a scan.
	Moves json.RawMessage `json:"moves"`

	ID       string          `json:"id"`
	Kind     kinds.Kind      `json:"kind"` // of a ruling, and of hands, a word of their own
	Proof    string          `json:"proof"`
	Alert    string          `json:"alert"`
	Reason   string          `json:"reason"`
	Articles []string        `json:"articles"`
	Edition  string          `json:"edition"`
	Window   Window          `json:"window"`
	Decided  json.RawMessage `json:"decided"` // absent in what an older program said
	Timeline []Change        `json:"timeline"`
	InAir    string          `json:"in_air"`

	Profile      string   `json:"profile"`
	Text         string   `json:"text"`
	Position     string   `json:"position"`
	PositionFEN  string   `json:"position_fen"`
	MustPlay     []string `json:"must_play"`
	Bonus        Given    `json:"bonus"`
	TakeBack     Given    `json:"take_back_increment"`
	ClocksToSet  *Sides   `json:"clocks_to_set"`
	RunClock     string   `json:"run_clock"`
	Deadline     string   `json:"deadline"`
	Until        string   `json:"until"`
	StrikesAfter Sides    `json:"strikes_after"`
}

// Decision is what a finding says was decided; "": nothing, or nothing is said about it.
func (a *Any) Decision() string {
	word := ""
	if a.Decided != nil {
		_ = json.Unmarshal(a.Decided, &word) // null, or no word: not decided
	}
	return word
}

// Plies are those that were filled in.
func (a *Any) Plies() (list []Ply) {
	if a.Moves != nil {
		_ = json.Unmarshal(a.Moves, &list) // a number is no list
	}
	return list
}
