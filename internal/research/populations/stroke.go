package populations

import "math"

// strokes: every movement has a log-normal course of speed, as Plamondon's theory of rapid movements says; what lies between is normal with
// an exponential tail. The tempo wanders around the person's own.
type strokes struct {
	chance
	pace   Pace
	haste  float64
	slow   float64 // deviate of the person's tempo
	mood   float64 // logarithm of what he is slower by just now
	course float64 // spread of the course of speed
	dwells float64
}

// strokePaces are the tempo of each pace against blitz, and its spread between people.
var strokePaces = [...]struct{ tempo, spread float64 }{{1, 0.19}, {1.5, 0.205}, {2.27, 0.22}}

// strokeGuest draws somebody. The weights of the four ways to capture differ by three quarters from one to the next.
func strokeGuest(c chance, pace Pace) guest {
	s := &strokes{chance: c, pace: pace, haste: 1, slow: c.NormFloat64(), course: c.between(0.28, 0.42), dwells: c.spread(0.15)}
	g := guest{limbs: s, manners: manners{two: []float64{25, 30, 20, 10, 15}, pawn: []float64{1, 1}, castle: 0.5}}
	for _, w := range []float64{0.50, 0.17, 0.20, 0.13} {
		g.one = append(g.one, w*c.spread(0.6))
	}
	return g
}

func (s *strokes) at(pace Pace, haste float64) { s.pace, s.haste = pace, haste }

func (s *strokes) tempo() float64 {
	p := strokePaces[min(s.pace, Classical)]
	return p.tempo * math.Exp(p.spread*s.slow+s.mood) * s.haste
}

// step: a deviation of 0.06 comes with each move, and 0.85 of it is left at the next.
func (s *strokes) step() { s.mood = 0.85*s.mood + 0.06*s.NormFloat64() }

// stroke is the time that a movement needs from one part of its way to another.
func (s *strokes) stroke(cm, from, to float64) float64 {
	middle := 0.235 * math.Pow(cm/11, 0.28) * s.tempo() * s.spread(0.2)
	return middle * (math.Exp(s.course*probit(to)) - math.Exp(s.course*probit(from)))
}

func probit(p float64) float64 { return math.Sqrt2 * math.Erfinv(2*p-1) }

// tailed is normal with an exponential tail, not below a floor.
func (s *strokes) tailed(mean, sd, tail, floor float64) float64 {
	for range 50 {
		if x := mean + sd*s.NormFloat64() + tail*s.ExpFloat64(); x >= floor {
			return x
		}
	}
	return floor
}

// carry: the coil loses the piece a centimetre away, the next one reads it 0.8 cm before its middle.
func (s *strokes) carry(cm float64) float64 {
	return s.stroke(cm, min(0.3, 1/cm), 1-min(0.3, 0.8/cm))
}

func (s *strokes) reach(cm float64) float64 { return s.stroke(cm, 0.02, 0.95) }

func (s *strokes) grasp() float64 {
	return (s.tailed(0.07, 0.02, 0.04, 0.03) + 0.05) * s.tempo() * s.dwells
}

func (s *strokes) release() float64 {
	return s.tailed(0.05, 0.015, 0.03, 0.015) * s.tempo() * s.dwells
}

func (s *strokes) inHand() float64 {
	return s.tailed(0.30, 0.07, 0.10, 0.05) * s.tempo() * s.dwells
}

func (s *strokes) swapGap() float64 {
	i := min(s.pace, Classical)
	return max(0.006, [...]float64{0.047, 0.051, 0.055}[i]*s.spread([...]float64{0.65, 0.78, 0.9}[i]))
}

func (s *strokes) pushGap() float64 {
	return s.tailed(0.035, 0.012, 0.03, 0.01) * math.Sqrt(s.tempo())
}

func (s *strokes) press(cm float64) float64 {
	return 0.5*s.release() + 0.72*s.stroke(cm, 0.03, 0.97)
}

func (*strokes) share() float64 { return 1.1 }

func (s *strokes) lag(style Style, _ float64) float64 {
	switch style {
	case Together:
		return (0.01 + 0.07*s.NormFloat64()) * math.Sqrt(s.tempo())
	case Ahead:
		return s.tailed(0.09, 0.04, 0.08, 0.01) * s.tempo()
	case First:
		return (0.15 + 0.05*s.NormFloat64()) * s.tempo()
	}
	return s.tailed(0.55, 0.12, 0.2, 0.25) * s.tempo() // sequential
}

func (s *strokes) castleLag(style Style) float64 {
	if style == Together {
		return (0.015 + 0.07*s.NormFloat64()) * math.Sqrt(s.tempo())
	}
	return s.tailed(0.15, 0.05, 0.09, 0.05) * s.tempo()
}
