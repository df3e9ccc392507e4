package populations

import (
	"boardwatchd/detector/hands"
	"boardwatchd/rules/legal"
)

// Options say who sits at which board.
type Options struct {
	Seed   uint64
	Family Family // NoFamily: Jerk
	Pace   Pace
	Board  Board
	Rates  *Rates  // nil: UsualRates of the pace
	Haste  float64 // multiplies all times; 0: 1
}

func (o Options) filled() Options {
	if o.Family == NoFamily {
		o.Family = Jerk
	}
	if o.Haste == 0 {
		o.Haste = 1
	}
	if o.Rates == nil {
		r := UsualRates(o.Pace)
		o.Rates = &r
	}
	return o
}

// A Sample is one manipulation with its label.
type Sample struct {
	Deed   hands.Deed
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
	who     somebody
	board   scanner
	now     float64 // seconds
}

// Sit makes a session: a person is drawn, and the phase of the scan.
func Sit(o Options) *Session {
	o = o.filled()
	c := chanceOf(o.Seed, uint64(o.Family)<<8|uint64(o.Pace))
	return &Session{options: o, chance: c, who: meet(c, o.Family, o.Pace), board: newScanner(o.Board, c), now: 1}
}

// Plain plays a move that two hands cannot share. Its deed has no kind.
func (s *Session) Plain() Sample { return s.Do(hands.NoKind, false) }

// Do plays a deed of a kind, with one hand or two.
func (s *Session) Do(kind hands.Kind, two bool) Sample {
	list := shapes()[kind]
	form := list[s.chance.IntN(len(list))]
	s.now += s.chance.between(2, 12)
	table := form.table()
	s.who.step()
	x := act(s.options, s.options.task(s.chance, form, &table), s.who, &s.board, two, s.now)
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

// task is something to do.
func (o Options) task(c chance, form shape, table *legal.Placement) *task {
	return &task{chance: c, shape: form, pace: o.Pace, haste: o.Haste, rates: *o.Rates, table: table}
}

// act lets somebody do something that begins at an instant, and the board see it.
func act(o Options, t *task, who somebody, b *scanner, two bool, at float64) Sample {
	style := who.do(t, two)
	last := 0.0
	for i := range t.moments {
		last = max(last, t.moments[i].at)
		t.moments[i].at += at
	}
	x := Sample{Style: style, Two: style.Two(), Pace: t.pace, Family: o.Family}
	x.LiftUS, x.DoneUS = int64(at*1e6), int64((at+last)*1e6)
	form := t.shape
	x.Deed = hands.Deed{
		Kind: form.kind, From: form.from, To: form.to, Victim: form.victim, RookFrom: form.rookFrom, RookTo: form.rookTo,
		Mover: form.mover, Taken: form.taken, Put: form.put, Reversed: b.board.Reversed,
		Reports: b.see(t.moments, t.table),
	}
	return x
}
