package hands

import (
	"bytes"
	_ "embed"
	"encoding/binary"
)

//go:embed tables.bin
var tablesBin []byte

// A Model describes what one hand does and what two do; internal/research/handtables writes it.
type Model struct{ scenes []scene }

// A scene is one kind of handling over one distance.
type scene struct {
	kind   Kind
	width  int   // values of a handling
	wayMM  int32 // of the piece that moves; in castling of the rook
	styles []style
}

// A style is one way to do it, with the handlings that represent it.
type style struct {
	two       bool
	ppm       uint64 // its weight in its hypothesis, in parts per million
	handlings int
	values    []int16 // width for each handling, half milliseconds at standard tempo, sorted by the first
}

// Standard is the model of the tables in this program.
func Standard() Model { return standard }

var standard = func() (m Model) {
	for in := bytes.NewReader(tablesBin); in.Len() > 0; {
		var head [4]uint16 // kind, values of a handling, way in mm, styles
		read(in, &head)
		s := scene{kind: Kind(head[0]), width: int(head[1]), wayMM: int32(head[2]), styles: make([]style, head[3])}
		for i := range s.styles {
			var style [3]uint32 // two hands, weight, handlings
			read(in, &style)
			y := &s.styles[i]
			y.two, y.ppm, y.handlings = style[0] != 0, uint64(style[1]), int(style[2])
			y.values = make([]int16, y.handlings*s.width)
			read(in, y.values)
		}
		m.scenes = append(m.scenes, s)
	}
	return m
}()

func read(in *bytes.Reader, v any) {
	if err := binary.Read(in, binary.LittleEndian, v); err != nil {
		panic("hands: internal error: the tables are cut short: " + err.Error())
	}
}

// scene returns the one of this kind whose way is nearest, in proportion.
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
