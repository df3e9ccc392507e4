package players

import (
	"fmt"

	"boardwatchd/internal/emulator"
	"boardwatchd/internal/random"
	"boardwatchd/rules/legal"
)

// Options choose the players and the equipment. The zero Options is one generated blitz game of honest players with
// faultless equipment, a 3:00+2 clock with White on its left.
type Options struct {
	Seed uint64 // of all random choices, the equipment's included

	Board       emulator.BoardOptions
	Clock       emulator.ClockOptions
	Line        emulator.LineOptions
	Faults      emulator.Faults
	WaitForHost bool // the players begin when a host has asked for updates

	Tempo  Tempo   // zero means Blitz
	Habits *Habits // nil means AsRecorded

	Games     []Game // played one after another
	Count     int    // generated games after those; negative for ever; 0 means one when nothing else is given
	Generator GeneratorOptions

	Offences  Offences  // the players' offences; zero is none
	Innocents Innocents // acts that look like offences and are none
}

// Table is an emulated board with its players. It belongs to one goroutine.
type Table struct {
	*emulator.Emulator
	people *pair
}

// New makes a table. The error names an illegal move and its game, or an unknown kind of offence.
func New(o Options) (*Table, error) {
	p, err := newPair(o)
	if err != nil {
		return nil, err
	}
	p.next(0)
	p.hands.table = p.game.first.Placement()
	e := emulator.New(emulator.Options{
		Seed: o.Seed, Board: o.Board, Clock: o.Clock, Line: o.Line, Faults: o.Faults,
		Table: p.hands.table, People: p, WaitForHost: o.WaitForHost,
	})
	return &Table{Emulator: e, people: p}, nil
}

// newPair forks the seed with the labels 4 to 7; the equipment uses the labels below.
func newPair(o Options) (*pair, error) {
	seed := random.New(o.Seed)
	p := &pair{
		tempo: o.Tempo, habits: AsRecorded, rng: seed.Fork(4), dealer: seed.Fork(5),
		count: o.Count, gen: o.Generator, noClock: o.Clock.None,
	}
	if p.tempo == (Tempo{}) {
		p.tempo = Blitz
	}
	if o.Habits != nil {
		p.habits = *o.Habits
	}
	p.hands = newHands(0, legal.Placement{}, p.tempo, seed.Fork(6))
	for i, g := range o.Games {
		r, err := g.resolve()
		if err != nil {
			return nil, fmt.Errorf("game %d: %w", i+1, err)
		}
		p.given = append(p.given, r)
	}
	if len(p.given) == 0 && p.count == 0 {
		p.count = 1
	}
	var err error
	if p.conduct, err = newConduct(o, seed.Fork(7)); err != nil {
		return nil, err
	}
	base, bonus := o.Clock.Period()
	p.base = int64(base+bonus) * second // captures: the first increment is there before move 1
	return p, nil
}

// Truth returns the record so far. It is a copy; the moves of finished games are shared.
func (t *Table) Truth() Truth {
	truth := t.people.truth
	truth.Games = append([]GameTruth(nil), truth.Games...)
	truth.Placement = t.Placement()
	return truth
}

// Record plays the whole of the options with a Watcher, as fast as the machine can, and reports each chunk with its
// direction.
func Record(o Options, w func(at int64, dir byte, p []byte)) (Truth, error) {
	t, err := New(o)
	if err != nil {
		return Truth{}, err
	}
	emulator.Record(t.Emulator, w)
	return t.Truth(), nil
}

// second is the unit of every clock.
const second int64 = 1_000_000
