package populations

import (
	"math"
	"math/rand/v2"
)

// chance is the random source of the package.
type chance struct{ *rand.Rand }

func chanceOf(seed, stream uint64) chance { return chance{rand.New(rand.NewPCG(seed, stream))} }

// spread returns a factor around 1, log-normal.
func (c chance) spread(sigma float64) float64 { return math.Exp(sigma * c.NormFloat64()) }

// gamma returns a value with the given shape, at least 1, and mean. Marsaglia and Tsang's method.
func (c chance) gamma(shape, mean float64) float64 {
	d := shape - 1.0/3
	for {
		x := c.NormFloat64()
		v := math.Pow(1+x/math.Sqrt(9*d), 3)
		if v > 0 && math.Log(1-c.Float64()) < x*x/2+d-d*v+d*math.Log(v) {
			return d * v * mean / shape
		}
	}
}

// between returns a uniform value.
func (c chance) between(lo, hi float64) float64 { return lo + (hi-lo)*c.Float64() }

func (c chance) happens(p float64) bool { return c.Float64() < p }

// pick draws an index by weight.
func (c chance) pick(weights []float64) int {
	sum := 0.0
	for _, w := range weights {
		sum += w
	}
	x := c.Float64() * sum
	for i, w := range weights {
		if x -= w; x < 0 {
			return i
		}
	}
	return len(weights) - 1
}

// A dist is the distribution of a time in seconds: the sum of the parts that are set.
type dist struct {
	base          float64
	sd            float64 // a normal part
	tail          float64 // an exponential part, its mean
	shape, mean   float64 // a gamma part
	median, sigma float64 // a log-normal part
	flip          float64 // probability that everything but the normal part is negative
	power         float64 // it grows with the tempo to this power; 0: with the tempo
}

func (c chance) draw(d dist, tempo float64) float64 {
	x := d.base + d.tail*c.ExpFloat64()
	if d.shape > 0 {
		x += c.gamma(d.shape, d.mean)
	}
	if d.median > 0 {
		x += d.median * c.spread(d.sigma)
	}
	if c.happens(d.flip) {
		x = -x
	}
	if d.power == 0 {
		d.power = 1
	}
	return (x + d.sd*c.NormFloat64()) * math.Pow(tempo, d.power)
}
