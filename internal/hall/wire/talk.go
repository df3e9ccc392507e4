package wire

import "encoding/json"

// A BeatBody is what a computer says of itself, every BeatEvery and at each change.
type BeatBody struct {
	Version string      `json:"version"`
	Core    string      `json:"core"` // revision of the core
	Boards  []BoardBeat `json:"boards"`
	// Has are the boards that the configuration names or that are watched; nil: the program is older and does not say.
	Has []string `json:"has"`
	// Names are what the ids of players in the journals of these boards stand for.
	Names map[string]string `json:"names,omitempty"`
	// Round marks the round that the computer has taken from the hall; "": none.
	Round string `json:"round,omitempty"`
	Over  bool   `json:"over,omitempty"` // the program ends in order
	Left  bool   `json:"left,omitempty"` // with Over: the computer is not one of the hall any more
	// Between says that this is no beat: it has what there is new of some boards (Counted) between two.
	Between bool `json:"between,omitempty"`
	Self
}

// A Self is what the operator's list says of a computer. A program that is older leaves out what it does not know.
type Self struct {
	Run    string `json:"run,omitempty"`     // of this process: another one after each start
	Boot   string `json:"boot,omitempty"`    // of this run of the computer's system
	Host   string `json:"host,omitempty"`    // the computer's own name
	WallMS int64  `json:"wall_ms,omitempty"` // its clock when this was sent
	Free   *int64 `json:"free,omitempty"`    // bytes that the disk of the journals has room for
	Due    *Due   `json:"due,omitempty"`     // journals that will be removed there; nil: none
}

// A Due is what a computer has announced to remove.
type Due struct {
	Journals int   `json:"journals"`
	Bytes    int64 `json:"bytes"`
	Days     int   `json:"days"` // until the first one can go; 0: it can today
}

// A Place is which board answers for a name, and where.
type Place struct {
	Serial string `json:"serial,omitempty"` // as the board itself says it; "": it does not answer
	Wants  string `json:"wants,omitempty"`  // the number that the configuration names
	Port   string `json:"port,omitempty"`
	// Other is the number of another board that answers at its port.
	Other string `json:"other,omitempty"`
	// Stray is a board that nobody watches, and its port, while none answers at the port of this one.
	Stray     string `json:"stray,omitempty"`
	StrayPort string `json:"stray_port,omitempty"`
}

// A BoardBeat is a board that is watched now.
type BoardBeat struct {
	Board   string `json:"board"`
	Journal string `json:"journal"`
	Head    string `json:"head,omitempty"` // journal.Head as text: what is on the board's disk
	// Trouble is why the disk does not take the journal: what the board says now is in its computer's memory, and the
	// hall cannot have it.
	Trouble string `json:"trouble,omitempty"`
	// Damage is what could not be read of the journal when the board's program was started.
	Damage string `json:"damage,omitempty"`
	// Silent says that the computer sends no alerts of this board now, and that all it has done with them is in the
	// journal up to Head.
	Silent bool `json:"silent,omitempty"`
	// Counted is what the board's machine has concluded that no record tells (watch.Counted).
	Counted json.RawMessage `json:"counted,omitempty"`
	Place
}

// A Question is what the hall asks a computer. Only the keys that belong to Do are used.
type Question struct {
	Do      string `json:"do"`
	ID      string `json:"id"`                // of this question
	Journal string `json:"journal,omitempty"` // decide, instruct: the one that it is about; "" any
	Segment int    `json:"segment,omitempty"`
	Offset  int64  `json:"offset,omitempty"`
	Length  int64  `json:"length,omitempty"`
	Board   string `json:"board,omitempty"`
	Body    string `json:"body,omitempty"` // decide, instruct: the record's body
	Request string `json:"request,omitempty"`
	Seq     int64  `json:"seq,omitempty"`
	Mark    string `json:"mark,omitempty"` // round: what the computer says with its beats when it has taken it
}

// What the hall asks.
const (
	DoList     = "list"     // the journals and the sizes of their segments
	DoFetch    = "fetch"    // Length bytes of a segment at Offset: the data of the answer, fewer at its end
	DoSum      = "sum"      // SHA-256 of the first Length bytes of a segment
	DoDecide   = "decide"   // the arbiter's decision
	DoInstruct = "instruct" // an instruction
	DoStandby  = "standby"  // Body is what to do with alerts while the hall is away
	DoRound    = "round"    // Body is the round as people have set it
	DoSaved    = "saved"    // wait until record Seq, or that of Request, is on the disk
	// DoSpeak is no question: the hall has what Journal of Board says and sends its alerts, or will when the computer
	// is silent.
	DoSpeak = "speak"
)

// An Answer is the header of what a computer answers, as JSON in the header HAnswer; data of a fetch is the message's.
type Answer struct {
	Error    string    `json:"error,omitempty"` // one of the codes below
	Text     string    `json:"text,omitempty"`  // of an error, for the log
	Journals []Journal `json:"journals,omitempty"`
	Sum      string    `json:"sum,omitempty"`
	Size     int64     `json:"size,omitempty"`    // of the segment
	Seq      int64     `json:"seq,omitempty"`     // decide, instruct: the record's
	Journal  string    `json:"journal,omitempty"` // decide, instruct, saved: the one that has it, where the board does not write it any more
	Head     string    `json:"head,omitempty"`
}

// A Journal is one of a computer's journals.
type Journal struct {
	Name     string    `json:"name"`
	Board    string    `json:"board"`
	Segments []Segment `json:"segments"`
}

// A Segment is one file of a journal; one that was compressed is left out.
type Segment struct {
	Number int   `json:"number"`
	Size   int64 `json:"size"`
}

// The codes of errors.
const (
	ENoBoard  = "no_board"  // the board is not watched at this moment, and its journal does not have the request
	EReading  = "reading"   // likewise, and what its journal has is not known
	ENotSaved = "not_saved" // in force, and not on the disk yet
	ELost     = "lost"      // the disk did not take it and never will
	EUnsure   = "unsure"    // it may have been taken or not
	ERefused  = "refused"   // the question itself
	EDisk     = "disk"      // a file of the computer's own could not be written: it is asked again
	ENone     = "none"      // there is no such file, or it cannot be read
	EOther    = "other"     // the request is in no journal and never will be: the board writes another one, or it cannot count
)

// A JoinBody is what the holder of an invitation sends.
type JoinBody struct {
	Key  string `json:"key"`            // public, of the computer
	Host string `json:"host,omitempty"` // what the computer calls itself
}

// A JoinAnswer says whether the computer is in.
type JoinAnswer struct {
	Error string `json:"error,omitempty"`
	Event string `json:"event,omitempty"` // the hall's, for the person who joins
	Waits bool   `json:"waits,omitempty"` // it is not in until somebody accepts it: ask again
	Name  string `json:"name,omitempty"`  // by which it was accepted
}
