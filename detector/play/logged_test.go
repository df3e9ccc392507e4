package play

import (
	"slices"
	"strings"
	"testing"
	"time"

	"boardwatchd/rules/legal"
)

// A logBook writes a log as a board does.
type logBook struct {
	t   *testing.T
	pos legal.Position
	log []Logged
}

func newLogBook(t *testing.T) *logBook {
	t.Helper()
	b := &logBook{t: t, pos: startPosition(t)}
	b.log = []Logged{{Place: b.pos.Placement()}}
	return b
}

func startPosition(t *testing.T) legal.Position {
	t.Helper()
	s := legal.StartSetup(518)
	pos, err := s.Position()
	if err != nil {
		t.Fatal(err)
	}
	return pos
}

func (b *logBook) place() legal.Placement { return b.log[len(b.log)-1].Place }

func (b *logBook) set(sq legal.Square, p legal.Piece) *logBook {
	place := b.place()
	place[sq] = p
	b.log = append(b.log, Logged{Place: place})
	return b
}

func (b *logBook) press(s legal.Side) *logBook {
	b.log = append(b.log, Logged{Place: b.place(), Press: s, Sec: 100 + len(b.log)})
	return b
}

// play lifts and puts what a row of moves moves, with a press after each.
func (b *logBook) play(moves string) *logBook {
	b.t.Helper()
	for _, san := range strings.Fields(moves) {
		m, err := b.pos.ParseSAN(san)
		if err != nil {
			b.t.Fatal(err)
		}
		after, side := b.pos.After(m), b.pos.Turn()
		place := after.Placement()
		for set := Difference(ptr(b.place()), &place); set != 0; set &= set - 1 {
			if sq := lowestOf(set); place[sq] == legal.NoPiece {
				b.set(sq, legal.NoPiece)
			}
		}
		for set := Difference(ptr(b.place()), &place); set != 0; set &= set - 1 {
			sq := lowestOf(set)
			b.set(sq, place[sq])
		}
		b.pos = after
		b.press(side)
	}
	return b
}

func ptr(p legal.Placement) *legal.Placement { return &p }

func lowestOf(set uint64) legal.Square {
	for sq := legal.Square(0); ; sq++ {
		if set>>sq&1 != 0 {
			return sq
		}
	}
}

// stations are the positions after rows of moves; all but those of the first are looked for.
func stations(t *testing.T, rows ...string) (way []Station) {
	t.Helper()
	pos := startPosition(t)
	way = []Station{{Pos: pos}}
	for _, row := range rows {
		for _, san := range strings.Fields(row) {
			m, err := pos.ParseSAN(san)
			if err != nil {
				t.Fatal(err)
			}
			pos = pos.After(m)
		}
		way = append(way, Station{Pos: pos, Free: len(strings.Fields(row)) > 1})
	}
	return way
}

func TestBetween(t *testing.T) {
	sq := func(name string) legal.Square {
		s, _ := legal.ParseSquare(name)
		return s
	}
	knights := stations(t, "e4", "e5 Nf3 Nc6 Nc3", "Nf6")
	for _, c := range []struct {
		name  string
		log   func(b *logBook)
		way   []Station
		whole bool
		want  string
	}{
		{"one order of several", func(b *logBook) { b.play("e4 e5 Nc3 Nc6 Nf3 Nf6") }, knights, true, "e5 Nc3 Nc6 Nf3"},
		{"the other one", func(b *logBook) { b.play("e4 e5 Nf3 Nc6 Nc3 Nf6") }, knights, true, "e5 Nf3 Nc6 Nc3"},
		{"there and back in between", func(b *logBook) { b.play("e4 e5 Nf3 Nf6 Ng1 Ng8 Nf3 Nc6 Nc3 Nf6") }, knights, true, "e5 Nf3 Nf6 Ng1 Ng8 Nf3 Nc6 Nc3"},
		{"a slide that stops on a legal square", func(b *logBook) {
			b.play("e4 e5").set(sq("f1"), 0).set(sq("e2"), legal.WhiteBishop).set(sq("e2"), 0).set(sq("c4"), legal.WhiteBishop).press(legal.White)
		}, stations(t, "e4", "e5 Bc4"), true, "e5 Bc4"},
		{"a piece that is logged after the press", func(b *logBook) {
			b.play("e4 e5").set(sq("f1"), 0).press(legal.White).set(sq("c4"), legal.WhiteBishop)
		}, stations(t, "e4", "e5 Bc4"), true, "e5 Bc4"},
		{"a reply that is begun before the press", func(b *logBook) {
			b.play("e4 e5").set(sq("f1"), 0).set(sq("c4"), legal.WhiteBishop).set(sq("b8"), 0).press(legal.White).set(sq("c6"), legal.BlackKnight).press(legal.Black)
		}, stations(t, "e4", "e5 Bc4", "Nc6"), true, "e5 Bc4"},
		{"a reply that is made before the press", func(b *logBook) {
			b.play("e4 e5").set(sq("f1"), 0).set(sq("c4"), legal.WhiteBishop).set(sq("b8"), 0).set(sq("c6"), legal.BlackKnight).press(legal.White).press(legal.Black)
		}, stations(t, "e4", "e5 Bc4", "Nc6"), true, "e5 Bc4"},
		{"two replies in a row that are made before the press", func(b *logBook) {
			b.play("e4 e5").set(sq("f1"), 0).set(sq("c4"), legal.WhiteBishop).set(sq("b8"), 0).set(sq("c6"), legal.BlackKnight).press(legal.White)
			b.set(sq("d2"), 0).set(sq("d3"), legal.WhitePawn).press(legal.Black).press(legal.White)
		}, stations(t, "e4", "e5 Bc4 Nc6", "d3"), true, "e5 Bc4 Nc6"},
		{"the ply before the hole is pressed after its reply", func(b *logBook) {
			b.set(sq("e2"), 0).set(sq("e4"), legal.WhitePawn).set(sq("e7"), 0).set(sq("e5"), legal.BlackPawn).press(legal.White).press(legal.Black)
			b.set(sq("f1"), 0).set(sq("c4"), legal.WhiteBishop).press(legal.White)
		}, stations(t, "e4", "e5 Bc4")[1:], true, "e5 Bc4"},
		{"… and the ply before that is known as well", func(b *logBook) {
			b.set(sq("e2"), 0).set(sq("e4"), legal.WhitePawn).set(sq("e7"), 0).set(sq("e5"), legal.BlackPawn).press(legal.White).press(legal.Black)
			b.set(sq("f1"), 0).set(sq("c4"), legal.WhiteBishop).press(legal.White)
		}, stations(t, "e4", "e5 Bc4"), true, "e5 Bc4"},
		{"a lever that bounces", func(b *logBook) {
			b.play("e4 e5 Nc3").press(legal.Black).press(legal.White)
			b.play("Nc6 Nf3 Nf6")
		}, knights, true, "e5 Nc3 Nc6 Nf3"},
		{"the hole begins with a ply that stood before the press of the one before", func(b *logBook) {
			b.set(sq("e2"), 0).set(sq("e4"), legal.WhitePawn).set(sq("e7"), 0).set(sq("e5"), legal.BlackPawn).press(legal.White).press(legal.Black)
			b.pos = stations(b.t, "e4", "e5")[2].Pos
			b.play("Bc4 Nc6")
		}, stations(t, "e4", "e5", "Bc4 Nc6")[2:], true, "Bc4 Nc6"},
		{"the last ply is not pressed", func(b *logBook) {
			b.play("e4 e5").set(sq("g1"), 0).set(sq("f3"), legal.WhiteKnight)
		}, stations(t, "e4", "e5 Nf3"), true, "e5 Nf3"},
		{"the last two plies are not pressed", func(b *logBook) {
			b.play("e4 e5").set(sq("g1"), 0).set(sq("f3"), legal.WhiteKnight).set(sq("g8"), 0).set(sq("f6"), legal.BlackKnight)
		}, stations(t, "e4", "e5 Nf3 Nf6"), true, "e5 Nf3 Nf6"},
		{"the lever goes to and fro when the game is over", func(b *logBook) {
			b.play("e4 e5 Nf3").press(legal.Black).press(legal.White).press(legal.Black)
		}, stations(t, "e4", "e5 Nf3"), true, "e5 Nf3"},
		{"no clock", func(b *logBook) {
			b.play("e4 e5 Nc3 Nc6 Nf3 Nf6")
			kept := b.log[:0]
			for _, l := range b.log {
				if l.Press == legal.NoSide {
					kept = append(kept, l)
				}
			}
			b.log = kept
		}, knights, true, "e5 Nc3 Nc6 Nf3"},

		{"a position on the way is missing", func(b *logBook) {
			b.play("e4 e5 Nc3 Nc6 Nf3 Nf6")
			b.log = append(b.log[:8:8], b.log[10:]...)
		}, knights, true, ""},
		{"a press is missing", func(b *logBook) {
			b.play("e4 e5 Nc3 Nc6 Nf3 Nf6")
			b.log = append(b.log[:9:9], b.log[10:]...)
		}, knights, true, "e5 Nc3 Nc6 Nf3"},
		{"two presses that were reported as none", func(b *logBook) {
			b.play("e4 e5 Nc3 Nc6 Nf3 Nf6")
			b.log = slices.Concat(b.log[:9], b.log[10:12], b.log[13:])
		}, knights, true, "e5 Nc3 Nc6 Nf3"},
		{"too many presses are missing", func(b *logBook) {
			b.play("e4 e5 Nc3 Nc6 Nf3 Nf6 Bc4 Bc5 d3 d6")
			n := 0
			b.log = slices.DeleteFunc(b.log, func(l Logged) bool {
				if l.Press != legal.NoSide {
					n++
				}
				return l.Press != legal.NoSide && n > 1 && n < 9
			})
		}, stations(t, "e4", "e5 Nc3 Nc6 Nf3 Nf6 Bc4 Bc5 d3", "d6"), true, ""},
		{"a press of the other player", func(b *logBook) {
			b.play("e4 e5").press(legal.White)
			b.play("Nc3 Nc6 Nf3 Nf6")
		}, knights, true, ""},
		{"another game", func(b *logBook) { b.play("d4 d5 Nc3 Nc6 Nf3 Nf6") }, knights, true, ""},
		{"more was played after it", func(b *logBook) { b.play("e4 e5 Nc3 Nc6 Nf3 Nf6 Bb5") }, knights, true, ""},
		{"… which may be", func(b *logBook) { b.play("e4 e5 Nc3 Nc6 Nf3 Nf6 Bb5") }, knights, false, "e5 Nc3 Nc6 Nf3"},
		{"the same twice, in two orders", func(b *logBook) {
			b.play("e4 e5 Nc3 Nc6 Nf3 Nf6")
			again := newLogBook(t).play("e4 e5 Nf3 Nc6 Nc3 Nf6")
			b.log = append(b.log, again.log...)
		}, knights, false, ""},
		{"nothing", func(b *logBook) { b.log = nil }, knights, true, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newLogBook(t)
			c.log(b)
			row, ok := Between(b.log, c.way, c.whole)
			var got []string
			pos := c.way[slices.IndexFunc(c.way, func(s Station) bool { return s.Free })-1].Pos
			for _, p := range row {
				got = append(got, pos.SAN(p.Move))
				pos = pos.After(p.Move)
			}
			if s := strings.Join(got, " "); s != c.want || ok != (c.want != "") {
				t.Errorf("%q, %v; want %q", s, ok, c.want)
			}
		})
	}
}

// FuzzBetween: whatever a log holds, what is found is a row of legal plies that leads to the position after the hole.
func FuzzBetween(f *testing.F) {
	f.Add([]byte{12, 0, 28, 1, 200, 52, 0, 36, 7, 201})
	f.Fuzz(func(t *testing.T, data []byte) {
		b := newLogBook(t)
		for i := 0; i+1 < len(data) && i < 200; i += 2 {
			switch {
			case data[i] >= 200:
				b.press(legal.White + legal.Side(data[i]&1))
			default:
				b.set(legal.Square(data[i]&63), legal.Piece(data[i+1]%13))
			}
		}
		way := stations(t, "e4 e5 Nf3")
		row, ok := Between(b.log, way, len(data)%2 == 0)
		pos := way[0].Pos
		for _, p := range row {
			if !pos.IsLegal(p.Move) {
				t.Fatalf("%v is not legal", p.Move)
			}
			pos = pos.After(p.Move)
		}
		if ok && (pos.Placement() != way[1].Pos.Placement() || pos.Turn() != way[1].Pos.Turn()) {
			t.Fatalf("%v leads to %s", row, pos.FEN())
		}
	})
}

// TestBetweenGivesUp: a log of the greatest size, without presses, in which pieces go to and fro must not keep a step
// for seconds.
func TestBetweenGivesUp(t *testing.T) {
	b := newLogBook(t)
	for len(b.log) < 8190 {
		b.play("Nf3 Nf6 Ng1 Ng8 Nc3 Nc6 Nb1 Nb8")
	}
	kept := b.log[:0]
	for _, l := range b.log {
		if l.Press == legal.NoSide {
			kept = append(kept, l)
		}
	}
	way := stations(t, "e4 e5")
	begun := time.Now()
	if row, ok := Between(kept, way, true); ok {
		t.Errorf("%v", row)
	}
	if took := time.Since(begun); took > 2*time.Second {
		t.Errorf("it took %v", took)
	}
}
