package populations

import (
	"math"
	"math/rand/v2"
)

// chance is the draw behind everything.
type chance struct{ *rand.Rand }

func chanceOf(seed, stream uint64) chance { return chance{rand.New(rand.NewPCG(seed, stream))} }

// spread is a factor around 1, log-normal.
func (c chance) spread(sigma float64) float64 { return math.Exp(sigma * c.NormFloat64()) }

// gamma has the given shape and mean. Marsaglia and Tsang's method.
func (c chance) gamma(shape, mean float64) float64 {
	if shape < 1 {
		return shape * c.gamma(shape+1, (shape+1)*mean/shape) / (shape + 1) * math.Pow(1-c.Float64(), 1/shape)
	}
	d := shape - 1.0/3
	for {
		x := c.NormFloat64()
		v := 1 + x/math.Sqrt(9*d)
		if v <= 0 {
			continue
		}
		v = v * v * v
		if math.Log(1-c.Float64()) < x*x/2+d-d*v+d*math.Log(v) {
			return d * v * mean / shape
		}
	}
}

// favour scatters weights as a Dirichlet distribution does: the population has them in the mean.
func (c chance) favour(weights []float64) []float64 {
	const sameness = 14.0 // the larger, the more people are alike
	sum := 0.0
	for _, w := range weights {
		sum += w
	}
	own := make([]float64, len(weights))
	for i, w := range weights {
		own[i] = c.gamma(sameness*w/sum, w/sum)
	}
	return own
}

// between is uniform.
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
