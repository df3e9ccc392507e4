package populations

import "math"

// Family is a law of motion with its habits.
type Family uint8

// The families.
const (
	NoFamily Family = iota
	Jerk
	TwoPhase
	Stroke
	Coast
)

// Families lists the families.
func Families() []Family { return []Family{Jerk, TwoPhase, Stroke, Coast} }

func (f Family) String() string {
	return [...]string{"none", "jerk", "two-phase", "stroke", "coast"}[min(f, Coast)]
}

// law describes how the hands of a family move, and their preferences. Times in seconds at a tempo of 1, distances in
// cm.
type law struct {
	tempo       [3]float64 // in blitz, rapid and classical play
	people      float64    // spread of the tempo between people, of its logarithm
	mood        float64    // from move to move this much is added to it,
	keeps       float64    // and this part of it remains at the next move
	habitSpread float64    // how much people differ in their habits

	rest, way, power float64 // a movement takes rest + way·(cm/11)^power,
	noise            float64 // with this spread of the logarithm;
	onset, bend      float64 // a part p of the way, at either end, takes onset·p^bend of the time
	reach            float64 // the empty hand needs this part of it
	settle, homing   dist    // how long it takes then to put down a piece, or to reach one

	grasp   dist // until the piece has left its coil
	release dist // until the hand is free
	inHand  dist // the fingers hold a piece and take a second one
	swap    dist // from there until the first is read
	push    dist // from the pushed piece's end until the other is read
	shove   float64

	turn          float64 // castling: the time from the king to the rook is this part of release, reach and grasp
	gather, apart float64 // king and rook in one hand: part of inHand until the rook is up; most time between landings

	// Two hands: the delay of the moving piece after the captured one; of the rook after the king.
	together, ahead, first, sequential, staggered dist

	one [4]float64 // captures with one hand: swap, push, hold first, put aside
	far float64    // share of promotions with the pawn put down on the last rank
}

// laws are the families. Jerk: a movement is one minimum-jerk stroke; dwells are log-normal. TwoPhase: a reach of
// nearly constant duration, then homing; dwells are gamma, and one gaze guides two hands, so that one of them is late
// (timing notes, 2.1). Stroke: speed has a log-normal course; dwells are normal with an exponential tail, and the tempo
// returns to the person's own. Coast: a movement accelerates, coasts and brakes; times are gamma, and the tempo is a
// random walk.
var laws = [...]law{
	Jerk: {
		tempo: [3]float64{1.05, 1.55, 2.4}, people: 0.15, mood: 0.17, habitSpread: 0.3,
		way: 0.34, power: 0.5, rest: 0.045, noise: 0.12, onset: 0.64, bend: 0.387, reach: 0.72, settle: dist{median: 0.062, sigma: 0.5},
		grasp: dist{median: 0.105, sigma: 0.33}, release: dist{median: 0.055, sigma: 0.4}, inHand: dist{median: 0.285, sigma: 0.33},
		swap: dist{base: 0.008, median: 0.032, sigma: 0.65, power: 0.2}, push: dist{shape: 2, mean: 0.04}, shove: 1.6, turn: 1, gather: 0.22, apart: 0.28,
		together: dist{base: 0.02, sd: 0.075, power: 0.4}, ahead: dist{median: 0.15, sigma: 0.55}, first: dist{median: 0.3, sigma: 0.35},
		sequential: dist{base: 0.4, shape: 3, mean: 0.26}, staggered: dist{base: 0.15, sd: 0.14},
		one: [4]float64{0.52, 0.24, 0.14, 0.10}, far: 0.55,
	},
	TwoPhase: {
		tempo: [3]float64{1.16, 1.7, 2.65}, people: 0.15, mood: 0.17, habitSpread: 0.3,
		way: 0.135, power: 0.22, noise: 0.14, reach: 1, settle: dist{shape: 2.5, mean: 0.085}, homing: dist{shape: 3, mean: 0.035},
		grasp: dist{shape: 5, mean: 0.115}, release: dist{shape: 3, mean: 0.06}, inHand: dist{shape: 5, mean: 0.31},
		swap: dist{base: 0.008, median: 0.032, sigma: 0.65, power: 0.2}, push: dist{shape: 2, mean: 0.04}, shove: 1.6, turn: 1, gather: 0.22, apart: 0.28,
		together: dist{sd: 0.03, shape: 1.5, mean: 0.065, flip: 0.4, power: 0.4}, ahead: dist{median: 0.15, sigma: 0.55}, first: dist{median: 0.3, sigma: 0.35},
		sequential: dist{base: 0.4, shape: 3, mean: 0.26}, staggered: dist{base: 0.14, sd: 0.14},
		one: [4]float64{0.42, 0.33, 0.18, 0.07}, far: 0.4,
	},
	Stroke: {
		tempo: [3]float64{1, 1.5, 2.27}, people: 0.2, mood: 0.06, keeps: 0.85, habitSpread: 0.6,
		way: 0.364, power: 0.28, noise: 0.2, onset: 0.935, bend: 0.69, reach: 0.83,
		grasp: dist{base: 0.12, sd: 0.02, tail: 0.04}, release: dist{base: 0.05, sd: 0.015, tail: 0.03}, inHand: dist{base: 0.3, sd: 0.07, tail: 0.1},
		swap: dist{median: 0.047, sigma: 0.75, power: 0.2}, push: dist{base: 0.035, sd: 0.012, tail: 0.03, power: 0.5}, shove: 1.15, turn: 0.72, gather: 0.6, apart: 0.15,
		together: dist{base: 0.01, sd: 0.07, power: 0.5}, ahead: dist{base: 0.09, sd: 0.04, tail: 0.08}, first: dist{base: 0.15, sd: 0.05},
		sequential: dist{base: 0.55, sd: 0.12, tail: 0.2}, staggered: dist{base: 0.15, sd: 0.05, tail: 0.09},
		one: [4]float64{0.50, 0.17, 0.20, 0.13}, far: 0.5,
	},
	Coast: {
		tempo: [3]float64{1, 1.5, 2.3}, people: 0.2, mood: 0.03, keeps: 1, habitSpread: 0.8,
		rest: 0.27, way: 0.12, power: 1, noise: 0.29, onset: 0.66, bend: 0.5, reach: 0.9,
		grasp: dist{base: 0.03, shape: 6, mean: 0.11}, release: dist{shape: 5, mean: 0.07}, inHand: dist{shape: 7, mean: 0.4},
		swap: dist{base: 0.008, shape: 1.6, mean: 0.06, power: 0.4}, push: dist{base: 0.01, shape: 2.5, mean: 0.05, power: 0.5}, shove: 1.15, turn: 0.72, gather: 0.6, apart: 0.15,
		together: dist{sd: 0.025, tail: 0.05, flip: 0.5, power: 0.4}, ahead: dist{median: 0.15, sigma: 0.6}, first: dist{base: 0.14, sd: 0.045},
		sequential: dist{base: 0.2, shape: 5, mean: 0.55}, staggered: dist{base: 0.05, shape: 3, mean: 0.19},
		one: [4]float64{0.46, 0.24, 0.20, 0.10}, far: 0.5,
	},
}

// maxMood bounds the change of the tempo, in its logarithm.
const maxMood = 0.5

// person is a member of a family, with the present tempo of the hands.
type person struct {
	chance
	*law
	one  []float64
	slow float64 // relative to the family
	mood float64
	now  float64 // tempo of the present manipulation
}

// meet draws a person.
func meet(c chance, f Family) *person {
	l := &laws[f]
	p := &person{chance: c, law: l, slow: c.spread(l.people)}
	for _, w := range l.one {
		p.one = append(p.one, w*c.spread(l.habitSpread))
	}
	return p
}

// step changes the tempo before each move: a person is not always equally fast.
func (p *person) step() {
	p.mood = p.law.keeps*p.mood + p.law.mood*p.NormFloat64()
	p.mood = min(max(p.mood, -maxMood), maxMood)
}

// at sets the tempo.
func (p *person) at(pace Pace, haste float64) {
	p.now = p.law.tempo[min(pace, Classical)] * p.slow * math.Exp(p.mood) * haste
}

func (p *person) times(d dist) float64 { return p.draw(d, p.now) }

// moved returns the duration of a movement from rest to rest.
func (p *person) moved(cm float64) float64 {
	return (p.rest + p.way*math.Pow(max(cm, 4)/11, p.power)) * p.spread(p.noise) * p.now
}

// carry returns the time from leaving one coil until being read by another: the coil loses the piece a centimetre away,
// and the next one reads it 0.8 cm before its middle.
func (p *person) carry(cm float64) float64 {
	edge := p.onset * (math.Pow(1/max(cm, 4), p.bend) + math.Pow(0.8/max(cm, 4), p.bend))
	return p.moved(cm)*max(0.2, 1-edge) + p.times(p.settle)
}

// reached returns the time of the empty hand until the fingers are at the piece.
func (p *person) reached(cm float64) float64 { return p.law.reach*p.moved(cm) + p.times(p.homing) }

// press returns the time from the last placement until the lever is down: the clock stands beside the board.
func (p *person) press() float64 { return p.times(p.release) + p.reached(p.between(15, 35)) }
