package lab

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"boardwatchd/detector/hands"
)

// Event is the meaning of a label.
type Event string

// The events of a session. Earlier programs wrote further ones.
const (
	Begin   Event = "begin" // protocol, seed, people; again after every restart
	Sync    Event = "sync"  // the pieces stand, and the operator has tapped and pressed the lever: a mark for the film
	Shown   Event = "card"  // from here on the card can be performed
	Done    Event = "done"  // … and here it was performed
	Void    Event = "void"  // this card does not count: not done as asked
	Skipped Event = "skip"
	End     Event = "end"
)

// A Label is the body of an instruction that the core does not know, and keeps.
type Label struct {
	Do    string `json:"do"`
	Event Event  `json:"event"`

	Protocol *Protocol `json:"protocol,omitempty"` // begin: the whole protocol, for people
	Seed     uint64    `json:"seed,omitempty"`
	Operator string    `json:"operator,omitempty"`
	Players  []string  `json:"players,omitempty"`
	Made     string    `json:"made,omitempty"` // which generated people; empty: real ones

	Block     int    `json:"block,omitempty"` // from 1
	Card      string `json:"card,omitempty"`
	Attempt   int    `json:"attempt,omitempty"`
	Performer string `json:"performer,omitempty"`
	Kind      string `json:"kind,omitempty"`
	Two       *bool  `json:"two_hands,omitempty"` // only with a kind
	Style     string `json:"style,omitempty"`
	Tempo     Tempo  `json:"tempo,omitempty"`
}

// Body returns the JSON of the instruction.
func (l Label) Body() []byte {
	l.Do = "label"
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(l); err != nil {
		panic("lab: internal error: label: " + err.Error()) // plain values only
	}
	// DEL is allowed in JSON, but not in a journal.
	return bytes.ReplaceAll(bytes.TrimRight(b.Bytes(), "\n"), []byte{0x7f}, []byte(`\u007f`))
}

// ParseLabel reads the body of an instruction; false where it is another one.
func ParseLabel(body []byte) (l Label, ok bool) {
	ok = bytes.Contains(body, []byte(`"label"`)) && json.Unmarshal(body, &l) == nil && l.Do == "label" && l.Event != ""
	return l, ok
}

// Key is the operator's input.
type Key uint8

// The keys.
const (
	NoKey     Key = iota
	Enter         // done, or continue
	RepeatKey     // the last one was not done as asked: it is void, and offered again
	SkipKey
	QuitKey
)

// Options of a session.
type Options struct {
	Protocol string // its name
	Seed     uint64
	Operator string
	Players  []string // performer and resetter of the first block
	Made     string   // which generated people play; empty: real ones
}

// A Session is one evening at one board. It belongs to one goroutine.
type Session struct {
	protocol Protocol
	opt      Options
	block    int
	lanes    []lane
	setting  bool   // the pieces of the block are being set up
	todo     []Card // in the order in which they are offered
	finished map[string]bool
	attempts map[string]int
	last     *Card // the last one of this block that was done
	over     bool
	pending  []Label
}

// NewSession begins at the first card, or continues the session of a journal whose labels are before: its protocol, its
// seed, its players. The options must not contradict it, because the cards would differ; zero values mean no request.
func NewSession(o Options, before []Label) (*Session, error) {
	s := &Session{opt: o, finished: map[string]bool{}, attempts: map[string]int{}, block: -1}
	for _, l := range before {
		switch l.Event {
		case Begin:
			if err := s.opt.resume(l); err != nil {
				return nil, err
			}
		case Shown:
			s.attempts[l.Card] = l.Attempt
		case Done, Skipped:
			s.finished[l.Card] = true
		case Void:
			delete(s.finished, l.Card)
		}
	}
	var ok bool
	if s.protocol, ok = Named(s.opt.Protocol); !ok {
		return nil, fmt.Errorf("protocol %q: there are full and short", s.opt.Protocol)
	}
	if p := s.opt.Players; len(p) != 2 || p[0] == p[1] || p[0] == "" || p[1] == "" {
		return nil, errors.New("two players are needed, with different names or numbers")
	}
	if len(s.finished) == s.protocol.Cards() {
		return nil, errors.New("its protocol has been played to the end; choose another file")
	}
	s.say(Label{Event: Begin, Protocol: &s.protocol, Seed: s.opt.Seed, Operator: s.opt.Operator, Players: s.opt.Players, Made: s.opt.Made})
	s.next()
	return s, nil
}

func (o *Options) resume(l Label) error {
	switch {
	case l.Protocol == nil || o.Protocol != "" && o.Protocol != l.Protocol.Name:
		return errors.New("it was begun with another protocol")
	case o.Seed != 0 && o.Seed != l.Seed:
		return fmt.Errorf("it was begun with the seed %d", l.Seed)
	case len(o.Players) > 0 && !slices.Equal(o.Players, l.Players):
		return fmt.Errorf("it was begun with the players %v", l.Players)
	case o.Made != l.Made:
		return errors.New("real and generated people do not go into one journal")
	}
	if o.Operator == "" {
		o.Operator = l.Operator
	}
	o.Protocol, o.Seed, o.Players = l.Protocol.Name, l.Seed, l.Players
	return nil
}

// Over reports whether there is nothing more to do, or the operator has stopped.
func (s *Session) Over() bool { return s.over }

// Take returns the labels to be journalled, in order.
func (s *Session) Take() []Label {
	list := s.pending
	s.pending = nil
	return list
}

func (s *Session) say(l Label) { s.pending = append(s.pending, l) }

// performer returns the person who performs the cards of this block.
func (s *Session) performer() string { return s.opt.Players[s.block%2] }

// next offers the next card, or the set-up of the next block.
func (s *Session) next() {
	for len(s.todo) == 0 {
		if s.block++; s.block == len(s.protocol.Blocks) {
			s.over = true
			s.say(Label{Event: End})
			return
		}
		s.todo, s.lanes = s.protocol.deal(s.block, s.opt.Seed)
		s.todo = slices.DeleteFunc(s.todo, func(c Card) bool { return s.finished[c.ID] })
		s.last, s.setting = nil, true
	}
	if !s.setting {
		s.attempts[s.todo[0].ID]++
		s.label(Shown, s.todo[0])
	}
}

// label is a label of a card.
func (s *Session) label(e Event, c Card) {
	l := Label{Event: e, Block: c.Block + 1, Card: c.ID, Attempt: s.attempts[c.ID], Performer: s.performer(), Style: c.Style, Tempo: c.Tempo}
	if k := c.What.Kind(); k != hands.NoKind {
		two := c.Two()
		l.Kind, l.Two = k.String(), &two
	}
	s.say(l)
}

// Key takes a key.
func (s *Session) Key(k Key) {
	switch {
	case s.over:
	case k == QuitKey:
		s.say(Label{Event: End})
		s.over = true
	case s.setting && k == Enter:
		s.setting = false
		s.say(Label{Event: Sync, Block: s.block + 1})
		s.next()
	case s.setting:
	case k == Enter || k == SkipKey:
		c := s.todo[0]
		s.label(map[Key]Event{Enter: Done, SkipKey: Skipped}[k], c)
		s.finished[c.ID], s.last, s.todo = true, &c, s.todo[1:]
		s.next()
	case k == RepeatKey && s.last != nil:
		s.attempts[s.todo[0].ID]-- // it does not count as an attempt
		s.label(Void, *s.last)
		delete(s.finished, s.last.ID)
		s.todo, s.last = slices.Insert(s.todo, 0, *s.last), nil
		s.next()
	}
}
