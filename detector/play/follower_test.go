package play

import (
	"strings"
	"testing"

	"boardwatchd/rules/legal"
)

// followed gives a script's images to a Follower and returns the plies that it settles, "?" for some that are not
// known, and the last one.
func followed(t *testing.T, fen, script string, dumps bool) string {
	t.Helper()
	root := position(t, fen)
	f := Follow(root, nil, 0)
	var said []string
	pos := root
	take := func(s Step) {
		switch {
		case s.Back > 0:
			said = append(said, "back")
		case s.Broken:
			said = append(said, "?")
		default:
			said = append(said, pos.UCI(s.Move))
		}
		pos = s.After
	}
	settle := func() {
		for s, ok := f.Settled(); ok && s.Back == 0; s, ok = f.Settled() {
			take(s)
		}
	}
	s := newScript(root)
	s.did = func(string) {}
	now := int64(0)
	s.saw = func(im Image) {
		for at, ok := f.Deadline(); ok && at < im.At; at, ok = f.Deadline() {
			f.Wake(at)
			settle()
		}
		f.Image(im.At, im.Place, dumps)
		settle()
		now = im.At
	}
	s.run(script)
	if dumps {
		f.Again(now + 1)
	} else {
		f.Wake(now + firmUS)
	}
	settle()
	for s, ok := f.Last(false); ok; s, ok = f.Last(false) {
		take(s)
	}
	return strings.Join(said, " ")
}

func TestFollower(t *testing.T) {
	for _, c := range []struct{ name, fen, script, moves string }{
		{"a game in order", "", "e2e4 +2 e7e5 +2 g1f3 +2", "e2e4 e7e5 g1f3"},
		{"a slide that rests on the way", "", "e2e4 +2 e7e5 +2 f1- e2B +3 e2- c4B +2 b8c6 +2", "e2e4 e7e5 f1c4 b8c6"},
		{"the captured piece goes first", "", "e2e4 +2 d7d5 +2 d5- +1 e4- d5P +2 d5- +1 d8- d5q +2 b1c3 +2", "e2e4 d7d5 e4d5 d8d5 b1c3"},
		{"castling, the rook first", "4k3/p7/8/8/8/8/8/4K2R w K - 0 1", "h1- f1R +1 e1- g1K +2 a7a6 +2", "e1g1 a7a6"},
		{"a pawn stands on its last rank for a while", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7- a8P +3 a8- a8Q +2 e8d7 +2", "a7a8q e8d7"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := followed(t, c.fen, c.script, false); got != c.moves {
				t.Errorf("%s, want %s", got, c.moves)
			}
		})
	}
}

// What grows without end would fill the memory of a board on which pieces are moved for weeks.
func TestFollowerIsBounded(t *testing.T) {
	root := legal.StartPosition()
	f := Follow(root, nil, 0)
	place := root.Placement()
	at := int64(0)
	for i := range 20_000 {
		at += 400_000
		sq := legal.Square((i*37 + i/64) % 64)
		place[sq] = legal.Piece(i*7%13) % (legal.BlackKing + 1)
		f.Image(at, place, i%3 == 0)
		for s, ok := f.Settled(); ok; s, ok = f.Settled() {
			if s.Back > 0 {
				f = Follow(*f.Root(), nil, at)
				break
			}
		}
		if n := len(f.courses); n > courseWidth || n == 0 {
			t.Fatalf("%d courses", n)
		}
		for _, c := range f.courses {
			if n := c.line.Count() - f.settled; n > longestCourse+maxHiddenRow+1 {
				t.Fatalf("%d plies are not settled", n)
			}
			if len(c.ties) > maxTies {
				t.Fatalf("%d ties", len(c.ties))
			}
		}
		if len(f.past) > maxBack+1 {
			t.Fatalf("%d positions are kept", len(f.past))
		}
	}
}
