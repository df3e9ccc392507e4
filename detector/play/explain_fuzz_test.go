package play

import (
	"reflect"
	"testing"

	"boardwatchd/rules/legal"
)

// randomPress makes a position, images and a press of bytes: legal moves before, then legal moves, lifted, placed and
// wrong pieces, dumps.
func randomPress(data []byte) (root legal.Position, images []Image, press Press) {
	next := func() int {
		if len(data) == 0 {
			return 0
		}
		b := data[0]
		data = data[1:]
		return int(b)
	}
	step := func(pos legal.Position) legal.Position {
		var list legal.MoveList
		pos.Moves(&list)
		if list.Len() == 0 {
			return pos
		}
		return pos.After(list.At(next() % list.Len()))
	}
	root = legal.StartPosition()
	for range next() % 40 {
		root = step(root)
	}
	pos := root
	place := root.Placement()
	images = append(images, Image{Place: place})
	at := int64(0)
	for range 1 + next()%20 {
		what := next()
		switch sq := next() % 64; what % 6 {
		case 0:
			place[sq] = legal.NoPiece
		case 1:
			place[sq] = legal.PieceOf([...]legal.Side{legal.White, legal.Black}[what>>7&1], legal.Kind(1+next()%6))
		case 2:
			place[next()%64], place[sq] = place[sq], legal.NoPiece
		default:
			pos = step(pos)
			place = pos.Placement()
		}
		at += int64(next()) * 10_000
		images = append(images, Image{Place: place, At: at, Lost: what>>3&7 == 0})
	}
	how := next()
	press = Press{Side: legal.White, At: at + int64(next())*1000 - 100_000, First: len(images) - 1 - how>>4, Merged: how&1 != 0, Lost: how&2 != 0}
	if how&4 != 0 {
		press.Side = legal.Black
	}
	return root, images, press
}

// plausible returns the errors of explanations, whatever the images show.
func plausible(t *testing.T, root legal.Position, images []Image, list []Explanation) {
	t.Helper()
	if len(list) > maxExplanations {
		t.Errorf("%d explanations", len(list))
	}
	for i := range list {
		x := &list[i]
		if x.Cost < 0 || i > 0 && x.Cost < list[i-1].Cost {
			t.Errorf("explanation %d costs %d", i, x.Cost)
		}
		if len(x.Arcs) == 0 || len(x.Seen) != len(x.Moves) {
			t.Errorf("explanation %d: arcs %v, %d moves, seen %v", i, x.Arcs, len(x.Moves), x.Seen)
			continue
		}
		follows(t, root, images, x)
	}
}

// follows checks that the moves are legal one after the other, and that the images show each where the explanation
// says.
func follows(t *testing.T, pos legal.Position, images []Image, x *Explanation) {
	t.Helper()
	for k, m := range x.Moves {
		if m == legal.NoMove {
			if x.Kind == "" || k != len(x.Moves)-1 {
				t.Errorf("move %d of %d is no legal one, and no offence", k, len(x.Moves))
			}
			return
		}
		if !pos.IsLegal(m) {
			t.Fatalf("move %d, %s, is not legal in %s", k, pos.UCI(m), pos.FEN())
		}
		pos = pos.After(m)
		if at := x.Seen[k]; at >= len(images) || at >= 0 && images[at].Place != pos.Placement() {
			t.Errorf("move %d did not stand at image %d", k, at)
		}
	}
}

func FuzzExplain(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{3, 1, 2, 3, 5, 3, 0, 30, 9, 4, 0, 30, 7, 5, 0, 30, 1, 4, 200})
	f.Add([]byte("\x27the quick brown fox jumps over the lazy dog and does not come back\x13"))
	f.Add([]byte("\x00\x10\x03\x00\x20\x03\x01\x20\x03\x02\x20\x00\x05\x20\x01\x06\x20\x02\x07\x20\xff\xff\xff"))
	f.Fuzz(func(t *testing.T, data []byte) {
		root, images, press := randomPress(data)
		list := Explain(root, images, press)
		plausible(t, root, images, list)
		if again := Explain(root, images, press); !reflect.DeepEqual(list, again) {
			t.Error("asked again, it says something else")
		}
	})
}

func BenchmarkExplain(b *testing.B) {
	for _, name := range []string{
		"a ply and its press", "the reply has begun", "a forgotten pair", "an illegal move", "a press without a move",
		"a piece is read where none stands", "two plies in a gap, which a dump has found",
	} {
		for _, c := range pressRows {
			if c.name == name {
				root, images, press := explained(b, c.fen, c.script, c.side, c.merged, c.lost)
				b.Run(name, func(b *testing.B) {
					b.ReportAllocs()
					for b.Loop() {
						Explain(root, images, press)
					}
				})
			}
		}
	}
}
