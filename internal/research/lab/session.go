package lab

import (
	"errors"

	"boardwatchd/rules/legal"
)

// Key is what the operator says.
type Key uint8

// The keys.
const (
	NoKey     Key = iota
	Enter         // done, or go on
	RepeatKey     // not as asked: void, and offered again
	SkipKey
	PauseKey
	QuitKey
)

// Phase is what is waited for.
type Phase uint8

// The phases.
const (
	NoPhase  Phase = iota
	Setting        // the pieces of the block are put up
	Marking        // tap and press, for the film
	Doing          // the card
	Clearing       // the pieces go back to where the card was
	Resting        // paused
	Ended
)

var phaseNames = [...]string{"none", "set up", "sync mark", "card", "reset", "pause", "end"}

func (p Phase) String() string {
	if int(p) < len(phaseNames) {
		return phaseNames[p]
	}
	return "unknown"
}

// settleUS is how long the board must show that a card was done before that is believed without Enter: somebody may adjust the
// piece, and a report may still be on its way (timing notes, 1.1: half a second at the slowest boards).
const settleUS = 900_000

// puzzledUS is how long the board may rest with something else on it before the operator is told. People think, and hold pieces.
const puzzledUS = 4_000_000

// Options of a session.
type Options struct {
	Seed     uint64
	Operator string
	Players  []string // performer and resetter of the first block
	Made     string   // who plays, if nobody real does
}

// A Session is one evening at one board. It belongs to one goroutine.
type Session struct {
	protocol Protocol
	opt      Options
	blocks   int

	phase, before Phase // before: what Resting interrupts
	block         int
	cards         []Card
	lanes         []lane
	todo          []int // indices in cards: offered in this order
	finished      map[string]bool
	attempts      map[string]int

	board    legal.Placement // as it reads, White at the bottom
	raw      legal.Placement
	known    bool // the board has been read
	reversed bool

	now     lane            // the card's lane as it is to be played
	target  legal.Placement // of the card
	want    legal.Placement // what Setting and Clearing wait for
	wrong   string          // what the operator should know
	fitting int64           // since when the board shows the target; 0: it does not
	moved   int64           // when the board was last read otherwise than before

	last    *Card // the last one that was done, for repeat
	timing  timing
	pending []Label
}

// NewSession begins at the first card.
func NewSession(p Protocol, o Options, now int64) (*Session, error) {
	return resumed(p, o, now, nil)
}

func resumed(p Protocol, o Options, now int64, done map[string]bool) (*Session, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	if len(o.Players) != 2 || o.Players[0] == o.Players[1] || o.Players[0] == "" || o.Players[1] == "" {
		return nil, errors.New("two players are needed, with different names or numbers")
	}
	s := &Session{protocol: p, opt: o, blocks: len(p.Blocks), finished: map[string]bool{}, attempts: map[string]int{}, block: -1}
	for id := range done {
		s.finished[id] = true
	}
	s.say(Label{Event: Begin, Protocol: &s.protocol, Seed: o.Seed, Operator: o.Operator, Players: o.Players, Made: o.Made})
	s.next(now)
	return s, nil
}

// Over tells that there is nothing more to do, or that the operator has stopped.
func (s *Session) Over() bool { return s.phase == Ended }

// Complete tells that every card was done or skipped.
func (s *Session) Complete() bool { return len(s.finished) == s.protocol.Cards() }

// Take gives the labels that are to be journalled, in order.
func (s *Session) Take() []Label {
	list := s.pending
	s.pending = nil
	return list
}

func (s *Session) say(l Label) { s.pending = append(s.pending, l) }

// Performer is who does the cards of this block, and Resetter who puts the pieces back.
func (s *Session) Performer() string { return s.opt.Players[max(s.block, 0)%2] }

// Resetter is the other one.
func (s *Session) Resetter() string { return s.opt.Players[1-max(s.block, 0)%2] }

// nextBlock finds the next block that has a card left.
func (s *Session) nextBlock(now int64) bool {
	for s.block+1 < s.blocks {
		s.block++
		s.cards, s.lanes = deal(s.protocol, s.block, s.opt.Seed)
		s.todo = s.todo[:0]
		for i, c := range s.cards {
			if !s.finished[c.ID] {
				s.todo = append(s.todo, i)
			}
		}
		if len(s.todo) > 0 {
			s.want = setUp(s.lanes)
			s.timing.block(now)
			s.enter(Setting)
			return true
		}
	}
	return false
}

// next goes on behind a card.
func (s *Session) next(now int64) {
	if len(s.todo) == 0 && !s.nextBlock(now) {
		s.say(Label{Event: End, Note: "all cards"})
		s.phase = Ended
		return
	}
	if s.phase == Setting {
		s.look(now) // the pieces may stand already
		return
	}
	s.show(now)
}

// show offers the first card of those that are left.
func (s *Session) show(now int64) {
	c := &s.cards[s.todo[0]]
	s.now = c.lane.turned(&s.board)
	s.target = s.now.after(s.board)
	s.want = s.board
	s.attempts[c.ID]++
	s.fitting = 0
	s.timing.card(now)
	s.say(s.labelled(Shown))
	s.enter(Doing)
}

func (s *Session) enter(p Phase) { s.phase = p }

// labelled is a label of the present card.
func (s *Session) labelled(e Event) Label {
	c := s.cards[s.todo[0]]
	l := c.label(s.now)
	l.Event, l.Attempt, l.Performer, l.Resetter, l.Reversed = e, s.attempts[c.ID], s.Performer(), s.Resetter(), s.reversed
	return l
}

// Board takes what the board reads now, by its own numbers: a8 is the corner at field 0.
func (s *Session) Board(now int64, raw legal.Placement) {
	s.raw, s.known = raw, true
	if s.reversed {
		raw = rotated(raw)
	}
	if raw != s.board {
		s.moved = now
		if s.phase == Doing {
			s.wrong = ""
		}
	}
	s.board = raw
	s.look(now)
}

// Tick lets time pass.
func (s *Session) Tick(now int64) { s.look(now) }

// look compares the board with what is waited for.
func (s *Session) look(now int64) {
	if !s.known {
		return
	}
	switch s.phase {
	case Setting:
		if s.board != s.want && rotated(s.raw) == s.turnedWant() {
			s.reversed = !s.reversed
			s.board = rotated(s.board)
		}
		if s.board == s.want {
			s.say(Label{Event: BlockOn, Block: s.block + 1, What: s.protocol.Blocks[s.block].What, Performer: s.Performer(), Resetter: s.Resetter(), Reversed: s.reversed})
			s.enter(Marking)
		}
	case Clearing:
		if s.board == s.want {
			s.wrong = ""
			s.show(now)
		}
	case Doing:
		if s.board != s.target {
			s.fitting = 0
			if s.board != s.want && now-s.moved >= puzzledUS {
				s.wrong = "The board reads otherwise (" + difference(s.board, s.target) + "). Enter offers the card again."
			}
		} else if s.fitting == 0 {
			s.fitting = max(now, 1)
		} else if now-s.fitting >= settleUS {
			s.done(now, "board")
		}
	}
}

// turnedWant is what the raw board shows if it lies the other way about than believed.
func (s *Session) turnedWant() legal.Placement {
	if s.reversed {
		return rotated(s.want)
	}
	return s.want
}

// Key takes a key.
func (s *Session) Key(now int64, k Key) {
	switch {
	case s.phase == Ended || k == NoKey:
	case k == QuitKey:
		s.say(Label{Event: End, Note: "stopped by the operator"})
		s.phase = Ended
	case s.phase == Resting:
		s.say(Label{Event: Resumed})
		s.timing.resume(now)
		s.enter(s.before)
		s.look(now)
	case k == PauseKey:
		s.pause(now)
	case k == Enter:
		s.goOn(now)
	case k == RepeatKey:
		s.repeat(now)
	case k == SkipKey:
		s.skip(now)
	}
}

// pause: a card that was shown is shown again afterwards, so that nothing done meanwhile is taken for it.
func (s *Session) pause(now int64) {
	s.before = s.phase
	if s.phase == Doing {
		s.before = Clearing
		s.attempts[s.cards[s.todo[0]].ID]-- // it was no attempt
	}
	s.timing.pause(now)
	s.say(Label{Event: Paused})
	s.enter(Resting)
}

func (s *Session) goOn(now int64) {
	switch s.phase {
	case Marking:
		s.say(Label{Event: Sync, Block: s.block + 1})
		s.show(now)
	case Doing:
		if s.board == s.target || !s.known {
			s.done(now, "operator")
			return
		}
		if s.board == s.want {
			s.wrong = "The board has seen nothing yet."
			return
		}
		l := s.labelled(Otherwise)
		l.Note = difference(s.board, s.target)
		s.say(l)
		s.wrong = "Not as asked (" + l.Note + "). Once more."
		s.enter(Clearing)
		s.look(now)
	}
}

// done takes the present card off the list.
func (s *Session) done(now int64, by string) {
	l := s.labelled(Done)
	l.By = by
	s.say(l)
	c := s.cards[s.todo[0]]
	s.finished[c.ID] = true
	s.last, s.todo = &c, s.todo[1:]
	s.timing.done(now)
	if s.target == s.board && s.now.back {
		s.want = s.board // it stands where the next card may begin
	}
	s.behind(now)
}

// behind is what follows a card that is off the list.
func (s *Session) behind(now int64) {
	s.wrong = ""
	if len(s.todo) == 0 {
		s.next(now)
		return
	}
	s.enter(Clearing)
	s.look(now)
}

// repeat voids what was not done as asked: the present card, if its pieces have moved, else the one before.
func (s *Session) repeat(now int64) {
	switch {
	case s.phase == Doing && s.board != s.want:
		l := s.labelled(Void)
		s.say(l)
		s.wrong = "Once more."
		s.enter(Clearing)
		s.look(now)
	case (s.phase == Doing || s.phase == Clearing) && s.last != nil && s.last.Block == s.block:
		if s.phase == Doing {
			s.attempts[s.cards[s.todo[0]].ID]--
		}
		c := *s.last
		s.last = nil
		s.say(Label{Event: Void, Card: c.ID, Block: c.Block + 1, Attempt: s.attempts[c.ID]})
		delete(s.finished, c.ID)
		for i := range s.cards {
			if s.cards[i].ID == c.ID {
				s.todo = append([]int{i}, s.todo...)
			}
		}
		s.wrong = "Once more."
		s.enter(Clearing)
		s.look(now)
	case (s.phase == Setting || s.phase == Marking) && s.last != nil: // of the block before, whose pieces are gone
		s.say(Label{Event: Void, Card: s.last.ID, Block: s.last.Block + 1, Attempt: s.attempts[s.last.ID]})
		delete(s.finished, s.last.ID)
		s.wrong = "Card " + s.last.ID + " is void. It is offered again when the session is gone on with."
		s.last = nil
	default:
		s.wrong = "There is nothing to repeat."
	}
}

func (s *Session) skip(now int64) {
	switch s.phase {
	case Marking:
		s.show(now)
	case Doing, Clearing:
		if s.phase == Clearing {
			s.now = s.cards[s.todo[0]].lane
		}
		s.say(s.labelled(Skipped))
		s.finished[s.cards[s.todo[0]].ID] = true
		s.todo = s.todo[1:]
		s.behind(now)
	}
}
