package alert

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// The levels of an alert: the classes of laws notes, section 5.2, that reach a phone.
const (
	Now    = "now"    // look at once; the only level that is escalated
	Advise = "advise" // a quiet hint; its message never names an offence
)

// The states of an alert. Message.State has Withdrawn and Expired for the two kinds of Closed.
const (
	Open      = "open"      // nobody has seen it
	Seen      = "seen"      // a person has, and has not decided
	Decided   = "decided"   // the arbiter has decided
	Closed    = "closed"    // it needs nobody any more: withdrawn, too late, no longer worth an alert
	Withdrawn = "withdrawn" // closed: the board, read again, does not bear it out
	Expired   = "expired"   // closed: the opponent answered meanwhile, the move stands
)

// The states of a delivery.
const (
	Waiting = "waiting"  // not tried yet
	Sent    = "sent"     // the channel has taken the version that it was given last
	Failed  = "failed"   // the last attempt failed; it is tried again
	GivenUp = "given_up" // it is not tried again
)

// An Alert is one finding that somebody has to look at, as the page shows it. There is exactly one for a finding, and it
// changes in place: same ID, higher Version.
type Alert struct {
	ID       string     `json:"id"`
	Ref      string     `json:"ref"` // names it where the id would say too much, as in Message.URL
	Board    string     `json:"board"`
	Finding  string     `json:"finding"`
	Kind     string     `json:"kind"`
	Level    string     `json:"level"`
	State    string     `json:"state"`  // Open, Seen, Decided, Closed
	Reason   string     `json:"reason"` // of Closed: Withdrawn, Expired or "quiet"; of Decided: the decision; else ""
	Step     int        `json:"step"`   // 2: escalated
	RaisedMS int64      `json:"raised_ms"`
	Over     bool       `json:"over"`           // it stood open for the whole time of expiry: no channel is tried any more
	Late     bool       `json:"late,omitempty"` // in a hall: the board raised it while it could not be heard
	SeenBy   *string    `json:"seen_by"`
	Version  int        `json:"version"`
	Text     string     `json:"text"`
	Channels []Delivery `json:"channels"` // those that were told or are to be told, by name
}

// A Delivery is what became of an alert on one channel.
type Delivery struct {
	Channel string `json:"channel"`
	State   string `json:"state"`
	AtMS    int64  `json:"at_ms"` // wall time of the last attempt; 0: none
	Error   string `json:"error"`
}

// A Message is what a channel sends: the newest state of one alert.
type Message struct {
	ID       string // the same for every version; it comes again in another journal
	Journal  string // the board's, by name: with ID it names the alert among those of all rounds; may be empty
	Ref      string // a short keyed name for Journal and ID that tells a stranger nothing, of [A-Za-z0-9_-]
	Board    string
	Title    string // one line for the lock screen
	Body     string // may be empty
	Kind     string
	State    string // Open, Seen, Decided, Withdrawn, Expired, Closed
	Level    string
	Priority int    // 1 to 5; 2 and less makes no sound
	Version  int    // with Journal and ID the key by which a receiver drops what it has already
	Update   bool   // this channel was told an earlier version
	Closed   bool   // nobody is needed any more
	URL      string // the page, at this finding; "" where the page's address is not known
	OpenURL  string // the page, and no more than the wording says: for a server that strangers run
	AckURL   string // POST says "seen"; "" where there is none. It is a secret: whoever has it can acknowledge
	AckText  string // label of the button for AckURL
	OpenText string // label of the button for OpenURL
	Raised   time.Time
	Expires  time.Time
	Finding  json.RawMessage // the objects of contract section 3; may be nil
	Ruling   json.RawMessage
}

// A Channel brings messages to people. One goroutine calls Send, one message at a time.
//
// Send returns when the receiver has taken the message, and no later than ctx ends. An error that is, or wraps, a
// *Temporary is tried again; so is ctx's own. Any other error is given up for this version. The same Journal, ID and
// Version may come twice. No error holds a secret: it is shown to every paired phone.
type Channel interface {
	Name() string
	Send(ctx context.Context, m Message) error
}

// Temporary is an error after which it is worth trying again.
type Temporary struct {
	Err   error
	After time.Duration // not before, as the receiver asked; 0: as the sender likes
	Alone bool          // only this message is affected: others need not wait behind it
}

func (t *Temporary) Error() string { return t.Err.Error() }

// Unwrap gives the cause.
func (t *Temporary) Unwrap() error { return t.Err }

var (
	// ErrGone says that the receiver does not exist any more: the caller deletes it, see Options.Gone.
	ErrGone = errors.New("the receiver does not exist any more")
	// ErrPaced says, inside a *Temporary, that the channel held the message back by itself. It is no failure.
	ErrPaced = errors.New("held back to stay within the receiver's limit")
	// ErrUnknown says that there is no such alert.
	ErrUnknown = errors.New("there is no such alert")
	// ErrToken says that no alert belongs to a token.
	ErrToken = errors.New("the link belongs to no alert")
	// ErrOver says that the alert of a token needs nobody any more.
	ErrOver = errors.New("the alert needs nobody any more")
)

// Journal is where the outbox writes what happened: into the journal of the alert's board. Instruct returns when the
// record is on the disk. A record whose writing failed may be written twice.
type Journal interface {
	Instruct(ctx context.Context, board string, body []byte) error
}

// Configured is a channel and whom it serves.
type Configured struct {
	Channel Channel
	Step    int      // 2: only after escalation; else 1
	Boards  []string // empty: all; see Reboard
	Level   string   // Now: only alerts of that level; else all
	// Personal is one person's own phone: Boards are those that the person looks after, and an alert that was escalated
	// comes from every board.
	Personal bool
}

// A Notice is something about the channels that a person should know.
type Notice struct {
	ID     string `json:"id"`
	Text   string `json:"text"`
	Remedy string `json:"remedy"`
}

func temporary(format string, a ...any) *Temporary { return &Temporary{Err: fmt.Errorf(format, a...)} }
