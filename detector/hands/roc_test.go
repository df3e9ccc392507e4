package hands

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
)

const silent = -1 << 30

// scores plays n handlings, judges them and sorts what is said.
func scores(seed uint64, kind Kind, class int32, periodMS int, two bool, n int, odd float64) (llr []int32) {
	rng := dice{rand.New(rand.NewPCG(seed, uint64(periodMS)))}
	m, styles := Standard(), stylesOf(kind)
	var k desk
	var p player
	for i := range n {
		if i%20 == 0 {
			k = desk{dice: rng, period: float64(periodMS) / 1000, order: Raster, phase: rng.Float64(), jitter: 0.016}
			p = k.player(class, 24)
		}
		j := m.Judge(k.handling(kind, p.tempo, k.pick(styles, two, odd)), k.sensor(), p.known.Pace(false))
		if j.Abstain != Spoke && j.Abstain != SlowScan {
			j.LLR = silent
		}
		llr = append(llr, j.LLR)
	}
	slices.Sort(llr)
	return llr
}

// over is which part is above a threshold.
func over(sorted []int32, threshold int32) float64 {
	n, _ := slices.BinarySearch(sorted, threshold+1)
	return float64(len(sorted)-n) / float64(len(sorted))
}

var rocCases = []struct {
	kind   Kind
	class  int32
	period int
	least  float64 // detection at one false alarm in a hundred
}{
	{Capture, BlitzTempo, 50, .50}, {Capture, BlitzTempo, 225, .28}, {Capture, ClassicalTempo, 225, .47}, {Capture, ClassicalTempo, 450, .33},
	{Castling, BlitzTempo, 50, .90}, {Castling, BlitzTempo, 225, .68}, {Castling, ClassicalTempo, 225, .87}, {Castling, BlitzTempo, 450, .42},
}

// TestDetectionAndFalseAlarms on the tables' own family: what must not be lost by a change. At 1 %, because 3000
// handlings do not carry a statement about 0.1 %; the shipped thresholds (timing notes 3.7) are looked at too.
func TestDetectionAndFalseAlarms(t *testing.T) {
	const n = 3000
	for _, c := range rocCases {
		one, two := scores(1, c.kind, c.class, c.period, false, n, 1), scores(2, c.kind, c.class, c.period, true, n, 1)
		if got := over(two, one[n-1-n/100]); got < c.least {
			t.Errorf("%v, tempo %d, T = %d ms: %.3f are found at one false alarm in a hundred, want %.2f", c.kind, c.class, c.period, got, c.least)
		}
		if got := over(one, 5600); got > 0.003 {
			t.Errorf("%v, tempo %d, T = %d ms: %.4f false alarms at 5.6", c.kind, c.class, c.period, got)
		}
		if got := over(one, 6900); got > 0.001 {
			t.Errorf("%v, tempo %d, T = %d ms: %.4f false alarms at 6.9", c.kind, c.class, c.period, got)
		}
	}
}

// TestROC prints the whole curve, each style's part after it: HANDS_ROC=30000 go test -run ROC -v ./detector/hands
func TestROC(t *testing.T) {
	n, _ := strconv.Atoi(os.Getenv("HANDS_ROC"))
	if n == 0 {
		t.Skip("a measurement: HANDS_ROC=number of handlings of one hand")
	}
	for _, kind := range []Kind{Capture, Castling} {
		for _, class := range []int32{BlitzTempo, ClassicalTempo} {
			for _, ms := range []int{50, 100, 225, 450} {
				one, two := scores(1, kind, class, ms, false, n, 1), scores(2, kind, class, ms, true, n/10, 1)
				thr, thr1 := one[n-1-n/1000], one[n-1-n/100]
				styles := ""
				for _, st := range stylesOf(kind) {
					if only = st.Name; st.Two {
						styles += fmt.Sprintf(" %s %.2f;", only, over(scores(3, kind, class, ms, true, 2000, 1), thr))
					}
				}
				only = ""
				t.Logf("%-9v %4d T=%3d: at 0.1 %% (LLR %5.2f) %.3f, at 1 %% %.3f, false over 5.6 %.5f, over 6.9 %.5f;%s", kind, class, ms,
					float64(thr)/1000, over(two, thr), over(two, thr1), over(one, 5600), over(one, 6900), styles)
			}
		}
	}
}
