package populations

import "boardwatchd/detector"

// Pace is the speed of a game.
type Pace uint8

// The paces.
const (
	Blitz Pace = iota
	Rapid
	Classical
)

func (p Pace) String() string {
	names := [...]string{"blitz", "rapid", "classical"}
	if int(p) < len(names) {
		return names[p]
	}
	return "no pace"
}

// Play is the class of play that the pace is of.
func (p Pace) Play() detector.Play { return detector.Play(min(p, Classical)) }

// factor multiplies the times of the bodies: a simple move takes 0.24 s in blitz and 0.55 s in classical chess (timing
// notes, 2.2; families_test.go).
func (p Pace) factor() float64 { return [...]float64{1.16, 1.7, 2.65}[min(p, Classical)] }

// Rates of what is rare, and decides how sure anybody can be (timing notes, 3.3: "nuisance is decisive").
type Rates struct {
	Nuisance  float64 // of captures with one hand: half scooped, half knocked over or misread
	BothInOne float64 // of castlings with one hand: king and rook in the same hand
	PreHeld   float64 // of promotions with one hand: the queen is in it already
	Transient float64 // of all moves: a piece is read on a square that it only crosses
}

// UsualRates are those that the figures of the timing notes, 3.3, rest on.
func UsualRates(p Pace) Rates {
	r := Rates{Nuisance: 0.001, BothInOne: 0.01, PreHeld: 0.25, Transient: 0.05}
	if p == Classical {
		r.PreHeld = 0.08
	}
	return r
}

// somebody is one pair of hands.
type somebody interface {
	// do draws a manipulation: its moments, in seconds after the first, and the style.
	do(t *task, two bool) Style
	// press is the time from the last placement of what was just done until the lever is down, in seconds.
	press(t *task, style Style) float64
	// step comes before each move: hands do not keep their tempo.
	step()
	// inclined is the same person, who prefers a style as far as persons can.
	inclined(r *Rates, style Style) somebody
}

// manners are how often which style is chosen, as weights.
type manners struct {
	one    []float64 // captures: swap, push, hold first, put aside
	two    []float64 // together, ahead, first, late, sequential
	pawn   []float64 // swapped on the eighth, pawn off first
	castle float64   // of two-handed castlings: hands together
}

// person is somebody of the families jerk and two-phase. His deeds are drawn at the pace of blitz and scaled as a whole.
type person struct {
	manners
	body  body
	tempo float64 // beside the pace
	swift float64 // how much faster than usual the second hand is
}

// habits are how often which style is chosen: captures with one hand (oneCaptures), with two (twoCaptures).
var habits = map[Family]struct{ one, two, pawn []float64 }{
	// swap, push, hold first, put aside; together, ahead, first, late, sequential; swapped on the eighth, pawn off first
	Jerk:     {one: []float64{0.52, 0.24, 0.14, 0.10}, two: []float64{25, 30, 20, 10, 15}, pawn: []float64{0.55, 0.45}},
	TwoPhase: {one: []float64{0.42, 0.33, 0.18, 0.07}, two: []float64{25, 30, 20, 10, 15}, pawn: []float64{0.40, 0.60}},
}

// meet draws somebody of a family.
func meet(c chance, f Family, pace Pace) somebody {
	switch f {
	case Stroke:
		return strokeGuest(c, pace)
	case Coast:
		return coastGuest(c, pace)
	}
	return meetPerson(c, f)
}

// meetPerson draws a person. People differ in tempo by some 15 %, and each has favourite ways.
func meetPerson(c chance, f Family) person {
	h := habits[f]
	p := person{body: f.body(), tempo: c.spread(0.15), swift: c.spread(0.1), manners: manners{castle: 0.5}}
	p.one, p.two, p.pawn = c.favour(h.one), c.favour(h.two), c.favour(h.pawn)
	return p
}

func (p person) do(t *task, two bool) Style {
	p.tempo *= t.haste
	d := deed{task: t, person: p}
	d.slow = t.pace.factor() * p.tempo * t.spread(0.17) // nobody is always equally fast
	style := d.draw(two)
	t.fromZero()
	for i := range t.moments {
		t.moments[i].at *= d.slow
	}
	return style
}

func (p person) press(t *task, _ Style) float64 {
	return t.pace.factor() * (p.tempo * t.haste) * (0.12 + p.body.reach(t.chance, t.between(15, 35)))
}

func (person) step() {}

func (p person) inclined(r *Rates, style Style) somebody {
	p.bend(r, style)
	return p
}
