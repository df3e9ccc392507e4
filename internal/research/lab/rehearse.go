package lab

import (
	"math/rand/v2"

	"boardwatchd/detector/hands"
	"boardwatchd/internal/journal"
	"boardwatchd/internal/record"
	"boardwatchd/internal/research/populations"
	"boardwatchd/internal/watch"
	"boardwatchd/rules/legal"
)

// A Rehearsal is a protocol played by generated people, without real time, so that everything can be tried without a
// board. The journal is written as the daemon writes it; its board gets no answers, because the core treats it as a
// foreign recording.
type Rehearsal struct {
	Protocol  string
	Seed      uint64
	Family    populations.Family
	Board     populations.Board
	Dir, Name string // of the journal
	Software  string
	Config    []byte // canonical, for the opening record
}

// PauseBody returns the instruction that pauses the judgement of the game in the laboratory.
func PauseBody() []byte { return watch.Instruction{Do: watch.DoPause}.Body() }

// Play plays it to the end.
func (r Rehearsal) Play() error {
	s, err := NewSession(Options{Protocol: r.Protocol, Seed: r.Seed, Operator: "nobody", Players: []string{"A", "B"}, Made: "generated hands, " + r.Family.String()}, nil)
	if err != nil {
		return err
	}
	open := func(segment int, cause string) []byte {
		return watch.Opening{
			Format: watch.Format, Journal: r.Name, Segment: segment, Core: watch.Revision, Software: r.Software, Source: watch.Capture,
			Board: "lab", Cause: cause, Config: r.Config,
		}.Body()
	}
	w, err := journal.Create(r.Dir, r.Name, journal.Options{OpenBody: open})
	if err != nil {
		return err
	}
	p := people{w: w, m: watch.New(), rng: rand.New(rand.NewPCG(r.Seed, 77)), reversed: r.Board.Reversed}
	for i := range p.hands {
		p.hands[i] = populations.Sit(populations.Options{Seed: r.Seed*2 + uint64(i), Family: r.Family, Board: r.Board})
	}
	p.note(record.Open, open(1, "start"))
	p.note(record.Instruct, PauseBody())
	for p.err == nil && !s.Over() {
		if s.setting {
			p.at += 30_000_000
			p.lies = setUp(s.lanes)
			p.note(record.Rx, populations.Dump(p.lies, p.reversed).AppendTo(nil))
		} else {
			p.play(s.todo[0], p.hands[s.block%2])
		}
		s.Key(Enter)
		for _, l := range s.Take() {
			p.note(record.Instruct, l.Body())
		}
	}
	if err := w.Close(p.at, "stop"); p.err == nil {
		p.err = err
	}
	return p.err
}

// people play the cards, and write the journal with the machine's answers.
type people struct {
	hands    [2]*populations.Session
	w        *journal.Writer
	m        *watch.Machine
	at       int64 // µs
	err      error // sticky
	rng      *rand.Rand
	reversed bool
	lies     legal.Placement // the present pieces, with White at the near side
}

// note journals an input and the machine's effects.
func (p *people) note(kind record.Kind, body []byte) {
	seq, err := p.w.Add(p.at, kind, body)
	if p.err == nil {
		p.err = err
	}
	for _, e := range p.m.Step(record.Record{Seq: seq, At: p.at, Kind: kind, Body: body}) {
		if _, err := p.w.Add(p.at, e.Kind, e.Body); p.err == nil {
			p.err = err
		}
	}
	p.w.Flush()
}

// play puts the pieces on the squares that a card needs, and performs it.
func (p *people) play(c Card, who *populations.Session) {
	want := c.lane.before(p.lies)
	for sq := range legal.Square(64) {
		if p.lies[sq] != want[sq] {
			p.hear(who.Arrange(p.at+500_000+p.rng.Int64N(400_000), sq, want[sq], &p.lies))
		}
	}
	p.at += 2_000_000 + p.rng.Int64N(900_000)
	if d := c.lane.Handling; d.From >= legal.NoSquare {
		p.hear(who.Arrange(p.at, d.To, d.Put, &p.lies))
	} else {
		d.Kind = c.What.Kind()
		haste := map[Tempo]float64{Relaxed: 1, Fast: 1, Max: 0.85}[c.Tempo]
		p.hear(who.Perform(d, populations.StyleOf(c.Style), c.class(), haste, &p.lies, p.at).Handling.Reports)
	}
	p.at += 1_000_000
}

// hear passes the board's reports to the host.
func (p *people) hear(reports []hands.Report) {
	for _, r := range reports {
		p.at, p.lies[r.Square] = max(p.at, r.At), r.Is
		p.note(record.Rx, populations.Update(r, p.reversed).AppendTo(nil))
	}
}
