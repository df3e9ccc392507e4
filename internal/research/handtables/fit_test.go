package handtables

import (
	"bytes"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"testing"
)

type dice struct{ *rand.Rand }

func (d dice) Next() float64 { return d.Float64() }

// A quantity is a value of one manipulation, if the style has it.
type quantity func(s Style, x []float64) (float64, bool)

// sample draws a quantity over the styles of a hypothesis by their weights; sorted, in ms.
func sample(styles []Style, two bool, cm, tempo float64, of quantity) []float64 {
	rng := dice{rand.New(rand.NewPCG(1, 2))}
	var out []float64
	for _, s := range styles {
		for range s.PPM / 100 {
			if s.Two != two {
				break
			}
			if v, ok := of(s, s.Perform(rng, cm)); ok {
				out = append(out, 1000*tempo*v)
			}
		}
	}
	slices.Sort(out)
	return out
}

func victimFirstGap(s Style, x []float64) (float64, bool) {
	return -x[0], s.Name == "victim first, kept" || s.Name == "victim first, put aside"
}

// apart returns the time between the two lifts, in either order.
func apart(_ Style, x []float64) (float64, bool) { return max(x[0], -x[0]), true }

func overwriting(s Style, x []float64) (float64, bool) {
	return x[1], s.Name == "swap" || s.Name == "push"
}

func swapping(s Style, x []float64) (float64, bool) {
	return x[1] - x[0], s.Name == "swap" || s.Name == "push"
}

func castlingTotal(s Style, x []float64) (float64, bool) {
	return x[2], s.Name != "both in one hand" && s.Name != "rook, then king"
}

func kingToRook(s Style, x []float64) (float64, bool) {
	return x[0] - x[1], s.Name != "both in one hand" && s.Name != "rook, then king"
}

// TestNearTheNotes compares with timing notes 2.2, which gives the 1st, 50th and 95th percentile of each. The middle
// must be near; the tails may be wider (motion.go: tailed), not narrower by much.
func TestNearTheNotes(t *testing.T) {
	for _, c := range []struct {
		name          string
		tempo         float64
		styles        []Style
		two           bool
		cm            float64
		of            quantity
		low, mid, top float64 // ms; 0: not given
	}{
		{"victim up, attacker up, blitz", .75, captures, false, 11, victimFirstGap, 252, 532, 1100},
		{"victim up, attacker up, classical", 1.7, captures, false, 11, victimFirstGap, 496, 1304, 2850},
		{"attacker up, attacker down, victim never missed", .75, captures, false, 11, overwriting, 153, 609, 0},
		{"victim up, attacker down, swapped", .75, captures, false, 11, swapping, 10, 47, 135},
		{"lift and lift, two hands", .75, captures, true, 11, apart, 3, 141, 872},
		{"castling in all, blitz", .75, castlings, false, 11, castlingTotal, 499, 812, 1186},
		{"castling in all, classical", 1.7, castlings, false, 11, castlingTotal, 1014, 1916, 3188},
		{"king down, rook up", .75, castlings, false, 11, kingToRook, 0, 312, 487},
		{"castling in all, two hands", .75, castlings, true, 11, castlingTotal, 206, 426, 761},
		{"king down, rook up, two hands", .75, castlings, true, 11, kingToRook, -479, -126, 155},
	} {
		v := sample(c.styles, c.two, c.cm, c.tempo, c.of)
		low, mid, top := v[len(v)/100], v[len(v)/2], v[len(v)*95/100]
		slack := 0.3 * max(c.mid, -c.mid)
		if mid < c.mid-slack || mid > c.mid+slack {
			t.Errorf("%s: the middle is %.0f ms, timing notes %.0f", c.name, mid, c.mid)
		}
		if c.low != 0 && low > c.low+slack || c.top != 0 && top < c.top-slack {
			t.Errorf("%s: %.0f to %.0f ms, narrower than %.0f to %.0f", c.name, low, top, c.low, c.top)
		}
	}
}

func TestWeightsAddUp(t *testing.T) {
	for _, s := range Scenes() {
		sum := map[bool]int{}
		for _, y := range s.Styles {
			sum[y.Two] += y.PPM
		}
		if sum[false] != 1_000_000 || sum[true] != 1_000_000 {
			t.Errorf("kind %d: %d ppm with one hand, %d with two", s.Kind, sum[false], sum[true])
		}
	}
}

// TestTheFileIsThisPackages: the file must be written again after a change of a style.
func TestTheFileIsThisPackages(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("the last digit of a float may be rounded otherwise here; the tables are made on amd64")
	}
	const path = "../../../detector/hands/tables.bin"
	if os.Getenv("HANDTABLES") == "write" {
		if err := os.WriteFile(path, Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(file, Bytes()) {
		t.Error("detector/hands/tables.bin is not what this package makes: HANDTABLES=write go test ./internal/research/handtables")
	}
	if len(file) > 2<<20 {
		t.Errorf("%d bytes: more than 2 MiB", len(file))
	}
}
