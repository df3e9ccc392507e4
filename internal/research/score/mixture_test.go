package score

import (
	"math"
	"testing"
)

func TestEarnedMixed(t *testing.T) {
	found, clean := ShareOf(40, 100), ShareOf(0, 300)
	plain := Earned(Point{Found: found, False: clean})
	for _, c := range []struct {
		name  string
		parts []Part
		want  float64
	}{
		{"one part is the whole", []Part{{1, clean}}, plain},
		{"two parts without an alarm, as large as each other", []Part{{0.5, clean}, {0.5, clean}}, plain},
		{"a rare part of which nothing is known", []Part{{0.999, clean}, {0.001, ShareOf(0, 0)}},
			lower(40, 100, 0.05) / (0.999*upper(0, 300, 0.05) + 0.001)},
		{"a rare part that alarms every time costs its weight", []Part{{0.99, clean}, {0.01, ShareOf(20, 20)}},
			lower(40, 100, 0.05) / (0.99*upper(0, 300, 0.05) + 0.01)},
		{"nothing earned", []Part{{0.5, clean}, {0.5, ShareOf(20, 20)}}, 1},
	} {
		if got := EarnedMixed(found, c.parts...); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s: %g, want %g", c.name, got, c.want)
		}
	}
	if got := EarnedMixed(ShareOf(0, 0), Part{1, clean}); got != 1 {
		t.Errorf("nothing found earns %g", got)
	}
}
