package hands

import (
	"bytes"
	"testing"
)

func TestDamagedTablesAreRefused(t *testing.T) {
	if _, err := ReadModel(tablesBin); err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{0, 5, len(tablesMagic), len(tablesMagic) + 3, 100, len(tablesBin) / 2, len(tablesBin) - 1} {
		if _, err := ReadModel(tablesBin[:n]); err == nil {
			t.Errorf("cut to %d bytes, the tables are read", n)
		}
	}
	if _, err := ReadModel(append(bytes.Clone(tablesBin), 0)); err == nil {
		t.Error("a byte more is not noticed")
	}
	other := bytes.Clone(tablesBin)
	other[len(tablesMagic)+2] = 9 // no such kind
	if _, err := ReadModel(other); err == nil {
		t.Error("a kind that does not exist is read")
	}
}

func TestTheModelIsWhole(t *testing.T) {
	m := Standard()
	for _, kind := range []Kind{Capture, Castling} {
		sc := m.scene(kind, 110)
		if sc == nil {
			t.Fatalf("nothing about %v", kind)
		}
		for _, pace := range []int64{paceLeast, BlitzTempo, RapidTempo, ClassicalTempo, paceMost} {
			var ppm [2]int
			for _, y := range sc.styles {
				ppm[truth(y.two)] += int(y.ppm(pace))
			}
			// Each style in between is rounded down.
			if min(ppm[0], ppm[1]) < Million-len(sc.styles) || max(ppm[0], ppm[1]) > Million {
				t.Errorf("%v, tempo %d: the styles weigh %v ppm", kind, pace, ppm)
			}
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

// FuzzReadModel: what is read can be judged by, or is refused.
func FuzzReadModel(f *testing.F) {
	f.Add([]byte(tablesMagic + "\x01\x00\x01\x02\x37\x00\x00\x00\x01\x00\x40\x42\x0f\x00\x40\x42\x0f\x00\x01\x00\x01\x00\x02\x00"))
	f.Add([]byte(tablesMagic))
	d := takes(told("d5", "n", "-", 0, "d4", "Q", "-", 28, "d5", "-", "Q", 450))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := ReadModel(data)
		if err != nil {
			return
		}
		if j := m.Judge(d, usb, blitz); j.Known != (j.Abstain == Spoke) {
			t.Fatalf("%+v", j)
		}
	})
}
