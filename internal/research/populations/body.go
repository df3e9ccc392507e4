package populations

import (
	"fmt"
	"math"
	"strings"
)

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

// Families lists them.
func Families() []Family { return []Family{Jerk, TwoPhase, Stroke, Coast} }

func (f Family) String() string {
	names := [...]string{"none", "jerk", "two-phase", "stroke", "coast"}
	if int(f) < len(names) {
		return names[f]
	}
	return fmt.Sprintf("family(%d)", uint8(f))
}

// FamilyNames are their names as a text lists them.
func FamilyNames() string {
	var names []string
	for _, f := range Families() {
		names = append(names, f.String())
	}
	return strings.Join(names, ", ")
}

// FamilyOf is the family with this name.
func FamilyOf(name string) (Family, bool) {
	for _, f := range Families() {
		if f.String() == name {
			return f, true
		}
	}
	return NoFamily, false
}

// body is how one hand of the families jerk and two-phase moves. Times in seconds at the pace of blitz, distances in cm.
type body interface {
	reach(c chance, cm float64) float64 // the empty hand, until the fingers are at the piece
	grasp(c chance) float64             // until the piece has left its coil
	carry(c chance, cm float64) float64 // from leaving one coil until being read by another
	fetch(c chance, cm float64) float64 // a piece that stands beside the board: until it is in the hand, and back
	release(c chance) float64           // until the hand is free for the next reach
	lag(c chance) float64               // how far apart two hands are that mean to act together
}

func (f Family) body() body {
	if f == TwoPhase {
		return twoPhase{}
	}
	return jerk{}
}

// fieldCM is the side of a square of a tournament board.
const fieldCM = 5.5

// jerk: minimum-jerk strokes.
type jerk struct{}

// jerkAccel is the peak acceleration that people like in fast play, m/s². Half of it is comfortable.
const jerkAccel = 4.6

// stroke is the duration of a minimum-jerk movement: peak acceleration 5.77·D/T² (timing notes, 2.1).
func (jerk) stroke(c chance, cm float64) float64 {
	return 0.05 + math.Sqrt(5.77*cm/100/jerkAccel)*c.spread(0.12)
}

func (j jerk) reach(c chance, cm float64) float64 { return 0.72 * j.stroke(c, cm) }

func (jerk) grasp(c chance) float64 { return 0.105 * c.spread(0.33) }

// carry: the coil loses the piece when it is 1.8 cm away, and the next one reads it 1.5 cm before its middle; then it is
// set down.
func (j jerk) carry(c chance, cm float64) float64 {
	seen := minimumJerk(1-1.5/cm) - minimumJerk(1.8/cm)
	return seen*j.stroke(c, cm) + 0.062*c.spread(0.5)
}

func (j jerk) fetch(c chance, cm float64) float64 {
	return j.reach(c, cm) + j.grasp(c) + 0.8*j.stroke(c, cm)
}

func (jerk) release(c chance) float64 { return 0.055 * c.spread(0.4) }

func (jerk) lag(c chance) float64 { return 0.02 + 0.075*c.NormFloat64() }

// minimumJerk is the time, as a part of the duration, at which a part of the way is done: the inverse of
// x = 10s³ − 15s⁴ + 6s⁵.
func minimumJerk(x float64) float64 {
	lo, hi := 0.0, 1.0
	for range 24 {
		s := (lo + hi) / 2
		if s*s*s*(10-15*s+6*s*s) < x {
			lo = s
		} else {
			hi = s
		}
	}
	return lo
}

// twoPhase: a reach of nearly constant duration, then homing.
type twoPhase struct{}

func (twoPhase) ballistic(c chance, base, cm float64) float64 {
	return base * math.Pow(cm/11, 0.22) * c.spread(0.14)
}

func (b twoPhase) reach(c chance, cm float64) float64 {
	return b.ballistic(c, 0.135, cm) + c.gamma(3, 0.035)
}

func (twoPhase) grasp(c chance) float64 { return c.gamma(5, 0.115) }

func (b twoPhase) carry(c chance, cm float64) float64 {
	return b.ballistic(c, 0.135, cm) + c.gamma(2.5, 0.085)
}

func (b twoPhase) fetch(c chance, cm float64) float64 {
	return b.reach(c, cm) + b.grasp(c) + b.ballistic(c, 0.2, cm)
}

func (twoPhase) release(c chance) float64 { return c.gamma(3, 0.06) }

func (twoPhase) lag(c chance) float64 {
	late := 0.03*c.NormFloat64() + c.gamma(1.5, 0.065)
	if c.happens(0.4) {
		return -late // the hand at the victim was the one that was looked after first
	}
	return late
}
