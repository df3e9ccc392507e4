package play

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"boardwatchd/rules/legal"
)

const secondUS = 1_000_000

// A script is what happens at a board, in words:
//
//	e2e4     a piece is lifted and placed, 0.3 s each; castling is the king's move and the rook's
//	e2-  e4P the square is read so, 0.3 s later
//	hide     what follows is not seen
//	dump     it is seen again, by a dump
//	+1.5     seconds go by
//	press    the player to move presses the clock, 0.2 s later
type script struct {
	pos    legal.Position // by the legal moves so far
	place  legal.Placement
	at     int64
	hidden bool
	images []Image
	press  Press
	did    func(verb string) // takes the verbs that are none of these
	saw    func(Image)
}

func position(t testing.TB, fen string) legal.Position {
	t.Helper()
	if fen == "" {
		return legal.StartPosition()
	}
	s, err := legal.ParseFEN(fen)
	if err != nil {
		t.Fatal(err)
	}
	pos, err := s.Position()
	if err != nil {
		t.Fatal(err)
	}
	return pos
}

// placement reads the first field of a FEN.
func placement(t testing.TB, fen string) legal.Placement {
	t.Helper()
	s, err := legal.ParseFEN(fen + " w - - 0 1")
	if err != nil {
		t.Fatal(err)
	}
	return s.Placement
}

func newScript(pos legal.Position) *script {
	s := &script{pos: pos, place: pos.Placement(), did: func(verb string) { panic("no verb " + verb) }, saw: func(Image) {}}
	s.image(false)
	return s
}

func (s *script) image(lost bool) {
	if s.hidden {
		return
	}
	im := Image{Place: s.place, At: s.at, Lost: lost}
	s.images = append(s.images, im)
	s.saw(im)
}

func (s *script) set(sq legal.Square, p legal.Piece) {
	s.at += 300_000
	s.place[sq] = p
	s.image(false)
}

func (s *script) run(text string) *script {
	for _, w := range strings.Fields(text) {
		switch {
		case w == "press":
			s.at += 200_000
			s.press = Press{Side: s.pos.Turn().Other(), At: s.at, First: len(s.images) - 1}
			s.did(w)
		case w == "hide":
			s.hidden = true
		case w == "dump":
			s.hidden = false
			s.image(true)
		case w[0] == '+':
			sec, err := strconv.ParseFloat(w[1:], 64)
			if err != nil {
				panic(err)
			}
			s.at += int64(sec * secondUS)
			s.did("wait")
		case len(w) == 3 && w[1] >= '1' && w[1] <= '8':
			s.set(square(w[:2]), piece(w[2:]))
		case len(w) >= 4 && w[1] >= '1' && w[1] <= '8':
			s.move(w)
		default:
			s.did(w)
		}
	}
	return s
}

// move makes a legal move, or another transfer: then the same side is still to move in s.pos.
func (s *script) move(uci string) {
	from, to := square(uci[:2]), square(uci[2:4])
	m, ok := s.pos.FindUCI(uci)
	if !ok {
		p := s.place[from]
		s.set(from, legal.NoPiece)
		s.set(to, p)
		return
	}
	after := PlacementAfter(s.place, m)
	for _, empty := range [...]bool{true, false} {
		for sq, p := range after {
			if p != s.place[sq] && (p == legal.NoPiece) == empty {
				s.set(legal.Square(sq), p)
			}
		}
	}
	s.pos = s.pos.After(m)
}

func square(s string) legal.Square {
	sq, ok := legal.ParseSquare(s)
	if !ok {
		panic("no square " + s)
	}
	return sq
}

// change sets one square: "e2-" or "e4P".
func change(place *legal.Placement, word string) {
	place[square(word[:2])] = piece(word[2:])
}

func piece(letter string) legal.Piece {
	for s := legal.White; s <= legal.Black; s++ {
		for k := legal.Pawn; k <= legal.King; k++ {
			if p := legal.PieceOf(s, k); p.String() == letter {
				return p
			}
		}
	}
	if letter != "-" {
		panic("no piece " + letter)
	}
	return legal.NoPiece
}

// names are an explanation's moves; "?" is no legal move.
func (x *Explanation) names(root legal.Position) string {
	var list []string
	pos := root
	for _, m := range x.Moves {
		if m == legal.NoMove {
			list = append(list, "?")
			continue
		}
		list = append(list, pos.UCI(m))
		if pos.IsLegal(m) {
			pos = pos.After(m)
		}
	}
	return strings.Join(list, " ")
}

func describe(root legal.Position, list []Explanation) string {
	var b strings.Builder
	for i := range list {
		x := &list[i]
		fmt.Fprintf(&b, "  %6d [%s] %s %v press %v seen %v\n", x.Cost, x.names(root), x.Kind, x.Arcs, x.Press, x.Seen)
	}
	return b.String()
}
