package populations

import (
	"math"

	"boardwatchd/detector/hands"
	"boardwatchd/internal/research/handtables"
)

// own is somebody of the tables' own family (internal/research/handtables), which the model knows best: drawn at random where the tables have
// a lattice. Only for this measurement: nothing else here may look at the tables.
type own struct{ slow float64 }

func meetOwn(c chance, p Pace) own {
	class := [...]float64{0.75, 1.15, 1.7}[p] // timing notes 3.6; rapid between
	return own{class * c.spread(0.2)}
}

func (own) step() {}

func (o own) inclined(*Rates, Style) somebody { return o }

func (o own) press(*task, Style) float64 { return 0.5 * o.slow }

type dice struct{ chance }

func (d dice) Next() float64 { return d.Float64() }

// scene is the nearest one of the tables.
func scene(t *task) (best handtables.Scene, way float64) {
	way = cm(t.from, t.to)
	if t.kind == hands.Castling {
		way = cm(t.rookFrom, t.rookTo)
	}
	off := math.Inf(1)
	for _, s := range handtables.Scenes() {
		if d := math.Abs(math.Log(s.CM / way)); s.Kind == int(t.kind) && d < off {
			best, off = s, d
		}
	}
	return best, way
}

func (o own) do(t *task, two bool) Style {
	if t.kind == hands.NoKind {
		fitts := 0.05 + 0.095*math.Log2(2*max(t.span(), 2.2)/3) // timing notes 3.6
		t.off(0, t.from)
		t.on(o.slow*fitts*t.spread(0.31), t.to, t.put)
		return Plain
	}
	sc, way := scene(t)
	var weights []float64
	for _, s := range sc.Styles {
		w := float64(s.PPM)
		if s.Two != two {
			w = 0
		}
		weights = append(weights, w)
	}
	style := sc.Styles[t.pick(weights)]
	x := style.Perform(dice{t.chance}, way)
	t.off(0, t.from)
	switch t.kind {
	case hands.Capture:
		t.off(x[0], t.victim)
		t.on(x[1], t.to, t.put)
	case hands.Castling:
		t.off(x[0], t.rookFrom)
		t.on(x[1], t.to, t.put)
		t.on(x[2], t.rookTo, t.rook)
	}
	t.fromZero()
	for i := range t.moments {
		t.moments[i].at *= o.slow
	}
	if two {
		return Together // no style of these is asked for
	}
	return Plain
}
