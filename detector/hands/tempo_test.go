package hands

import (
	"math"
	"math/rand/v2"
	"testing"

	"boardwatchd/rules/legal"
)

func TestTheTempoIsFoundAtAnyScan(t *testing.T) {
	for _, ms := range []int{50, 100, 225, 450} {
		for _, class := range []int32{BlitzTempo, ClassicalTempo} {
			var off, worst float64
			for seed := range uint64(40) {
				k := desk{dice: dice{rand.New(rand.NewPCG(seed, 7))}, period: float64(ms) / 1000, order: Raster, jitter: 0.016}
				p := k.player(class, 60)
				d := math.Abs(math.Log(float64(p.known.Pace(false).Usual) / 1000 / p.tempo))
				off += d / 40
				worst = max(worst, d)
			}
			if off > 0.15 || worst > 0.55 {
				t.Errorf("T = %d ms, class %d: off by %.0f %% on average, %.0f %% at worst", ms, class, 100*off, 100*worst)
			}
		}
	}
}

// play feeds a tempo with n moves of 11 cm, each taking this part of the standard time.
func play(t *Tempo, n int, permille int64) {
	for range n {
		t.Add(legal.E2, legal.E4, 0, fittsUS(110)*permille/1000)
	}
}

func TestTheFastestPaceIsThatOfTheLastMovesAndOfAHurry(t *testing.T) {
	tempo := NewTempo(ClassicalTempo)
	unknown := Pace{Usual: ClassicalTempo, Fastest: ClassicalTempo / 2}
	if p := tempo.Pace(false); p != unknown {
		t.Errorf("before the first move: %+v", p)
	}
	play(&tempo, 7, 900)
	if p := tempo.Pace(false); p != unknown || tempo.Known() {
		t.Errorf("seven moves count already: %+v", p)
	}
	play(&tempo, 60, 1700)
	if p := tempo.Pace(false); p.Fastest < p.Usual*8/10 || p.Fastest >= p.Usual || !tempo.Known() {
		t.Errorf("who is as ever: %+v", p)
	}
	play(&tempo, 20, 1000)
	p := tempo.Pace(false)
	if p.Fastest >= p.Usual || p.Fastest < 850 || p.Fastest > 1020 {
		t.Errorf("who has become faster: %+v", p)
	}
	if h := tempo.Pace(true); h.Fastest >= p.Fastest || h.Usual != p.Usual {
		t.Errorf("in time trouble %+v, before %+v", h, p)
	}
}

func TestTheTempoStaysNearTheClass(t *testing.T) {
	for _, c := range []struct{ permille, want int64 }{{100, BlitzTempo / 2}, {4000, 2 * BlitzTempo}} {
		tempo := NewTempo(BlitzTempo)
		play(&tempo, 300, c.permille)
		if got := int64(tempo.Pace(false).Usual); got < c.want*9/10 || got > c.want*11/10 {
			t.Errorf("hands at %d permille are taken for %d; the limit is %d", c.permille, got, c.want)
		}
	}
	var zero Tempo
	zero.Add(legal.E2, legal.E4, 0, 1)
	if p := zero.Pace(true); p.Usual <= 0 || p.Fastest <= 0 {
		t.Errorf("of nobody: %+v", p)
	}
}

func TestLongThoughtsAreNoTempo(t *testing.T) {
	tempo := NewTempo(BlitzTempo)
	play(&tempo, 10, 60_000)
	tempo.Add(legal.E2, legal.E2, 0, 1)
	tempo.Add(legal.E2, legal.NoSquare, 0, 1)
	if len(tempo.all) != 0 {
		t.Errorf("%d moves", len(tempo.all))
	}
}

func TestIntegersAgreeWithFloats(t *testing.T) {
	for _, x := range []uint64{0, 1, 2, 3, 7, 10, 1000, 65535, 1 << 33, 123456789012345, 1<<63 + 5, 1<<64 - 1} {
		if want := 1000 * math.Log(float64(max(x, 1))); math.Abs(float64(lnMilli(x))-want) > 1.5 {
			t.Errorf("ln %d: %d, want %.1f", x, lnMilli(x), want)
		}
	}
	for _, mm := range []int32{55, 110, 220, 380} {
		want := 1e6 * (0.05 + 0.095*math.Log2(2*float64(mm)/30))
		if math.Abs(float64(fittsUS(mm))-want) > 500 {
			t.Errorf("a move of %d mm: %d µs, want %.0f", mm, fittsUS(mm), want)
		}
	}
	if got := wayMM(legal.A1, legal.H8); got != 544 {
		t.Errorf("a1 to h8: %d mm", got)
	}
}
