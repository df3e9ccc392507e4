package hands

import (
	detect "boardwatchd/detector/hands"
	"boardwatchd/rules/legal"
)

// Options say who sits at which board.
type Options struct {
	Seed   uint64
	Family Family // NoFamily: Jerk
	Pace   Pace
	Board  Board
	Rates  *Rates // nil: UsualRates of the pace
}

func (o Options) filled() Options {
	if o.Family == NoFamily {
		o.Family = Jerk
	}
	if o.Rates == nil {
		r := UsualRates(o.Pace)
		o.Rates = &r
	}
	return o
}

// A Sample is one manipulation with its label.
type Sample struct {
	Deed   detect.Deed
	Style  Style
	Two    bool
	Pace   Pace
	Family Family
	LiftUS int64 // what really happened: the first piece left its square
	DoneUS int64 // the last piece was within the reach of its coil
}

// A Session is one person at one board. It belongs to one goroutine.
type Session struct {
	options Options
	chance  chance
	person  person
	board   scanner
	now     float64 // seconds
}

// Sit makes a session: a person is drawn, and the phase of the scan.
func Sit(o Options) *Session {
	o = o.filled()
	c := chanceOf(o.Seed, uint64(o.Family)<<8|uint64(o.Pace))
	return &Session{options: o, chance: c, person: meet(c, o.Family), board: newScanner(o.Board, c), now: 1}
}

// Plain plays a move that two hands cannot share. Its deed has no kind.
func (s *Session) Plain() Sample { return s.Do(detect.NoKind, false) }

// Do plays a deed of a kind, with one hand or two.
func (s *Session) Do(kind detect.Kind, two bool) Sample {
	list := shapes()[kind]
	form := list[s.chance.IntN(len(list))]
	s.now += s.chance.between(2, 12)
	table := form.table()
	x, _ := act(s.options, s.chance, s.person, &s.board, form, &table, two, s.now)
	s.now = float64(x.DoneUS) / 1e6
	return x
}

// table is a board with nothing on it but what the deed needs.
func (f shape) table() (t legal.Placement) {
	t[f.from] = f.mover
	if f.victim < legal.NoSquare {
		t[f.victim] = f.taken
	}
	if f.rookFrom < legal.NoSquare {
		t[f.rookFrom] = f.rook
	}
	return t
}

// act lets a person do something that begins at an instant, and the board see it.
func act(o Options, c chance, who person, b *scanner, form shape, table *legal.Placement, two bool, at float64) (Sample, []moment) {
	slow := o.Pace.factor() * who.tempo * c.spread(0.17) // nobody is always equally fast
	d := deed{chance: c, person: who, rates: *o.Rates, shape: form, table: table, slow: slow}
	style := d.draw(two)
	first, last := d.moments[0].at, d.moments[0].at
	for _, m := range d.moments {
		first, last = min(first, m.at), max(last, m.at)
	}
	for i := range d.moments {
		d.moments[i].at = at + (d.moments[i].at-first)*slow
	}
	x := Sample{Style: style, Two: style.Two(), Pace: o.Pace, Family: o.Family}
	x.LiftUS, x.DoneUS = int64(at*1e6), int64((at+(last-first)*slow)*1e6)
	x.Deed = detect.Deed{
		Kind: form.kind, From: form.from, To: form.to, Victim: form.victim, RookFrom: form.rookFrom, RookTo: form.rookTo,
		Mover: form.mover, Taken: form.taken, Put: form.put, Reversed: b.board.Reversed,
		Reports: b.see(d.moments, table),
	}
	return x, d.moments
}
