package populations

import "math"

// coasts: a movement speeds up, coasts and brakes, each evenly; all times are gamma. There are three sorts of people, and
// their tempo walks at random.
type coasts struct {
	chance
	pace    Pace
	haste   float64
	slow    float64 // what the person is slower by
	drift   float64 // logarithm of what he is slower by just now
	moves   int
	shape   float64 // of the gamma times
	speedup float64 // part of a movement's time
	leading float64 // how much one hand leads, seconds
}

// coastPaces are the tempo of each pace against blitz, and the shape of its gamma law.
var coastPaces = [...]struct{ tempo, shape float64 }{{1, 30}, {1.5, 25}, {2.3, 20}}

// coastGuest draws somebody: half of the people swap, a quarter takes first, a quarter pushes.
func coastGuest(c chance, pace Pace) guest {
	k := &coasts{chance: c, pace: pace, haste: 1, slow: c.gamma(coastPaces[min(pace, Classical)].shape, 1)}
	k.shape, k.speedup, k.leading = c.between(8, 18), c.between(0.22, 0.42), 0.025*c.NormFloat64()
	g := guest{limbs: k, manners: manners{two: []float64{25, 30, 20, 10, 15}, pawn: []float64{1, 1}, castle: 0.5}}
	g.one = [][]float64{{0.72, 0.10, 0.12, 0.06}, {0.15, 0.12, 0.48, 0.25}, {0.25, 0.55, 0.12, 0.08}}[c.pick([]float64{2, 1, 1})]
	return g
}

func (k *coasts) at(pace Pace, haste float64) { k.pace, k.haste = pace, haste }

func (k *coasts) tempo() float64 {
	return coastPaces[min(k.pace, Classical)].tempo * k.slow * math.Exp(k.drift) * k.haste
}

// step: in the second half of a game of sixty moves people hurry, except in classical chess.
func (k *coasts) step() {
	k.moves++
	k.drift += 0.03 * k.NormFloat64()
	if k.pace != Classical && k.moves > 30 && k.moves <= 60 {
		k.drift -= 0.004
	}
	k.drift = max(-0.35, min(0.35, k.drift))
}

// whole is the duration of a movement from rest to rest.
func (k *coasts) whole(cm float64) float64 { return k.gamma(k.shape, 0.27+0.0109*cm) * k.tempo() }

// onset is the part of the time in which the first part of the way is done.
func (k *coasts) onset(part, cm float64) float64 {
	f := k.speedup
	s := part / cm
	if s <= f/(2*(1-f)) {
		return math.Sqrt(2 * f * (1 - f) * s)
	}
	return s*(1-f) + f/2
}

// carry: the coil loses the piece a centimetre away, the next one reads it 0.8 cm before its middle.
func (k *coasts) carry(cm float64) float64 {
	return k.whole(cm) * max(0.2, 1-k.onset(1, cm)-k.onset(0.8, cm))
}

func (k *coasts) reach(cm float64) float64 { return k.whole(cm) * (1 - 0.5*k.onset(1, cm)) }

func (k *coasts) grasp() float64 {
	return k.gamma(6, 0.11)*k.tempo() + 0.39*k.onset(1, 11)*k.tempo()*0.35
}

func (k *coasts) release() float64 { return k.gamma(5, 0.07) * k.tempo() }

func (k *coasts) inHand() float64 { return k.gamma(7, 0.40) * k.tempo() }

func (k *coasts) swapGap() float64 {
	i := min(k.pace, Classical)
	return 0.008 + k.gamma([...]float64{1.8, 1.5, 1.2}[i], [...]float64{0.052, 0.067, 0.085}[i])
}

func (k *coasts) pushGap() float64 { return 0.01 + k.gamma(2.5, 0.05)*math.Sqrt(k.tempo()) }

func (k *coasts) press(cm float64) float64 { return 0.4*k.release() + 0.58*k.whole(cm) }

func (*coasts) share() float64 { return 1.05 }

// together is Laplace's, around the lead of one hand.
func (k *coasts) together() float64 {
	x := 0.05 * k.ExpFloat64()
	if k.happens(0.5) {
		x = -x
	}
	return k.leading + x*math.Pow(k.tempo(), 0.4)
}

func (k *coasts) lag(style Style, cm float64) float64 {
	switch style {
	case Together:
		return k.together()
	case Ahead:
		return 0.15 * k.spread(0.6) * k.tempo()
	case First:
		return k.between(0.2, 0.7) * k.reach(cm) * 0.9
	}
	return 0.2*k.tempo() + k.gamma(5, 0.55)*k.tempo() // sequential
}

func (k *coasts) castleLag(style Style) float64 {
	if style == Together {
		return k.together()
	}
	return (0.05 + k.gamma(3, 0.19)) * k.tempo()
}
