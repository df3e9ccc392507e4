package populations

import (
	"math"

	"boardwatchd/detector/hands"
	"boardwatchd/internal/research/handtables"
	"boardwatchd/rules/legal"
)

// own is a person of the tables' own family (internal/research/handtables), which the model knows best: drawn at random
// where the tables have a lattice. It is only for this measurement: nothing else here may use the tables.
type own struct {
	chance
	slow float64
}

func meetOwn(c chance, p Pace) own {
	class := [...]float64{0.75, 1.15, 1.7}[p] // timing notes 3.6; rapid between
	return own{c, class * c.spread(0.2)}
}

func (own) step() {}

func (o own) press() float64 { return 0.5 * o.slow }

// choose returns a style; these styles are never requested by name.
func (own) choose(_ *task, two bool) Style {
	if two {
		return Together
	}
	return Plain
}

type dice struct{ chance }

func (d dice) Next() float64 { return d.Float64() }

// scene returns the nearest scene of the tables.
func scene(t *task) (best handtables.Scene, way float64) {
	way = cm(t.From, t.To)
	if t.Kind == hands.Castling {
		way = cm(t.RookFrom, t.RookTo)
	}
	off := math.Inf(1)
	for _, s := range handtables.Scenes() {
		if d := math.Abs(math.Log(s.CM / way)); s.Kind == int(t.Kind) && d < off {
			best, off = s, d
		}
	}
	return best, way
}

func (o own) do(t *task, style Style) {
	if t.Kind == hands.NoKind {
		fitts := 0.05 + 0.095*math.Log2(2*max(t.span(), 2.2)/3) // timing notes 3.6
		t.off(0, t.From)
		t.on(o.slow*fitts*o.spread(0.31), t.To, t.Put)
		return
	}
	sc, way := scene(t)
	var weights []float64
	for _, s := range sc.Styles {
		w := float64(s.PPM)
		if s.Two != style.Two() {
			w = 0
		}
		weights = append(weights, w)
	}
	x := sc.Styles[o.pick(weights)].Perform(dice{o.chance}, way)
	t.off(0, t.From)
	switch t.Kind {
	case hands.Capture:
		t.off(x[0], t.Victim)
		t.on(x[1], t.To, t.Put)
	case hands.Castling:
		t.off(x[0], t.RookFrom)
		t.on(x[1], t.To, t.Put)
		t.on(x[2], t.RookTo, legal.PieceOf(t.Mover.Side(), legal.Rook))
	}
	for i := range t.moments {
		t.moments[i].at *= o.slow
	}
}
