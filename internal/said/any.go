package said

import (
	"encoding/json"

	"boardwatchd/rules/kinds"
	"boardwatchd/rules/words"
)

// Brief has the fields of every object that make up the state of a board. Fields that an object lacks stay empty, and
// null is empty. Sentences and evidence are left out, because decoding them takes longer than all the rest.
type Brief struct {
	Head
	FEN         string `json:"fen"`
	Reversed    bool   `json:"reversed"`
	Chess960    bool   `json:"chess960"`
	Ply         int    `json:"ply"`
	Side        string `json:"side"`
	UCI         string `json:"uci"`
	SAN         string `json:"san"`
	CommittedBy string `json:"committed_by"`
	Corrects    bool   `json:"corrects"`
	Finding     string `json:"finding"` // of a move that stood, of a ruling
	FENAfter    string `json:"fen_after"`
	Judged      string `json:"judged"`
	Result      string `json:"result"`
	By          string `json:"by"`
	State       string `json:"state"`
	What        string `json:"what"`
	Detail      string `json:"detail"`
	PlyFrom     int    `json:"ply_from"`

	// Moves is a list of Ply in an object about plies that were filled in, and a number in a scan.
	Moves json.RawMessage `json:"moves"`

	ID      string          `json:"id"`
	Kind    kinds.Kind      `json:"kind"` // of a ruling; of hands, a word of their own
	Proof   string          `json:"proof"`
	Alert   string          `json:"alert"`
	Window  Window          `json:"window"`
	Decided json.RawMessage `json:"decided"` // absent in the output of an older program

	Profile      string   `json:"profile"`
	Position     string   `json:"position"`
	MustPlay     []string `json:"must_play"`
	Until        string   `json:"until"`
	StrikesAfter Sides    `json:"strikes_after"`

	StrikesBefore Sides `json:"strikes_before"`
	StrikesToLose int   `json:"strikes_to_lose"`
}

// Any has the fields that a reader of all objects needs.
type Any struct {
	Brief
	Clock   *Sides `json:"clock"`
	Illegal bool   `json:"illegal"`

	Say *words.Sentence `json:"say"` // of a finding, a ruling, a health line

	Reason   string   `json:"reason"`
	Articles []string `json:"articles"`
	Edition  string   `json:"edition"`
	Timeline []Change `json:"timeline"`
	InAir    string   `json:"in_air"`

	Text        string `json:"text"`
	PositionFEN string `json:"position_fen"`
	Bonus       Given  `json:"bonus"`
	TakeBack    Given  `json:"take_back_increment"`
	ClocksToSet *Sides `json:"clocks_to_set"`
	RunClock    string `json:"run_clock"`
	Deadline    string `json:"deadline"`
}

// Decision returns the decision in a finding; "": none, or the finding does not state it.
func (a *Brief) Decision() string {
	word := ""
	if a.Decided != nil {
		_ = json.Unmarshal(a.Decided, &word) // null, or no word: not decided
	}
	return word
}

// Plies returns the plies that were filled in.
func (a *Brief) Plies() (list []Ply) {
	if a.Moves != nil {
		_ = json.Unmarshal(a.Moves, &list) // a number is no list
	}
	return list
}
