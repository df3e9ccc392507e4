package lab

import (
	"bytes"
	"encoding/json"

	"boardwatchd/rules/legal"
)

// Do is the word of a label among the instructions of a journal.
const Do = "label"

// Event is what a label says.
type Event string

// The events of a session.
const (
	Begin     Event = "begin"     // protocol, seed, people; again after every restart
	BlockOn   Event = "block"     // the pieces stand; who performs
	Sync      Event = "sync"      // the operator has tapped and pressed the lever: the mark for the film
	Shown     Event = "card"      // from here on the card can be done
	Done      Event = "done"      // … and here it was, with what the deed is
	Void      Event = "void"      // the deed of this card does not count: not done as asked
	Otherwise Event = "otherwise" // other pieces or squares than asked; offered again
	Skipped   Event = "skip"
	Paused    Event = "pause"
	Resumed   Event = "resume"
	End       Event = "end"
)

// A Label is the body of an instruction that the core does not know, and keeps.
type Label struct {
	Do    string `json:"do"`
	Event Event  `json:"event"`

	Protocol *Protocol `json:"protocol,omitempty"` // begin: the whole of it, so that a journal needs no other file
	Seed     uint64    `json:"seed,omitempty"`
	Operator string    `json:"operator,omitempty"`
	Players  []string  `json:"players,omitempty"`
	Made     string    `json:"made,omitempty"` // generated people: which; empty: real ones

	Block     int    `json:"block,omitempty"` // from 1
	Card      string `json:"card,omitempty"`
	Attempt   int    `json:"attempt,omitempty"`
	Performer string `json:"performer,omitempty"`
	Resetter  string `json:"resetter,omitempty"`

	What     What   `json:"what,omitempty"`
	Kind     string `json:"kind,omitempty"`
	Two      *bool  `json:"two_hands,omitempty"` // only where a kind is
	Style    string `json:"style,omitempty"`
	Tempo    Tempo  `json:"tempo,omitempty"`
	Reversed bool   `json:"reversed,omitempty"`
	Deed     *Deed  `json:"deed,omitempty"`
	By       string `json:"by,omitempty"`   // done: board or operator
	Note     string `json:"note,omitempty"` // for people
}

// A Deed is which pieces went where. Empty: not used.
type Deed struct {
	From     string `json:"from,omitempty"`
	To       string `json:"to,omitempty"`
	Victim   string `json:"victim,omitempty"`
	RookFrom string `json:"rook_from,omitempty"`
	RookTo   string `json:"rook_to,omitempty"`
	Mover    string `json:"mover,omitempty"`
	Taken    string `json:"taken,omitempty"`
	Put      string `json:"put,omitempty"`
	Rook     string `json:"rook,omitempty"`
}

// Body is the JSON of the instruction.
func (l Label) Body() []byte {
	l.Do = Do
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(l); err != nil {
		panic("lab: internal error: label: " + err.Error()) // plain values only
	}
	// DEL stands in JSON, but not in a journal.
	return bytes.ReplaceAll(bytes.TrimRight(b.Bytes(), "\n"), []byte{0x7f}, []byte(`\u007f`))
}

// ParseLabel reads the body of an instruction; false where it is another one.
func ParseLabel(body []byte) (Label, bool) {
	if !bytes.Contains(body, []byte(`"label"`)) {
		return Label{}, false
	}
	var l Label
	if json.Unmarshal(body, &l) != nil || l.Do != Do || l.Event == "" {
		return Label{}, false
	}
	return l, true
}

// label is what a card's labels have in common.
func (c Card) label(l lane) Label {
	out := Label{Block: c.Block + 1, Card: c.ID, What: c.What, Style: c.Style, Tempo: c.Tempo, Deed: l.deed()}
	if k := c.What.Kind(); k != 0 {
		two := c.Two()
		out.Kind, out.Two = k.String(), &two
	}
	return out
}

func (l lane) deed() *Deed {
	square := func(s legal.Square) string {
		if s >= legal.NoSquare {
			return ""
		}
		return s.String()
	}
	piece := func(p legal.Piece) string {
		if p == legal.NoPiece {
			return ""
		}
		return p.String()
	}
	return &Deed{
		From: square(l.from), To: square(l.to), Victim: square(l.victim), RookFrom: square(l.rookFrom), RookTo: square(l.rookTo),
		Mover: piece(l.mover), Taken: piece(l.taken), Put: piece(l.put), Rook: piece(l.rook),
	}
}
