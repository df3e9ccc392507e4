package populations

import (
	"boardwatchd/detector"
	"boardwatchd/detector/hands"
	"boardwatchd/rules/legal"
)

// Pace is the speed of a game.
type Pace = detector.Play

// The paces.
const (
	Blitz     = detector.BlitzPlay
	Rapid     = detector.RapidPlay
	Classical = detector.ClassicalPlay
)

// Rates of rare events, which limit the certainty (timing notes 3.3).
type Rates struct {
	Nuisance  float64 // of captures with one hand: half scooped, half knocked over or misread
	BothInOne float64 // of castlings with one hand: king and rook in the same hand
	PreHeld   float64 // of promotions with one hand: the queen is in that hand already
	Transient float64 // of all moves: a piece is read on a square that it only crosses
}

// UsualRates returns the rates behind the figures of the timing notes, 3.3.
func UsualRates(p Pace) Rates {
	r := Rates{Nuisance: 0.001, BothInOne: 0.01, PreHeld: 0.25, Transient: 0.05}
	if p == Classical {
		r.PreHeld = 0.08
	}
	return r
}

// Options choose the person and the board.
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
	Handling hands.Handling
	Style    Style
	Two      bool
	LiftUS   int64 // true time: the first piece left its square
	DoneUS   int64 // true time: the last piece was within the reach of its coil
}

// A Session is one person at one board. It belongs to one goroutine.
type Session struct {
	options Options
	chance  chance
	who     somebody
	board   scanner
	now     float64 // seconds
}

// Sit makes a session: it draws a person and the phase of the scan.
func Sit(o Options) *Session {
	o = o.filled()
	c := chanceOf(o.Seed, uint64(o.Family)<<8|uint64(o.Pace))
	return &Session{options: o, chance: c, who: meet(c, o.Family), board: newScanner(o.Board, c), now: 1}
}

// Perform makes a requested manipulation at an instant on the session's time line, on a board that shows table, for the
// cards of the laboratory.
func (s *Session) Perform(d hands.Handling, style Style, pace Pace, haste float64, table *legal.Placement, atUS int64) Sample {
	t := s.options.task(d, table)
	t.pace, t.haste, t.rates = pace, haste, Rates{Transient: t.rates.Transient}
	s.who.step()
	return s.perform(t, style, float64(atUS)/1e6)
}

// Arrange puts a piece on a square, or removes it, in any way, and returns the board's reports.
func (s *Session) Arrange(atUS int64, sq legal.Square, p legal.Piece, table *legal.Placement) []hands.Report {
	return s.board.see([]moment{{float64(atUS) / 1e6, sq, p}}, table)
}

// perform makes a manipulation that begins at an instant, and runs the board's scan over it.
func (s *Session) perform(t *task, style Style, at float64) Sample {
	s.who.do(t, style)
	first, last := t.moments[0].at, t.moments[0].at
	for _, m := range t.moments {
		first, last = min(first, m.at), max(last, m.at)
	}
	for i := range t.moments {
		t.moments[i].at += at - first
	}
	s.now = max(s.now, at+last-first)
	x := Sample{Handling: t.Handling, Style: style, Two: style.Two(), LiftUS: int64(at * 1e6), DoneUS: int64((at + last - first) * 1e6)}
	x.Handling.Reversed = s.board.Reversed
	x.Handling.Reports = s.board.see(t.moments, t.table)
	return x
}

// task returns the task for a manipulation.
func (o Options) task(d hands.Handling, table *legal.Placement) *task {
	return &task{Handling: d, pace: o.Pace, haste: o.Haste, rates: *o.Rates, table: table}
}
