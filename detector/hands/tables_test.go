package hands

import "testing"

func TestTheModelIsWhole(t *testing.T) {
	m := Standard()
	for _, kind := range []Kind{Capture, Castling} {
		sc := m.scene(kind, 110)
		if sc == nil {
			t.Fatalf("nothing about %v", kind)
		}
		var ppm [2]int
		for _, y := range sc.styles {
			ppm[truth(y.two)] += int(y.ppm)
		}
		if ppm != [2]int{Million, Million} {
			t.Errorf("%v: the styles weigh %v ppm", kind, ppm)
		}
	}
	if near, far := m.scene(Capture, 50), m.scene(Capture, 400); near.wayMM != 55 || far.wayMM != 440 {
		t.Errorf("the ways nearest to 5 and 40 cm are %d and %d mm", near.wayMM, far.wayMM)
	}
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}
