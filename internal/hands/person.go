package hands

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

// person is one pair of hands.
type person struct {
	body   body
	tempo  float64 // beside the pace
	one    []float64
	two    []float64
	swift  float64 // how much faster than usual the second hand is
	castle float64 // of two-handed castlings: hands together
	pawn   []float64
}

// habits are how often which style is chosen: captures with one hand (oneCaptures), with two (twoCaptures).
var habits = map[Family]struct{ one, two, pawn []float64 }{
	// swap, push, hold first, put aside; together, ahead, first, late, sequential; swapped on the eighth, pawn off first
	Jerk:     {one: []float64{0.52, 0.24, 0.14, 0.10}, two: []float64{25, 30, 20, 10, 15}, pawn: []float64{0.55, 0.45}},
	TwoPhase: {one: []float64{0.42, 0.33, 0.18, 0.07}, two: []float64{25, 30, 20, 10, 15}, pawn: []float64{0.40, 0.60}},
}

// meet draws a person. People differ in tempo by some 15 %, and each has favourite ways.
func meet(c chance, f Family) person {
	h := habits[f]
	p := person{body: f.body(), tempo: c.spread(0.15), swift: c.spread(0.1), castle: 0.5}
	p.one, p.two, p.pawn = c.favour(h.one), c.favour(h.two), c.favour(h.pawn)
	return p
}
