package alert

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"boardwatchd/rules/words"
)

// The levels of an alert: the classes of laws notes, section 5.2, that reach a phone.
const (
	Now    = "now"    // look at once; the only level that is escalated
	Advise = "advise" // a quiet hint; its message never names an offence
)

// The states of an alert. Message.State has Withdrawn and Expired for the two kinds of Closed.
const (
	Open      = "open"      // not seen by a person yet
	Seen      = "seen"      // seen, and not decided yet
	Decided   = "decided"   // the arbiter has decided
	Closed    = "closed"    // it needs no attention any more: withdrawn, too late, no longer worth an alert
	Withdrawn = "withdrawn" // closed: a fresh reading of the board does not confirm it
	Expired   = "expired"   // closed: the opponent answered meanwhile, the move stands
)

// The states of a delivery.
const (
	Waiting = "waiting"  // not tried yet
	Sent    = "sent"     // the channel has accepted the last version that it was given
	Failed  = "failed"   // the last attempt failed; it will be tried again
	GivenUp = "given_up" // it will not be tried again
)

// An Alert is one finding that a person has to look at, as the page shows it. There is exactly one for a finding, and
// it changes in place: same ID, higher Version.
type Alert struct {
	ID       string     `json:"id"`
	Ref      string     `json:"ref"` // its name where the id would reveal too much, as in Message.URL
	Board    string     `json:"board"`
	Finding  string     `json:"finding"`
	Kind     string     `json:"kind"`
	Level    string     `json:"level"`
	State    string     `json:"state"`  // Open, Seen, Decided, Closed
	Reason   string     `json:"reason"` // of Closed: Withdrawn, Expired or "quiet"; of Decided: the decision; else ""
	Step     int        `json:"step"`   // 2: escalated
	RaisedMS int64      `json:"raised_ms"`
	Over     bool       `json:"over"`           // open for the whole time of expiry: no channel is tried
	Late     bool       `json:"late,omitempty"` // in a hall: the board raised it while it had no connection
	SeenBy   *string    `json:"seen_by"`
	Version  int        `json:"version"`
	Text     string     `json:"text"`
	Channels []Delivery `json:"channels"` // channels that have received or are to receive it, by name
}

// A Delivery is the state of an alert on one channel.
type Delivery struct {
	Channel string `json:"channel"`
	State   string `json:"state"`
	AtMS    int64  `json:"at_ms"` // wall time of the last attempt; 0: none
	Error   string `json:"error"`
}

// A Message is what a channel sends: the newest state of one alert.
type Message struct {
	ID       string // the same for every version; the same id may occur in another journal
	Journal  string // name of the board's journal: unique with ID among all rounds; may be empty
	Ref      string // a short keyed name for Journal and ID that reveals nothing to strangers, of [A-Za-z0-9_-]
	Board    string
	Title    string // one line for the lock screen
	Body     string // may be empty
	Kind     string
	State    string // Open, Seen, Decided, Withdrawn, Expired, Closed
	Level    string
	Priority int    // 1 to 5; 2 and less make no sound
	Version  int    // with Journal and ID the key by which a receiver drops duplicates
	Update   bool   // this channel received an earlier version
	Closed   bool   // no attention is needed any more
	URL      string // the page, at this finding; "" if the page's address is not known
	OpenURL  string // the page, with no more than the wording reveals: for a server run by strangers
	AckURL   string // a POST there means "seen"; "": none. It is a secret: anybody who has it can acknowledge
	AckText  string // label of the button for AckURL
	OpenText string // label of the button for OpenURL
	Raised   time.Time
	Expires  time.Time
	Finding  json.RawMessage // the objects of contract section 3; may be nil
	Ruling   json.RawMessage
}

// A Channel brings messages to people. One goroutine calls Send, one message at a time.
//
// Send returns when the receiver has accepted the message, and no later than ctx ends. After an error that is, or
// wraps, a *Temporary the message is tried again; so it is after ctx's own. After any other error this version is given
// up. The same Journal, ID and Version may be sent twice. No error contains a secret: it is shown to every paired
// phone.
type Channel interface {
	Name() string
	Send(ctx context.Context, m Message) error
}

// Temporary is an error after which another attempt is worthwhile.
type Temporary struct {
	Err   error
	After time.Duration // not before, as the receiver asked; 0: at any time
	Alone bool          // only this message is affected: others need not wait for it
}

func (t *Temporary) Error() string { return t.Err.Error() }

// Unwrap returns the cause.
func (t *Temporary) Unwrap() error { return t.Err }

var (
	// ErrGone means that the receiver no longer exists: the caller deletes it, see Options.Gone.
	ErrGone = errors.New("the receiver does not exist any more")
	// ErrPaced means, inside a *Temporary, that the channel itself delayed the message. It is not a failure.
	ErrPaced = errors.New("held back to stay within the receiver's limit")
	// ErrUnknown means that there is no such alert.
	ErrUnknown = errors.New("there is no such alert")
	// ErrToken means that no alert belongs to a token.
	ErrToken = errors.New("the link belongs to no alert")
	// ErrOver means that the alert of a token needs no attention any more.
	ErrOver = errors.New("the alert needs nobody any more")
)

// Journal writes the outbox's events into the journal of the alert's board. Instruct returns when the record is on the
// disk. A record whose writing failed may be written twice.
type Journal interface {
	Instruct(ctx context.Context, board string, body []byte) error
}

// Configured is a channel with the alerts that it is to receive.
type Configured struct {
	Channel Channel
	Step    int      // 2: only after escalation; else 1
	Boards  []string // empty: all; see Reboard
	Level   string   // Now: only alerts of that level; else all
	// Personal is one person's own phone: Boards are the person's boards, and escalated alerts are sent from every
	// board.
	Personal bool
}

// A Notice is a fact about the channels that a person should know, with the remedy: sentences of the page's texts.
type Notice struct {
	ID      string
	Say, Do words.Sentence
}

func (n Notice) equal(o Notice) bool { return n.ID == o.ID && n.Say.Equal(o.Say) && n.Do.Equal(o.Do) }

func temporary(format string, a ...any) *Temporary { return &Temporary{Err: fmt.Errorf(format, a...)} }
