package handtables

import (
	"encoding/binary"
	"math"
	"slices"
)

// A Scene is one kind of deed over one distance.
type Scene struct {
	Kind   int // of detector/hands: 1 capture, 2 castling
	CM     float64
	Styles []Style
}

// Scenes are all that is in the tables. A player's way of 5.5 cm is one square.
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

// unit: table times are counted in half milliseconds.
const unit = 0.0005

// Magic begins the file.
const Magic = "hands 3\n"

// Bytes are the file. Numbers are little endian:
//
//	magic · scenes u16 · each: kind u8, values per deed u8, way in mm u16, middle of the last change in ms u16 (one hand), styles u8,
//	each: two hands u8, ppm u32 in blitz and u32 in classical play, deeds u16, and the deeds: values i16, sorted by the first
func Bytes() []byte {
	out := []byte(Magic)
	le := binary.LittleEndian
	scenes := Scenes()
	out = le.AppendUint16(out, uint16(len(scenes)))
	for _, s := range scenes {
		deeds := make([][][]int16, len(s.Styles))
		for i, style := range s.Styles {
			deeds[i] = draw(style, s.CM)
		}
		out = append(out, byte(s.Kind), byte(len(deeds[0][0])))
		out = le.AppendUint16(out, uint16(s.CM*10+0.5))
		out = le.AppendUint16(out, middle(deeds[0]))
		out = append(out, byte(len(s.Styles)))
		for i, style := range s.Styles {
			out = append(out, truth(style.Two))
			out = le.AppendUint32(out, uint32(style.PPM))
			out = le.AppendUint32(out, uint32(style.PPM+style.Slow))
			out = le.AppendUint16(out, uint16(len(deeds[i])))
			for _, deed := range deeds[i] {
				for _, v := range deed {
					out = le.AppendUint16(out, uint16(v))
				}
			}
		}
	}
	return out
}

// draw performs a style over a lattice.
func draw(style Style, cm float64) [][]int16 {
	var deeds [][]int16
	for n := range style.Draws {
		times := style.Perform(&lattice{n: n}, cm)
		deed := make([]int16, len(times))
		for i, t := range times {
			deed[i] = int16(min(max(math.Round(t/unit), math.MinInt16), math.MaxInt16))
		}
		deeds = append(deeds, deed)
	}
	slices.SortFunc(deeds, slices.Compare[[]int16])
	return deeds
}

// middle is the median of the last value, in ms: what one hand takes in all.
func middle(deeds [][]int16) uint16 {
	var last []int16
	for _, d := range deeds {
		last = append(last, d[len(d)-1])
	}
	slices.Sort(last)
	return uint16(max(0, int(last[len(last)/2])/2))
}

func truth(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// lattice is a Kronecker sequence: point n has the coordinates frac(½ + n·√prime), one prime for each variable. Its
// points fill the space evenly, where as many random ones would leave holes and heaps.
type lattice struct{ n, dim int }

var primes = [...]float64{2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71}

// Next implements Source.
func (l *lattice) Next() float64 {
	_, f := math.Modf(0.5 + float64(l.n+1)*math.Sqrt(primes[l.dim%len(primes)]))
	l.dim++
	return f
}
