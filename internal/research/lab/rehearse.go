package lab

import (
	"fmt"
	"math/rand/v2"

	"boardwatchd/clockproto"
	"boardwatchd/detector/hands"
	"boardwatchd/dgt"
	"boardwatchd/internal/journal"
	"boardwatchd/internal/record"
	"boardwatchd/internal/research/populations"
	"boardwatchd/internal/watch"
	"boardwatchd/rules/legal"
)

// A Rehearsal is a protocol that generated people play, in no time, so that everything can be seen without a board. The
// journal is written as the daemon writes it; nobody answers its board, which is somebody else's recording to the core.
type Rehearsal struct {
	Protocol Protocol
	Seed     uint64
	Family   populations.Family
	Board    populations.Board
	Dir      string // of the journal
	Name     string
	Software string
	Config   []byte               // canonical, for the opening record
	Show     func(s Screen)       // at each card; may be nil
	Halt     func(cards int) bool // stop here, as an operator would; may be nil
}

// Play plays it to the end.
func (r Rehearsal) Play() (err error) {
	if r.Family == populations.NoFamily {
		r.Family = populations.Jerk
	}
	notes, err := r.begin()
	if err != nil {
		return err
	}
	defer func() {
		if cerr := notes.close(); err == nil {
			err = cerr
		}
	}()
	s, err := NewSession(r.Protocol, Options{
		Seed: r.Seed, Operator: "nobody", Players: []string{"A", "B"}, Made: "generated hands, " + r.Family.String(),
	}, notes.at)
	if err != nil {
		return err
	}
	p := people{session: s, notes: notes, rng: rand.New(rand.NewPCG(r.Seed, 77)), reversed: r.Board.Reversed}
	for i := range p.hands {
		p.hands[i] = populations.Sit(populations.Options{Seed: r.Seed*2 + uint64(i), Family: r.Family, Board: r.Board})
	}
	for !s.Over() {
		if r.Show != nil && s.phase == Doing {
			r.Show(s.Screen(notes.at))
		}
		if r.Halt != nil && r.Halt(len(s.finished)) {
			s.Key(notes.at, QuitKey)
		} else if err := p.act(); err != nil {
			return err
		}
		notes.tell(s)
	}
	return notes.err
}

// notebook is a journal with the machine that writes its answers into it.
type notebook struct {
	w   *journal.Writer
	m   *watch.Machine
	at  int64
	err error // sticky
}

func (r Rehearsal) begin() (*notebook, error) {
	open := func(segment int, cause string) []byte {
		return watch.Opening{
			Format: watch.Format, Journal: r.Name, Segment: segment, Core: watch.Revision, Software: r.Software, Source: watch.Capture,
			Board: "lab", Cause: cause, Config: r.Config,
		}.Body()
	}
	w, err := journal.Create(r.Dir, r.Name, journal.Options{OpenBody: open})
	if err != nil {
		return nil, err
	}
	n := &notebook{w: w, m: watch.New()}
	n.take(0, record.Open, open(1, "start"))
	n.take(0, record.Instruct, PauseBody())
	return n, nil
}

// PauseBody is the instruction that keeps the boards' judgement out of the laboratory.
func PauseBody() []byte { return watch.Instruction{Do: watch.DoPause}.Body() }

// take journals an input and what the machine says to it.
func (n *notebook) take(at int64, kind record.Kind, body []byte) {
	if n.err != nil {
		return
	}
	n.at = max(n.at, at)
	seq, err := n.w.Add(n.at, kind, body)
	if err != nil {
		n.err = err
		return
	}
	for _, e := range n.m.Step(record.Record{Seq: seq, At: n.at, Kind: kind, Body: body}) {
		if _, err := n.w.Add(n.at, e.Kind, e.Body); err != nil {
			n.err = err
			return
		}
	}
	n.w.Flush()
}

func (n *notebook) tell(s *Session) {
	for _, l := range s.Take() {
		n.take(n.at, record.Instruct, l.Body())
	}
}

func (n *notebook) close() error {
	err := n.w.Close(n.at, "stop")
	if n.err != nil {
		return n.err
	}
	return err
}

// people play the cards. Now and then one is done otherwise, and the operator sees it.
type people struct {
	session  *Session
	notes    *notebook
	hands    [2]*populations.Session
	rng      *rand.Rand
	reversed bool
	left     bool            // the lever is up there
	lies     legal.Placement // how it really lies, White at the bottom
}

const (
	mostAttempts = 20

	clumsy  = 0.01 // cards done on other squares
	unasked = 0.01 // cards done in another style, which the operator sees
)

func (p *people) who() *populations.Session { return p.hands[max(p.session.block, 0)%2] }

// act does what the session waits for.
func (p *people) act() error {
	s := p.session
	switch s.phase {
	case Setting:
		p.notes.at += 10_000_000
		if s.known {
			p.putBack(s.want)
			break
		}
		p.lies = s.want // it stood there when the board was asked
		p.dump()
	case Marking:
		p.notes.at += 2_000_000
		p.press()
		s.Key(p.notes.at, Enter)
	case Doing:
		return p.play()
	case Clearing:
		p.putBack(s.want)
	}
	return nil
}

// play does one card.
func (p *people) play() error {
	s := p.session
	c := s.cards[s.todo[0]]
	if s.attempts[c.ID] > mostAttempts {
		return fmt.Errorf("lab: internal error: card %s was played %d times and never was done", c.ID, mostAttempts)
	}
	at := p.notes.at + 400_000 + p.rng.Int64N(900_000)
	if s.now.off {
		p.arrange([]populations.Change{{AtUS: at, Square: s.now.to, Is: s.now.mover}})
		p.press()
		p.wait()
		return nil
	}
	l := s.now
	strange := p.rng.Float64() < clumsy && l.victim >= legal.NoSquare && c.What.Kind() == hands.NoKind
	if strange {
		l.to = aside(&p.lies, l.to)
	}
	style, ok := populations.StyleOf(c.Style)
	if !ok {
		style = populations.Plain
	}
	pace, haste := populations.Blitz, 1.0
	switch c.Tempo {
	case Relaxed:
		pace = populations.Classical
	case Max:
		haste = 0.85
	}
	x, err := p.who().Perform(populations.Act{
		Kind: c.What.Kind(), From: l.from, To: l.to, Victim: l.victim, RookFrom: l.rookFrom, RookTo: l.rookTo,
		Mover: l.mover, Taken: l.taken, Put: l.put, Rook: l.rook, Style: style, Pace: pace, Haste: haste,
	}, &p.lies, at)
	if err != nil {
		return fmt.Errorf("card %s: %w", c.ID, err)
	}
	p.hear(x.Deed.Reports)
	switch {
	case strange:
		p.notes.at += 300_000
		s.Key(p.notes.at, Enter)
	case p.rng.Float64() < unasked:
		p.wait()
		if s.phase == Doing || s.phase == Clearing { // the last card of a block would wait for another evening
			s.Key(p.notes.at+10_000, RepeatKey)
		}
	default:
		if c.What == Press {
			p.press()
		}
		p.wait()
	}
	return nil
}

// press hits the lever now. The board hears of it late: timing notes, 1.3.
func (p *people) press() {
	p.left = !p.left
	face := clockproto.Face{Seconds: 3600}
	r := clockproto.Reading{Left: face, Right: face, Running: true, Up: clockproto.Left, TurnBits: clockproto.TurnLeft}
	if !p.left {
		r.Up, r.TurnBits = clockproto.Right, clockproto.TurnRight
	}
	late := 350_000 + p.rng.Int64N(600_000) + p.rng.Int64N(1_000_000) // read out, and told once a second
	p.notes.take(p.notes.at+late, record.Rx, dgt.ClockData(r.Encode()).AppendTo(nil))
	p.session.Tick(p.notes.at)
}

// aside is an empty square near one.
func aside(t *legal.Placement, sq legal.Square) legal.Square {
	for _, step := range []int{1, -1, 8, -8} {
		if n := int(sq) + step; n >= 0 && n < 64 && t[n] == legal.NoPiece {
			return legal.Square(n)
		}
	}
	return sq
}

// wait lets the session see that the card is done.
func (p *people) wait() {
	p.notes.at += settleUS + 100_000
	p.session.Tick(p.notes.at)
}

// putBack puts the pieces back, one after the other.
func (p *people) putBack(want legal.Placement) {
	var list []populations.Change
	at := p.notes.at
	for pass := range 2 { // first what is in the way, then what is missing
		for sq := range legal.Square(64) {
			if p.lies[sq] == want[sq] || pass == 0 && want[sq] != legal.NoPiece {
				continue
			}
			at += 500_000 + p.rng.Int64N(400_000)
			list = append(list, populations.Change{AtUS: at, Square: sq, Is: want[sq]})
		}
	}
	p.arrange(list)
}

func (p *people) arrange(list []populations.Change) { p.hear(p.who().Arrange(list, &p.lies)) }

// hear lets the host hear the board.
func (p *people) hear(reports []hands.Report) {
	for _, r := range reports {
		p.lies[r.Square] = r.Is
		p.notes.take(r.At, record.Rx, dgt.FieldUpdate{Square: byte(hands.Field(r.Square, p.reversed)), Piece: codeOf(r.Is)}.AppendTo(nil))
		p.session.Board(p.notes.at, p.raw())
	}
}

func (p *people) dump() {
	var t dgt.Placement
	for sq, piece := range p.lies {
		t[hands.Field(legal.Square(sq), p.reversed)] = codeOf(piece)
	}
	p.notes.take(p.notes.at, record.Rx, dgt.BoardDump{Placement: t}.AppendTo(nil))
	p.session.Board(p.notes.at, p.raw())
}

// raw is the board by its own numbers.
func (p *people) raw() legal.Placement {
	if p.reversed {
		return rotated(p.lies)
	}
	return p.lies
}

func codeOf(p legal.Piece) dgt.Piece {
	for code, piece := range pieceByCode {
		if piece == p && p != legal.NoPiece {
			return dgt.Piece(code)
		}
	}
	return dgt.Empty
}
