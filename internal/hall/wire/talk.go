package wire

import "encoding/json"

// A BeatBody is a computer's report about itself, sent every BeatEvery and at each change.
type BeatBody struct {
	Version string      `json:"version"`
	Core    string      `json:"core"` // revision of the core
	Boards  []BoardBeat `json:"boards"`
	// Has are the boards that the configuration names or that are watched; nil: an older program, which does not send
	// them.
	Has []string `json:"has"`
	// Names are the names that the ids of players in the journals of these boards stand for.
	Names map[string]string `json:"names,omitempty"`
	// Round is the mark of the round that the computer has taken from the hall; "": none.
	Round string `json:"round,omitempty"`
	Over  bool   `json:"over,omitempty"` // the program ends in an orderly way
	Left  bool   `json:"left,omitempty"` // with Over: the computer has left the hall
	// Between marks a message that is no beat: it has the changed Counted of some boards, between two beats.
	Between bool `json:"between,omitempty"`
	Self
}

// A Self is the part of a beat for the operator's list. An older program leaves out what it does not know.
type Self struct {
	Run    string `json:"run,omitempty"`     // id of this process; it changes with each start
	Boot   string `json:"boot,omitempty"`    // id of this boot of the computer
	Host   string `json:"host,omitempty"`    // the computer's own name
	WallMS int64  `json:"wall_ms,omitempty"` // the computer's clock when this was sent
	Free   *int64 `json:"free,omitempty"`    // bytes that the disk of the journals has room for
	Due    *Due   `json:"due,omitempty"`     // journals that will be removed there; nil: none
}

// A Due announces journals that a computer will remove.
type Due struct {
	Journals int   `json:"journals"`
	Bytes    int64 `json:"bytes"`
	Days     int   `json:"days"` // until the first one can be removed; 0: today
}

// A Place names the board that answers for a name, and its port.
type Place struct {
	Serial string `json:"serial,omitempty"` // as the board reports it; "": it does not answer
	Wants  string `json:"wants,omitempty"`  // the number that the configuration names
	Port   string `json:"port,omitempty"`
	// Other is the number of another board that answers at its port.
	Other string `json:"other,omitempty"`
	// Stray is a board that is not watched, and its port, while no board answers at the port of this one.
	Stray     string `json:"stray,omitempty"`
	StrayPort string `json:"stray_port,omitempty"`
}

// A BoardBeat is a board that is watched now.
type BoardBeat struct {
	Board   string `json:"board"`
	Journal string `json:"journal"`
	Head    string `json:"head,omitempty"` // journal.Head as text: the last record on the board's disk
	// Trouble is why the disk does not take the journal. The latest records are then only in the computer's memory, and
	// the hall cannot have them.
	Trouble string `json:"trouble,omitempty"`
	// Damage is the part of the journal that could not be read when the board's program was started.
	Damage string `json:"damage,omitempty"`
	// Silent means that the computer sends no alerts of this board now, and that all its earlier work on alerts is in
	// the journal up to Head.
	Silent bool `json:"silent,omitempty"`
	// Counted is what the board's machine has concluded and no record holds (watch.Counted).
	Counted json.RawMessage `json:"counted,omitempty"`
	Place
}

// A Question is a request of the hall to a computer. Only the keys that belong to Do are used.
type Question struct {
	Do      string `json:"do"`
	ID      string `json:"id"`                // of this question
	Journal string `json:"journal,omitempty"` // decide, instruct: the journal that it is about; "": any
	Segment int    `json:"segment,omitempty"`
	Offset  int64  `json:"offset,omitempty"`
	Length  int64  `json:"length,omitempty"`
	Board   string `json:"board,omitempty"`
	Body    string `json:"body,omitempty"` // decide, instruct: the record's body
	Request string `json:"request,omitempty"`
	Seq     int64  `json:"seq,omitempty"`
	Mark    string `json:"mark,omitempty"` // round: the computer reports it with its beats once it has the round
}

// The values of Question.Do.
const (
	DoList     = "list"     // the journals and the sizes of their segments
	DoFetch    = "fetch"    // Length bytes of a segment at Offset: the data of the answer, fewer at its end
	DoSum      = "sum"      // SHA-256 of the first Length bytes of a segment
	DoDecide   = "decide"   // the arbiter's decision
	DoInstruct = "instruct" // an instruction
	DoStandby  = "standby"  // Body has the instructions for alerts while the hall is away
	DoRound    = "round"    // Body is the round as people have set it
	DoSaved    = "saved"    // wait until record Seq, or the record of Request, is on the disk
	// DoSpeak has no answer: the hall has the records of Journal of Board and sends its alerts, or will when the
	// computer is silent.
	DoSpeak = "speak"
)

// An Answer is a computer's answer, as JSON in the header HAnswer. The bytes of a fetch are the message's data.
type Answer struct {
	Error    string    `json:"error,omitempty"` // one of the codes below
	Text     string    `json:"text,omitempty"`  // of an error, for the log
	Journals []Journal `json:"journals,omitempty"`
	Sum      string    `json:"sum,omitempty"`
	Size     int64     `json:"size,omitempty"`    // of the segment
	Seq      int64     `json:"seq,omitempty"`     // decide, instruct: the record's
	Journal  string    `json:"journal,omitempty"` // the journal with the record, if it is an earlier one
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

// The codes of Answer.Error.
const (
	ENoBoard  = "no_board"  // the board is not watched now, and its journal does not have the request
	EReading  = "reading"   // likewise, and the content of its journal is not known
	ENotSaved = "not_saved" // in force, and not on the disk yet
	ELost     = "lost"      // the disk did not take it and never will
	EUnsure   = "unsure"    // it may have been recorded or not
	ERefused  = "refused"   // the question itself was refused
	EDisk     = "disk"      // a file of the computer's own could not be written: ask again
	ENone     = "none"      // there is no such file, or it cannot be read
	EOther    = "other"     // the request is in no journal and never will be
)

// A JoinBody is the request of the holder of an invitation.
type JoinBody struct {
	Key  string `json:"key"`            // public, of the computer
	Host string `json:"host,omitempty"` // the computer's own host name
}

// A JoinAnswer reports whether the computer has joined.
type JoinAnswer struct {
	Error string `json:"error,omitempty"`
	Event string `json:"event,omitempty"` // the hall's, for the person who joins
	Waits bool   `json:"waits,omitempty"` // it has to be accepted first by a person: ask again
	Name  string `json:"name,omitempty"`  // under which it was accepted
}
