package hands

import (
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
)

//go:generate go run boardwatchd/internal/research/handtables/write tables.bin

//go:embed tables.bin
var tablesBin []byte

// A Model is what one hand does and what two do: see internal/research/handtables, which writes it.
type Model struct{ scenes []scene }

// A scene is one kind of deed over one distance.
type scene struct {
	kind   Kind
	width  int   // values of a deed
	wayMM  int32 // of the piece that moves; in castling of the rook
	styles []style
}

// A style is one way to do it, and the deeds that stand for it.
type style struct {
	two    bool
	blitz  int64 // its weight in parts per million, at BlitzTempo
	slow   int64 // … at ClassicalTempo
	deeds  int
	values []int16 // width for each deed, half milliseconds at standard tempo, sorted by the first
}

const tablesMagic = "hands 3\n"

// Standard is the model of the tables in this program.
func Standard() Model { return standard }

var standard = mustRead(tablesBin)

func mustRead(data []byte) Model {
	m, err := ReadModel(data)
	if err != nil {
		panic("hands: internal error: " + err.Error())
	}
	return m
}

var errTables = errors.New("hands: the tables are cut short or damaged")

// ReadModel reads what handtables.Bytes writes.
func ReadModel(data []byte) (Model, error) {
	r := tableReader{data: data}
	if string(r.take(len(tablesMagic))) != tablesMagic {
		return Model{}, fmt.Errorf("%w: no %q at the beginning", errTables, tablesMagic)
	}
	var m Model
	for n := r.u16(); n > 0 && !r.bad; n-- {
		m.scenes = append(m.scenes, r.scene())
	}
	if r.bad || len(r.data) != 0 {
		return Model{}, errTables
	}
	return m, nil
}

// tableReader takes from the front; what is not there reads as zeros and is remembered.
type tableReader struct {
	data []byte
	bad  bool
}

func (r *tableReader) take(n int) []byte {
	if n > len(r.data) {
		r.bad, r.data = true, nil
		return make([]byte, n)
	}
	b := r.data[:n]
	r.data = r.data[n:]
	return b
}

func (r *tableReader) u8() int  { return int(r.take(1)[0]) }
func (r *tableReader) u16() int { return int(binary.LittleEndian.Uint16(r.take(2))) }

func (r *tableReader) u32() int64 { return int64(binary.LittleEndian.Uint32(r.take(4))) }

func (r *tableReader) scene() scene {
	s := scene{kind: Kind(r.u8()), width: r.u8(), wayMM: int32(r.u16())}
	r.u16() // what one hand takes in the middle, for people who read the tables
	if s.kind == NoKind || int(s.kind) >= len(widths) || s.width != widths[s.kind] {
		r.bad = true
		return s
	}
	for n := r.u8(); n > 0 && !r.bad; n-- {
		s.styles = append(s.styles, r.style(s.width))
	}
	return s
}

// widths are the changes of a deed after its first.
var widths = [...]int{Capture: 2, Castling: 3}

func (r *tableReader) style(width int) style {
	s := style{two: r.u8() != 0, blitz: r.u32(), slow: r.u32()}
	s.deeds = r.u16()
	s.values = make([]int16, 0, s.deeds*width)
	for range s.deeds * width {
		s.values = append(s.values, int16(r.u16()))
	}
	if s.deeds == 0 || max(s.blitz, s.slow) > Million {
		r.bad = true
	}
	for i := width; i < len(s.values); i += width {
		r.bad = r.bad || s.values[i] < s.values[i-width]
	}
	return s
}

// ppm is how often it is chosen at a tempo: between blitz and classical play in proportion.
func (y *style) ppm(pace int64) uint64 {
	pace = min(max(pace, BlitzTempo), ClassicalTempo)
	return uint64(y.blitz + (y.slow-y.blitz)*(pace-BlitzTempo)/(ClassicalTempo-BlitzTempo))
}

// scene is the one of this kind whose way is nearest, in proportion.
func (m Model) scene(k Kind, wayMM int32) *scene {
	var best *scene
	var bestRatio int64
	for i := range m.scenes {
		s := &m.scenes[i]
		if s.kind != k {
			continue
		}
		a, b := int64(max(s.wayMM, 1)), int64(max(wayMM, 1))
		if ratio := max(a, b) * 1000 / min(a, b); best == nil || ratio < bestRatio {
			best, bestRatio = s, ratio
		}
	}
	return best
}
