package handtables

import (
	"encoding/binary"
	"math"
	"slices"
)

// A Scene is one kind of manipulation over one distance.
type Scene struct {
	Kind   int // of detector/hands: 1 capture, 2 castling
	CM     float64
	Styles []Style
}

// Scenes returns the scenes of the tables. A way of 5.5 cm is one square.
func Scenes() []Scene {
	var list []Scene
	for _, cm := range []float64{5.5, 7.8, 11, 15.5, 22, 31, 44} {
		list = append(list, Scene{1, cm, capturesOver(cm)})
	}
	for _, cm := range []float64{11, 16.5} {
		list = append(list, Scene{2, cm, castlings})
	}
	return list
}

// unit: table times are in half milliseconds.
const unit = 0.0005

// Bytes returns the file, little endian: scene by scene four uint16 (kind, values of a manipulation, way in mm, number
// of styles), and for each style three uint32 (two hands, parts per million, number of manipulations) and the
// manipulations: values int16, sorted by the first. detector/hands reads them.
func Bytes() (out []byte) {
	add := func(v any) {
		var err error
		if out, err = binary.Append(out, binary.LittleEndian, v); err != nil {
			panic(err) // only numbers
		}
	}
	for _, s := range Scenes() {
		width := [...]uint16{1: 2, 2: 3}[s.Kind]
		add([4]uint16{uint16(s.Kind), width, uint16(s.CM*10 + 0.5), uint16(len(s.Styles))})
		for _, style := range s.Styles {
			two := map[bool]uint32{true: 1}[style.Two]
			add([3]uint32{two, uint32(style.PPM), uint32(style.Draws)})
			for _, handling := range draw(style, s.CM) {
				add(handling)
			}
		}
	}
	return out
}

// draw performs a style over a lattice.
func draw(style Style, cm float64) [][]int16 {
	var handlings [][]int16
	for n := range style.Draws {
		times := style.Perform(&lattice{n: n}, cm)
		handling := make([]int16, len(times))
		for i, t := range times {
			handling[i] = int16(min(max(math.Round(t/unit), math.MinInt16), math.MaxInt16))
		}
		handlings = append(handlings, handling)
	}
	slices.SortFunc(handlings, slices.Compare[[]int16])
	return handlings
}

// lattice is a Kronecker sequence: point n has the coordinates frac(½ + n·√prime), one prime for each variable. Its
// points fill the space evenly, where the same number of random points would leave gaps and clusters.
type lattice struct{ n, dim int }

var primes = [...]float64{2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71}

// Next implements Source.
func (l *lattice) Next() float64 {
	_, f := math.Modf(0.5 + float64(l.n+1)*math.Sqrt(primes[l.dim%len(primes)]))
	l.dim++
	return f
}
